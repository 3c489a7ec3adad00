"""Logs of evaluation tools: samples as lm-eval writes them, logs as Inspect writes them, and what is wrong with others."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.logs.conversion import ConvertedLog, LogName, convert_log

Converter = Callable[..., ConvertedLog]
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


@pytest.fixture
def converted_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Converter:
    """What converts a log, given as its text or bytes."""
    monkeypatch.chdir(tmp_path)

    def convert(content: str | bytes, tool: LogName, **options: str) -> ConvertedLog:
        Path("log").write_bytes(content.encode() if isinstance(content, str) else content)
        return convert_log(Path("log"), tool, **options)

    return convert


def test_the_most_probable_option_is_the_answer(converted_log: Converter) -> None:
    even = SAMPLE | {
        "filtered_resps": [["-inf", "False"], ["-inf", "False"]],
        "doc": {"id": "s-0000-b-0", "item": "s-0000-b"},
    }
    converted = converted_log(lines(SAMPLE, even), "lm-eval", model="m", mode="zero-shot")
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


def test_generated_text_is_kept_and_the_first_filter_counts(converted_log: Converter) -> None:
    asked = {"gen_args_0": {"arg_0": "谁怕淋雨？", "arg_1": {"until": ["\n"]}}}
    first = SAMPLE | {"filtered_resps": [" 答案：A"], "filter": "strict", "doc": SAMPLE["doc"] | {"form": "overt"}}
    first |= {"arguments": asked, "resps": [[" 答案：A"]], "filtered_resps": ["A"]}
    converted = converted_log(lines(first, first | {"filter": "flexible"}), "lm-eval", model="m", mode="x")
    assert converted.predictions == (
        {"id": "s-0000-a", "model": "m", "mode": "x", "answer": " 答案：A", "form": "overt", "prompt": "谁怕淋雨？"},
    )
    assert converted.skipped == 1


def test_inspects_epochs_are_modes_and_failed_samples_are_counted(converted_log: Converter) -> None:
    converted = converted_log(json.dumps(INSPECT), "inspect")
    assert converted.predictions == (
        {"id": "s-0000-a", "model": "openai/gpt-x", "mode": "wsc_za", "answer": "Answer: A", "order": "swapped"},
        {"id": "s-0000-b", "model": "openai/gpt-x", "mode": "wsc_za, epoch 2", "answer": "B"},
    )
    assert converted.skipped == 1
    assert converted_log(json.dumps(INSPECT), "inspect", model="a", mode="b").predictions[0]["model"] == "a"


@pytest.mark.parametrize(
    ("tool", "text", "message"),
    [
        ("lm-eval", lines({"doc": {"id": 1.5}}), r"log:1: \[id\] wrong kind; found 1.5, expected text"),
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
            json.dumps(INSPECT | {"samples": [INSPECT["samples"][0] | {"metadata": {"form": "shown"}}]}),
            r"\[form\] unknown value; found 'shown', expected .* \(sample 1\)",
        ),
        (
            "inspect",
            json.dumps(INSPECT | {"samples": INSPECT["samples"][2:]}),
            r"\[samples\] no prediction; found 1 ended by an error",
        ),
        ("inspect", "PK", r"\[json\] not a log as JSON .*; see inspect log dump"),
        ("inspect", "[]", r"\[json\] wrong kind"),
        ("inspect", json.dumps(INSPECT | {"eval": {}}), r"\[model\] missing field"),
        ("inspect", json.dumps(INSPECT | {"samples": [{"id": None}]}), r"\[id\] wrong kind; .* \(sample 1\)"),
        ("inspect", json.dumps(INSPECT | {"samples": [{"id": "a", "output": {"x": 1}}]}), r"\[completion\] missing"),
    ],
)
def test_other_files_are_refused(converted_log: Converter, tool: LogName, text: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        converted_log(text, tool, model="m" if tool == "lm-eval" else "", mode="m" if tool == "lm-eval" else "")


def test_samples_of_lm_eval_need_names(converted_log: Converter) -> None:
    with pytest.raises(PipelineError, match=r"\[model\] samples of lm-eval do not say it; expected --model NAME"):
        converted_log(lines(SAMPLE), "lm-eval", mode="zero-shot")
    with pytest.raises(PipelineError, match=r"log:1: \[mode\] the sample does not say it; .*expected --mode NAME"):
        converted_log(lines(SAMPLE), "lm-eval", model="m")


def test_scores_are_in_the_order_of_the_candidates_and_the_task_says_the_mode(converted_log: Converter) -> None:
    asked = {f"gen_args_{number}": {"arg_0": "谁怕淋雨？", "arg_1": letter} for number, letter in enumerate("AB")}
    doc = SAMPLE["doc"] | {"order": "swapped", "mode": "multiple-choice"}
    (row,) = converted_log(lines(SAMPLE | {"doc": doc, "arguments": asked}), "lm-eval", model="m").predictions
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


def archive(*members: tuple[str, object], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    sink = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(sink, "w", method) as file:
        warnings.simplefilter("ignore")  # a sample is written again: the name occurs twice
        for name, value in members:
            file.writestr(name, json.dumps(value))
    return sink.getvalue()


HEADER = {key: INSPECT[key] for key in ("version", "status", "eval")}
SAMPLES = [(f"samples/{number}.json", sample) for number, sample in enumerate(INSPECT["samples"])]


@pytest.mark.parametrize(
    "members",
    [
        [("_journal/start.json", HEADER), *SAMPLES, ("summaries.json", []), ("header.json", HEADER)],
        [("_journal/start.json", HEADER), *SAMPLES],  # cancelled
        [("header.json", HEADER), ("samples/0.json", {"id": "old", "output": {}}), *SAMPLES],  # written again
    ],
)
@pytest.mark.parametrize("packed", ["deflate", "zstandard"])
def test_an_archive_of_inspect_is_read_as_its_json(
    converted_log: Converter, members: list[tuple[str, object]], packed: str
) -> None:
    zipfile_zstd = pytest.importorskip("zipfile_zstd")
    method = zipfile.ZIP_DEFLATED if packed == "deflate" else zipfile_zstd.ZIP_ZSTANDARD
    assert converted_log(archive(*members, method=method), "inspect") == converted_log(json.dumps(INSPECT), "inspect")


def test_an_archive_without_a_log_or_with_damage_is_refused(converted_log: Converter) -> None:
    with pytest.raises(PipelineError, match=r"\[zip\] no log of Inspect; found \['a.json'\], expected header.json or"):
        converted_log(archive(("a.json", {})), "inspect")
    zipfile_zstd = pytest.importorskip("zipfile_zstd")
    data = bytearray(archive(("header.json", HEADER | {"x": "y" * 400}), method=zipfile_zstd.ZIP_ZSTANDARD))
    data[60] ^= 255
    with pytest.raises(PipelineError, match=r"\[zip\] not a readable archive"):
        converted_log(bytes(data), "inspect")


def test_a_real_archive_of_inspect_is_read(tmp_path: Path) -> None:
    inspect = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, Target, mean, scorer
    from inspect_ai.solver import TaskState

    @scorer(metrics=[mean()])
    def unscored() -> Any:
        async def score(state: TaskState, target: Target) -> Score:
            return Score(value=float("nan"))

        return score

    outputs = [ModelOutput.from_content("mock", text) for text in ("x" * 200 + "\n答案：A", "B")]
    for output in outputs:
        output.usage = ModelUsage()  # without it, the model counts tokens by a file that it fetches
    samples = MemoryDataset([Sample("谁？" * 100, id=f"s-0000-{version}") for version in "ab"])
    task = inspect.Task(samples, scorer=unscored(), name="zero")
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    inspect.eval(task, model, display="none", log_dir=str(tmp_path), max_samples=1)
    (log,) = tmp_path.glob("*.eval")
    converted = convert_log(log, "inspect")
    assert [(row["id"], row["answer"][-1]) for row in converted.predictions] == [("s-0000-a", "A"), ("s-0000-b", "B")]
