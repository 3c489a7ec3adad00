"""Files of predictions: what systems answered to the items of a release, in one mode or several."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from ..core.convert import Count, Text, convert_fields, keys_of
from ..core.errors import PipelineError, errors_at, plural, shown
from ..core.files import parse_jsonl, read_text
from ..core.hints import known_names
from ..language.answers.choice import ParsedAnswer, parse_answer
from ..language.answers.final import final_text
from ..language.answers.mentions import letter
from ..language.pronoun_classes import cloze_languages, pronoun_classes
from .items import ReleasedItem
from .modes import kind_of, own_kind, part_of
from .shown_prompts import ShownPrompt, by_start, odd_prompt, require_own_prompt

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


def default_form(items: Iterable[ReleasedItem]) -> Form:
    """Return the form that answers are to where they do not say it: zero, if the release has zero forms."""
    return "zero" if any(entry.text_zero for entry in items) else "overt"


#: Fields of our own responses that are not read again.
_OTHER_FIELDS = ("boundary",)
#: Fields without which an answer means something else, with values that tell them under any name.
_TELLING = {"form": ("overt",), "order": ("swapped", "as written"), "scores": ()}
#: An answer that is one word, perhaps behind a label.
_PRONOUN = re.compile(r"\W*(?:(?:antwort|answer|lösung|pronomen)\W+)?(\w+)\W*", re.IGNORECASE)
_NUMBER = re.compile(r"\W*(?:(?:option|answer|选项|答案)\W*)?(\d)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a file of predictions; other fields are ignored."""

    id: str
    model: Text
    mode: Text
    answer: Annotated[str | int, Meta(description="text")]
    form: Form | None = None  # without it, zero if the release has zero forms
    order: WrittenOrder | None = None  # swapped: A was the last candidate
    shown_options: tuple[str, ...] | None = None  # as the system saw them, where each item has an order of its own
    prompt: str | None = None
    prompt_tokens: Count | None = None
    answer_tokens: Count | None = None
    scores: tuple[_LogProbability, ...] | None = None  # of the candidates, or of `shown_options`


def read_predictions(
    paths: Sequence[Path],
    items: Sequence[ReleasedItem],
    notes: list[str] | None = None,
    doubts: list[str] | None = None,
) -> Runs:
    """Return the runs of files of predictions (JSON Lines), in the order in which they first occur; at least one.

    A run may be divided over several files. Each line is of an item of the release, which a run answers once. Where a run answers by
    numbers from 0, as the `answer` of a release counts, 0 is option A.

    Args:
        notes: lines are added on fields that are not read, and on runs that count from 0.
        doubts: a line is added for a run with a prompt unlike its others, or with prompts that tell the answers; None looks for none.
    """
    by_id = {entry.item.id: entry for entry in items}
    default = default_form(items)
    texts = by_start(items)
    rows: dict[Run, dict[str, _Line]] = {}
    places: dict[tuple[Run, str], tuple[Path, int]] = {}
    for path in paths:
        unread: Counter[str] = Counter()
        for line, value in parse_jsonl(read_text(path), path, foreign=True):
            with errors_at(path, line):
                if "id" not in value:
                    expected = "expected the id of an item; `winoforge evaluate import` reads logs of other tools"
                    raise ValueError(f"[id] missing field; found {shown(', '.join(value))}, {expected}")
                unread.update(_unread_fields(value))
                row = convert_fields(value, _Line)
                run = Run(row.model, row.mode, row.form or default, order_of(row.order))
                if row.id not in by_id:
                    expected = f"expected one of the {len(by_id)} of the release, such as {items[0].item.id}"
                    raise ValueError(f"[id] unknown id; found {shown(row.id)}, {expected}")
                if run.form == "zero" and default != "zero":
                    raise ValueError("[form] no zero forms in this release; found 'zero', expected 'overt'")
                if (run, row.id) in places:
                    before = ":".join(map(str, places[run, row.id]))
                    raise ValueError(
                        f"[id] answered twice; found {shown(row.id)} of {run} in {before} too, expected it once"
                    )
                require_own_prompt("" if part_of(row.mode) else row.prompt or "", run.form, by_id[row.id], texts)
                _require_order(row, run.order, by_id[row.id].item.candidates)
                places[run, row.id] = path, line
                rows.setdefault(run, {})[row.id] = row
        if unread and notes is not None:
            fields = ", ".join(f"{shown(key)} in {plural(count, 'line')}" for key, count in unread.items())
            notes.append(f"{path}: fields that are not read: {fields}")
    if not rows:
        raise PipelineError(paths[0] if paths else None, None, "[file] no prediction; expected an answer to each item")
    _require_one_spelling(rows, places)
    if doubts is not None:
        doubts += _odd_prompts(rows, by_id, places)
    return {run: _responses(run, of_run, by_id, places, notes) for run, of_run in rows.items()}


