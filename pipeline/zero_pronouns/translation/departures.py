"""What each departure from the authors' tool does to the accuracy of a translation."""

from dataclasses import dataclass, replace

from .accuracy import Accuracy, accuracy
from .judge import DEPARTURES, PUBLISHED
from .sentences import Translation


@dataclass(frozen=True, slots=True)
class Effect:
    """The accuracy with a departure alone.

    Attributes:
        name: the departure, of `DEPARTURES`; empty for the authors' rules.
        accuracy: the accuracy with it.
        gained: zeros that are translated with it and not without.
        lost: zeros that are translated without it and not with it.
    """

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
