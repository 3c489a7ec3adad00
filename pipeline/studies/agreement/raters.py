"""The figures of a study with all raters beside those without the raters who miss a criterion."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...core.errors import PipelineError, shown
from ..model.answers import TaskJudgement
from ..model.background import Background
from ..model.design import Criteria
from ..model.study import Study, Task
from .conduct import conduct_of_raters, conduct_to_json
from .figures import figures
from .groups import group_figures
from .measures import Bootstrap

#: The reason of a rater whom the person who runs the command leaves out.
BY_HAND = "left out by --without"


def rater_figures(
    study: Study,
    tasks: Sequence[Task],
    judgements: Sequence[TaskJudgement],
    bootstrap: Bootstrap,
    without: Collection[str] = (),
    background: Background | None = None,
) -> dict[str, Any]:
    """Return the figures of a study (see `figures`), how each rater answered, and the figures without some raters.

    ``raters`` has the criteria, whether the design states them, and the conduct of each rater; ``without`` has the raters left out
    with their reasons, and counts and figures of the controls for the others, or is None if nobody is left out; ``background`` has
    the figures by group (see `group_figures`).

    Args:
        study: the study. If it states no criteria, the default ones count.
        tasks: all its tasks.
        judgements: what raters submitted, with the tasks.
        bootstrap: the settings of the bootstrap intervals.
        without: raters to leave out besides those who miss a criterion.
        background: what raters say of themselves; None if nobody was asked.

    Raises:
        PipelineError: a rater to leave out has no judgement.
    """
    known = {judgement.rater for judgement in judgements}
    for rater in without:
        if rater not in known:
            reason = (
                f"[without] unknown rater; found {shown(rater)}, expected one of {', '.join(sorted(known)) or 'none'}"
            )
            raise PipelineError(None, None, reason)
    criteria = study.criteria or Criteria()
    conduct = conduct_of_raters(study, tasks, judgements, criteria)
    reasons = {rater: list(of_rater.reasons.values()) for rater, of_rater in conduct.items()}
    for rater in sorted(set(without)):
        reasons.setdefault(rater, []).append(BY_HAND)
    left_out = {rater: texts for rater, texts in sorted(reasons.items()) if texts}
    return figures(study, tasks, judgements, bootstrap) | {
        "raters": {
            "criteria": asdict(criteria),
            "stated": study.criteria is not None,
            "raters": {rater: conduct_to_json(of_rater) for rater, of_rater in conduct.items()},
        },
        "background": group_figures(study, tasks, judgements, background) if background else None,
        "without": _without(study, tasks, judgements, bootstrap, left_out) if left_out else None,
    }


def _without(
    study: Study,
    tasks: Sequence[Task],
    judgements: Sequence[TaskJudgement],
    bootstrap: Bootstrap,
    left_out: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    kept = [judgement for judgement in judgements if judgement.rater not in left_out]
    measured = figures(study, tasks, kept, bootstrap)
    return {"raters": dict(left_out), "counts": measured["counts"], "controls": measured["controls"]}
