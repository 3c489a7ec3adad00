"""What annotators said of items, as a study's export keeps it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, read_text, write_jsonl

Answer = str | int
#: Seconds, three years: nobody has a task open for longer.
MAX_LEAD_TIME = 10**8
_FIELDS = ("study", "list", "task", "item", "phase", "rater", "answers", "lead_time", "skipped")


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Judgement:
    """What one rater said of one item.

    Attributes:
        study: the id of the study.
        list: the name of the list of tasks in which the item stood.
        task: the key of the task, ``STUDY/LIST/POSITION``; a screen of ten items is one task with ten judgements.
        item: the id of the item.
        phase: ``practice`` or ``main``.
        rater: a pseudonym.
        answers: by control: the number of a candidate, a rating, the code of a choice, or a text; a control left open is absent.
        lead_time: seconds that the rater had the task open, of a screen as a whole; None where the server does not tell.
        skipped: whether the rater passed the task over; then there are no answers.
    """

    study: str
    list: str
    task: str
    item: str
    phase: str
    rater: str
    answers: Mapping[str, Answer]
    lead_time: float | None
    skipped: bool = False

    def __post_init__(self) -> None:
        if self.skipped and self.answers:
            raise ValueError(f"[skipped] a task passed over has no answers; found {dict(self.answers)!r}")


def judgement_to_json(judgement: Judgement) -> dict[str, Any]:
    """Return the object of one line of an export."""
    row: dict[str, Any] = {name: getattr(judgement, name) for name in _FIELDS}
    return row | {"answers": dict(sorted(judgement.answers.items()))}


def judgement_from_json(value: Mapping[str, Any], path: Path, line: int) -> Judgement:
    """Return the judgement of one line of an export.

    Raises:
        PipelineError: a field is missing, unknown or of the wrong kind.
    """

    def field(name: str, kinds: tuple[type, ...], expected: str) -> Any:
        if name not in value:
            raise PipelineError(path, line, f"[{name}] missing field; expected {expected}")
        found = value[name]
        if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
            raise PipelineError(path, line, f"[{name}] wrong kind; found {found!r}, expected {expected}")
        return found

    for name in value:
        if name not in _FIELDS:
            raise PipelineError(path, line, f"[{name}] unknown field; expected one of {', '.join(_FIELDS)}")
    texts = {name: field(name, (str,), "text") for name in _FIELDS[:6]}
    answers = field("answers", (dict,), "an object")
    for name, answer in answers.items():
        if not isinstance(answer, str | int) or isinstance(answer, bool):
            raise PipelineError(
                path, line, f"[answers] wrong kind; found {answer!r} for {name}, expected text or a number"
            )
    lead_time = field("lead_time", (int, float, type(None)), "seconds or null")
    skipped = field("skipped", (bool,), "true or false")
    try:
        return Judgement(**texts, answers=answers, lead_time=lead_time, skipped=skipped)
    except ValueError as error:
        raise PipelineError(path, line, str(error)) from error


def numbered_judgements(path: Path) -> list[tuple[int, Judgement]]:
    """Return the judgements of an export with their lines, in its order; a rater judges an item of a task once.

    Raises:
        PipelineError: a malformed line, or the same task, item and rater twice.
    """
    found: dict[tuple[str, str, str], int] = {}
    judgements = []
    for line, value in parse_jsonl(read_text(path), path):
        judgement = judgement_from_json(value, path, line)
        key = (judgement.task, judgement.item, judgement.rater)
        if key in found:
            raise PipelineError(path, line, f"[rater] not unique; found {key!r} in line {found[key]} too")
        found[key] = line
        judgements.append((line, judgement))
    return judgements


def read_judgements(path: Path) -> list[Judgement]:
    """Return the judgements of an export; see `numbered_judgements` for its errors."""
    return [judgement for _, judgement in numbered_judgements(path)]


def write_judgements(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write an export, sorted by task, item and rater, atomically."""
    ordered = sorted(judgements, key=lambda one: (one.study, one.task, one.item, one.rater))
    write_jsonl(path, map(judgement_to_json, ordered))
