"""Mean, standard deviation, interval of the mean."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Summary:
    """`n` values: their mean, the standard deviation with n - 1, the t interval of the mean; both are None for one value."""

    n: int
    mean: float
    sd: float | None
    interval: tuple[float, float] | None


def summarise(values: Iterable[float], level: float = 0.95) -> Summary | None:
    """Return the summary of some values, or None of none.

    The interval is mean ± t * sd / sqrt(n) with Student's t of n - 1 degrees of freedom (Student 1908, Biometrika 6), as in
    WSC-ZA's Table 4. It takes the values for independent and their mean for normal. It is not cut at 0 and 1: shares near them
    may get a limit beyond, and values that are all the same get an interval of no width; `clustered_interval` does neither.

    Args:
        values: such as the accuracy of each rater.
        level: the coverage that is wanted.
    """
    told = list(values)
    if not told:
        return None
    mean = fmean(told)
    if len(told) == 1:
        return Summary(1, mean, None, None)
    from scipy.stats import t

    sd = stdev(told)
    half = float(t.ppf((1 + level) / 2, len(told) - 1)) * sd / math.sqrt(len(told))
    return Summary(len(told), mean, sd, (mean - half, mean + half))
