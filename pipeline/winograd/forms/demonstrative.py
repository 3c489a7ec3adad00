"""The form `demonstrative`: German texts with der, die or das in the place of er, sie or es."""

from collections.abc import Iterable

from ...core.model import Item
from ...core.records import span_to_json
from ...core.validation.contract import ID, SPAN, TEXT, TRUTH, contract, list_of, one_of
from ...core.validation.rows import candidates_of, records_by_item, span_of, text_of
from ...core.validation.suite import Suite, Value
from ...language.grammar import GrammarError
from ...language.grammar.german_clauses import with_demonstrative
from ...language.grammar.german_words import german_words
from ...language.pronoun_classes import GENDERS, pronoun_classes
from ...language.text_checks import checks
from .checks import ADDED, id_of_item, mated, pair_checks, schema_of_item
from .form import DerivedForm, Form, Row, UnmadeItem, derived


def demonstrative(items: Iterable[Item]) -> DerivedForm:
    """Return the text of each German item with the demonstrative of the target's gender, and where it stands.

    A demonstrative has the candidates and the answer of its pronoun, but prefers an antecedent that is not the subject (Bosch,
    Katz and Umbach 2007, The non-subject bias of German demonstrative pronouns). ``moved`` says whether it opens the clause
    where the pronoun did not.
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        try:
            made = with_demonstrative(item)
        except GrammarError as error:
            unmade.append(UnmadeItem("demonstrative", item.id, str(error)))
            continue
        rows.append(
            {
                "id": item.id,
                "item": item.id,
                "schema": item.schema,
                "text": made.text,
                "target": span_to_json(made.span),
                "pronoun": item.target.of(item.text),
                "demonstrative": made.span.of(made.text),
                "moved": made.moved,
                "candidates": list(item.candidates),
                "answer": item.answer,
            }
        )
    return derived(rows, unmade)


def demonstrative_at_target(value: Value) -> str:
    """The target covers the demonstrative, which is a word of the text."""
    span, word, text = span_of(value, "target"), text_of(value, "demonstrative"), text_of(value)
    actual = span.of(text) if span else ""
    whole = span and not any(edge.isalnum() for edge in (text[: span.start][-1:], text[span.end :][:1]))
    return "" if whole and actual == word else f"found {actual!r}, expected {word!r}"


def demonstrative_of_pronoun(value: Value) -> str:
    """The demonstrative has the gender of the pronoun: der for er, die for sie, das for es."""
    word, pronoun = text_of(value, "demonstrative").lower(), text_of(value, "pronoun").lower()
    gender = next((gender for gender in GENDERS if german_words().nominative[gender] == word), None)
    fits = gender and pronoun_classes("de").gender_of(pronoun) == gender
    return "" if fits else f"found {word!r} for {pronoun!r}"


def no_pronoun_left(value: Value) -> str:
    """The text has none of the pronouns that the demonstratives stand for."""
    words = "".join(character if character.isalnum() else " " for character in text_of(value).lower()).split()
    left = next((word for word in pronoun_classes("de").pronouns.values() if word in words), "")
    return f"found {left!r} in {text_of(value)!r}" if left else ""


def candidates_in_text(value: Value) -> str:
    """The text names both candidates."""
    lost = next((name for name in candidates_of(value) if name not in text_of(value)), "")
    return f"found no {lost!r} in {text_of(value)!r}" if lost else ""


_CONTRACT = contract(
    "A text with a demonstrative",
    {
        "id": ID,
        "item": ID,
        "schema": ID,
        "text": TEXT,
        "target": SPAN,
        "pronoun": TEXT,
        "demonstrative": TEXT,
        "moved": TRUTH,
        "candidates": list_of(TEXT, 2),
        "answer": one_of(0, 1),
    },
    ignored=ADDED,
)

#: Checks of the members of a schema; many are alone, because the form is made of the other's clause but not of this one's.
_OF_PAIRS = dict(pair_checks(lambda value: value.get("answer"), candidates_of, text_of))
del _OF_PAIRS["both-members"]
_OF_TEXTS = checks("text", finished="text", named=("candidates",), plain=("item", "schema"), lang=lambda _: "de")
for _of_chinese in ("full-width-marks", "simplified-script", "no-doubled-word"):
    del _OF_TEXTS[_of_chinese]

DEMONSTRATIVE = Form(
    make=lambda items, _: demonstrative(items),
    fields="`text` with *der*, *die* or *das* at `target` for *er*, *sie* or *es*; `moved` if the word order is another",
    suite=Suite(
        "demonstrative",
        "texts with a demonstrative pronoun (JSON Lines)",
        mated(records_by_item, _CONTRACT),
        {
            "contract": _CONTRACT,
            "id-of-item": id_of_item,
            "schema-of-item": schema_of_item,
            "demonstrative-at-target": demonstrative_at_target,
            "demonstrative-of-pronoun": demonstrative_of_pronoun,
            "no-pronoun-left": no_pronoun_left,
            "candidates-in-text": candidates_in_text,
            **_OF_PAIRS,
            **_OF_TEXTS,
        },
    ),
    languages=("de",),
)
