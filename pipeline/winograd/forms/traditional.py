"""The form `traditional`: items in traditional Chinese script."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...core.model import Item, Span
from ...core.records import record_to_json
from ...core.validation.rows import candidates_of, records_by_item, span_of, text_of, texts_of
from ...core.validation.suite import Check, Suite, Value, described
from ...core.validation.suite import Row as CheckedRow
from ...language.script import name_form, script_table, to_simplified, to_traditional
from ...language.text_checks import checks
from ..mentions import own_mentions
from ..validation.collection import in_collection
from ..validation.items import ITEM, item_contract
from .checks import ADDED, id_of_item, mated, missing_name, pair_checks
from .form import DerivedForm, Form, Row, UnmadeItem, derived
from .zero_fields import TEXT_ZERO

LANG = "zh-Hant"
#: Key that the reader of rows adds: the item in simplified script.
SIMPLIFIED = "@simplified"
#: Third-person pronouns in traditional script.
_PRONOUNS = ("他", "她", "它", "牠", "他們", "她們", "它們")


def traditional(items: Iterable[Item]) -> DerivedForm:
    """Return each item in traditional script: its JSON object with ``item``, the id of the original, and ``back``.

    ``back`` is the text converted back if that differs from the original, else empty.
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        try:
            converted = in_traditional(item)
        except ValueError as error:
            unmade.append(UnmadeItem("traditional", item.id, str(error)))
            continue
        back = to_simplified(converted.text)
        rows.append(record_to_json(converted) | {"item": item.id, "back": "" if back == item.text else back})
    return derived(rows, unmade)


def item_names(item: Item) -> Mapping[str, str]:
    """Return the candidates that are names which OpenCC takes for other words, with their traditional form.

    Raises:
        ValueError: the target is a zero, so that such a candidate may be a name or not; the message is as of
            `in_traditional`.
    """
    names = {name: form for name in item.candidates if (form := name_form(name)) is not None}
    if names and item.already_zero:
        reason = "a surname or another word; found a zero as the target, expected a pronoun that distinguishes people from things"
        raise ValueError(f"[candidates] {', '.join(names)}: {reason}")
    return names if item.target.of(item.text) in script_table().people else {}


def in_traditional(item: Item) -> Item:
    """Return the item in traditional script: its text, its question, and its candidates as the text has them.

    The target and the mentions stay where they are, because the conversion keeps the length of every phrase.

    Raises:
        ValueError: that is impossible without guessing; the message is ``[field] reason; found X, expected Y``.
    """
    if item.lang != "zh":
        raise ValueError(f"[lang] no simplified Chinese; found {item.lang!r}, expected 'zh'")
    convert = partial(to_traditional, names=item_names(item))
    text = convert(item.text)
    named = own_mentions(item)
    converted = replace(
        item,
        lang=LANG,
        text=text,
        candidates=tuple(
            _only_form(candidate, {span.of(text) for span in spans} or {convert(candidate)})
            for candidate, spans in zip(item.candidates, named, strict=True)
        ),
        question=convert(item.question),
    )
    if own_mentions(converted) != named:
        actual, expected = _places(own_mentions(converted)), _places(named)
        raise ValueError(f"[candidates] named at other places; found {actual}, expected {expected}")
    return converted


def _only_form(candidate: str, forms: set[str]) -> str:
    if len(forms) > 1:
        reason = f"mentions converted differently; found {', '.join(sorted(forms))} for {candidate}, expected one form"
        raise ValueError(f"[candidates] {reason}")
    return forms.pop()


def _places(named: Iterable[Iterable[Span]]) -> str:
    return " and ".join(",".join(str(span.start) for span in spans) or "none" for spans in named)


def traditional_script(value: Value) -> str:
    """No simplified character is left: converting the text again changes nothing."""
    for text in [*texts_of(value, "text", "question"), *candidates_of(value)]:
        for character, converted in zip(text, to_traditional(to_simplified(text)), strict=False):
            if character == converted:
                continue
            only_simplified = to_simplified(character) == character != to_traditional(character)
            surname = script_table().named.fullmatch(character)  # 余 is a surname in both scripts
            if only_simplified and not surname:
                return f"found {character!r} in {text!r}, expected {to_traditional(character)!r}"
    return ""


def target_and_candidates_stand(value: Value) -> str:
    """The target is a pronoun in traditional script, or empty; the text names each candidate in its traditional form."""
    span, text = span_of(value), text_of(value)
    if span is None or span.end > len(text):
        return f"found target {value.get('target')!r} in a text of {len(text)}"
    form = span.of(text)
    if form and form not in _PRONOUNS:
        return f"found {form!r}, expected a pronoun"
    lost = missing_name([name.split("的")[-1] for name in candidates_of(value)], text)
    return f"found no {lost!r} in {text!r}" if lost else ""


def language_tag(value: Value) -> str:
    """The language is Chinese in traditional script."""
    return "" if value.get("lang") == LANG else f"found {value.get('lang')!r}, expected {LANG!r}"


def back_of_text(value: Value) -> str:
    """`back` is empty, or the text in simplified script."""
    back, expected = text_of(value, "back"), to_simplified(text_of(value))
    return "" if back in ("", expected) else f"found {back!r}, expected nothing or {expected!r}"


def _rows(paths: Sequence[Path]) -> list[CheckedRow]:
    """Return a row for each item; its value also has, as `SIMPLIFIED`, the item in simplified script in its collection."""
    rows = []
    for path in paths:
        items = records_by_item([path])
        simplified = in_collection([replace(item, value=_in_simplified(item.value)) for item in items])
        rows += [
            replace(item, value={**item.value, SIMPLIFIED: other.value})
            for item, other in zip(items, simplified, strict=True)
        ]
    return rows


def _in_simplified(value: Value) -> Value:
    texts = {field: to_simplified(text_of(value, field)) for field in ("text", "question")}
    return {**value, **texts, "lang": "zh", "candidates": [to_simplified(name) for name in candidates_of(value)]}


def _of_simplified(check: Check) -> Check:
    """Return the check of an item for its form in simplified script."""
    return described(check.__doc__ or "", lambda value: check(value[SIMPLIFIED]))


_CONTRACT = item_contract("item", "back", ignored=(*ADDED, SIMPLIFIED))


def _item_checks() -> dict[str, Check]:
    """Return the checks of an item: those of its script for itself, the others for its form in simplified script."""
    of_script = checks("text", "question", finished="text", named=("candidates",), plain=("item", "source", "note"))
    others = {name: _of_simplified(check) for name, check in ITEM.items() if name not in of_script}
    del others["known-language"], of_script["simplified-script"]
    return {**others, "contract": _CONTRACT, **of_script}


TRADITIONAL = Form(
    make=lambda items, _: traditional(items),
    fields="the item in traditional script; `back` is what does not come back",
    zero=TEXT_ZERO,
    suite=Suite(
        "traditional",
        "items in traditional script (JSON Lines)",
        mated(_rows, _CONTRACT),
        {
            **_item_checks(),
            "id-of-item": id_of_item,
            "language-tag": language_tag,
            "traditional-script": traditional_script,
            "target-and-candidates-stand": target_and_candidates_stand,
            "back-of-text": back_of_text,
            **pair_checks(lambda value: value.get("answer"), candidates_of, text_of),
        },
    ),
    languages=("zh",),
)
