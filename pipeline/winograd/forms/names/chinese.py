"""Other Chinese names for people with Chinese names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....core.model import Item
from ....language.names import Name, Person, chinese_names, given_pinyin, person_of, transliterated_names
from ....language.segmentation import cut, tag_of
from .renaming import (
    CannotRenameError,
    Renaming,
    gender_of_target,
    is_word,
    joins,
    long_titles,
    marks,
    neighbours,
    occurs,
    one_to_one,
    pick,
    texts_of,
    words_of,
)

#: Pronouns for people; a name of an animal or a thing (它) is not renamed.
_PERSONAL = frozenset({"他", "她", "他们", "她们"})
_IMPERSONAL = frozenset({"它", "它们"})
#: Surnames in pinyin that are also words at the start of an English sentence.
_HEADS = frozenset({"An", "He", "Long", "She", "You"})
#: A given name of nobody, for people who are called by their surname.
_NO_NAME = Name("", "")


@dataclass(frozen=True, slots=True)
class _Called:
    """How a person is called: a surname and a given name, one of which may be empty, with the words around them (老林, 叶师傅)."""

    before: str
    surname: Name
    given: Name
    after: str

    @property
    def text(self) -> str:
        """The name in Chinese."""
        return f"{self.before}{self.surname.form}{self.given.form}{self.after}"

    @property
    def latin(self) -> str:
        """The name in pinyin, without the words around it, which a gloss translates."""
        return f"{self.surname.latin} {self.given.latin}".strip()


def chinese_for_chinese(members: Sequence[Item], glosses: Sequence[str], key: str) -> Renaming:
    """Return other Chinese names for the people whom the candidates of one schema name, in its texts and its English glosses.

    One surname becomes one other surname of its length, so that families stay families; a given name becomes one of the same gender and
    length. Words of kinship, age and profession stay: 老林 becomes 老周. The choice depends on `key`, the seed and the schema; glosses have
    the names in pinyin.

    Raises:
        CannotRenameError: it is unclear what is a name, or whose.
    """
    people = _people(members)
    texts = texts_of(members)
    people |= _called_otherwise(people, texts)
    people |= _called_by_given_name(people, texts)
    _refuse_parts_of_words(people, texts)
    new = _choose(people, members, [*texts, *glosses], key)
    return Renaming(
        one_to_one({text: called.text for text, called in new.items()}),
        _in_glosses(people, new, glosses),
    )


def _pinyin(person: Person) -> str:
    """Return the name of a person in pinyin, without the words before or after it: ``Ye Nan``, ``Ye``."""
    surname = chinese_names().surnames.get(person.surname, "")
    return f"{surname} {given_pinyin(person.given)}".strip() if person.given else surname


def _people(members: Iterable[Item]) -> dict[str, Person]:
    if foreign := transliterated_names(candidate for item in members for candidate in item.candidates):
        reason = (
            f"[candidates] transliterated name; found {foreign[0]!r}, expected Chinese names, which others can replace"
        )
        raise CannotRenameError(reason)
    people = dict[str, Person]()
    for item in members:
        form = item.target.of(item.text)
        named = {} if form in _IMPERSONAL else _named(item.candidates)
        if named and form not in _PERSONAL:
            name = next(iter(named))
            raise CannotRenameError(f"[target] no pronoun for people; found {form!r} for {name!r}, expected 他 or 她")
        people |= named
    return people


def _named(candidates: Iterable[str]) -> dict[str, Person]:
    """Return the people that candidates name: alone (叶楠), as possessors (叶楠的妈妈) or in a pair (叶楠和马悦)."""
    named = dict[str, Person]()
    for candidate in candidates:
        whole = person_of(candidate)
        parts = [] if whole else re.split("[和与跟、]", candidate.split("的")[0])
        people = [whole, *map(person_of, parts)]
        named |= {person.text: person for person in people if person}
    return named


def _called_otherwise(people: Mapping[str, Person], texts: Iterable[str]) -> dict[str, Person]:
    """Return the people who are also called by their surname with another word: 林师傅 or 老林 beside 林振华."""
    surnames = "|".join(map(re.escape, dict.fromkeys(person.surname for person in people.values())))
    titles = "|".join([*long_titles(), "家"])
    pattern = re.compile(f"[老小](?:{surnames})|(?:{surnames})(?:{titles})")
    found = (match[0] for text in texts for match in pattern.finditer(text)) if people else ()
    return {text: person for text in found if text not in people and (person := person_of(text))}


def _called_by_given_name(people: Mapping[str, Person], texts: Iterable[str]) -> dict[str, Person]:
    """Return the people who are also called by their given name alone: 雪梅 beside 潘雪梅."""
    rest = "\n".join(re.sub("|".join(map(re.escape, people)) or r"(?!)", "\n", text) for text in texts)
    called = dict[str, Person]()
    bearers = Counter(person.given for person in people.values() if person.given)
    if twice := [given for given, count in bearers.items() if count > 1]:
        raise CannotRenameError(
            f"[names] two people with one given name; found {twice[0]!r}, expected different given names"
        )
    for person in people.values():
        if len(person.given) < 2 or person.given not in rest:
            continue
        if is_word(person.given):
            reason = f"[text] given name or common word; found {person.given!r} beside {person.text!r}"
            raise CannotRenameError(f"{reason}, expected it in the full name only")
        called[person.given] = Person(person.given, "", "", person.given, "")
    return called


def _refuse_parts_of_words(people: Iterable[str], texts: Iterable[str]) -> None:
    """Refuse a name that Jieba's dictionary reads as part of another word; three characters are no coincidence."""
    short = [name for name in people if len(name) == 2]
    for text in texts if short else ():
        around, end = dict[int, str](), 0  # the word around a place that is inside one
        for word in cut(text):
            start = text.index(word, end)
            end = start + len(word)
            around |= dict.fromkeys(range(start + 1, end), word)
        for name in short:
            for match in re.finditer(re.escape(name), text):
                for word in filter(None, map(around.get, match.span())):
                    if tag_of(word) != "x":
                        reason = f"[text] name or part of a word; found {name!r} at {word!r}"
                        raise CannotRenameError(f"{reason}, expected whole words")


