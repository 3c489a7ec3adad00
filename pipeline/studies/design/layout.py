"""The tasks of a study, from its design and the content of the files that the design names: a pure function."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any

from ...core.convert import Count, to_object
from ...core.errors import PipelineError, errors_at, plural
from ...core.files import to_json
from ..model.design import Design, Lists, Source, shows_answers
from ..model.study import PLACE, Phase, Study, Task, list_title
from .config import check_config, guideline_html, render_template, with_numbers
from .fields import CANDIDATE_KEYS, ENTITY_FIELDS, FIELDS, StudyRecord, named_entities, shown_value
from .lists import make_lists, rotated_orders
from .order import candidate_orders, order_records, with_attention

#: What the name of a mirrored list has behind that of its twin.
MIRRORED = "m"
#: The names in the data of every task, besides those that the design shows.
RESERVED = ("study", "task")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The object ``design`` of study.json: the choices of a design that study.json does not show, and the content of its files.

    Attributes:
        selected: the records to ask about: by rater for the scheme ``raters``, else under the empty name.
        sha256: the `checksum` of the whole file.
    """

    source: Source
    select: str | None
    seed: Count
    show: Mapping[str, str]
    config: str
    guideline: str
    selected: Mapping[str, tuple[StudyRecord, ...]]
    practice: tuple[StudyRecord, ...]
    attention: tuple[StudyRecord, ...]
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """A study with its tasks and the records of each list.

    Attributes:
        left_over: the records that are in no list.
        missing: the ids of items that raters of the earlier study left open and that are no records, or are in other words by now.
    """

    study: Study
    tasks: tuple[Task, ...]
    lists: Mapping[str, Sequence[StudyRecord]]
    left_over: tuple[StudyRecord, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def laid_out(self) -> int:
        """The number of different records in lists."""
        return len({record.item.id for records in self.lists.values() for record in records})


def check_design(design: Design) -> None:
    """Raise `PipelineError` if a design asks for something that no study has."""
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", design.id):
        reason = f"[id] found {design.id!r}, expected small letters, digits and hyphens: it names folders"
        raise design_error(design, "id", reason)
    for name, field in design.show.items():
        if field not in FIELDS:
            reason = f"[show] unknown field; found {field!r}, expected one of {', '.join(sorted(FIELDS))}"
            raise design_error(design, "show", reason)
        if name in (*RESERVED, PLACE) or not name.isidentifier():
            reason = f"[show] found the name {name!r}, expected an identifier, not {', '.join((*RESERVED, PLACE))}"
            raise design_error(design, "show", reason)
    asks_for_candidate = any(control.kind == "candidate" for control in design.controls)
    if asks_for_candidate and "candidates" not in design.show.values():
        raise design_error(design, "show", "[show] found no candidates, expected them: a control asks for one")
    if any(control.kind == "labelled" for control in design.controls) and design.show.get("text") != "text":
        raise design_error(design, "show", "[show] found no text, expected text: text: a control asks to label it")
    if design.lists.scheme == "rotated" and ENTITY_FIELDS.isdisjoint(design.show.values()):
        raise design_error(design, "show", "[show] found no translation, expected it: the scheme rotated orders them")
    if (design.select == "disagreements") != (design.lists.scheme == "raters"):
        reason = f"[lists] found the scheme {design.lists.scheme} with select {design.select}"
        raise design_error(
            design, "lists", f"{reason}, expected raters with disagreements, and neither without the other"
        )
    if (design.source == "cloze") != (design.lists.scheme == "experiment") or (
        design.source == "cloze" and design.screen > 1
    ):
        reason = f"[lists] found the scheme {design.lists.scheme} with source {design.source} and a screen of {design.screen}"
        raise design_error(design, "lists", f"{reason}, expected experiment with cloze, one record on a screen")


def lay_out(design: Design, snapshot: Snapshot) -> Layout:
    """Return the study of a design, which holds the snapshot. The same arguments give the same study.

    Raises:
        PipelineError: the design asks for something impossible, or the config does not fit.
    """
    lists = _lists(design, snapshot.selected)
    if design.lists.mirrored:
        lists = {twin: records for name, records in lists.items() for twin in (name, name + MIRRORED)}
    study = _study(design, snapshot, tuple(lists))
    practice = _by_entity(design, snapshot.practice, alternate=True)
    rotated = design.lists.scheme == "rotated"
    tasks: list[Task] = []
    for number, (name, members) in enumerate(lists.items()):
        mirrors = design.lists.mirrored and bool(number % 2)
        rng = _random(design, name.removesuffix(MIRRORED) if mirrors else name)
        orders = _mirrored(_candidate_orders(design, practice, 0, rng), mirrors)
        tasks += _tasks(design, name, "practice", practice, orders, first=1, show_answer=True)
        main = _rotated(design, members, number, rng) if rotated else _ordered(design, _by_entity(design, members), rng)
        orders = _mirrored(_candidate_orders(design, main, design.lists.run, rng), mirrors)
        if mirrors:
            main, orders = main[::-1], orders[::-1]
        main, orders = with_attention(main, orders, snapshot.attention, _random(design, f"attention/{name}"))
        first = len(practice) // design.screen + 1
        tasks += _tasks(design, name, "main", main, orders, first=first, show_answer=study.shows_answers)
    instruction = guideline_html(with_numbers(snapshot.guideline, tasks))
    study = replace(study, instruction=instruction, design=to_object(snapshot))
    study = replace(study, design={**(study.design or {}), "sha256": checksum(to_object(study))})
    return Layout(study, tuple(tasks), lists)


def checksum(study: Mapping[str, Any]) -> str:
    """Return the SHA-256 of study.json, without that which its design ends with: it shows that somebody edited the file."""
    design = study.get("design")
    rest = {name: value for name, value in design.items() if name != "sha256"} if isinstance(design, dict) else design
    return sha256(to_json({**study, "design": rest}).encode()).hexdigest()


def _candidate_orders(design: Design, records: Sequence[StudyRecord], run: int, rng: Random) -> list[tuple[int, ...]]:
    """Return the order of the candidates of each record; pronouns for a gap keep theirs, and with it their keys."""
    if design.source == "cloze":
        return [tuple(range(len(record.item.candidates))) for record in records]
    return candidate_orders(records, run, rng)


def _mirrored(orders: Sequence[tuple[int, ...]], mirrors: bool) -> list[tuple[int, ...]]:
    """Return the orders of candidates, each in reverse if the list mirrors another."""
    return [order[::-1] if mirrors else order for order in orders]


def _lists(design: Design, selected: Mapping[str, Sequence[StudyRecord]]) -> dict[str, list[StudyRecord]]:
    """Return the records of each list by its name, all numbers with the same number of digits."""
    if design.lists.scheme in ("raters", "experiment"):
        return {name: list(records) for name, records in selected.items()}
    with errors_at(design.path, design.lines.get("lists")):
        lists = make_lists(_sized(design, len(selected[""])), selected[""], _random(design, "lists"))
        if not all(lists.values()):
            reason = f"found {plural(len(selected['']), 'record')}, expected at least one for each of {plural(len(lists), 'list')}"
            raise ValueError(f"[lists] too few records; {reason}")
    width = len(str(len(lists)))
    return {name.zfill(width): records for name, records in lists.items()}


def _sized(design: Design, records: int) -> Lists:
    """Return how records are divided, with the largest size that fills the screens of balanced lists if the design gives none."""
    lists = design.lists
    if lists.scheme != "balanced" or lists.size is not None or design.screen == 1:
        return lists
    if size := records // lists.count // design.screen * design.screen:
        return replace(lists, size=size)
    reason = f"found {plural(records, 'record')}, expected at least {lists.count * design.screen}: a full screen for each list"
    raise ValueError(f"[lists] too few records; {reason}")


def _by_entity(design: Design, records: Sequence[StudyRecord], *, alternate: bool = False) -> list[StudyRecord]:
    """Return each record once for each of its candidates, if the design asks about one at a time; of entities, those that it names.

    With `alternate` (practice) each is there once, about the right candidate and a wrong one in turn.
    """
    if ENTITY_FIELDS.isdisjoint(design.show.values()):
        return list(records)
    questions = []
    for place, record in enumerate(records):
        entities: Sequence[int] = range(len(record.item.candidates))
        if "entity" in design.show.values():
            entities = named_entities(record)
        if alternate:
            fitting = [number for number in entities if (number == record.item.answer) == (place % 2 == 0)]
            entities = fitting[:1]
        questions += [replace(record, entity=number) for number in entities]
    return questions


def _rotated(design: Design, records: Sequence[StudyRecord], number: int, rng: Random) -> list[StudyRecord]:
    """Return records in random order, each once for each of its candidates, which fill a screen in the order of list `number`."""
    size = design.screen
    for record in records:
        if len(record.item.candidates) != size:
            reason = f"found a screen of {size}, expected {len(record.item.candidates)}: the candidates of a record"
            raise design_error(design, "screen", f"[screen] {reason} fill it, such as those of {record.id}")
    orders = rotated_orders(len(records), size, number, _random(design, "rotation"))
    screens = list(zip(records, orders, strict=True))
    rng.shuffle(screens)
    return [replace(record, entity=entity) for record, order in screens for entity in order]


def _ordered(design: Design, records: Sequence[StudyRecord], rng: Random) -> list[StudyRecord]:
    """Return the records of a list in their order: of `sections` that of the documents, of `experiment` that of the experiment."""
    if design.lists.scheme in ("sections", "experiment"):
        return list(records)
    with errors_at(design.path, design.lines.get("lists")):
        return order_records(records, design.lists.run, design.lists.apart, rng)


def _tasks(
    design: Design,
    name: str,
    phase: Phase,
    records: Sequence[StudyRecord],
    orders: Sequence[tuple[int, ...]],
    *,
    first: int,
    show_answer: bool,
) -> list[Task]:
    """Return the tasks of one phase of a list, each with as many records as the design's screen has.

    Refused are two candidates of a record that read the same, and a last screen that is not full: the config asks about a full one.
    """
    size = design.screen
    if rest := len(records) % size:
        reason = f"found {plural(len(records), f'{phase} record')} in list {name}, expected a multiple of {size}"
        reason += f", such as {len(records) - rest}: a screen asks about all its records"
        raise design_error(design, "screen", f"[screen] {reason}")
    shows_candidates = "candidates" in design.show.values()
    for record in records:
        candidates = record.item.candidates
        if shows_candidates and len(set(candidates)) < len(candidates):
            reason = f"found {' | '.join(candidates)} of {record.id}, expected different texts: results name a candidate by its text"
            raise PipelineError(design.records, None, f"[candidates] {reason}")
    tasks = []
    for position, start in enumerate(range(0, len(records), size), first):
        screen = records[start : start + size]
        options = tuple(orders[start : start + size]) if shows_candidates else ((),) * size
        key = f"{design.id}/{name}/{position:03}"
        data: dict[str, Any] = {"study": design.id, "task": key}
        keys = iter(CANDIDATE_KEYS)
        for number, (record, order) in enumerate(zip(screen, options, strict=True)):
            for shown_as, field in design.show.items():
                shown = shown_value(field, record, order, keys, marked=phase == "practice", show_answer=show_answer)
                data[_data_name(design, shown_as, number)] = shown
        ids, gold = tuple(record.id for record in screen), tuple(record.item.answer for record in screen)
        of: Phase = "filler" if phase == "main" and screen[0].part in ("filler", "attention") else phase
        tasks.append(Task(key, name, position, of, ids, options, gold, data))
    return tasks


def _data_name(design: Design, name: str, number: int) -> str:
    """Return the name in the data of what is shown of the record at `number` (from 0) on the screen."""
    return name if design.screen == 1 else f"{name}_{number + 1}"


def _study(design: Design, snapshot: Snapshot, lists: tuple[str, ...]) -> Study:
    for name in lists:
        if not re.fullmatch(r"[\w-]+", name):
            reason = f"[rater] found {name!r}, expected letters, digits and hyphens: it names a list"
            raise design_error(design, "lists", reason)
        with errors_at(design.path, design.lines.get("title")):
            list_title(design.title, name)
    study = Study(
        id=design.id,
        title=design.title,
        lang=design.lang,
        screen=design.screen,
        controls=design.controls,
        lists=lists,
        instruction="",
        config=render_template(snapshot.config, design.config, design.screen),
        layout=design.lists,
        shows_answers=shows_answers(design),
        criteria=design.criteria,
    )
    numbers = range(design.screen)
    controls = {study.control_name(control, number): control for control in design.controls for number in numbers}
    names = {*RESERVED, *(_data_name(design, name, number) for name in design.show for number in numbers)}
    check_config(study.config, design.config, controls, names)
    return study


def _random(design: Design, purpose: str) -> Random:
    """Return a generator seeded by text, which gives the same numbers in every process and on every machine."""
    return Random(f"{design.seed}/{design.id}/{purpose}")  # noqa: S311 - no secret depends on it


def design_error(design: Design, key: str, reason: str) -> PipelineError:
    """Return the error that a key of a design is at fault."""
    return PipelineError(design.path, design.lines.get(key), reason)
