"""Files of predictions: what systems answered to the items of a release, in one mode or several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta

from ..core.convert import Count, Text, convert_fields
from ..core.errors import PipelineError, errors_at, shown
from ..core.files import parse_jsonl, read_text
from ..language.answers.choice import ParsedAnswer, parse_answer
from .items import ReleasedItem
from .modes import kind_of, own_kind

#: Which form of an item the system saw.
Form = Literal["zero", "overt"]
#: In which order it saw the options: as the item has its candidates, or in reverse.
Order = Literal["written", "swapped"]
FORMS: tuple[Form, ...] = get_args(Form)
ORDERS: tuple[Order, ...] = get_args(Order)
#: The orders in words.
ORDER_WORDS: Mapping[Order, str] = {"written": "as written", "swapped": "swapped"}
#: The order in a file: its name; tasks of a release, and earlier files, have its words.
WrittenOrder = Literal["written", "swapped", "as written"]
#: The logarithm of a probability: finite, and at most 0 with room for rounding.
_LogProbability = Annotated[
    float, Meta(ge=-1e300, le=1e-6, description="a log-probability, a finite number of at most 0")
]


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of a system over the items."""

    model: str
    mode: str
    form: Form  # which form of the items it saw
    order: Order

    def __str__(self) -> str:
        return f"{self.model}, {self.mode}, {self.form}, {ORDER_WORDS[self.order]}"


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


def own_runs(runs: Runs) -> Runs:
    """Return the runs that count as the systems' own answers: those in which they are asked, or what they have instead.

    Modes that show a part of the item, and of a system that is asked also those that score texts, are baselines of it.
    """
    modes: dict[str, list[str]] = {}
    for run in runs:
        modes.setdefault(run.model, []).append(run.mode)
    kinds = {model: own_kind(of_model) for model, of_model in modes.items()}
    return {run: responses for run, responses in runs.items() if kind_of(run.mode) == kinds[run.model]}


def answered_items(items: Sequence[ReleasedItem], runs: Runs) -> list[ReleasedItem]:
    """Return the items that any run answered: the sample of a release that systems were asked about."""
    names = {name for responses in runs.values() for name in responses}
    return [entry for entry in items if entry.item.id in names]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a file of predictions; other fields are ignored."""

    id: str
    model: Text
    mode: Text
    answer: str
    form: Form | None = None  # without it, zero if the release has zero forms
    order: WrittenOrder | None = None  # swapped: A was the last candidate
    prompt: str | None = None
    prompt_tokens: Count | None = None
    answer_tokens: Count | None = None
    scores: tuple[_LogProbability, ...] | None = None


def read_predictions(paths: Sequence[Path], items: Sequence[ReleasedItem]) -> Runs:
    """Return the runs of files of predictions (JSON Lines), in the order in which they first occur; at least one.

    A run may be divided over several files. Each line is of an item of the release, which a run answers once.
    """
    by_id = {entry.item.id: entry for entry in items}
    default: Form = "zero" if any(entry.text_zero for entry in items) else "overt"
    runs: dict[Run, dict[str, Response]] = {}
    places: dict[tuple[Run, str], str] = {}
    for path in paths:
        for line, value in parse_jsonl(read_text(path), path, foreign=True):
            with errors_at(path, line):
                row = convert_fields(value, _Line)
                run = Run(row.model, row.mode, row.form or default, order_of(row.order))
                if row.id not in by_id:
                    expected = f"expected one of the {len(by_id)} of the release, such as {items[0].item.id}"
                    raise ValueError(f"[id] unknown id; found {shown(row.id)}, {expected}")
                if run.form == "zero" and default != "zero":
                    raise ValueError("[form] no zero forms in this release; found 'zero', expected 'overt'")
                if (run, row.id) in places:
                    reason = f"found {shown(row.id)} of {run} in {places[run, row.id]} too, expected it once"
                    raise ValueError(f"[id] answered twice; {reason}")
                places[run, row.id] = f"{path}:{line}"
                runs.setdefault(run, {})[row.id] = _response(row, by_id[row.id], run.order)
    if not runs:
        raise PipelineError(paths[0] if paths else None, None, "[file] no prediction; expected an answer to each item")
    return {run: {name: answered[name] for name in by_id if name in answered} for run, answered in runs.items()}


def _response(row: _Line, entry: ReleasedItem, order: Order) -> Response:
    count = len(entry.item.candidates)
    if row.scores is not None and len(row.scores) != count:
        reason = f"found {len(row.scores)}, expected {count}, in the order of the item's candidates"
        raise ValueError(f"[scores] not one score for each candidate; {reason}")
    choice = parsed(row.answer, entry.item.candidates, order)
    right = choice.choice == entry.item.answer
    return Response(row.answer, choice, right, row.prompt or "", row.prompt_tokens, row.answer_tokens, row.scores)


def order_of(written: WrittenOrder | None) -> Order:
    """Return the order that a file states; without one, the options are as written.

    >>> order_of("as written"), order_of("swapped"), order_of(None)
    ('written', 'swapped', 'written')
    """
    return "swapped" if written == "swapped" else "written"


def response(answer: str, entry: ReleasedItem, order: Order = "written") -> Response:
    """Return what an answer to an item means."""
    choice = parsed(answer, entry.item.candidates, order)
    return Response(answer, choice, choice.choice == entry.item.answer)


def parsed(answer: str, candidates: Sequence[str], order: Order = "written") -> ParsedAnswer:
    """Return which candidate an answer chooses."""
    return parse_answer(answer, candidates, swapped=order == "swapped")
