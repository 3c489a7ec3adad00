"""Correlation of an automatic score with human scores, by sentence or by system."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ....statistics.bootstrap import BootstrapInterval, bootstrap_interval

Level = Literal["sentence", "system"]
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Observation:
    """A judged translation.

    Attributes:
        sentence: identifies the sentence; its translations by all systems are resampled together.
        system: the system, with its genre where several are pooled.
        human: the human score.
        value: the automatic score.
        weight: the weight of the value in the score of the system, such as the number of zeros.
    """

    sentence: tuple[str, int]
    system: str
    human: float
    value: float
    weight: float = 1


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient of correlation.

    Attributes:
        coefficient: a key of `COEFFICIENTS`.
        level: whether a pair is a translated sentence, or a system with its means.
        pairs: number of pairs.
        value: from -1 to 1; None where a score is the same for all pairs.
        interval: the 95 % interval; None if no resamples were asked for, or it is undefined.
    """

    coefficient: str
    level: Level
    pairs: int
    value: float | None
    interval: BootstrapInterval | None


def correlations(observations: Sequence[Observation], level: Level, *, seed: int, resamples: int) -> list[Correlation]:
    """Return Pearson's, Spearman's and Kendall's coefficients (tau-b), with bootstrap intervals over sentences.

    A resample draws sentences, each with its translations by all systems, because these are alike. By system it draws sentences too:
    the interval is about the same systems on other sentences.

    Args:
        observations: the judged translations.
        level: see `Correlation`.
        seed: of the bootstrap.
        resamples: number of resamples; 0 for no intervals.
    """
    clusters: dict[tuple[str, int], list[Observation]] = {}
    for observation in observations:
        clusters.setdefault(observation.sentence, []).append(observation)
    result = []
    for name, coefficient in COEFFICIENTS.items():

        def statistic(sample: Sequence[Observation], of: Callable[..., float | None] = coefficient) -> float | None:
            return of(_pairs(sample, level))

        interval = (
            bootstrap_interval(clusters.values(), statistic, seed=seed, resamples=resamples) if resamples else None
        )
        result.append(Correlation(name, level, len(_pairs(observations, level)), statistic(observations), interval))
    return result


def _pairs(observations: Iterable[Observation], level: Level) -> list[Pair]:
    """Return the human and the automatic score of each sentence and system, or of each system."""
    if level == "sentence":
        return [(observation.human, observation.value) for observation in observations]
    systems: dict[str, list[Observation]] = {}
    for observation in observations:
        systems.setdefault(observation.system, []).append(observation)
    return [
        (
            sum(entry.human for entry in entries) / len(entries),
            sum(entry.value * entry.weight for entry in entries) / sum(entry.weight for entry in entries),
        )
        for _, entries in sorted(systems.items())
    ]


def pearson(pairs: Sequence[Pair]) -> float | None:
    """Return Pearson's coefficient; None where it is undefined.

    >>> pearson([(1, 2), (2, 4), (3, 6)]), pearson([(1, 2), (1, 3)]), pearson([])
    (1.0, None, None)
    """
    import numpy

    if _constant(pairs):
        return None
    first, second = numpy.array(pairs, dtype=float).T
    first, second = first - first.mean(), second - second.mean()
    size = float(numpy.sqrt((first @ first) * (second @ second)))
    return float(numpy.clip(first @ second / size, -1, 1)) if size else None


def spearman(pairs: Sequence[Pair]) -> float | None:
    """Return Spearman's coefficient, Pearson's of the ranks; ties share their mean rank."""
    from scipy.stats import rankdata

    if _constant(pairs):
        return None
    first, second = (rankdata(column) for column in zip(*pairs, strict=True))
    return pearson(list(zip(first, second, strict=True)))


def kendall(pairs: Sequence[Pair]) -> float | None:
    """Return Kendall's tau-b, which corrects for ties."""
    from scipy.stats import kendalltau

    if _constant(pairs):
        return None
    first, second = zip(*pairs, strict=True)
    return float(kendalltau(first, second).statistic)


def _constant(pairs: Sequence[Pair]) -> bool:
    """Return whether a column has fewer than two values, so that no coefficient is defined."""
    return len({first for first, _ in pairs}) < 2 or len({second for _, second in pairs}) < 2


#: The coefficients by name.
COEFFICIENTS: Mapping[str, Callable[[Sequence[Pair]], float | None]] = {
    "Pearson": pearson,
    "Spearman": spearman,
    "Kendall": kendall,
}
