"""Defects of the list of skipped records."""

from .defect import Damage, Defect, Row, Rows

_FINDING = {
    "rule": "reader/answer",
    "class": "defect",
    "span": None,
    "message": "found no such candidate",
    "evidence": {},
}


def record(*findings: Row) -> Row:
    """Return a skipped record."""
    return {"id": "zh-9999-a", "schema": "zh-9999", "version": "a", "lang": "zh", "findings": list(findings)}


def with_records(*records: Row) -> Damage:
    """Return the damage that adds skipped records."""

    def damage(rows: Rows) -> Rows:
        return [*rows, *records]

    return damage


SKIPPED = [
    Defect("record-skipped", "skipped", "no-defect", with_records(record(_FINDING))),
    Defect("record-skipped-without-a-reason", "skipped", "no-defect", with_records(record())),
    Defect("record-skipped-twice", "skipped", "unique-id", with_records(record(_FINDING), record(_FINDING))),
]
