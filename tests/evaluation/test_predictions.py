"""Files of predictions and rows of releases: what is read, what is refused, which traits items have."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.convert import to_object
from pipeline.core.errors import PipelineError
from pipeline.evaluation.items import distance_labels, released_items
from pipeline.evaluation.predictions import Run, read_predictions
from pipeline.winograd.variety import connective, connectives
from tests.support.items import marked
from tests.support.simulated_systems import simulated_items
from tests.support.system_answers import write_rows

ITEMS = simulated_items(1)
LINE = {"id": "s-0000-a", "model": "x", "mode": "zero-shot", "answer": "A"}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    return write_rows(path, rows)


def test_a_run_may_be_divided_over_files_and_has_the_order_of_the_release(tmp_path: Path) -> None:
    second = written(tmp_path / "1.jsonl", LINE | {"id": "s-0000-b", "answer": "Ｂ。", "tokens": 12})
    first = written(tmp_path / "2.jsonl", LINE, LINE | {"order": "swapped"}, LINE | {"form": "overt"})
    runs = read_predictions([second, first], ITEMS)
    assert [str(run) for run in runs] == [
        "x, zero-shot, zero, as written",
        "x, zero-shot, zero, swapped",
        "x, zero-shot, overt, as written",
    ]
    answers = runs[Run("x", "zero-shot", "zero", "written")]
    assert [(name, given.right) for name, given in answers.items()] == [("s-0000-a", True), ("s-0000-b", True)]
    assert not runs[Run("x", "zero-shot", "zero", "swapped")]["s-0000-a"].right


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "s-9"}, r"1.jsonl:2: \[id\] unknown id; found 's-9', expected one of the 2 of the release"),
        ({"model": " "}, r":2: \[model\] wrong value; found ' ', expected text"),
        ({"form": "Zero"}, r":2: \[form\] unknown value; found 'Zero', expected one of zero, overt"),
        ({"order": ["swapped"]}, r":2: \[order\] wrong kind; found \['swapped'\], expected one of written, swapped"),
        (
            {"mode": "Zero-Shot"},
            r":2: \[mode\] differs in case from another mode; found 'Zero-Shot', expected 'zero-shot'",
        ),
        ({"answer": "B"}, r":2: \[id\] answered twice; found 's-0000-a' of x, zero-shot, zero, as written in .*:1 too"),
    ],
)
def test_a_malformed_prediction_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=message):
        read_predictions([written(tmp_path / "1.jsonl", LINE, LINE | change)], ITEMS)


def test_a_prompt_shows_its_own_item_in_its_form(tmp_path: Path) -> None:
    first, second = ITEMS
    texts = {"text": first.item.text.replace("怕", "带"), "text_zero": first.text_zero.replace("怕", "带")}
    items = [first, replace(second, item=replace(second.item, text=texts["text"]), text_zero=texts["text_zero"])]
    for prompt, problem in (
        (texts["text_zero"], "another item; .* of s-0000-b, expected"),
        (first.item.text, "the other form"),
    ):
        with pytest.raises(PipelineError, match=rf":1: \[prompt\] of {problem}"):
            read_predictions([written(tmp_path / "1.jsonl", LINE | {"prompt": f"谁？{prompt}"})], items)
    own = [LINE | {"prompt": text} for text in ("谁？", f"{texts['text_zero']}？\n{first.text_zero}")]
    own.append(LINE | {"mode": "clause-only", "prompt": texts["text_zero"]})
    for row in own:
        assert read_predictions([written(tmp_path / "1.jsonl", row)], items)


@pytest.mark.parametrize(
    ("old", "new", "of_all", "reason"),
    [
        ("Answer:", "Answer: A", False, r":6: \[prompt\] unlike the others of its run; found ' A', expected ''"),
        ("\nB.", "\n*B.", False, r":6: \[prompt\] unlike the others of its run; found '\*B. "),
        ("Who is", "What is", False, r":6: \[prompt\] unlike the others of its run; found 'at is"),
        ("\nAnswer:", "", False, r":6: \[prompt\] unlike the others of its run; found '', expected '"),
        ("{right}\n", "{right} (yes)\n", True, r":1: \[prompt\] tells the right answer; found 2 kinds of prompts"),
        ("Answer:", "Answer: {letter}", True, r":1: \[prompt\] tells the right answer; found 2 kinds of prompts"),
        ("Who is", "{letter}! Who is", True, r":1: \[prompt\] tells the right answer; found 2 kinds of prompts"),
        ("{whole}", "", False, r":6: \[prompt\] missing; found none, expected one as in 31 other lines"),
        ("Who is", "Do tell me. Who is", True, ""),
    ],
)
def test_the_prompts_of_a_run_differ_in_their_items_alone(
    old: str, new: str, of_all: bool, reason: str, tmp_path: Path
) -> None:
    items, rows = simulated_items(16), []
    for number, entry in enumerate(items):
        names = entry.item.candidates
        prompt = f"Who is Ø?\n{entry.text_zero}\nA. {names[0]}\nB. {names[1]}\nAnswer:"
        words = {"right": names[entry.item.answer], "letter": "AB"[entry.item.answer], "whole": prompt}
        if of_all or number == 5:
            prompt = prompt.replace(old.format(**words), new.format(**words))
        rows.append(LINE | {"id": entry.item.id, "prompt": prompt})
    doubts: list[str] = []
    assert read_predictions([written(tmp_path / "1.jsonl", *rows)], items, doubts=doubts)
    assert [bool(re.search(reason, doubt)) for doubt in doubts] == ([True] if reason else [])


def test_what_a_line_may_have_besides_is_read(tmp_path: Path) -> None:
    details = {"prompt": "谁？", "prompt_tokens": 0, "answer_tokens": 3, "scores": [-1, -0.5]}
    rows = [LINE | details, LINE | {"id": "s-0000-b"} | dict.fromkeys(details)]
    (responses,) = read_predictions([written(tmp_path / "1.jsonl", *rows)], ITEMS).values()
    first, second = responses.values()
    assert (first.prompt, first.prompt_tokens, first.answer_tokens, first.scores) == ("谁？", 0, 3, (-1.0, -0.5))
    assert (second.prompt, second.prompt_tokens, second.answer_tokens, second.scores) == ("", None, None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer_tokens": -1}, r"\[answer_tokens\] wrong value; found -1, expected a whole number, at least 0"),
        ({"scores": [-1]}, r"\[scores\] not one score for each candidate; found 1, expected 2"),
        ({"scores": [-1, "-2"]}, r"\[scores.1\] wrong kind; found '-2', expected a log-probability, a finite number"),
        ({"scores": [-1, 0.4]}, r"\[scores.1\] wrong value; found 0.4"),
        ({"scores": [-1.7e308, -1]}, r"\[scores.0\] wrong value"),
        ({"scores": [False, -1]}, r"\[scores.0\] wrong kind; found false"),
    ],
)
def test_malformed_details_are_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=message):
        read_predictions([written(tmp_path / "1.jsonl", LINE | change)], ITEMS)


def test_a_file_without_a_prediction_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"\[file\] no prediction"):
        read_predictions([written(tmp_path / "1.jsonl")], ITEMS)


def test_a_release_without_zero_forms_has_overt_ones(tmp_path: Path) -> None:
    rows = [(number, to_object(entry.item)) for number, entry in enumerate(ITEMS, 1)]
    items = released_items(rows, tmp_path / "en.jsonl")
    (run,) = read_predictions([written(tmp_path / "1.jsonl", LINE)], items)
    assert run.form == "overt"
    with pytest.raises(PipelineError, match=r"\[form\] no zero forms in this release"):
        read_predictions([written(tmp_path / "1.jsonl", LINE | {"form": "zero"})], items)


def test_the_end_of_a_long_answer_counts(tmp_path: Path) -> None:
    path = written(tmp_path / "1.jsonl", LINE | {"answer": "先看B。" * 9000 + "\n答案：A"})
    (responses,) = read_predictions([path], ITEMS).values()
    assert responses["s-0000-a"].right


def test_a_long_thought_is_removed_before_the_end_is_cut(tmp_path: Path) -> None:
    path = written(tmp_path / "1.jsonl", LINE | {"answer": "<think>" + "应该选B。" * 9000 + "</think>\n\nA"})
    (responses,) = read_predictions([path], ITEMS).values()
    assert responses["s-0000-a"].right
    path = written(tmp_path / "2.jsonl", LINE | {"answer": "<think>" + "应该选A。" * 9000})
    (responses,) = read_predictions([path], ITEMS).values()
    assert responses["s-0000-a"].parsed.outcome == "empty"


@pytest.mark.parametrize(
    ("text", "lang", "candidates", "expected"),
    [
        ("甲骗了乙，因为【他】傻。", "zh", ("甲", "乙"), "因为"),
        ("甲骗了乙，没想到【他】傻。", "zh", ("甲", "乙"), "没想到"),
        ("因为甲骗了乙，【他】很生气。", "zh", ("甲", "乙"), "none"),
        ("甲骗了乙。说好【他】来。", "zh", ("甲", "乙"), "说好"),
        ("甲騙了乙，因为【他】傻。", "zh-Hant", ("甲", "乙"), "因为"),
        ("Because of rain Ann called Bea after, when [x], 【she】 won.", "en", ("Ann", "Bea"), "when"),
        ("Ann called Bea; 【she】 had won because of it.", "en", ("Ann", "Bea"), "none"),
    ],
)
def test_the_connective_is_what_joins_the_targets_clause(
    text: str, lang: str, candidates: tuple[str, str], expected: str
) -> None:
    assert connective(marked(text, lang=lang, candidates=candidates)) == expected


def test_traits_come_from_row_and_text(tmp_path: Path) -> None:
    texts = ("甲骗了乙，因为【他】傻。", "乙被甲骗了，所以【他】傻。", "【他】傻，甲骗了乙。")
    rows = [
        (number, to_object(marked(text, f"t-{number}-a", answer=number % 2)) | {"kind": "social", "role": ""})
        for number, text in enumerate(texts)
    ]
    first, second, third = (dict(entry.traits) for entry in released_items(rows, tmp_path / "zh.jsonl"))
    # six characters from 甲 to the target of the first, seven from 乙 to that of the second; the third has no mention before
    assert first == {
        "kind": "social", "connective": "因为", "distance": "0 to 6 characters", "place": "first", "answer": "A",
    }  # fmt: skip
    assert second == first | {"connective": "所以", "distance": "7 or more characters", "place": "first", "answer": "B"}
    assert (third["distance"], third["place"]) == ("no mention before", "first")


def test_an_item_has_the_contrast_of_its_pair(tmp_path: Path) -> None:
    texts = {"甲骗了乙，【他】傻。": "p-1-a", "甲骗了乙，【他】坏。": "p-1-b", "甲问了乙，【他】坏。": "p-2-a"}
    rows = [to_object(marked(text, name)) for text, name in texts.items()]
    items = released_items(enumerate(rows, 1), tmp_path / "zh.jsonl")
    assert [entry.traits.get("contrast") for entry in items] == ["after", "after", None]


def test_all_pronoun_sets_of_a_pair_of_templates_are_one_cluster(tmp_path: Path) -> None:
    rows = [
        to_object(marked("甲骗了乙，因为【他】傻。", f"en-double-a-b-nominative-{name}-a"))
        | {"case": "nominative", "pronouns": name}
        for name in ("he", "xe")
    ]
    items = released_items(enumerate(rows, 1), tmp_path / "en.jsonl")
    assert [entry.item.schema for entry in items] == ["en-double-a-b-nominative-he", "en-double-a-b-nominative-xe"]
    assert {entry.cluster for entry in items} == {"en-double-a-b-nominative"}
    assert {entry.cluster for entry in ITEMS} == {"s-0000"}


def test_terciles_divide_the_items_evenly() -> None:
    labels = distance_labels(list(range(1, 10)))
    assert [labels.count(label) for label in dict.fromkeys(labels)] == [3, 3, 3]
    assert distance_labels([5, 5, 5]) == ["0 to 5 characters"] * 3
    assert distance_labels([None]) == ["no mention before"]


def test_rows_that_are_no_items_are_refused(tmp_path: Path) -> None:
    row = to_object(ITEMS[0].item)
    for change, message in (
        ({"candidates": ["老汤"], "answer": 0}, r":1: \[candidates\] no choice; found \['老汤'\]"),
        ({"candidates": ["老汤", "老汤"]}, r":1: \[candidates\] no choice"),
        (
            {"candidates": list("甲乙丙丁戊己庚辛壬癸子")},
            r":1: \[candidates\] no choice; .* expected 2 to 10 that differ",
        ),
        ({"answer": 5}, r":1: \[answer\] no such candidate"),
    ):
        with pytest.raises(PipelineError, match=message):
            released_items([(1, row | change)], tmp_path / "zh.jsonl")
    with pytest.raises(PipelineError, match=r":2: \[id\] not unique"):
        released_items([(1, row), (2, row)], tmp_path / "zh.jsonl")
    with pytest.raises(PipelineError, match=r"\[file\] no item"):
        released_items([], tmp_path / "zh.jsonl")


def test_each_connective_of_our_table_is_of_a_known_language() -> None:
    assert set(connectives()) == {"zh", "en"}
