"""Zeros in a sentence that is split into words: the word that translates each, the verdicts on translations, and their files."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from ...core.convert import WordTable, convert_node, error_at
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import lines_of, read_text
from ...core.rules import RULES
from ...core.yamlfile import load_yaml
from ..labels import FORMS, ByForm, translation_table

#: A word with a label, as the authors' tool recognises it: it may stand inside the word, and the pronoun may be any.
_COUNTED = re.compile("<.*?>_[OSPR]")
#: A label: its pronoun, its form if it has one, and the mark of zeros that the authors' tool never takes for translated.
LABEL = re.compile(r"<(?P<pronoun>[^<>]+)>(?:_(?P<form>[A-Za-z]+))?(?P<odd>_n)?")
#: The mark; the published files do not explain it.
_ODD = "_n"


@dataclass(frozen=True, slots=True)
class LabelledWord:
    """A zero in a sentence that is split into words, with the English word that translates it in small letters.

    `fault` says why there is none; it is empty for a zero that is marked with ``_n``.
    """

    place: int  # its place among the words, from 0
    label: str  # the word, such as ``<他>_S``
    expected: str | None
    fault: str = ""


class _Published(msgspec.Struct, frozen=True):
    words: ByForm[WordTable]
    errors: WordTable
    printed: WordTable


@cache
def published_words() -> Mapping[str, str]:
    """Return the translation by label of the authors' tool, from rules/pronouns/zh-en-published.yaml."""
    path = RULES / "pronouns" / "zh-en-published.yaml"
    node = load_yaml(path)
    table = convert_node(node, _Published, path)
    for label in table.errors:
        if not LABEL.fullmatch(label):
            reason = f"[errors] not a label; found {shown(label)}, expected one such as <它>_Pa"
            raise error_at(node, path, ("errors", label), reason)
    return {f"<{pronoun}>_{form}": word for form, words in table.words.items() for pronoun, word in words.items()}


def published_zeros(words: Sequence[str]) -> Iterator[LabelledWord]:
    """Yield the zeros that the authors' tool counts, with the translations that it expects.

    A form that is undetermined or missing is not counted.

    >>> [(zero.label, zero.expected) for zero in published_zeros(["<它>_Pa", "<你>_S_n", "<他>_UN", "<他>", "<我们的>_P"])]
    [('<它>_Pa', 'it'), ('<你>_S_n', None), ('<我们的>_P', None)]
    """
    for place, word in enumerate(words):
        if not _COUNTED.search(word):
            continue
        expected = None if _ODD in word else published_words().get(word)
        fault = "" if expected or _ODD in word else "no label of the authors' table"
        yield LabelledWord(place, word, expected, fault)


def all_zeros(words: Sequence[str]) -> Iterator[LabelledWord]:
    """Yield all zeros with the translations of our table (rules/pronouns/zh-en.yaml).

    What has no form, no translation or the mark ``_n`` is a zero too, without an expected word.

    >>> [(zero.label, zero.expected) for zero in all_zeros(["<它>_Pa", "<你>_S_n", "<他>_UN", "<他>", "<诗>", "<我们的>_P"])]
    [('<它>_Pa', 'its'), ('<你>_S_n', None), ('<他>_UN', None), ('<他>', None), ('<我们的>_P', 'ours')]
    """
    table = translation_table()
    for place, word in enumerate(words):
        match = LABEL.fullmatch(word)
        if match is None:
            if _COUNTED.search(word):
                yield LabelledWord(place, word, None, "a label is no word of its own")
            continue
        pronoun, form = match["pronoun"], match["form"] or ""
        if pronoun not in table.pronoun_of and form not in FORMS:
            continue
        expected = None if match["odd"] else table.translation(pronoun, form)
        undetermined = not form or form == "UN" or match["odd"]
        yield LabelledWord(
            place, word, expected, "" if expected or undetermined else "no label of rules/pronouns/zh-en.yaml"
        )


