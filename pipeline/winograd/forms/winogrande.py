"""The form `winogrande`: a sentence with one blank and two options (Sakaguchi et al. 2019)."""

from collections.abc import Iterable

from ...core.model import Item
from ...language.text_checks import has_words
from .disambiguated import substitutions
from .form import DerivedForm, Form, UnmadeItem, derived
from .zero_fields import Row

BLANK = "_"


def winogrande(items: Iterable[Item]) -> DerivedForm:
    """Return ``sentence`` with a blank, ``option1``, ``option2`` and ``answer`` ("1" or "2") for each item.

    An option in the blank gives the disambiguated text. A particle that belongs to the place and not to the name (的, 's)
    stays in the sentence. An item is unmade where no word follows the blank, where the sentences around the two options
    differ, where both options are the same, or where the text has a low line already.
    """
    made, unmade = substitutions(items, "winogrande")
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


WINOGRANDE = Form(
    "winogrande",
    lambda items, _: winogrande(items),
    "`sentence` with one blank, `option1`, `option2`, `answer` (Sakaguchi et al. 2019)",
)
