"""Chinese names for people with Western names: where the names stand, and what cannot be renamed without guessing."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ....core.model import Item, Span
from ....language.names import Gender, Name, chinese_names, western_names
from .families import relatives
from .renaming import (
    AFTER,
    BEFORE,
    LATIN,
    PRONOUN_GENDERS,
    CannotRenameError,
    Renaming,
    gender_of_target,
    joins,
    long_titles,
    marks,
    neighbours,
    one_to_one,
    pick,
    replace_names,
    texts_of,
    words_of,
)

_NEXT = re.compile("[ _]([A-Z][a-z]+)")
#: A word that may be a name: in Chinese text any capitalised one, in English text one inside a sentence.
CAPITALISED = re.compile(rf"{BEFORE}[A-Z][a-z]+(?![{LATIN}0-9])")
_INSIDE = re.compile(rf"(?<=[a-z,] )[A-Z][a-z]+(?![{LATIN}0-9])")
_NAMELIKE = re.compile(r"[A-Z][a-z]+(?:[ _-][A-Z][a-z]+)*")
#: A person or a family: "given" or "surname", and the name.
_Key = tuple[str, str]
_ADDRESS = {"female": "女士", "male": "先生"}
#: A pronoun for one person.
_PRONOUN = re.compile(r"\b(?:he|him|his|she|her|hers)\b|[他她](?!们)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name from `start` to `end`; `lead` is its title with the separator, `suffix` a Chinese title after a surname."""

    start: int
    end: int
    text: str
    lead: str
    title: str
    given: str
    surname: str
    suffix: str

    @property
    def bare(self) -> bool:
        """Whether it is one word."""
        return not (self.lead or self.suffix or (self.given and self.surname))


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))})"


@cache
def _pattern() -> re.Pattern[str]:
    names = western_names()
    title, given, surname = map(_any_of, (names.titles, names.given, names.surnames))
    suffix = _any_of(long_titles())
    gap = r"(?:\.[ _]?|[ _])"
    stays = rf"(?:{title}{gap}|{given}[ _])?(?P<stay>{_any_of(names.stay)}){AFTER}"
    lead = rf"(?P<lead>(?P<title>{title}){gap})?"
    name = rf"(?:(?P<given>{given})(?:[ _](?P<surname>{surname}))?|(?P<last>{surname})){AFTER}"
    # All of them begin with a capital letter: looking for one first saves most of the time in Chinese text.
    return re.compile(rf"(?=[A-ZÀ-Þ]){BEFORE}(?:{stays}|{lead}{name}(?P<suffix>{suffix})?)")


def mentions(text: str) -> list[Mention]:
    """Return the Western names of `text`, in order.

    Raises:
        CannotRenameError: a name is followed by a capitalised word that is in no table.
    """
    names, places = western_names(), []
    for match in _pattern().finditer(text):
        if match["stay"]:
            continue
        given, surname, suffix = match["given"] or "", match["surname"] or match["last"] or "", match["suffix"] or ""
        if given in names.surnames and not surname and (match["lead"] or suffix):  # Dr. Martin
            given, surname = "", given
        end = match.end() - (0 if surname else len(suffix))
        after = None if match["suffix"] else _NEXT.match(text, end)
        if after and not _known(after[1]):
            reason = f"[text] unclear end of a name; found {text[match.start() : end + 12]!r}"
            raise CannotRenameError(f"{reason}, expected all of it in rules/names/western.yaml")
        lead, title = match["lead"] or "", match["title"] or ""
        suffix = suffix if surname else ""
        places.append(Mention(match.start(), end, text[match.start() : end], lead, title, given, surname, suffix))
    return places


def _known(word: str) -> bool:
    names = western_names()
    return word in names.given or word in names.surnames or word in names.stay or word in names.titles


def without_possessive(candidate: str) -> str:
    """Return ``Ann`` for ``Ann's``."""
    return re.sub("['’]s?$", "", candidate)


