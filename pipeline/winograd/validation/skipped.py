"""Skipped records: a collection of our own has none."""

from ...core.validation.rows import records
from ...core.validation.suite import Suite, Value
from ...core.validation.values import list_of, text_of


def no_defect(value: Value) -> str:
    """A record that was read is an item."""
    reasons = [text_of(finding, "message") for finding in list_of(value, "findings", dict)]
    return "; ".join(reasons) or "found it among the skipped records without a reason"


SKIPPED = Suite("skipped", "records that are no items (skipped.jsonl)", records, {"no-defect": no_defect})
