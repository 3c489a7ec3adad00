"""The statistics of one table of answers, by item and rater: agreement, votes, accuracy, codes, ratings; as estimates with intervals."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from msgspec import UNSET, UnsetType

from ...evaluation.measures.accuracy import accuracy
from ...language.answers.mentions import letter
from ...statistics.agreement import (
    Coefficient,
    FleissTest,
    RaterPair,
    Weights,
    agreement_interval,
    fleiss_kappa,
    fleiss_test,
    krippendorff_alpha,
    mean_kappa,
    percent_agreement,
    rater_pairs,
    set_alpha,
)
from ...statistics.human_accuracy import (
    item_accuracies,
    majority_vote,
    mark,
    mean_ratings,
    subject_accuracies,
)
from ...statistics.intervals import Summary, bootstrap_interval, ratio, summarise, summarise_shares
from ...statistics.ratings import Category, Judgements, Row, clusters
from ..model.answers import codes_of, schema_of

#: Why a share of right answers is undefined, and why an interval over schemas is.
NO_GOLD, ONE_SCHEMA = "no answered item has a right answer", "fewer than two schemas"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the limits of its interval; `why` is the reason where either is undefined."""

    value: float | None
    interval: tuple[float, float] | None
    why: str | None


@dataclass(frozen=True, slots=True)
class MeanEstimate(Estimate):
    """A mean of `n` values with their standard deviation."""

    n: int
    sd: float | None


@dataclass(frozen=True, slots=True)
class ShareEstimate(Estimate):
    """The share of `right` answers of `n`."""

    right: int
    n: int


def mean_estimate(summary: Summary | None, why: str) -> MeanEstimate:
    """Return a mean with its interval, the number of values and their standard deviation; `why` it is undefined."""
    if summary is None:
        return MeanEstimate(None, None, why, n=0, sd=None)
    reason = None if summary.interval else "a single value has no spread"
    return MeanEstimate(summary.mean, summary.interval, reason, n=summary.n, sd=summary.sd)


def share_of_right(marks: Mapping[str, Mapping[str, bool]]) -> ShareEstimate:
    """Return the share of right answers of all answers."""
    return clustered_share({item: list(row.values()) for item, row in marks.items()}, NO_GOLD)


def clustered_share(marks: Mapping[str, Sequence[bool]], why: str) -> ShareEstimate:
    """Return the share of right answers over all items; the items of a schema are a cluster of its interval."""
    pairs = [(item, mark) for item, of_item in marks.items() for mark in of_item]
    share = accuracy(pairs, {item: schema_of(item) for item in marks})
    reason = None if share.interval else ONE_SCHEMA if pairs else why
    return ShareEstimate(share.value, share.interval, reason, right=share.right, n=share.n)


# --- the records ------------------------------------------------------------------------------------------------------

#: Column of the items whose vote is tied.
TIE = "tie"
#: The scale on which WSC-ZA cuts its levels of difficulty.
SCALE_OF_FIVE = (1, 5)


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Settings of the bootstrap intervals: seed of the random draws, number of resamples."""

    seed: int
    resamples: int


@dataclass(frozen=True, slots=True)
class MajorityEstimate(ShareEstimate):
    """The share of items whose majority answer is right; tied items have none, `of_decided` is the share without them."""

    tied: int
    of_decided: float | None


@dataclass(frozen=True, slots=True)
class PairsEstimate(Estimate):
    """The mean of Cohen's kappa over `pairs` of raters, for `defined` of which there is one."""

    pairs: int
    defined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The coefficients of a control: of labels Cohen's, Fleiss' and Krippendorff's, of ratings weighted ones, of codes that of sets."""

    percent: Estimate
    pairs: list[RaterPair]
    cohen: PairsEstimate | UnsetType = UNSET
    fleiss: Estimate | UnsetType = UNSET
    fleiss_test: FleissTest | UnsetType | None = UNSET
    alpha: Estimate | UnsetType = UNSET
    alpha_masi: Estimate | UnsetType = UNSET
    cohen_linear: PairsEstimate | UnsetType = UNSET
    cohen_quadratic: PairsEstimate | UnsetType = UNSET
    alpha_ordinal: Estimate | UnsetType = UNSET
    alpha_interval: Estimate | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Votes:
    """How many items each answer won by majority; how many items are tied, and how many unanimous."""

    winners: Mapping[str, int]
    tied: int
    unanimous: int


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often people are right: the mean over raters and over items, of all answers, of majority votes, and of each rater."""

    subjects: MeanEstimate
    items: MeanEstimate
    micro: ShareEstimate
    majority: MajorityEstimate
    raters: Mapping[str, float]
    without_gold: int


@dataclass(frozen=True, slots=True)
class CodeFigures:
    """How often a code was given, and how far raters agree whether it applies.

    Attributes:
        code: the code.
        answers: the number of answers that have it.
        items: the number of items that two raters judged.
        both: the number of items to which every rater gave it.
        some: the number of items to which one did at least.
        cohen: Cohen's kappa, of more than two raters the mean over pairs.
        percent: the agreeing pairs of raters.
    """

    code: str
    answers: int
    items: int
    both: int
    some: int
    cohen: float | None
    percent: Estimate


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """The number of ratings with their mean and standard deviation."""

    n: int
    mean: float | None
    sd: float | None


# --- agreement between raters -----------------------------------------------------------------------------------------


def label_agreement(table: Judgements, bootstrap: Bootstrap) -> Agreement:
    """Return the agreement on labels: percentage, Cohen's, Fleiss' and Krippendorff's coefficients."""
    rows = list(table.values())
    return Agreement(
        percent=bootstrapped(table, percent_agreement, bootstrap, "percent"),
        cohen=_mean_cohen(rows, None),
        pairs=rater_pairs(rows),
        fleiss=bootstrapped(table, fleiss_kappa, bootstrap, "fleiss"),
        fleiss_test=fleiss_test(rows),
        alpha=bootstrapped(table, krippendorff_alpha, bootstrap, "nominal"),
    )


