"""Who says what stands in quotation marks."""

import re
from collections.abc import Iterator, Sequence

from ..core.model import Span

_MARKS = {"“": "”", "「": "」", "『": "』", "„": "“", "«": "»", '"': '"'}
#: Verbs of saying before or after a quotation.
_SAYS = (
    "(?:说|道|问|喊|叫|嚷|答|骂|讲|劝|催|嘀咕|抱怨|解释|回答|告诉)[着了]?",
    "(?:said|says|told|tells|asked|asks|replied|answered|shouted|cried|whispered|thought|explained|complained"
    "|sagte|sagt|fragte|rief|antwortete|meinte|erklärte|flüsterte|schrie)",
)
#: What is between a speaker and the verb: no other speaker, and nobody who only hears.
_CHINESE_BETWEEN = "[^，。；！？听见让的被]{0,10}?"


def speaker(text: str, target: Span, names: Sequence[str]) -> str:
    """Return which of some people says the quotation in which a target stands; an empty text if none does, or nobody can tell.

    >>> text = "高山对周海说：“他来了。”"
    >>> speaker(text, Span(8, 9), ["高山", "周海"]), speaker(text, Span(0, 2), ["高山", "周海"])
    ('高山', '')
    >>> speaker('"She is late," said Ann.', Span(1, 4), ["Mary", "Ann"])
    'Ann'
    """
    for start, end in _quotations(text):
        if start < target.start and target.end <= end:
            before, after = re.split("[。！？.!?]", text[:start])[-1], text[end + 1 :]
            return next((name for name in names if name and _says(re.escape(name), before, after)), "")
    return ""


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the marks of each quotation, outer ones first."""
    at = 0
    while at < len(text):
        closing = _MARKS.get(text[at])
        end = text.find(closing, at + 1) if closing else -1
        if end > at:
            yield at, end
            at = end
        at += 1


def _says(name: str, before: str, after: str) -> bool:
    chinese, other = _SAYS
    return bool(
        re.search(f"(?:^|[，；]){name}{_CHINESE_BETWEEN}{chinese}[：:，,]? ?$", before)
        or re.search(f"(?:^|[，；]){name}[^。]*[，；]{chinese}[：:，,]? ?$", before)  # the verb's subject is left out
        or re.match(f"[，, ]*{name}{_CHINESE_BETWEEN}{chinese}", after)
        or re.search(rf"\b{name} {other}\b[^,;]{{0,30}}[,:]? ?$", before)
        or re.match(rf"[, ]*(?:{name} {other}|{other} {name})\b", after)
    )
