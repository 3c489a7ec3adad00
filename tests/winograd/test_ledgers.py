"""A line of a ledger that is malformed is refused with its field, not taken or told in the words of Python."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_jsonl
from pipeline.winograd.adjudication.apply import read_changes
from pipeline.winograd.analysis import read_analyses
from pipeline.winograd.exclusion.ledger import read_decisions
from pipeline.winograd.modifications import read_applied

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
    ("decision", "id", 3, "[id] wrong kind; found 3, expected text"),
    ("decision", "id", ["a"], "[id] wrong kind"),
    ("decision", "class", "reflexive", "[class] unknown value; found 'reflexive', expected one of ba-object"),
    ("decision", "class", "other", "[decision] does not fit the class; found 'kept', expected 'rejected'"),
    ("decision", "decision", "rejected", "[decision] does not fit the class"),
    ("decision", "disputed", "no", "[disputed] wrong kind; found 'no', expected true or false"),
    ("decision", "disputed", 1, "[disputed] wrong kind"),
    ("decision", "votes", [], "[votes] wrong kind; found [], expected an object"),
    ("decision", "uncertain", "找", "[uncertain] wrong kind; found '找', expected a list"),
    ("decision", "uncertain", [1], "[uncertain.0] wrong kind"),
    ("decision", "votes udpipe", "zh/ba-object", "[votes.udpipe] wrong kind; found 'zh/ba-object', expected a list"),
    ("modification", "class", "x", "[class] unknown value"),
    ("modification", "from", None, "[from] wrong kind; found null, expected text"),
    ("modification", "original", "她", "[original] wrong kind"),
    ("modification", "original text", 5, "[original.text] wrong kind"),
    ("modification", "original target", {"start": 1, "end": 0}, "[span] offsets out of order"),
    (
        "modification",
        "original target",
        {"start": "0", "end": 1},
        "[original.target.start] wrong kind; found '0', expected a whole number",
    ),
    ("modification", "modified target", {"start": 50, "end": 51}, "[target] span outside the text; found end 51"),
    ("adjudication", "after", "gone", "[after] unknown value; found 'gone', expected one of kept, ba-object"),
    ("adjudication", "before", 1, "[before] wrong kind"),
    ("adjudication", "decision", 3, "[decision] wrong kind"),
    ("adjudication", "decision votes", "5", "[votes] wrong kind; found '5', expected a whole number"),
    ("adjudication", "decision action", "remove", "[action] unknown value; found 'remove'"),
    ("adjudication", "decision text", 1, "[text] wrong kind"),
    ("analysis", "role", 3, "[role] wrong kind"),
    ("analysis", "pmi", 3, "[pmi] wrong kind"),
    (
        "analysis",
        "pmi candidates",
        "甲乙",
        "[pmi.candidates] wrong kind; found '甲乙', expected a list of 2, each text",
    ),
    ("analysis", "pmi reference", None, "[pmi.reference] wrong kind"),
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


def test_another_ledger_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    write_jsonl(path, [ROWS["modification"][1]])
    with pytest.raises(PipelineError, match=r"this is a modification; give decision"):
        read_decisions(path)
