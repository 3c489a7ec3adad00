"""Items beside the other items of their collection: the members of a schema, and copies under other ids."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...core.validation.rows import candidates_of, lang_of, list_of, records, span_of, text_of
from ...core.validation.suite import Check, Row, Value, described
from ..pairs import difference

#: Keys that `collection` adds to a row: the other members of its schema, what it is a copy of, what some rows have.
MATES, COPIES, GIVEN = "@mates", "@copies", "@given"
ADDED = (MATES, COPIES, GIVEN)
#: Remarks that every item has if one has it.
_REMARKS = ("question", "source")
#: How many characters may differ between a text and a near copy of it, marks and blanks aside.
_NEAR = 2
#: Languages of which near copies are reported: in others, a letter or two make another verb (is, was).
_CHINESE = ("zh", "zh-Hant")
#: Words that turn a schema into another one.
_NEGATION = re.compile("[不没沒未别別]")
#: Shortest text, in letters, of which a near copy is no accident.
_SHORTEST = 10
#: How many neighbours in the order of the texts are compared.
_NEIGHBOURS = 3


def collection(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item; its value also has the other members of its schema, and what it is a copy of."""
    return [row for path in paths for row in in_collection(records([path]))]


def in_collection(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a file with what `collection` adds to them."""
    members: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        members[text_of(row.value, "schema")].append(row)
    given = [field for field in _REMARKS if any(text_of(row.value, field) for row in rows)]
    copies = _copies(rows)
    return [
        replace(
            row,
            value={
                **row.value,
                MATES: [mate.value for mate in members[text_of(row.value, "schema")] if mate is not row],
                COPIES: copies[number],
                GIVEN: given,
            },
        )
        for number, row in enumerate(rows)
    ]


def _copies(rows: Sequence[Row]) -> dict[int, list[Value]]:
    """Return for rows, by their numbers, the items of other schemas before them with the same text or almost the same one."""
    letters = [_letters(text_of(row.value)) for row in rows]
    copies: dict[int, list[Value]] = defaultdict(list)
    for key in (str, lambda text: text[::-1]):
        order = sorted(
            (number for number in range(len(rows)) if letters[number]), key=lambda number: key(letters[number])
        )
        for place, number in enumerate(order):
            for other in order[place + 1 : place + 1 + _NEIGHBOURS]:
                if _is_copy(rows[number].value, rows[other].value, letters[number], letters[other]):
                    copies[max(number, other)].append(rows[min(number, other)].value)
    return copies


def _is_copy(first: Value, second: Value, letters: str, others: str) -> bool:
    if text_of(first, "schema") == text_of(second, "schema") or lang_of(first) != lang_of(second):
        return False
    if "case" in first or _names(first) != _names(second):  # sentences of one template differ in their pronouns only
        return False
    if letters == others:
        return _letters_before_target(first) == _letters_before_target(second)
    if lang_of(first) not in _CHINESE or len(letters) < _SHORTEST:
        return False
    parts = difference(letters, others)
    return max(map(len, parts)) <= _NEAR and not any(map(_NEGATION.search, parts))


def _letters(text: str) -> str:
    """Return the letters and digits of a text in one case."""
    return "".join(filter(str.isalnum, text)).casefold()


def _letters_before_target(value: Value) -> int:
    span = span_of(value)
    return len(_letters(text_of(value)[: span.start])) if span else 0


def _names(value: Value) -> set[str]:
    return {name.casefold() for name in candidates_of(value)}


def _answer(value: Value) -> str:
    answer, names = value.get("answer"), candidates_of(value)
    return names[answer].casefold() if type(answer) is int and 0 <= answer < len(names) else ""


def mates_of(value: Value) -> list[Value]:
    """Return the other members of an item's schema; none if the row is not of `collection`."""
    return list_of(value, MATES, dict)


def no_copy(value: Value) -> str:
    """No item of another schema before it has the same text, marks and blanks aside, or a Chinese one that differs in two characters."""
    copies = list_of(value, COPIES, dict)
    return f"found {text_of(copies[0])!r} in {text_of(copies[0], 'id')} too" if copies else ""


def no_contradiction(value: Value) -> str:
    """A copy of an item under another id has the same answer."""
    for copy in list_of(value, COPIES, dict):
        same = _letters(text_of(value)) == _letters(text_of(copy))
        if same and _answer(value) and _answer(copy) and _answer(value) != _answer(copy):
            return f"found {_answer(value)!r}, but {_answer(copy)!r} in {text_of(copy, 'id')}"
    return ""


def given(field: str) -> Check:
    """Return the check that every item of a collection has a remark if one has it."""

    def missing(value: Value) -> str:
        lacks = field in list_of(value, GIVEN, str) and not text_of(value, field).strip()
        return f"found no {field}, although other items have one" if lacks else ""

    return described(f"If one item of the collection has a {field}, all have one.", missing)
