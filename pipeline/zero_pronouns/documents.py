"""Documents of labelled sentences, aligned line by line with a translation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError, plural
from ..core.files import lines_of, read_text
from .sentence import Sentence, parse_sentence

#: The line that separates documents; it may stand before the first and after the last too.
BOUNDARY = "[doc]"


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
    """Two aligned files.

    Attributes:
        documents: the documents with a sentence at least.
        boundaries: the number of lines that are `BOUNDARY`. An empty document, after the last of them, is none of `documents`.
        findings: what is wrong with the files, a line each, ``path:line: [field] reason``.
    """

    documents: tuple[Document, ...]
    boundaries: int
    findings: tuple[str, ...]

    @property
    def pairs(self) -> Sequence[SentencePair]:
        """The sentences of all documents."""
        return [pair for document in self.documents for pair in document]


def read_parallel_text(source: Path, target: Path) -> ParallelText:
    """Read a labelled text and its translation.

    Args:
        source: the sentences with their labels, one a line, and lines with `BOUNDARY`.
        target: the translations, with the same boundaries in the same lines.

    Raises:
        PipelineError: the files have different numbers of lines, or there is no sentence.
    """
    sources, targets = lines_of(read_text(source)), lines_of(read_text(target))
    if len(sources) != len(targets):
        reason = f"[lines] not aligned; found {plural(len(targets), 'line')}, expected {len(sources)} as in {source}"
        raise PipelineError(target, None, reason)
    documents: list[list[SentencePair]] = [[]]
    findings = []
    for number, (line, translation) in enumerate(zip(sources, targets, strict=True), 1):
        ends = [text.strip() == BOUNDARY for text in (line, translation)]
        if ends[0] != ends[1]:
            path = target if ends[0] else source
            other = source if ends[0] else target
            findings.append(f"{path}:{number}: [boundary] no boundary; expected {BOUNDARY} as in {other}")
        if any(ends):
            documents.append([])
            continue
        sentence, faults = parse_sentence(line.strip())
        findings += [f"{source}:{number}: {fault}" for fault in faults]
        for path, text in ((source, line), (target, translation)):
            if not text.strip():
                findings.append(f"{path}:{number}: [sentence] empty line; expected a sentence or {BOUNDARY}")
        documents[-1].append(SentencePair(number, sentence, translation.strip()))
    if not any(documents):
        raise PipelineError(source, None, f"[sentence] no sentence; expected sentences and lines with {BOUNDARY}")
    return ParallelText(
        tuple(tuple(document) for document in documents if document), len(documents) - 1, tuple(findings)
    )


def written(documents: Iterable[Document]) -> tuple[str, str]:
    """Return the labelled text and the translation of documents as files, a boundary before each document.

    `read_parallel_text` gives the same documents for what it read without findings.
    """
    sources, targets = [], []
    for document in documents:
        sources += [BOUNDARY, *(pair.source.labelled for pair in document)]
        targets += [BOUNDARY, *(pair.target for pair in document)]
    return "".join(f"{line}\n" for line in sources), "".join(f"{line}\n" for line in targets)
