"""Documents of labelled sentences, aligned with a translation; what their zeros refer to; folders of them in several genres."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from ..core.errors import PipelineError, errors_at, plural, shown
from ..core.files import lines_of, read_text
from ..core.model import Span
from ..core.recognition import foreign_format
from ..core.tables import read_table
from .labels import Sentence, parse_sentence

#: The labelled texts of a folder; ``._NAME.zh``, which macOS writes beside a file, is none.
TEXTS = "[!.]*.zh"
#: The line that separates documents; it may stand before the first and after the last too.
BOUNDARY = "[doc]"
#: Chinese characters, which a translation should not have.
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
#: The last column of a word in CoNLL-2003.
_TAGGED = re.compile(r"\S[ \t](?:O|[BIES]-[\w-]+)\s*$")
#: The field and the kind of a finding.
_KIND = re.compile(r"\[(\w+)\] ([^;]+)")


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A labelled sentence and its translation, with their line in both files."""

    line: int
    source: Sentence
    target: str


#: The sentences between two boundaries.
Document = tuple[SentencePair, ...]


@dataclass(frozen=True, slots=True)
class ParallelText:
    """Two aligned files: their documents with a sentence at least, the number of lines that are `BOUNDARY`, and what is wrong with them."""

    documents: tuple[Document, ...]
    boundaries: int
    findings: tuple[PipelineError, ...]

    @property
    def pairs(self) -> Sequence[SentencePair]:
        """The sentences of all documents."""
        return [pair for document in self.documents for pair in document]


def read_parallel_text(source: Path, target: Path) -> ParallelText:
    """Read a labelled text and its translation.

    Both have a sentence a line, and the same lines with `BOUNDARY`. A line that one file lacks at its end is a sentence without text there,
    and a finding.

    Raises:
        PipelineError: there is no sentence, or the source has columns, a word a line, or JSON in place of sentences.
    """
    sources, targets = lines_of(read_text(source)), lines_of(read_text(target))
    if fault := _foreign_format(sources):
        raise PipelineError(
            source, 1, f"[source] no labelled text; {fault}, expected Chinese with labels, a sentence a line"
        )
    documents: list[list[SentencePair]] = [[]]
    findings: list[PipelineError] = []
    if len(sources) != len(targets):
        path, other = (target, source) if len(targets) < len(sources) else (source, target)
        fewer, more = sorted((len(sources), len(targets)))
        reason = f"[lines] line missing; found {plural(fewer, 'line')}, expected {more} as in {other}"
        findings.append(PipelineError(path, fewer + 1, reason))
    for number, (line, translation) in enumerate(zip_longest(sources, targets, fillvalue=""), 1):
        ends = [text.strip() == BOUNDARY for text in (line, translation)]
        if ends[0] != ends[1] and number <= min(len(sources), len(targets)):
            path = target if ends[0] else source
            other = source if ends[0] else target
            findings.append(PipelineError(path, number, f"[boundary] no boundary; expected {BOUNDARY} as in {other}"))
        if any(ends):
            documents.append([])
            continue
        sentence, faults = parse_sentence(line.strip())
        findings += [PipelineError(source, number, fault) for fault in faults]
        for path, text, last in ((source, line, len(sources)), (target, translation, len(targets))):
            if number <= last and not text.strip():
                reason = f"[sentence] empty line; expected a sentence or {BOUNDARY}"
                findings.append(PipelineError(path, number, reason))
        if match := _CHINESE.search(translation):
            reason = f"[translation] Chinese text; found {shown(match[0])}, expected English"
            findings.append(PipelineError(target, number, reason))
        documents[-1].append(SentencePair(number, sentence, translation.strip()))
    if not any(documents):
        raise PipelineError(source, None, f"[sentence] no sentence; expected sentences and lines with {BOUNDARY}")
    return ParallelText(
        tuple(tuple(document) for document in documents if document), len(documents) - 1, tuple(findings)
    )


def _foreign_format(lines: Sequence[str]) -> str:
    """Return what lines are that are no sentences (``found X``): see `foreign_format`, or each ends with a tag such as B-PER or O."""
    rows = [line.strip("\r\n") for line in lines if line.strip() and not line.startswith("#")]
    if len(rows) > 1 and all(map(_TAGGED.search, rows)):
        return f"found words with tags ({shown(rows[0])})"
    return foreign_format(lines).partition(", expected")[0] or foreign_format(rows).partition(", expected")[0]


