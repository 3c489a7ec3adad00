"""Corpora are counted alike by every engine, in any shards, after a kill."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.corpus.damage import refuse
from pipeline.corpus.local import Counted, Job, count_shards
from pipeline.corpus.question import Question
from pipeline.corpus.results import read_counts
from pipeline.corpus.shards import shards
from pipeline.corpus.spark import count_on_spark, missing
from pipeline.corpus.text import BACKENDS
from pipeline.corpus.windows import Counts

from .commands import app
from .conftest import ROOT
from .dumps import page, write_multistream
from .test_windows import naive

PROSE = ROOT / "raw" / "prose" / "articles.txt"
TERMS = ("妹妹", "姐姐", "看不清", "光", "手", "头", "大哥", "房租", "没有这个词")


def terms_file(folder: Path) -> Path:
    path = folder / "terms.txt"
    path.write_text("\n".join(TERMS) + "\n", encoding="utf-8")
    return path


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["corpus", "count", *map(str, arguments)])


def summed(path: Path, job: Job, size: int, workers: int = 1, state: Path | None = None) -> Counted:
    found = Counted()
    for _, one in count_shards(shards(path, "text", size, refuse), job, workers=workers, state=state):
        found.add(one)
    return found


@pytest.fixture(scope="module")
def expected() -> Counts:
    """The counts of our prose by writing every window out, in the words of the reference tools."""
    tools = BACKENDS["reference"]()
    documents = []
    for line in PROSE.read_text(encoding="utf-8").splitlines():
        tokens = tools.cut(tools.convert(line))
        documents.append([token for token in tokens if any(character.isalnum() for character in token)])
    return naive(documents, list(TERMS), 10)


def test_our_prose_is_counted_as_the_naive_way(expected: Counts) -> None:
    found = summed(PROSE, Job(Question(TERMS, 10), "reference"), 2**20)
    assert found.counts == expected
    assert (found.documents, found.skipped.count) == (90, 0)


@pytest.mark.parametrize("size", [1000, 7777, 2**20])
def test_shards_and_processes_make_no_difference(size: int, expected: Counts) -> None:
    assert summed(PROSE, Job(Question(TERMS, 10), "reference"), size, workers=2).counts == expected


def test_the_fast_tools_agree_on_our_prose(expected: Counts) -> None:
    """They may differ in a word in a hundred; none of these terms is among them here."""
    assert summed(PROSE, Job(Question(TERMS, 10), "fast"), 2**20).counts == expected


@pytest.mark.parametrize("backend", ["reference", "fast"])
def test_cutting_passages_alone_changes_only_the_number_of_all_windows(backend: str, expected: Counts) -> None:
    found = summed(PROSE, Job(Question(TERMS, 10), backend, passages=True), 9000).counts
    assert (found.terms, found.pairs, found.estimated) == (expected.terms, expected.pairs, True)
    assert (
        abs(found.windows / expected.windows - 1) < 0.05
    )  # 6 of 90 documents are cut whole: two in each of three shards


@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.parametrize(("characters", "passages"), [(False, False), (True, False), (False, True)])
def test_spark_counts_the_same(characters: bool, passages: bool) -> None:
    job = Job(Question(TERMS, 10, characters), "reference", passages=passages)
    found = count_on_spark(shards(PROSE, "text", 9000, refuse), job, master="local[2]")
    here = summed(PROSE, job, 9000)
    assert found == here
    assert here.counts.terms["妹妹"] > 10


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_writes_the_contract(tmp_path: Path, expected: Counts) -> None:
    out = tmp_path / "counts.jsonl"
    result = run(PROSE, "--format", "text", "--terms", terms_file(tmp_path), "--window", 10, "--out", out)
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"windows": expected.windows}
    assert {"terms": ["妹妹"], "count": expected.terms["妹妹"]} in lines
    assert read_counts(out).pairs == +expected.pairs
    assert "90 documents in 1 shards" in result.output
    assert "8 of 9 terms occur" in result.output


def test_an_estimate_is_called_one(tmp_path: Path) -> None:
    out = tmp_path / "counts.jsonl"
    arguments = (PROSE, "--format", "text", "--terms", terms_file(tmp_path), "--window", 10, "--out", out)
    result = run(*arguments, "--passages", "--resume", tmp_path / "state")
    assert result.exit_code == 0, result.output
    assert "20446 characters, about 1" in result.output
    first = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert first == {"windows": read_counts(out).windows, "estimated": True}
    before = out.read_bytes()
    assert run(*arguments, "--passages", "--resume", tmp_path / "state").exit_code == 0  # from what was kept
    assert out.read_bytes() == before
    assert str(run(*arguments, "--passages", "--characters").exception).startswith("[passages] ")


def test_damage_stops_or_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes("妹妹有光。\n".encode() + b"\xff\xfe\n" + "姐姐有手。\n".encode())
    arguments = (
        path,
        "--format",
        "text",
        "--terms",
        terms_file(tmp_path),
        "--window",
        3,
        "--out",
        tmp_path / "out.jsonl",
    )
    assert "byte 16" in str(run(*arguments).exception)
    assert not (tmp_path / "out.jsonl").exists()
    result = run(*arguments, "--skip-damaged")
    assert result.exit_code == 0
    assert "2 documents in 1 shards" in result.output
    assert "1 damaged and passed over" in result.output
    assert read_counts(tmp_path / "out.jsonl").windows == 2


@pytest.mark.parametrize(
    ("option", "value"), [("--format", "docx"), ("--engine", "abacus"), ("--backend", "guess"), ("--terms", "none.txt")]
)
def test_wrong_usage_is_told(option: str, value: str, tmp_path: Path) -> None:
    options = {"--format": "text", "--terms": str(terms_file(tmp_path)), "--window": "3", "--out": str(tmp_path / "o")}
    options[option] = value
    result = run(PROSE, *(word for pair in options.items() for word in pair))
    assert str(result.exception).startswith(("[", "none.txt: [file]"))


def test_a_killed_run_goes_on_with_the_same_counts(tmp_path: Path) -> None:
    corpus, state, out = tmp_path / "corpus.txt", tmp_path / "state", tmp_path / "counts.jsonl"
    corpus.write_text(PROSE.read_text(encoding="utf-8") * 120, encoding="utf-8")
    code = "from pipeline.cli import main; import sys; sys.argv[0] = 'winoforge'; main()"
    command = [
        sys.executable, "-c", code, "corpus", "count", str(corpus), "--format", "text", "--terms", str(terms_file(tmp_path)),
        "--window", "10", "--out", str(out), "--resume", str(state), "--shard-size", "1", "--backend", "fast",
    ]  # fmt: skip
    moments = random.Random(5)
    for _ in range(3):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(1.0, 4.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    done = len(list(state.glob("*.json"))) if state.exists() else 0
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert len(list(state.glob("*.json"))) >= done
    whole = summed(corpus, Job(Question(TERMS, 10), "fast"), 2**30)
    assert read_counts(out) == Counts(whole.counts.windows, +whole.counts.terms, +whole.counts.pairs)
    # a second run counts nothing anew and gives the same bytes
    before = out.read_bytes()
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0
    assert out.read_bytes() == before


@pytest.mark.parametrize("engine", ["local", "spark"])
def test_a_dump_is_counted_by_its_articles(engine: str, tmp_path: Path) -> None:
    """Articles alone: no redirect, no talk page, no page that only tells titles apart, and no markup."""
    if engine == "spark" and missing():
        pytest.skip(missing())
    pages = [
        page("光", "'''看不清'''的[[妹妹]]。{{参考|头}}"),
        page("讨论", "妹妹没有光。", namespace=1),
        page("妹妹 (消歧义)", "妹妹可以指：光。{{disambig}}"),
        page("头", "姐姐的头。", redirect="姐姐"),
        page("姐姐", "姐姐看不清。"),
    ]
    path, _, _ = write_multistream(tmp_path, pages)
    out = tmp_path / "counts.jsonl"
    result = run(
        path,
        "--format",
        "wikimedia-xml",
        "--terms",
        terms_file(tmp_path),
        "--window",
        10,
        "--out",
        out,
        "--engine",
        engine,
    )
    assert result.exit_code == 0, result.output + str(result.exception)
    # 看不清 的 妹妹, and 姐姐 看不清: each is shorter than the window
    assert read_counts(out).windows == 2
    assert dict(read_counts(out).terms) == {"看不清": 2, "妹妹": 1, "姐姐": 1}
    assert dict(read_counts(out).pairs) == {("妹妹", "看不清"): 1, ("姐姐", "看不清"): 1}