def _rating_agreement(table: Judgements, bootstrap: Bootstrap) -> Agreement:
    rows = list(table.values())
    return Agreement(
        percent=bootstrapped(table, percent_agreement, bootstrap, "percent"),
        cohen_linear=_mean_cohen(rows, "linear"),
        cohen_quadratic=_mean_cohen(rows, "quadratic"),
        pairs=rater_pairs(rows, "quadratic"),
        alpha_ordinal=bootstrapped(table, lambda sample: krippendorff_alpha(sample, "ordinal"), bootstrap, "ordinal"),
        alpha_interval=bootstrapped(
            table, lambda sample: krippendorff_alpha(sample, "interval"), bootstrap, "interval"
        ),
    )


def bootstrapped(
    table: Judgements,
    statistic: Callable[[Sequence[Row]], float | None],
    bootstrap: Bootstrap,
    coefficient: Coefficient | None = None,
) -> Estimate:
    """Return a statistic with its bootstrap interval over schemas; `coefficient` is its name if resamples can be had from sums."""
    rows = list(table.values())
    value = statistic(rows)
    if value is None:
        return Estimate(None, None, _why_undefined(rows))
    schemas = clusters(table, {item: schema_of(item) for item in table})
    seed, resamples = bootstrap.seed, bootstrap.resamples
    interval = (
        agreement_interval(schemas, coefficient, seed=seed, resamples=resamples)
        if coefficient
        else bootstrap_interval(schemas, statistic, seed=seed, resamples=resamples)
    )
    if interval is None:
        return Estimate(value, None, ONE_SCHEMA)
    if math.isclose(interval.low, interval.high):  # such an interval has no width, however few the items
        return Estimate(value, None, "all resamples give the same value")
    return Estimate(value, (interval.low, interval.high), None)


def _mean_cohen(rows: Sequence[Row], weights: Weights | None) -> PairsEstimate:
    pairs = rater_pairs(rows, weights)
    mean, why = mean_kappa(pairs), "pairs share raters and are not independent"
    if mean is None:
        why = "each pair of raters used a single category" if pairs else _why_undefined(rows)
    return PairsEstimate(mean, None, why, pairs=len(pairs), defined=sum(pair.kappa is not None for pair in pairs))


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


def votes(table: Judgements) -> Votes:
    """Return how often each answer won the majority vote on an item."""
    by_item = [majority_vote(row.values()) for row in table.values()]
    winners = Counter(str(vote.winner) for vote in by_item if vote.winner is not None)
    tied, unanimous = sum(vote.tied for vote in by_item), sum(vote.unanimous for vote in by_item)
    return Votes(dict(sorted(winners.items())), tied, unanimous)


