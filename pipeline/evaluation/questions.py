"""The items of a release as questions to a model, and its replies as responses."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from .asking import Reply
from .items import ReleasedItem
from .predictions import Form, Order, response
from .prompts.rendering import Shown, has_form, prompt, variants


@dataclass(frozen=True, slots=True)
class ItemQuestion:
    """A question about an item: how the item is shown in it, and the prompt."""

    entry: ReleasedItem
    shown_as: Shown
    prompt: str


def item_questions(
    entries: Iterable[ReleasedItem],
    release: Iterable[ReleasedItem],
    modes: Iterable[str],
    forms: Sequence[Form],
    orders: Sequence[Order],
    *,
    cue: bool = False,
) -> list[ItemQuestion]:
    """Return the questions about items: a run for each mode, form and order, in each the items in the order of the release.

    An item that lacks a form is left out of its runs (`has_form`).

    Args:
        release: all items of their release, which decide the examples of each (`variants`).
    """
    variant_of = variants(release)
    asked = list(entries)
    return [
        ItemQuestion(entry, shown_as, prompt(entry, shown_as, variant_of[entry.cluster], cue=cue))
        for shown_as in (Shown(*parts) for parts in product(modes, forms, orders))
        for entry in asked
        if has_form(entry, shown_as.form)
    ]


def responses(questions: Sequence[ItemQuestion], replies: Sequence[Reply], model: str) -> Iterator[dict[str, Any]]:
    """Yield a line of a file of responses for each reply: what `evaluate report` reads, the prompt and its length in tokens."""
    for question, reply in zip(questions, replies, strict=True):
        row = {"id": question.entry.item.id, "model": model, **question.shown_as._asdict(), "answer": reply.text}
        counts = {"prompt_tokens": reply.prompt_tokens, "answer_tokens": reply.answer_tokens}
        yield row | {"prompt": question.prompt} | {name: count for name, count in counts.items() if count is not None}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The figures of one run."""

    shown_as: Shown
    answers: int
    right: int
    unparsed: int  # number of answers without one clear choice, which count as wrong
    tokens: tuple[int, ...]  # number of tokens of each prompt that the server counted


def summaries(questions: Sequence[ItemQuestion], replies: Sequence[Reply]) -> list[RunSummary]:
    """Return the figures of each run, in the order of the questions."""
    runs: dict[Shown, list[tuple[ItemQuestion, Reply]]] = defaultdict(list)
    for question, reply in zip(questions, replies, strict=True):
        runs[question.shown_as].append((question, reply))
    return [_summary(shown_as, answered) for shown_as, answered in runs.items()]


def _summary(shown_as: Shown, answered: Sequence[tuple[ItemQuestion, Reply]]) -> RunSummary:
    parsed = [response(reply.text, question.entry, shown_as.order) for question, reply in answered]
    tokens = tuple(reply.prompt_tokens for _, reply in answered if reply.prompt_tokens is not None)
    right, unparsed = sum(each.right for each in parsed), sum(each.parsed.choice is None for each in parsed)
    return RunSummary(shown_as, len(answered), right, unparsed, tokens)
