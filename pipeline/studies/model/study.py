"""A study that can be pushed: study.json and tasks.jsonl in the folder build/annotation/STUDY."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_args

from ...core.errors import PipelineError, plural, shown
from ...core.files import from_json, parse_jsonl, read_text, to_json, write_jsonl, write_text
from .criteria import Criteria, criteria_from_json
from .design import Control, ControlKind, Lists

#: What a task is for; fillers and attention trials stand among the main tasks and are in no figure of theirs.
PHASES = ("practice", "main", "filler")
#: The name under which `push` adds a rater's place in the list to the data of a task; no design may use it.
PLACE = "place"
#: Lengths that Label Studio accepts for the title of a project.
TITLE_LENGTHS = range(3, 51)
#: Numbers that a candidate may have: each is shown with a letter.
_LETTERS = 26
_RUN_DESIGN = "expected a file of `annotate design`: run it again"


@dataclass(frozen=True, slots=True)
class Task:
    """What a rater sees on one screen.

    Attributes:
        key: ``STUDY/LIST/POSITION``, the position in three digits; unique, and in the task's data as ``task``.
        list: the name of its list.
        position: its place in the list, from 1.
        phase: ``practice``, ``main`` or ``filler``.
        items: the ids of the records on the screen.
        options: for each of them, the numbers of its candidates in the order in which they are shown.
        gold: for each of them, the number of the right candidate; None where there is none. The server never gets it.
        data: what the server gets.
    """

    key: str
    list: str
    position: int
    phase: str
    items: tuple[str, ...]
    options: tuple[tuple[int, ...], ...]
    gold: tuple[int | None, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Study:
    """What all tasks of a study share.

    Attributes:
        id: the name of the study.
        title: the title that raters see, followed by the name of the list.
        lang: the language of the guideline and the screen.
        screen: the number of records on a screen.
        controls: the questions on the screen.
        lists: the names of the lists, in order.
        instruction: the guideline as HTML.
        config: the labelling config, XML.
        layout: how the records were divided into lists; the suite `study` checks it.
        criteria: the criteria that raters must satisfy, as the design states them; None if it states none.
        shows_answers: whether raters may know the right answers of main tasks, because they gave theirs in an earlier study.
        design: what the study was laid out from, as JSON (`design.snapshot`), so that it can be laid out again; None if unknown.
    """

    id: str
    title: str
    lang: str
    screen: int
    controls: tuple[Control, ...]
    lists: tuple[str, ...]
    instruction: str
    config: str
    layout: Lists = field(default_factory=lambda: Lists("all"))
    criteria: Criteria | None = None
    shows_answers: bool = False
    design: Mapping[str, Any] | None = None

    def control_name(self, control: Control, number: int) -> str:
        """Return the name in the config of a control for the record at `number` (from 0) on the screen."""
        return control.name if self.screen == 1 else f"{control.name}-{number + 1}"


def list_title(title: str, name: str) -> str:
    """Return the title of the project of a list.

    Args:
        title: the title of the study.
        name: the name of the list.

    Raises:
        ValueError: Label Studio does not accept its length.
    """
    full = f"{title} · {name}"
    if len(full) not in TITLE_LENGTHS:
        reason = f"found {plural(len(full), 'character')} in {shown(full)}, expected {TITLE_LENGTHS[0]} to {TITLE_LENGTHS[-1]}"
        raise ValueError(f"[title] wrong length; {reason} with the name of the list")
    return full


def write_study(folder: Path, study: Study, tasks: Sequence[Task]) -> None:
    """Write both files of a study."""
    write_jsonl(folder / "tasks.jsonl", map(asdict, tasks))
    write_text(folder / "study.json", to_json(study_to_json(study)) + "\n")


def study_to_json(study: Study) -> dict[str, Any]:
    """Return the object of study.json."""
    row = asdict(study)
    row["told"] = row.pop("shows_answers")
    row["design"] = row.pop("design")
    return row


def read_study(folder: Path) -> tuple[Study, list[Task]]:
    """Return what `write_study` wrote.

    Raises:
        PipelineError: a file is missing or malformed.
    """
    if folder.is_file():
        raise PipelineError(folder, None, "[study] a file; expected the folder that annotate design writes")
    path = folder / "study.json"
    try:
        row = from_json(read_text(path))
        row["shows_answers"] = row.pop("told")
        row["controls"] = tuple(Control(**entry | {"choices": tuple(entry["choices"])}) for entry in row["controls"])
        row["criteria"] = criteria_from_json(row.get("criteria"))
        study = Study(**row | {"lists": tuple(row["lists"]), "layout": Lists(**row["layout"])})
        _check_study(study)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PipelineError(path, 1, f"[study] malformed; {_problem(error)}, {_RUN_DESIGN}") from error
    path = folder / "tasks.jsonl"
    tasks = []
    for line, value in parse_jsonl(read_text(path), path):
        try:
            options = tuple(map(tuple, value["options"]))
            lists = {"items": tuple(value["items"]), "options": options, "gold": tuple(value["gold"])}
            task = Task(**{**value, **lists})
            _check_task(task, study)
            tasks.append(task)
        except (ValueError, TypeError, KeyError) as error:
            raise PipelineError(path, line, f"[task] malformed; {_problem(error)}, {_RUN_DESIGN}") from error
    return study, tasks


def _problem(error: Exception) -> str:
    """Return what is wrong with a field; the error of a check says it, that of Python is quoted."""
    if isinstance(error, KeyError):
        return f"found no field {error}"
    return str(error) if str(error).startswith(("found ", "[")) else f"found {shown(str(error))}"


def _check_study(study: Study) -> None:
    """Raise `TypeError` or `ValueError` if a field of a study or of a control holds a value of the wrong kind."""
    _check("text", str, study.id, study.title, study.lang, study.instruction, study.config, *study.lists)
    _check("design", dict, *(() if study.design is None else (study.design,)))
    _check("told", bool, study.shows_answers)
    _check("screen", int, study.screen)
    if study.screen < 1:
        raise ValueError(f"found a screen of {plural(study.screen, 'item')}, expected 1 or more")
    for control in study.controls:
        _check("text of a control", str, control.name, *control.choices)
        _check("scale of a control", int, control.low, control.high)
        if control.kind not in get_args(ControlKind):
            raise ValueError(f"found {shown(control.kind)} as the kind of a control")


def _check_task(task: Task, study: Study) -> None:
    """Raise `TypeError` or `ValueError` if a field of a task holds a value of the wrong kind, or not one value for each item."""
    _check("text", str, task.key, task.list, task.phase, *task.items)
    _check("position", int, task.position)
    _check("options", int, *(number for options in task.options for number in options))
    _check("gold", int, *(number for number in task.gold if number is not None))
    _check("data", dict, task.data)
    for number in (*(number for options in task.options for number in options), *task.gold):
        if number is not None and not 0 <= number < _LETTERS:
            raise ValueError(f"found the candidate {shown(number)}, expected 0 to {_LETTERS - 1}: each has a letter")
    if not study.screen == len(task.items) == len(task.options) == len(task.gold):
        numbers = f"{plural(len(task.items), 'item')}, {plural(len(task.options), 'option')}, {len(task.gold)} gold"
        raise ValueError(f"found {numbers} on a screen of {study.screen}")
    if task.phase not in PHASES:
        raise ValueError(f"found {shown(task.phase)} as the phase of a task")
    if task.list not in study.lists:
        raise ValueError(f"found a task of the list {shown(task.list)}, which the study lacks")


def _check(field: str, kind: type, *values: object) -> None:
    for value in values:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"found {shown(value)} as {field}")
