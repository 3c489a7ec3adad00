"""The export of a study: judgements.jsonl, and remarks.tsv with what was left out of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ...core.convert import read_records, to_object
from ...core.errors import PipelineError, shown
from ...core.files import parse_tsv, read_text, require_unique, write_jsonl, write_tsv
from ...language.personal_data import find_personal_data, without_parts
from .study import Study, Task

Answer = str | int
#: Maximum lead time in seconds, about three years; longer ones are errors of the server or the browser.
MAX_LEAD_TIME = 10**8
#: The pseudonyms that `annotate pull` makes; any other name might be that of a person.
PSEUDONYM = re.compile("r-[0-9a-f]+")
#: What may be a pseudonym: it has no signs of an address and no blanks.
Rater = Annotated[
    str,
    Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z", description="a pseudonym such as r-0a1b2c, no name or address"),
]
#: Fields that a line has only where they say something.
_OPTIONAL = ("submitted", "updated", "vanished")
#: A time as an export holds it: in UTC, to the second.
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Judgement:
    """What one rater answered about one item.

    Attributes:
        task: the key of the task, ``STUDY/LIST/POSITION``; a task with ten items on its screen has ten judgements.
        phase: ``practice``, ``main`` or ``filler``.
        rater: a pseudonym.
        answers: for each control the number of a candidate, a rating, the code of a choice, or a text; a control left open is absent.
        lead_time: seconds for which the rater had the task open, all its items together; None where the server does not say.
        skipped: whether the rater skipped the task; then there are no answers.
        submitted: when the rater first submitted the task, ISO 8601 in UTC to the second; None if unknown.
        updated: when the server last changed the submission; None if unknown.
        vanished: whether the server had it at an earlier pull, but not at the last one.
    """

    study: str
    list: str
    task: str
    item: str
    phase: str
    rater: Rater
    answers: Mapping[str, Answer]
    lead_time: int | float | None
    skipped: bool = False
    submitted: str | None = None
    updated: str | None = None
    vanished: bool = False

    def __post_init__(self) -> None:
        if self.skipped and self.answers:
            raise ValueError(f"[skipped] found answers {shown(dict(self.answers))} in a skipped task, expected none")
        for name in ("submitted", "updated"):
            time = getattr(self, name)
            if time is not None and not _TIME.fullmatch(time):
                raise ValueError(f"[{name}] malformed time; found {shown(time)}, expected such as 2026-11-21T10:00:00Z")


def judgement_to_json(judgement: Judgement) -> dict[str, Any]:
    """Return the object of one line of an export; times and `vanished` stand only where they say something."""
    row: dict[str, Any] = to_object(judgement)
    row["answers"] = dict(sorted(judgement.answers.items()))
    return {name: value for name, value in row.items() if value or name not in _OPTIONAL}


def numbered_judgements(path: Path) -> list[tuple[int, Judgement]]:
    """Return the judgements of an export with their line numbers, in its order. A rater judges an item of a task once.

    Raises:
        PipelineError: a line is malformed, a task, item and rater occur twice, or two pseudonyms differ in capital letters only.
    """
    lines: dict[tuple[str, str, str], int | None] = {}
    judgements = []
    names: dict[str, str] = {}
    for line, judgement in read_records(path, Judgement):
        require_unique(lines, (judgement.task, judgement.item, judgement.rater), path, line, "rater")
        if (known := names.setdefault(judgement.rater.casefold(), judgement.rater)) != judgement.rater:
            reason = f"[rater] two pseudonyms that differ in capital letters only; found {shown(judgement.rater)}"
            raise PipelineError(
                path, line, f"{reason}, expected {shown(known)} as before: one person has one pseudonym"
            )
        judgements.append((line, judgement))
    return judgements


def read_judgements(path: Path) -> list[Judgement]:
    """Return the judgements of an export; see `numbered_judgements` for its errors."""
    return [judgement for _, judgement in numbered_judgements(path)]


def write_judgements(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write an export, sorted by task, item and rater, atomically."""

    def place(judgement: Judgement) -> tuple[str, ...]:
        return judgement.study, judgement.task, judgement.item, judgement.rater

    write_jsonl(path, map(judgement_to_json, sorted(judgements, key=place)))


# --- remarks with personal data: remarks.tsv --------------------------------------------------------------------------

