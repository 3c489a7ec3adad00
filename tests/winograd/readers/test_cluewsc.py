"""cluewsc-jsonl: one candidate a line, true or false."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.model import Span
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.cluewsc import read_cluewsc
from pipeline.winograd.readers.draft import assemble
from tests.conftest import Refused

HERE = Path("clue.json")
TEXT = "积雪压断了枯枝，因为它太沉了。"


def row(
    candidate: str = "积雪", label: Any = "true", index: Any = 10, form: Any = "它", text: Any = TEXT
) -> dict[str, Any]:
    target = {"span1_text": candidate, "span1_index": 0, "span2_text": form, "span2_index": index}
    return {"text": text, "target": target, "label": label, "idx": 0}


def data(*rows: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in rows).encode()


# --- the real file ----------------------------------------------------------------------------------------------------


def test_the_sample_of_fewclue(shared_data: Path) -> None:
    path = shared_data / "cluewsc" / "dev_0.json"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 32
    places = {(entry["text"], entry["target"]["span2_index"]) for entry in rows}
    result = ingest(path.read_bytes(), path, "cluewsc-jsonl")
    assert result.read == len(places) == 27
    # Only two pronouns have two different candidates of which one is right: lines 4 and 15, lines 13 and 30.
    assert [item.source for item in result.items] == ["CLUEWSC line 4, 15", "CLUEWSC line 13, 30"]
    assert [item.answer for item in result.items] == [1, 0]
    assert [item.target.of(item.text) for item in result.items] == [
        rows[line - 1]["target"]["span2_text"] for line in (4, 13)
    ]
    reasons = {skipped.record.source: [finding.message for finding in skipped.findings] for skipped in result.skipped}
    assert reasons["CLUEWSC line 7, 12"] == ["the source gives no right answer"]
    assert reasons["CLUEWSC line 18, 20, 32"] == ["the source gives no right answer"]
    lone = [source for source in reasons if "," not in source]
    assert len(lone) == 23
    assert all(reasons[source][0].startswith("fewer than two candidates") for source in lone)
    wrong = [line for line, entry in enumerate(rows, 1) if entry["label"] == "false"]
    assert {source for source in lone if "the source gives no right answer" in reasons[source]} == {
        f"CLUEWSC line {line}" for line in wrong if f"CLUEWSC line {line}" in lone
    }


# --- our own lines ----------------------------------------------------------------------------------------------------


def test_lines_of_one_pronoun_are_one_draft() -> None:
    other = row("枯枝", "true", text=TEXT.replace("沉", "脆"))
    drafts = read_cluewsc(data(row(), other, row("枯枝", "false"), row("枯枝", False)), HERE, None)
    assert [(draft.id, draft.candidates, draft.gold) for draft in drafts] == [
        ("cluewsc-0001-a", ("积雪", "枯枝"), "积雪"),
        ("cluewsc-0002-a", ("枯枝",), "枯枝"),
    ]
    assert (drafts[0].target, drafts[0].source) == (Span(10, 11), "CLUEWSC line 1, 3, 4")
    assert assemble(drafts).items[0].answer == 0


def test_two_pronouns_of_a_text_are_two_drafts() -> None:
    text = "它挨着它，积雪压着枯枝。"
    drafts = read_cluewsc(data(row(index=0, text=text), row(index=3, text=text)), HERE, None)
    assert [draft.target for draft in drafts] == [Span(0, 1), Span(3, 4)]


@pytest.mark.parametrize("label", ["true", "True", "TRUE", True])
def test_truth_is_a_word_or_a_value(label: object) -> None:
    assert read_cluewsc(data(row(label=label)), HERE, None)[0].gold == "积雪"


def test_two_right_answers_are_a_defect() -> None:
    (skipped,) = assemble(read_cluewsc(data(row(), row("枯枝")), HERE, None)).skipped
    assert [finding.message for finding in skipped.findings] == ["more than one right answer; found 积雪, 枯枝"]


def test_a_candidate_with_both_labels_is_a_defect() -> None:
    rows = (row(), row(label="false"), row("枯枝", "false"))
    (skipped,) = assemble(read_cluewsc(data(*rows), HERE, None)).skipped
    assert [finding.message for finding in skipped.findings] == [
        "a candidate is both true and false; found 积雪, expected one label"
    ]


@pytest.mark.parametrize(
    ("index", "form", "there", "target"),
    [
        (9, "它", "为", Span(10, 11)),
        (15, "它", "", Span(10, 11)),
        (2**62, "它", "", Span(10, 11)),
        (-5, "它", "积", Span(10, 11)),  # counted from the end it would be right
        (10, "她", "它", None),
        (14, "。。", "。", None),
    ],
)
def test_a_wrong_index_is_a_defect(index: int, form: str, there: str, target: Span | None) -> None:
    drafts = read_cluewsc(data(row(index=index, form=form), row("枯枝", "false", index=index, form=form)), HERE, None)
    assert [finding.message for finding in drafts[0].defects] == [
        f"span2 is not where its index says; found {there!r}, expected {form!r}"
    ]
    (skipped,) = assemble(drafts).skipped
    assert skipped.record.target == target
    assert len(skipped.findings) == 1


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("{", "json"),
        ('{"text": ' + "[" * 100_000, "json"),
        (json.dumps({"text": TEXT}), "span1_text"),
        (json.dumps(row(text=None)), "text"),
        (json.dumps(row() | {"target": {}}), "span1_text"),
        (json.dumps(row(form="")), "span2_text"),
        (json.dumps(row(index="ten")), "span2_index"),
        (json.dumps(row(index=True)), "span2_index"),
        (json.dumps(row(label="maybe")), "label"),
        (json.dumps(row(label=1)), "label"),
    ],
)
def test_a_broken_line_is_refused_at_its_line(refused: Refused, line: str, field: str) -> None:
    refused(lambda: read_cluewsc(data(row()) + f"\n{line}\n".encode(), HERE, None), "clue.json:3", field)


def test_half_a_character_is_a_defect() -> None:
    lines = [json.dumps(row(name, name == "积雪", text=f"{TEXT}\ud800")) for name in ("积雪", "枯枝")]
    (skipped,) = assemble(read_cluewsc("\n".join(lines).encode(), HERE, None)).skipped
    assert [finding.message for finding in skipped.findings] == [
        f"a character of the text is damaged; found U+FFFD in '{TEXT}\ufffd'"
    ]
