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

    A line that one file lacks at its end is a sentence without text there, and a finding.

    Args:
        source: the sentences with their labels, one a line, and lines with `BOUNDARY`.
        target: the translations, with the same boundaries in the same lines.

    Raises:
        PipelineError: there is no sentence.
    """
    sources, targets = lines_of(read_text(source)), lines_of(read_text(target))
    documents: list[list[SentencePair]] = [[]]
    findings = []
    if len(sources) != len(targets):
        path, other = (target, source) if len(targets) < len(sources) else (source, target)
        fewer, more = sorted((len(sources), len(targets)))
        findings.append(
            f"{path}:{fewer + 1}: [lines] line missing; found {plural(fewer, 'line')}, expected {more} as in {other}"
        )
    for number, (line, translation) in enumerate(zip_longest(sources, targets, fillvalue=""), 1):
        ends = [text.strip() == BOUNDARY for text in (line, translation)]
        if ends[0] != ends[1] and number <= min(len(sources), len(targets)):
            path = target if ends[0] else source
            other = source if ends[0] else target
            findings.append(f"{path}:{number}: [boundary] no boundary; expected {BOUNDARY} as in {other}")
        if any(ends):
            documents.append([])
            continue
        sentence, faults = parse_sentence(line.strip())
        findings += [f"{source}:{number}: {fault}" for fault in faults]
        for path, text, last in ((source, line, len(sources)), (target, translation, len(targets))):
            if number <= last and not text.strip():
                findings.append(f"{path}:{number}: [sentence] empty line; expected a sentence or {BOUNDARY}")
        if match := _CHINESE.search(translation):
            findings.append(f"{target}:{number}: [translation] Chinese text; found {shown(match[0])}, expected English")
        documents[-1].append(SentencePair(number, sentence, translation.strip()))
    if not any(documents):
        raise PipelineError(source, None, f"[sentence] no sentence; expected sentences and lines with {BOUNDARY}")
    return ParallelText(
        tuple(tuple(document) for document in documents if document), len(documents) - 1, tuple(findings)
    )


def misalignment(text: ParallelText, source: Path, target: Path) -> PipelineError | None:
    """Return the first finding of a text on a boundary or a line that one of its files lacks; None if both have all of them."""
    for finding in text.findings:
        path = next(path for path in (source, target) if finding.startswith(f"{path}:"))
        line, _, reason = finding.removeprefix(f"{path}:").partition(": ")
        if reason.startswith(("[boundary]", "[lines]")):
            return PipelineError(path, int(line), reason)
    return None


def fault_counts(findings: Iterable[str]) -> Mapping[str, int]:
    """Return the number of findings of each kind, the most frequent first.

    >>> fault_counts(["a.zh:1: [label] no form; found '<他>', expected …", "a.en:2: [sentence] empty line; expected …"])
    {'label: no form': 1, 'sentence: empty line': 1}
    """
    kinds = [_KIND.search(finding) for finding in findings]
    return dict(Counter(f"{kind[1]}: {kind[2]}" for kind in kinds if kind).most_common())


def written(documents: Iterable[Document]) -> tuple[str, str]:
    """Return the labelled text and the translation of documents as files, a boundary before each document.

    `read_parallel_text` gives the same sentences for what it read; a label that was malformed is written well.
    """
    sources, targets = [], []
    for document in documents:
        sources += [BOUNDARY, *(pair.source.labelled for pair in document)]
        targets += [BOUNDARY, *(pair.target for pair in document)]
    return "".join(f"{line}\n" for line in sources), "".join(f"{line}\n" for line in targets)