def refuse_unknown(members: Iterable[Item], *, chinese: bool) -> None:
    """Raise `CannotRenameError` for a name that is in no table, or a candidate for "it"."""
    where = "expected an entry of rules/names/western.yaml"
    for item in members:
        form = item.target.of(item.text).lower()
        for candidate in item.candidates:
            if form in ("它", "it", "its") and [mention.text for mention in mentions(candidate)] == [candidate]:
                raise CannotRenameError(f"[target] name of no person; found {candidate!r} for {form!r}, expected he")
            if not chinese and form in PRONOUN_GENDERS and (word := _unknown_person(candidate)):
                raise CannotRenameError(f"[candidates] unknown name; found {word!r}, {where}")
    for text in texts_of(members):
        if word := _unknown_word(text, CAPITALISED if chinese else _INSIDE):
            raise CannotRenameError(f"[text] unknown name or word; found {word!r}, {where}")


def refuse_doubtful(members: Iterable[Item], own: list[Mention], glossed: list[Mention], *, chinese: bool) -> None:
    """Raise `CannotRenameError` for a name in English text that may be a common word (Will, May)."""
    doubtful = frozenset(western_names().doubtful)
    named = [mention for item in members for candidate in item.candidates for mention in mentions(candidate)]
    sure = {word for mention in (own if chinese else named) for word in (mention.given, mention.surname)}
    sure |= {word for mention in (*own, *glossed) if not mention.bare for word in (mention.given, mention.surname)}
    for mention in glossed if chinese else (*own, *glossed):
        if mention.text in doubtful - sure:
            reason = f"[text] name or common word; found {mention.text!r}"
            raise CannotRenameError(f"{reason}, expected it in a candidate, or beside a title or another name")


def _unknown_word(text: str, capitalised: re.Pattern[str]) -> str:
    """Return a capitalised word that is in no table, or an empty text."""
    titles = western_names().titles
    inside = {place for match in _pattern().finditer(text) for place in range(*match.span())}
    for match in capitalised.finditer(text):
        if match[0] not in titles and match.start() not in inside:
            return match[0]
    return ""


def _unknown_person(candidate: str) -> str:
    """Return a candidate for he or she that looks like a Western name and is in no table, or an empty text."""
    person = without_possessive(candidate)
    if mentions(person) or not _NAMELIKE.fullmatch(person):
        return ""
    stays = western_names().stay.intersection(re.split("[ _]", person))
    return "" if stays else person


# --- new names -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cast:
    """The people named in a schema.

    `surname_of` has the surname of each given name, `accompanied` the surnames that occur with a title or given name too,
    `spoken` the names as the texts of the items have them, `families` for a family that has relatives theirs.
    """

    mentions: tuple[Mention, ...]
    surname_of: Mapping[str, str]
    accompanied: frozenset[str]
    spoken: frozenset[str]
    families: Mapping[_Key, _Key] = field(default_factory=dict)

    def family(self, mention: Mention) -> _Key:
        surname = mention.surname or self.surname_of.get(mention.given, "")
        key: _Key = ("surname", surname) if surname else ("given", mention.given)
        return self.families.get(key, key)

    def person(self, mention: Mention) -> _Key:
        if mention.given:
            return ("given", mention.given)
        owners = [given for given, surname in self.surname_of.items() if surname == mention.surname]
        return ("given", owners[0]) if len(owners) == 1 else ("surname", mention.surname)

    def lone(self, mention: Mention) -> bool:
        """Whether it is the bare surname of a person who is never called anything else."""
        return not mention.given and mention.bare and mention.surname not in self.accompanied

    def short(self, mention: Mention) -> bool:
        """Whether it becomes the new given name alone: the given name of a person with a surname.

        So does a bare surname that occurs only at the end of the full name, where the new given name stands.
        """
        if mention.given:
            return not mention.surname and mention.given in self.surname_of
        return mention.bare and mention.text not in self.spoken and self.person(mention)[0] == "given"


