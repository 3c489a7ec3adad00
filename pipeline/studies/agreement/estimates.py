"""Estimates: a value with its interval, or the reason why either is undefined."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...statistics.intervals import clustered_interval, ratio
from ...statistics.summary import Summary
from ..model.answers import schema_of

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
        return MeanEstimate(*parts(estimate(None, why=why)), n=0, sd=None)
    mean = estimate(summary.mean, summary.interval, why_no_interval="a single value has no spread")
    return MeanEstimate(*parts(mean), n=summary.n, sd=summary.sd)


def estimate(
    value: float | None, interval: tuple[float, float] | None = None, *, why: str = "", why_no_interval: str = ""
) -> Estimate:
    """Return a value with the limits of its interval, or the reason why either is undefined."""
    if value is None:
        return Estimate(None, None, why)
    return Estimate(value, interval, None if interval else why_no_interval)


def parts(estimate: Estimate) -> tuple[float | None, tuple[float, float] | None, str | None]:
    """Return the fields that every kind of estimate has."""
    return estimate.value, estimate.interval, estimate.why


def share_of_right(marks: Mapping[str, Mapping[str, bool]]) -> ShareEstimate:
    """Return the share of right answers of all answers."""
    return clustered_share({item: list(row.values()) for item, row in marks.items()}, NO_GOLD)


def clustered_share(marks: Mapping[str, Sequence[bool]], why: str) -> ShareEstimate:
    """Return the share of right answers over all items; the items of a schema are a cluster of its interval."""
    right, answers = sum(map(sum, marks.values())), sum(map(len, marks.values()))
    return ShareEstimate(*parts(share_estimate(ratio(right, answers), marks, why)), right=right, n=answers)


def share_estimate(value: float | None, marks: Mapping[str, Sequence[bool]], why: str) -> Estimate:
    """Return a share of right answers with its interval, where the items of a schema are a cluster."""
    schemas: dict[str, list[bool]] = defaultdict(list)
    for item, right in marks.items():
        schemas[schema_of(item)] += right
    interval = clustered_interval((sum(right), len(right)) for right in schemas.values())
    return estimate(value, interval, why=why, why_no_interval=ONE_SCHEMA)
