"""Items and rejected records as JSON Lines."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.convert import to_object
from pipeline.core.files import parse_jsonl, to_json
from pipeline.core.model import CLASSES, Finding, Item, Record, Rejected, Span
from pipeline.core.records import (
    item_from_json,
    read_collection,
    read_items,
    read_rejected,
    rejected_from_json,
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

texts = st.text(st.characters(exclude_categories=["Cs"]))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=5,
)


@st.composite
def spans(draw: st.DrawFn, text: str) -> Span:
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    return Span(start, end)


@st.composite
def items(draw: st.DrawFn) -> Item:
    text = draw(texts)
    candidates = tuple(draw(st.lists(texts, min_size=1, max_size=4)))
    return Item(
        id=draw(texts),
        schema=draw(texts),
        version=draw(st.sampled_from("ab")),
        lang=draw(st.sampled_from(["zh", "en"])),
        text=text,
        target=draw(spans(text)),
        candidates=candidates,
        answer=draw(st.integers(0, len(candidates) - 1)),
        question=draw(texts),
        source=draw(texts),
        note=draw(texts),
    )


@st.composite
def rejections(draw: st.DrawFn) -> Rejected:
    item = draw(items())
    fields = {name: getattr(item, name) for name in Record.__dataclass_fields__}
    fields["target"] = draw(st.none() | st.just(item.target))
    fields["answer"] = draw(st.none() | st.just(item.answer))
    finding = st.builds(
        Finding,
        texts,
        st.sampled_from(CLASSES),
        st.none() | spans(item.text),
        texts,
        st.dictionaries(texts, json_values, max_size=3),
    )
    return Rejected(Record(**fields), tuple(draw(st.lists(finding, min_size=1, max_size=3))))


def test_an_item_is_the_line_of_the_contract() -> None:
    assert to_json(to_object(ITEM)) == LINE
    assert item_from_json(json.loads(LINE)) == ITEM


@given(items())
def test_items_come_back(item: Item) -> None:
    ((_, value),) = parse_jsonl(to_json(to_object(item)), Path("x"))
    assert item_from_json(value) == item
    assert list(value) == list(json.loads(LINE))


@given(rejections())
def test_rejected_records_come_back(rejected: Rejected) -> None:
    ((_, value),) = parse_jsonl(to_json(rejected_to_json(rejected)), Path("x"))
    assert rejected_from_json(value) == rejected
    assert list(value) == [*json.loads(LINE), "findings"]


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


MISSING = object()


def line_with(base: dict[str, Any], key: str, entry: Any) -> str:
    changed = base | {key: entry}
    if entry is MISSING:
        del changed[key]
    return to_json(changed) + "\n"


@pytest.mark.parametrize(
    ("key", "entry", "field"),
    [
        ("note", MISSING, "note"),
        ("target", None, "target"),
        ("target", {"start": 10, "end": 16}, "target"),
        ("answer", 2, "answer"),
    ],
)
def test_a_malformed_item_is_refused_at_its_line(
    refused: Refused, tmp_path: Path, key: str, entry: Any, field: str
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("\n" + line_with(json.loads(LINE), key, entry), encoding="utf-8")
    refused(lambda: read_items(path), f"{path}:2", field)


@pytest.mark.parametrize(
    ("key", "entry", "field"),
    [
        ("question", MISSING, "question"),
        ("findings", [], "findings"),
        ("findings", [FINDING | {"class": "unknown"}], "findings.0.class"),
        ("findings", [FINDING | {"span": {"start": 2, "end": 1}}], "span"),
    ],
)
def test_a_malformed_rejection_is_refused_at_its_line(
    refused: Refused, tmp_path: Path, key: str, entry: Any, field: str
) -> None:
    path = tmp_path / "rejected.jsonl"
    good = json.loads(LINE) | {"findings": [FINDING]}
    path.write_text(to_json(good) + "\n" + line_with(good | {"id": "other"}, key, entry), encoding="utf-8")
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