def misalignment(text: ParallelText) -> PipelineError | None:
    """Return the first finding of a text on a boundary or a line that one of its files lacks; None if both have all of them."""
    return next((finding for finding in text.findings if finding.reason.startswith(("[boundary]", "[lines]"))), None)


def require_aligned(path: Path, count: int, source: Path, expected: int) -> None:
    """Raise `PipelineError` if a file has `count` lines where the one that it belongs to has `expected`."""
    if count != expected:
        reason = f"[lines] not aligned; found {plural(count, 'line')}, expected {expected} as in {source}"
        raise PipelineError(path, None, reason)


def read_texts(folder: Path) -> dict[str, ParallelText]:
    """Return the texts of a folder by name, at least one, each a pair of files ``NAME.zh`` and ``NAME.en``."""
    sources = sorted(folder.glob(TEXTS))
    if not sources:
        raise PipelineError(folder, None, "[text] no text; expected files NAME.zh and NAME.en")
    return {source.stem: read_parallel_text(source, source.with_suffix(".en")) for source in sources}


def fault_counts(findings: Iterable[PipelineError]) -> Mapping[str, int]:
    """Return the number of findings of each kind, the most frequent first.

    >>> fault_counts([PipelineError("a.zh", 1, "[label] no form; found '<他>', expected …")])
    {'label: no form': 1}
    """
    kinds = [_KIND.match(finding.reason) for finding in findings]
    return dict(Counter(f"{kind[1]}: {kind[2]}" for kind in kinds if kind).most_common())


# --- what zeros refer to ----------------------------------------------------------------------------------------------


