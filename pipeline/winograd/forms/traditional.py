"""Items in traditional Chinese script."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from ...core.model import Item, Span
from ...core.records import record_to_json
from ...language.script import carried_span, name_form, script_table, to_simplified, to_traditional
from ..mentions import own_mentions
from .derived import DerivedForm, Row, UnmadeItem, derived

FORM = "traditional"
LANG = "zh-Hant"


def item_names(item: Item) -> Mapping[str, str]:
    """Return those candidates that are names which OpenCC takes for other words, with their traditional form.

    Raises:
        ValueError: a candidate for a zero may be such a name or not; the message is as of `in_traditional`.
    """
    names = {name: form for name in item.candidates if (form := name_form(name)) is not None}
    if names and item.already_zero:
        reason = (
            "a surname or another word; found a zero as the target, expected a pronoun that tells people from things"
        )
        raise ValueError(f"[candidates] {', '.join(names)}: {reason}")
    return names if item.target.of(item.text) in script_table().people else {}


def in_traditional(item: Item) -> Item:
    """Return the item in traditional script: text, candidates as the text has them, question; the target where it stands.

    Raises:
        ValueError: that cannot be done without guessing; the message is ``[field] reason; found X, expected Y``.
    """
    if item.lang != "zh":
        raise ValueError(f"[lang] no simplified Chinese; found {item.lang!r}, expected 'zh'")
    convert = partial(to_traditional, names=item_names(item))
    text = convert(item.text)

    def placed(span: Span, field: str) -> Span:
        try:
            return carried_span(item.text, span, convert)
        except ValueError as error:
            raise ValueError(f"[{field}] part of a phrase; {error}") from error

    named = tuple(tuple(placed(span, "candidates") for span in spans) for spans in own_mentions(item))
    converted = replace(
        item,
        lang=LANG,
        text=text,
        target=placed(item.target, "target"),
        candidates=tuple(
            _one_form(candidate, {span.of(text) for span in spans} or {convert(candidate)})
            for candidate, spans in zip(item.candidates, named, strict=True)
        ),
        question=convert(item.question),
    )
    if own_mentions(converted) != named:
        found, expected = _places(own_mentions(converted)), _places(named)
        raise ValueError(f"[candidates] named at other places; found {found}, expected {expected}")
    return converted


def _one_form(candidate: str, forms: set[str]) -> str:
    if len(forms) > 1:
        found = f"found {', '.join(sorted(forms))} for {candidate}, expected one form"
        raise ValueError(f"[candidates] its mentions are converted differently; {found}")
    return forms.pop()


def _places(named: Iterable[Iterable[Span]]) -> str:
    return " and ".join(",".join(str(span.start) for span in spans) or "none" for spans in named)


def traditional(items: Iterable[Item]) -> DerivedForm:
    """Return each item in traditional script, a row each: its JSON with ``item``, the original's id, besides.

    ``back`` is what converting the text back gives where that is not the original text, else empty.
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        try:
            converted = in_traditional(item)
        except ValueError as error:
            unmade.append(UnmadeItem(FORM, item.id, str(error)))
            continue
        back = to_simplified(converted.text)
        rows.append(record_to_json(converted) | {"item": item.id, "back": "" if back == item.text else back})
    return derived(rows, unmade)
