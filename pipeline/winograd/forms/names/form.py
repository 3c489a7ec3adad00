"""Items under other names: Western names as Chinese ones, Chinese names in pinyin or as Western ones."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from ....core.model import Item
from ....core.records import record_to_json
from ..derived import DerivedForm, Row, UnmadeItem, derived
from .chinese import latin_for_chinese
from .renaming import CannotRenameError, Renaming, occurs, replaced
from .western import chinese_for_western

Direction = Literal["chinese", "pinyin", "western"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
#: The languages whose texts and pronouns we read.
_LANGUAGES = {"chinese": ("zh", "en"), "pinyin": ("zh",), "western": ("zh",)}


def renamed(
    items: Iterable[Item], *, to: Direction, seed: int = 0, glosses: Mapping[str, str] | None = None
) -> DerivedForm:
    """Return the items with other names, alike in all members of a schema; one that has no names as it was.

    A row is the item's JSON object with ``item``, its id; ``names``, the new names by the old ones in the order of their
    first occurrence in the text; and ``gloss`` where it has one. All of a schema is unmade where one member is.

    Args:
        items: whole schemas, in any order. The names of a schema depend on its own items and glosses only.
        to: ``chinese``: Western names become Chinese ones, in English texts in pinyin. ``pinyin`` and ``western``: Chinese
            names that are candidates for 他 or 她 become pinyin, or Western names of the same gender.
        seed: another seed gives other names.
        glosses: English translations by item id. Their names change too: into pinyin, or into Western ones.
    """
    all_items, translations = list(items), glosses or {}
    schemas: dict[str, list[Item]] = {}
    for item in sorted(all_items, key=lambda item: item.id):
        schemas.setdefault(item.schema, []).append(item)
    made: dict[str, Row] = {}
    reasons: dict[str, str] = {}
    for schema, members in schemas.items():
        try:
            renaming = _renaming(members, translations, to, f"{seed}\0{schema}")
            rows = {item.id: _row(item, renaming, translations.get(item.id)) for item in members}
        except CannotRenameError as error:
            reasons |= dict.fromkeys((item.id for item in members), str(error))
        else:
            made |= rows
    return derived(
        (made[item.id] for item in all_items if item.id in made),
        (UnmadeItem("names", item.id, reasons[item.id]) for item in all_items if item.id in reasons),
    )


def _renaming(members: list[Item], glosses: Mapping[str, str], to: Direction, key: str) -> Renaming:
    languages = {item.lang for item in members}
    if len(languages) > 1 or not languages <= set(_LANGUAGES[to]):
        expected = " or ".join(_LANGUAGES[to])
        raise CannotRenameError(f"[lang] names unknown; found {', '.join(sorted(languages))}, expected {expected}")
    own = [glosses[item.id] for item in members if item.id in glosses]
    if to == "chinese":
        return chinese_for_western(members, own, key)
    return latin_for_chinese(members, own, key, to)


def _row(item: Item, renaming: Renaming, gloss: str | None) -> Row:
    changed = replaced(item.text, renaming.texts)
    other = replace(
        item,
        text=changed.text,
        target=changed.moved(item.target),
        candidates=tuple(replaced(candidate, renaming.texts).text for candidate in item.candidates),
        question=replaced(item.question, renaming.texts).text,
    )
    for before, after in zip(_texts(item), _texts(other), strict=True):
        _check(before, after, renaming.texts)
    for before, after in zip(item.candidates, other.candidates, strict=True):
        if before in item.text and after not in other.text:
            raise CannotRenameError(f"[candidates] lost from the text; found no {after!r}, expected it for {before!r}")
    if len(set(other.candidates)) < len(set(item.candidates)):
        raise CannotRenameError(f"[candidates] become the same; found {other.candidates}, expected as many as before")
    row: dict[str, Any] = record_to_json(other) | {"item": item.id, "names": _names(item, renaming.texts)}
    if gloss is None:
        return row
    translated = replaced(gloss, renaming.glosses).text
    _check(gloss, translated, renaming.glosses)
    return row | {"gloss": translated}


def _texts(item: Item) -> tuple[str, ...]:
    return (item.text, item.question, *item.candidates)


def _names(item: Item, names: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in _texts(item):
        for span, new in replaced(text, names).places:
            found.setdefault(span.of(text), new)
    return found


def _check(before: str, after: str, names: Mapping[str, str]) -> None:
    """Refuse a text that keeps an old name, or whose new names do not lead back to it."""
    for name in names:
        if occurs(name, after):
            raise CannotRenameError(f"[text] an old name is left; found {name!r} in {after!r}, expected none")
    back = replaced(after, {new: old for old, new in names.items()}).text
    if back != before:
        raise CannotRenameError(f"[text] does not come back; found {back!r}, expected {before!r}")
