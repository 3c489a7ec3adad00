"""The form `scoring`: the disambiguated texts cut into context and continuation (Trinh and Le 2018)."""

from collections.abc import Iterable

from ...core.model import Item
from ...core.validation.rows import members_of, text_of
from ...core.validation.suite import Suite, Value
from ...language.text_checks import has_words
from .checks import first_failure, one_correct, rows_by_item, two_rows, visible_in_members
from .disambiguated import substituted
from .form import DerivedForm, Form, Row, derived


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


def partial_flag(value: Value) -> str:
    """`partial` is true exactly where the continuation has a word."""

    def check(member: Value) -> str:
        expected = has_words(text_of(member, "continuation"))
        return "" if member.get("partial") is expected else f"found {member.get('partial')!r}, expected {expected}"

    return first_failure(value, check)


SCORING = Form(
    make=lambda items, _: scoring(items),
    fields="`context` and `continuation` of the same texts, for full and partial scores (Trinh and Le 2018)",
    suite=Suite(
        "scoring",
        "contexts and continuations to score (JSON Lines)",
        rows_by_item,
        {
            "two-rows": two_rows,
            "one-correct": one_correct,
            "same-continuation": same_continuation,
            "different-contexts": different_contexts,
            "partial-flag": partial_flag,
            "no-invisible-character": visible_in_members("context", "continuation"),
        },
        unique=False,
    ),
)
