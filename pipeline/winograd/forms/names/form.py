"""The form `names`: items with other names for their persons, the same in all members of a schema."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ....core.convert import to_object
from ....core.model import Item
from ..form import DerivedForm, Form, Row, UnmadeItem, zero_of_text
from .chinese import chinese_for_chinese
from .renaming import CannotRenameError, Renaming, occurs, replace_names, texts_of
from .western import CAPITALISED, chinese_for_western, without_possessive

_LANGUAGES = ("zh", "en")


def rename(items: Iterable[Item], *, seed: int = 0, glosses: Mapping[str, str] | None = None) -> DerivedForm:
    """Return the items with other names, the same in all members of a schema; an item that nothing changes is unmade.

    Western names become Chinese ones (in pinyin in English texts). In Chinese texts without a Western name, Chinese names that are
    candidates for 他 or 她 become other Chinese names. A row is the item's JSON object with ``item``, its id; ``names``, the new names
    by old name, in the order of their first occurrence in the text; and ``gloss`` if the item has one. If one member of a schema is
    unmade, all are. Items are whole schemas; their names depend on the seed, and on their own texts and glosses only. Names in glosses,
    English translations by item id, become pinyin.
    """
    all_items, translations = list(items), glosses or {}
    schemas: dict[str, list[Item]] = {}
    for item in sorted(all_items, key=lambda item: item.id):
        schemas.setdefault(item.schema, []).append(item)
    made: dict[str, Row] = {}
    reasons: dict[str, str] = {}
    for schema, members in schemas.items():
        try:
            renaming = _renaming(members, translations, f"{seed}\0{schema}")
            rows = {item.id: _row(item, renaming, translations.get(item.id)) for item in members}
        except CannotRenameError as error:
            reasons |= dict.fromkeys((item.id for item in members), str(error))
        else:
            made |= rows
    return DerivedForm(
        tuple(made[item.id] for item in all_items if item.id in made),
        tuple(UnmadeItem("names", item.id, reasons[item.id]) for item in all_items if item.id in reasons),
    )


def _renaming(members: list[Item], translations: Mapping[str, str], key: str) -> Renaming:
    languages = {item.lang for item in members}
    if len(languages) > 1 or not languages <= set(_LANGUAGES):
        expected = " or ".join(_LANGUAGES)
        raise CannotRenameError(f"[lang] unknown names; found {', '.join(sorted(languages))}, expected {expected}")
    glosses = [translations[item.id] for item in members if item.id in translations]
    chinese = languages == {"zh"} and not any(map(CAPITALISED.search, texts_of(members)))
    return (chinese_for_chinese if chinese else chinese_for_western)(members, glosses, key)


def _row(item: Item, renaming: Renaming, gloss: str | None) -> Row:
    changed = replace_names(item.text, renaming.texts)
    other = replace(
        item,
        text=changed.text,
        target=changed.move(item.target),
        candidates=tuple(replace_names(candidate, renaming.texts).text for candidate in item.candidates),
        question=replace_names(item.question, renaming.texts).text,
    )
    for before, after in zip(texts_of([item]), texts_of([other]), strict=True):
        _check(before, after, renaming.texts)
    for before, after in zip(item.candidates, other.candidates, strict=True):
        if before in item.text and without_possessive(after) not in other.text:
            raise CannotRenameError(
                f"[candidates] candidate lost from the text; found no {after!r}, expected it for {before!r}"
            )
    if len(set(other.candidates)) < len(set(item.candidates)):
        raise CannotRenameError(
            f"[candidates] candidates become the same; found {other.candidates}, expected as many as before"
        )
    names = {
        span.of(text): new for text in texts_of([item]) for span, new in replace_names(text, renaming.texts).places
    }
    if not names:
        candidates = " and ".join(item.candidates)
        raise CannotRenameError(f"[text] no name to change; found {candidates!r}, expected a person's name")
    row: dict[str, Any] = to_object(other) | {"item": item.id, "names": names}
    if gloss is None:
        return row
    translation = replace_names(gloss, renaming.glosses).text
    _check(gloss, translation, renaming.glosses)
    return row | {"gloss": translation}


def _check(before: str, after: str, names: Mapping[str, str]) -> None:
    """Refuse a text that keeps an old name, or from whose new names the old text cannot be restored."""
    for name in names:
        if occurs(name, after):
            raise CannotRenameError(f"[text] old name left; found {name!r} in {after!r}, expected none")
    back = replace_names(after, {new: old for old, new in names.items()}).text
    if back != before:
        raise CannotRenameError(f"[text] renaming cannot be reversed; found {back!r}, expected {before!r}")


NAMES = Form(
    "names",
    lambda items, options: rename(items, seed=options.seed, glosses=options.glosses),
    "the item with other names for its persons, of the same gender; `names` pairs them. An item without names is unmade",
    languages=_LANGUAGES,
    zero=zero_of_text,
)
