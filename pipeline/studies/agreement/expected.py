"""The expected answers to a control: the right candidate, yes or no about one entity, the right form for a blank."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...statistics.ratings import Category
from ..model.answers import TaskJudgement
from ..model.design import Control
from ..model.study import Study, Task

#: Controls that ask with yes and no about one entity, or about the hypothesis on it: yes is right for the right candidate.
ABOUT_ENTITY = ("refers", "follows")
YES, NO = "yes", "no"


def expected_answers(study: Study, tasks: Iterable[Task], control: Control) -> dict[str, Category]:
    """Return the expected answer to a control by item, practice too; empty if the control has none."""
    gold = {
        item: number for task in tasks for item, number in zip(task.items, task.gold, strict=True) if number is not None
    }
    if control.asks_for_candidate:
        return dict(gold)
    if control.name in ABOUT_ENTITY and {YES, NO} <= set(control.choices):
        entities = {item: item.rpartition("/")[2] for item in gold}
        return {
            item: YES if entity == str(gold[item]) else NO for item, entity in entities.items() if entity.isdecimal()
        }
    if control.kind == "text" and control.required:
        return {item: same_text(form) for item, form in _blanks(study)}
    return {}


def _blanks(study: Study) -> Iterable[tuple[str, str]]:
    """Yield each record with the words that its blank replaces."""
    design: Mapping[str, Any] = study.design or {}
    if "blanked" not in design.get("show", {}).values():
        return
    for row in [*design["practice"], *(row for rows in design["selected"].values() for row in rows)]:
        item = row["item"]
        if item["target"] is not None:
            yield item["id"], item["text"][item["target"]["start"] : item["target"]["end"]]


def same_text(answer: Category) -> str:
    """Return a text answer without outer blanks and capitals, which tell no answers apart."""
    return str(answer).strip().casefold()


def marks(judgement: TaskJudgement, control: Control, expected: Mapping[str, Category]) -> bool | None:
    """Return whether a judgement's answer to a control is the expected one; None without an answer or an expectation."""
    if control.name not in judgement.answers or judgement.item not in expected:
        return None
    answer = judgement.answers[control.name]
    return (same_text(answer) if control.kind == "text" else answer) == expected[judgement.item]
