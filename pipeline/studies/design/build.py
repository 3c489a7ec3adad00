"""Studies: made of a design, its records and perhaps the judgements of a study before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ...core.errors import PipelineError
from ...core.files import read_text
from ..judgements import Judgement
from ..study import Study, Task, list_title
from .config import check_config, render_config
from .design import Design
from .fields import FIELDS, StudyRecord, field_value
from .lists import lay_out
from .order import arranged, shown_orders
from .practice import read_practice
from .selection import BY_JUDGEMENTS, ask


def field_name(design: Design, name: str, number: int) -> str:
    """Return the name in the data of a field of the record at `number` (from 0) on the screen."""
    return name if design.screen == 1 else f"{name}_{number + 1}"


def screens(
    design: Design,
    name: str,
    phase: str,
    records: Sequence[StudyRecord],
    orders: Sequence[tuple[int, ...]],
    position: int,
    *,
    show_answer: bool,
) -> list[Task]:
    """Return the tasks of one phase of a list, each with as many records as the design's screen has.

    Args:
        design: names what they show.
        name: of the list.
        phase: ``practice`` or ``main``.
        records: in their order.
        orders: for each the numbers of its candidates as they are shown.
        position: of the first task.
        show_answer: whether to show the answers.

    Raises:
        PipelineError: two candidates of a record read the same, or the last screen would be short: the config is one for all
            screens, and asks for each control.
    """
    size = design.screen
    if rest := len(records) % size:
        reason = f"found {len(records)} {phase} records in list {name}, expected a multiple of {size}"
        reason += f", such as {len(records) - rest}: a screen asks about all its records"
        raise PipelineError(design.path, design.lines.get("screen"), f"[screen] {reason}")
    shows = "candidates" in design.show.values()
    for asked in records:
        names = asked.record.candidates
        if shows and len(set(names)) < len(names):
            reason = f"found {' | '.join(names)} of {asked.id}, expected different texts: an answer is told by its text"
            raise PipelineError(design.records, None, f"[candidates] {reason}")
    tasks = []
    for at, start in enumerate(range(0, len(records), size), position):
        screen = records[start : start + size]
        options = tuple(orders[start : start + size]) if shows else ((),) * size
        key = f"{design.id}/{name}/{at:03}"
        data: dict[str, Any] = {"study": design.id, "task": key}
        for number, (asked, order) in enumerate(zip(screen, options, strict=True)):
            for field, what in design.show.items():
                data[field_name(design, field, number)] = field_value(what, asked, order, show_answer=show_answer)
        ids, gold = tuple(asked.id for asked in screen), tuple(asked.record.answer for asked in screen)
        tasks.append(Task(key, name, at, phase, ids, options, gold, data))
    return tasks


def guideline_html(markdown: str) -> str:
    r"""Return the HTML of a guideline in CommonMark with tables; markup in it is shown as it is written.

    Annotators' pages load nothing from elsewhere, so what is written as a picture becomes a link.

    >>> guideline_html("**Ø** <script>")
    '<p><strong>Ø</strong> &lt;script&gt;</p>\n'
    """
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(markdown))


#: What the server is told of every task besides the fields that the design shows.
RESERVED = ("study", "task")


@dataclass(frozen=True, slots=True)
class StudyLayout:
    """A study with its tasks, and what became of the records: those of each list, and those that no list has."""

    study: Study
    tasks: tuple[Task, ...]
    lists: Mapping[str, Sequence[StudyRecord]]
    left_over: tuple[StudyRecord, ...]

    @property
    def laid_out(self) -> int:
        """How many records are in a list, each counted once."""
        return len({asked.record.id for records in self.lists.values() for asked in records})


def make_study(design: Design, judgements: Sequence[Judgement] | None = None) -> StudyLayout:
    """Return the study of a design: the same of the same files, in every run.

    Args:
        design: its files are read.
        judgements: of the study before, where the design selects by them.

    Raises:
        PipelineError: a file is missing or malformed; the design asks for what cannot be, at its line; config and design
            do not fit.
    """
    _check(design)
    try:
        records, chosen = ask(design, judgements)
    except ValueError as error:
        raise _wrong(design, "select", str(error)) from error
    lists = _lists(design, chosen)
    practice = read_practice(design.practice, design.lang) if design.practice else []
    study = _study(design, tuple(lists))
    tasks: list[Task] = []
    for name, asked in lists.items():
        rng = _random(design, name)
        begin = _entities(design, practice, alternate=True)
        tasks += screens(design, name, "practice", begin, shown_orders(begin, 0, rng), 1, show_answer=True)
        main = _arranged(design, _entities(design, asked), rng)
        position = len(begin) // design.screen + 1
        shown = shown_orders(main, design.lists.run, rng)
        tasks += screens(design, name, "main", main, shown, position, show_answer=study.shows_answers)
    there = {asked.record.id for found in lists.values() for asked in found}
    return StudyLayout(study, tuple(tasks), lists, tuple(asked for asked in records if asked.record.id not in there))


def _random(design: Design, what: str) -> Random:
    """Return what draws, seeded by text: the same in every process and on every machine."""
    return Random(f"{design.seed}/{design.id}/{what}")  # noqa: S311 - nothing secret is drawn


def _wrong(design: Design, field: str, reason: str) -> PipelineError:
    return PipelineError(design.path, design.lines.get(field), reason)


def _check(design: Design) -> None:
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", design.id):
        raise _wrong(
            design, "id", f"[id] found {design.id!r}, expected small letters, digits, hyphens: it names folders"
        )
    for name, shown in design.show.items():
        if shown not in FIELDS:
            raise _wrong(
                design, "show", f"[show] unknown piece; found {shown!r}, expected one of {', '.join(sorted(FIELDS))}"
            )
        if name in RESERVED or not name.isidentifier():
            raise _wrong(
                design, "show", f"[show] found the field {name!r}, expected a name other than {', '.join(RESERVED)}"
            )
    asks = any(control.kind == "candidate" for control in design.controls)
    if asks and "candidates" not in design.show.values():
        raise _wrong(design, "show", "[show] found no candidates, expected them: a control asks for one")
    if (design.select == "disagreements") != (design.lists.scheme == "raters"):
        raise _wrong(
            design, "lists", "[lists] the scheme `raters` goes with `select: disagreements`, and no other with it"
        )


def _lists(design: Design, chosen: Mapping[str, Sequence[StudyRecord]]) -> dict[str, list[StudyRecord]]:
    """Return the records of each list: those of each rater, or all of them laid out."""
    if design.lists.scheme == "raters":
        return {name: list(records) for name, records in chosen.items()}
    try:
        found = lay_out(design.lists, chosen[""], _random(design, "lists"))
        if not all(found.values()):
            raise ValueError(
                f"[lists] no such lists; found {len(chosen[''])} records, expected one at least for each of {len(found)}"
            )
    except ValueError as error:
        raise _wrong(design, "lists", str(error)) from error
    width = len(str(len(found)))
    return {name.zfill(width): records for name, records in found.items()}


def _entities(design: Design, records: Sequence[StudyRecord], *, alternate: bool = False) -> list[StudyRecord]:
    """Return the records, where the design asks about one entity once for each; in practice about the right, the wrong in turn."""
    if "entity" not in design.show.values():
        return list(records)
    found = []
    for place, asked in enumerate(records):
        numbers = range(len(asked.record.candidates))
        if alternate:
            fits = [number for number in numbers if (number == asked.record.answer) == (place % 2 == 0)]
            numbers = range(fits[0], fits[0] + 1)
        found += [replace(asked, entity=number) for number in numbers]
    return found


def _arranged(design: Design, records: Sequence[StudyRecord], rng: Random) -> list[StudyRecord]:
    try:
        return arranged(records, design.lists.run, design.lists.apart, rng)
    except ValueError as error:
        raise _wrong(design, "lists", str(error)) from error


def _study(design: Design, lists: tuple[str, ...]) -> Study:
    for name in lists:
        if not re.fullmatch(r"[\w-]+", name):
            raise _wrong(design, "lists", f"[rater] found {name!r}, expected letters, digits, hyphens: it names a list")
        try:
            list_title(design.title, name)
        except ValueError as error:
            raise _wrong(design, "title", str(error)) from error
    study = Study(
        id=design.id,
        title=design.title,
        lang=design.lang,
        screen=design.screen,
        controls=design.controls,
        lists=lists,
        instruction=guideline_html(read_text(design.guideline)),
        config=render_config(design.config, design.screen),
        layout=design.lists,
        shows_answers=design.select in BY_JUDGEMENTS,
    )
    numbers = range(design.screen)
    controls = {study.control_name(control, number): control for control in design.controls for number in numbers}
    fields = {*RESERVED, *(field_name(design, name, number) for name in design.show for number in numbers)}
    check_config(study.config, design.config, controls, fields)
    return study
