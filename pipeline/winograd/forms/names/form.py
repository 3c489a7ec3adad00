"""The form `names`: items with other names; Western names become Chinese ones, Chinese names pinyin or Western ones."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ....core.model import Item
from ....core.records import record_to_json
from ....core.validation.rows import candidates_of, records_by_item, text_of
from ....core.validation.suite import Check, Suite, Value
from ....language.text_checks import checks
from ...validation.collection import ADDED as OF_COLLECTION
from ...validation.collection import in_collection
from ...validation.items import ITEM, item_contract
from ..checks import ADDED, id_of_item, mated, mates_of, pair_checks
from ..form import DerivedForm, Form, NewNames, Row, UnmadeItem, derived
from ..zero_fields import TEXT_ZERO
from .chinese import latin_for_chinese
from .people_checks import clear_gender, new_names, one_family, plain_titles, something_renamed
from .renaming import CannotRenameError, Renaming, occurs, replaced
from .western import chinese_for_western
from .western_mentions import without_possessive

#: The languages in which each kind of renaming works.
_LANGUAGES: Mapping[NewNames, tuple[str, ...]] = {"chinese": ("zh", "en"), "pinyin": ("zh",), "western": ("zh",)}


def renamed(
    items: Iterable[Item], *, to: NewNames, seed: int = 0, glosses: Mapping[str, str] | None = None
) -> DerivedForm:
    """Return the items with other names, the same in all members of a schema; an item that nothing changes is unmade.

    A row is the item's JSON object with ``item``, its id; ``names``, the new names by old name, in the order of their first
    occurrence in the text; and ``gloss`` if the item has one. If one member of a schema is unmade, all are.

    Args:
        items: whole schemas, in any order. The names of a schema depend only on its own items and glosses.
        to: with ``chinese``, Western names become Chinese ones (in pinyin in English texts). With ``pinyin`` or ``western``,
            Chinese names that are candidates for 他 or 她 become pinyin, or Western names of the same gender.
        seed: seed for the choice of names.
        glosses: English translations by item id. Their names change too: into pinyin, or into Western names.
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


def _renaming(members: list[Item], glosses: Mapping[str, str], to: NewNames, key: str) -> Renaming:
    languages = {item.lang for item in members}
    if len(languages) > 1 or not languages <= set(_LANGUAGES[to]):
        expected = " or ".join(_LANGUAGES[to])
        raise CannotRenameError(f"[lang] unknown names; found {', '.join(sorted(languages))}, expected {expected}")
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
        if before in item.text and without_possessive(after) not in other.text:
            raise CannotRenameError(
                f"[candidates] candidate lost from the text; found no {after!r}, expected it for {before!r}"
            )
    if len(set(other.candidates)) < len(set(item.candidates)):
        raise CannotRenameError(
            f"[candidates] candidates become the same; found {other.candidates}, expected as many as before"
        )
    names = _names(item, renaming.texts)
    if not names:
        candidates = " and ".join(item.candidates)
        raise CannotRenameError(f"[text] no name to change; found {candidates!r}, expected a person's name")
    row: dict[str, Any] = record_to_json(other) | {"item": item.id, "names": names}
    if gloss is None:
        return row
    translated = replaced(gloss, renaming.glosses).text
    _check(gloss, translated, renaming.glosses)
    return row | {"gloss": translated}


def _texts(item: Item) -> tuple[str, ...]:
    return (item.text, item.question, *item.candidates)


def _names(item: Item, names: Mapping[str, str]) -> dict[str, str]:
    used: dict[str, str] = {}
    for text in _texts(item):
        for span, new in replaced(text, names).places:
            used.setdefault(span.of(text), new)
    return used


def _check(before: str, after: str, names: Mapping[str, str]) -> None:
    """Refuse a text that keeps an old name, or from whose new names the old text cannot be restored."""
    for name in names:
        if occurs(name, after):
            raise CannotRenameError(f"[text] old name left; found {name!r} in {after!r}, expected none")
    back = replaced(after, {new: old for old, new in names.items()}).text
    if back != before:
        raise CannotRenameError(f"[text] renaming cannot be reversed; found {back!r}, expected {before!r}")


def _all_texts(value: Value) -> str:
    return "\n".join([text_of(value), text_of(value, "question"), *candidates_of(value)])


def _stands(name: str, text: str) -> bool:
    """Return whether a name stands in a text, and not inside another word of Latin letters."""
    edge = "[A-Za-z]"
    before, after = (f"(?<!{edge})" if name[:1].isascii() else "", f"(?!{edge})" if name[-1:].isascii() else "")
    return re.search(f"{before}{re.escape(name)}{after}", text) is not None


def no_old_name(value: Value) -> str:
    """No old name is left in the text, the question or the candidates."""
    left = next((old for old in new_names(value) if _stands(old, _all_texts(value))), "")
    return f"found {left!r}, expected {new_names(value)[left]!r}" if left else ""


def new_names_used(value: Value) -> str:
    """Each new name stands in the text, the question or a candidate, and no two persons share one."""
    names = new_names(value)
    unused = next((new for new in names.values() if not _stands(new, _all_texts(value))), "")
    if unused:
        return f"found no {unused!r} in the item"
    return "" if len(set(names.values())) == len(names) else f"found one name for two: {', '.join(names.values())}"


def same_names(value: Value) -> str:
    """A name that both members of a schema have becomes the same name in both."""
    names = new_names(value)
    for mate in mates_of(value):
        for old, new in new_names(mate).items():
            if names.get(old, new) != new:
                return f"found {names[old]!r} for {old!r}, but {new!r} in the other member"
    return ""


def _gloss_checks() -> dict[str, Check]:
    """Return the checks of the text of a gloss, which is in English."""
    of_text = checks("gloss", lang=lambda _: "en")
    return {
        f"gloss-{name}": check
        for name, check in of_text.items()
        if name not in ("full-width-marks", "simplified-script")
    }


_CONTRACT = item_contract("item", "names", ignored=(*ADDED, *OF_COLLECTION))

NAMES = Form(
    make=lambda items, options: renamed(items, to=options.names, seed=options.seed, glosses=options.glosses),
    fields="the item with other names for its persons, of the same gender; `names` pairs them. An item without names is unmade",
    zero=TEXT_ZERO,
    suite=Suite(
        "names",
        "items with other names (JSON Lines)",
        mated(lambda paths: [row for path in paths for row in in_collection(records_by_item([path]))], _CONTRACT),
        {
            **ITEM,
            "contract": _CONTRACT,
            "id-of-item": id_of_item,
            "something-renamed": something_renamed,
            "no-old-name": no_old_name,
            "new-names-used": new_names_used,
            "same-names": same_names,
            "clear-gender": clear_gender,
            "plain-titles": plain_titles,
            "one-family": one_family,
            **pair_checks(lambda value: value.get("answer"), candidates_of, text_of),
            **_gloss_checks(),
        },
    ),
    languages=tuple(dict.fromkeys(lang for known in _LANGUAGES.values() for lang in known)),
)
