"""Score how a system recovers zero pronouns."""

from pathlib import Path
from typing import Annotated

from ...core.pages import percent
from ...zero_pronouns.recovery import Recovery, read_recovered
from ..parameters import arg
from ..report import Report


def command(
    gold: Annotated[Path, arg("GOLD", "Chinese with the right labels, a sentence a line.")],
    system: Annotated[Path, arg("SYSTEM", "The same sentences with the labels of a system.")],
) -> Report:
    """Score recovered zero pronouns (AZPR): precision, recall, F1; exit 1 if a label is malformed or a text another."""
    scores = read_recovered(gold, system)
    report = Report(findings=list(scores.findings))
    parts = {"place, pronoun and form": scores.overall, "place and pronoun": scores.without_form, **scores.forms}
    for name, part in parts.items():
        report.add(
            f"{name}: precision {percent(part.precision)}, recall {percent(part.recall)}, F1 {percent(part.f1)}; "
            f"{part.both} right of {part.system} by the system, {part.gold} in {gold}"
        )
    report.figures = {
        "overall": _figures(scores.overall),
        "without_form": _figures(scores.without_form),
        "forms": {form: _figures(part) for form, part in scores.forms.items()},
    }
    return report


def _figures(part: Recovery) -> dict[str, float | None]:
    return {
        "gold": part.gold,
        "system": part.system,
        "both": part.both,
        "precision": part.precision,
        "recall": part.recall,
        "f1": part.f1,
    }
