"""Checks that several forms share; most forms have two rows an item, one for each candidate."""

from collections.abc import Sequence
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.validation.rows import members_of, records, text_of, texts_of
from ...core.validation.suite import Check, Row, Value, described
from ...language.text_checks import check_invisible


def rows_by_item(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item; its value has the item's rows as ``members``. A row without ``item`` is a `PipelineError`."""
    groups: dict[str, list[Row]] = {}
    for row in records(paths):
        if not (item := text_of(row.value, "item")):
            reason = f"[item] missing field; found {shown(row.value.get('item'))}, expected text"
            raise PipelineError(row.path, row.line, reason)
        groups.setdefault(item, []).append(row)
    return [
        Row(name, group[0].path, group[0].line, {"members": [row.value for row in group]})
        for name, group in groups.items()
    ]


def first_failure(value: Value, check: Check) -> str:
    """Return what a check of single rows finds in the first member that fails it."""
    return next((reason for member in members_of(value) if (reason := check(member))), "")


def visible_characters(*fields: str) -> Check:
    """Return the check that the fields of a row have no invisible character."""
    return described("No invisible character.", lambda value: check_invisible(texts_of(value, *fields)))


def visible_in_members(*fields: str) -> Check:
    """Return the check that the fields of an item's rows have no invisible character."""
    check = visible_characters(*fields)
    return described(check.__doc__ or "", lambda value: first_failure(value, check))


def two_rows(value: Value) -> str:
    """An item has a row for each of its two candidates."""
    ids = [text_of(member, "id") for member in members_of(value)]
    expected = [f"{text_of(members_of(value)[0], 'item')}-{index}" for index in (0, 1)] if ids else []
    return "" if ids == expected else f"found {', '.join(ids)}, expected {', '.join(expected)}"


def one_correct(value: Value) -> str:
    """One of an item's texts is marked as correct."""
    count = sum(member.get("correct") is True for member in members_of(value))
    return "" if count == 1 else f"found {count}, expected 1"
