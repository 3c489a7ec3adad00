"""Position bias: which place of the options a system chooses, in one order or in both."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from ...statistics.intervals import clustered_interval, clustered_mean_interval, ratio
from ..predictions import Response, Run, Runs
from .accuracy import Clusters, Estimate, Interval, accuracy

#: Number of candidates and index of the right one, by item.
Options = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PlaceBias:
    """How often the first place of the options was chosen, over the answers with a choice."""

    n: int  # number of answers with a choice
    first: float | None  # share of them that choose the first place, with its interval
    interval: Interval | None
    first_right: float | None  # share of them whose right candidate stands in the first place
    #: Share of first places chosen, as the mean over the places of the right candidate, less 1 / number of options; of two options
    #: (P(first | right first) + P(first | right later) - 1) / 2. A system without bias has 0 wherever the right candidates are: one
    #: that errs would choose a place less often than it is right there, if it is right there in most items. Items with another number
    #: of options are apart: it is the mean over those numbers of which each place is that of a right candidate, weighted by choices.
    #: None without such a number.
    bias: float | None
    #: Its interval by linearisation, with schemas as clusters; None where no cluster deviates, as of a system that always chooses
    #: the same place.
    bias_interval: Interval | None
    #: Number of answers by place of the right candidate (rows) and place chosen (columns).
    matrix: Sequence[Sequence[int]]
    by_place: Sequence[Estimate]  # accuracy by place of the right candidate, over all answers


@dataclass(frozen=True, slots=True)
class OrderConsistency:
    """How the answers of a system in one mode and form agree over both orders of the options.

    Answers without a choice agree with nothing. Of two options, a system that chooses at random has one half, one quarter, one half. Of an
    odd number, the middle one keeps place and candidate.
    """

    model: str
    mode: str
    form: str
    n: int  # number of items answered in both orders
    same: float | None  # share of items with the same candidate in both, with its interval
    interval: Interval | None
    right: float | None  # share right in both
    place: float | None  # share with the same place in both, as a system has that goes by place


def place_of(choice: int, count: int, run: Run) -> int:
    """Return at which place of the options a candidate was shown, from 0."""
    return choice if run.order == "written" else count - 1 - choice


def place_bias(run: Run, responses: Mapping[str, Response], options: Options, cluster_of: Clusters) -> PlaceBias:
    """Return how often a run chose the first place, and how often that was right."""
    width = max((count for count, _ in options.values()), default=2)
    matrix = [[0] * width for _ in range(width)]
    by_place: list[list[tuple[str, bool]]] = [[] for _ in range(width)]
    firsts: dict[str, list[_Choice]] = {}
    for item, given in responses.items():
        count, answer = options[item]
        right = place_of(answer, count, run)
        by_place[right].append((item, given.right))
        if given.parsed.choice is not None:
            chosen = place_of(given.parsed.choice, count, run)
            matrix[right][chosen] += 1
            firsts.setdefault(cluster_of[item], []).append(((count, right), chosen == 0))
    size, first_right = sum(map(sum, matrix)), sum(matrix[0])
    share, expected = ratio(sum(row[0] for row in matrix), size), ratio(first_right, size)
    interval = clustered_interval((sum(first for _, first in of), len(of)) for of in firsts.values())
    bias, bias_interval = _bias(list(firsts.values()))
    return PlaceBias(
        n=size,
        first=share,
        interval=interval,
        first_right=expected,
        bias=bias,
        bias_interval=bias_interval,
        matrix=matrix,
        by_place=[accuracy(marks, cluster_of) for marks in by_place],
    )


#: The number of options and the place of the right one; whether the first place was chosen.
_Choice = tuple[tuple[int, int], bool]


def _bias(clusters: Sequence[Sequence[_Choice]]) -> tuple[float | None, Interval | None]:
    """Return the bias to the first place (`PlaceBias.bias`) and its interval.

    Of a number of options with the weight w, the mean of the shares p_r = x_r / n_r over its `count` places deviates in cluster c by the
    sum of (x_rc - p_r n_rc) / n_r / count.
    """
    marks: dict[tuple[int, int], list[bool]] = {}
    for place, first in chain.from_iterable(clusters):
        marks.setdefault(place, []).append(first)
    counts = [
        count for count in {count for count, _ in marks} if all((count, right) in marks for right in range(count))
    ]
    sizes = {count: sum(len(marks[count, right]) for right in range(count)) for count in counts}
    weights = {count: size / sum(sizes.values()) for count, size in sizes.items()}
    if not weights:
        return None, None
    rates = {place: fmean(of) for place, of in marks.items() if place[0] in weights}
    chance = sum(weight / count for count, weight in weights.items())
    bias = sum(weights[place[0]] / place[0] * rate for place, rate in rates.items()) - chance
    deviations = [
        sum(
            weights[place[0]] / place[0] * (first - rates[place]) / len(marks[place])
            for place, first in members
            if place in rates
        )
        for members in clusters
    ]
    limits = clustered_mean_interval([[deviation] for deviation in deviations])
    if limits is None:
        return bias, None
    half = len(deviations) * (limits[1] - limits[0]) / 2
    return bias, (max(-chance, bias - half), min(1 - chance, bias + half))


def order_consistency(runs: Runs, options: Options, cluster_of: Clusters) -> list[OrderConsistency]:
    """Return for each system, mode and form that was run in both orders how its answers agree."""
    rows = []
    for run, first in runs.items():
        other = Run(run.model, run.mode, run.form, "swapped")
        if run.order == "swapped" or other not in runs:
            continue
        both = [(item, first[item], runs[other][item]) for item in first if item in runs[other]]
        choices = [(item, written.parsed.choice, swapped.parsed.choice) for item, written, swapped in both]
        agreed = accuracy(((item, a is not None and a == b) for item, a, b in choices), cluster_of)
        places = sum(a is not None and b is not None and a + b == options[item][0] - 1 for item, a, b in choices)
        right = ratio(sum(written.right and swapped.right for _, written, swapped in both), len(both))
        place = ratio(places, len(both))
        rows.append(
            OrderConsistency(run.model, run.mode, run.form, len(both), agreed.value, agreed.interval, right, place)
        )
    return rows


def outcomes(responses: Iterable[Response]) -> dict[str, int]:
    """Return how many answers have each outcome, most frequent first; only those that occur."""
    counts = Counter(given.parsed.outcome for given in responses)
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