def _choose(
    people: Mapping[str, Person], members: Sequence[Item], texts: Sequence[str], key: str
) -> dict[str, _Called]:
    """Return how each person is called then, by the old name."""
    names, taken = chinese_names(), words_of(texts)
    surnames, given = {"": _NO_NAME}, {"": _NO_NAME}
    beside = {
        name: neighbours((text, *match.span()) for text in texts for match in re.finditer(re.escape(name), text))
        for name in people
    }

    def call(person: Person, surname: Name, name: Name) -> _Called:
        return _Called(person.before, surname, name, person.after)

    def fits(person: Person, called: _Called) -> bool:
        """Return whether a name stands well in the texts; of a full name, the surname may be tried alone."""
        before, after = beside[person.text]
        if joins(before, called.text[0]):
            return False
        is_known = called.text in names.not_names or called.text in names.never or is_word(called.text)
        is_part = called.given is _NO_NAME and person.given != ""
        return is_part or not (is_known or joins(called.text[-1], after))

    for surname in dict.fromkeys(person.surname for person in people.values() if person.surname):
        bearers = [person for person in people.values() if person.surname == surname]
        free = (
            name
            for name in names.new_surnames
            if len(name.form) == len(surname)
            and not marks(name) & taken
            and all(fits(person, call(person, name, _NO_NAME)) for person in bearers)
        )
        surnames[surname] = pick(free, key)
        taken |= marks(surnames[surname])
    for person in people.values():
        if not person.given or person.given in given:
            continue
        gender = gender_of_target(members, {person.text}.__contains__)
        free = (
            name
            for name in names.new_given
            if name.gender == gender
            and len(name.form) == len(person.given)
            and not marks(name) & taken
            and fits(person, call(person, surnames[person.surname], name))
        )
        given[person.given] = pick(free, key)
        taken |= marks(given[person.given])
    return {text: call(person, surnames[person.surname], given[person.given]) for text, person in people.items()}


def _in_glosses(people: Mapping[str, Person], new: Mapping[str, _Called], glosses: Sequence[str]) -> Mapping[str, str]:
    """Return the new names in pinyin by the old ones, as the glosses have them; a family in the plural (the Lins)."""
    pairs = dict[str, str]()
    for text, person in people.items():
        spelt, name = _pinyin(person), new[text].latin
        forms = {spelt: name} if person.given else {spelt: name, f"{spelt}s": f"{name}s"}
        if glosses and not any(occurs(form, gloss) for form in forms for gloss in glosses):
            raise CannotRenameError(f"[gloss] name missing; found no {spelt!r} for {text!r}, expected it")
        if spelt in _HEADS and any(re.search(rf"(?:^|[.!?;:] ){spelt} ", gloss) for gloss in glosses):
            raise CannotRenameError(
                f"[gloss] name or common word; found {spelt!r} for {text!r} at the start of a sentence"
            )
        for form, other in forms.items():
            if pairs.setdefault(form, other) != other:
                raise CannotRenameError(f"[gloss] two names with one spelling; found {form!r}, expected two spellings")
    return pairs
