"""How many raters and items an interval of a wanted width takes, by simulation with the lists of a design."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from ...statistics.agreement import krippendorff_alpha
from ...statistics.human_accuracy import item_accuracies, mark, subject_accuracies
from ...statistics.intervals import summarise_shares
from ...statistics.ratings import Category
from ..design.fields import StudyRecord
from ..design.lists import group_by_schema, make_lists
from ..model.design import Lists
from .measures import share_of_right

#: The schemes whose lists can be drawn for any number of raters and items.
SCHEMES = ("all", "balanced", "subsets")
#: The intervals that a plan has: of the share of right answers, of its mean over raters, of its mean over items.
INTERVALS = ("answers", "raters", "items")
#: Points by which a normal distribution is summed up, between -6 and 6 standard deviations.
_POINTS = 241


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of the simulated answers.

    The log-odds of a right answer are a constant + the rater's ability + the item's ease, both normal with mean 0. For 24 raters and
    240 items the default spreads give on average about the standard deviations of WSC-ZA's Table 4: 0.037 over raters, 0.165 over items.

    Attributes:
        accuracy: expected share of right answers.
        rater_sd: standard deviation of the raters' abilities, in log-odds.
        item_sd: standard deviation of the ease of items, in log-odds.
    """

    accuracy: float = 0.926
    rater_sd: float = 0.35
    item_sd: float = 2.1


@dataclass(frozen=True, slots=True)
class PlanCell:
    """What studies of one size give.

    Attributes:
        widths: mean width of each 95 % interval of `INTERVALS`; None where no study has one.
        reached: share of the studies whose interval is at most as wide as wanted.
        alpha: limits between which Krippendorff's alpha lies in 95 % of the studies; None where it is undefined in all.
        rater_sd: mean standard deviation of the raters' accuracies; None for a single rater.
        item_sd: that of the items' accuracies.
    """

    raters: int
    items: int
    answers: int
    widths: Mapping[str, float | None]
    reached: Mapping[str, float]
    alpha: tuple[float, float] | None
    rater_sd: float | None
    item_sd: float | None


def lists_for(
    lists: Lists, records: Sequence[StudyRecord], raters: int, items: int, rng: Random
) -> list[list[StudyRecord]]:
    """Return the records of each rater, as the design divides them.

    Of ``subsets`` each rater has a list; of ``balanced`` raters get the lists in turn; of ``all`` everybody has all. The count (of
    ``subsets``), the size and mirrored twins of the design do not count. Whole schemas are taken, so there may be some more items;
    if more are wanted than there are, schemas occur again as new ones.

    Raises:
        ValueError: another scheme, or fewer raters than lists.
    """
    if lists.scheme not in SCHEMES:
        raise ValueError(f"[scheme] found {lists.scheme}, expected one of {', '.join(SCHEMES)}")
    if lists.scheme == "balanced" and raters < lists.count:
        raise ValueError(f"[raters] found {raters}, expected at least {lists.count}: one for each list")
    count = raters if lists.scheme == "subsets" else lists.count
    drawn = replace(lists, count=count, size=None, mirrored=False)
    made = list(make_lists(drawn, _sample(records, items, rng), rng).values())
    return [made[number % len(made)] for number in range(raters)]


def plan_cell(parts: Sequence[Sequence[StudyRecord]], truth: Truth, width: float, runs: int, rng: Random) -> PlanCell:
    """Return what simulated studies of one size give.

    `parts` are the records of each rater, which have right answers and two candidates or more; `width` is the wanted width of an interval,
    its upper limit less its lower one.
    """
    from numpy import quantile

    gold: dict[str, Category] = {record.id: record.item.answer or 0 for part in parts for record in part}
    widths: dict[str, list[float]] = {name: [] for name in INTERVALS}
    start = constant(truth)
    alphas, spreads = list[float](), {"raters": list[float](), "items": list[float]()}
    for _ in range(runs):
        table = _answers(parts, gold, start, truth, rng)
        marks = mark(table, gold)
        share = share_of_right(marks).interval
        parts_of = {"raters": subject_accuracies(marks), "items": item_accuracies(marks)}
        summaries = {name: summarise_shares(shares.values()) for name, shares in parts_of.items()}
        intervals = {"answers": share, **{name: entry.interval for name, entry in summaries.items() if entry}}
        for name, interval in intervals.items():
            if interval:
                widths[name].append(interval[1] - interval[0])
        for name, entry in summaries.items():
            if entry and entry.sd is not None:
                spreads[name].append(entry.sd)
        if (alpha := krippendorff_alpha(list(table.values()))) is not None:
            alphas.append(alpha)
    return PlanCell(
        raters=len(parts),
        items=len(gold),
        answers=sum(map(len, parts)),
        widths={name: fmean(values) if values else None for name, values in widths.items()},
        reached={name: sum(value <= width for value in values) / runs for name, values in widths.items()},
        alpha=(float(quantile(alphas, 0.025)), float(quantile(alphas, 0.975))) if alphas else None,
        rater_sd=fmean(spreads["raters"]) if spreads["raters"] else None,
        item_sd=fmean(spreads["items"]) if spreads["items"] else None,
    )


def constant(truth: Truth) -> float:
    """Return the constant of the log-odds that gives the expected accuracy, to four digits.

    >>> round(constant(Truth(0.5, 1, 2)), 6) == 0, round(constant(Truth(0.75, 0, 0)), 3)  # log 3
    (True, 1.099)
    """
    import numpy
    from scipy.optimize import brentq
    from scipy.special import expit

    spread, points = math.hypot(truth.rater_sd, truth.item_sd), numpy.linspace(-6, 6, _POINTS)
    weights = numpy.exp(-points * points / 2)

    def excess(start: float) -> float:
        return float(numpy.average(expit(start + spread * points), weights=weights)) - truth.accuracy

    return float(brentq(excess, -50, 50))


def _answers(
    parts: Sequence[Sequence[StudyRecord]], gold: Mapping[str, Category], start: float, truth: Truth, rng: Random
) -> dict[str, dict[str, Category]]:
    """Return the answers of one study by item and rater; a wrong answer is another candidate than the right one."""
    from scipy.special import expit

    ease = {item: rng.gauss(0, truth.item_sd) for item in gold}
    table: dict[str, dict[str, Category]] = {item: {} for item in gold}
    for number, part in enumerate(parts):
        ability = start + rng.gauss(0, truth.rater_sd)
        for record in part:
            right = rng.random() < expit(ability + ease[record.id])
            another = (int(gold[record.id]) + 1) % len(record.item.candidates)
            table[record.id][f"r-{number}"] = gold[record.id] if right else another
    return table


def _sample(records: Sequence[StudyRecord], items: int, rng: Random) -> list[StudyRecord]:
    schemas = list(group_by_schema(records).items())
    sample: list[StudyRecord] = []
    number = 0
    while len(sample) < items:
        if number % len(schemas) == 0:
            rng.shuffle(schemas)
        name, members = schemas[number % len(schemas)]
        again = f"+{number // len(schemas)}" if number >= len(schemas) else ""
        for record in members:
            item = replace(record.item, schema=f"{name}{again}", id=f"{name}{again}-{record.item.version}")
            sample.append(replace(record, item=item))
        number += 1
    return sample
