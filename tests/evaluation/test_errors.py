"""Errors and controls, by every rule; what is refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.evaluation.diagnosis.errors import cases, drawn_cases, is_error, read_cases
from pipeline.evaluation.predictions import Run, read_predictions, response
from tests.support.commands import printed
from tests.support.simulated_systems import simulated_items
from tests.support.system_answers import answers, write_release, write_rows

#: The key is A, B, A, B, A, B.
ITEMS = simulated_items(3)


@given(st.lists(st.booleans(), min_size=1))
def test_all_is_most_and_most_is_any(marks: list[bool]) -> None:
    every, most, some = (is_error(marks, rule) for rule in ("all", "most", "any"))
    assert every <= most <= some
    assert some == (False in marks)
    assert every == (True not in marks)


def test_errors_follow_the_rule_and_controls_are_right_in_every_run(tmp_path: Path) -> None:
    rows = [
        *answers("x", "zero-shot", "AAABAB"),
        *answers("x", "one-shot", "AABBAB"),
        *answers("x", "few-shot", "AABAA "),
    ]
    # Wrong: item 1 in three modes (A for B), item 2 in two of three (B), item 3 in one (A), item 5 in none of two.
    runs = read_predictions([write_rows(tmp_path / "p.jsonl", rows + answers("x", "clause-only", "BBBBBB"))], ITEMS)
    wrong = {"all": {1: 0}, "most": {1: 0, 2: 1}, "any": {1: 0, 2: 1, 3: 0}}
    for rule, expected in wrong.items():
        extracted = cases(ITEMS, runs, rule)  # type: ignore[arg-type]  # the keys are the rules
        assert {case.rule for case in extracted} == {rule}
        errors = [case for case in extracted if case.condition == "error"]
        controls = [case for case in extracted if case.condition == "control"]
        assert {int(case.id[5]) * 2 + "ab".index(case.id[-1]): case.previous for case in errors} == expected
        assert len(controls) == len(errors)
        assert {case.id for case in controls} <= {"s-0000-a", "s-0002-a", "s-0002-b"}
        assert all(case.wrong == 0 and case.previous == "ab".index(case.id[-1]) for case in controls)
    assert errors[0].answers == {f"{mode}-shot, as written": "A" for mode in ("zero", "one", "few")}


def test_an_error_without_a_choice_has_no_previous_answer(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "p.jsonl", answers("x", "zero-shot", "?BABAB"))
    (case, _) = cases(ITEMS, read_predictions([path], ITEMS), "all")
    assert (case.previous, case.answers) == (None, {"zero-shot, as written": "unclear"})


def test_the_command_writes_what_it_counts(tmp_path: Path) -> None:
    release = write_release(tmp_path / "zh", ITEMS)
    rows = [*answers("x", "zero-shot", "AAABA "), *answers("y", "zero-shot", "ABABAB", form="overt")]
    path = write_rows(tmp_path / "p.jsonl", rows)

    def run(*more: str, status: int) -> str:
        files = (f"--predictions={path}", f"--out={tmp_path / 'e.jsonl'}")
        return printed("evaluate", "errors", release, *files, *more, status=status)

    output = run("--rule=any", status=1)
    assert "rule any: wrong in at least one run\nx, zero: 1 of 5 items wrong (any of 1 run); 1 control\n" in output
    assert "y, overt: 0 of 6 items wrong (any of 1 run); 0 controls\n" in output
    assert "[predictions] 1 answer missing" in output
    written = (tmp_path / "e.jsonl").read_bytes()
    run("--rule=any", status=1)
    assert (tmp_path / "e.jsonl").read_bytes() == written
    read = read_cases(tmp_path / "e.jsonl", {entry.item.id: entry for entry in ITEMS})
    assert next((case.id, case.condition, case.rule) for case in read) == ("s-0000-b", "error", "any")
    assert json.loads(written.splitlines()[0])["meaning"] == "wrong in at least one run"
    assert "x, zero: 1 of 5 items wrong" in run("--rule=any", "--sample", status=1), "y answered the sixth"
    write_rows(path, answers("x", "zero-shot", "AAAB  "))
    of_sample = "x, zero: 1 of 4 items wrong (any of 1 run); 1 control\n"
    assert of_sample in run("--rule=any", status=1)
    assert of_sample in run("--rule=any", "--sample", status=0)
    with pytest.raises(PipelineError, match=r"\[mode\] no such mode; found 'cot', expected one of zero-shot"):
        run("--rule=any", "--mode=cot", status=2)


@given(st.lists(st.sampled_from("AB"), min_size=80, max_size=80), st.integers(1, 12), st.integers(0, 3))
def test_a_draw_of_cases_is_balanced_and_larger_ones_hold_it(letters: list[str], limit: int, seed: int) -> None:
    """Of errors and of controls, as many have A as B for their right answer, as long as both are there."""
    items = simulated_items(40)
    by_id = {entry.item.id: entry for entry in items}
    given = {entry.item.id: response(letter, entry, "written") for entry, letter in zip(items, letters, strict=True)}
    runs = {Run("x", "zero-shot", "zero", "written"): given}
    extracted = {case.id: case for case in cases(items, runs, "any")}
    drawn = drawn_cases(extracted, by_id, limit, seed)
    for condition in ("error", "control"):
        there = [by_id[name].item.answer for name, case in extracted.items() if case.condition == condition]
        keys = [by_id[name].item.answer for name in drawn if extracted[name].condition == condition]
        assert len(keys) == min(limit, len(there))
        if min(there.count(0), there.count(1)) >= (limit + 1) // 2:
            assert abs(keys.count(0) - keys.count(1)) == limit % 2
    assert set(drawn) <= set(drawn_cases(extracted, by_id, limit + 3, seed))


def test_a_draw_does_not_take_the_first_cases() -> None:
    items = simulated_items(40)
    by_id = {entry.item.id: entry for entry in items}
    runs = {Run("x", "zero-shot", "zero", "written"): {name: response("A", by_id[name], "written") for name in by_id}}
    extracted = {case.id: case for case in cases(items, runs, "any")}
    draws = {frozenset(drawn_cases(extracted, by_id, 4, seed)) for seed in range(5)}
    assert len(draws) == 5
