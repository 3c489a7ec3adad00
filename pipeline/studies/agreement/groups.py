"""The figures of a study by what raters say of themselves."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...statistics.agreement import krippendorff_alpha
from ...statistics.human_accuracy import mark
from ...statistics.ratings import Category, Judgements
from ...statistics.summary import summarise
from ..model.answers import TaskJudgement, answers_by_item, first_answers
from ..model.background import Background
from ..model.study import Study, Task
from .expected import expected_answers
from .measures import mean_estimate, share_of_right

#: Least number of raters of a group whose figures are shown: of fewer, somebody who knows them could recognise them.
LEAST = 3


def group_figures(
    study: Study, tasks: Sequence[Task], judgements: Sequence[TaskJudgement], background: Background
) -> dict[str, Any]:
    """Return the figures of the main tasks for each group of raters, as JSON values.

    ``missing`` has the raters without a form. ``traits`` has for each question and code the number of raters and, for `LEAST` raters
    or more, of each control with expected answers the share of right ones with its interval (schemas are clusters), of each rating the
    mean over items with its t interval, and of both Krippendorff's alpha (nominal; of ratings ordinal).

    Args:
        study: the study.
        tasks: all its tasks.
        judgements: what raters submitted, with the tasks.
        background: what raters say of themselves.
    """
    answered = first_answers(judgements)
    raters = {judgement.rater for judgement in answered}
    expected = {control.name: expected_answers(study, tasks, control) for control in study.controls}
    return {
        "missing": sorted(raters - background.agreed - background.declined),
        "traits": {
            trait: {
                code: _group(study, answered, expected, {rater for rater in raters if codes.get(rater) == code})
                for code in sorted({code for rater, code in codes.items() if rater in raters})
            }
            for trait, codes in background.traits.items()
        },
    }


def _group(
    study: Study, answered: Iterable[TaskJudgement], expected: Mapping[str, Mapping[str, Category]], raters: set[str]
) -> dict[str, Any]:
    if len(raters) < LEAST:
        return {"raters": len(raters), "controls": None}
    own = [judgement for judgement in answered if judgement.rater in raters]
    controls = {}
    for control in study.controls:
        table = answers_by_item(own, control.name)
        if expected[control.name] and control.kind != "text":
            controls[control.name] = _right(table, expected[control.name])
        elif control.kind == "rating":
            controls[control.name] = _rated(table)
    return {"raters": len(raters), "controls": controls}


def _right(table: Judgements, gold: Mapping[str, Category]) -> dict[str, Any]:
    known = {item: row for item, row in table.items() if item in gold}
    return {
        "answers": sum(map(len, table.values())),
        "right": share_of_right(mark(known, gold)),
        "alpha": krippendorff_alpha(list(table.values())),
    }


def _rated(table: Judgements) -> dict[str, Any]:
    means = [sum(map(int, row.values())) / len(row) for row in table.values()]
    return {
        "answers": sum(map(len, table.values())),
        "mean": mean_estimate(summarise(means), "no answers"),
        "alpha": krippendorff_alpha(list(table.values()), "ordinal"),
    }
