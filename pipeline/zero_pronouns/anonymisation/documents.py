"""Documents without the names of a list, and with their numbers shuffled, the same in both languages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from ..documents import Document, SentencePair
from ..labels import Sentence
from .names import CODES, Name, full_forms, letters, part_forms


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of a text, by its offsets, and what takes its place."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits that do not overlap.

    >>> apply_edits("Li and Wu", [Edit(0, 2, "Person-B"), Edit(7, 9, "Person-A")])
    'Person-B and Person-A'
    """
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def code_edit(text: str, start: int, end: int, code: str) -> Edit:
    """Return the edit that puts a code in a place, with blanks where Latin letters would make it part of a word.

    >>> code_edit("和Li王明", 3, 5, "Person-A"), code_edit("王明x", 0, 2, "Person-A")
    (Edit(start=3, end=5, text=' Person-A'), Edit(start=0, end=2, text='Person-A '))
    """
    before, after = text[:start][-1:], text[end:][:1]
    return Edit(start, end, f"{_blank(before)}{code}{_blank(after)}")


def _blank(neighbour: str) -> str:
    return " " if neighbour.isascii() and neighbour.isalnum() else ""


def edit_sentence(sentence: Sentence, edits: Sequence[Edit]) -> Sentence:
    """Return a sentence with edits of its text; a zero within a replaced piece stands before it."""
    zeros = tuple(replace(zero, place=_moved(zero.place, edits)) for zero in sentence.zeros)
    return Sentence(apply_edits(sentence.text, edits), zeros)


def _moved(place: int, edits: Iterable[Edit]) -> int:
    """Return a place of a text in the edited text."""
    shift = sum(len(edit.text) - (edit.end - edit.start) for edit in edits if edit.end <= place)
    inside = next((edit.start for edit in edits if edit.start < place < edit.end), place)
    return inside + shift


#: A number in digits, with commas between thousands or decimals, that is no part of a word, a code, a date with dots or a path.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,\-/:])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![A-Za-z0-9_/:]|[.,\-–][0-9])")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
#: What makes a number a day or a month, whose translation may be a word.
_DATE_BEFORE = re.compile(rf"(?:\b(?:{_MONTHS})\s|月)$")
_DATE_AFTER = re.compile(rf"\s?(?:月|日|号|(?:{_MONTHS})\b)")
#: The years that are shuffled among each other.
_YEARS = range(1900, 2100)
#: Maximum number of digits: longer ones are no amounts.
_DIGITS = 9


