"""The quality of a word alignment against one by hand (Och and Ney, Computational Linguistics 29:1, 2003, section 5.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from .links import Links


@dataclass(frozen=True, slots=True)
class AlignmentQuality:
    """Counts of links in the sentences that were aligned by hand.

    Attributes:
        sentences: these sentences.
        sure: sure links by hand, |S|.
        automatic: links of the automatic alignment, |A|.
        sure_hits: automatic links that are sure, |A ∩ S|.
        possible_hits: automatic links that are sure or possible, |A ∩ P|; each sure link is possible.
    """

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
    """Return the quality of an alignment.

    Args:
        pairs: the links of each sentence by hand and of the automatic alignment; a sentence without a link by hand is left out.
    """
    sentences = sure = automatic = sure_hits = possible_hits = 0
    for gold, links in pairs:
        if not gold:
            continue
        possible = {(link.source, link.target) for link in gold}
        certain = {(link.source, link.target) for link in gold if link.sure}
        actual = {(link.source, link.target) for link in links}
        sentences += 1
        sure += len(certain)
        automatic += len(actual)
        sure_hits += len(actual & certain)
        possible_hits += len(actual & possible)
    return AlignmentQuality(sentences, sure, automatic, sure_hits, possible_hits)
