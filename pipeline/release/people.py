"""What people have judged of a release: the raters, agreement and accuracy of each study."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..core.convert import to_object
from ..core.files import from_json, to_json
from ..core.model import Item
from ..statistics.agreement import krippendorff_alpha, percent_agreement
from ..statistics.intervals import ratio
from ..statistics.ratings import Category, Judgements
from ..studies.agreement.items import item_rows
from ..studies.design.fields import StudyRecord, shows_as_is
from ..studies.model.answers import (
    TaskJudgement,
    answers_by_item,
    expected_answers,
    first_answers,
    read_answers,
    same_text,
)
from ..studies.model.design import Control
from ..studies.model.study import Study, Task, read_study

#: The file of a release; only those of collections that people have judged have it.
STUDIES = "studies.json"
#: Where a repository keeps what raters answered.
EXPORTS = Path("annotation/exports")
#: The kinds of controls that have figures here, if each rater must answer them.
_KINDS = ("candidate", "choice", "rating", "text")
#: The digits of a share: more would differ between machines.
_DIGITS = 4


def judged_items(exports: Path | None, items: Iterable[Item], others: Collection[str] = ()) -> dict[str, Any]:
    """Return what people have judged of a collection; nothing if no study asks about it.

    Args:
        exports: the folder of the exports, each a folder that `annotate pull` writes; None for no studies.
        items: the released items.
        others: the ids of records that are not released, which an audit asks about.

    Returns:
        ``items``, the number of released items; ``judged`` of them as they are, ``changed``, those that were judged in other words
        only; ``studies``, for each question of each study ``raters``, ``items``, ``answers``, ``agreement`` (share of agreeing
        pairs of raters), ``alpha`` (Krippendorff's), ``right`` (share of expected answers) and ``mean`` (of ratings); and ``by_item``,
        for each study and each released item that it judged as it is the values of `item_rows`. Undefined is None.

    Raises:
        PipelineError: an export is malformed.
    """
    records = {item.id: StudyRecord(item=item) for item in items}
    languages = {record.item.lang for record in records.values()}
    studies: list[dict[str, Any]] = []
    judged: dict[str, bool] = {}
    by_item: list[dict[str, Any]] = []
    for path in sorted(exports.glob("*/judgements.jsonl")) if exports else ():
        study, tasks = read_study(path.parent)
        # A study in another language asks about translations, one without questions about something else, such as systems' answers.
        if study.lang not in languages or not _asked(study):
            continue
        if not any(_record_of(item) in records or _record_of(item) in others for task in tasks for item in task.items):
            continue
        main = [answer for answer in read_answers(path, study, tasks) if answer.task.phase == "main"]
        answered = first_answers(main)
        as_released = set()
        for answer in answered:
            if record := records.get(_record_of(answer.item)):
                as_is = shows_as_is(study, answer.task, answer.place, record)
                judged[record.id] = judged.get(record.id, False) or as_is
                if as_is:
                    as_released.add(answer.item)
        by_item += [
            {"study": study.id} | to_object(row) for row in item_rows(study, tasks, main) if row.item in as_released
        ]
        studies += _questions(study, tasks, answered)
    if not studies:
        return {}
    as_they_are = sum(judged.values())
    return {
        "items": len(records),
        "judged": as_they_are,
        "changed": len(judged) - as_they_are,
        "studies": studies,
        "by_item": by_item,
    }


def _record_of(item: str) -> str:
    """Return the id of a record of which a study may ask about one entity."""
    return item.partition("/")[0]


def _asked(study: Study) -> list[Control]:
    """Return the controls that each rater must answer and that have figures here."""
    return [control for control in study.controls if control.required and control.kind in _KINDS]


def _questions(study: Study, tasks: Iterable[Task], answered: Iterable[TaskJudgement]) -> Iterator[dict[str, Any]]:
    tasks, answered = list(tasks), list(answered)
    for control in _asked(study):
        table: Judgements = answers_by_item(answered, control.name)
        if control.kind == "text":
            table = {item: {rater: same_text(answer) for rater, answer in row.items()} for item, row in table.items()}
        if table:
            yield {"study": study.id, "question": control.name} | _figures(
                control, table, expected_answers(study, tasks, control)
            )


def _figures(control: Control, table: Judgements, expected: Mapping[str, Category]) -> dict[str, Any]:
    rows = list(table.values())
    answers = [answer for row in rows for answer in row.values()]
    known = {item: row for item, row in table.items() if item in expected}
    right = [answer == expected[item] for item, row in known.items() for answer in row.values()]
    rating = control.kind == "rating"
    return {
        "raters": len({rater for row in rows for rater in row}),
        "items": len(rows),
        "answers": len(answers),
        "agreement": _rounded(percent_agreement(rows)),
        "alpha": _rounded(krippendorff_alpha(rows, "ordinal" if rating else "nominal")),
        "right": _rounded(ratio(sum(right), len(right))),
        "mean": _rounded(sum(map(int, answers)) / len(answers)) if rating else None,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def studies_file(people: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the file of a release that says what people have judged, by its name; none if nobody has."""
    return {STUDIES: f"{to_json(people)}\n".encode()} if people else {}


def studies_from_json(text: str) -> dict[str, Any]:
    """Return what `studies_file` was given; nothing for no text or a malformed one, with which no card agrees."""
    try:
        people = from_json(text) if text else {}
        complete = {"items", "judged", "changed", "studies"} <= people.keys() and all(
            {"study", "question", "raters", "items", "answers", "agreement", "alpha", "right", "mean"} <= row.keys()
            for row in people["studies"]
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}
    return people if complete else {}
