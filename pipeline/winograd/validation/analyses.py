"""The suite `analyses`: what the authors' analyses of a collection must meet."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...core.validation.rows import records, text_of
from ...core.validation.suite import Check, Row, Suite, Value, described
from ..analysis import analysis_from_json

#: What an author says of an item. A release with a gloss of one item promises that every item has one.
_FIELDS = ("gloss", "kind", "role")


def analyses(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each analysis; its value also has, as ``given``, the fields that any analysis of its file has."""
    return [row for path in paths for row in with_given(records([path]))]


def with_given(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of one collection, with the fields that any of them has as ``given``."""
    given = [field for field in _FIELDS if any(text_of(row.value, field) for row in rows)]
    return [replace(row, value={**row.value, "given": given}) for row in rows]


def contract(value: Value) -> str:
    """The line is an analysis: id, schema, gloss, kind, role and pmi, which is null or has candidates and a reference."""
    try:
        analysis_from_json(value)
    except ValueError as error:
        return str(error)
    return ""


def _given(field: str) -> Check:
    def missing(value: Value) -> str:
        return (
            f"found none, although other items have a {field}"
            if field in value["given"] and not text_of(value, field)
            else ""
        )

    return described(f"If an item of the collection has a {field}, every item has one.", missing)


ANALYSES = Suite(
    "analyses",
    "the authors' analyses of items (JSON Lines)",
    analyses,
    {"contract": contract, **{f"{field}-given": _given(field) for field in _FIELDS}},
)