@dataclass(frozen=True, slots=True)
class _NewNames:
    surnames: Mapping[_Key, Name]
    given: Mapping[_Key, Name]


def chinese_for_western(members: Sequence[Item], glosses: Sequence[str], key: str) -> Renaming:
    """Return Chinese names for the Western ones of one schema, in its own texts and in its English glosses.

    The choice depends on `key`, the seed and the schema.

    Raises:
        CannotRenameError: it is unclear what is a name, or whose.
    """
    chinese = members[0].lang == "zh"
    own = [mention for text in texts_of(members) for mention in mentions(text)]
    glossed = [mention for text in glosses for mention in mentions(text)]
    refuse_unknown(members, chinese=chinese)
    refuse_doubtful(members, own, glossed, chinese=chinese)
    spoken = {mention.text for item in members for mention in mentions(item.text)}
    everyone = dict.fromkeys(replace(mention, start=0, end=0) for mention in (*own, *glossed))  # each name once
    cast = _cast(tuple(everyone), spoken)
    genders = {cast.person(mention): _gender(cast, mention, members) for mention in cast.mentions}
    cast = replace(cast, families=_families(cast, genders, members))
    new = _choose(cast, genders, members, key, latin=not chinese or bool(glosses))
    renaming = Renaming(
        one_to_one({mention.text: _form(mention, cast, new, genders, chinese=chinese) for mention in own}),
        one_to_one({mention.text: _form(mention, cast, new, genders, chinese=False) for mention in glossed}),
    )
    for texts, names in ((texts_of(members), renaming.texts), (glosses, renaming.glosses)):
        for text in texts:
            _refuse_half(text, names)
    return renaming


def _refuse_half(text: str, names: Mapping[str, str]) -> None:
    """Refuse a text where a name is also part of one that stays: William beside William Shakespeare."""
    places = [(place.start, place.end) for place, _ in replace_names(text, names).places]
    if places != [(mention.start, mention.end) for mention in mentions(text)]:
        raise CannotRenameError(f"[text] name inside a name that stays; found {text!r}, expected whole names")


def _cast(people: Sequence[Mention], spoken: set[str]) -> _Cast:
    surname_of: dict[str, str] = {}
    for mention in people:
        if (
            mention.given
            and mention.surname
            and surname_of.setdefault(mention.given, mention.surname) != mention.surname
        ):
            namesakes = f"{mention.given} {surname_of[mention.given]} and {mention.given} {mention.surname}"
            raise CannotRenameError(f"[names] two people with one given name; found {namesakes}, expected one")
    accompanied = frozenset(mention.surname for mention in people if not mention.bare)
    return _Cast(tuple(people), surname_of, accompanied, frozenset(spoken))


def _families(cast: _Cast, genders: Mapping[_Key, Gender], members: Iterable[Item]) -> dict[_Key, _Key]:
    """Return for each family that has relatives the one whose surname it shares; two surnames of the source stay two."""
    families: dict[_Key, _Key] = {}
    for item in members:
        people = mentions(item.text)
        spans = [Span(mention.start, mention.end) for mention in people]
        known = [genders[cast.person(mention)] for mention in people]
        for pair in sorted(relatives(item.text, spans, item.lang, known)):
            keys = [cast.family(people[number]) for number in pair]
            first, second = (families.get(key, key) for key in keys)
            if "given" in (first[0], second[0]) and first != second:
                kept, gone = (first, second) if second[0] == "given" else (second, first)
                families = {key: kept if family == gone else family for key, family in families.items()} | {gone: kept}
    return families


