"""Corpora are counted alike by every engine, in any shards, after a kill."""

import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner

from pipeline.core.errors import PipelineError
from pipeline.corpus.counting.counts_file import read_counts
from pipeline.corpus.counting.local import CorpusCounts, Job, count_shards
from pipeline.corpus.counting.segmenters import BACKENDS
from pipeline.corpus.counting.spark import count_on_spark, missing
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.counting.windows import Counts
from pipeline.corpus.formats.damage import refuse
from pipeline.corpus.formats.registry import shards
from tests.conftest import ROOT, Refused
from tests.corpus.test_windows import naive
from tests.support.commands import app
from tests.support.dumps import page, write_multistream

PROSE = ROOT / "raw" / "prose" / "articles.txt"
TERMS = ("妹妹", "姐姐", "看不清", "光", "手", "头", "大哥", "房租", "没有这个词")


COMMAND = (sys.executable, "-c", "from pipeline.cli import main; main()", "corpus", "count")


def terms_file(folder: Path) -> Path:
    path = folder / "terms.txt"
    path.write_text("\n".join(TERMS) + "\n", encoding="utf-8")
    return path


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["corpus", "count", *map(str, arguments)])


def summed(path: Path, job: Job, size: int, workers: int = 1, state: Path | None = None) -> CorpusCounts:
    found = CorpusCounts()
    for _, one, _ in count_shards(shards(path, "text", size, refuse), job, workers=workers, state=state):
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
    found = summed(PROSE, Job(TermQuery(TERMS, 10), "reference"), 2**20)
    assert found.counts == expected
    assert (found.documents, found.skipped.count) == (90, 0)


@pytest.mark.parametrize("size", [1000, 7777, 2**20])
def test_shards_and_processes_make_no_difference(size: int, expected: Counts) -> None:
    assert summed(PROSE, Job(TermQuery(TERMS, 10), "reference"), size, workers=2).counts == expected


def test_the_fast_tools_agree_on_our_prose(expected: Counts) -> None:
    """They may differ in a word in a hundred; none of these terms is among them here."""
    assert summed(PROSE, Job(TermQuery(TERMS, 10), "fast"), 2**20).counts == expected


@pytest.mark.parametrize("backend", ["reference", "fast"])
def test_cutting_passages_alone_changes_only_the_number_of_all_windows(backend: str, expected: Counts) -> None:
    found = summed(PROSE, Job(TermQuery(TERMS, 10), backend, passages=True), 9000).counts
    assert (found.terms, found.pairs, found.estimated) == (expected.terms, expected.pairs, True)
    assert (
        abs(found.windows / expected.windows - 1) < 0.05
    )  # 6 of 90 documents are cut whole: two in each of three shards


@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.parametrize(("characters", "passages"), [(False, False), (True, False), (False, True)])
def test_spark_counts_the_same(characters: bool, passages: bool) -> None:
    job = Job(TermQuery(TERMS, 10, characters), "reference", passages=passages)
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


def test_a_file_given_twice_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(PROSE)
    arguments = ("--format", "text", "--terms", terms_file(tmp_path), "--window", 3, "--out", tmp_path / "out")
    for other in (PROSE, link):
        assert str(run(PROSE, other, *arguments).exception).startswith(f"{other}: [corpus] given twice")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("backend", list(BACKENDS))
