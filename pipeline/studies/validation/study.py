"""The suite `study`: a study folder is what its design lays out, and the design asks nothing that it should not."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...core.convert import to_object
from ...core.errors import PipelineError, shown
from ...core.files import from_json, read_text
from ...core.validation.derivation import Derived, compare, difference
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Suite, Value, described, rows_with
from ..design.layout import Layout, check_design, lay_out
from ..design.snapshot import checksum, read_snapshot
from ..model.answers import read_answers
from ..model.design import Design
from ..model.judgements import PSEUDONYM, numbered_judgements
from ..model.remarks import REMARKS, clear_remarks, read_remarks
from ..model.study import read_study
from .shown import SHOWN

JUDGEMENTS = "judgements.jsonl"


def studies(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of study folders.

    - The row of the study has the ``files`` of the folder, the object of study.json as ``study`` and, if its design can be laid out again,
      ``found`` and ``expected`` objects of study.json, the ``design`` and its ``layout``; else the ``reason``.
    - The row of a task has what `compare` finds, and the designed ``task`` (or None) with the ``design``, and the ids
      of the records without a target as ``untargeted``.
    - The row of the judgements, if the folder has some, has as ``judgements`` why they do not fit the study.

    Raises:
        PipelineError: a file is missing or is not JSON, or the study has no name.
    """
    return [row for path in paths for row in _study_rows(path)]


def _study_rows(folder: Path) -> Iterator[Row]:
    path, tasks = folder / "study.json", folder / "tasks.jsonl"
    study = _read_study(path)
    value: dict[str, Any] = {"study": study, "files": sorted(file.name for file in folder.iterdir())}
    rows: list[Row] = []
    try:
        design, layout = _laid_out_again(study, path)
    except (PipelineError, ValueError) as error:
        value["reason"] = error.reason if isinstance(error, PipelineError) else str(error)
    else:
        value |= {"design": design, "layout": layout}
        value |= {"found": study, "expected": to_object(layout.study)}
        rows = _task_rows(tasks, design, layout)
    yield Row(study["id"], path, 1, value)
    yield from rows
    yield from _judgements(folder)


def _read_study(path: Path) -> dict[str, Any]:
    try:
        study = from_json(read_text(path))
    except ValueError as error:
        raise PipelineError(path, 1, f"[json] not JSON; {error}") from error
    if not isinstance(study, dict) or not text_of(study, "id"):
        raise PipelineError(path, 1, "[id] missing field; expected the id of the study")
    return study


def _laid_out_again(study: Mapping[str, Any], path: Path) -> tuple[Design, Layout]:
    """Return the design in study.json and the layout that it gives.

    Raises:
        PipelineError, ValueError: the design is missing or malformed, or no study can be laid out from it.
    """
    design, material = read_snapshot(study, path)
    check_design(design)
    lists = study.get("lists")
    number = len(material.selected) if design.lists.scheme == "raters" else design.lists.projects
    if not isinstance(lists, list) or len(lists) != number:
        raise ValueError(f"[lists] found {shown(lists)}, expected {number} lists")
    return design, lay_out(design, material)


def _task_rows(path: Path, design: Design, layout: Layout) -> list[Row]:
    designed = {task.key: task for task in layout.tasks}
    expected = [to_object(task) for task in layout.tasks]
    records = (record for members in layout.lists.values() for record in members)
    untargeted = {record.id for record in records if record.item.target is None}
    value = {"design": design, "untargeted": sorted(untargeted)}
    return [
        Row(row.id, path, row.line, {**row.value, **value, "task": designed.get(row.id)})
        for row in compare(Derived(path.name, path, expected, key=partial(text_of, field="key")))
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


# --- the folder against its design ------------------------------------------------------------------------------------

#: What the commands of `annotate` write into the folder of a study or of an export.
_FILES = (
    *("study.json", "tasks.jsonl", JUDGEMENTS, REMARKS),
    *("figures.json", "items.tsv", "index.html", "report", "export"),
)


def known_files(value: Value) -> str:
    """The folder has no other files than those that design, pull and agree write."""
    unknown = [name for name in value["files"] if name not in _FILES]
    return f"found {shown(unknown[0])}, expected only {', '.join(_FILES)}" if unknown else ""


def unedited(value: Value) -> str:
    """Nobody edited study.json: it has the checksum that annotate design wrote."""
    design = value["study"].get("design")
    written = design.get("sha256") if isinstance(design, dict) else None
    expected = checksum(value["study"])
    reason = f"found {shown(written)}, expected {shown(expected)} of what the file holds"
    return "" if written == expected else f"edited by hand; {reason}: edit the design and run annotate design"


def laid_out_again(value: Value) -> str:
    """The design in study.json gives a study."""
    return f"cannot be laid out again; {value['reason']}: run annotate design" if "reason" in value else ""


def study_as_designed(value: Value) -> str:
    """What all tasks share follows from the design: title, instruction, config, controls, lists, criteria for raters."""
    if "layout" not in value:
        return ""
    return difference(
        {
            side: {name: content for name, content in value[side].items() if name != "design"}
            for side in ("found", "expected")
        }
    )


def judgements_fit(value: Value) -> str:
    """Judgements in the folder are answers to its tasks, under pseudonyms and without personal data."""
    return str(value["judgements"])


#: The checks of the folder against its design.
_DESIGNED: Mapping[str, Check] = {
    "known-files": rows_with("files", known_files),
    "unedited": rows_with("files", unedited),
    "laid-out-again": rows_with("files", laid_out_again),
    "study-as-designed": rows_with("files", study_as_designed),
    "task-as-designed": rows_with("task", described(
        "The lists have the designed tasks, in their order, each with what was designed of its records.", difference
    )),
    "judgements-fit": rows_with("judgements", judgements_fit),
}  # fmt: skip

STUDY = Suite(
    "study",
    "studies to be pushed (build/annotation/STUDY)",
    studies,
    {**_DESIGNED, **SHOWN},
    may_be_empty=True,
)
