"""A study that can be pushed: study.json and tasks.jsonl in the folder build/annotation/STUDY."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from ...core.convert import convert, to_object, write_records
from ...core.errors import PipelineError, plural, shown
from ...core.files import from_json, parse_jsonl, read_text, to_json, write_text
from .design import Control, Criteria, Lists, Positive, Screen

#: What a task is for; fillers and attention trials stand among the main tasks and are in no figure of theirs.
Phase = Literal["practice", "main", "filler"]
PHASES: tuple[Phase, ...] = get_args(Phase)
#: The name under which `push` adds a rater's place in the list to the data of a task; no design may use it.
PLACE = "place"
#: Lengths that Label Studio accepts for the title of a project.
TITLE_LENGTHS = range(3, 51)
#: The number of a candidate, which is shown as a letter.
Letter = Annotated[int, Meta(ge=0, lt=26, description="the number of a candidate, 0 to 25: each has a letter")]
_RUN_DESIGN = "run annotate design again"


@dataclass(frozen=True, slots=True)
class Task:
    """What a rater sees on one screen.

    Attributes:
        key: ``STUDY/LIST/POSITION``, the position in three digits; unique, and in the task's data as ``task``.
        position: its place in the list, from 1.
        items: the ids of the records on the screen.
        options: for each of them, the numbers of its candidates in the order in which they are shown.
        gold: for each of them, the number of the right candidate; None where there is none. The server never gets it.
        data: what the server gets.
    """

    key: str
    list: str
    position: Positive
    phase: Phase
    items: tuple[str, ...]
    options: tuple[tuple[Letter, ...], ...]
    gold: tuple[Letter | None, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Study:
    """What all tasks of a study share.

    Attributes:
        title: the title that raters see, followed by the name of the list.
        lang: the language of the guideline and the screen.
        screen: the number of records on a screen.
        lists: the names of the lists, in order.
        instruction: the guideline as HTML.
        config: the labelling config, XML.
        layout: how the records were divided into lists.
        criteria: the criteria that raters must satisfy, as the design states them; None if it states none.
        shows_answers: whether raters may know the right answers of main tasks, because they gave theirs in an earlier study.
        design: what the study was laid out from, as JSON (`layout.Snapshot`), so that it can be laid out again; None if unknown.
    """

    id: str
    title: str
    lang: str
    screen: Screen
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
    """Return the title of the project of a list; raises `ValueError` if Label Studio does not accept its length."""
    full = f"{title} · {name}"
    if len(full) not in TITLE_LENGTHS:
        reason = f"found {plural(len(full), 'character')} in {shown(full)}, expected {TITLE_LENGTHS[0]} to {TITLE_LENGTHS[-1]}"
        raise ValueError(f"[title] wrong length; {reason} with the name of the list")
    return full


def write_study(folder: Path, study: Study, tasks: Sequence[Task]) -> None:
    """Write both files of a study."""
    write_records(folder / "tasks.jsonl", tasks)
    write_text(folder / "study.json", to_json(to_object(study)) + "\n")


def read_study(folder: Path) -> tuple[Study, list[Task]]:
    """Return what `write_study` wrote.

    Raises:
        PipelineError: a file is missing or malformed.
    """
    if folder.is_file():
        raise PipelineError(folder, None, "[study] a file; expected the folder that annotate design writes")
    path = folder / "study.json"
    try:
        study = convert(from_json(read_text(path)), Study)
    except ValueError as error:
        raise PipelineError(path, 1, f"[study] malformed; {error}; {_RUN_DESIGN}") from error
    path = folder / "tasks.jsonl"
    tasks = []
    for line, value in parse_jsonl(read_text(path), path):
        try:
            task = convert(value, Task)
            _check_task(task, study)
        except ValueError as error:
            raise PipelineError(path, line, f"[task] malformed; {error}; {_RUN_DESIGN}") from error
        tasks.append(task)
    return study, tasks


def _check_task(task: Task, study: Study) -> None:
    """Raise `ValueError` if a task is of no list of its study, or does not fill its screen."""
    if not study.screen == len(task.items) == len(task.options) == len(task.gold):
        numbers = f"{plural(len(task.items), 'item')}, {plural(len(task.options), 'option')}, {len(task.gold)} gold"
        raise ValueError(f"found {numbers} on a screen of {study.screen}")
    if task.list not in study.lists:
        raise ValueError(f"found a task of the list {shown(task.list)}, which the study lacks")
