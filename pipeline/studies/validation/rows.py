"""The rows of a study folder: one for the study, one for each list, one for each task, one for its judgements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import from_json, parse_jsonl, read_text, to_json
from ...core.validation.derivation import Derived, compare
from ...core.validation.rows import text_of
from ...core.validation.suite import Row
from ..design.layout import Layout, check_design, lay_out
from ..design.snapshot import snapshot_from_json
from ..model.answers import read_answers
from ..model.judgements import PSEUDONYM, numbered_judgements
from ..model.remarks import REMARKS, clear_remarks, read_remarks
from ..model.study import read_study, study_to_json

_STUDY, _TASKS, JUDGEMENTS = "study.json", "tasks.jsonl", "judgements.jsonl"
#: Maximum number of records on a screen; a damaged study may hold any number.
MAX_SCREEN = 100


def studies(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of study folders; the value of each has the ``study``.

    - The row of the study has the ``files`` of the folder, the tasks of its ``lists``, and the ``fault`` for which it could not be
      laid out again, or the study as it is and as it would be, as ``laid_out``.
    - The row of a list has the tasks of the ``list``.
    - The row of a task has the ``task``, its ``keys``, the ``fields`` in the data of the first task, the ids of the records that
      have no target (``untargeted``), and as ``derived`` what `compare` finds. The row of a task that is missing has only that.
    - The row of the judgements, if the folder has some, has ``judgements``: why they do not fit the study.

    Raises:
        PipelineError: a file is missing or is not JSON, or the study or a task has no name.
    """
    return [row for path in paths for row in _study_rows(path)]


def screen_of(study: Mapping[str, Any]) -> int:
    """Return the number of records on a screen."""
    size = study.get("screen")
    return size if type(size) is int and 0 < size <= MAX_SCREEN else 1


