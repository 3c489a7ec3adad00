"""The form `scoring`: the disambiguated texts cut into context and continuation (Trinh and Le 2018)."""

from collections.abc import Iterable, Mapping

from ...core.model import Item
from ...core.validation.contract import ID, TEXT, TRUTH, contract
from ...core.validation.rows import members_of, text_of
from ...core.validation.suite import Check, Suite, Value, described
from ...language.text_checks import has_words
from ..pairs import shared_beginning
from .checks import (
    first_failure,
    mated,
    missing_name,
    of_members,
    one_correct,
    pair_checks,
    right_row,
    rows_by_item,
    schema_of_item,
    slack,
    text_checks_of_members,
    two_rows,
)
from .disambiguated import substituted
from .form import DerivedForm, Form, Row, derived
from .zero_fields import CONTEXT_ZERO, OF_CONTEXT


def scoring(items: Iterable[Item]) -> DerivedForm:
    """Return the disambiguated text for each candidate, cut after the expression in the target's place.

    The full score is the probability of ``context`` and ``continuation``, the partial score that of ``continuation`` given
    ``context`` (Trinh and Le 2018, A Simple Method for Commonsense Reasoning, section 3.1). All candidates of an item have
    the same continuation. ``partial`` is false where it has no word, so that there is no partial score.
    """
    made, unmade = substituted(items, "scoring")
    rows: list[Row] = []
    for item, substitutions in made:
        continuation = substitutions[0].text[substitutions[0].span.end :]
        rows += [
            {
                "id": f"{item.id}-{index}",
                "item": item.id,
                "schema": item.schema,
                "context": substitution.text[: substitution.span.end],
                "continuation": continuation,
                "partial": has_words(continuation),
                "candidate": item.candidates[index],
                "correct": index == item.answer,
            }
            for index, substitution in enumerate(substitutions)
        ]
    return derived(rows, unmade)


def same_continuation(value: Value) -> str:
    """The contexts of an item are followed by the same continuation."""
    continuations = {text_of(member, "continuation") for member in members_of(value)}
    return "" if len(continuations) == 1 else f"found {' and '.join(sorted(map(repr, continuations)))}"


def different_contexts(value: Value) -> str:
    """The contexts of an item differ."""
    contexts = [text_of(member, "context") for member in members_of(value)]
    return "" if len(set(contexts)) == len(contexts) else f"found {contexts[0]!r} twice"


def context_ends_with_candidate(value: Value) -> str:
    """A context ends with its candidate: with its name, or with an expression that has it."""

    def check(member: Value) -> str:
        context, name = text_of(member, "context"), text_of(member, "candidate")
        end = context[-len(name) - slack(name) :]
        return f"found {end!r} at the end, expected {name!r}" if missing_name([name], end) else ""

    return first_failure(value, check)


def contexts_differ_in_candidates(value: Value) -> str:
    """The contexts of an item begin alike, and differ only in the names of the candidates."""
    contexts = [text_of(member, "context") for member in members_of(value)]
    names = [text_of(member, "candidate") for member in members_of(value)]
    if len(contexts) != 2:
        return ""
    start = len(shared_beginning(*contexts))
    longer = [
        context[start:]
        for context, name in zip(contexts, names, strict=True)
        if len(context) - start > len(name) + slack(name)
    ]
    return f"found {longer[0]!r} in one context only, expected names of candidates" if longer else ""


def candidates_in_text(value: Value) -> str:
    """The text around the name of a candidate names both candidates."""
    names = [text_of(member, "candidate") for member in members_of(value)]
    lost = missing_name(names, _around(value))
    return f"found no {lost!r} in {_around(value)!r}" if lost else ""


def _around(value: Value) -> str:
    """Return an item's text with a line end in the place of the candidate."""
    contexts = [text_of(row, "context") for row in members_of(value)]
    return f"{shared_beginning(*contexts)}\n{text_of(members_of(value)[0], 'continuation')}"


def joined(value: Value) -> str:
    """A continuation is not empty, begins with no blank too many, and goes on after the context."""
    for row in members_of(value):
        context, continuation = text_of(row, "context"), text_of(row, "continuation")
        if not continuation or (context[-1:].isspace() and continuation[:1].isspace()):
            return f"found {context[-6:]!r} before {continuation[:6]!r}, expected one text"
        edge = context[-1:] + continuation[:1]
        if edge.isascii() and edge.isalpha():
            return f"found {context[-6:]!r} before {continuation[:6]!r}, expected a word to end"
    return ""


def partial_flag(value: Value) -> str:
    """`partial` is true exactly where the continuation has a word."""

    def check(member: Value) -> str:
        expected = has_words(text_of(member, "continuation"))
        return "" if member.get("partial") is expected else f"found {member.get('partial')!r}, expected {expected}"

    return first_failure(value, check)


def _text_checks() -> Mapping[str, Check]:
    """Return the checks of text; a continuation may begin with a blank, a quotation may close in it, and it ends the text."""
    of_parts = text_checks_of_members(named=("context", "continuation", "candidate"))
    of_names = text_checks_of_members(named=("candidate",))
    of_texts = text_checks_of_members("text", finished="text")
    return {**of_parts, **{name: _of_whole(of_texts[name], of_names.get(name)) for name in _OF_WHOLE}}


#: Checks of context and continuation in one piece.
_OF_WHOLE = ("single-blanks", "closed-quotations", "no-doubled-mark", "no-leading-mark", "finished-sentence")


def _of_whole(check: Check, of_names: Check | None) -> Check:
    """Return a check of texts for context and continuation in one piece, and for the candidate."""

    def check_whole(value: Value) -> str:
        rows = [{**row, "text": text_of(row, "context") + text_of(row, "continuation")} for row in members_of(value)]
        return check({"members": rows}) or (of_names(value) if of_names else "")

    return described(check.__doc__ or "", check_whole)


_CONTRACT = contract(
    "A context and its continuation",
    {
        "id": ID,
        "item": ID,
        "schema": ID,
        "context": TEXT,
        "continuation": TEXT,
        "partial": TRUTH,
        "candidate": TEXT,
        "correct": TRUTH,
    },
    OF_CONTEXT,
)

SCORING = Form(
    make=lambda items, _: scoring(items),
    fields="`context` and `continuation` of the same texts, for full and partial scores (Trinh and Le 2018)",
    zero=CONTEXT_ZERO,
    suite=Suite(
        "scoring",
        "contexts and continuations to score (JSON Lines)",
        mated(rows_by_item, of_members(_CONTRACT)),
        {
            "contract": of_members(_CONTRACT),
            "two-rows": two_rows,
            "schema-of-item": schema_of_item,
            "one-correct": one_correct,
            "same-continuation": same_continuation,
            "different-contexts": different_contexts,
            "context-ends-with-candidate": context_ends_with_candidate,
            "contexts-differ-in-candidates": contexts_differ_in_candidates,
            "candidates-in-text": candidates_in_text,
            "joined": joined,
            "partial-flag": partial_flag,
            **pair_checks(
                right_row("correct", True),
                lambda value: [text_of(row, "candidate") for row in members_of(value)],
                _around,
            ),
            **_text_checks(),
        },
        unique=False,
    ),
)