#: The columns of a file of verdicts.
COLUMNS = ("Sent", "SRC_ZP_Pos.", "SRC_ZP", "Ref_ZP", "TGT_ZPT_Pos.", "TGT_ZPT", "Case")
#: What a verdict says, by the accuracy of each: *unaligned* is a zero without a link whose word is not found, *undecided* one whose label
#: has no translation. All of them count.
OUTCOMES = ("right", "wrong", "unaligned", "undecided")
#: The expected word of a zero that cannot be right: its label has no entry in the authors' table.
_NO_WORD = "None"
_Kind = TypeVar("_Kind", int, str)
_CASES = {"1": True, "-1": False}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a zero was translated.

    Attributes:
        sentence: the sentence, from 0.
        place: the place of the zero among the words of the source, from 0.
        expected: its translation; None if there is none.
        positions: the places of the words that were looked at; one place if it is right.
        right: whether the translation has the expected word there.
        aligned: whether the zero has a link in the alignment; None if it comes from a file, which does not say.
    """

    sentence: int
    place: int
    label: str
    expected: str | None
    positions: tuple[int, ...]
    words: tuple[str, ...]
    right: bool
    aligned: bool | None = None

    @property
    def outcome(self) -> str:
        """One of `OUTCOMES`."""
        if self.right:
            return "right"
        if self.expected is None:
            return "undecided"
        return "unaligned" if self.aligned is False else "wrong"


def read_details(path: Path) -> list[Verdict]:
    """Return the verdicts of a file."""
    lines = lines_of(read_text(path))
    if not lines or tuple(lines[0].split("\t")) != COLUMNS:
        actual = shown(lines[0]) if lines else "an empty file"
        raise PipelineError(path, 1, f"[header] not a file of verdicts; found {actual}, expected {', '.join(COLUMNS)}")
    verdicts = []
    for number, line in enumerate(lines[1:], 2):
        with errors_at(path, number):
            verdicts.append(_verdict(line.split("\t")))
    if not verdicts:
        raise PipelineError(path, None, "[row] no verdict; expected at least one zero")
    return verdicts


def _verdict(cells: list[str]) -> Verdict:
    """Return the verdict of a row; raises `ValueError` with the column and the reason."""
    if len(cells) != len(COLUMNS):
        raise ValueError(f"[row] wrong width; found {len(cells)} cells, expected {len(COLUMNS)}")
    row = dict(zip(COLUMNS, cells, strict=True))
    for column in COLUMNS[:2]:
        if not re.fullmatch("[0-9]{1,9}", row[column]):
            raise ValueError(f"[{column}] not a place; found {shown(row[column])}, expected a whole number from 0")
    if not LABEL.fullmatch(row["SRC_ZP"]):
        raise ValueError(f"[SRC_ZP] not a zero; found {shown(row['SRC_ZP'])}, expected a label such as <他>_S")
    if row["Case"] not in _CASES:
        raise ValueError(f"[Case] unknown case; found {shown(row['Case'])}, expected 1 or -1")
    right = _CASES[row["Case"]]
    return Verdict(
        sentence=int(row["Sent"]),
        place=int(row["SRC_ZP_Pos."]),
        label=row["SRC_ZP"],
        expected=None if row["Ref_ZP"] == _NO_WORD else row["Ref_ZP"],
        positions=_entries(row, "TGT_ZPT_Pos.", int) if not right else (_place(row["TGT_ZPT_Pos."]),),
        words=_entries(row, "TGT_ZPT", str) if not right else (row["TGT_ZPT"],),
        right=right,
    )


def _place(cell: str) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", cell):
        raise ValueError(f"[TGT_ZPT_Pos.] not a place; found {shown(cell)}, expected a whole number")
    return int(cell)


def _entries(row: dict[str, str], column: str, kind: type[_Kind]) -> tuple[_Kind, ...]:
    """Return the list that a cell holds, as Python writes it."""
    try:
        entries = ast.literal_eval(row[column])
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        entries = None
    if not isinstance(entries, list) or not all(type(entry) is kind for entry in entries):
        raise ValueError(f"[{column}] not a list; found {shown(row[column])}, expected one such as [3, 4]")
    return tuple(entries)


def correct(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Yield the verdicts with the translations of our table: 你们的 before a noun is your, not yours.

    The words that were looked at stay: without the alignment no others can be looked at.
    """
    for verdict in verdicts:
        expected = next((zero.expected for zero in all_zeros([verdict.label])), None)
        if expected in (None, verdict.expected):
            yield verdict
            continue
        yield replace(verdict, expected=expected, right=expected in verdict.words)


def score_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield the lines of a file of scores, as the authors' tool writes them: one a label, in the order of their first zero, and the sum."""
    counts: dict[tuple[str, str], list[int]] = {}
    for verdict in verdicts:
        entry = counts.setdefault((verdict.label, verdict.expected or _NO_WORD), [0, 0])
        entry[0 if verdict.right else 1] += 1
    for (label, expected), (right, wrong) in counts.items():
        yield f"SRC_ZP:{label}\tRef_ZP:{expected}\tCorrect:{right}\tIncorrect:{wrong}\tAcc:{right / (right + wrong)}"
    right, wrong = (sum(column) for column in zip(*counts.values(), strict=True))
    yield f"Finally Correct entities:{right}\t Incorrect:{wrong}\t Score:{right / (right + wrong)}"


def details_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield the lines of a file of verdicts, as the authors' tool writes them; `read_details` reads them."""
    yield "\t".join(COLUMNS)
    for verdict in verdicts:
        places, words = (
            (verdict.positions[0], verdict.words[0])
            if verdict.right
            else (list(verdict.positions), list(verdict.words))
        )
        case = next(name for name, right in _CASES.items() if right == verdict.right)
        cells = (verdict.sentence, verdict.place, verdict.label, verdict.expected or _NO_WORD, places, words, case)
        yield "\t".join(map(str, cells))


def tagged_lines(sentences: Iterable[Sequence[str]], verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield the translations with the recorded words in angle brackets, as the authors' tool writes them.

    A word that was recorded for two zeros has two pairs of brackets.
    """
    recorded = Counter((verdict.sentence, position) for verdict in verdicts for position in verdict.positions)
    for number, words in enumerate(sentences):
        counts = [recorded[number, position] for position in range(len(words))]
        yield " ".join("<" * count + word + ">" * count for count, word in zip(counts, words, strict=True))
