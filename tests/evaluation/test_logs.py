"""Logs of evaluation tools: samples as lm-eval writes them, logs as Inspect writes them, and what is wrong with others."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.logs import LogName, convert_log
from pipeline.evaluation.predictions import Run, read_predictions
from tests.support.commands import printed
from tests.support.simulated_systems import simulated_items

LOG = Path("log")
#: A sample of a multiple-choice task, in the fields and the numbers as text that lm-eval 0.4 writes.
SAMPLE: dict[str, Any] = {
    "doc_id": 0,
    "doc": {"id": "s-0000-a", "text": "老汤给小柳送伞，因为他怕淋雨。"},
    "target": "0",
    "arguments": {
        "gen_args_0": {"arg_0": "老汤", "arg_1": "怕淋雨。"},
        "gen_args_1": {"arg_0": "小柳", "arg_1": "怕淋雨。"},
    },
    "resps": [[["-25.625", "False"]], [["-23.5", "False"]]],
    "filtered_resps": [["-25.625", "False"], ["-23.5", "False"]],
    "filter": "none",
    "acc": 0.0,
}
INSPECT: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"task": "wsc_za", "model": "openai/gpt-x"},
    "samples": [
        {
            "id": "s-0000-a",
            "epoch": 1,
            "target": "A",
            "output": {"completion": "Answer: A"},
            "metadata": {"order": "swapped"},
        },
        {"id": "s-0000-b", "epoch": 2, "output": {"completion": "B"}},
        {"id": "s-0000-b", "epoch": 1, "output": {}, "error": {"message": "limit"}},
    ],
}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_the_most_probable_option_is_the_answer() -> None:
    even = SAMPLE | {
        "filtered_resps": [["-inf", "False"], ["-inf", "False"]],
        "doc": {"id": "s-0000-b-0", "item": "s-0000-b"},
    }
    converted = convert_log(lines(SAMPLE, even), LOG, "lm-eval", model="m", mode="zero-shot")
    assert converted.predictions == (
        {
            "id": "s-0000-a",
            "model": "m",
            "mode": "zero-shot",
            "answer": "B",
            "scores": [-25.625, -23.5],
            "prompt": "老汤怕淋雨。\n小柳怕淋雨。",
        },
        {"id": "s-0000-b", "model": "m", "mode": "zero-shot", "answer": "", "prompt": "老汤怕淋雨。\n小柳怕淋雨。"},
    )


def test_generated_text_is_kept_and_the_first_filter_counts() -> None:
    asked = {"gen_args_0": {"arg_0": "谁怕淋雨？", "arg_1": {"until": ["\n"]}}}
    first = SAMPLE | {"filtered_resps": [" 答案：A"], "filter": "strict", "doc": SAMPLE["doc"] | {"form": "overt"}}
    first |= {"arguments": asked}
    converted = convert_log(lines(first, first | {"filter": "flexible"}), LOG, "lm-eval", model="m", mode="x")
    assert converted.predictions == (
        {"id": "s-0000-a", "model": "m", "mode": "x", "answer": " 答案：A", "form": "overt", "prompt": "谁怕淋雨？"},
    )
    assert converted.skipped == 1


def test_the_text_as_generated_counts_before_what_a_filter_left() -> None:
    sample = SAMPLE | {"resps": [["B是错的。\n答案：A"]], "filtered_resps": ["B"]}
    converted = convert_log(lines(sample), LOG, "lm-eval", model="m", mode="x")
    assert [row["answer"] for row in converted.predictions] == ["B是错的。\n答案：A"]


def test_inspects_epochs_are_modes_and_failed_samples_are_counted() -> None:
    converted = convert_log(json.dumps(INSPECT), LOG, "inspect")
    assert converted.predictions == (
        {"id": "s-0000-a", "model": "openai/gpt-x", "mode": "wsc_za", "answer": "Answer: A", "order": "swapped"},
        {"id": "s-0000-b", "model": "openai/gpt-x", "mode": "wsc_za, epoch 2", "answer": "B"},
    )
    assert converted.skipped == 1
    assert convert_log(json.dumps(INSPECT), LOG, "inspect", model="a", mode="b").predictions[0]["model"] == "a"


@pytest.mark.parametrize(
    ("tool", "text", "message"),
    [
        ("lm-eval", lines({"doc": {"id": 1}}), r"log:1: \[id\] wrong kind; found 1, expected text"),
        ("lm-eval", lines({"id": "a"}), r"log:1: \[doc\] missing field"),
        ("lm-eval", lines(SAMPLE | {"filtered_resps": [["x", "False"]] * 2}), r"\[filtered_resps\] no log-probability"),
        ("lm-eval", lines(SAMPLE | {"filtered_resps": []}), r"\[filtered_resps\] no response"),
        ("lm-eval", lines(SAMPLE | {"filtered_resps": [["-1.0", "True"]]}), r"\[filtered_resps\] no response"),
        ("lm-eval", "", r"\[samples\] no sample"),
        (
            "lm-eval",
            lines(SAMPLE | {"doc": SAMPLE["doc"] | {"order": "reversed"}}),
            r"log:1: \[order\] unknown value; found 'reversed', expected one of written, swapped",
        ),
        (
            "inspect",
            json.dumps(INSPECT | {"samples": [INSPECT["samples"][0] | {"metadata": {"form": ["zero"]}}]}),
            r"\[form\] wrong kind; found \['zero'\], expected .* \(sample 1\)",
        ),
        (
            "inspect",
            json.dumps(INSPECT | {"samples": INSPECT["samples"][2:]}),
            r"\[samples\] no prediction; found 1 without",
        ),
        ("inspect", "PK\x03", r"\[json\] not a log as JSON .*; see inspect log dump"),
        ("inspect", "[]", r"\[json\] wrong kind"),
        ("inspect", json.dumps(INSPECT | {"eval": {}}), r"\[model\] missing field"),
        ("inspect", json.dumps(INSPECT | {"samples": [{"id": None}]}), r"\[id\] wrong kind; .* \(sample 1\)"),
        ("inspect", json.dumps(INSPECT | {"samples": [{"id": "a", "output": {"x": 1}}]}), r"\[completion\] missing"),
    ],
)
def test_other_files_are_refused(tool: LogName, text: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        convert_log(text, LOG, tool, model="m" if tool == "lm-eval" else "", mode="m" if tool == "lm-eval" else "")


def test_samples_of_lm_eval_need_names() -> None:
    with pytest.raises(PipelineError, match=r"\[model\] samples of lm-eval do not say it; expected --model NAME"):
        convert_log(lines(SAMPLE), LOG, "lm-eval", mode="zero-shot")
    with pytest.raises(PipelineError, match=r"log:1: \[mode\] the sample does not say it; .*expected --mode NAME"):
        convert_log(lines(SAMPLE), LOG, "lm-eval", model="m")


def test_scores_are_in_the_order_of_the_candidates_and_the_task_says_the_mode() -> None:
    asked = {f"gen_args_{number}": {"arg_0": "谁怕淋雨？", "arg_1": letter} for number, letter in enumerate("AB")}
    doc = SAMPLE["doc"] | {"order": "swapped", "mode": "multiple-choice"}
    (row,) = convert_log(lines(SAMPLE | {"doc": doc, "arguments": asked}), LOG, "lm-eval", model="m").predictions
    # Option B has -23.5: with the options swapped it is the first candidate.
    assert row == {
        "id": "s-0000-a",
        "model": "m",
        "mode": "multiple-choice",
        "answer": "B",
        "scores": [-23.5, -25.625],
        "order": "swapped",
        "prompt": "谁怕淋雨？",
    }


def test_the_command_writes_what_the_report_reads(tmp_path: Path) -> None:
    log, out = tmp_path / "log.json", tmp_path / "predictions.jsonl"
    log.write_text(json.dumps(INSPECT), encoding="utf-8")
    output = printed("evaluate", "import", log, "--format", "inspect", "--out", out)
    assert "3 samples in, 2 predictions out; 1 without an answer" in output
    runs = read_predictions([out], simulated_items(1))
    assert not runs[Run("openai/gpt-x", "wsc_za", "zero", "swapped")]["s-0000-a"].right
    assert runs[Run("openai/gpt-x", "wsc_za, epoch 2", "zero", "written")]["s-0000-b"].right