def _gender(cast: _Cast, mention: Mention, members: Iterable[Item]) -> Gender:
    names, person = western_names(), cast.person(mention)
    known: Gender = names.given[person[1]] if person[0] == "given" else "either"
    titled = [other for other in cast.mentions if other.title and cast.person(other) == person]
    titles = {names.titles[other.title].gender for other in titled}
    genders: tuple[Gender, ...] = ("female", "male")
    for gender in genders:
        if gender == known or (known == "either" and titles - {"either"} == {gender}):
            return gender

    def is_person(candidate: str) -> bool:
        bare = without_possessive(candidate)
        return [(other.text, cast.person(other)) for other in mentions(bare)] == [(bare, person)]

    gender = gender_of_target(members, is_person)
    return _gender_after(mention, members) if gender == "either" else gender


def _gender_after(mention: Mention, members: Iterable[Item]) -> Gender:
    """Return the gender of the first pronoun after a name if nobody is named between: Sam broke both his ankles."""
    for item in members:
        _, _, rest = item.text.partition(mention.text)
        pronoun = _PRONOUN.search(rest)
        if pronoun and not mentions(rest[: pronoun.start()]):
            return PRONOUN_GENDERS[pronoun[0].lower()]
    return "either"


def _choose(
    cast: _Cast, genders: Mapping[_Key, Gender], members: Sequence[Item], key: str, *, latin: bool
) -> _NewNames:
    """Return the names; in Latin script all have one gender in pinyin, also for people of whom nothing tells theirs."""
    names, texts = chinese_names(), texts_of(members)
    taken, surnames, given = words_of(texts), dict[_Key, Name](), dict[_Key, Name]()
    before, after = neighbours((text, name.start, name.end) for text in texts for name in mentions(text))
    for mention in cast.mentions:
        family, person = cast.family(mention), cast.person(mention)
        if family not in surnames:
            free = (name for name in names.new_surnames if not marks(name) & taken and not joins(before, name.form[0]))
            surnames[family] = pick(free, key)
            taken |= marks(surnames[family])
        if person not in given and (mention.given or cast.lone(mention)):
            short = any(cast.short(other) and cast.person(other) == person for other in cast.mentions)
            fitting = (
                name
                for name in names.new_given
                if _suits(name, genders[person], latin=latin)
                and not marks(name) & taken
                and not (short and len(name.form) == 1)
                and not joins(name.form[-1], after)
                and _together(surnames[family].form, name.form)
            )
            given[person] = pick(fitting, key)
            taken |= marks(given[person])
    return _NewNames(surnames, given)


def _suits(name: Name, gender: Gender, *, latin: bool) -> bool:
    """Return whether a given name is for people of this gender, in Latin script too if need be."""
    if not latin:
        return name.gender == gender
    genders = ("female", "male") if gender == "either" else (gender,)
    return name.gender in genders and name.latin not in chinese_names().unclear


def _together(surname: str, given: str) -> bool:
    """Return whether the two make an ordinary name: not a celebrity's, and no word across the border (王子|涵)."""
    return surname + given not in chinese_names().never and (len(given) == 1 or not joins(surname[-1], given[0]))


def _form(mention: Mention, cast: _Cast, new: _NewNames, genders: Mapping[_Key, Gender], *, chinese: bool) -> str:
    person = cast.person(mention)
    surname, given = new.surnames[cast.family(mention)], new.given.get(person)
    parts = [surname, given] if mention.given or cast.lone(mention) else [surname]
    if cast.short(mention) and (chinese or mention.given):  # in Latin script a surname stands in its full name
        parts = [given]
    known = [part for part in parts if part]
    if not chinese:
        return mention.lead + " ".join(part.latin for part in known)
    name = "".join(part.form for part in known)
    if mention.title:
        return name + western_names().titles[mention.title].chinese
    if parts == [surname] and not mention.suffix:
        if genders[person] == "either":
            raise CannotRenameError(f"[names] unknown gender; found {mention.text!r}, expected a pronoun")
        return name + _ADDRESS[genders[person]]
    return name + mention.suffix
