"""Corpora are counted alike by every back end, in any shards, after a kill."""

import bz2
import gzip
import json
import lzma
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from pipeline.corpus.counting.counts import Counts, read_counts
from pipeline.corpus.counting.local import CorpusCounts, Job, count_shards
from pipeline.corpus.counting.script import simplify
from pipeline.corpus.counting.segmenters import BACKENDS
from pipeline.corpus.counting.terms import TermQuery, read_terms
from pipeline.corpus.formats.registry import shards
from tests.conftest import ROOT, Refused
from tests.support.commands import app
from tests.support.corpus import (
    ARTICLE_PAGES,
    PROSE,
    TERMS,
    check_articles,
    count_command,
    count_windows_plainly,
    terms_file,
)
from tests.support.dumps import write_multistream

COMMAND = (sys.executable, "-c", "from pipeline.cli import main; main()", "corpus", "count")


def count_text(folder: Path, corpus: object, *options: object, window: int = 3) -> Any:
    """Run `corpus count` on a text, with our terms, into out.jsonl of a folder."""
    outputs = ("--terms", terms_file(folder), "--window", window, "--out", folder / "out.jsonl")
    return count_command(corpus, "--format", "text", *outputs, *options)


def count(path: Path, job: Job, size: int, workers: int = 1, state: Path | None = None) -> CorpusCounts:
    total = CorpusCounts()
    for _, counts, _ in count_shards(shards(path, "text", size), job, workers=workers, state=state):
        total.add(counts)
    return total


def repeated_prose(folder: Path, times: int) -> Path:
    """Write our prose several times; once is about 60,000 bytes, a shard at least a MiB."""
    path = folder / "corpus.txt"
    path.write_text(PROSE.read_text(encoding="utf-8") * times, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def expected() -> Counts:
    """The counts of our prose by writing every window out, in the words of the reference tools."""
    tools = BACKENDS["reference"]()
    documents = []
    for line in PROSE.read_text(encoding="utf-8").splitlines():
        tokens = tools.cut(simplify(line))
        documents.append([token for token in tokens if any(character.isalnum() for character in token)])
    return count_windows_plainly(documents, list(TERMS), 10)


@pytest.mark.parametrize(("size", "workers"), [(1000, 1), (7777, 2), (2**20, 2)])
def test_shards_and_processes_make_no_difference(size: int, workers: int, expected: Counts) -> None:
    assert count(PROSE, Job(TermQuery(TERMS, 10), "reference"), size, workers).counts == expected


def test_the_fast_tools_agree_on_our_prose(expected: Counts) -> None:
    """They may differ in a word in a hundred; none of these terms is among them here."""
    assert count(PROSE, Job(TermQuery(TERMS, 10), "fast"), 2**20).counts == expected


@pytest.mark.parametrize("backend", ["reference", "fast"])
def test_cutting_passages_alone_changes_only_the_number_of_all_windows(backend: str, expected: Counts) -> None:
    counts = count(PROSE, Job(TermQuery(TERMS, 10), backend, passages=True), 9000).counts
    assert (counts.terms, counts.pairs, counts.estimated) == (expected.terms, expected.pairs, True)
    # 6 of 90 documents are cut whole: two in each of three shards
    assert abs(counts.windows / expected.windows - 1) < 0.05


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_writes_the_contract(tmp_path: Path, expected: Counts) -> None:
    out = tmp_path / "out.jsonl"
    result = count_text(tmp_path, PROSE, window=10)
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"windows": expected.windows}
    assert {"terms": ["妹妹"], "count": expected.terms["妹妹"]} in lines
    assert read_counts(out).pairs == +expected.pairs
    assert "90 documents in 1 shard" in result.output
    assert "8 of 9 terms occur" in result.output


def test_an_estimate_is_called_one(tmp_path: Path) -> None:
    out, options = tmp_path / "out.jsonl", ("--passages", "--resume", tmp_path / "state")
    result = count_text(tmp_path, PROSE, *options, window=10)
    assert result.exit_code == 0, result.output
    assert "20446 characters, about 1" in result.output
    first = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert first == {"windows": read_counts(out).windows, "estimated": True}
    before = out.read_bytes()
    assert count_text(tmp_path, PROSE, *options, window=10).exit_code == 0  # from the state
    assert out.read_bytes() == before
    assert str(count_text(tmp_path, PROSE, "--passages", "--characters").exception).startswith("[passages] ")


