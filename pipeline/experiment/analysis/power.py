"""Power by simulation: how often an experiment of a size finds an effect."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ...evaluation.cloze.items import ClozeItem
from ...language.pronoun_classes import GENDERS
from ...statistics.intervals import clustered_interval
from ...statistics.ratios import ratio
from .judgements import judgements
from .regression import SECOND, fit
from .responses import PlannedTrial
from .simulation import Truth, simulate

#: The effects that a power table can have: of the second place, and of *es* against *er*.
EffectName = Literal["place", "pronoun"]
#: The parameter of `Truth` and the fixed effect of the model, by name.
_EFFECTS: Mapping[EffectName, tuple[str, str]] = {"place": ("second", SECOND), "pronoun": (GENDERS[2], GENDERS[2])}
#: Significance.
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Power:
    """A cell of the table.

    Attributes:
        people: number of people.
        effect: the effect in log-odds.
        runs: number of experiments whose model could be fitted.
        detected: those of them with p below `ALPHA` and the sign of the effect; without an effect, with any sign: errors of the first kind.
        failed: experiments whose model could not be fitted.
        mean: mean estimate of the effect.
    """

    people: int
    effect: float
    runs: int
    detected: int
    failed: int
    mean: float | None

    @property
    def power(self) -> float | None:
        """The share of experiments that find the effect."""
        return ratio(self.detected, self.runs)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Clopper and Pearson's 95 % interval of the power; wider where all experiments agree, see `clustered_interval`."""
        return clustered_interval([(1, 1)] * self.detected + [(0, 1)] * (self.runs - self.detected))


def power_cell(
    items: Sequence[ClozeItem],
    lists: Mapping[int, Sequence[PlannedTrial]],
    truth: Truth,
    *,
    name: EffectName,
    effect: float,
    people: int,
    seeds: Iterable[int],
    done: Callable[[], None] = lambda: None,
) -> Power:
    """Return the power of experiments of one size for one effect.

    Everyone is attentive and completes: power is that of the people who are kept.

    Args:
        items: the items.
        lists: the trials of each list; people are dealt to them in turn.
        truth: the other parameters.
        name: the effect.
        effect: its size in log-odds.
        people: number of people.
        seeds: one for each experiment.
        done: called after each experiment.
    """
    parameter, fixed = _EFFECTS[name]
    settings = replace(truth, inattentive=0.0, incomplete=0.0, **{parameter: effect})
    detected, failed, estimates = 0, 0, []
    for seed in seeds:
        simulated = simulate(items, lists, settings, people=people, seed=seed)
        try:
            model = fit(judgements(simulated.results.responses, items, Path("simulated")))
            (tested,) = (entry for entry in model.effects if entry.name == fixed)
        except ValueError:
            failed += 1
        else:
            estimates.append(tested.estimate)
            detected += tested.p < ALPHA and (not effect or (tested.estimate > 0) == (effect > 0))
        done()
    mean = sum(estimates) / len(estimates) if estimates else None
    return Power(people, effect, len(estimates), detected, failed, mean)
