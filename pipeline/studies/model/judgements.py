"""Judgements, and the export of a study that keeps them: judgements.jsonl."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ...core.convert import read_records, to_object
from ...core.errors import PipelineError, shown
from ...core.files import require_unique, write_jsonl

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
        study: the id of the study.
        list: the name of the list.
        task: the key of the task, ``STUDY/LIST/POSITION``; a task with ten items on its screen has ten judgements.
        item: the id of the item.
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
