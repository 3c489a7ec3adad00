"""The statistics of one table of answers, as JSON values: agreement, votes, accuracy, ratings.

A table holds the answers by item and rater. An estimate is ``{"value", "interval", "why"}``; ``why`` gives the reason where
the value or the interval is undefined.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ...statistics.agreement import (
    Coefficient,
    Weights,
    agreement_interval,
    fleiss_kappa,
    fleiss_test,
    krippendorff_alpha,
    mean_kappa,
    percent_agreement,
    rater_pairs,
)
from ...statistics.bootstrap import bootstrap_interval
from ...statistics.human_accuracy import (
    human_accuracy,
    majority_vote,
    mark,
    mean_ratings,
    subject_accuracies,
    vote_accuracy,
)
from ...statistics.intervals import clustered_interval, ratio
from ...statistics.ratings import Category, Judgements, Row, clusters
from ...statistics.summary import Summary, summarise
from ..model.answers import schema_of

#: Column of the items whose vote is tied.
TIE = "tie"
#: The scale on which WSC-ZA cuts its levels of difficulty.
SCALE_OF_FIVE = (1, 5)
_ONE_SCHEMA = "fewer than two schemas"
_NO_GOLD = "no answered item has a right answer"


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Settings of the bootstrap intervals: seed of the random draws, number of resamples."""

    seed: int
    resamples: int


def letter(number: int) -> str:
    """Return the letter of a candidate: A for the first."""
    return chr(ord("A") + number)


# --- agreement between raters -----------------------------------------------------------------------------------------


