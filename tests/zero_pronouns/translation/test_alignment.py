"""Word alignments: made the same on each run, read with their errors, and measured by hand."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.files import lines_of, read_text, write_text
from pipeline.zero_pronouns.translation.alignment import (
    Link,
    Links,
    align,
    parse_links,
    quality,
    read_links,
    to_pharaoh,
)
from tests.support.commands import winoforge
from tools.align_sample import FOLDER, GENRES, SYSTEMS, alignment_files, sentences

#: Links, with an order of their own, as a line has them.
LINKS = st.lists(st.builds(Link, st.integers(0, 9), st.integers(0, 9), st.booleans()), max_size=8).map(tuple)


@given(st.lists(LINKS, max_size=4))
def test_what_is_written_is_read(alignment: list[Links]) -> None:
    assert [parse_links(line, possible=True) for line in lines_of(to_pharaoh(alignment))] == alignment


def test_the_error_rate_by_hand() -> None:
    # Sentence 1: S = {0-0, 1-1}, P = S + {1-2}, A = {0-0, 1-2, 2-2}: |A ∩ S| = 1, |A ∩ P| = 2. Sentence 2: S = {0-1}, A = {0-1}.
    # Sentence 3 was not aligned by hand. AER = 1 - (2 + 3) / (4 + 3) = 2/7; precision 3/4; recall 2/3.
    gold = [parse_links(line, possible=True) for line in ("0-0 1-1 1p2", "0-1", "")]
    automatic = [parse_links(line) for line in ("0-0 1-2 2-2", "0-1", "0-0")]
    figures = quality(zip(gold, automatic, strict=True))
    assert (figures.sentences, figures.sure, figures.automatic) == (2, 3, 4)
    assert figures.error_rate == pytest.approx(2 / 7)
    assert (figures.precision, figures.recall) == (3 / 4, 2 / 3)


def test_the_command_measures_and_refuses(tmp_path: Path) -> None:
    gold, automatic = tmp_path / "gold.align", tmp_path / "auto.align"
    write_text(gold, "0-0 1-1 1p2\n0-1\n\n")
    write_text(automatic, "0-0 1-2 2-2\n0-1\n0-0\n")
    result = winoforge("zp", "aer", gold, automatic)
    assert "AER 0.286, precision 75.0 %, recall 66.7 %; 2 sentences by hand of 3, 3 sure links" in result.stdout
    for text, reason in (
        ("0-0\n", "auto.align: [lines] not aligned; found 1 line, expected 3"),
        ("0-0\n1\n\n", "auto.align:2: [link] not a link; found '1', expected source-target such as 0-0"),
        ("0-0\n1p1\n\n", "auto.align:2: [link] not a link; found '1p1'"),
    ):
        write_text(automatic, text)
        refused = winoforge("zp", "aer", gold, automatic)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert refused.stderr.startswith(str(tmp_path / reason))
    write_text(gold, "\n\n\n")
    write_text(automatic, "\n\n\n")
    assert winoforge("zp", "aer", gold, automatic).returncode == 2


SOURCE = "[doc]\n<他>_S 喝 茶\n\n他 喝 水\n她 喝 茶\n<她>_S 看 水\n"
TARGET = "[doc]\nHe drinks tea\nnothing\nhe drinks water\nshe drinks tea\nshe sees water\n"


def test_the_same_text_gives_the_same_alignment(tmp_path: Path) -> None:
    write_text(tmp_path / "a.zh", SOURCE)
    write_text(tmp_path / "a.en", TARGET)
    command = ["zp", "align", str(tmp_path / "a.zh"), str(tmp_path / "a.en"), "--out"]
    result = winoforge(*command, tmp_path / "first.align")
    assert result.returncode == 0
    text = read_text(tmp_path / "first.align")
    assert f"6 lines in, 6 out, 12 links; sha256 {hashlib.sha256(text.encode()).hexdigest()}" in result.stdout
    # Every word has one translation only; a label is aligned as its pronoun; [doc] and the empty line have no links.
    assert text.splitlines() == ["", "0-0 1-1 2-2", "", "0-0 1-1 2-2", "0-0 1-1 2-2", "0-0 1-1 2-2"]
    winoforge(*command, tmp_path / "second.align")
    code = "from pipeline.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, *command, str(tmp_path / "third.align")],
        env={**os.environ, "OMP_NUM_THREADS": "4"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""
    assert text == read_text(tmp_path / "second.align") == read_text(tmp_path / "third.align")


def test_the_cores_of_the_process_stay(tmp_path: Path) -> None:
    cores = os.sched_getaffinity(0)
    align([(["茶"], ["tea"])])
    assert os.sched_getaffinity(0) == cores


def test_words_with_the_separator_of_the_aligner_are_aligned() -> None:
    assert align([(["|||", "茶"], ["|||", "tea"]), (["茶"], ["tea"])]) == [(Link(0, 0), Link(1, 1)), (Link(0, 0),)]


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("一\n", "one\ntwo\n", "a.en: [lines] not aligned"),
        ("\n", "one\n", "[lines] nothing to align"),
        ("", "", "[lines] nothing"),
    ],
)
def test_texts_that_cannot_be_aligned_are_refused(tmp_path: Path, source: str, target: str, reason: str) -> None:
    write_text(tmp_path / "a.zh", source)
    write_text(tmp_path / "a.en", target)
    result = winoforge("zp", "align", tmp_path / "a.zh", tmp_path / "a.en", "--out", tmp_path / "a.align")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert reason in result.stderr
    assert not (tmp_path / "a.align").exists()


def test_without_the_aligner_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "systran_align", None)
    write_text(tmp_path / "a", "一\n")
    result = winoforge("zp", "align", tmp_path / "a", tmp_path / "a", "--out", tmp_path / "b")
    assert result.returncode == 2
    write_text(tmp_path / "c", "one\n")
    result = winoforge("zp", "align", tmp_path / "a", tmp_path / "c", "--out", tmp_path / "b")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "[zp] systran_align not installed; run pip install --editable '.[zp]'" in result.stderr


# --- the sample -------------------------------------------------------------------------------------------------------


def test_the_committed_alignments_come_out_again() -> None:
    """If the sample has changed, run `python -m tools.align_sample`, and look whether the sentences aligned by hand are the same."""
    texts = sentences()
    files = alignment_files(texts)
    assert len(files) == len(GENRES) * len(SYSTEMS) + 1
    assert {name: read_text(FOLDER / name) for name in files} == files


def test_the_error_rates_of_the_sample_are_the_documented_ones() -> None:
    pairs, rates = [], []
    for genre in GENRES:
        gold = read_links(FOLDER / "gold" / f"{genre}.align", possible=True)
        part = list(zip(gold, read_links(FOLDER / "reference" / f"{genre}.align"), strict=True))
        rates.append(quality(part).error_rate)
        pairs += part
    cells = " | ".join(f"{rate:.3f}" for rate in [*rates, quality(pairs).error_rate])
    assert f"| {cells} |" in read_text(FOLDER.parents[2] / "docs" / "zero_pronouns.md")