def accuracies(table: Judgements, gold: Mapping[str, Category]) -> Accuracy:
    """Return how often people are right (WSC-ZA, sections 3.3 and 5.3); items without a right answer are counted apart."""
    known = with_gold(table, gold)
    marks = mark(known, gold)
    votes = {item: majority_vote(row.values()) for item, row in known.items()}
    vote = clustered_share({item: [of.winner == gold[item]] for item, of in votes.items()}, NO_GOLD)
    tied = sum(of.tied for of in votes.values())
    return Accuracy(
        subjects=mean_estimate(summarise_shares(subject_accuracies(marks).values()), NO_GOLD),
        items=mean_estimate(summarise_shares(item_accuracies(marks).values()), NO_GOLD),
        micro=share_of_right(marks),
        majority=MajorityEstimate(
            vote.value, vote.interval, vote.why, vote.right, vote.n, tied, ratio(vote.right, vote.n - tied)
        ),
        raters=subject_accuracies(marks),
        without_gold=len(table) - len(known),
    )


def with_gold(table: Judgements, gold: Mapping[str, Category]) -> Judgements:
    """Return the answers to items that have a right answer."""
    return {item: row for item, row in table.items() if item in gold}


def majority_confusion(table: Judgements, gold: Mapping[str, Category]) -> dict[str, dict[str, int]]:
    """Return the number of items by right candidate and majority answer, by letter; a tie is a column of its own."""
    winners = {item: majority_vote(row.values()).winner for item, row in table.items()}
    counts = Counter((int(gold[item]), None if winner is None else int(winner)) for item, winner in winners.items())
    last = max([1, *(number for pair in counts for number in pair if number is not None)])
    return {
        letter(right): {letter(winner): counts[right, winner] for winner in range(last + 1)}
        | {TIE: counts[right, None]}
        for right in range(last + 1)
    }


def places(choices: Iterable[tuple[int, int, int]]) -> list[list[int]]:
    """Return the number of answers by the place of the right candidate (rows) and the place chosen (columns).

    Each of `choices` is the place of the right candidate, the place chosen, and the number of places shown.
    """
    triples = list(choices)
    counts = Counter((right, chosen) for right, chosen, _ in triples)
    width = max([2, *(shown for _, _, shown in triples)])
    return [[counts[right, chosen] for chosen in range(width)] for right in range(width)]


# --- several codes at once ----------------------------------------------------------------------------------------------


def agreement_on_codes(table: Judgements, choices: Sequence[str], bootstrap: Bootstrap) -> dict[str, Any]:
    """Return how far raters agree who give several codes at once: Krippendorff's ``alpha_masi`` of sets, and the `CodeFigures` of each."""
    return {
        "alpha_masi": bootstrapped(table, sets_alpha, bootstrap),
        "codes": [_code_figures(table, code, bootstrap) for code in choices],
    }


def sets_alpha(rows: Iterable[Row]) -> float | None:
    """Return Krippendorff's alpha with MASI distance of answers with several codes; see `set_alpha`."""
    return set_alpha({rater: codes_of(answer) for rater, answer in row.items()} for row in rows)


def _code_figures(table: Judgements, code: str, bootstrap: Bootstrap) -> CodeFigures:
    binary: dict[str, dict[str, Category]] = {
        item: {rater: int(code in codes_of(answer)) for rater, answer in row.items()} for item, row in table.items()
    }
    shared = [row for row in binary.values() if len(row) > 1]
    return CodeFigures(
        code=code,
        answers=sum(int(applies) for row in binary.values() for applies in row.values()),
        items=len(shared),
        both=sum(all(row.values()) for row in shared),
        some=sum(any(row.values()) for row in shared),
        cohen=mean_kappa(rater_pairs(shared)),
        percent=bootstrapped(binary, percent_agreement, bootstrap, "percent"),
    )


# --- ratings ----------------------------------------------------------------------------------------------------------


def rating_figures(table: Judgements, low: int, high: int, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the fields of `ControlFigures` on ratings from `low` to `high`: agreement, means over items and of raters, frequencies."""
    by_rater: dict[str, list[int]] = defaultdict(list)
    for row in table.values():
        for rater, rating in row.items():
            by_rater[rater].append(int(rating))
    ratings = [rating for of_rater in by_rater.values() for rating in of_rater]
    counts, overall, means = Counter(ratings), summarise(ratings), mean_ratings(table)
    return {
        "agreement": _rating_agreement(table, bootstrap),
        "ratings": RatingCounts(len(ratings), overall.mean if overall else None, overall.sd if overall else None),
        "item_means": mean_estimate(summarise(means.values()), "no answers"),
        "histogram": {str(rating): counts[rating] for rating in range(low, high + 1)},
        "raters": {rater: fmean(by_rater[rater]) for rater in sorted(by_rater)},
    }
