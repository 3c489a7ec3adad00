"""The command: balanced samples, responses that the report reads, runs that were stopped, what it refuses."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.files import parse_jsonl, read_text
from pipeline.evaluation.items import ReleasedItem, released_items
from pipeline.evaluation.predictions import read_predictions
from pipeline.evaluation.prompts import variants
from pipeline.evaluation.questions import item_questions, sample_pairs
from tests.support.commands import Run, winoforge
from tests.support.items import marked
from tests.support.openai_server import OpenAIServer
from tests.support.simulated_systems import simulated_items
from tests.support.small_release import small_release

MODEL = "openai-api/local/small"


def entries_of(release: Path) -> list[ReleasedItem]:
    file = release / "data" / "zh.jsonl"
    return released_items(parse_jsonl(read_text(file), file), file)


def evaluate(release: Path, server: OpenAIServer, out: Path, *more: object) -> Run:
    return winoforge("evaluate", "run", release, "--model", MODEL, "--base-url", server.address, "--out", out, *more)


@settings(max_examples=30)
@given(st.integers(0, 45), st.integers(2, 100), st.integers(0, 5))
def test_a_sample_is_balanced_and_larger_ones_hold_it(schemas: int, count: int, seed: int) -> None:
    entries = simulated_items(schemas)
    drawn = sample_pairs(entries, count, seed)
    assert len(drawn) == min(count // 2, schemas) * 2
    assert [entry.item.id for entry in entries if entry in drawn] == [entry.item.id for entry in drawn]
    assert len({entry.item.answer for entry in drawn}) == (2 if drawn else 0)
    assert set(Counter(entry.item.schema for entry in drawn).values()) <= {2}
    of = variants(entries)
    halves = Counter(of[entry.cluster] for entry in drawn)
    if count // 2 <= schemas // 2:
        assert abs(halves[0] - halves[1]) <= 2
    larger = sample_pairs(entries, count + 4, seed)
    assert all(entry in larger for entry in drawn)


def test_the_halves_of_a_sample_are_those_of_its_release() -> None:
    """An item that cannot be drawn would move all that follow to the other half if those that can be drawn decided."""
    entries = simulated_items(9)
    of = variants(entries)
    able = [entry for entry in entries if entry.cluster != list(of)[1]]
    for seed in range(10):
        assert Counter(of[entry.cluster] for entry in sample_pairs(able, 8, seed, release=entries)) == {0: 4, 1: 4}


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(0, 3), st.sets(st.integers(0, 39), max_size=8))
def test_what_cannot_be_drawn_moves_nothing_else(schemas: int, seed: int, missing: set[int]) -> None:
    """`evaluate run` and `evaluate score` can draw different items of a release; the others are the same with the same seed."""
    entries = simulated_items(schemas)
    lacking = {name for place, name in enumerate(variants(entries)) if place in missing}
    able = [entry for entry in entries if entry.cluster not in lacking]
    drawn = {entry.cluster for entry in sample_pairs(able, 8, seed, release=entries)}
    assert {entry.cluster for entry in sample_pairs(entries, 8, seed)} - lacking <= drawn


def test_a_simulated_position_is_what_the_responses_say(release: Path, server: OpenAIServer, tmp_path: Path) -> None:
    """A model that always answers A is right in half of the items, whatever the order; all of this is in the files."""
    run = evaluate(
        release, server, tmp_path, "--order", "both", "--form", "both", "--items", 4, "--mode", "few-shot,one-shot-zh"
    )
    assert run.returncode == 0, run.stderr
    assert "zh: 4 of 40 items, a sample in 2 pairs with seed 0" in run.stdout
    assert run.stdout.count("2 of 4 right (50.0 %), 0 without a choice") == 8
    assert "32 questions in, 32 answers out" in run.stdout
    rows = [json.loads(line) for line in (tmp_path / "responses.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 32
    assert {row["model"] for row in rows} == {MODEL}
    for row in rows:
        assert row["prompt_tokens"] == len(row["prompt"])
        assert row["answer"] == "Answer: A"
        assert ("你是" in row["prompt"]) == row["mode"].endswith("-zh")
        assert ("Ø" in row["prompt"]) == (row["form"] == "zero")
    read = read_predictions([tmp_path / "responses.jsonl"], entries_of(release))
    choices = {
        (str(run), name): given.parsed.choice for run, answers in read.items() for name, given in answers.items()
    }
    assert {choice for (name, _), choice in choices.items() if name.endswith("as written")} == {0}
    assert {choice for (name, _), choice in choices.items() if name.endswith("swapped")} == {1}


def test_a_run_that_is_killed_asks_nothing_twice(release: Path, server: OpenAIServer, tmp_path: Path) -> None:
    """Inspect's cache is read again, but for a reply that was half written when the process ended."""
    server.limit = 11
    arguments = ["--model", MODEL, "--base-url", server.address, "--out", str(tmp_path), "--mode", "zero-shot"]
    program = [sys.executable, "-c", "from pipeline.cli import main; main()"]
    command = [*program, "evaluate", "run", str(release), *arguments]
    kept = tmp_path / "generate" / MODEL

    def replies() -> list[Path]:
        return [path for path in kept.glob("*") if path.stat().st_size] if kept.exists() else []

    with subprocess.Popen(command) as process:
        assert server.full.wait(60)
        while len(replies()) < 11:
            pass
        time.sleep(1)  # until none of them is half written
        os.kill(process.pid, signal.SIGKILL)
    assert not (tmp_path / "responses.jsonl").exists()
    torn = replies()[0]
    torn.write_bytes(torn.read_bytes()[:-9])
    server.resume()
    run = evaluate(release, server, tmp_path, "--mode", "zero-shot")
    assert "40 questions in, 40 answers out" in run.stdout
    assert len(server.answered) == 40
    assert server.answered.total() == 41
    first = (tmp_path / "responses.jsonl").read_bytes()
    evaluate(release, server, tmp_path, "--mode", "zero-shot")
    assert server.answered.total() == 41
    assert (tmp_path / "responses.jsonl").read_bytes() == first


def test_a_release_without_zeros_is_asked_overt(server: OpenAIServer, tmp_path: Path) -> None:
    overt = small_release(tmp_path / "zh", 2, zero=False)
    assert "one-shot, overt, as written: 2 of 4 right" in evaluate(overt, server, tmp_path, "--mode", "one-shot").stdout
    run = evaluate(overt, server, tmp_path, "--form", "both")
    assert (run.returncode, run.stderr) == (2, "[form] no zero forms in this release; found 'both', expected 'overt'\n")


def test_what_was_never_overt_is_asked_as_zero_only() -> None:
    item = marked("李婶给王婶送伞，因为【】怕淋雨。", "s-9999-a", candidates=("李婶", "王婶"))
    entries = [*simulated_items(2), ReleasedItem(item, "李婶给王婶送伞，因为Ø怕淋雨。", {})]
    questions = item_questions(entries, entries, ["zero-shot"], ["zero", "overt"], ["written"])
    assert Counter(asked.shown_as.form for asked in questions) == {"zero": 5, "overt": 4}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--mode", "five-shot"), r"\[mode\] unknown mode; found 'five-shot', expected one of zero-shot,"),
        (("--base-url", "localhost:80"), r"\[--base-url\] not a server's address"),
        (("--items", "1"), r"\[items\] wrong value"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    arguments: tuple[str, ...], message: str, release: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    run = evaluate(release, server, tmp_path, *arguments)
    assert run.returncode == 2
    assert re.search(message, run.stderr)
    assert not (tmp_path / "responses.jsonl").exists()
    assert server.requests == []