REMARKS = "remarks.tsv"
REMARK_COLUMNS = ("task", "item", "rater", "control", "kinds", "release")
#: What a person answers in the last column.
_RELEASE = {"yes": True, "no": False}
#: Task, item, rater, control.
Place = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Remark:
    """A text answer in which something looks like personal data: one row of remarks.tsv, which does not quote it.

    `kinds` are the kinds of personal data, with commas between; `release` says that a person has confirmed the text as it is.
    """

    place: Place
    kinds: str
    release: bool


@dataclass(frozen=True, slots=True)
class ClearedRemarks:
    """Judgements without personal data in their texts, in the order given; all texts that have some, sorted.

    `findings` has a line for each text with personal data that remarks.tsv did not have.
    """

    judgements: tuple[Judgement, ...]
    remarks: tuple[Remark, ...]
    findings: tuple[str, ...]

    @property
    def withheld(self) -> int:
        """Number of texts from which something was left out."""
        return sum(not remark.release for remark in self.remarks)


def clear_remarks(
    study: Study,
    tasks: Iterable[Task],
    judgements: Iterable[Judgement],
    known: Mapping[Place, bool],
    before: Iterable[Judgement],
) -> ClearedRemarks:
    """Return judgements with the personal data in their texts replaced by their kind, unless somebody has confirmed the text.

    A confirmation is for the text that the earlier export has, with or without its personal data: a text that the rater has
    changed since needs another one. What a task shows to everybody is no personal data. Names are not found.

    `known` says for each place in remarks.tsv whether its text may be released; `before` has the judgements of the earlier export.
    """
    controls = [control.name for control in study.controls if control.kind == "text"]
    data = {task.key: "\n".join(_texts(task.data)) for task in tasks}
    earlier = dict(_answers(before, controls))
    cleared, remarks, findings = [], [], []
    for judgement in judgements:
        answers = dict(judgement.answers)
        for place, text in _answers([judgement], controls):
            shown_text = data.get(judgement.task, "")
            parts = [part for part in find_personal_data(text) if text[part.start : part.end] not in shown_text]
            if not parts:
                continue
            without = without_parts(text, parts)
            release = known.get(place, False) and earlier.get(place, text) in (text, without)
            kinds = ", ".join(sorted({part.kind for part in parts}))
            remarks.append(Remark(place, kinds, release))
            if not release:
                answers[place[3]] = without
            if place not in known or release != known[place]:
                findings.append(
                    f"{judgement.task}: {judgement.item}: {judgement.rater}: [{place[3]}] {kinds}; left out: read it on the "
                    f"server, and write yes into its row of {REMARKS} and pull again if it may be released"
                )
        cleared.append(replace(judgement, answers=answers))
    return ClearedRemarks(tuple(cleared), tuple(sorted(remarks, key=lambda remark: remark.place)), tuple(findings))


def _answers(judgements: Iterable[Judgement], controls: Sequence[str]) -> Iterator[tuple[Place, str]]:
    for judgement in judgements:
        for control in controls:
            if control in judgement.answers:
                place = (judgement.task, judgement.item, judgement.rater, control)
                yield place, str(judgement.answers[control])


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def read_remarks(path: Path) -> dict[Place, bool]:
    """Return for each place of a table of remarks whether its text may be released; nothing if there is no table.

    Raises:
        PipelineError: a row is malformed, or a place has two.
    """
    if not path.exists():
        return {}
    lines: dict[Place, int | None] = {}
    known = {}
    for line, row in parse_tsv(read_text(path), path, REMARK_COLUMNS):
        place = (row["task"], row["item"], row["rater"], row["control"])
        require_unique(lines, place, path, line, "control")
        if row["release"] not in _RELEASE:
            raise PipelineError(
                path, line, f"[release] unknown answer; found {shown(row['release'])}, expected {' or '.join(_RELEASE)}"
            )
        known[place] = _RELEASE[row["release"]]
    return known


def write_remarks(path: Path, remarks: Sequence[Remark]) -> None:
    """Write the table of remarks; without remarks, none is written and an earlier one is deleted."""
    if remarks:
        write_tsv(
            path,
            REMARK_COLUMNS,
            [(*remark.place, remark.kinds, "yes" if remark.release else "no") for remark in remarks],
        )
    else:
        path.unlink(missing_ok=True)