def numbers_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the numbers of a text that may be shuffled: the offsets, and the number without commas.

    >>> list(numbers_of("2010年5月发表1,200篇"))
    [(0, 4, '2010'), (9, 14, '1200')]
    """
    for match in _NUMBER.finditer(text):
        if _DATE_BEFORE.search(text, 0, match.start()) or _DATE_AFTER.match(text, match.end()):
            continue
        number = match[0].replace(",", "")
        if len(number) <= _DIGITS:
            yield match.start(), match.end(), number


def shuffle_numbers(pairs: Sequence[tuple[Sequence[str], Sequence[str]]], random: Random) -> dict[str, str]:
    """Return what takes the place of each number of a document.

    A number is exchanged only where each sentence has it as often as its translation: a three that is *three* in English would
    otherwise contradict its translation. Years are exchanged with years, other whole numbers with such, decimals with decimals, so that
    none keeps its place where there are two of a kind.
    """
    unequal = set()
    numbers: Counter[str] = Counter()
    for source, target in pairs:
        first, second = Counter(source), Counter(target)
        unequal |= {number for number in first | second if first[number] != second[number]}
        numbers += first
    kinds = defaultdict(list)
    for number in sorted(numbers.keys() - unequal):
        kinds[_kind(number)].append(number)
    result: dict[str, str] = {}
    for kind in sorted(kinds):
        order = kinds[kind]
        random.shuffle(order)
        result |= dict(zip(order, [*order[1:], order[0]], strict=True))
    return result


def _kind(number: str) -> str:
    if "." in number:
        return "decimal"
    return "year" if len(number) == 4 and int(number) in _YEARS else "whole"


#: The kind of a number in the report.
NUMBER = "number"
#: The sides of a sentence and its translation.
_SIDES = ("zh", "en")


@dataclass(slots=True)
class Replacement:
    """What took the place of a name or a number of a document, the first line that has it, and how often either language had it.

    `kind` is a key of `CODES` or `NUMBER`; the code of a number that was not exchanged is the number. `forms` counts how it was written,
    `shared` what was written so that it could be another name of the document too.
    """

    document: int  # from 1, as `line`
    kind: str
    name: str
    code: str
    line: int
    zh: int = 0
    en: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    shared: Counter[str] = field(default_factory=Counter)

    def count(self, side: str, form: str) -> None:
        """Count an occurrence in the Chinese (zh) or the English (en)."""
        self.forms[form] += 1
        if side == "zh":
            self.zh += 1
        else:
            self.en += 1


class Anonymiser:
    """Replaces the names of a list and shuffles numbers; each document has its own order of letters and of numbers."""

    def __init__(self, names: Sequence[Name], seed: int) -> None:
        self._names = names
        self._seed = seed
        self._full = [(form, rank, index) for index, name in enumerate(names) for form, rank in full_forms(name)]
        self._parts = [(form, rank, index) for index, name in enumerate(names) for form, rank in part_forms(name)]
        self._listed = _Search(self._full)

    def document(self, number: int, document: Document) -> tuple[Document, list[Replacement]]:
        """Return a document with codes for names and with other numbers, and what was replaced.

        A part of a name counts where the document has the whole name; if two share it, it is the one that was named last. Documents
        are numbered from 1.
        """
        random = Random(f"{self._seed}:{number}")  # noqa: S311  # an order that a seed repeats
        present = {
            index
            for pair in document
            for text in _texts(pair)
            for match in self._listed.matches(text)
            for index in match.names
        }
        search = _Search(form for form in (*self._full, *self._parts) if form[2] in present)
        codes = self._codes(sorted(present), random)
        rows = {index: self._row(number, index, code) for index, code in codes.items()}
        recent: list[int] = []
        edits = [_name_edits(pair, search, rows, recent) for pair in document]
        values = [
            tuple(
                [value for _, _, value in _free_numbers(text, side)]
                for text, side in zip(_texts(pair), sides, strict=True)
            )
            for pair, sides in zip(document, edits, strict=True)
        ]
        mapping = shuffle_numbers([(source, target) for source, target in values], random)
        numbers: dict[str, Replacement] = {}
        pairs = []
        for pair, sides in zip(document, edits, strict=True):
            for side, place, text in zip(sides, _SIDES, _texts(pair), strict=True):
                for start, end, value in _free_numbers(text, side):
                    new = mapping.get(value, value)
                    row = numbers.setdefault(value, Replacement(number, NUMBER, value, new, pair.line))
                    row.count(place, text[start:end])
                    side.append(Edit(start, end, new))
            source, target = sides
            sentence = _with_labels(edit_sentence(pair.source, source), search, codes)
            pairs.append(SentencePair(pair.line, sentence, apply_edits(pair.target, target)))
        return tuple(pairs), [*rows.values(), *numbers.values()]

    def survivors(self, document: Document) -> list[tuple[int, str]]:
        """Return the line and the words of each name of the list that a document has."""
        return [
            (pair.line, text[match.start : match.end])
            for pair in document
            for text in (pair.source.oracle, *_texts(pair))
            for match in self._listed.matches(text)
        ]

    def _row(self, number: int, index: int, code: str) -> Replacement:
        return Replacement(number, self._names[index].kind, self._names[index].shown, code, 0)

    def _codes(self, present: Sequence[int], random: Random) -> dict[int, str]:
        """Return the codes of the names of a document: the persons have their letters, all institutions together have theirs."""
        codes: dict[int, str] = {}
        for persons in (True, False):
            group = [index for index in present if (self._names[index].kind == "person") == persons]
            random.shuffle(group)
            codes |= {index: CODES[self._names[index].kind] + letters(place) for place, index in enumerate(group)}
        return dict(sorted(codes.items()))


def _name_edits(
    pair: SentencePair, search: "_Search", rows: Mapping[int, Replacement], recent: list[int]
) -> tuple[list[Edit], list[Edit]]:
    """Return the edits of the names of a sentence and of its translation.

    Counts them in `rows`, and adds them to `recent`, the names so far with the last one at the end.
    """
    sides: tuple[list[Edit], list[Edit]] = ([], [])
    for side, text, place in zip(sides, _texts(pair), _SIDES, strict=True):
        for match in search.matches(text):
            index = max(match.names, key=lambda name: (recent.index(name) if name in recent else -1, -name))
            if index in recent:
                recent.remove(index)
            recent.append(index)
            row = rows[index]
            row.line = row.line or pair.line
            row.count(place, text[match.start : match.end])
            if len(match.names) > 1:
                row.shared[text[match.start : match.end]] += 1
            edit = code_edit(text, match.start, match.end, row.code)
            if side and side[-1].end == match.start:  # the name of a school after that of its university
                edit = replace(edit, text=f" {edit.text}")
            side.append(edit)
    return sides


def _with_labels(sentence: Sentence, search: "_Search", codes: Mapping[int, str]) -> Sentence:
    """Return a sentence without names in its labels, which are malformed if they have one."""
    zeros = []
    for zero in sentence.zeros:
        edits = [
            Edit(match.start, match.end, codes[match.names[0]])
            for match in search.matches(zero.pronoun)
            if match.names[0] in codes
        ]
        zeros.append(replace(zero, pronoun=apply_edits(zero.pronoun, edits)))
    return Sentence(sentence.text, tuple(zeros))


@dataclass(frozen=True, slots=True)
class _Match:
    """The offsets of a name in a text, and the numbers of the names that are written so."""

    start: int
    end: int
    names: tuple[int, ...]


class _Search:
    """Finds names in texts: full ones before parts, longer ones before shorter ones."""

    def __init__(self, forms: Iterable[tuple[str, int, int]]) -> None:
        names: dict[str, tuple[int, dict[int, None]]] = {}
        for form, rank, index in forms:
            names.setdefault(form, (rank, {}))[1][index] = None
        ordered = sorted(names.items(), key=lambda entry: (-entry[1][0], -len(entry[0])))
        self._names = [tuple(indexes) for _, (_, indexes) in ordered]
        self._pattern = re.compile("|".join(f"({form})" for form, _ in ordered), re.IGNORECASE) if ordered else None

    def matches(self, text: str) -> Iterator[_Match]:
        """Yield the names of a text."""
        for match in self._pattern.finditer(text) if self._pattern else ():
            yield _Match(match.start(), match.end(), self._names[(match.lastindex or 1) - 1])


def _texts(pair: SentencePair) -> tuple[str, str]:
    return pair.source.text, pair.target


def _free_numbers(text: str, edits: Sequence[Edit]) -> list[tuple[int, int, str]]:
    """Return the numbers of a text that are no part of a name."""
    return [
        (start, end, value)
        for start, end, value in numbers_of(text)
        if not any(edit.start < end and start < edit.end for edit in edits)
    ]
