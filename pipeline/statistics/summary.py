"""Means: of one sample with a t interval, and of many small samples drawn towards each other."""

import math
from collections.abc import Iterable, Mapping, Sequence
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
    """
    summary = summarise(values, level)
    if summary is None or summary.interval is None:
        return summary
    low, high = summary.interval
    return replace(summary, interval=(max(0.0, low), min(1.0, high)))


@dataclass(frozen=True, slots=True)
class Components:
    """Variance of values within an item, and between the items' true means."""

    within: float
    between: float


def variance_components(values: Mapping[str, Sequence[float]]) -> Components | None:
    """Return the variance within items and between them, by analysis of variance with unequal numbers.

    With k items, n_i values of each, N in all, and the mean squares MSW within and MSB between: within = MSW, between =
    (MSB - MSW) / n_0 for n_0 = (N - sum n_i^2 / N) / (k - 1), or 0 where that is negative (Searle, Casella and McCulloch 1992,
    Variance Components, section 3.6). None for fewer than two items with values, or if no item has two.
    """
    groups = [group for group in values.values() if group]
    total = sum(map(len, groups))
    if len(groups) < 2 or total == len(groups):
        return None
    mean = fmean(value for group in groups for value in group)
    within = sum((value - fmean(group)) ** 2 for group in groups for value in group) / (total - len(groups))
    between = sum(len(group) * (fmean(group) - mean) ** 2 for group in groups) / (len(groups) - 1)
    size = (total - sum(len(group) ** 2 for group in groups) / total) / (len(groups) - 1)
    return Components(within, max(0.0, (between - within) / size))


def shrunken_means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the best linear unbiased prediction of each item's true mean from its values and those of all items.

    With the variances w within and b between items, an item of n values with the mean m gets mu + b / (b + w / n) (m - mu), where mu
    is the mean over items with the weights 1 / (b + w / n) (Robinson 1991, Statistical Science 6, sections 1 and 5). For marks, 1 if
    right and 0 if not, this is a shrunken accuracy. It takes values as independent given the item: raters' severity is not in it.
    Items without values are left out, all where `variance_components` is undefined.
    """
    components = variance_components(values)
    if components is None:
        return {}
    means = {item: fmean(group) for item, group in values.items() if group}
    noise = {item: components.within / len(values[item]) for item in means}
    if not components.between:  # the items do not differ: each has the mean of all values
        return dict.fromkeys(means, fmean(value for group in values.values() for value in group))
    weights = {item: 1 / (components.between + noise[item]) for item in means}
    grand = sum(weights[item] * means[item] for item in means) / sum(weights.values())
    return {item: grand + components.between * weights[item] * (means[item] - grand) for item in means}
