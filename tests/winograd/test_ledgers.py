"""A line of a ledger that is malformed is refused with its field, not taken or told in the words of Python."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_jsonl
from pipeline.core.records import write_items
from pipeline.winograd.adjudication.apply import read_changes
from pipeline.winograd.analysis import read_analyses
from pipeline.winograd.exclusion.ledger import read_decisions
from pipeline.winograd.modifications import read_applied
from tests.support.items import marked

VERSION = {"text": "她没伞。", "target": {"start": 0, "end": 1}}
VOTE = {"action": "drop", "value": "defect", "state": "kept", "text": "[她]没伞。", "answer": "", "study": "s"}
ROWS: dict[str, tuple[Callable[[Path], object], dict[str, Any]]] = {
    "decision": (
        read_decisions,
        {"id": "a", "decision": "kept", "class": None, "disputed": False, "votes": {}, "uncertain": []},
    ),
    "modification": (
        read_applied,
        {"id": "a", "type": "copula", "from": "没", "to": "是没", "reason": "r", "class": None}
        | {"original": VERSION, "modified": VERSION},
    ),
    "adjudication": (
        read_changes,
        {"id": "a", "before": "kept", "after": "defect"}
        | {"decision": {**VOTE, "votes": 5, "raters": 6, "reason": ""}},
    ),
    "analysis": (read_analyses, {"id": "a", "schema": "a", "gloss": "", "kind": "", "role": "", "pmi": None}),
}


@pytest.mark.parametrize(
    ("ledger", "change", "reason"),
    [
        ("decision", {"class": "other"}, "[decision] does not fit the class; found 'kept', expected 'rejected'"),
        (
            "modification",
            {"modified": VERSION | {"target": {"start": 50, "end": 51}}},
            "[target] span outside the text",
        ),
        ("adjudication", {"decision": {**VOTE, "votes": 5, "raters": 6, "reason": "", "action": "keep"}}, "[value] "),
        ("analysis", {"gloss": 3}, "[gloss] wrong kind; found 3, expected text"),
    ],
)
def test_a_malformed_line_is_refused(ledger: str, change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    read, row = ROWS[ledger]
    path = tmp_path / "ledger.jsonl"
    write_jsonl(path, [row, row | {"id": "b"} | change])
    with pytest.raises(PipelineError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:2: {reason}")


def test_another_ledger_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    write_jsonl(path, [ROWS["modification"][1]])
    with pytest.raises(PipelineError, match=r"this is a modification; give decision"):
        read_decisions(path)


@pytest.mark.parametrize(
    ("ledger", "command"), list(zip(ROWS, ("exclude", "modify", "annotate apply", "ingest --analysis"), strict=True))
)
def test_items_are_no_ledger(ledger: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    write_items(path, [marked("甲打乙，【他】疼。", "p-1-a")])
    with pytest.raises(PipelineError, match=rf"items\.jsonl:1: .*: this is an item; give .*, which {command} writes"):
        ROWS[ledger][0](path)
