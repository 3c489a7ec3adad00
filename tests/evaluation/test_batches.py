"""Batches: prompts go out as requests and come back in any order as the same predictions; what else servers write in place of text."""

import json
import random
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.evaluation.logs.batches import BATCHES, BatchName, Settings, batch_requests
from pipeline.evaluation.logs.conversion import ConvertedLog, convert_log
from pipeline.evaluation.logs.custom_ids import custom_id, requested_item, winopron_id
from pipeline.evaluation.predictions import FORMS, ORDERS, read_predictions
from pipeline.evaluation.prompts import ALL_MODES, Shown
from pipeline.evaluation.questions import select_questions
from tests.support.commands import printed, winoforge
from tests.support.simulated_systems import simulated_items
from tests.support.small_release import small_release

ITEMS = simulated_items(3)
_WORDS = st.text(string.ascii_letters + string.digits, min_size=1)
_IDS = st.lists(st.tuples(_WORDS, st.text("-_.", min_size=1, max_size=3)), min_size=1, max_size=4).map(
    lambda parts: "".join(word + mark for word, mark in parts) + "x"
)


def openai(request: str, **message: Any) -> dict[str, Any]:
    body = {"model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": None} | message}]}
    return {"id": "r", "custom_id": request, "response": {"status_code": 200, "body": body}, "error": None}


def responses_api(request: str, *output: dict[str, Any]) -> dict[str, Any]:
    body = {"object": "response", "model": "m", "output": list(output)}
    return {"custom_id": request, "response": {"status_code": 200, "body": body}, "error": None}


def anthropic(request: str, *content: dict[str, Any], stop: str = "end_turn") -> dict[str, Any]:
    message = {"model": "m", "role": "assistant", "content": list(content), "stop_reason": stop}
    return {"custom_id": request, "result": {"type": "succeeded", "message": message}}


def gemini(request: str, *parts: dict[str, Any], reason: str = "STOP") -> dict[str, Any]:
    candidates = [{"content": {"parts": list(parts), "role": "model"}, "finishReason": reason, "index": 0}]
    return {"key": request, "response": {"candidates": candidates, "modelVersion": "m"}}