def test_a_term_in_traditional_script_is_refused(backend: str, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("手\n蘋果\n", encoding="utf-8")
    arguments = ("--format", "text", "--terms", terms, "--window", 3, "--out", tmp_path / "out", "--backend", backend)
    assert str(run(PROSE, *arguments).exception) == (
        f"{terms}:2: [terms] not in simplified script; found '蘋果', expected '苹果'"
    )


def test_spark_keeps_nothing(tmp_path: Path) -> None:
    arguments = ("--format", "text", "--terms", terms_file(tmp_path), "--window", 3, "--out", tmp_path / "out")
    result = run(PROSE, *arguments, "--engine", "spark", "--resume", tmp_path / "state")
    assert isinstance(result.exception, PipelineError)
    assert str(result.exception).startswith("[resume] ")


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_spark_submit_runs_where_it_is_told_and_counts_the_same(tmp_path: Path) -> None:
    """Two files, so two shards, each with twelve lines that are no text."""
    lines = PROSE.read_text(encoding="utf-8").splitlines()
    names = ("one.txt", "other.txt")
    for name, part in zip(names, (lines[:45], lines[45:]), strict=True):
        (tmp_path / name).write_bytes("\n".join(part).encode() + b"\n\xff" * 12)
    terms_file(tmp_path)
    arguments = [*names, "--format", "text", "--terms", "terms.txt", "--window", "10", "--skip-damaged"]
    settings = {"eventLog.enabled": "true", "eventLog.compress": "false", "eventLog.dir": tmp_path.as_uri()}
    submit = [str(Path(sys.executable).with_name("spark-submit")), "--master", "local[1]"]
    submit += [word for name, value in settings.items() for word in ("--conf", f"spark.{name}={value}")]
    submit += [str(ROOT / "tools" / "spark_job.py"), "corpus", "count", *arguments]
    found = subprocess.run(
        [*submit, "--engine", "spark", "--out", "spark.jsonl"],
        cwd=tmp_path, env=os.environ | {"PYSPARK_PYTHON": sys.executable}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert "90 documents in 2 shards" in found.stdout
    assert "24 damaged and passed over" in found.stdout
    assert found.stdout.count("[encoding] ") == 10  # where spark-submit puts standard error too
    subprocess.run([*COMMAND, *arguments, "--out", "local.jsonl"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "spark.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()
    logs = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*local-*") if path.is_file())
    assert '"spark.master":"local[1]"' in logs


def test_a_killed_run_goes_on_with_the_same_counts(tmp_path: Path) -> None:
    corpus, state, out = tmp_path / "corpus.txt", tmp_path / "state", tmp_path / "counts.jsonl"
    corpus.write_text(PROSE.read_text(encoding="utf-8") * 120, encoding="utf-8")
    command = [
        *COMMAND, str(corpus), "--format", "text", "--terms", str(terms_file(tmp_path)),
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
    assert finished.stderr == ""  # how far it is is shown on terminals alone
    assert len(list(state.glob("*.json"))) >= done
    whole = summed(corpus, Job(TermQuery(TERMS, 10), "fast"), 2**30)
    assert read_counts(out) == Counts(whole.counts.windows, +whole.counts.terms, +whole.counts.pairs)
    # a second run counts nothing anew and gives the same bytes
    before = out.read_bytes()
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0
    assert out.read_bytes() == before


def test_a_killed_process_is_told_of(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(PROSE.read_text(encoding="utf-8") * 120, encoding="utf-8")
    command = [*COMMAND, str(corpus), "--format", "text", "--terms", str(terms_file(tmp_path)), "--window", "10"]
    command += ["--out", str(tmp_path / "counts.jsonl"), "--shard-size", "1", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        workers: list[psutil.Process] = []
        while len(workers) < 2 and process.poll() is None:
            time.sleep(0.05)
            children = psutil.Process(process.pid).children()
            workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        workers[0].kill()
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert told.startswith("[workers] a process was killed")
    assert len(told.splitlines()) == 1


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_a_changed_file_of_the_same_size_is_counted_anew(tmp_path: Path) -> None:
    path, state = tmp_path / "corpus.txt", tmp_path / "state"
    job = Job(TermQuery(("苹果", "香蕉"), 3), "reference")
    path.write_text("我吃苹果。\n", encoding="utf-8")
    assert summed(path, job, 2**20, state=state).counts.terms == {"苹果": 1}
    path.write_text("我吃香蕉。\n", encoding="utf-8")
    assert summed(path, job, 2**20, state=state).counts.terms == {"香蕉": 1}


@pytest.mark.parametrize("changed", ["rules/corpus/wikimedia.yaml", "pipeline/corpus/wikimedia.py"])
def test_other_rules_or_code_count_anew(changed: str, tmp_path: Path) -> None:
    for folder in ("pipeline", "rules"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    state = tmp_path / "state"
    command = [*COMMAND, str(PROSE), "--format", "text", "--terms", str(terms_file(tmp_path)), "--window", "10"]
    command += ["--out", str(tmp_path / "counts.jsonl"), "--resume", str(state), "--backend", "fast"]
    kept = []
    for _ in range(2):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)  # which finds what the first kept
        kept.append(len(list(state.iterdir())))
        with (tmp_path / changed).open("a", encoding="utf-8") as stream:
            stream.write("# changed\n")
    assert kept == [1, 2]


def kept_of(path: Path, job: Job, state: Path) -> list[bool]:
    """Return of each shard of 32 bytes, in order, whether its counts were kept."""
    found = count_shards(shards(path, "text", 32, refuse), job, workers=1, state=state)
    return [kept for _, kept in sorted((shard, kept) for shard, _, kept in found)]


def test_what_is_kept_serves_whether_or_not_damage_is_passed_over(tmp_path: Path, refused: Refused) -> None:
    path, state = tmp_path / "corpus.txt", tmp_path / "state"
    line = "妹妹有光姐姐有手。妹".encode()  # 10 characters of 3 bytes; a shard has 32
    path.write_bytes(line + b"\r\n" + b"\xff" * 31 + b"\n" + line + b"\r\n")
    stops = Job(TermQuery(TERMS, 3), "reference")
    goes_on = Job(stops.question, "reference", skip_damaged=True)
    refused(lambda: kept_of(path, stops, state), str(path), "encoding")
    assert kept_of(path, goes_on, state) == [True, False, False]
    assert kept_of(path, goes_on, state) == [True, True, True]
    refused(lambda: kept_of(path, stops, state), str(path), "encoding")  # though the damaged shard is kept


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"counts": [1]}', "\ufffd"])
def test_a_broken_state_file_is_made_anew(content: str, tmp_path: Path) -> None:
    path, state = tmp_path / "corpus.txt", tmp_path / "state"
    path.write_text("我吃苹果。\n", encoding="utf-8")
    job = Job(TermQuery(("苹果",), 3), "reference")
    whole = summed(path, job, 2**20, state=state)
    (file,) = state.iterdir()
    before = file.read_bytes()
    file.write_text(content, encoding="utf-8")
    assert summed(path, job, 2**20, state=state) == whole
    assert file.read_bytes() == before


def test_only_what_this_run_counts_makes_its_rate(tmp_path: Path) -> None:
    command = [*COMMAND, str(PROSE), "--format", "text", "--terms", str(terms_file(tmp_path)), "--window", "10"]
    command += ["--out", str(tmp_path / "counts.jsonl"), "--resume", str(tmp_path / "state"), "--backend", "fast"]
    shown = []
    for _ in range(2):
        ours, theirs = pty.openpty()
        # stdout is not the terminal, which holds little until it is read
        environment = os.environ | {"COLUMNS": "120", "TERM": "xterm"}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
        os.close(theirs)
        shown.append(os.read(ours, 1 << 16).decode())
        os.close(ours)
    assert "million characters a second" in shown[0]
    assert "million characters a second" not in shown[1]
    assert all("100 %" in text for text in shown)


# --- estimates --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [("奖杯", "苹果"), ("苹果",), ("手机",)])
def test_an_estimate_is_no_less_than_is_known(terms: tuple[str, ...], tmp_path: Path) -> None:
    """Of these three documents the first is the sample, which has no word; the other two have a window each at least."""
    path = tmp_path / "corpus.txt"
    path.write_text("——！？，\n奖杯放不进手提箱，因为它太大了。\n我吃苹果。\n", encoding="utf-8")
    found = summed(path, Job(TermQuery(terms, 3), "reference", passages=True), 2**20).counts
    assert found.windows >= 2
    assert found.estimated
    assert found.terms == {term: 1 for term in terms if term != "手机"}  # 奖杯 is in the first window, 我吃苹果 is one


def test_more_windows_with_a_term_than_windows_are_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "counts.jsonl"
    path.write_text('{"windows": 3}\n{"terms": ["大"], "count": 3}\n{"terms": ["小"], "count": 4}\n', encoding="utf-8")
    assert "found 4, expected 3" in refused(lambda: read_counts(path), f"{path}:3", "count")


# --- formats ----------------------------------------------------------------------------------------------------------


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
