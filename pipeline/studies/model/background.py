"""What raters say of themselves: consent, and the groups by which figures are broken down."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, shown
from .answers import TaskJudgement, read_answers
from .study import Study, read_study

#: The control of a form that asks for consent, and its codes.
CONSENT, AGREE, DECLINE = "consent", "agree", "decline"


@dataclass(frozen=True, slots=True)
class Background:
    """The answers to a form.

    Attributes:
        agreed: the raters who take part.
        declined: the raters who do not.
        traits: for each other question the code of each rater who agreed and answered it.
    """

    agreed: frozenset[str]
    declined: frozenset[str]
    traits: Mapping[str, Mapping[str, str]]


def read_background(folder: Path) -> Background:
    """Return the background of the raters whose forms `annotate pull` wrote into a folder; see `background_of`.

    Raises:
        PipelineError: a file is missing or malformed, or the study does not ask for consent.
    """
    study, tasks = read_study(folder)
    return background_of(study, read_answers(folder / "judgements.jsonl", study, tasks))


def background_of(study: Study, judgements: Iterable[TaskJudgement]) -> Background:
    """Return what raters answered to a form.

    Args:
        study: the study with the form.
        judgements: what raters submitted, with the tasks. A rater who skipped the form, or the question for consent, answered nothing.

    Raises:
        PipelineError: the study does not ask for consent.
    """
    asked = {control.name: control for control in study.controls if control.kind == "choice"}
    if CONSENT not in asked or not {AGREE, DECLINE} <= set(asked[CONSENT].choices):
        names = shown(", ".join(control.name for control in study.controls))
        reason = f"[background] study {study.id} asks for no consent; found the controls {names}"
        raise PipelineError(None, None, f"{reason}, expected {CONSENT} with {AGREE} and {DECLINE}")
    consent: dict[str, str] = {}
    traits: dict[str, dict[str, str]] = {name: {} for name in asked if name != CONSENT}
    for judgement in judgements:
        if CONSENT not in judgement.answers:
            continue
        consent[judgement.rater] = str(judgement.answers[CONSENT])
        for name, of_trait in traits.items():
            if name in judgement.answers and consent[judgement.rater] == AGREE:
                of_trait[judgement.rater] = str(judgement.answers[name])
    return Background(
        agreed=frozenset(rater for rater, code in consent.items() if code == AGREE),
        declined=frozenset(rater for rater, code in consent.items() if code == DECLINE),
        traits=traits,
    )
