"""Items and rejected records as JSON Lines."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.files import to_json
from pipeline.core.model import Finding, Item, Rejected, Span
from pipeline.core.records import (
    item_from_json,
    read_collection,
    read_items,
    read_rejected,
    rejected_to_json,
    write_items,
    write_rejected,
)
from tests.conftest import Refused

ITEM = Item(
    id="zh-0002-a",
    schema="zh-0002",
    version="a",
    lang="zh",
    text="积雪压断了枯枝，因为它太沉了。",
    target=Span(10, 11),
    candidates=("积雪", "枯枝"),
    answer=0,
    question="什么太沉了？",
    source="winoforge",
)
#: The contract of DESIGN.md, written by hand.
LINE = (
    '{"id": "zh-0002-a", "schema": "zh-0002", "version": "a", "lang": "zh", "text": "积雪压断了枯枝，因为它太沉了。", '
    '"target": {"start": 10, "end": 11}, "candidates": ["积雪", "枯枝"], "answer": 0, "question": "什么太沉了？", '
    '"source": "winoforge", "note": ""}'
)
FINDING = {
    "rule": "zh/ba-object",
    "class": "ba-object",
    "span": {"start": 10, "end": 11},
    "message": "m",
    "evidence": {"head": 3},
}


def test_files_come_back(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    write_items(path, [ITEM])
    assert path.read_text(encoding="utf-8") == LINE + "\n"
    assert read_items(path) == [ITEM]
    rejected = Rejected(ITEM, (Finding("zh/ba-object", "ba-object", Span(10, 11), "m", {"head": 3}),))
    write_rejected(path, [rejected])
    assert path.read_text(encoding="utf-8") == LINE[:-1] + ', "findings": [' + json.dumps(FINDING) + "]}\n"
    (entry,) = read_rejected(path)
    assert rejected_to_json(entry) == rejected_to_json(rejected)


def test_a_record_stands_once_in_a_collection(tmp_path: Path, refused: Refused) -> None:
    kept, rejected = tmp_path / "kept.jsonl", tmp_path / "rejected.jsonl"
    other = replace(ITEM, id="zh-0002-b")
    write_items(kept, [ITEM])
    write_rejected(rejected, [Rejected(other, (Finding("x", "other", None, "m"),))])
    items, (entry,) = read_collection(kept, rejected)
    assert (items, entry.record.id) == ([ITEM], "zh-0002-b")
    assert read_collection(kept, None) == ([ITEM], [])
    write_rejected(rejected, [Rejected(item, (Finding("x", "other", None, "m"),)) for item in (other, ITEM)])
    message = refused(lambda: read_collection(kept, rejected), f"{rejected}:2", "id")
    assert f"found 'zh-0002-a' in {kept}:1 too, expected each id once" in message
    write_rejected(rejected, [Rejected(other, (Finding("x", "other", None, "m"),))] * 2)
    assert "in line 1 too" in refused(lambda: read_rejected(rejected), f"{rejected}:2", "id")


def test_remarks_may_be_left_out_and_later_stages_may_add_keys() -> None:
    value = {key: entry for key, entry in json.loads(LINE).items() if key not in {"question", "source", "note"}}
    item = item_from_json(value | {"text_zero": "x"})
    assert (item.question, item.source, item.note) == ("", "", "")
    assert item.text == ITEM.text


@pytest.mark.parametrize(
    ("change", "field"),
    [({"target": None}, "target"), ({"target": {"start": 10, "end": 16}}, "target"), ({"answer": 2}, "answer")],
)
def test_a_malformed_item_is_refused_at_its_line(
    refused: Refused, tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"\n{to_json(json.loads(LINE) | change)}\n", encoding="utf-8")
    refused(lambda: read_items(path), f"{path}:2", field)


@pytest.mark.parametrize(
    ("findings", "field"),
    [
        ([], "findings"),
        ([FINDING | {"class": "unknown"}], "findings.0.class"),
        ([FINDING | {"span": {"start": 2, "end": 1}}], "span"),
    ],
)
def test_a_malformed_rejection_is_refused_at_its_line(
    refused: Refused, tmp_path: Path, findings: list[dict[str, Any]], field: str
) -> None:
    path = tmp_path / "rejected.jsonl"
    good = json.loads(LINE) | {"findings": [FINDING]}
    path.write_text(f"{to_json(good)}\n{to_json(good | {'id': 'other', 'findings': findings})}\n", encoding="utf-8")
    refused(lambda: read_rejected(path), f"{path}:2", field)


def test_an_unknown_key_is_refused_with_the_one_that_is_meant(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(LINE.replace('"question"', '"qestion"') + "\n", encoding="utf-8")
    assert "; did you mean question?: give items.jsonl" in refused(lambda: read_items(path), f"{path}:1", "qestion")


@pytest.mark.parametrize(
    "more",
    [
        {"case": "nominative", "pronouns": "he"},
        {"item": "zh-0002-a", "names": {}, "gloss": ""},
        {"item": "zh-0002-a", "back": ""},
    ],
)
def test_items_of_templates_and_forms_have_more_keys(tmp_path: Path, more: dict[str, Any]) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(to_json(json.loads(LINE) | more) + "\n", encoding="utf-8")
    assert read_items(path) == [ITEM]


def test_ids_are_unique(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"{LINE}\n\n{LINE}\n", encoding="utf-8")
    assert "in line 1 too" in refused(lambda: read_items(path), f"{path}:3", "id")


def test_an_empty_file_is_no_collection_but_nothing_may_be_rejected(refused: Refused, tmp_path: Path) -> None:
    path, rejected = tmp_path / "items.jsonl", tmp_path / "rejected.jsonl"
    path.touch()
    message = refused(lambda: read_items(path, "kept.jsonl, which exclude writes"), str(path), "file")
    assert message.endswith("no item; found an empty file, expected kept.jsonl, which exclude writes")
    assert read_rejected(path) == []
    refused(lambda: read_collection(path, None), str(path), "file")
    write_rejected(rejected, [Rejected(ITEM, (Finding("x", "other", None, "m"),))])
    assert [len(records) for records in read_collection(path, rejected)] == [0, 1]  # every item was rejected


ZERO = json.loads(LINE) | {"text_zero": "x"}
#: Lines that no stage takes for an item, each with the field that tells it.
OTHERS = [
    ("a rejected record", "findings", json.loads(LINE) | {"findings": [FINDING]}),
    ("a zero form", "text_zero", ZERO),
    (
        "a row of a derived form",
        "premise",
        {"id": "zh-0002-a-0", "item": "zh-0002-a", "premise": "x", "hypothesis": "y"},
    ),
    ("an author's analysis", "pmi", {"id": "zh-0002-a", "schema": "zh-0002", "gloss": "", "role": "", "pmi": None}),
    ("a decision of the rules", "decision", {"id": "zh-0002-a", "decision": "kept", "votes": {}}),
    ("a line of counts", "windows", {"windows": 10}),
]


@pytest.mark.parametrize(("name", "field", "line"), OTHERS)
def test_a_line_of_another_kind_is_no_item(
    refused: Refused, tmp_path: Path, name: str, field: str, line: dict[str, Any]
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"{to_json(json.loads(LINE) | {'id': 'zh-0001-a'})}\n{to_json(line)}\n", encoding="utf-8")
    message = refused(lambda: read_items(path, "kept.jsonl, which exclude writes"), f"{path}:2", field)
    assert message.endswith(f"this is {name}; give kept.jsonl, which exclude writes")


def test_zero_forms_are_items_to_those_who_ask_for_them(tmp_path: Path) -> None:
    path = tmp_path / "zero.jsonl"
    path.write_text(to_json(ZERO) + "\n", encoding="utf-8")
    assert read_items(path, zero_forms=True) == [ITEM]


def test_an_item_is_no_rejected_record(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "rejected.jsonl"
    path.write_text(f"{LINE}\n", encoding="utf-8")
    message = refused(lambda: read_rejected(path), f"{path}:1", "findings")
    assert message.endswith(": give rejected.jsonl, which exclude writes, or skipped.jsonl, which ingest writes")
