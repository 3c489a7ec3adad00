"""The forms `traditional-tw` and `traditional-hk`: items in traditional script as Taiwan and Hong Kong write it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...core.model import Item, Span
from ...core.records import record_to_json
from ...core.validation.rows import candidates_of, lang_of, records_by_item, span_of, text_of, texts_of
from ...core.validation.suite import Check, Suite, Value, described
from ...core.validation.suite import Row as CheckedRow
from ...language.script import (
    REGIONS,
    is_animal,
    name_form,
    script_table,
    surname_pattern,
    to_simplified,
    to_traditional,
    usual_characters,
)
from ...language.text_checks import checks
from ..mentions import own_mentions
from ..pairs import difference
from ..validation.collection import in_collection
from ..validation.items import ITEM, item_contract
from .checks import ADDED, id_of_item, mated, mates_of, missing_name, pair_checks
from .form import DerivedForm, Form, Row, UnmadeItem, derived
from .zero_fields import TEXT_ZERO

#: Key that the reader of rows adds: the item in simplified script.
SIMPLIFIED = "@simplified"
#: Third-person pronouns in traditional script.
_PRONOUNS = ("他", "她", "它", "牠", "他們", "她們", "它們", "牠們")


def traditional(items: Iterable[Item], lang: str) -> DerivedForm:
    """Return each item in traditional script: its JSON object with ``item``, the id of the original, and ``back``.

    ``back`` is the text converted back if that differs from the original, else empty. ``lang`` is one of `REGIONS`.
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        try:
            converted = in_traditional(item, lang)
        except ValueError as error:
            unmade.append(UnmadeItem(form_of(lang), item.id, str(error)))
            continue
        back = to_simplified(converted.text, lang)
        rows.append(record_to_json(converted) | {"item": item.id, "back": "" if back == item.text else back})
    return derived(rows, unmade)


def form_of(lang: str) -> str:
    """Return the name of the form in a language.

    >>> form_of("zh-Hant-TW")
    'traditional-tw'
    """
    return f"traditional-{lang.rpartition('-')[2].lower()}"


def item_names(item: Item, lang: str) -> Mapping[str, str]:
    """Return the candidates that are names which OpenCC takes for other words, with their traditional form.

    Raises:
        ValueError: the target is a zero, so that such a candidate may be a name or not; the message is as of
            `in_traditional`.
    """
    names = {name: form for name in item.candidates if (form := name_form(name, lang)) is not None}
    if names and item.already_zero:
        reason = "a surname or another word; found a zero as the target, expected a pronoun that distinguishes people from things"
        raise ValueError(f"[candidates] {', '.join(names)}: {reason}")
    return names if item.target.of(item.text) in script_table().people else {}


