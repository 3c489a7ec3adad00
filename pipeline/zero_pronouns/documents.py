"""Documents of labelled sentences, aligned line by line with a translation."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from ..core.errors import PipelineError, plural, shown
from ..core.files import lines_of, read_text
from .sentence import Sentence, parse_sentence

#: The line that separates documents; it may stand before the first and after the last too.
BOUNDARY = "[doc]"
#: Chinese characters, which a translation should not have.
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
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
        PipelineError: there is no sentence.
    """
    sources, targets = lines_of(read_text(source)), lines_of(read_text(target))
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


def misalignment(text: ParallelText) -> PipelineError | None:
    """Return the first finding of a text on a boundary or a line that one of its files lacks; None if both have all of them."""
    return next((finding for finding in text.findings if finding.reason.startswith(("[boundary]", "[lines]"))), None)


def require_aligned(path: Path, count: int, source: Path, expected: int) -> None:
    """Raise `PipelineError` if a file has `count` lines where the one that it belongs to has `expected`."""
    if count != expected:
        reason = f"[lines] not aligned; found {plural(count, 'line')}, expected {expected} as in {source}"
        raise PipelineError(path, None, reason)


def read_texts(folder: Path) -> dict[str, ParallelText]:
    """Return the texts of a folder by name, each a pair of files ``NAME.zh`` and ``NAME.en``.

    Raises:
        PipelineError: the folder has no text, or a text is malformed.
    """
    sources = sorted(folder.glob("*.zh"))
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
