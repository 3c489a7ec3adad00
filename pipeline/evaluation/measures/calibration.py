"""Calibration: whether systems are right as often as their probabilities say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...statistics.intervals import bootstrap_interval, clustered_mean_interval
from ..predictions import Response, Run, Runs
from .accuracy import Clusters, Estimate, Interval, accuracy
from .places import Options

#: Number of bins of equal width between 0 and 1.
BINS = 10
#: Number of resamples of schemas, and of outcomes of a calibrated system.
RESAMPLES = 1000
#: Confidence and whether the candidate is right, of an item.
Forecast = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class Bin:
    """The items whose confidence lies between two limits: their mean confidence, and their accuracy."""

    low: float
    high: float
    confidence: float
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class Calibration(Run):
    """The calibration of a run with scores.

    The confidence of an item is the largest share in the softmax of its scores; it is compared with whether that candidate is right,
    whatever the answer says.
    """

    n: int  # number of items with scores
    #: The expected calibration error (Naeini, Cooper and Hauskrecht 2015, AAAI; Guo et al. 2017, ICML): the mean over the items of
    #: |accuracy - mean confidence| of their bin, with `BINS` bins of equal width between 0 and 1; of two candidates those below 0.5
    #: are empty. It is above 0 even for a calibrated system, the more so the fewer items.
    error: float
    interval: Interval | None  # of the error, a percentile interval from resampled schemas
    expected: float  # the mean error if each item were right with the probability of its confidence
    #: Share of such samples with an error of at least that size (Broecker and Smith 2007, Weather and Forecasting 22).
    p: float
    confidence: float
    excess: float  # mean confidence less accuracy, with its interval: above 0 of a system that is too sure
    excess_interval: Interval | None
    bins: Sequence[Bin]  # the bins that have items


def best(given: Response) -> int | None:
    """Return the candidate with the greatest score; of equal ones the one answered, else the first. None without scores."""
    if given.scores is None:
        return None
    top = [index for index, score in enumerate(given.scores) if score == max(given.scores)]
    return given.parsed.choice if given.parsed.choice in top else top[0]


def disagreements(responses: Mapping[str, Response]) -> list[str]:
    """Return the items whose answer chooses another candidate than the scores; an answer without a choice chooses none."""
    return [
        item
        for item, given in responses.items()
        if given.scores is not None and given.parsed.choice is not None and best(given) != given.parsed.choice
    ]


def calibration(runs: Runs, options: Options, cluster_of: Clusters, *, seed: int) -> list[Calibration]:
    """Return the calibration of each run with scores."""
    from scipy.special import softmax

    rows = []
    for run, responses in runs.items():
        forecasts = {
            item: (float(max(softmax(given.scores))), best(given) == options[item][1])
            for item, given in responses.items()
            if given.scores is not None
        }
        if forecasts:
            rows.append(_calibration(run, forecasts, cluster_of, seed))
    return rows


def _calibration(run: Run, forecasts: Mapping[str, Forecast], cluster_of: Clusters, seed: int) -> Calibration:
    clusters: dict[str, list[Forecast]] = {}
    bins: dict[int, list[str]] = {}
    for item, (confidence, right) in forecasts.items():
        clusters.setdefault(cluster_of[item], []).append((confidence, right))
        bins.setdefault(_bin(confidence), []).append(item)
    values = list(forecasts.values())
    error = calibration_error(values)
    interval = bootstrap_interval(clusters.values(), calibration_error, seed=seed, resamples=RESAMPLES)
    excess = clustered_mean_interval([[share - right for share, right in of] for of in clusters.values()])
    expected, p = _calibrated(values, error, seed)
    return Calibration(
        model=run.model,
        mode=run.mode,
        form=run.form,
        order=run.order,
        n=len(values),
        error=error,
        interval=(interval.low, interval.high) if interval else None,
        expected=expected,
        p=p,
        confidence=sum(share for share, _ in values) / len(values),
        excess=sum(share - right for share, right in values) / len(values),
        excess_interval=excess,
        bins=[
            Bin(
                number / BINS,
                (number + 1) / BINS,
                sum(forecasts[item][0] for item in bins[number]) / len(bins[number]),
                accuracy([(item, forecasts[item][1]) for item in bins[number]], cluster_of),
            )
            for number in sorted(bins)
        ],
    )


def calibration_error(forecasts: Sequence[Forecast]) -> float:
    """Return the expected calibration error of one item or more; see `calibration`.

    >>> round(calibration_error([(0.9, True), (0.9, False), (0.6, True)]), 3)  # bins: |0.5 - 0.9| of two items, |1 - 0.6| of one
    0.4
    """
    gaps = [0.0] * BINS
    for confidence, right in forecasts:
        gaps[_bin(confidence)] += confidence - right
    return sum(map(abs, gaps)) / len(forecasts)


def _calibrated(forecasts: Sequence[Forecast], error: float, seed: int) -> tuple[float, float]:
    """Return the mean error of a calibrated system with these confidences, and the share of its samples with `error` or more."""
    import numpy

    shares = numpy.array([confidence for confidence, _ in forecasts])
    member = numpy.zeros((len(shares), BINS))
    member[numpy.arange(len(shares)), [_bin(share) for share in shares]] = 1
    outcomes = numpy.random.default_rng(seed).random((RESAMPLES, len(shares))) < shares
    errors = numpy.abs((shares - outcomes) @ member).sum(axis=1) / len(shares)
    return float(errors.mean()), (1 + int((errors >= error - 1e-12).sum())) / (1 + RESAMPLES)


def _bin(confidence: float) -> int:
    return min(BINS - 1, int(confidence * BINS + 1e-9))
