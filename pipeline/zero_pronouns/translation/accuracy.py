"""The accuracy of translated zeros (AZPT), by form and by label, and what each departure from the authors' tool does to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..frequencies import UNTYPED
from ..pronouns import FORMS
from .details import OUTCOMES, Verdict
from .expected import LABEL
from .judge import DEPARTURES, PUBLISHED, Translation


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many zeros were translated, by the outcomes in `OUTCOMES`."""

    outcomes: Mapping[str, int]

    @property
    def zeros(self) -> int:
        """All zeros; at least one."""
        return sum(self.outcomes.values())

    @property
    def share(self) -> float:
        """AZPT: the share of zeros that were translated, of all zeros, from 0 to 1 (EMNLP 2022, equation 1)."""
        return self.outcomes["right"] / self.zeros

    def figures(self) -> dict[str, float]:
        """Return the figures for a report in JSON."""
        return {"zeros": self.zeros, **self.outcomes, "azpt": self.share}


def accuracy(verdicts: Iterable[Verdict]) -> Accuracy:
    """Return the accuracy of some verdicts."""
    outcomes = dict.fromkeys(OUTCOMES, 0)
    for verdict in verdicts:
        outcomes[verdict.outcome] += 1
    return Accuracy(outcomes)


def by_form(verdicts: Iterable[Verdict]) -> dict[str, dict[str, Accuracy]]:
    """Return the accuracy for each label of each form, the forms in the order of `FORMS`, labels in the order of their first zero.

    The entry of a form under the empty label is its sum.
    """
    groups: dict[str, dict[str, list[Verdict]]] = {}
    for verdict in verdicts:
        form = form_of(verdict.label)
        labels = groups.setdefault(form, {"": []})
        labels[""].append(verdict)
        labels.setdefault(verdict.label, []).append(verdict)
    names = [*FORMS, *sorted(groups.keys() - FORMS.keys())]
    return {form: {label: accuracy(rows) for label, rows in groups[form].items()} for form in names if form in groups}


def form_of(label: str) -> str:
    """Return the letters of the form of a label, or `UNTYPED`.

    >>> form_of("<他的>_Pa"), form_of("<你>_S_n"), form_of("<他>"), form_of("<他>_S，")
    ('Pa', 'S', 'untyped', 'untyped')
    """
    match = LABEL.fullmatch(label)
    return match["form"] if match and match["form"] else UNTYPED


@dataclass(frozen=True, slots=True)
class Effect:
    """The accuracy with a departure of `DEPARTURES` alone, and the zeros that are translated only with it, and only without it."""

    name: str
    accuracy: Accuracy
    gained: int = 0
    lost: int = 0


def effects(translation: Translation, neighbours: int) -> list[Effect]:
    """Return the accuracy by the authors' rules, then that of each departure alone."""
    rules = replace(PUBLISHED, neighbours=neighbours)
    verdicts = translation.verdicts(rules)
    before = {(verdict.sentence, verdict.place) for verdict in verdicts if verdict.right}
    parts = [Effect("", accuracy(verdicts))]
    for name in DEPARTURES:
        changed = translation.verdicts(replace(rules, **{name: True}))
        after = {(verdict.sentence, verdict.place) for verdict in changed if verdict.right}
        parts.append(Effect(name, accuracy(changed), len(after - before), len(before - after)))
    return parts