def _options(row: _Line, entry: ReleasedItem) -> Sequence[str]:
    """Return the options in the order in which the system saw them."""
    candidates = entry.item.candidates
    return row.shown_options or (candidates[::-1] if order_of(row.order) == "swapped" else candidates)


def _odd_prompts(
    rows: Mapping[Run, Mapping[str, _Line]],
    by_id: Mapping[str, ReleasedItem],
    places: Mapping[tuple[Run, str], tuple[Path, int]],
) -> Iterator[str]:
    """Yield a prompt of each run that is unlike its others or tells the answer; those that show a part of an item are left out."""
    for run, of_run in rows.items():
        prompts = {key: ShownPrompt(row.prompt or "", _options(row, by_id[key])) for key, row in of_run.items()}
        if not part_of(run.mode) and (odd := odd_prompt(prompts, by_id)):
            yield str(PipelineError(*places[run, odd[0]], f"[prompt] {odd[1]}"))


def _require_order(row: _Line, order: Order, candidates: Sequence[str]) -> None:
    """Raise `ValueError` for a prompt that lists two candidates as options A and B in the other order than the line says."""
    expected = candidates[::-1] if order == "swapped" else candidates
    options = [re.escape(name) for name in expected[::-1]]
    if len(options) == 2 and re.search(r"^A[.):]? {}\s+B[.):]? {}$".format(*options), row.prompt or "", re.MULTILINE):
        raise ValueError(f"[order] of the other options; found {order!r}, but the prompt has {shown(expected[1])} as A")


def _require_one_spelling(
    rows: Mapping[Run, Mapping[str, _Line]], places: Mapping[tuple[Run, str], tuple[Path, int]]
) -> None:
    """Refuse two modes or models that differ in case alone: each would have a part of the answers, or the same answers twice."""
    first: dict[tuple[str, ...], Run] = {}
    for run, of_run in rows.items():
        before = first.setdefault((run.model.casefold(), run.mode.casefold(), run.form, run.order), run)
        for field in ("model", "mode"):
            if (found := getattr(run, field)) != (expected := getattr(before, field)):
                path, line = places[run, next(iter(of_run))]
                reason = (
                    f"differs in case from another {field}; found {shown(found)}, expected {shown(expected)} as before"
                )
                raise PipelineError(path, line, f"[{field}] {reason}")


def _responses(
    run: Run,
    rows: Mapping[str, _Line],
    by_id: Mapping[str, ReleasedItem],
    places: Mapping[tuple[Run, str], tuple[Path, int]],
    notes: list[str] | None,
) -> dict[str, Response]:
    numbers = _numbers(rows)
    beyond = [
        name
        for name, number in numbers.items()
        if number >= len(rows[name].shown_options or by_id[name].item.candidates)
    ]
    if beyond and len(beyond) <= [*numbers.values()].count(0) // 20:
        path, line = places[run, beyond[0]]
        reason = f"found {numbers[beyond[0]]}, expected the number of a candidate from 0, as in the other lines"
        raise PipelineError(path, line, f"[answer] out of range; {reason}")
    from_zero = 0 in numbers.values() and not beyond
    if notes is not None and from_zero:
        notes.append(f"{run}: the answers are numbers from 0, the index of an option: 0 is read as A")
    elif notes is not None and len(numbers) > 1 and set(numbers.values()) == {1}:
        notes.append(f"{run}: all numbers are 1, which is read as A; if they count from 0, each is B")
    responses = {}
    for name, entry in by_id.items():
        if name in rows:
            with errors_at(*places[run, name]):
                responses[name] = _response(rows[name], entry, run.order, from_zero=from_zero)
    return responses


