"""The report on a sample: its figures follow from the texts, a page shows them, and every file can be derived again."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.validation.derivation import Derived, compare, difference
from pipeline.core.validation.suite import Row
from pipeline.zero_pronouns.documents import read_sample
from pipeline.zero_pronouns.exports.texts import english_tokens, tokens
from pipeline.zero_pronouns.report.files import derive_report
from tests.support.artifacts import documents
from tests.support.commands import winoforge

#: What the zeros of the sample are in English, line by line.
EXPECTED = {3: ("he", "he"), 4: ("you",), 5: ("i", "it", "your"), 7: ("his",), 8: ("herself",)}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a sample with two systems: one repeats the reference, the other says nothing of what the zeros stand for."""
    folder = tmp_path_factory.mktemp("report")
    sample = folder / "sample"
    documents(sample)
    (genre,) = read_sample(sample)
    targets = [pair.target for pair in genre.text.pairs]
    links = []
    for pair in genre.text.pairs:
        words, english = tokens(pair.source), english_tokens(pair.target)
        zeros = [place for place, word in enumerate(words) if word.startswith("<")]
        places = [english.index(word) for word in EXPECTED.get(pair.line, ())]
        links.append(" ".join(f"{zero}-{place}" for zero, place in zip(zeros, places, strict=True)))
    for system, lines, alignment in (
        ("same", targets, links),
        ("silent", ["Nothing."] * len(targets), ["0-0"] * len(targets)),
    ):
        output = [lines[0:4], lines[4:]]
        write(sample / "systems" / system / "talk.en", ["[doc]", *output[0], "[doc]", *output[1]])
        write(sample / "alignment" / system / "talk.align", alignment)
    faults = [
        f"silent\t{line}\t{number}\tomitted" for line, words in EXPECTED.items() for number in range(1, len(words) + 1)
    ]
    write(sample / "systems" / "faults" / "talk.tsv", ["system\tline\tzero\tfault", *faults])
    run = winoforge("zp", "report", str(sample), "--out", str(folder / "out"), "--baseline", "silent")
    assert run.returncode == 0, run.stderr
    return folder / "out"


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def figures(report: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((report / "figures.json").read_text(encoding="utf-8"))
    return value


def test_both_modes_tell_a_translation_from_silence(figures: dict[str, Any]) -> None:
    rows = {(row["system"], row["genre"]): row for row in figures["translations"]}
    # The authors' table has no 她自己, so that its zero is wrong whatever the translation says.
    assert [rows["same", "all"][mode] for mode in ("published", "corrected")] == [7 / 8, 1.0]
    assert [rows["silent", "all"][mode] for mode in ("published", "corrected")] == [0.0, 0.0]
    assert rows["same", "talk"]["forms"] == {"S": [4, 4], "O": [1, 1], "Pa": [1, 1], "P": [1, 1], "R": [1, 1]}
    assert [row for row in figures["faults"] if row["system"] != "literal"] == [
        {"system": "same", "fault": "", "zeros": 8, "published": 1, "corrected": 0},
        {"system": "silent", "fault": "omitted", "zeros": 8, "published": 8, "corrected": 8},
    ]


def test_a_repeated_reference_has_the_best_scores(figures: dict[str, Any]) -> None:
    rows = {(row["system"], row["scope"]): row for row in figures["metrics"]}
    assert rows["same", "all"]["sentences"] == 6
    assert rows["same", "with a zero"]["sentences"] == 5
    assert rows["same", "all"]["scores"]["BLEU"] == pytest.approx(100)
    assert rows["same", "all"]["scores"]["TER"] == 0
    # Six sentences of six are better: 2 · (1/2)^6
    assert rows["same", "all"]["tests"]["sign"] == pytest.approx(2 / 64)
    assert rows["silent", "all"]["tests"] == {}


def test_readers_who_label_alike_agree(figures: dict[str, Any]) -> None:
    assert {(row["genre"], row["kappa"], row["equal"]) for row in figures["agreement"]} == {("talk", 1.0, 1.0)}


def test_the_page_shows_the_figures_and_leads_to_the_files(report: Path) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert '<mark class="zero" title="&lt;他&gt;_S">Ø 他</mark>买了两只鸡' in page
    assert "2.75 bits" in page
    for path in report.rglob("*.*"):
        name = path.relative_to(report).as_posix()
        assert name in ("index.html", "options.json") or f'href="{name}"' in page


def differences(report: Path) -> list[str]:
    rows: list[Row] = []
    for entry in derive_report(report):
        rows += compare(entry) if isinstance(entry, Derived) else [entry]
    return [f"{row.path.name}:{row.line}: {reason}" for row in rows if (reason := difference(row.value))]


def test_every_file_is_derived_again(report: Path) -> None:
    assert differences(report) == []
    verdict = report / "azpt" / "silent" / "talk.corrected.details"
    page, more = report / "index.html", report / "texts" / "more.zh"
    kept = verdict.read_bytes(), page.read_bytes()
    verdict.write_text(verdict.read_text(encoding="utf-8").replace("\t-1\n", "\t1\n", 1), encoding="utf-8")
    page.unlink()
    more.write_text("他\n", encoding="utf-8")
    reasons = differences(report)
    verdict.write_bytes(kept[0])
    page.write_bytes(kept[1])
    more.unlink()
    assert [reason.split(";")[0].split(": ")[0] for reason in reasons] == [
        "talk.corrected.details:2",
        "index.html:1",
        "more.zh:1",
    ]


def test_an_alignment_of_other_words_is_refused(report: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample"
    documents(sample)
    write(sample / "systems" / "old" / "talk.en", ["[doc]", "a", "b", "c", "d", "[doc]", "e", "f"])
    write(sample / "alignment" / "old" / "talk.align", ["0-0"] * 5 + ["0-9"])
    run = winoforge("zp", "report", str(sample), "--out", str(tmp_path / "out"), "--baseline", "old")
    assert (run.returncode, run.stdout) == (2, "")
    assert "old/talk.align:6: [link] outside the sentence" in run.stderr
    assert not (tmp_path / "out").exists()


def test_what_is_wrong_with_the_texts_is_a_finding(tmp_path: Path) -> None:
    sample = tmp_path / "sample"
    documents(sample)
    text = (sample / "talk.zh").read_text(encoding="utf-8")
    (sample / "talk.zh").write_text(text.replace("<他>_S买", "<他>S买"), encoding="utf-8")
    run = winoforge("zp", "report", str(sample), "--out", str(tmp_path / "out"))
    assert run.returncode == 1
    assert "talk.zh:3: [label] malformed; found '<他>S', expected '<他>_S'" in run.stderr
    assert (tmp_path / "out" / "index.html").exists()


def test_a_baseline_that_lacks_a_genre_is_refused(tmp_path: Path) -> None:
    sample = tmp_path / "sample"
    documents(sample)
    for name in ("talk.zh", "talk.en"):
        write(sample / name.replace("talk", "chat"), (sample / name).read_text(encoding="utf-8").splitlines())
    for system, genre in (("old", "talk"), ("new", "talk"), ("new", "chat")):
        write(sample / "systems" / system / f"{genre}.en", ["[doc]", "a", "b", "c", "d", "[doc]", "e", "f"])
        write(sample / "alignment" / system / f"{genre}.align", ["0-0"] * 6)
    run = winoforge("zp", "report", str(sample), "--out", str(tmp_path / "out"), "--baseline", "old")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith("systems/old/chat.en: [--baseline] lacks a genre; found no such file, expected one\n")