def layout_of(study: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the records of a study are divided into lists."""
    layout = study.get("layout")
    return layout if isinstance(layout, dict) else {}


def data_of(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the server gets of a task."""
    data = task.get("data")
    return data if isinstance(data, dict) else {}


def shows_of(study: Mapping[str, Any]) -> dict[str, str]:
    """Return the field of the record that each name in the data shows, for one record of a screen; empty if unknown."""
    design = study.get("design")
    show = design.get("show") if isinstance(design, dict) else None
    return {name: field for name, field in show.items() if isinstance(field, str)} if isinstance(show, dict) else {}


def names_of(study: Mapping[str, Any], *fields: str) -> Iterator[str]:
    """Yield the names in the data under which a task shows these fields, for all records of its screen."""
    screen = screen_of(study)
    for number in range(screen):
        for name, field in shows_of(study).items():
            if field in fields:
                yield data_name(name, number, screen)


def data_name(name: str, number: int, screen: int) -> str:
    """Return the name in the data of what is shown of the record at `number` (from 0) on the screen."""
    return name if screen == 1 else f"{name}_{number + 1}"


def _study_rows(folder: Path) -> list[Row]:
    study = _read_study(folder / _STUDY)
    path, untargeted = folder / _TASKS, _untargeted(study)
    rows: list[Row] = []
    lists: dict[str, list[Row]] = {}
    for line, task in parse_jsonl(read_text(path), path):
        if not text_of(task, "key"):
            raise PipelineError(path, line, f"[key] missing field; found {shown(task.get('key'))}, expected text")
        first = rows[0].value["task"] if rows else task
        value = {"study": study, "keys": list(task), "fields": list(data_of(first)), "task": task}
        rows.append(Row(task["key"], path, line, value | {"untargeted": untargeted}))
        lists.setdefault(text_of(task, "list"), []).append(rows[-1])
    members = {name: [row.value["task"] for row in part] for name, part in lists.items()}
    files = sorted(file.name for file in folder.iterdir())
    value = {"study": study, "lists": members, "files": files}
    try:
        layout = _laid_out_again(study, folder / _STUDY)
    except (PipelineError, ValueError) as error:
        value["fault"] = error.reason if isinstance(error, PipelineError) else str(error)
    else:
        value["laid_out"] = {"found": study, "expected": from_json(to_json(study_to_json(layout.study)))}
        rows = _with_derived(rows, path, layout)
    return [
        Row(study["id"], folder / _STUDY, 1, value),
        *(
            Row(f"{study['id']}/{name}", path, part[0].line, {"study": study, "list": members[name]})
            for name, part in lists.items()
        ),
        *rows,
        *_judgements(folder),
    ]


def _read_study(path: Path) -> dict[str, Any]:
    try:
        study = from_json(read_text(path))
    except ValueError as error:
        raise PipelineError(path, 1, f"[json] not JSON; {error}") from error
    if not isinstance(study, dict) or not text_of(study, "id"):
        raise PipelineError(path, 1, "[id] missing field; expected the id of the study")
    return study


def _laid_out_again(study: Mapping[str, Any], path: Path) -> Layout:
    """Return the layout that the design in study.json gives.

    Raises:
        PipelineError, ValueError: the design is missing or malformed, or no study can be laid out from it.
    """
    design, material = snapshot_from_json(study, path)
    check_design(design)
    lists = study.get("lists")
    number = len(material.selected) if design.lists.scheme == "raters" else design.lists.projects
    if design.screen > MAX_SCREEN or not isinstance(lists, list) or len(lists) != number:
        raise ValueError(f"[lists] found {shown(lists)} and a screen of {design.screen}, expected {number} lists")
    return lay_out(design, material)


def _untargeted(study: Mapping[str, Any]) -> list[str]:
    """Return the ids of the designed records that have no target."""
    design = study.get("design")
    selected = design.get("selected") if isinstance(design, dict) else None
    lists = selected.values() if isinstance(selected, dict) else ()
    records = [record for part in lists if isinstance(part, list) for record in part if isinstance(record, dict)]
    return [text_of(record, "id") for record in records if record.get("target") is None]


def _with_derived(rows: Sequence[Row], path: Path, layout: Layout) -> list[Row]:
    """Return the rows of the tasks with what `compare` finds, and those of the missing tasks."""
    expected = [from_json(to_json(asdict(task))) for task in layout.tasks]
    compared = compare(Derived(_TASKS, path, expected, key=partial(text_of, field="key")))
    missing = [Row(row.id, path, row.line, {"derived": row.value}) for row in compared[len(rows) :]]
    return [
        *(
            Row(row.id, path, row.line, {**row.value, "derived": other.value})
            for row, other in zip(rows, compared, strict=False)
        ),
        *missing,
    ]


def _judgements(folder: Path) -> Iterator[Row]:
    """Yield the row of the judgements that were pulled into the folder."""
    path = folder / JUDGEMENTS
    if not path.exists():
        return
    line, reason = 1, ""
    try:
        study, tasks = read_study(folder)
        read_answers(path, study, tasks)
        judgements = numbered_judgements(path)
        for line, judgement in judgements:
            if not PSEUDONYM.fullmatch(judgement.rater):
                expected = "expected a pseudonym such as r-0a1b2c, as annotate pull makes them"
                raise PipelineError(path, line, f"[rater] found {shown(judgement.rater)}, {expected}")
        before = [judgement for _, judgement in judgements]
        cleared = clear_remarks(study, tasks, before, read_remarks(folder / REMARKS), before)
        for (line, judgement), clear in zip(judgements, cleared.judgements, strict=True):
            if judgement.answers != clear.answers:
                expected = f"expected none, or a yes in {REMARKS}: run annotate pull again"
                raise PipelineError(path, line, f"[answers] found personal data in a remark, {expected}")
        line = 1
    except PipelineError as error:
        line, reason = (error.line or 1, error.reason) if error.path == path else (1, str(error))
    yield Row(JUDGEMENTS, path, line, {"judgements": reason})
