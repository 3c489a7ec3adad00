"""The diagnostic prompt, the answers of traces, how often answers change; a few real traces."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.evaluation.diagnosis.table8 import error_types, printed_checks
from pipeline.evaluation.diagnosis.traces import change_figures, diagnostic_prompt, parse_diagnosis, read_traces
from tests.support.commands import printed
from tests.support.models import smollm
from tests.support.simulated_systems import simulated_items
from tests.support.studies import kites
from tests.support.system_answers import answers, write_release, write_rows
from tests.support.traces import trace_rows

ITEMS = simulated_items(4)
ASKED = replace(ITEMS[0], item=replace(ITEMS[0].item, question="谁怕淋雨？"))
NAMES = ("老汤", "小柳")


def test_the_prompt_is_the_printed_one_and_says_that_the_model_was_wrong() -> None:
    lines = diagnostic_prompt(ASKED, "zero").splitlines()
    assert lines[0] == "You are a reasoning expert in Chinese discourse analysis."
    assert lines[1].startswith("The model made an incorrect prediction before.")
    assert lines[2] == "Sentence: 老汤给小柳送伞，因为Ø怕淋雨。谁怕淋雨？"
    assert lines[4:6] == ["A. 老汤", "B. 小柳"]
    assert "the zero pronoun (Ø) refers to" in lines[6]
    assert lines[-1] == "3. Short explanation in English"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_overt_form_names_its_pronoun_and_no_place_is_left(lang: Any) -> None:
    overt, zero = (diagnostic_prompt(ASKED, form, lang) for form in ("overt", "zero"))  # type: ignore[arg-type]  # both forms
    assert "他怕淋雨" in overt
    assert ("the pronoun (他)" if lang == "en" else "代词（他）") in overt
    assert "Ø" not in overt
    assert not any(mark in text for text in (overt, zero) for mark in "{}")


def test_an_item_that_the_template_does_not_fit_is_refused() -> None:
    three = replace(ITEMS[0], item=replace(ITEMS[0].item, candidates=(*NAMES, "老师")))
    with pytest.raises(ValueError, match=r"\[candidates\] .* found 3 of s-0000-a"):
        diagnostic_prompt(three, "zero")
    with pytest.raises(ValueError, match=r"\[form\] no zero form of s-0000-a"):
        diagnostic_prompt(replace(ITEMS[0], text_zero=""), "zero")


@pytest.mark.parametrize(
    ("trace", "outcome", "choice"),
    [
        ("1. 老汤 gives, A or B?\n2. Correct answer (A/B): B\n3. Not A, but B.", "letter", 1),
        ("1. Reasoning: A.\n2. B\n3. A is wrong.", "letter", 1),
        ("**1. Step-by-step reasoning**\nA, B.\n**2. Correct answer (A/B):** A\n**3.** B was wrong.", "letter", 0),
        ("1. Steps:\n1. A gives.\n2. B gets.\n3. So B.\n2. Correct answer: A\n3. x", "letter", 0),
        ("1、逐步推理：老汤给小柳。\n2、正确答案（A/B）：Ｂ\n3、x", "letter", 1),
        ("（1）推理\n（2）正确答案：小柳\n（3）x", "name", 1),
        ("1. x\n2. Correct answer (A/B)\nB. 小柳\n3. x", "letter", 1),
        ("Step by step, A and B. The correct answer is: B", "letter", 1),
        ("<think>2. Correct answer: A</think>1. x\n2. Correct answer: B", "letter", 1),
        ("1. x\n2. Correct answer (A/B)\n3. x", "unclear", None),
        ("1. x\n2. Both A and B\n3. x", "both", None),
        ("1. x\n2. B. 老汤\n3. x", "contradiction", None),
        ("A gives an umbrella to B, so that", "unclear", None),
        (" ", "empty", None),
    ],
)
def test_the_answer_of_a_trace_is_its_second_section(trace: str, outcome: str, choice: int | None) -> None:
    parsed = parse_diagnosis(trace, NAMES)
    assert (parsed.outcome, parsed.choice) == (outcome, choice)


@given(st.text(alphabet=st.sampled_from("123.、（）()AB \n答案answer:*"), max_size=60))
def test_no_trace_breaks_the_parser(trace: str) -> None:
    parsed = parse_diagnosis(trace, NAMES)
    assert (parsed.choice is None) == (parsed.outcome not in ("letter", "name"))


def test_changes_are_counted_by_condition(tmp_path: Path) -> None:
    rows = [row for row in trace_rows(map(kites, range(8))) if row["model"] == "x"]
    errors, controls = ([row for row in rows if row["condition"] == name] for name in ("error", "control"))
    errors[0] |= {"choice": errors[0]["previous"]}  # one of four errors stays wrong
    controls[0] |= {"choice": 1 - controls[0]["previous"]}  # one of three controls with a choice turns away
    controls[1] |= {"choice": None, "outcome": "both"}
    figures = change_figures(read_traces(write_rows(tmp_path / "t.jsonl", rows)))
    counts = ("traces", "changed", "kept", "without", "right")
    assert {row["condition"]: tuple(row[name] for name in counts) for row in figures} == {
        "error": (4, 3, 1, 0, 3),
        "control": (4, 1, 2, 1, 2),
    }
    assert [row["share"] for row in figures] == [3 / 4, pytest.approx(1 / 3)]


def test_the_printed_table_does_not_contradict_itself_but_does_not_count_traces() -> None:
    # 16 + 14 + 13 + 6 + 5 + 3 + 2 = 59 types of 19 sentences; three systems explained each sentence, so there are 57 traces.
    checks = printed_checks(error_types())
    assert (checks["wrong_percentages"], checks["sum"], checks["traces"]) == ([], 59, 57)
    changed = [replace(entry, percent=50.0) if entry.code == "syntactic" else entry for entry in error_types()]
    assert printed_checks(changed)["wrong_percentages"] == ["syntactic"]


def diagnose(folder: Path, *more: object) -> str:
    files = (f"--errors={folder / 'e.jsonl'}", f"--out={folder / 't.jsonl'}")
    return printed("evaluate", "diagnose", folder / "zh", *files, *more)


def extracted(folder: Path, *rows: list[dict[str, str]]) -> None:
    """Write a release, and the errors and controls of some answers to it."""
    release = write_release(folder / "zh", ITEMS)
    path = write_rows(folder / "p.jsonl", [row for part in rows for row in part])
    printed("evaluate", "errors", release, f"--predictions={path}", "--rule=any", f"--out={folder / 'e.jsonl'}")


def test_replies_from_a_file_become_traces(tmp_path: Path) -> None:
    """A system that always gives in changes every answer: right ones as often as wrong ones."""
    extracted(tmp_path, answers("x", "zero-shot", "BBBBABAB"), answers("y", "zero-shot", "ABABABAB"))
    cases = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    assert [case["previous"] for case in cases if case["condition"] == "error"] == [1, 1]
    replies = [
        {"id": f"{case['id']}/1", "text": f"1. So.\n2. Correct answer (A/B): {'BA'[case['previous']]}\n3. Sorry."}
        for case in cases
    ]
    path = write_rows(tmp_path / "r.jsonl", replies)
    output = diagnose(tmp_path, f"--replies={path}")
    assert "x, zero, 2 errors: 2 of 2 answers changed, 100.0 %" in output
    assert "x, zero, 2 controls: 2 of 2 answers changed, 100.0 %" in output
    assert "right now 0" in output.splitlines()[1]
    written = (tmp_path / "t.jsonl").read_bytes()
    diagnose(tmp_path, f"--replies={path}", "--system=x")
    assert (tmp_path / "t.jsonl").read_bytes() == written
    assert [trace.id for trace in read_traces(tmp_path / "t.jsonl")] == [f"{case['id']}/1" for case in cases]
    for more, message in (
        ([], r"\[model\] expected --model with --cache, or --replies"),
        (["--model=none/none"], r"\[model\] expected"),
        ([f"--replies={path}", "--system=z"], r"\[system\] found 'z', expected one of x"),
        ([f"--replies={write_rows(tmp_path / 's.jsonl', replies[1:])}"], r"s.jsonl: \[id\] no reply to 's-0000-a/1'"),
        ([f"--replies={write_rows(tmp_path / 'd.jsonl', [*replies, replies[0]])}"], r"d.jsonl:5: \[id\] not unique"),
    ):
        with pytest.raises(PipelineError, match=message):
            diagnose(tmp_path, *more)


def test_a_real_model_explains_itself_and_is_asked_once(tmp_path: Path) -> None:
    extracted(tmp_path, answers("smollm", "zero-shot", "AAABABAB"))
    more = [f"--model=gguf:{smollm()}", f"--cache={tmp_path / 'cache'}", "--max-tokens=8", "--limit=1"]
    output = diagnose(tmp_path, *more)
    traces = read_traces(tmp_path / "t.jsonl")
    assert [trace.condition for trace in traces] == ["error", "control"]
    assert all(trace.trace.strip() and trace.prompt.startswith("You are a reasoning expert") for trace in traces)
    assert f"{tmp_path / 't.jsonl'}: 2 traces" in output
    kept = {path.name for path in (tmp_path / "cache" / "generate").rglob("*")}
    written = (tmp_path / "t.jsonl").read_bytes()
    diagnose(tmp_path, *more)
    assert (tmp_path / "t.jsonl").read_bytes() == written
    assert kept == {path.name for path in (tmp_path / "cache" / "generate").rglob("*")}
