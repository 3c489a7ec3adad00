"""Agreement of two segmentations on word boundaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from .ratios import ratio


@dataclass(frozen=True, slots=True)
class BoundaryAgreement:
    """Number of word boundaries inside texts: in `ours`, in `theirs`, and in `both`."""

    texts: int
    ours: int
    theirs: int
    both: int

    @property
    def precision(self) -> float | None:
        """The share of our boundaries that are theirs too; None if we have none."""
        return ratio(self.both, self.ours)

    @property
    def recall(self) -> float | None:
        """The share of their boundaries that are ours too; None if they have none."""
        return ratio(self.both, self.theirs)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, 2 both / (ours + theirs); None where either is None."""
        return ratio(2 * self.both, self.ours + self.theirs) if self.ours and self.theirs else None

    def __str__(self) -> str:
        scores = {"precision": self.precision, "recall": self.recall, "F1": self.f1}
        shares = ", ".join(
            f"{name} {'undefined' if score is None else f'{score:.4f}'}" for name, score in scores.items()
        )
        return f"word boundaries of {self.texts} texts: {shares} (ours {self.ours}, theirs {self.theirs}, both {self.both})"


def boundary_agreement(ours: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[str]]) -> BoundaryAgreement:
    """Return the agreement of two segmentations of the same texts, with the boundaries of all texts counted together.

    The ends of a text do not count, since both segmentations have a boundary there: this is the boundary measure of Rytting 2004
    (Segment Predictability as a Cue in Word Segmentation, SIGPHON, section 3). The score of the bakeoffs (Sproat and Emerson
    2003) differs: it counts words, which are right if both their boundaries are and none lies between.

    Args:
        ours: the tokens of each text by the name of the text, without blanks.
        theirs: the same for the reference.

    Raises:
        ValueError: the texts are not the same.
    """
    if ours.keys() != theirs.keys():
        odd = sorted(ours.keys() ^ theirs.keys())
        raise ValueError(f"[item] not the same texts; found {odd[0]!r} in one of two, expected each in both")
    counts = [0, 0, 0]
    for name, tokens in ours.items():
        text, expected = "".join(tokens), "".join(theirs[name])
        if text != expected:
            raise ValueError(f"[tokens] not the same text of {name}; found {text!r}, expected {expected!r}")
        mine, other = _boundaries(tokens), _boundaries(theirs[name])
        counts = [count + len(part) for count, part in zip(counts, (mine, other, mine & other), strict=True)]
    return BoundaryAgreement(len(ours), *counts)


def _boundaries(tokens: Sequence[str]) -> set[int]:
    ends = list(accumulate(map(len, tokens)))
    return set(ends[:-1])
