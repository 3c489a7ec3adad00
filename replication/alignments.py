"""Find alignments that explain published verdicts: the authors published neither their alignments nor their hypotheses.

The hypotheses are the marked translations without their brackets. A recorded window of neighbours has the aligned word in its middle. What
is recorded for a zero without a link gives the first and the last word that its left neighbour is aligned with, and the last of its right
neighbour. Other words of the source are filled in, without links.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, product

from pipeline.zero_pronouns.translation.alignment import Link, Links
from pipeline.zero_pronouns.translation.details import Verdict

#: Words on each side, in the published files.
REACH = 3
#: Explanations of a sentence that are tried.
_TRIES = 64


@dataclass(frozen=True)
class Explanation:
    """What a verdict says of the alignment of a zero.

    Attributes:
        aligned: the aligned word, for a zero with a link.
        left: the first and the last word of the left neighbour, for a zero without one; the last may be unknown.
        right: the last word of the right neighbour; None if there is no right neighbour, -1 if it is unknown.
    """

    aligned: int | None = None
    left: tuple[int, int | None] | None = None
    right: int | None = None


@dataclass
class Demands:
    """What the zeros beside a word demand of its links."""

    left: set[tuple[int, int | None]] = field(default_factory=set)
    right: set[int] = field(default_factory=set)


def explanations(verdict: Verdict, words: Sequence[str]) -> list[Explanation]:
    """Return what may have led to a verdict, the likeliest first; nothing if it contradicts the translation."""
    size, positions, recorded = len(words), list(verdict.positions), list(verdict.words)
    if verdict.right:
        return [Explanation(aligned=positions[0])] if words[positions[0]] == recorded[0] else []
    options = []
    for place in range(size):
        window = range(max(place - REACH, 0), min(place + REACH, size - 1) + 1)
        if positions == list(window) and recorded == list(words[window.start : window.stop + 1]):
            options.append(Explanation(aligned=place))
    start = size - len(recorded)
    last = positions[0] if positions else None
    if recorded == list(words[start:]) and (not positions or positions[0] >= start):
        options.append(Explanation(left=(start, last), right=positions[-1] + 1 if positions else -1))
    start -= 1
    if recorded == list(words[start:-1]) and positions == list(range(last if last is not None else size, size)):
        options.append(Explanation(left=(start, last), right=None))
    return options


def alignments(verdicts: Sequence[Verdict], words: Sequence[str]) -> Iterator[tuple[list[str], Links]]:
    """Yield sources and alignments that may have led to the verdicts on a sentence."""
    for parts in islice(product(*(explanations(verdict, words) for verdict in verdicts)), _TRIES):
        labels = {verdict.place: verdict.label for verdict in verdicts}
        source = [labels.get(place, "词") for place in range(max(labels) + 2)]
        yield source, _links(dict(zip(labels, parts, strict=True)), len(words))


def _links(parts: dict[int, Explanation], size: int) -> Links:
    """Return links for the zeros and their neighbours."""
    without = {place for place, part in parts.items() if part.left}
    blank = without | _without_link(parts)
    demands: dict[int, Demands] = {}
    for place in without:
        part = parts[place]
        left = next((other for other in range(place - 1, -1, -1) if other not in blank), None)
        if left is not None and part.left is not None:
            demands.setdefault(left, Demands()).left.add(part.left)
        if part.right is not None:
            right = next(other for other in range(place + 1, max(parts) + 3) if other not in blank)
            demands.setdefault(right, Demands()).right.add(part.right)
    links = []
    for place in sorted(demands.keys() | (parts.keys() - without)):
        targets = _targets(demands.get(place, Demands()), size)
        middle = parts[place].aligned if place in parts else None
        if middle is not None:
            targets = [*(target for target in targets if target != middle), middle]
        links += [Link(place, target) for target in targets]
    return tuple(links)


def _without_link(parts: dict[int, Explanation]) -> set[int]:
    """Return the words without a link: between zeros with the same neighbours, and after a zero without a right neighbour."""
    ends = [place for place, part in parts.items() if part.left and part.right is None]
    places = set(range(min(ends, default=max(parts) + 2), max(parts) + 2))
    for first, second in pairwise(sorted(parts)):
        if parts[first].left and parts[first] == parts[second]:
            places |= set(range(first + 1, second))
    return places


def _targets(demands: Demands, size: int) -> list[int]:
    """Return the first and the last word that a neighbour is aligned with; what is unknown is such that no positions are recorded."""
    known = {last for _, last in demands.left if last is not None} | {last for last in demands.right if last >= 0}
    if demands.left:
        return [min(first for first, _ in demands.left), max(known, default=size - 1)]
    return [max(known, default=0)] if demands.right else []
