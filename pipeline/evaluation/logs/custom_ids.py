"""What the id of a request says: the item, and how it is shown, so that the results of a batch need nothing else.

Anthropic takes ids of at most 64 letters and digits of ASCII with hyphens and low lines; the others take these too. An id of ours is
``zh-0001-a_few-zh_zs``: item, mode, form and order, with low lines between; or ``en-double-…-a_p3-1``: item, number of WinoPron's
prompt and of its options.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..predictions import FORMS, ORDERS
from ..prompts import ALL_MODES, CHINESE, Shown

#: Maximum length of an id at OpenAI and Anthropic.
MAX_LENGTH = 64
#: Marks of an item's id that have a meaning in a request's id, or are not allowed there.
_ESCAPES = {"_": "__", ".": "_-"}
_PIECES = re.compile(r"__|_-|_|[^_]+")
_PLAIN = {escape: mark for mark, escape in _ESCAPES.items()}
_MODES: Mapping[str, str] = {
    mode.split("-")[0] + (CHINESE if mode.endswith(CHINESE) else ""): mode for mode in ALL_MODES
}
_SHOWN = {f"{form[0]}{'s' if order == 'swapped' else 'w'}": (form, order) for form in FORMS for order in ORDERS}
_WINOPRON = re.compile(r"p(\d+)-(\d+)")


class RequestedItem(NamedTuple):
    """What a request asks about; the mode is empty, and nothing is `shown`, where its id is not ours."""

    item: str
    mode: str = ""
    shown: Mapping[str, str] = {}


def custom_id(item: str, shown_as: Shown) -> str:
    """Return the id of a question about an item.

    >>> custom_id("zh-0001-a", Shown("few-shot-zh", "zero", "swapped")), custom_id("a.b_c-1", Shown("zero-shot", "overt", "swapped"))
    ('zh-0001-a_few-zh_zs', 'a_-b__c-1_zero_os')
    """
    mode = next(code for code, mode in _MODES.items() if mode == shown_as.mode)
    shown = next(code for code, pair in _SHOWN.items() if pair == (shown_as.form, shown_as.order))
    return f"{_escaped(item)}_{mode}_{shown}"


def winopron_id(item: str, prompt: int, options: int) -> str:
    """Return the id of one of WinoPron's prompts about an item, by the number of its template and of the variant of its options.

    >>> winopron_id("en-single-cook-guest-nominative-he-a", 3, 1)
    'en-single-cook-guest-nominative-he-a_p3-1'
    """
    return f"{_escaped(item)}_p{prompt}-{options}"


def requested_item(request: str) -> RequestedItem:
    """Return what a request asks about; of an id that is not ours, all of it is the item's.

    >>> requested_item("zh-0001-a_few-zh_zs")
    RequestedItem(item='zh-0001-a', mode='few-shot-zh', shown={'form': 'zero', 'order': 'swapped'})
    >>> requested_item("en-1-a_p3-1"), requested_item("my_item_7")
    (RequestedItem(item='en-1-a', mode='prompt-3-options-1', shown={'form': 'overt'}), RequestedItem(item='my_item_7', mode='', shown={}))
    """
    parts = [""]
    for piece in _PIECES.findall(request):
        if piece == "_":
            parts.append("")
        else:
            parts[-1] += _PLAIN.get(piece, piece)
    if len(parts) == 3 and parts[1] in _MODES and parts[2] in _SHOWN:
        form, order = _SHOWN[parts[2]]
        return RequestedItem(parts[0], _MODES[parts[1]], {"form": form, "order": order})
    if len(parts) == 2 and (prompt := _WINOPRON.fullmatch(parts[1])):
        return RequestedItem(parts[0], f"prompt-{prompt[1]}-options-{prompt[2]}", {"form": "overt"})
    return RequestedItem(request)


def _escaped(item: str) -> str:
    return re.sub(r"[_.]", lambda mark: _ESCAPES[mark[0]], item)
