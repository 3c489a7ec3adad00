"""The list of names to replace, and how they are written in running text: in full, by a part, by initials."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from pathlib import Path

from ...core.errors import PipelineError, errors_at, shown
from ...core.tables import read_table
from ...language.segmentation import tag_of

COLUMNS = ("genre", "kind", "zh", "en")
#: The beginning of the code of each kind of name; a letter follows.
CODES: Mapping[str, str] = {
    "person": "Person-",
    "university": "University-of-",
    "college": "College-of-",
    "school": "School-of-",
    "faculty": "Faculty-of-",
}
#: The words of codes, before their letters: a name of these alone could not be told from a code.
_WORDS_OF_CODES = frozenset({"person", "university", "college", "school", "faculty", "of"})


@dataclass(frozen=True, slots=True)
class Name:
    """A person or an institution of a kind of `CODES`, with its names in both languages."""

    kind: str
    zh: tuple[str, ...]
    en: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The first name of each language."""
        return " / ".join(names[0] for names in (self.zh, self.en) if names)


def read_names(path: Path, genre: str | None = None) -> list[Name]:
    """Return the names of a list, of one genre if it is given; rows with the same Chinese or English name are one person or institution."""
    names: list[Name] = []
    for number, row in read_table(path, COLUMNS):
        with errors_at(path, number):
            entry = _name({column: " ".join(cell.split()) for column, cell in row.items()})
        if genre is not None and row["genre"] != genre:
            continue
        same = [name for name in names if {*name.zh} & {*entry.zh} or {*name.en} & {*entry.en}]
        for name in same:
            if name.kind != entry.kind:
                reason = (
                    f"[kind] two kinds for a name; found {shown(entry.kind)}, expected {name.kind} as for {name.shown}"
                )
                raise PipelineError(path, number, reason)
            names.remove(name)
        merged = [*same, entry]
        zh = dict.fromkeys(text for name in merged for text in name.zh)
        en = dict.fromkeys(text for name in merged for text in name.en)
        names.append(Name(entry.kind, tuple(zh), tuple(en)))
    if not names:
        of_genre = "" if genre is None else f" of genre {genre}"
        raise PipelineError(path, None, f"[zh] no name{of_genre}; expected rows with a kind and a name")
    return names


def _name(row: Mapping[str, str]) -> Name:
    """Return the name of a row; raises `ValueError` with the column and the reason."""
    if row["kind"] not in CODES:
        raise ValueError(f"[kind] unknown kind; found {shown(row['kind'])}, expected one of {', '.join(CODES)}")
    if not row["zh"] and not row["en"]:
        raise ValueError("[zh] no name; expected one in Chinese or in English")
    for column in ("zh", "en"):
        name = row[column]
        if any(mark in name for mark in "<>"):
            raise ValueError(f"[{column}] angle brackets; found {shown(name)}, expected a name without them")
        if name and not any(map(str.isalpha, name)):
            raise ValueError(f"[{column}] not a name; found {shown(name)}, expected letters")
        if name and {*name.lower().replace("-", " ").split()} <= _WORDS_OF_CODES:
            raise ValueError(f"[{column}] looks like a code; found {shown(name)}, expected a full name")
    if row["en"].lower() in function_words():
        raise ValueError(f"[en] an English word; found {shown(row['en'])}, expected a full name")
    return Name(row["kind"], *((row[column],) if row[column] else () for column in ("zh", "en")))


@cache
def function_words() -> frozenset[str]:
    """Return the English words that are too frequent to be taken for a name, in small letters, from spaCy."""
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


