"""The form `winogrande`: a sentence with one blank and two options (Sakaguchi et al. 2019)."""

from collections.abc import Iterable

from ...core.model import Item
from ...core.validation.contract import ID, TEXT, contract, one_of
from ...core.validation.rows import records_by_item, text_of
from ...core.validation.suite import Suite, Value
from ...language.grammar.german_nouns import case_fault
from ...language.text_checks import has_words
from .checks import ADDED, id_of_item, mated, missing_name, pair_checks, schema_of_item, text_checks
from .disambiguated import substituted
from .form import DerivedForm, Form, Row, UnmadeItem, derived

BLANK = "_"


def winogrande(items: Iterable[Item]) -> DerivedForm:
    """Return ``sentence`` with a blank, ``option1``, ``option2`` and ``answer`` ("1" or "2") for each item.

    An option in the blank gives the disambiguated text. A particle that belongs to the place and not to the name (的, 's)
    stays in the sentence. An item is unmade where no word follows the blank, where the sentences around the two options
    differ, where both options are the same, or where the text has a low line already.
    """
    made, unmade = substituted(items, "winogrande")
    rows: list[Row] = []
    for item, texts in made:
        frames = [(text.text[: text.name.start], text.text[text.name.end :]) for text in texts]
        options = [text.name.of(text.text) for text in texts]
        if reason := _unfit(item, frames, options):
            unmade.append(UnmadeItem("winogrande", item.id, reason))
            continue
        head, tail = frames[0]
        rows.append(
            {
                "id": item.id,
                "item": item.id,
                "schema": item.schema,
                "sentence": f"{head}{BLANK}{tail}",
                "option1": options[0],
                "option2": options[1],
                "answer": str(item.answer + 1),
            }
        )
    return derived(rows, unmade)


def _unfit(item: Item, frames: list[tuple[str, str]], options: list[str]) -> str:
    """Return why an item has no such sentence, or an empty text."""
    if len(options) != 2:
        return f"[candidates] wrong number; found {len(options)}, expected two options"
    if len(set(options)) < len(options):
        return f"[candidates] both options are the same; found {options[0]!r} twice"
    if len(set(frames)) > 1:
        return "[candidates] the sentences around the options differ; expected one blank that takes both"
    if BLANK in "".join(frames[0]):
        return f"[text] a low line beside the blank; found {item.text!r}"
    if not has_words(frames[0][1]):
        return "[text] no word follows the blank; expected a continuation"
    return ""


def one_blank(value: Value) -> str:
    """A sentence has one blank."""
    count = text_of(value, "sentence").count(BLANK)
    return "" if count == 1 else f"found {count} in {text_of(value, 'sentence')!r}, expected 1"


def continued(value: Value) -> str:
    """A word follows the blank."""
    rest = text_of(value, "sentence").partition(BLANK)[2]
    return "" if has_words(rest) else f"found {rest!r} after it, expected a word"


def two_options(value: Value) -> str:
    """There are two options, and they differ."""
    first, second = text_of(value, "option1"), text_of(value, "option2")
    return "" if first and second and first.lower() != second.lower() else f"found {first!r} and {second!r}"


def nominative(value: Value) -> str:
    """German options are in the nominative: der Graf, not den Grafen."""
    return case_fault(text_of(value, "option1")) or case_fault(text_of(value, "option2"))


def options_in_sentence(value: Value) -> str:
    """The sentence around the blank names both options."""
    sentence = text_of(value, "sentence")
    lost = missing_name([text_of(value, "option1"), text_of(value, "option2")], sentence)
    return f"found no {lost!r} in {sentence!r}" if lost else ""


def answer_is_an_option(value: Value) -> str:
    """The answer is "1" or "2"."""
    return "" if value.get("answer") in ("1", "2") else f"found {value.get('answer')!r}, expected '1' or '2'"


_CONTRACT = contract(
    "A sentence with a blank",
    {
        "id": ID,
        "item": ID,
        "schema": ID,
        "sentence": TEXT,
        "option1": TEXT,
        "option2": TEXT,
        "answer": one_of("1", "2"),
    },
    ignored=ADDED,
)

WINOGRANDE = Form(
    make=lambda items, _: winogrande(items),
    fields="`sentence` with one blank, `option1`, `option2`, `answer` (Sakaguchi et al. 2019)",
    suite=Suite(
        "winogrande",
        "sentences with a blank and two options (JSON Lines)",
        mated(records_by_item, _CONTRACT),
        {
            "contract": _CONTRACT,
            "id-of-item": id_of_item,
            "schema-of-item": schema_of_item,
            "one-blank": one_blank,
            "continued": continued,
            "two-options": two_options,
            "nominative": nominative,
            "options-in-sentence": options_in_sentence,
            "answer-is-an-option": answer_is_an_option,
            **pair_checks(
                lambda value: value.get("answer"),
                lambda value: [text_of(value, "option1"), text_of(value, "option2")],
                lambda value: text_of(value, "sentence"),
            ),
            **text_checks("sentence", named=("option1", "option2"), finished="sentence"),
        },
    ),
)
