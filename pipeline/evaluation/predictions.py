"""Files of predictions: what systems answered to the items of a release, in one mode or several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from ..core.errors import PipelineError, shown
from ..core.files import parse_jsonl, read_text
from ..core.records import field_of, text_field
from .answers import ParsedAnswer, parse_answer, without_thought
from .items import ReleasedItem

#: Which form of an item the system saw.
Form = Literal["zero", "overt"]
#: In which order it saw the options: as the item has its candidates, or in reverse.
Order = Literal["as written", "swapped"]
FORMS: tuple[Form, ...] = get_args(Form)
ORDERS: tuple[Order, ...] = get_args(Order)
#: Bounds of the logarithm of a probability: finite, and at most 0 with room for rounding.
_MIN_SCORE, _MAX_SCORE = -1e300, 1e-6
#: Maximum length of an answer that is parsed, without its thought; of longer ones the end counts, where the answer stands.
MAX_ANSWER = 10_000


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of a system over the items."""

    model: str
    mode: str
    form: Form  # which form of the items it saw
    order: Order

    def __str__(self) -> str:
        return f"{self.model}, {self.mode}, {self.form}, {self.order}"


@dataclass(frozen=True, slots=True)
class Response:
    """What a system answered to one item."""

    answer: str
    parsed: ParsedAnswer
    right: bool
    prompt: str = ""  # the whole text that the system read; empty if unknown
    prompt_tokens: int | None = None  # tokens of the prompt, by the system's own count; None if unknown
    answer_tokens: int | None = None  # tokens of the answer; None if unknown
    #: The log-probability of each candidate, in the item's order of candidates; None if unknown.
    scores: tuple[float, ...] | None = None


#: The responses of each run by the id of their item, in the order of the release.
Runs = Mapping[Run, Mapping[str, Response]]


def answered_items(items: Sequence[ReleasedItem], runs: Runs) -> list[ReleasedItem]:
    """Return the items that any run answered: the sample of a release that systems were asked about."""
    names = {name for responses in runs.values() for name in responses}
    return [entry for entry in items if entry.item.id in names]


def read_predictions(paths: Sequence[Path], items: Sequence[ReleasedItem]) -> Runs:
    """Return the runs of files of predictions (JSON Lines), in the order in which they first occur.

    A line has ``id``, ``model``, ``mode`` and ``answer``, all texts. ``form`` may be zero or overt; without it, it is zero if the
    release has zero forms. ``order`` may be "as written", which it is without it, or "swapped": then A was the last candidate.
    ``prompt``, ``prompt_tokens``, ``answer_tokens`` and ``scores`` may be there or null; see `Response`. Other fields are ignored.

    Raises:
        PipelineError: a line is malformed, names no item of the release, or answers again what another one does; or there is none.
    """
    by_id = {entry.item.id: entry for entry in items}
    own: Form = "zero" if any(entry.text_zero for entry in items) else "overt"
    runs: dict[Run, dict[str, Response]] = {}
    places: dict[tuple[Run, str], str] = {}
    for path in paths:
        for line, row in parse_jsonl(read_text(path), path):
            try:
                run, name, answer = _prediction(row, own)
                if name not in by_id:
                    expected = f"expected one of the {len(by_id)} of the release, such as {items[0].item.id}"
                    raise ValueError(f"[id] unknown id; found {shown(name)}, {expected}")
                details = _details(row, len(by_id[name].item.candidates))
            except ValueError as error:
                raise PipelineError(path, line, str(error)) from error
            if (run, name) in places:
                reason = f"answered twice; found {shown(name)} of {run} in {places[run, name]} too, expected it once"
                raise PipelineError(path, line, f"[id] {reason}")
            places[run, name] = f"{path}:{line}"
            runs.setdefault(run, {})[name] = replace(response(answer, by_id[name], run.order), **details)
    if not runs:
        raise PipelineError(paths[0] if paths else None, None, "[file] no prediction; expected an answer to each item")
    return {run: {name: answered[name] for name in by_id if name in answered} for run, answered in runs.items()}


def response(answer: str, entry: ReleasedItem, order: Order = "as written") -> Response:
    """Return what an answer to an item means."""
    choice = parsed(answer, entry.item.candidates, order)
    return Response(answer, choice, choice.choice == entry.item.answer)


def parsed(answer: str, candidates: Sequence[str], order: Order = "as written") -> ParsedAnswer:
    """Return which candidate an answer chooses; of a long one the end counts, without its thought."""
    return parse_answer(without_thought(answer)[-MAX_ANSWER:], candidates, swapped=order == "swapped")


def _prediction(row: Mapping[str, Any], own: Form) -> tuple[Run, str, str]:
    """Return run, item and answer of a line; raises `ValueError` with the field and the reason."""
    name, model, mode, answer = (text_field(row, field) for field in ("id", "model", "mode", "answer"))
    for field, value in (("model", model), ("mode", mode)):
        if not value.strip():
            raise ValueError(f"[{field}] empty; found {shown(value)}, expected a name")
    form, order = row.get("form", own), row.get("order", ORDERS[0])
    if form not in FORMS:
        raise ValueError(f"[form] unknown form; found {shown(form)}, expected {' or '.join(FORMS)}")
    if form == "zero" and own != "zero":
        raise ValueError("[form] no zero forms in this release; found 'zero', expected 'overt'")
    if order not in ORDERS:
        raise ValueError(f"[order] unknown order; found {shown(order)}, expected {' or '.join(map(repr, ORDERS))}")
    return Run(model, mode, form, order), name, answer


def _details(row: Mapping[str, Any], candidates: int) -> dict[str, Any]:
    """Return the fields of a line that it may have besides; raises `ValueError` with the field and the reason."""
    given = {name: value for name, value in row.items() if value is not None}
    details: dict[str, Any] = {"prompt": text_field(given, "prompt")} if "prompt" in given else {}
    for name in ("prompt_tokens", "answer_tokens"):
        if name in given:
            details[name] = field_of(given, name, int, "a number of tokens")
            if details[name] < 0:
                raise ValueError(f"[{name}] negative; found {details[name]}, expected a number of tokens")
    if "scores" in given:
        details["scores"] = _scores(field_of(given, "scores", list, "a log-probability of each candidate"), candidates)
    return details


def _scores(values: Sequence[Any], candidates: int) -> tuple[float, ...]:
    if len(values) != candidates:
        reason = f"found {len(values)}, expected {candidates}, in the order of the item's candidates"
        raise ValueError(f"[scores] not one score for each candidate; {reason}")
    for value in values:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not _MIN_SCORE <= value <= _MAX_SCORE:
            raise ValueError(
                f"[scores] no log-probability; found {shown(value)}, expected a finite number of at most 0"
            )
    return tuple(map(float, values))
