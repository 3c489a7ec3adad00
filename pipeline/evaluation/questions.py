"""The items of a release, or a balanced sample of whole pairs, as questions to a model; its replies as responses."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product, zip_longest
from typing import Any, Literal

from ..core.errors import PipelineError, plural, shown
from .asking import Reply
from .items import ReleasedItem
from .predictions import FORMS, Form, Order, Response, response
from .prompts import Shown, has_form, prompt, variants


def sample_pairs(
    entries: Sequence[ReleasedItem], count: int, seed: int = 0, *, release: Sequence[ReleasedItem] = ()
) -> list[ReleasedItem]:
    """Return at most `count` items in whole pairs, in the order of the release.

    A pair is a schema of two items whose answers differ, so that a sample has as many first as second candidates that are right. As many
    pairs are drawn from either half of the release that differs in the examples of its prompts (`variants`), give or take one, as long as
    both halves have some. A larger sample with the same seed holds the smaller one, so that its replies are used again. All schemas of
    the release are shuffled before those that cannot be drawn are left out: two draws with the same seed differ only where an item
    can be in one and not in the other.

    Args:
        count: number of items; of an odd one, one less is drawn.
        release: all items of the release if not all may be drawn: they decide halves and order.
    """
    members: dict[str, list[ReleasedItem]] = defaultdict(list)
    for entry in entries:
        members[entry.item.schema].append(entry)
    pairs = {
        schema for schema, pair in members.items() if len(pair) == 2 and pair[0].item.answer != pair[1].item.answer
    }
    of = variants(release or entries)
    clusters = {entry.item.schema: entry.cluster for entry in release or entries}
    halves: tuple[list[str], list[str]] = ([], [])
    for schema, cluster in clusters.items():
        halves[of[cluster]].append(schema)
    for half in halves:
        random.Random(seed).shuffle(half)  # noqa: S311 - a sample, no secret
    in_turn = chain.from_iterable(zip_longest(*([schema for schema in half if schema in pairs] for half in halves)))
    drawn = set([schema for schema in in_turn if schema is not None][: count // 2])
    return [entry for entry in entries if entry.item.schema in drawn]


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
    examples: Mapping[str, str] | None = None,
) -> list[ItemQuestion]:
    """Return the questions about items: a run for each mode, form and order, in each the items in the order of the release.

    An item that lacks a form is left out of its runs (`has_form`). All items of the release decide the examples of each (`variants`).
    Raises `PipelineError` if a mode is unknown or cannot show the items.
    """
    variant_of = variants(release)
    asked = list(entries)
    return [
        ItemQuestion(entry, shown_as, prompt(entry, shown_as, variant_of[entry.cluster], cue=cue, examples=examples))
        for shown_as in (Shown(*parts) for parts in product(modes, forms, orders))
        for entry in asked
        if has_form(entry, shown_as.form)
    ]


@dataclass(frozen=True, slots=True)
class Selection:
    """The questions about a release, or about a sample of it."""

    chosen: Sequence[ReleasedItem]  # the items that are asked about
    able: Sequence[ReleasedItem]  # all items that have the forms
    forms: tuple[Form, ...]
    questions: list[ItemQuestion]


def select_questions(
    entries: Sequence[ReleasedItem],
    modes: Iterable[str],
    form: Form | Literal["both"] | None,
    orders: Sequence[Order],
    *,
    items: int | None,
    seed: int,
    cue: bool = False,
    examples: Mapping[str, str] | None = None,
) -> Selection:
    """Return the questions about the items of a release.

    Args:
        form: None for the zero form if the release has zeros, else the overt one.
        items: size of a balanced sample of whole pairs (`sample_pairs`); None for all items.

    Raises:
        PipelineError: the release has no zeros that it should have, no item can be asked about, or see `item_questions`.
    """
    zeros = any(entry.text_zero for entry in entries)
    if form in ("zero", "both") and not zeros:
        raise PipelineError(None, None, f"[form] no zero forms in this release; found {shown(form)}, expected 'overt'")
    forms = FORMS if form == "both" else ("overt",) if form == "overt" or not zeros else ("zero",)
    able = [entry for entry in entries if all(has_form(entry, each) for each in forms)]
    chosen = sample_pairs(able, items, seed, release=entries) if items else entries
    questions = item_questions(chosen, entries, modes, forms, orders, cue=cue, examples=examples)
    if not questions:
        reason = f"no item to ask about; found {plural(len(able), 'item')} in this form, expected whole pairs"
        raise PipelineError(None, None, f"[items] {reason}")
    return Selection(chosen, able, forms, questions)


def responses(questions: Sequence[ItemQuestion], replies: Sequence[Reply], model: str) -> Iterator[dict[str, Any]]:
    """Yield a line of a file of responses for each reply: what `evaluate report` reads, the prompt and its length in tokens."""
    for question, reply in zip(questions, replies, strict=True):
        row = {"id": question.entry.item.id, "model": model, **question.shown_as._asdict(), "answer": reply.text}
        counts = {"prompt_tokens": reply.prompt_tokens, "answer_tokens": reply.answer_tokens}
        yield row | {"prompt": question.prompt} | {name: count for name, count in counts.items() if count is not None}


def answered_runs(
    questions: Sequence[ItemQuestion], replies: Sequence[Reply]
) -> dict[Shown, list[tuple[Response, int | None]]]:
    """Return by run, in the order of the questions, what each reply means and the length of its prompt in tokens, None if unknown."""
    runs: dict[Shown, list[tuple[Response, int | None]]] = defaultdict(list)
    for question, reply in zip(questions, replies, strict=True):
        read = response(reply.text, question.entry, question.shown_as.order)
        runs[question.shown_as].append((read, reply.prompt_tokens))
    return runs
