"""Word alignments: links in Pharaoh format, systran-align that makes them, their quality against links by hand."""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import PipelineError, errors_at, plural, shown
from ...core.files import lines_of, read_text
from ...core.packages import require_packages
from .details import LABEL

_LINK = re.compile(r"(?P<source>[0-9]{1,6})(?P<kind>[-p])(?P<target>[0-9]{1,6})", re.ASCII)


class Link(NamedTuple):
    """A link between a word of the source and one of the target, both counted from 0."""

    source: int
    target: int
    sure: bool = True


#: The links of a sentence, in the order of their file.
Links = tuple[Link, ...]


def parse_links(line: str, *, possible: bool = False) -> Links:
    """Return the links of a line; raises `ValueError` at the first word that is no link.

    >>> parse_links("0-0 1p2", possible=True)
    (Link(source=0, target=0, sure=True), Link(source=1, target=2, sure=False))
    """
    links = []
    for word in line.split():
        match = _LINK.fullmatch(word)
        if match is None or (match["kind"] == "p" and not possible):
            expected = "source-target such as 0-0" + (", or a possible one such as 1p2" if possible else "")
            raise ValueError(f"[link] not a link; found {shown(word)}, expected {expected}")
        links.append(Link(int(match["source"]), int(match["target"]), match["kind"] == "-"))
    return tuple(links)


def read_links(path: Path, *, possible: bool = False) -> list[Links]:
    """Return the links of each line of a file; raises `PipelineError` at the line of the first word that is no link."""
    alignment = []
    for number, line in enumerate(lines_of(read_text(path)), 1):
        with errors_at(path, number):
            alignment.append(parse_links(line, possible=possible))
    return alignment


def index_notes(path: Path, alignment: Sequence[Links]) -> list[str]:
    """Return a note if an alignment seems to be counted from 1, none otherwise."""
    links = [link for line in alignment for link in line]
    if not links or not all(link.source and link.target for link in links):
        return []
    return [f"note: {path}: no link has the index 0; words are counted from 0, from-1 links are measured one off"]


def to_pharaoh(alignment: Iterable[Links]) -> str:
    """Return an alignment as a file, as `read_links` reads it."""
    lines = (
        " ".join(f"{link.source}{'-' if link.sure else 'p'}{link.target}" for link in links) for links in alignment
    )
    return "".join(f"{line}\n" for line in lines)


def links_inside(links: Links, source: Sequence[str], target: Sequence[str]) -> tuple[Links, list[str]]:
    """Return the links between words of a sentence, and a reason for each other link.

    >>> links_inside((Link(0, 0), Link(0, 2)), ["他"], ["he"])
    ((Link(source=0, target=0, sure=True),), ['[link] outside the sentence; found 0-2, expected 1 word and 1 word'])
    """
    kept = tuple(link for link in links if link.source < len(source) and link.target < len(target))
    sizes = f"{plural(len(source), 'word')} and {plural(len(target), 'word')}"
    return kept, [
        f"[link] outside the sentence; found {link.source}-{link.target}, expected {sizes}"
        for link in links
        if link not in kept
    ]


#: Words of a sentence and of its translation.
WordPair = tuple[Sequence[str], Sequence[str]]
#: The options that fast_align's authors recommend: -d, -o and -v.
_OPTIONS = {"favor_diagonal": True, "optimize_tension": True, "variational_bayes": True}
#: Separates the two sentences of a pair in the aligner's input; a bar in a word is replaced.
_SEPARATOR, _BAR, _NO_BAR = " ||| ", "|", "¦"


def align(pairs: Sequence[WordPair]) -> list[Links]:
    """Return an alignment of each pair, learnt from all of them.

    A label counts as its pronoun, so that zeros are aligned as pronouns are. A pair without words on one side has no links, nor has
    a line that separates documents. The same pairs give the same links on the same kind of processor: sums of floating-point
    numbers depend on their order, so one core does all of it. Raises `PipelineError` if no pair has words on both sides.
    """
    plain = [([_plain(word) for word in source], [_plain(word) for word in target]) for source, target in pairs]
    used = [index for index, (source, target) in enumerate(plain) if source and target and source != target]
    if not used:
        raise PipelineError(None, None, "[lines] nothing to align; expected at least one line with words on both sides")
    require_packages("zp", "systran_align")
    import systran_align

    with _one_core(), tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        lines = (f"{' '.join(plain[index][0])}{_SEPARATOR}{' '.join(plain[index][1])}\n" for index in used)
        Path(text).write_text("".join(lines), encoding="utf-8")
        systran_align.generate_alignment_probabilities(text, forward, backward, **_OPTIONS)
        aligner = systran_align.Aligner(forward, backward)
        aligned: dict[int, dict[str, Any]] = {index: aligner.align(*plain[index]) for index in used}
    return [
        tuple(Link(*link) for link in sorted(aligned[index]["alignments"])) if index in aligned else ()
        for index in range(len(pairs))
    ]


def _plain(word: str) -> str:
    """Return a word as the aligner reads it: a label as its pronoun, in small letters."""
    match = LABEL.fullmatch(word)
    return (match["pronoun"] if match else word).lower().replace(_BAR, _NO_BAR)


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this thread, and the threads that it starts, on one core; where the system cannot, they share the variable of OpenMP."""
    if not hasattr(os, "sched_setaffinity"):
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@dataclass(frozen=True, slots=True)
class AlignmentQuality:
    """Counts of links in the sentences that were aligned by hand: |S| sure, |A| automatic, |A ∩ S|, |A ∩ P|; sure links are possible."""

    sentences: int
    sure: int
    automatic: int
    sure_hits: int
    possible_hits: int

    @property
    def precision(self) -> float | None:
        """|A ∩ P| / |A|; None without a link."""
        return self.possible_hits / self.automatic if self.automatic else None

    @property
    def recall(self) -> float | None:
        """|A ∩ S| / |S|; None without a sure link."""
        return self.sure_hits / self.sure if self.sure else None

    @property
    def error_rate(self) -> float | None:
        """AER: 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), from 0, which is best, to 1; None without a link on both sides."""
        links = self.automatic + self.sure
        return 1 - (self.sure_hits + self.possible_hits) / links if links else None


def quality(pairs: Iterable[tuple[Links, Links]]) -> AlignmentQuality:
    """Return the quality of an alignment from the links of each sentence by hand and of the automatic alignment.

    A sentence without a link by hand is left out.
    """
    aligned = [(number, gold, links) for number, (gold, links) in enumerate(pairs) if gold]
    possible = {(number, link.source, link.target) for number, gold, _ in aligned for link in gold}
    sure = {(number, link.source, link.target) for number, gold, _ in aligned for link in gold if link.sure}
    actual = {(number, link.source, link.target) for number, _, links in aligned for link in links}
    return AlignmentQuality(len(aligned), len(sure), len(actual), len(actual & sure), len(actual & possible))
