"""Mean, standard deviation and t interval of the mean."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean, standard deviation (n - 1) and t interval of `n` values; for one value, the last two are None."""

    n: int
    mean: float
    sd: float | None
    interval: tuple[float, float] | None


def summarise(values: Iterable[float], level: float = 0.95) -> Summary | None:
    """Return the summary of values, or None if there are none.

    The interval is mean ± t * sd / sqrt(n) with Student's t of n - 1 degrees of freedom (Student 1908, Biometrika 6), as in
    WSC-ZA's Table 4. It assumes that the values are independent and their mean is normal. It is not cut at 0 and 1, so the limits
    of shares can lie beyond, and equal values get an interval of width 0; `clustered_interval` has neither problem.

    Args:
        values: such as the accuracy of each rater.
        level: the coverage, above 0 and below 1.
    """
    sample = list(values)
    if not sample:
        return None
    mean = fmean(sample)
    if len(sample) == 1:
        return Summary(1, mean, None, None)
    from scipy.stats import t

    sd = stdev(sample)
    half = float(t.ppf((1 + level) / 2, len(sample) - 1)) * sd / math.sqrt(len(sample))
    return Summary(len(sample), mean, sd, (mean - half, mean + half))


def summarise_shares(values: Iterable[float], level: float = 0.95) -> Summary | None:
    """Return the summary of shares from 0 to 1: that of `summarise`, with limits no share can pass cut off.

    Of two raters who are right in 50 % and 100 % the t interval is wider than all shares, so the result says that nothing is known.

    Args:
        values: such as the accuracy of each rater.
        level: the coverage, above 0 and below 1.
    """
    summary = summarise(values, level)
    if summary is None or summary.interval is None:
        return summary
    low, high = summary.interval
    return replace(summary, interval=(max(0.0, low), min(1.0, high)))