def letters(number: int) -> str:
    """Return the letters of the name with this number, from 0.

    >>> letters(0), letters(25), letters(26), letters(701), letters(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    text = ""
    while number >= 0:
        number, rest = divmod(number, 26)
        text = chr(ord("A") + rest) + text
        number -= 1
    return text


#: A letter of the Latin script: a name in it ends where they end, so that Li is not in Lily.
_LATIN = "A-Za-z\\u00c0-\\u024f"
_END = rf"(?![{_LATIN}])"
#: What may stand between two parts of a name.
_BETWEEN = r"[\s\-‐‑·]*"
#: What follows or precedes a Chinese surname alone.
_TITLES = (
    "副?教授|讲师|老师|导师|博士|硕士|院士|研究员|先生|女士|小姐|太太|副?院长|系?主任|副?校长|书记|同学|师兄|师姐|某|氏"
)
_FAMILIAR = "老小阿"
#: What precedes an English surname that is an English word too, as He and You are.
_ENGLISH_TITLES = (
    "Professor", "Prof.", "Prof", "Dr.", "Dr", "Mr.", "Mr", "Mrs.", "Mrs", "Ms.", "Ms", "Miss", "Dean", "President", "Director",
)  # fmt: skip
#: The rank of full names, above those of parts.
_FULL = 2
#: The parts of speech of names in Jieba's dictionary, and of what it does not have.
_NAMES = frozenset({"nr", "nrt", "nrfg", "nz", "x"})


def full_forms(name: Name) -> Iterator[tuple[str, int]]:
    """Yield regular expressions of the full names, with their rank: longer names come first.

    They allow any case, a hyphen or blanks between the parts, and the surname of a person first or last.
    """
    for text in (*name.zh, *name.en):
        yield _full(text), _FULL + len(text)
    if name.kind != "person":
        return
    for en in name.en:
        words = en.split()
        if len(words) > 1:
            yield _latin(_joined([words[-1], *words[:-1]], r",?\s+")), _FULL + len(en)
            yield _latin(_joined([*words[1:], words[0]], r",?\s+")), _FULL + len(en)
    for zh, en in product(name.zh, name.en):
        if parts := _parts(zh, en):
            surname, given = parts[1]
            syllables = _joined(given, _BETWEEN)
            yield _latin(f"{re.escape(surname)},?{_BETWEEN}{syllables}"), _FULL + len(en)
            yield _latin(f"{syllables}{_BETWEEN}{re.escape(surname)}"), _FULL + len(en)


def _full(text: str) -> str:
    """Return the expression of a name as it is listed; blanks may divide its words otherwise."""
    words = [word for word in re.split(r"[\s\-‐‑·•・]+", text) if word]
    if len(words) == 1 and words[0][0].isupper():  # long is no name
        return _latin(_capitalised(words[0]))
    if re.search(f"[{_LATIN}]", text):
        return _latin(_joined(words, r"[\s\-‐‑·•・]+"))
    return _joined("".join(words), r"[\s·•・]?")


def part_forms(name: Name) -> Iterator[tuple[str, int]]:
    """Yield expressions of parts of a person's name, with their rank: initials with a surname (1), the surname or the given name alone (0).

    A Chinese surname alone has a title or 老, 小, 阿; a Chinese given name alone must be no ordinary word. An English part begins with a
    capital; if it is a function word too, as He and You are, it has a title.
    """
    if name.kind != "person":
        return
    initials: list[str] = []
    alone: list[str] = []
    for words in map(str.split, name.en):
        if len(words) > 1:
            initials += [*_initials(words[:-1], words[-1]), *_initials(words[1:], words[0])]
            alone += chain.from_iterable(map(_alone, words))
    for zh in name.zh:
        alone += _chinese_parts(zh, name.en)
    for zh, en in product(name.zh, name.en):
        if parts := _parts(zh, en):
            surname, given = parts[1]
            initials += [*_initials(given, surname), *_initials(given[:1], surname)]
            alone += _alone("".join(given))
    yield from ((form, 1) for form in initials)
    yield from ((form, 0) for form in alone)


def _chinese_parts(zh: str, english: Sequence[str]) -> Iterator[str]:
    pieces = re.split("[·•・]", zh)
    if len(pieces) > 1:
        yield from (re.escape(piece) for piece in pieces if len(piece) > 1)
        return
    parts = next((parts for en in english if (parts := _parts(zh, en))), None)
    surname = parts[0] if parts else zh[:1]
    given = zh[len(surname) :]
    if not given:
        return
    yield f"{re.escape(surname)}(?={_TITLES})"
    for before in _FAMILIAR:
        if tag_of(f"{before}{surname}") in _NAMES:
            yield f"(?<={before}){re.escape(surname)}"
    if len(given) > 1 and tag_of(given) in _NAMES:
        yield re.escape(given)


def _initials(given: Sequence[str], surname: str) -> Iterator[str]:
    """Yield the expressions of a surname with the initials of the given name, before or after it."""
    if not given:
        return
    letters = r"[\s\-‐‑]?".join(rf"{re.escape(word[0].upper())}\." for word in given)
    written = _capitalised(surname)
    yield _latin(rf"(?-i:{letters})\s?{written}")
    yield rf"(?<![{_LATIN}]){written},?\s(?-i:{letters})"


def _alone(word: str) -> Iterator[str]:
    """Yield the expressions of a part of an English name that stands alone."""
    if len(word) < 2 or not word[0].isalpha():
        return
    written = _capitalised(word)
    before = rf"(?<![{_LATIN}][\-‐‑])"
    if word.lower() not in function_words():
        yield before + _latin(written)
    else:
        titles = "|".join(rf"(?<={re.escape(title)}\s)" for title in _ENGLISH_TITLES)
        yield f"(?:{titles}){written}{_END}"


def _capitalised(word: str) -> str:
    """Return the expression of a word with a capital; all in capitals only if that is no abbreviation of two letters."""
    forms = {word.capitalize(), *([word] if word[0].isupper() else []), *([word.upper()] if len(word) > 2 else [])}
    return rf"(?-i:{'|'.join(map(re.escape, sorted(forms)))})"


def _parts(zh: str, en: str) -> tuple[str, tuple[str, list[str]]] | None:
    """Return the surname in Chinese, and in English with the syllables of the given name.

    None if the English name is not the pinyin of the Chinese one, as of a foreign name.
    """
    from pypinyin import Style, pinyin

    readings = pinyin(zh, style=Style.NORMAL, heteronym=True, errors="ignore", v_to_u=False)
    words = [word.replace("-", "").replace("'", "").replace("’", "").replace("ü", "v").lower() for word in en.split()]
    if len(readings) != len(zh) or len(words) < 2:
        return None
    for length in (2, 1):
        if length >= len(zh):
            continue
        for surname, given in ((words[0], words[1:]), (words[-1], words[:-1])):
            if surname not in map("".join, product(*readings[:length])):
                continue
            for syllables in product(*readings[length:]):
                if "".join(syllables) == "".join(given):
                    return zh[:length], (surname, list(syllables))
    return None


def _joined(parts: Iterable[str], between: str) -> str:
    return between.join(map(re.escape, parts))


def _latin(pattern: str) -> str:
    """Return an expression that is no part of a longer Latin word."""
    return rf"(?<![{_LATIN}]){pattern}{_END}"
