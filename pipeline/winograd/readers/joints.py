"""Joints: how the parts of a sentence in Davis' XML meet, with a blank or without one.

In the XML the white space at the ends of a part is that of the markup, so the language decides: its words are separated by blanks
or not, and `attaches` of its question table says where a pronoun follows without one (qu'il, va-t-il, שהוא).
"""

import re
from collections.abc import Sequence

from ...core.model import Span
from ...language.questions import QuestionTable
from .draft import collapse

#: A hyphen, and the t that French puts between verb and pronoun: part of the text where the markup has them with the pronoun.
_LINK = re.compile(r"(?:[-‐‑]?[tT])?[-‐‑](?=\w)")
_DASHES = "-‐‑–—/־"
_OPENING = "([{“‘¿¡„‚「『《〈（"
#: Marks that open and close, told apart by how many stand before.
_TOGGLES = '"«»״'
#: French has a blank inside of these marks and before them, if the markup has one.
_FRENCH = "«»;:!?"
_CLOSING = ",.;:!?)]}…%،؛؟।。，、；：！？）」』》〉"
#: After a pronoun: the end of a contraction ('s), of a quotation (' or ’), and a quotation mark that closes what „ and ‚ opened.
_CONTRACTION = re.compile(r"['’](?:(?:s|d|ll|re|ve|m)\b|(?!\w))|’\w", re.IGNORECASE)
_LOW = {"“": "„", "‘": "‚"}


def joined(parts: Sequence[str], table: QuestionTable, *, spaced: bool = False) -> tuple[str, Span]:
    """Return the text of what stands before a pronoun, the pronoun, and what stands after it, and the pronoun's span.

    Args:
        parts: the three parts as the markup has them.
        table: that of the language.
        spaced: whether the markup has white space beside most pronouns, so that its lack shows a joint (Spanish *comprar|lo*).
    """
    before, pronoun, after = parts
    head, form, tail = map(collapse, parts)
    if not form:
        return collapse(f"{head} {tail}"), Span(len(head), len(head))
    link = _LINK.match(form)
    if link:
        head, form = head + link[0], form[link.end() :]
    gaps = before[-1:].isspace() or pronoun[:1].isspace(), pronoun[-1:].isspace() or after[:1].isspace()
    if head and not link and _parted_before(head, form, table, gap=gaps[0], spaced=spaced):
        head += " "
    text = head + form
    span = Span(len(head), len(text))
    return f"{text}{' ' if tail and _parted_after(text, tail, table, gap=gaps[1]) else ''}{tail}", span


def _parted_before(head: str, form: str, table: QuestionTable, *, gap: bool, spaced: bool) -> bool:
    last = head[-1]
    if not table.segmented:
        return _are_latin(last, form[0])
    if table.lang == "fr" and last in "«»":
        return gap
    if last in _OPENING or (last in _TOGGLES and _is_open(head, last)):
        return False
    dashes = len(head) - len(head.rstrip(_DASHES))
    if dashes:
        return head[: len(head) - dashes][-1:] in ("", " ")
    word = f"{head[head.rfind(' ') + 1 :]} {form}"
    return not (table.attaches.search(word) or (spaced and not gap and table.may_attach.search(word)))


def _parted_after(text: str, tail: str, table: QuestionTable, *, gap: bool) -> bool:
    first = tail[0]
    if not table.segmented:
        return _are_latin(text[-1], first)
    if table.lang == "fr" and first in _FRENCH:
        return gap
    if first in _TOGGLES:
        return not _is_open(text, first)
    if first in _LOW and text.count(_LOW[first]) > text.count(first):
        return False
    if first in _DASHES:
        return tail.lstrip(_DASHES)[:1] in ("", " ")
    return not (text[-1] in "'’" or first in _CLOSING or first == "”" or _CONTRACTION.match(tail))


def _is_open(text: str, mark: str) -> bool:
    """Return whether a quotation that `mark` belongs to is open at the end of a text."""
    marks = "«»" if mark in "«»" else mark
    return sum(map(text.count, marks)) % 2 == 1


def _are_latin(first: str, second: str) -> bool:
    return all(character.isascii() and character.isalnum() for character in (first, second))
