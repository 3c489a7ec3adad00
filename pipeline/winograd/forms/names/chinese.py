"""Latin names for people with Chinese names: pinyin, or Western names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from ....core.model import Item
from ....language.names import Name, Person, chinese_names, person_of, western_names
from ....language.segmentation import cut, tag_of
from .renaming import CannotRenameError, Renaming, gender_of_target, occurs, one_to_one, pick, texts_of, words_of


def pinyin(person: Person) -> Name:
    """Return the name of a person in pinyin, without the words before or after it: ``Ye Nan``, ``Ye``."""
    surname = chinese_names().surnames.get(person.surname, "")
    latin = f"{surname} {given_pinyin(person.given)}".strip() if person.given else surname
    return Name(latin, latin)


def given_pinyin(given: str) -> str:
    """Return a given name in pinyin without tones, with the apostrophe of ISO 7098 before a vowel: ``Yue'e``."""
    from pypinyin import lazy_pinyin  # loads a dictionary, and only Chinese names need it

    readings = chinese_names().readings
    spelt = lazy_pinyin(given, v_to_u=True)
    syllables = [readings.get(character, syllable) for character, syllable in zip(given, spelt, strict=True)]
    parted = ["'" if after[0] in "aeo" else "" for _, after in pairwise(syllables)]
    return "".join(map("".join, zip(["", *parted], syllables, strict=True))).capitalize()


Script = Literal["pinyin", "western"]

#: Pronouns for people; a name of an animal or a thing (它) is not renamed.
_PERSONAL = frozenset({"他", "她", "他们", "她们"})
_IMPERSONAL = frozenset({"它", "它们"})
#: Surnames in pinyin that are also words at the start of an English sentence.
_HEADS = frozenset({"An", "He", "Long", "She", "You"})


def latin_for_chinese(members: Sequence[Item], glosses: Sequence[str], key: str, script: Script) -> Renaming:
    """Return Latin names for the Chinese candidates of one schema, in its own texts and in its English glosses.

    Args:
        members: the items of one schema, in a fixed order.
        glosses: their English glosses, if any, with the names in pinyin.
        key: seed and schema, on which the choice depends.
        script: pinyin, or Western names.

    Raises:
        CannotRenameError: it is unclear what is a name, or whose.
    """
    people = _people(members)
    texts = texts_of(members)
    people |= _called_by_given_name(people, texts)
    _refuse_parts_of_words(people, texts)
    spelt = one_to_one({text: _form(person, pinyin(person)) for text, person in people.items()})
    if script == "pinyin":
        return Renaming(spelt, {old: new for old, new in spelt.items() if any(old in gloss for gloss in glosses)})
    new = _western(people, members, [*texts, *glosses], key)
    return Renaming(
        one_to_one({text: _western_form(person, new[text]) for text, person in people.items()}),
        _in_glosses(people, new, glosses),
    )


def _people(members: Iterable[Item]) -> dict[str, Person]:
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
        if tag_of(person.given) != "x" and not tag_of(person.given).startswith("nr"):
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


def _form(person: Person, name: Name) -> str:
    return f"{person.before}{name.latin}{person.after}"


def _western_form(person: Person, name: Name) -> str:
    """Return a Western name with the words around the old one, but for those of kinship and age: Brian for 老林."""
    return name.latin if person.is_familiar else _form(person, name)


def _western(people: Mapping[str, Person], members: Sequence[Item], texts: Iterable[str], key: str) -> dict[str, Name]:
    """Return the Western name of each person; one new surname for each old one, and no two names with the same initial.

    Who is called by a word of kinship or age gets a given name.
    """
    names, new = western_names(), dict[str, Name]()
    surnames, given = dict[str, Name](), dict[str, Name]()
    taken = words_of(texts)

    def unused(pool: Iterable[Name]) -> Name:
        initials = {name.form[0] for name in (*surnames.values(), *given.values())}
        free = (name for name in pool if name.form[0] not in initials and name.form.lower() not in taken)
        return pick(free, key)

    full = {person.given: text for text, person in people.items() if person.surname and person.given}
    called = {person.given for person in people.values() if not person.surname}
    for text in full.values():
        gender = gender_of_target(members, {text}.__contains__)
        given[text] = unused(name for name in names.new_given if name.gender == gender)
    for text, person in people.items():
        if person.is_familiar:
            gender = gender_of_target(members, text.__eq__)
            gender = chinese_names().familiar.get(person.after, gender)
            new[text] = given[text] = unused(name for name in names.new_given if name.gender == gender)
            continue
        parts = [given[full[person.given]].form] if person.given else []
        if person.surname and (not person.given or person.given in called):
            surnames.setdefault(person.surname, unused(names.new_surnames))
            parts.append(surnames[person.surname].form)
        new[text] = Name(" ".join(parts), " ".join(parts))
    return new


def _in_glosses(people: Mapping[str, Person], new: Mapping[str, Name], glosses: Sequence[str]) -> Mapping[str, str]:
    pairs = dict[str, str]()
    for text, person in people.items():
        spelt, name = pinyin(person).latin, new[text].latin
        forms = {spelt: name} if person.given else {spelt: name, f"{spelt}s": _plural(name)}
        if person.is_familiar:
            forms = dict.fromkeys((match for gloss in glosses for match in _familiar(spelt).findall(gloss)), name)
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


def _familiar(surname: str) -> re.Pattern[str]:
    """Return the pattern of a surname in a gloss with the words of kinship and age before it: Old Lin, Auntie Wang."""
    words = "|".join(chinese_names().glossed)
    return re.compile(rf"\b(?:(?:{words})\.? )*{surname}\b")


def _plural(name: str) -> str:
    return f"{name}es" if name.endswith(("s", "x", "z", "ch", "sh")) else f"{name}s"