def label_agreement(table: Judgements, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the agreement on labels: percentage, Cohen's, Fleiss' and Krippendorff's coefficients."""
    rows = list(table.values())
    return {
        "percent": bootstrapped(table, percent_agreement, bootstrap, "percent"),
        "cohen": _mean_cohen(rows, None),
        "pairs": _rater_pairs(rows, None),
        "fleiss": bootstrapped(table, fleiss_kappa, bootstrap, "fleiss"),
        "fleiss_test": _fleiss_test(rows),
        "alpha": bootstrapped(table, krippendorff_alpha, bootstrap, "nominal"),
    }


def _fleiss_test(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Return the test of Fleiss' kappa against zero; ``p`` is None where it is too small for a float, ``log10_p`` its logarithm."""
    test = fleiss_test(rows)
    if test is None:
        return None
    return {"z": test.z, "p": test.p or None, "log10_p": test.log10_p, "items": test.items, "raters": test.raters}


def _rating_agreement(table: Judgements, bootstrap: Bootstrap) -> dict[str, Any]:
    rows = list(table.values())
    return {
        "percent": bootstrapped(table, percent_agreement, bootstrap, "percent"),
        "cohen_linear": _mean_cohen(rows, "linear"),
        "cohen_quadratic": _mean_cohen(rows, "quadratic"),
        "pairs": _rater_pairs(rows, "quadratic"),
        "alpha_ordinal": bootstrapped(
            table, lambda sample: krippendorff_alpha(sample, "ordinal"), bootstrap, "ordinal"
        ),
        "alpha_interval": bootstrapped(
            table, lambda sample: krippendorff_alpha(sample, "interval"), bootstrap, "interval"
        ),
    }


def bootstrapped(
    table: Judgements,
    statistic: Callable[[Sequence[Row]], float | None],
    bootstrap: Bootstrap,
    coefficient: Coefficient | None = None,
) -> dict[str, Any]:
    """Return a statistic with its bootstrap interval over schemas; `coefficient` is its name if resamples can be had from sums."""
    rows = list(table.values())
    value = statistic(rows)
    if value is None:
        return _estimate(None, why=_why_undefined(rows))
    schemas = clusters(table, {item: schema_of(item) for item in table})
    seed, resamples = bootstrap.seed, bootstrap.resamples
    interval = (
        agreement_interval(schemas, coefficient, seed=seed, resamples=resamples)
        if coefficient
        else bootstrap_interval(schemas, statistic, seed=seed, resamples=resamples)
    )
    if interval is None:
        return _estimate(value, why_no_interval=_ONE_SCHEMA)
    if math.isclose(interval.low, interval.high):  # such an interval has no width, however few the items
        return _estimate(value, why_no_interval="all resamples give the same value")
    return _estimate(value, (interval.low, interval.high))


def _mean_cohen(rows: Sequence[Row], weights: Weights | None) -> dict[str, Any]:
    pairs = rater_pairs(rows, weights)
    why = "each pair of raters used a single category" if pairs else _why_undefined(rows)
    mean = _estimate(mean_kappa(pairs), why=why, why_no_interval="pairs share raters and are not independent")
    return mean | {"pairs": len(pairs), "defined": sum(pair.kappa is not None for pair in pairs)}


def _rater_pairs(rows: Sequence[Row], weights: Weights | None) -> list[dict[str, Any]]:
    return [
        {
            "raters": list(pair.raters),
            "items": pair.items,
            "agreed": pair.agreed,
            "percent": pair.percent,
            "kappa": pair.kappa,
        }
        for pair in rater_pairs(rows, weights)
    ]


def _why_undefined(rows: Iterable[Row]) -> str:
    """Return why a coefficient of agreement is undefined for these rows."""
    answered = [row for row in rows if row]
    if not answered:
        return "no answers"
    if all(len(row) < 2 for row in answered):
        return "no item has answers from two raters"
    if len({answer for row in answered if len(row) > 1 for answer in row.values()}) < 2:
        return "all answers are the same, so disagreement is impossible"
    fewest, most = min(map(len, answered)), max(map(len, answered))
    return f"items have {fewest} to {most} raters, but Fleiss’ κ needs the same number for each; see Krippendorff’s α"


# --- votes and right answers ------------------------------------------------------------------------------------------


def votes(table: Judgements) -> dict[str, Any]:
    """Return how often each answer was given, and how often it won the majority vote on an item."""
    by_item = {item: majority_vote(row.values()) for item, row in table.items()}
    winners = Counter(str(vote.winner) for vote in by_item.values() if vote.winner is not None)
    given = Counter(str(answer) for row in table.values() for answer in row.values())
    return {
        "answers": dict(sorted(given.items())),
        "votes": {
            "winners": dict(sorted(winners.items())),
            "tied": sum(vote.tied for vote in by_item.values()),
            "unanimous": sum(vote.unanimous for vote in by_item.values()),
        },
    }


def accuracies(table: Judgements, gold: Mapping[str, Category]) -> dict[str, Any]:
    """Return how often people are right (WSC-ZA, sections 3.3 and 5.3).

    Args:
        table: the answers to items that have a right answer.
        gold: the right answer of each of them.
    """
    marks = mark(table, gold)
    human, majority = human_accuracy(marks), vote_accuracy(table, gold)
    winners = {item: majority_vote(row.values()).winner for item, row in table.items()}
    won = {item: [winner == gold[item]] for item, winner in winners.items()}
    answers = {item: list(row.values()) for item, row in marks.items()}
    return {
        "accuracy": {
            "subjects": mean_estimate(human.subjects, _NO_GOLD),
            "items": mean_estimate(human.items, _NO_GOLD),
            "micro": _share(human.micro, answers) | {"right": human.right, "n": human.answers},
            "majority": _share(majority.accuracy, won)
            | {"right": majority.right, "tied": majority.tied, "n": majority.items, "of_decided": majority.of_decided},
            "raters": subject_accuracies(marks),
        },
    }


def majority_confusion(table: Judgements, gold: Mapping[str, Category]) -> dict[str, dict[str, int]]:
    """Return the number of items by right candidate and majority answer, by letter; a tie is a column of its own."""
    return _winners_by_gold({item: majority_vote(row.values()).winner for item, row in table.items()}, gold)


def share_of_right(marks: Mapping[str, Mapping[str, bool]]) -> dict[str, Any]:
    """Return the share of right answers of all answers, with the interval of `accuracies`."""
    return clustered_share({item: list(row.values()) for item, row in marks.items()}, _NO_GOLD)


def clustered_share(marks: Mapping[str, Sequence[bool]], why: str) -> dict[str, Any]:
    """Return the share of right answers over all items with its interval, ``right`` and ``n``; `why` it is undefined without answers.

    Args:
        marks: whether each answer to an item is right.
        why: the reason why there are none.
    """
    right, answers = sum(map(sum, marks.values())), sum(map(len, marks.values()))
    return _share(ratio(right, answers), marks, why) | {"right": right, "n": answers}


def _share(value: float | None, marks: Mapping[str, Sequence[bool]], why: str = _NO_GOLD) -> dict[str, Any]:
    """Return a share of right answers with its interval, where the items of a schema are a cluster."""
    schemas: dict[str, list[bool]] = defaultdict(list)
    for item, right in marks.items():
        schemas[schema_of(item)] += right
    interval = clustered_interval((sum(right), len(right)) for right in schemas.values())
    return _estimate(value, interval, why=why, why_no_interval=_ONE_SCHEMA)


def _winners_by_gold(winners: Mapping[str, Category | None], gold: Mapping[str, Category]) -> dict[str, dict[str, int]]:
    """Return the number of items by right answer and majority answer."""
    counts = Counter((int(gold[item]), None if winner is None else int(winner)) for item, winner in winners.items())
    last = max([1, *(number for pair in counts for number in pair if number is not None)])
    return {
        letter(right): {letter(winner): counts[right, winner] for winner in range(last + 1)}
        | {TIE: counts[right, None]}
        for right in range(last + 1)
    }


def places(choices: Iterable[tuple[int, int, int]]) -> list[list[int]]:
    """Return the number of answers by the place of the right candidate (rows) and the place chosen (columns).

    Args:
        choices: for each answer the place of the right candidate, the place chosen, and the number of places shown.
    """
    triples = list(choices)
    counts = Counter((right, chosen) for right, chosen, _ in triples)
    width = max([2, *(shown for _, _, shown in triples)])
    return [[counts[right, chosen] for chosen in range(width)] for right in range(width)]


# --- ratings ----------------------------------------------------------------------------------------------------------


def ratings(table: Judgements, low: int, high: int, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the figures of ratings but their levels of difficulty.

    Args:
        table: the ratings.
        low: the lowest rating of the scale.
        high: the highest.
        bootstrap: the settings of the bootstrap intervals.
    """
    given = [int(rating) for row in table.values() for rating in row.values()]
    by_rater: dict[str, list[int]] = defaultdict(list)
    for row in table.values():
        for rater, rating in row.items():
            by_rater[rater].append(int(rating))
    counts, overall, means = Counter(given), summarise(given), mean_ratings(table)
    return {
        "agreement": _rating_agreement(table, bootstrap),
        "ratings": {"n": len(given), "mean": overall.mean if overall else None, "sd": overall.sd if overall else None},
        "item_means": mean_estimate(summarise(means.values()), "no answers"),
        "histogram": {str(rating): counts[rating] for rating in range(low, high + 1)},
        "raters": {rater: fmean(by_rater[rater]) for rater in sorted(by_rater)},
        "difficulty": None,
    }


# --- estimates --------------------------------------------------------------------------------------------------------


def mean_estimate(summary: Summary | None, why: str) -> dict[str, Any]:
    """Return a mean with its interval, the number of values and their standard deviation; `why` it is undefined."""
    if summary is None:
        return _estimate(None, why=why) | {"n": 0, "sd": None}
    estimate = _estimate(summary.mean, summary.interval, why_no_interval="a single value has no spread")
    return estimate | {"n": summary.n, "sd": summary.sd}


def _estimate(
    value: float | None, interval: Sequence[float] | None = None, *, why: str = "", why_no_interval: str = ""
) -> dict[str, Any]:
    """Return a value with the limits of its interval, or the reason why either is undefined."""
    if value is None:
        return {"value": None, "interval": None, "why": why}
    return {
        "value": value,
        "interval": list(interval) if interval else None,
        "why": None if interval else why_no_interval,
    }