def in_traditional(item: Item, lang: str) -> Item:
    """Return the item in traditional script: its text, its question, and its candidates as the text has them.

    The target and the mentions stay where they are, because the conversion keeps the length of every phrase.

    Raises:
        ValueError: that is impossible without guessing; the message is ``[field] reason; found X, expected Y``.
    """
    if item.lang != "zh":
        raise ValueError(f"[lang] no simplified Chinese; found {item.lang!r}, expected 'zh'")
    convert = partial(to_traditional, lang=lang, names=item_names(item, lang))
    text = convert(item.text)
    if pronoun := animal_pronoun(item.candidates, item.target.of(item.text), lang):
        text = text[: item.target.start] + pronoun + text[item.target.end :]
    named = own_mentions(item)
    converted = replace(
        item,
        lang=lang,
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


def animal_pronoun(candidates: Iterable[str], pronoun: str, lang: str) -> str:
    """Return the region's pronoun for animals in the place of a pronoun both of whose candidates are animals, or an empty text."""
    form = script_table().regions[lang].animals.get(pronoun, "")
    return form if form and all(map(is_animal, candidates)) else ""


def _only_form(candidate: str, forms: set[str]) -> str:
    if len(forms) > 1:
        reason = f"mentions converted differently; found {', '.join(sorted(forms))} for {candidate}, expected one form"
        raise ValueError(f"[candidates] {reason}")
    return forms.pop()


def _places(named: Iterable[Iterable[Span]]) -> str:
    return " and ".join(",".join(str(span.start) for span in spans) or "none" for spans in named)


def _traditional_script(lang: str) -> Check:
    def check(value: Value) -> str:
        for text in [*texts_of(value, "text", "question"), *candidates_of(value)]:
            simplified = to_simplified(text, lang)
            for character, simple, converted in zip(text, simplified, to_traditional(simplified, lang), strict=False):
                only_simplified = to_simplified(character) == character == simple != to_traditional(character, lang)
                surname = surname_pattern().fullmatch(character)  # 余 is a surname in both scripts
                if character != converted and only_simplified and not surname:
                    return f"found {character!r} in {text!r}, expected {to_traditional(character, lang)!r}"
        return ""

    return described("No simplified character is left: converting the text again changes nothing.", check)


def _usual_characters(lang: str) -> Check:
    def check(value: Value) -> str:
        for text in [*texts_of(value, "text", "question"), *candidates_of(value)]:
            for character, usual in zip(text, usual_characters(text, lang), strict=True):
                if character != usual:
                    return f"found {character!r} in {text!r}, expected {usual!r}"
        return ""

    return described("No character is a variant that the region does not write.", check)


def corner_brackets(value: Value) -> str:
    """Quotation marks are corner brackets."""
    for text in texts_of(value, "text", "question"):
        if mark := next((mark for mark in "“”‘" if mark in text), ""):
            return f"found {mark!r} in {text!r}, expected {script_table().marks[mark]!r}"
    return ""


def _animal_pronoun(lang: str) -> Check:
    def check(value: Value) -> str:
        simplified = value[SIMPLIFIED]
        span = span_of(value)
        form, pronoun = (span.of(text_of(item)) if span else "" for item in (value, simplified))
        expected = animal_pronoun(candidates_of(simplified), pronoun, lang)
        if (expected and form != expected) or (not expected and form[:1] == "牠"):
            return f"found {form!r} for {', '.join(candidates_of(value))}, expected {expected or '它'!r}"
        return ""

    return described("The pronoun for animals stands where both candidates are animals, if the region has one.", check)


def _alike_in_pair(lang: str) -> Check:
    def check(value: Value) -> str:
        for mate in mates_of(value):
            texts = text_of(value), text_of(mate)
            ours, simple = difference(*texts), difference(*(to_simplified(text, lang) for text in texts))
            if [*map(len, ours)] != [*map(len, simple)]:
                return f"found {ours[0]!r} and {ours[1]!r}, expected the members to differ as {simple[0]!r} and {simple[1]!r} do"
        return ""

    return described(
        "What the two members of a schema share in simplified script they share in traditional script.", check
    )


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


def _language_tag(lang: str) -> Check:
    return described(
        "The language is Chinese in traditional script, with the region.",
        lambda value: "" if value.get("lang") == lang else f"found {value.get('lang')!r}, expected {lang!r}",
    )


def back_of_text(value: Value) -> str:
    """`back` is empty, or the text in simplified script."""
    back, expected = text_of(value, "back"), to_simplified(text_of(value), lang_of(value))
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
    simplified = partial(to_simplified, lang=lang_of(value))
    texts = {field: simplified(text_of(value, field)) for field in ("text", "question")}
    return {**value, **texts, "lang": "zh", "candidates": list(map(simplified, candidates_of(value)))}


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


def _form(lang: str, region: str) -> Form:
    return Form(
        make=lambda items, _: traditional(items, lang),
        fields=f"the item in traditional script as {region} writes it; `back` is what does not come back",
        zero=TEXT_ZERO,
        suite=Suite(
            form_of(lang),
            f"items in traditional script as {region} writes it (JSON Lines)",
            mated(_rows, _CONTRACT),
            {
                **_item_checks(),
                "id-of-item": id_of_item,
                "language-tag": _language_tag(lang),
                "traditional-script": _traditional_script(lang),
                "usual-characters": _usual_characters(lang),
                "corner-brackets": corner_brackets,
                "animal-pronoun": _animal_pronoun(lang),
                "target-and-candidates-stand": target_and_candidates_stand,
                "back-of-text": back_of_text,
                "alike-in-pair": _alike_in_pair(lang),
                **pair_checks(lambda value: value.get("answer"), candidates_of, text_of),
            },
        ),
        languages=("zh",),
    )


TRADITIONAL_TW, TRADITIONAL_HK = (
    _form(lang, region) for lang, region in zip(REGIONS, ("Taiwan", "Hong Kong"), strict=True)
)
