"""The comparison of a file with what its stage would write again: what changed is named, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.core.validation.derivation import Derived, compare, difference

Rows = list[dict[str, Any]]
ROWS = st.lists(st.sampled_from("abcdefgh"), min_size=2, unique=True).map(
    lambda names: [{"id": name, "text": f"{name}。", "span": {"start": 1}} for name in names]
)


def faults(found: Rows, expected: Rows) -> list[tuple[str, int, str]]:
    """Return id, line and reason of each row that differs."""
    file = Path(__file__)  # any file: its reader has the rows
    rows = compare(Derived("test", file, expected, reader=lambda *_: list(enumerate(found, 1))))
    return [(row.id, row.line, reason) for row in rows if (reason := difference(row.value))]


@given(ROWS)
def test_the_same_rows_have_no_fault(rows: Rows) -> None:
    assert faults(rows, rows) == []


@given(ROWS, st.data())
def test_a_row_lost_or_added_is_named_alone(rows: Rows, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    name, without = rows[at]["id"], [*rows[:at], *rows[at + 1 :]]
    assert faults(without, rows) == [(name, max(at, 1), "missing row; found none, expected one")]
    assert faults(rows, without) == [(name, at + 1, "no such row can be derived; found one, expected none")]
    assert faults([*rows, rows[at]], rows) == [
        (name, len(rows) + 1, "no such row can be derived; found one, expected none")
    ]


@given(ROWS, st.data())
def test_rows_in_another_order_are_named(rows: Rows, data: st.DataObject) -> None:
    moved = data.draw(st.permutations(rows))
    assume(moved != rows)
    reasons = [reason for _, _, reason in faults(moved, rows)]
    assert reasons
    assert all(reason.startswith("out of order; found after ") for reason in reasons)


@given(ROWS, st.data())
def test_a_changed_field_is_named_with_both_values(rows: Rows, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    field, value, reason = data.draw(
        st.sampled_from(
            [
                ("text", "他。", f"text; found '他。', expected '{rows[at]['id']}。'"),
                ("span", {"start": True}, "span.start; found true, expected 1"),
                ("span", {}, "span.start; found nothing, expected 1"),
                ("note", "", "note; found '', expected nothing"),
            ]
        )
    )
    changed = [*rows[:at], rows[at] | {field: value}, *rows[at + 1 :]]
    assert faults(changed, rows) == [(rows[at]["id"], at + 1, reason)]


@pytest.mark.parametrize("found", [[], [{"text": "a。", "id": "a"}]])
def test_an_empty_file_and_fields_in_another_order_differ(found: Rows) -> None:
    ((name, line, reason),) = faults(found, [{"id": "a", "text": "a。"}])
    assert (name, line) == ("a", 1)
    assert reason in (
        "missing row; found none, expected one",
        "other order of fields; found text, id, expected id, text",
    )
