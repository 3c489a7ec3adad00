"""Sentences with one blank and two options, as WinoGrande has them (Sakaguchi et al. 2019)."""

from collections.abc import Iterable

from ...core.model import Item
from .derived import DerivedForm, Row, UnmadeItem, derived
from .disambiguated import substituted
from .scoring import has_words

FORM = "winogrande"
BLANK = "_"


def winogrande(items: Iterable[Item]) -> DerivedForm:
    """Return for each item ``sentence`` with a blank, ``option1``, ``option2`` and ``answer``, "1" or "2".

    An option in the blank gives the disambiguated text. What belongs to the place and not to the name (的, 's) stays in the
    sentence. An item is unmade where no word follows the blank, where the sentences around the two options differ, where
    both options are the same, or where the text has a low line already.
    """
    items_made, unmade = substituted(items, FORM)
    rows: list[Row] = []
    for item, found in items_made:
        frames = [(made.text[: made.name.start], made.text[made.name.end :]) for made in found]
        options = [made.name.of(made.text) for made in found]
        reason = _unfit(item, frames, options)
        if reason:
            unmade.append(UnmadeItem(FORM, item.id, reason))
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
    if len(options) != 2:
        return f"[candidates] found {len(options)}, expected two options"
    if len(set(options)) < len(options):
        return f"[candidates] both options are the same; found {options[0]!r} twice"
    if len(set(frames)) > 1:
        return "[candidates] the sentence around them differs; expected one blank that takes both"
    if BLANK in "".join(frames[0]):
        return f"[text] a low line beside the blank; found {item.text!r}"
    if not has_words(frames[0][1]):
        return "[text] no word follows the blank; expected a continuation"
    return ""
