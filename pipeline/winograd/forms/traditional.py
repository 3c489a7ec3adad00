"""The forms `traditional-tw` and `traditional-hk`: items in traditional script as Taiwan and Hong Kong write it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from ...core.convert import to_object
from ...core.model import Item, Span
from ...language.script import REGIONS, is_animal, script_table, to_simplified, to_traditional
from ...language.script_names import is_certain, name_form, named_candidates, names_of_text
from ..mentions import own_mentions
from .form import DerivedForm, Form, Row, derive_each, zero_of_text

#: The beginning of the pronouns for things and animals, whose candidates are no names of people.
_THING = "它"


def traditional(items: Iterable[Item], lang: str) -> DerivedForm:
    """Return each item in traditional script: its JSON object with ``item``, the id of the original, and ``back``.

    ``back`` is the text converted back if that differs from the original, else empty. ``lang`` is one of `REGIONS`.
    """

    def rows(item: Item) -> list[Row]:
        converted = in_traditional(item, lang)
        back = to_simplified(converted.text, lang)
        return [to_object(converted) | {"item": item.id, "back": "" if back == item.text else back}]

    return derive_each(form_of(lang), items, rows)


def form_of(lang: str) -> str:
    """Return the name of the form in a language.

    >>> form_of("zh-Hant-TW")
    'traditional-tw'
    """
    return f"traditional-{lang.rpartition('-')[2].lower()}"


def item_names(item: Item, lang: str) -> Mapping[str, str]:
    """Return the names of people in the texts and candidates of an item, with their traditional form.

    Raises:
        ValueError: a candidate may be a name or another word with another form, and the target does not tell whether it means
            people; the message is as of `in_traditional`.
    """
    names = {name for text in (item.text, item.question, *item.candidates) for name in names_of_text(text)}
    form, named = item.target.of(item.text), named_candidates(item.candidates)
    if form.startswith(tuple(script_table().people)):
        names |= {*named}
    else:
        unclear = {*named} - {*filter(is_certain, named)}
        names -= unclear
        differing = [name for name in named if name in unclear and name_form(name, lang) != to_traditional(name, lang)]
        if differing and not form.startswith(_THING):
            reason = f"a name or another word; found {form or 'a zero'} as the target, expected one that tells people from things"
            raise ValueError(f"[candidates] {', '.join(differing)}: {reason}")
    return {name: name_form(name, lang) for name in sorted(names)}


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


def _form(lang: str, region: str) -> Form:
    return Form(
        form_of(lang),
        lambda items, _: traditional(items, lang),
        f"the item in traditional script as {region} writes it; `back` is what does not come back",
        languages=("zh",),
        zero=zero_of_text,
    )


TRADITIONAL_TW, TRADITIONAL_HK = (
    _form(lang, region) for lang, region in zip(REGIONS, ("Taiwan", "Hong Kong"), strict=True)
)