def test_damage_stops_or_is_counted(tmp_path: Path) -> None:
    path, out = tmp_path / "corpus.txt", tmp_path / "out.jsonl"
    path.write_bytes("妹妹有光。\n".encode() + b"\xff\xfe\n" + "姐姐有手。\n".encode())
    assert "byte 16" in str(count_text(tmp_path, path).exception)
    assert not out.exists()
    result = count_text(tmp_path, path, "--skip-damaged")
    assert result.exit_code == 0
    assert "2 documents in 1 shard" in result.output
    assert "1 damaged and skipped" in result.output
    assert read_counts(out).windows == 2


@pytest.mark.parametrize("option", [(), ("--skip-damaged",)])
@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (lzma.compress(b"text"), "", "not text: this is an xz archive; unpack it"),
        (gzip.compress(bz2.compress(b"text"), mtime=0), "", "not text: this is a bzip2 archive; unpack it"),
        (
            b'{"text": "a"}\n{"text": "b"}\n',
            ":1",
            "not plain text; found a JSON object, expected --format jsonl, or text",
        ),
        (
            '\ufeff{"id": 1, "text": "a"}'.encode(),
            ":1",
            "not plain text; found a JSON object, expected --format jsonl, or text",
        ),
    ],
)
def test_a_corpus_of_another_format_is_named(
    content: bytes, line: str, reason: str, option: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(content)
    assert f"{path}{line}: [format] {reason}" in str(count_text(tmp_path, path, *option).exception)
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("text", ["{}\n", "{妹妹}有光。\n", "PK!\n", '妹妹\n{"text": "a"}\n'])
def test_a_text_may_look_like_another_format(text: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(text, encoding="utf-8")
    assert count(path, Job(TermQuery(TERMS, 3), "reference"), 2**20).documents == text.count("\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "corpus.txt: [corpus] no document; "),
        ("我吃苹果。\n", "terms.txt: [terms] none of 9 terms occurs in the corpus\n"),
    ],
)
def test_a_corpus_without_a_document_or_a_term_is_a_finding(text: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(text, encoding="utf-8")
    result = count_text(tmp_path, path)
    assert result.exit_code == 1
    assert line in result.stderr


def test_terms_of_several_words_are_named_if_they_were_never_counted(tmp_path: Path) -> None:
    result = count_text(tmp_path, PROSE)
    assert result.exit_code == 0
    assert "1 term never counted: the segmenter makes several words of them" in result.stderr
    assert result.stderr.endswith(": 没有这个词\n")


@pytest.mark.parametrize("term", ["妹妹,姐姐", "箱子，奖杯", "箱子、奖杯", "妹妹。", "，", "——", "..."])
def test_a_term_is_a_word_without_marks(term: str, tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "terms.txt"
    path.write_text(f"妹妹\n{term}\n", encoding="utf-8")
    assert "not a word; found " in refused(lambda: read_terms(path), f"{path}:2", "terms")


def test_a_term_may_have_marks_inside_that_words_have(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("C++\n3.5\nAT&T\n阿·Q\nO'Brien\nWi-Fi\n", encoding="utf-8")
    assert len(read_terms(path)) == 6


def test_a_master_is_for_spark(tmp_path: Path) -> None:
    result = count_text(tmp_path, PROSE, "--master", "local[1]")
    assert str(result.exception) == "[master] only for Spark; found --engine local, expected --engine spark"


def test_the_terms_of_items_are_no_list_of_words(tmp_path: Path) -> None:
    analysis = tmp_path / "analysis.jsonl"
    analysis.write_text('{"id": "t-1-a", "candidates": ["大", "小"], "reference": "人"}\n', encoding="utf-8")
    result = count_text(tmp_path, PROSE, "--terms", analysis)
    assert "[terms] the terms of items, as pmi takes them; found" in str(result.exception)


def test_a_file_given_twice_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(PROSE)
    for other in (PROSE, link):
        assert str(count_text(tmp_path, PROSE, other).exception).startswith(f"{other}: [corpus] given twice")
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("backend", list(BACKENDS))
def test_a_term_in_traditional_script_is_refused(backend: str, tmp_path: Path) -> None:
    terms = tmp_path / "other.txt"
    terms.write_text("手\n蘋果\n", encoding="utf-8")
    result = count_text(tmp_path, PROSE, "--terms", terms, "--backend", backend)
    assert str(result.exception) == f"{terms}:2: [terms] not in simplified script; found '蘋果', expected '苹果'"


def test_a_killed_run_continues_with_the_same_counts(tmp_path: Path) -> None:
    corpus, state, out = repeated_prose(tmp_path, 120), tmp_path / "state", tmp_path / "counts.jsonl"
    arguments = [
        str(corpus), "--format", "text", "--terms", str(terms_file(tmp_path)), "--window", "10", "--out", str(out),
        "--resume", str(state), "--shard-size", "1", "--backend", "fast",
    ]  # fmt: skip

    def finished() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in state.glob("*.json")}

    number = -(-corpus.stat().st_size // 2**20)  # enough shards to leave some after two kills
    assert number > 6
    kept: dict[Path, int] = {}
    for _ in range(2):  # each is killed once it has counted another shard
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([*COMMAND, *arguments], start_new_session=True, **silent) as process:
            while len(finished()) <= len(kept) and process.poll() is None:
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
        kept = finished()
    assert not out.exists()
    result = count_command(*arguments, "--workers", 1)
    assert result.exit_code == 0, result.output
    assert result.stderr.count("\n") == 1  # the note on 没有这个词: progress is for terminals
    assert len(finished()) == number
    assert kept.items() <= finished().items()
    whole = count(corpus, Job(TermQuery(TERMS, 10), "fast"), 2**30)
    assert read_counts(out) == Counts(whole.counts.windows, +whole.counts.terms, +whole.counts.pairs)
    # another run counts nothing again and writes the same bytes
    before, files = out.read_bytes(), finished()
    assert count_command(*arguments).exit_code == 0
    assert (out.read_bytes(), finished()) == (before, files)


def test_a_killed_process_is_reported(tmp_path: Path) -> None:
    corpus = repeated_prose(tmp_path, 40)
    command = [*COMMAND, str(corpus), "--format", "text", "--terms", str(terms_file(tmp_path)), "--window", "10"]
    command += ["--out", str(tmp_path / "counts.jsonl"), "--shard-size", "1", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        workers: list[psutil.Process] = []
        while len(workers) < 2 and process.poll() is None:
            time.sleep(0.05)
            children = psutil.Process(process.pid).children()
            workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        workers[0].kill()
        message = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert message.startswith("[workers] a process was killed")
    assert len(message.splitlines()) == 1


# --- the state of a run -----------------------------------------------------------------------------------------------


def test_a_changed_file_of_the_same_size_is_counted_again(tmp_path: Path) -> None:
    path, state = tmp_path / "corpus.txt", tmp_path / "state"
    job = Job(TermQuery(("苹果", "香蕉"), 3), "reference")
    path.write_text("我吃苹果。\n", encoding="utf-8")
    assert count(path, job, 2**20, state=state).counts.terms == {"苹果": 1}
    path.write_text("我吃香蕉。\n", encoding="utf-8")
    assert count(path, job, 2**20, state=state).counts.terms == {"香蕉": 1}


#: Counts with the code of the working directory, twice after each change to a file, and prints how many files the state then has.
RECOUNT = """
import sys
from pathlib import Path
from typer.testing import CliRunner
from pipeline.cli import application

state, *arguments = sys.argv[1:]
for changed in ("", "rules/corpus/wikimedia.yaml", "pipeline/corpus/formats/wikimedia.py", "pipeline/corpus/counting/windows.py"):
    if changed:
        assert Path(changed).is_file(), changed
        with open(changed, "a", encoding="utf-8") as stream:
            stream.write("# changed\\n")
    for _ in range(2):  # the second finds what the first kept
        result = CliRunner().invoke(application(), [*arguments, "--resume", state])
        assert result.exit_code == 0, result.output
    print(len(list(Path(state).iterdir())))
"""


def test_other_rules_or_code_count_again(tmp_path: Path) -> None:
    for folder in ("pipeline", "rules"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    arguments = ["corpus", "count", str(PROSE), "--format", "text", "--terms", str(terms_file(tmp_path))]
    arguments += ["--window", "10", "--out", str(tmp_path / "counts.jsonl"), "--backend", "fast"]
    command = [sys.executable, "-c", RECOUNT, str(tmp_path / "state"), *arguments]
    result = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert result.stdout.split() == ["1", "2", "3", "4"]


def kept_of(path: Path, job: Job, state: Path) -> list[bool]:
    """Return for each shard of 32 bytes, in order, whether an earlier run counted it."""
    results = count_shards(shards(path, "text", 32), job, workers=1, state=state)
    return [kept for _, kept in sorted((shard, kept) for shard, _, kept in results)]


def test_the_state_serves_whether_or_not_damage_is_skipped(tmp_path: Path, refused: Refused) -> None:
    path, state = tmp_path / "corpus.txt", tmp_path / "state"
    line = "妹妹有光姐姐有手。妹".encode()  # 10 characters of 3 bytes; a shard has 32
    path.write_bytes(line + b"\r\n" + b"\xff" * 31 + b"\n" + line + b"\r\n")
    stops = Job(TermQuery(TERMS, 3), "reference")
    continues = Job(stops.query, "reference", skip_damaged=True)
    refused(lambda: kept_of(path, stops, state), str(path), "encoding")
    assert kept_of(path, continues, state) == [True, False, False]
    assert kept_of(path, continues, state) == [True, True, True]
    refused(lambda: kept_of(path, stops, state), str(path), "encoding")  # though the damaged shard is kept


#: States whose numbers and reports are of other types.
WRONG_STATES = [
    json.dumps({"counts": [{"windows": 1}], "documents": documents, "characters": 5, "skipped": skipped})
    for documents, count, reports in (("1", 0, []), (1, None, []), (1, 0, [3]), (1, 0, None))
    for skipped in ({"count": count, "reports": reports},)
]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"counts": [1]}', "\ufffd", "[" * 9999, *WRONG_STATES])
def test_a_broken_state_file_is_made_again(content: str, tmp_path: Path) -> None:
    path, state = tmp_path / "corpus.txt", tmp_path / "state"
    path.write_text("我吃苹果。\n", encoding="utf-8")
    job = Job(TermQuery(("苹果",), 3), "reference")
    whole = count(path, job, 2**20, state=state)
    (file,) = state.iterdir()
    before = file.read_bytes()
    file.write_text(content, encoding="utf-8")
    assert count(path, job, 2**20, state=state) == whole
    assert file.read_bytes() == before


def test_only_what_this_run_counts_makes_its_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = [PROSE, "--format", "text", "--terms", terms_file(tmp_path), "--window", 10]
    arguments += ["--out", tmp_path / "counts.jsonl", "--resume", tmp_path / "state", "--backend", "fast"]
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    shown = []
    for _ in range(2):
        ours, theirs = pty.openpty()
        with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as context:
            context.setattr(sys, "stderr", terminal)
            app(["corpus", "count", *map(str, arguments)], standalone_mode=False)
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
    counts = count(path, Job(TermQuery(terms, 3), "reference", passages=True), 2**20).counts
    assert counts.windows >= 2
    assert counts.estimated
    assert counts.terms == {term: 1 for term in terms if term != "手机"}  # 奖杯 is in the first window, 我吃苹果 is one


# --- a dump -----------------------------------------------------------------------------------------------------------


def test_a_dump_is_counted_by_its_articles(tmp_path: Path) -> None:
    path, _, _ = write_multistream(tmp_path, ARTICLE_PAGES)
    out = tmp_path / "counts.jsonl"
    result = count_command(
        path, "--format", "wikimedia-xml", "--terms", terms_file(tmp_path), "--window", 10, "--out", out
    )
    assert result.exit_code == 0, result.output + str(result.exception)
    check_articles(out)