def answered(name: BatchName, request: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the result of a server that answers a request with a text."""
    if name == "openai-batch":
        return openai(request["custom_id"], content=text)
    if name == "anthropic-batch":
        return anthropic(request["custom_id"], {"type": "text", "text": text})
    return gemini(request["key"], {"text": text})


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def converted(folder: Path, name: BatchName, *rows: dict[str, Any], **options: str) -> ConvertedLog:
    return convert_log(written(folder / "batch.jsonl", *rows), name, **options)


@given(_IDS, st.sampled_from(ALL_MODES), st.sampled_from(FORMS), st.sampled_from(ORDERS))
def test_the_id_of_a_request_says_what_it_asks(item: str, mode: str, form: Any, order: Any) -> None:
    request = custom_id(item, Shown(mode, form, order))
    assert set(request) <= set(string.ascii_letters + string.digits + "_-")
    assert requested_item(request) == (item, mode, {"form": form, "order": order})
    assert requested_item(winopron_id(item, 9, 2)) == (item, "prompt-9-options-2", {"form": "overt"})


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("seed", range(3))
def test_prompts_come_back_as_predictions_in_any_order(name: BatchName, seed: int, tmp_path: Path) -> None:
    modes = ["zero-shot", "few-shot-zh", "clause-only"]
    asked = select_questions(ITEMS, modes, "both", ORDERS, items=None, seed=0).questions
    prompts = [(custom_id(question.entry.item.id, question.shown_as), question.prompt) for question in asked]
    requests = batch_requests(name, prompts, Settings("m", 128))
    assert all(question.prompt in json.dumps(row, ensure_ascii=False).replace("\\n", "\n")
               for question, row in zip(asked, requests, strict=True))  # fmt: skip
    rng = random.Random(seed)
    texts = [rng.choice(["A", "B", "答案：A", "老汤"]) for _ in asked]
    results = [answered(name, request, text) for request, text in zip(requests, texts, strict=True)]
    rng.shuffle(results)
    log = converted(tmp_path, name, *results)
    expected = [
        {"id": question.entry.item.id, "model": "m", **question.shown_as._asdict(), "answer": text}
        for question, text in zip(asked, texts, strict=True)
    ]
    assert {tuple(sorted(row.items())) for row in log.predictions} == {tuple(sorted(row.items())) for row in expected}
    assert len(read_predictions([written(tmp_path / "p.jsonl", *log.predictions)], ITEMS)) == 12


THOUGHT = "It may be B."


@pytest.mark.parametrize(
    ("name", "row", "answers", "remarks"),
    [
        ("openai-batch", openai("a", content="A", reasoning_content=THOUGHT), ["A"], {}),
        ("openai-batch", openai("a", content=[{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]},
                                              {"type": "text", "text": "A"}]), ["A"], {}),
        ("openai-batch", openai("a", refusal="I'm sorry."), ["I'm sorry."], {"refusal": 1}),
        ("openai-batch", openai("a", tool_calls=[{"type": "function", "function": {"name": "say", "arguments": '{"answer": "B"}'}}]),
         ['{"answer": "B"}'], {"call of a tool": 1}),
        ("openai-batch", {"custom_id": "a", "response": {"model": "m", "choices": [{"index": 1, "text": "B"}, {"index": 0, "text": "A"}]}},
         ["A", "B"], {}),
        ("openai-batch", responses_api("a", {"type": "reasoning", "content": [{"type": "reasoning_text", "text": THOUGHT}]},
                                       {"type": "message", "content": [{"type": "output_text", "text": "A"}]}), ["A"], {}),
        ("openai-batch", responses_api("a", {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}),
         ["No."], {"refusal": 1}),
        ("openai-batch", responses_api("a", {"type": "function_call", "name": "say", "arguments": "{}"}),
         ["{}"], {"call of a tool": 1}),
        ("anthropic-batch", anthropic("a", {"type": "thinking", "thinking": THOUGHT, "signature": "x"}, {"type": "text", "text": "A"}),
         ["A"], {}),
        ("anthropic-batch", anthropic("a", {"type": "tool_use", "name": "say", "input": {"answer": "B"}}, stop="tool_use"),
         ['{"answer": "B"}'], {"call of a tool": 1}),
        ("anthropic-batch", anthropic("a", stop="refusal"), [""], {"withheld": 1}),
        ("anthropic-batch", anthropic("a", {"type": "text", "text": "Let me"}, stop="max_tokens"),
         ["Let me"], {"cut off": 1}),
        ("gemini-batch", gemini("a", {"text": THOUGHT, "thought": True}, {"text": "A"}), ["A"], {}),
        ("gemini-batch", gemini("a", {"functionCall": {"name": "say", "args": {"answer": "B"}}}),
         ['{"answer": "B"}'], {"call of a tool": 1}),
        ("gemini-batch", {"key": "a", "response": {"candidates": [{"finish_reason": "FinishReason.SAFETY"}], "model_version": "m"}},
         [""], {"withheld": 1}),
        ("gemini-batch", {"key": "a", "response": {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m"}},
         [""], {"withheld (SAFETY)": 1}),
    ],
)  # fmt: skip
def test_an_answer_is_what_the_model_says(
    name: BatchName, row: dict[str, Any], answers: list[str], remarks: dict[str, int], tmp_path: Path
) -> None:
    log = converted(tmp_path, name, row)
    assert [prediction["answer"] for prediction in log.predictions] == answers
    assert [prediction["mode"] for prediction in log.predictions] == ["batch", "batch, choice 2"][: len(answers)]
    assert log.remarks == remarks


@pytest.mark.parametrize(
    ("name", "row", "reason"),
    [
        ("openai-batch", {"custom_id": "b", "response": None, "error": {"code": "batch_expired", "message": "late"}},
         "batch_expired"),
        ("openai-batch", {"custom_id": "b", "response": {"status_code": 400, "body": {"error": {"type": "invalid", "code": None}}}},
         "invalid"),
        ("openai-batch", {"custom_id": "b", "response": {"status_code": 500, "body": {}}, "error": None}, "HTTP status 500"),
        ("anthropic-batch", {"custom_id": "b", "result": {"type": "expired"}}, "expired"),
        ("anthropic-batch", {"custom_id": "b", "result": {"type": "errored", "error": {"error": {"type": "overloaded_error"}}}},
         "overloaded_error"),
        ("gemini-batch", {"key": "b", "error": {"code": 3, "status": "INVALID_ARGUMENT", "message": "long"}}, "INVALID_ARGUMENT"),
        ("gemini-batch", {"key": "b", "status": "Bad Request: no", "response": {}}, "Bad Request: no"),
    ],
)  # fmt: skip
def test_errors_are_counted_and_named(name: BatchName, row: dict[str, Any], reason: str, tmp_path: Path) -> None:
    good = {"openai-batch": openai("a", content="A"), "anthropic-batch": anthropic("a", {"type": "text", "text": "A"})}
    log = converted(tmp_path, name, row, good.get(name, gemini("a", {"text": "A"})))
    assert (log.samples, len(log.predictions), log.lacking) == (2, 1, {f"with an error ({reason})": ["b"]})
    with pytest.raises(PipelineError, match=r"no prediction; found 1 with an error"):
        converted(tmp_path, name, row)


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("openai-batch", {"id": "a", "response": {}}, r":1: \[custom_id\] missing field"),
        ("openai-batch", {"custom_id": "a", "response": {"x": 1}}, r":1: \[output\] missing field"),
        ("openai-batch", {"custom_id": "a", "response": {"choices": [{"text": "A"}]}}, r":1: \[model\] the result does not say"),
        ("anthropic-batch", openai("a", content="A"), r":1: \[format\] a result of another server; found openai-batch"),
        ("openai-batch", anthropic("a"), r":1: \[format\] a result of another server; found anthropic-batch"),
        ("gemini-batch", openai("a", content="A"), r":1: \[format\] a result of another server; found openai-batch"),
    ],
)  # fmt: skip
def test_another_file_is_refused(name: BatchName, row: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=message):
        converted(tmp_path, name, row)


def imported(folder: Path, name: BatchName, results: list[dict[str, Any]]) -> tuple[Path, str]:
    """Return the predictions that the command makes of the results of a batch, and what it says."""
    out, log = folder / "p.jsonl", written(folder / "results.jsonl", *results)
    return out, printed("evaluate", "import", log, "--format", name, "--out", out)


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_commands_take_prompts_out_and_answers_in(tmp_path: Path) -> None:
    release, out = small_release(tmp_path / "zh", 2), tmp_path / "requests.jsonl"
    arguments = ("evaluate", "prompts", release, "--mode", "zero-shot", "--order", "both", "--out", out)
    assert "4 of 4 items in, 8 prompts out" in printed(*arguments, "--as", "openai-batch", "--model", "gpt-x")
    requests = json_lines(out)
    assert requests[0]["body"].items() >= {"model": "gpt-x", "max_tokens": 128, "temperature": 0}.items()
    predictions, said = imported(
        tmp_path, "openai-batch", [openai(row["custom_id"], content="A") for row in requests[::-1]]
    )
    assert "8 samples in, 8 predictions out" in said
    report = printed("evaluate", "report", release, "--predictions", predictions, "--out", tmp_path / "report")
    assert "m has 50.0 % of 4 answers" in report
    printed(*arguments, "--as", "jsonl")
    assert list(json_lines(out)[0]) == ["id", "mode", "form", "order", "prompt"]
    refused = winoforge(*arguments, "--as", "anthropic-batch")
    assert refused.returncode == 2
    assert "[model] each request of anthropic-batch has it; expected --model NAME" in refused.stderr


def test_prompts_of_winopron_come_back_to_its_scores(tmp_path: Path) -> None:
    printed("instantiate", Path("raw/en/templates.yaml"), "--out", tmp_path / "en")
    sentences, out = tmp_path / "en" / "double.jsonl", tmp_path / "requests.jsonl"
    arguments = ("winopron", "prompts", sentences, "--as", "anthropic-batch", "--model", "m", "--sample", 1)
    assert "48 prompts out" in printed(*arguments, "--prompts", "0,9", "--out", out)
    candidates = {row["id"]: row["candidates"][row["answer"]] for row in json_lines(sentences)}
    requests = [row["custom_id"] for row in json_lines(out)]
    texts = [{"type": "text", "text": candidates[requested_item(request).item]} for request in requests]
    results = [anthropic(request, text) for request, text in zip(requests, texts, strict=True)]
    predictions, _ = imported(tmp_path, "anthropic-batch", results[::-1])
    scored = printed("winopron", "score", predictions, "--items", sentences)
    assert "6 prompts for a sentence" in scored
    assert "overall: precision 100.0 %, recall 100.0 %, f1 100.0 % of 48" in scored
