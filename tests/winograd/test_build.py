"""The history of each record, joined from the ledgers of the stages."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_jsonl
from pipeline.core.model import ExclusionClass, Finding, Rejected
from pipeline.core.records import write_items
from pipeline.winograd.adjudication.apply import Change, read_changes
from pipeline.winograd.analysis import Analysis, read_analyses
from pipeline.winograd.build import current_glosses, join
from pipeline.winograd.exclusion.ledger import Decision, read_decisions
from pipeline.winograd.modifications import AppliedModification, Modification, read_applied
from tests.conftest import Refused
from tests.support.adjudication import row
from tests.support.items import marked


def rejected(text: str, name: str, exclusion: ExclusionClass) -> Rejected:
    return Rejected(marked(text, name), (Finding("zh/some-rule", exclusion, None, "because"),))


def test_every_record_has_one_history_with_its_findings() -> None:
    kept, excluded = marked("甲说【他】累。", "k-1-a"), rejected("把【他】叫醒。", "b-1-a", "ba-object")
    broken = rejected("【他】", "d-1-a", "defect")
    item = marked("把【他】叫醒。", "b-1-a")
    decisions = [Decision("k-1-a", None), Decision("d-1-a", "defect"), Decision("b-1-a", "ba-object")]
    histories = join([kept, item], [broken], [broken, excluded], decisions)
    assert [(name, history.record.id, history.label, len(history.findings)) for name, history in histories.items()] == [
        ("b-1-a", "b-1-a", "ba-object", 1),
        ("d-1-a", "d-1-a", "defect", 1),
        ("k-1-a", "k-1-a", "kept", 0),
    ]


def test_the_outcome_is_that_of_the_last_stage() -> None:
    item = marked("把【他】叫醒。", "b-1-a")
    excluded, decision = rejected("把【他】叫醒。", "b-1-a", "ba-object"), Decision("b-1-a", "ba-object")
    change = Modification("b-1-a", "predicate", "把[他]叫醒", "[他]醒了", "because")
    applied = AppliedModification(change, item.text, item.target, "他醒了。", item.target, "ba-object")
    dropped = Change("b-1-a", "kept", "other")
    ledgers = [({}, {}), ({"b-1-a": applied}, {}), ({"b-1-a": applied}, {"b-1-a": dropped})]
    outcomes = []
    for modifications, changes in ledgers:
        histories = join([item], [], [excluded], [decision], {}, modifications, changes)
        outcomes.append((histories["b-1-a"].label, histories["b-1-a"].rescued, histories["b-1-a"].outcome))
    assert outcomes == [("ba-object", False, "ba-object"), ("ba-object", True, "kept"), ("ba-object", True, "other")]


def test_the_gloss_is_that_of_the_last_text() -> None:
    item = marked("把【他】叫醒。", "b-1-a")
    analyses = {name: Analysis(name, "b-1", f"{name} before", "", "", None) for name in ("b-1-a", "b-1-b", "b-1-c")}
    change = Modification("b-1-a", "predicate", "把[他]叫醒", "[他]醒了", "because", gloss="He woke up.")
    applied = AppliedModification(change, item.text, item.target, "他醒了。", item.target, "ba-object")
    decision = row("p-1-a", "modify", "老汤催小柳，[他]急。", gloss="He is nervous.")
    changes = {name: Change(name, "kept", "kept", decision) for name in ("b-1-b",)}
    glosses = current_glosses(analyses, {"b-1-a": applied, "b-1-b": applied}, changes)
    assert glosses == {"b-1-a": "He woke up.", "b-1-b": "He is nervous.", "b-1-c": "b-1-c before"}


@pytest.mark.parametrize(
    ("decisions", "name", "complaint"),
    [
        ([], "k-1-a", "record in items.jsonl or skipped.jsonl, but not in decisions.jsonl"),
        (
            [Decision("k-1-a", None), Decision("x-1-a", None)],
            "x-1-a",
            "record in decisions.jsonl, but not in items.jsonl or skipped.jsonl",
        ),
        (
            [Decision("k-1-a", "other")],
            "k-1-a",
            "decision and rejection differ; found other in the decisions (decisions.jsonl) and no such record",
        ),
    ],
)
def test_files_that_do_not_belong_together_are_refused(
    refused: Refused, decisions: list[Decision], name: str, complaint: str
) -> None:
    message = refused(lambda: join([marked("【他】", "k-1-a")], [], [], decisions), "", name)
    assert complaint in message
    assert message.endswith("run winoforge exclude")


def test_a_record_both_read_and_skipped_is_refused(refused: Refused) -> None:
    item = marked("【他】", "k-1-a")
    message = refused(
        lambda: join([item], [rejected("【他】", "k-1-a", "defect")], [], [Decision("k-1-a", None)]), "", "k-1-a"
    )
    assert "both read and skipped; run winoforge ingest" in message


@pytest.mark.parametrize(
    ("ledgers", "name", "complaint"),
    [
        ({"analyses": {"x-9-a": Analysis("x-9-a", "x-9", "", "", "", None)}}, "x-9-a", "without a record"),
        (
            {"changes": {"x-9-a": Change("x-9-a", "kept", "kept")}},
            "x-9-a",
            "a decision of people without a record; run winoforge annotate apply",
        ),
        (
            {"changes": {"k-1-a": Change("k-1-a", "other", "kept")}},
            "k-1-a",
            "people decided about another state; found other, expected kept; run winoforge annotate apply",
        ),
    ],
)
def test_an_entry_of_a_ledger_needs_its_record_and_state(
    refused: Refused, ledgers: Mapping[str, object], name: str, complaint: str
) -> None:
    item = marked("甲说【他】累。", "k-1-a")
    message = refused(lambda: join([item], [], [], [Decision("k-1-a", None)], **ledgers), "", name)  # type: ignore[arg-type]
    assert complaint in message


# --- a malformed line of a ledger is refused with its field -----------------------------------------------------------


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
