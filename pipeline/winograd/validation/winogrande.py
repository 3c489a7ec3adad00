"""WinoGrande's sentences: what must hold of each."""

from ...core.validation.rows import keyed
from ...core.validation.suite import Suite, Value, described
from ...core.validation.values import text_of, texts_of
from ...language import text_checks as texts
from ..forms.scoring import has_words
from ..forms.winogrande import BLANK


def one_blank(value: Value) -> str:
    """A sentence has one blank."""
    count = text_of(value, "sentence").count(BLANK)
    return "" if count == 1 else f"found {count} in {text_of(value, 'sentence')!r}, expected 1"


def continued(value: Value) -> str:
    """A word follows the blank."""
    rest = text_of(value, "sentence").partition(BLANK)[2]
    return "" if has_words(rest) else f"found {rest!r} after it, expected a word"


def two_options(value: Value) -> str:
    """The options are two, and not the same."""
    found = [text_of(value, "option1"), text_of(value, "option2")]
    return "" if all(found) and found[0].lower() != found[1].lower() else f"found {found[0]!r} and {found[1]!r}"


def answer_is_an_option(value: Value) -> str:
    """The answer is "1" or "2"."""
    return "" if value.get("answer") in ("1", "2") else f"found {value.get('answer')!r}, expected '1' or '2'"


WINOGRANDE = Suite("winogrande", "sentences with a blank and two options (JSON Lines)", keyed, {
    "one-blank": one_blank,
    "continued": continued,
    "two-options": two_options,
    "answer-is-an-option": answer_is_an_option,
    "no-unseen-character": described(
        "No character that nobody can see.",
        lambda value: texts.unseen(texts_of(value, "sentence", "option1", "option2")),
    ),
})  # fmt: skip
