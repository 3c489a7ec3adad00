"""The form `scoring`: the disambiguated texts cut into context and continuation (Trinh and Le 2018)."""

from collections.abc import Iterable

from ...core.model import Item
from ...language.text_checks import has_words
from .disambiguated import substitutions
from .form import DerivedForm, Form, derived
from .zero_fields import Row, zero_of_context


def scoring(items: Iterable[Item]) -> DerivedForm:
    """Return the disambiguated text for each candidate, cut after the expression in the target's place.

    The full score is the probability of ``context`` and ``continuation``, the partial score that of ``continuation`` given
    ``context`` (Trinh and Le 2018, A Simple Method for Commonsense Reasoning, section 3.1). All candidates of an item have
    the same continuation. ``partial`` is false where it has no word, so that there is no partial score.
    """
    made, unmade = substitutions(items, "scoring")
    rows: list[Row] = []
    for item, texts in made:
        continuation = texts[0].text[texts[0].span.end :]
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
            for index, substitution in enumerate(texts)
        ]
    return derived(rows, unmade)


SCORING = Form(
    "scoring",
    lambda items, _: scoring(items),
    "`context` and `continuation` of the same texts, for full and partial scores (Trinh and Le 2018)",
    zero=zero_of_context,
)