#: The columns of a table of antecedents.
COLUMNS = ("line", "zero", "antecedent_line", "antecedent", "occurrence", "kind")
#: The kind of a zero with an antecedent in its document.
ANAPHORIC = "anaphoric"
#: What a zero refers to, by its kind (EMNLP 2022, section 3.2, items 2 and 3; the paper does not divide the non-anaphoric ones).
KINDS: Mapping[str, str] = {
    ANAPHORIC: "somebody or something that the document names",
    "speaker": "who speaks or writes, alone or with others",
    "addressee": "who is spoken or written to",
    "generic": "people in general",
    "situation": "something that is there, but is not named",
}


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a text that name something: their line, from 1, and their place in the sentence without its zeros."""

    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class Reference:
    """What a zero refers to, as a row of the table says."""

    row: int  # the line of the table
    line: int  # the line of the zero in its text, from 1
    zero: int  # which zero of the line it is, from 1
    antecedent: Mention | None  # the nearest mention; None if the document has none
    kind: str  # a key of `KINDS`


def read_references(path: Path, text: ParallelText) -> list[Reference]:
    """Return what each zero of a text refers to, a reference for each zero, in their order.

    Raises:
        PipelineError: a cell is malformed, a zero has no row or two, an antecedent is not in the document of its zero.
    """
    document_of = {pair.line: number for number, document in enumerate(text.documents) for pair in document}
    texts = {pair.line: pair.source.text for pair in text.pairs}
    expected = [(pair.line, number) for pair in text.pairs for number in range(1, len(pair.source.zeros) + 1)]
    references: list[Reference] = []
    for row, cells in read_table(path, COLUMNS):
        with errors_at(path, row):
            reference = _reference(row, cells, texts, document_of)
            _require_next(reference, expected[len(references) : len(references) + 1])
        references.append(reference)
    if len(references) < len(expected):
        line, zero = expected[len(references)]
        raise PipelineError(path, None, f"[zero] missing row; found none for zero {zero} of line {line}, expected one")
    return references


def _require_next(reference: Reference, expected: Sequence[tuple[int, int]]) -> None:
    """Raise `ValueError` unless a reference is of the zero whose turn it is."""
    if expected != [(reference.line, reference.zero)]:
        turn = f"zero {expected[0][1]} of line {expected[0][0]}" if expected else "no more rows"
        raise ValueError(f"[zero] out of order; found zero {reference.zero} of line {reference.line}, expected {turn}")


def _reference(
    row: int, cells: Mapping[str, str], texts: Mapping[int, str], document_of: Mapping[int, int]
) -> Reference:
    """Return the reference of a row; raises `ValueError` with the column and the reason."""
    line, zero, kind = _number(cells, "line"), _number(cells, "zero"), cells["kind"]
    if kind not in KINDS:
        raise ValueError(f"[kind] unknown kind; found {shown(kind)}, expected one of {', '.join(KINDS)}")
    if line not in texts:
        raise ValueError(f"[line] no sentence; found line {line}, expected the line of a zero")
    filled = [column for column in COLUMNS[2:5] if cells[column]]
    if kind != ANAPHORIC:
        if filled:
            reason = f"found {shown(cells[filled[0]])}, expected nothing, as the zero is {kind}"
            raise ValueError(f"[{filled[0]}] an antecedent; {reason}")
        return Reference(row, line, zero, None, kind)
    at = _number(cells, "antecedent_line")
    if at not in texts or document_of[at] != document_of[line]:
        raise ValueError(f"[antecedent_line] not in the document of the zero; found line {at}, expected one of it")
    words, occurrence = cells["antecedent"], _number(cells, "occurrence")
    if words != words.strip():
        raise ValueError(f"[antecedent] blanks around a mention; found {shown(words)}, expected {shown(words.strip())}")
    if words and not any(map(str.isalnum, words)):
        raise ValueError(f"[antecedent] no word; found {shown(words)}, expected the words of a mention")
    starts = [match.start() for match in re.finditer(re.escape(words), texts[at])] if words else []
    if occurrence > len(starts):
        times = f"{len(starts)} of {shown(words)} in line {at}"
        raise ValueError(f"[antecedent] no such mention; found {times}, expected at least {occurrence}")
    start = starts[occurrence - 1]
    return Reference(row, line, zero, Mention(at, Span(start, start + len(words))), kind)


def _number(cells: Mapping[str, str], column: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,8}", cells[column]):
        raise ValueError(f"[{column}] not a number; found {shown(cells[column])}, expected a whole number from 1")
    return int(cells[column])


# --- samples ----------------------------------------------------------------------------------------------------------


#: The names of folders and files in the folder of a sample.
LABELS, ANTECEDENTS, SYSTEMS = "labels", "antecedents", "systems"
#: The name under which figures of all genres stand, so that no genre can have it.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Genre:
    """The texts of a genre: with the labels that were agreed on, and with those of each reader; the translations of each system.

    `references` is what each zero refers to; None if nobody has said so.
    """

    name: str
    text: ParallelText
    readings: Mapping[str, ParallelText]
    references: Sequence[Reference] | None
    outputs: Mapping[str, Sequence[str]]  # a line for each sentence


def read_sample(folder: Path) -> list[Genre]:
    """Return the genres of a folder in the order of their names.

    ``NAME.zh`` has the labelled sentences of a genre, ``NAME.en`` the translations. ``labels/READER/NAME.zh`` has the same sentences as a
    reader labelled them, ``antecedents/NAME.tsv`` what the zeros refer to, ``systems/SYSTEM/NAME.en`` a system's translations; all
    three may be missing.
    """
    sources = sorted(folder.glob(TEXTS))
    if not sources:
        raise PipelineError(folder, None, "[text] none; found no file NAME.zh, expected labelled texts")
    refuse_reserved(sources)
    return [_genre(folder, source) for source in sources]


def refuse_reserved(sources: Iterable[Path]) -> None:
    """Raise `PipelineError` if the text of a genre is called `ALL`."""
    for source in sources:
        if source.stem == ALL:
            raise PipelineError(source, None, f"[text] reserved name; found {shown(source.name)}, expected another")


def _genre(folder: Path, source: Path) -> Genre:
    name, target = source.stem, source.with_suffix(".en")
    text = read_parallel_text(source, target)
    labelled = sorted((folder / LABELS).glob(f"*/{name}.zh"))
    table = folder / ANTECEDENTS / f"{name}.tsv"
    outputs = sorted((folder / SYSTEMS).glob(f"*/{name}.en"))
    return Genre(
        name,
        text,
        {path.parent.name: read_parallel_text(path, target) for path in labelled},
        read_references(table, text) if table.exists() else None,
        {path.parent.name: _read_output(path, text, source) for path in outputs},
    )


def _read_output(path: Path, text: ParallelText, source: Path) -> list[str]:
    """Return the translations of a system, a line for each sentence of the text; the lines of boundaries are left out."""
    lines = lines_of(read_text(path))
    require_aligned(path, len(lines), source, len(text.pairs) + text.boundaries)
    translations = []
    for pair in text.pairs:
        line = lines[pair.line - 1].strip()
        if line in ("", BOUNDARY):
            reason = f"[sentence] no translation; found {line or 'an empty line'}, expected one of line {pair.line} of {source}"
            raise PipelineError(path, pair.line, reason)
        translations.append(line)
    return translations
