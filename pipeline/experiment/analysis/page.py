"""The page of an analysis."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.drawings import inline_svg
from ...core.pages import page_environment
from .analysis import Analysis
from .relations import LABELS, MEASURED, UNITS
from .tables import CAUSES, pronoun, votes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The script in R that fits the same model with lme4.
SCRIPT = Path(__file__).with_name("analysis.R")
#: Names of what models are compared with.
HUMAN: Mapping[str, str] = {
    "accuracy": "accuracy",
    "confidence": "confidence",
    "rt_mean": "response time",
    "agreement": "agreement",
}


def page(analysis: Analysis, drawings: Mapping[str, "Figure"], causes: Mapping[str, str]) -> str:
    """Return the page as HTML that needs no other file and no network; its script sorts tables."""
    kept, everyone = analysis.figures.kept, analysis.figures.everyone
    groups = [("kept", kept), ("everyone", everyone)] if everyone else [("everyone", kept)]
    return (
        page_environment()
        .get_template("experiment/analysis/page.html.j2")
        .render(
            figures=analysis.figures,
            kept=kept,
            groups=groups,
            items=sorted(analysis.items, key=lambda entry: (entry.accuracy, entry.item.id)),
            errors=[entry for entry in analysis.items if entry.right is False],
            models=list(dict.fromkeys(entry.model for entry in kept.models)),
            people={name: person for name, person in analysis.people.items() if person.reasons},
            drawings={name: inline_svg(figure, name) for name, figure in drawings.items()},
            pronoun=pronoun,
            votes=votes,
            units=UNITS,
            measured=MEASURED,
            human=HUMAN,
            effects=LABELS,
            causes=causes,
            known_causes=CAUSES,
        )
    )