def _unread_fields(value: Mapping[str, Any]) -> list[str]:
    """Return the fields of a line that are not read; raises `ValueError` for one that is probably meant for a field of ours."""
    known = keys_of(_Line)
    unread = [key for key in value if key not in known and key not in _OTHER_FIELDS]
    for key in unread:
        similar = _similar_field(key)
        for field, values in _TELLING.items():
            near = field == similar and (values or isinstance(value[key], list))
            if field not in value and (near or value[key] in values):
                raise ValueError(f"[{key}] unknown field; {known_names(field, list(known))}")
    return unread


@lru_cache(maxsize=4096)
def _similar_field(key: str) -> str:
    """Return the telling field that a key is nearly, empty without one."""
    plain = re.sub(r"[\s_-]", "", key).casefold()
    return next(iter(difflib.get_close_matches(plain, _TELLING, 1, 0.85)), "")


def _numbers(rows: Mapping[str, _Line]) -> Mapping[str, int]:
    """Return the answers that are a number of an option, by item; empty where most answers of a run are none."""
    numbers = {name: int(match[1]) for name, row in rows.items() if (match := _NUMBER.fullmatch(_said(row)))}
    return numbers if 2 * len(numbers) > len(rows) else {}


def _said(row: _Line) -> str:
    return final_text(str(row.answer)).strip()


def _response(row: _Line, entry: ReleasedItem, order: Order, *, from_zero: bool) -> Response:
    options = _named_options(row.shown_options or (), entry.item.candidates)
    count = len(options or entry.item.candidates)
    if row.scores is not None and len(row.scores) != count:
        reason = f"found {len(row.scores)}, expected {count}, in the order of the item's candidates"
        raise ValueError(f"[scores] not one score for each candidate; {reason}")
    number = _NUMBER.fullmatch(_said(row)) if from_zero else None
    answer = str(row.answer)
    own = response(letter(int(number[1])) if number else answer, entry, order, options)
    return replace(
        own,
        answer=answer,
        prompt=row.prompt or "",
        prompt_tokens=row.prompt_tokens,
        answer_tokens=row.answer_tokens,
        scores=tuple(row.scores[options.index(name)] for name in entry.item.candidates)
        if row.scores and options
        else row.scores,
    )


def order_of(written: WrittenOrder | None) -> Order:
    """Return the order that a file states; without one, the options are as written.

    >>> order_of("as written"), order_of("swapped"), order_of(None)
    ('written', 'swapped', 'written')
    """
    return "swapped" if written == "swapped" else "written"


def _named_options(options: Sequence[str], candidates: Sequence[str]) -> list[str]:
    """Return the options with the candidates as the item writes them; empty if none is a candidate: letters, or whole sentences.

    Raises:
        ValueError: some candidates are among the options, and others not.
    """
    written = {name.casefold(): name for name in candidates}
    named = [written.get(option.strip().casefold(), option) for option in options]
    found = [name for name in named if name in candidates]
    if found and sorted(found) != sorted(candidates):
        raise ValueError(
            f"[shown_options] not the item's candidates; found {shown(list(options))}, expected {shown(list(candidates))}"
        )
    return named if found else []


def response(answer: str, entry: ReleasedItem, order: Order = "written", options: Sequence[str] = ()) -> Response:
    """Return what an answer to an item means; `options` are what the system saw, if not the candidates in one of the two orders."""
    candidates = entry.item.candidates
    choice = parsed(answer, options) if options else parsed(answer, candidates, order)
    if options and choice.choice is not None:
        name = options[choice.choice]
        choice = replace(choice, choice=candidates.index(name)) if name in candidates else ParsedAnswer("neither")
    if choice.outcome == "unclear":
        choice = _by_gender(answer, entry) or choice
    return Response(answer, choice, choice.choice == entry.item.answer)


def _by_gender(answer: str, entry: ReleasedItem) -> ParsedAnswer | None:
    """Return the choice of an answer that is the pronoun of a gap, if one candidate alone has its gender."""
    if not entry.genders or entry.item.lang not in cloze_languages():
        return None
    match = _PRONOUN.fullmatch(final_text(answer))
    gender = pronoun_classes(entry.item.lang).words().get(match[1].casefold()) if match else None
    return ParsedAnswer("name", entry.genders.index(gender)) if gender and entry.genders.count(gender) == 1 else None


def parsed(answer: str, candidates: Sequence[str], order: Order = "written") -> ParsedAnswer:
    """Return which candidate an answer chooses."""
    return parse_answer(answer, candidates, swapped=order == "swapped")
