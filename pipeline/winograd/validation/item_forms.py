"""Items with other names: what must hold of each, beside what holds of an item."""

import re

from ...core.validation.rows import keyed
from ...core.validation.suite import Suite, Value
from ...core.validation.values import candidates_of, text_of
from .items import ITEM


def _names(value: Value) -> dict[str, str]:
    found = value.get("names")
    return {old: new for old, new in found.items() if isinstance(new, str)} if isinstance(found, dict) else {}


def _stands(name: str, text: str) -> bool:
    """Tell whether a name stands in a text, and not inside another word of Latin letters."""
    edge = "[A-Za-z]"
    before, after = (f"(?<!{edge})" if name[:1].isascii() else "", f"(?!{edge})" if name[-1:].isascii() else "")
    return re.search(f"{before}{re.escape(name)}{after}", text) is not None


def no_old_name(value: Value) -> str:
    """No old name is left in the text, the question or the candidates."""
    everything = "\n".join([text_of(value), text_of(value, "question"), *candidates_of(value)])
    left = next((old for old in _names(value) if _stands(old, everything)), "")
    return f"found {left!r}, expected {_names(value)[left]!r}" if left else ""


def new_names_used(value: Value) -> str:
    """Each new name stands in the text, the question or a candidate, and no two persons share one."""
    everything = "\n".join([text_of(value), text_of(value, "question"), *candidates_of(value)])
    names = _names(value)
    unused = next((new for new in names.values() if not _stands(new, everything)), "")
    if unused:
        return f"found no {unused!r} in the item"
    return "" if len(set(names.values())) == len(names) else f"found one name for two: {', '.join(names.values())}"


NAMES = Suite("names", "items with other names (JSON Lines)", keyed, {
    **ITEM,
    "no-old-name": no_old_name,
    "new-names-used": new_names_used,
})  # fmt: skip
