"""A line of a ledger that is malformed is refused with its field, not taken or told in the words of Python."""

import json
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
        {
            "id": "a",
            "decision": "kept",
            "class": None,
            "disputed": False,
            "votes": {"udpipe": []},
            "uncertain": ["找 VERB → NOUN"],
        },
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
    "analysis": (
        read_analyses,
        {"id": "a", "schema": "a", "gloss": "", "kind": "", "role": ""}
        | {"pmi": {"candidates": ["甲", "乙"], "reference": "伞"}},
    ),
}
#: A ledger, the field that is changed (its path), the value, and how the reason begins.
BROKEN = [
    ("decision", "class", "reflexive", "[class] unknown value; found 'reflexive', expected one of ba-object"),
    ("decision", "class", "other", "[decision] does not fit the class; found 'kept', expected 'rejected'"),
    ("decision", "disputed", 1, "[disputed] wrong kind"),
    ("decision", "votes udpipe", "zh/ba-object", "[votes.udpipe] wrong kind; found 'zh/ba-object', expected a list"),
    ("modification", "type", "guess", "[type] unknown type; found 'guess', expected one of stance-adverbial, copula"),
    ("modification", "original target", {"start": 1, "end": 0}, "[span] offsets out of order"),
    ("modification", "modified target", {"start": 50, "end": 51}, "[target] span outside the text; found end 51"),
    ("adjudication", "after", "gone", "[after] unknown value; found 'gone', expected one of kept, ba-object"),
    ("adjudication", "decision action", "remove", "[action] unknown value; found 'remove'"),
    ("adjudication", "decision votes", "5", "[votes] wrong kind; found '5', expected a whole number"),
    ("analysis", "pmi candidates", "甲乙", "[pmi.candidates] wrong kind; found '甲乙', expected a list of 2"),
]


@pytest.mark.parametrize(("ledger", "field", "value", "reason"), BROKEN)
def test_a_malformed_field_is_named(ledger: str, field: str, value: object, reason: str, tmp_path: Path) -> None:
    read, row = ROWS[ledger]
    path = tmp_path / "ledger.jsonl"
    write_jsonl(path, [row])
    read(path)
    damaged = json.loads(json.dumps(row))
    *parents, last = field.split()
    within = damaged
    for parent in parents:
        within = within[parent]
    within[last] = value
    write_jsonl(path, [damaged])
    with pytest.raises(PipelineError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:1: {reason}")


@pytest.mark.parametrize("ledger", ROWS)
def test_a_missing_field_is_named(ledger: str, tmp_path: Path) -> None:
    read, row = ROWS[ledger]
    path = tmp_path / "ledger.jsonl"
    for name in row:
        write_jsonl(path, [{key: value for key, value in row.items() if key != name}])
        with pytest.raises(PipelineError, match=rf"ledger\.jsonl:1: \[{name}\] missing field; expected"):
            read(path)


@pytest.mark.parametrize("ledger", ROWS)
def test_a_ledger_has_each_id_once(ledger: str, tmp_path: Path) -> None:
    read, row = ROWS[ledger]
    path = tmp_path / "ledger.jsonl"
    write_jsonl(path, [row, row])
    with pytest.raises(PipelineError, match=r"ledger\.jsonl:2: \[id\] not unique; found 'a' in line 1 too"):
        read(path)


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
