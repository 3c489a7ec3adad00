"""A study that is ready to be pushed: the folder build/annotation/STUDY with study.json and tasks.jsonl."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError
from ..core.files import from_json, parse_jsonl, read_text, to_json, write_jsonl, write_text
from .design.design import Control, Lists

PHASES = ("practice", "main")
#: Lengths that Label Studio accepts for the title of a project.
TITLE_LENGTHS = range(3, 51)


@dataclass(frozen=True, slots=True)
class Task:
    """What a rater sees at once.

    Attributes:
        key: ``STUDY/LIST/POSITION``, three digits; unique, and told to the server in the task's data as ``task``.
        list: the name of its list.
        position: its place in the list, from 1.
        phase: ``practice`` or ``main``.
        items: the ids of the records it shows; one, or as many as a screen has.
        options: for each of them, the numbers of its candidates in the order in which they are shown.
        gold: for each of them, the number of the right candidate, or None where there is none; never told to the server.
        data: what the server is told.
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
        id: of the study.
        title: what annotators see, with the name of the list after it.
        lang: in which they are addressed.
        screen: how many records a task shows.
        controls: what is asked.
        lists: the names of the lists, in order.
        instruction: what annotators read, HTML.
        config: the labelling config, XML.
        layout: how the lists were made, which the suite `study` checks.
        shows_answers: whether raters may know the answers of main tasks: they gave theirs before.
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
    shows_answers: bool = False

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
        raise ValueError(
            f"[title] wrong length; found {len(full)} characters in {full!r}, expected {TITLE_LENGTHS[0]} to "
            f"{TITLE_LENGTHS[-1]} with the name of the list"
        )
    return full


def write_study(folder: Path, study: Study, tasks: Sequence[Task]) -> None:
    """Write both files of a study."""
    controls = [
        {
            "name": one.name,
            "kind": one.kind,
            "required": one.required,
            "choices": list(one.choices),
            "low": one.low,
            "high": one.high,
        }
        for one in study.controls
    ]
    told = {
        "id": study.id,
        "title": study.title,
        "lang": study.lang,
        "screen": study.screen,
        "controls": controls,
        "lists": list(study.lists),
        "instruction": study.instruction,
        "config": study.config,
        "layout": asdict(study.layout),
        "told": study.shows_answers,
    }
    write_jsonl(
        folder / "tasks.jsonl",
        (
            {
                "key": task.key,
                "list": task.list,
                "position": task.position,
                "phase": task.phase,
                "items": list(task.items),
                "options": [list(one) for one in task.options],
                "gold": list(task.gold),
                "data": dict(task.data),
            }
            for task in tasks
        ),
    )
    write_text(folder / "study.json", to_json(told) + "\n")


def read_study(folder: Path) -> tuple[Study, list[Task]]:
    """Return what `write_study` wrote.

    Raises:
        PipelineError: a file is missing or not of the form that `write_study` gives it.
    """
    path = folder / "study.json"
    try:
        told = from_json(read_text(path))
        controls = tuple(
            Control(one["name"], one["kind"], one["required"], tuple(one["choices"]), one["low"], one["high"])
            for one in told["controls"]
        )
        study = Study(
            told["id"],
            told["title"],
            told["lang"],
            told["screen"],
            controls,
            tuple(told["lists"]),
            told["instruction"],
            told["config"],
            Lists(**told["layout"]),
            told["told"],
        )
    except (ValueError, TypeError, KeyError) as error:
        raise PipelineError(path, 1, f"[study] malformed; {error!r}, make it again by `annotate design`") from error
    path = folder / "tasks.jsonl"
    tasks = []
    for line, row in parse_jsonl(read_text(path), path):
        try:
            tasks.append(
                Task(
                    row["key"],
                    row["list"],
                    row["position"],
                    row["phase"],
                    tuple(row["items"]),
                    tuple(map(tuple, row["options"])),
                    tuple(row["gold"]),
                    row["data"],
                )
            )
        except (TypeError, KeyError) as error:
            raise PipelineError(
                path, line, f"[task] malformed; {error!r}, make it again by `annotate design`"
            ) from error
    return study, tasks
