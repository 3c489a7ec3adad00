"""The list of names to replace."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import from_tsv_cell, parse_tsv, read_text

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
    """A person or an institution.

    Attributes:
        kind: a key of `CODES`.
        zh: its names in Chinese.
        en: its names in English.
    """

    kind: str
    zh: tuple[str, ...]
    en: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The first name of each language."""
        return " / ".join(names[0] for names in (self.zh, self.en) if names)


def read_names(path: Path, genre: str | None = None) -> list[Name]:
    """Return the names of a list; rows with the same Chinese or the same English name are one person or institution.

    Args:
        path: a table with the columns `COLUMNS`.
        genre: the rows to take; all if None.

    Raises:
        PipelineError: a cell is malformed, or there is no name.
    """
    names: list[Name] = []
    for number, row in parse_tsv(read_text(path), path, COLUMNS):
        try:
            entry = _name({column: " ".join(from_tsv_cell(cell).split()) for column, cell in row.items()})
        except ValueError as error:
            raise PipelineError(path, number, str(error)) from error
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
