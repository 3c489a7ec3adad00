"""The release: what a user downloads, whole and reproducible."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from ruamel.yaml import YAML

from pipeline.core.checksums import digest_of
from pipeline.core.errors import PipelineError
from pipeline.core.files import write_jsonl
from pipeline.core.model import Finding, Item, PmiTerms, Rejected, Span
from pipeline.core.records import write_items, write_rejected
from pipeline.core.tables import write_tsv
from pipeline.release.people import STUDIES
from pipeline.release.readings import COLUMNS, earlier_readings, read_readings, reading_figures
from pipeline.release.sources import Source, read_source
from pipeline.release.validation.folder import read_release
from pipeline.release.validation.suite import RELEASES
from pipeline.release.winograd import release_files
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import write_judgements
from pipeline.studies.model.study import Study, Task, write_study
from pipeline.winograd.adjudication.apply import Change, write_changes
from pipeline.winograd.adjudication.table import Adjudication, judged_answer, judged_text
from pipeline.winograd.analysis import Analysis, write_analyses
from pipeline.winograd.exclusion.ledger import Decision, write_decisions
from pipeline.winograd.forms import FORMS, FormOptions, variants
from pipeline.winograd.forms.form import OPTIONS, options_to_json
from pipeline.winograd.modifications import AppliedModification, Modification, write_applied
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import ROOT, Refused
from tests.support.agreement import judge
from tests.support.artifacts import read, write
from tests.support.commands import winoforge
from tests.support.items import marked

SOURCE = Source("Sentences", "written for a test", "CC-BY-4.0", "raw/t.yaml", "0" * 64, "Everything.")


KEPT = [marked("老汤送伞，因为【他】怕淋雨。", "t-1-a"), marked("小柳来电话，因为【她】没伞。", "t-1-b", answer=1)]
OUT = Rejected(marked("老汤把【他】叫醒了。", "t-2-a"), (Finding("zh/ba-object", "ba-object", None, "because"),))


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Return a build of two kept items and one rejected."""
    directory = tmp_path / "build" / "t"
    write_items(directory / "items.jsonl", [*KEPT, OUT.record])
    write_items(directory / "modified.jsonl", KEPT)
    write_jsonl(directory / "zero.jsonl", map(to_zero, KEPT))
    for name in ("rejected", "adjudicated-rejected"):
        write_rejected(directory / f"{name}.jsonl", [OUT])
    votes = {"one/1": ()}
    decisions = [Decision("t-1-a", None, votes=votes), Decision("t-1-b", None, disputed=True, votes=votes)]
    write_decisions(directory / "decisions.jsonl", [*decisions, Decision("t-2-a", "ba-object")])
    for name in ("skipped", "analysis", "modifications", "adjudications"):
        write_jsonl(directory / f"{name}.jsonl", [])
    write_forms(directory / "variants", KEPT)
    return directory


def write_forms(folder: Path, items: Sequence[Item]) -> None:
    for form, derived in variants(items, FormOptions()).items():
        write_jsonl(folder / f"{form}.jsonl", derived.rows)
    (folder / OPTIONS).write_text(options_to_json(FormOptions()), encoding="utf-8")


def written(files: dict[str, bytes], folder: Path) -> Path:
    write(folder, files)
    return folder


def test_an_item_with_one_candidate_is_not_released(build: Path) -> None:
    lone = [replace(item, candidates=item.candidates[item.answer :][:1], answer=0) for item in KEPT]
    write_jsonl(build / "zero.jsonl", map(to_zero, lone))
    with pytest.raises(
        PipelineError, match=r"zero.jsonl: \[candidates\] no choice; found one candidate in t-1-a, t-1-b"
    ):
        release_files(build, SOURCE, "licence\n")
    run = winoforge("release", build)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert run.stderr.endswith(
        "expected two or more in a benchmark; build it again from an ingest without --one-candidate\n"
    )


def test_the_card_is_what_datasets_reads(build: Path) -> None:
    card = release_files(build, SOURCE, "licence\n")["README.md"].decode()
    _, front, body = card.split("---\n", 2)
    meta = YAML(typ="safe").load(front)
    assert meta["license"] == "cc-by-4.0"
    assert meta["language"] == ["zh"]
    file = {"split": "test", "path": "data/t.parquet"}
    assert meta["configs"][0] == {"config_name": "default", "default": True, "data_files": [file]}
    assert all("default" not in config for config in meta["configs"][1:])
    assert "2 items in 1 Winograd schemas" in body
    assert "first candidate in 1 items and the second in 1" in body
    assert "| ba-object | 1 |" in body
    assert "Everything." in body


def test_provenance_names_source_parsers_and_rules_of_each_record(build: Path) -> None:
    lines = release_files(build, SOURCE, "licence\n")["provenance.jsonl"].decode().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [(row["id"], row["disputed"]) for row in rows] == [("t-1-a", False), ("t-1-b", True)]
    assert all(row["parsers"] == ["one/1"] and row["file"] == "raw/t.yaml" for row in rows)
    assert all(row["rules"].startswith("sha256:") for row in rows)


def test_rows_tell_what_the_author_says_and_what_was_modified(build: Path) -> None:
    terms = PmiTerms(("雨", "伞"), "淋")
    write_analyses(
        build / "analysis.jsonl",
        [
            Analysis("t-1-a", "t-1", "Old Tang …", "social", "subject", terms),
            Analysis("t-1-b", "t-1", "Young Liu …", "physical", "subject", None),
            Analysis("t-2-a", "t-2", "", "", "ba-object", None),
        ],
    )
    change = Modification("t-1-b", "copula", "没", "是没", "because", gloss="Young Liu is without …")
    write_applied(
        build / "modifications.jsonl",
        [AppliedModification(change, "小柳来电话，她没伞。", Span(6, 7), "…", Span(0, 0), None)],
    )
    files = release_files(build, SOURCE, "licence\n")
    first, second = (json.loads(line) for line in files["data/t.jsonl"].decode().splitlines())
    assert (first["gloss"], first["kind"], first["role"]) == ("Old Tang …", "social", "subject")
    assert (first["pmi_candidates"], first["pmi_reference"], first["modification"]) == (["雨", "伞"], "淋", "")
    assert (second["pmi_candidates"], second["pmi_reference"]) == ([], "")
    assert (first["gloss"], second["gloss"]) == ("Old Tang …", "Young Liu is without …")
    assert (second["modification"], second["original_text"]) == ("copula", "小柳来电话，她没伞。")
    card = files["README.md"].decode()
    assert "| social | norms, obligations, rank" in card
    assert "| copula | inserting copular elements | 1 |" in card
    # 老汤送伞，因为他怕淋雨。 has 12 characters, 小柳来电话，因为她没伞。 too
    assert "A text has 12 to 12 characters" in card


def test_a_form_that_no_item_is_made_of_is_left_out(build: Path, tmp_path: Path) -> None:
    items = [
        marked(f"奖杯放不进箱子，因为【它】太{what}了。", f"t-1-{version}", candidates=("奖杯", "箱子"), question=f"什么太{what}了？")
        for version, what in ("a大", "b小")
    ]  # fmt: skip
    write_items(build / "items.jsonl", [*items, OUT.record])
    write_jsonl(build / "zero.jsonl", map(to_zero, items))
    write_forms(build / "variants", items)
    folder = written(release_files(build, SOURCE, "licence\n"), tmp_path / "release" / "t")
    assert not list(folder.glob("data/names.*"))
    assert "| names |" not in (folder / "README.md").read_text(encoding="utf-8")
    others = [name for name, form in FORMS.items() if form.is_of("zh") and name != "names"]
    assert list(read_release(folder).data) == ["t", *others]
    for path in folder.glob("data/nli.*"):
        path.unlink()
    assert "nli" in read_release(folder).data  # lost, not left out


def test_derived_forms_are_further_configurations(build: Path, tmp_path: Path) -> None:
    items = [marked("老汤送伞，因为【他】怕淋雨。", "t-1-a", candidates=("老汤", "小柳"), question="谁怕淋雨？")]
    write_forms(build / "variants", items)
    folder = written(release_files(build, SOURCE, "licence\n"), tmp_path / "release")
    card = (folder / "README.md").read_text(encoding="utf-8")
    configs = YAML(typ="safe").load(card.split("---\n", 2)[1])["configs"]
    names = [name for name, form in FORMS.items() if form.is_of("zh")]
    assert [config["config_name"] for config in configs] == ["default", *names]
    for form in names:
        rows = read(folder / "data" / f"{form}.jsonl")
        assert pyarrow.parquet.read_table(folder / "data" / f"{form}.parquet").to_pylist() == rows
        assert {row["item"] for row in rows} == {"t-1-a"}
    (renamed,) = read(folder / "data" / "names.jsonl")
    assert [pair["old"] for pair in renamed["names"]] == ["老汤", "小柳"]
    assert "| nli | `premise`, `hypothesis` and `label`" in card
    assert "| 2 |" in card


def rescue(build: Path) -> AppliedModification:
    """Rescue the rejected item; return its line of the ledger."""
    rescued = marked("【他】醒了。", "t-2-a")
    change = Modification("t-2-a", "predicate", "老汤把[他]叫醒了", "[他]醒了", "because")
    write_jsonl(build / "zero.jsonl", map(to_zero, [*KEPT, rescued]))
    return AppliedModification(change, OUT.record.text, Span(3, 4), rescued.text, rescued.target, "ba-object")


def test_what_was_rescued_is_not_listed_as_rejected(build: Path) -> None:
    write_applied(build / "modifications.jsonl", [rescue(build)])
    write_rejected(build / "adjudicated-rejected.jsonl", [])
    files = release_files(build, SOURCE, "licence\n")
    assert files["rejected.jsonl"] == b""
    assert "No record was rejected.\n" in card_of(files)
    assert "| rejected as |" not in card_of(files)
    assert "| ba-object |" not in files["README.md"].decode()


def test_a_zero_form_that_is_no_item_is_refused_at_its_line(build: Path) -> None:
    with (build / "zero.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(PipelineError, match=re.escape(f"{build / 'zero.jsonl'}:3: [id] missing field")):
        release_files(build, SOURCE, "licence\n")


def test_a_collection_without_analyses_is_released(build: Path) -> None:
    (build / "analysis.jsonl").unlink()
    files = release_files(build, SOURCE, "licence\n")
    rows = [json.loads(line) for line in files[f"data/{build.name}.jsonl"].decode().splitlines()]
    assert {(row["gloss"], row["kind"], row["role"], row["pmi_reference"]) for row in rows} == {("", "", "", "")}


def test_a_release_reads_nothing_but_what_make_lists(build: Path, tmp_path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    rule = re.search(r"^RELEASED := (.*?)\$\(call rows,(.*?)\)$", makefile, re.M | re.S)
    assert rule is not None
    assert rule[1].split()[:2] == ["$(ANALYSIS)", "$(variants.out)"]
    alone = tmp_path / "alone" / build.name
    shutil.copytree(build / "variants", alone / "variants")
    for name in ("analysis", *rule[2].split()):
        shutil.copy(build / f"{name}.jsonl", alone)
    assert release_files(alone, SOURCE, "licence\n") == release_files(build, SOURCE, "licence\n")


def test_a_captured_source_that_changed_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "data.tsv"
    data.write_text("a\n", encoding="utf-8")
    table = tmp_path / "SOURCES.toml"
    entry = f'[t]\ntitle = "T"\norigin = "O"\nlicence = "L"\nfile = "{data}"\n'
    table.write_text(entry, encoding="utf-8")
    # printf 'a\n' | sha256sum
    assert read_source(table, "t").sha256 == "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
    table.write_text(entry + f'sha256 = "{"0" * 64}"\n', encoding="utf-8")
    with pytest.raises(PipelineError, match=r"\[t\.sha256\] file has changed"):
        read_source(table, "t")
    with pytest.raises(PipelineError, match=r"\[u\] unknown source; found t"):
        read_source(table, "u")


def test_what_a_collection_of_ones_own_needs_is_said(refused: Refused, tmp_path: Path) -> None:
    table = tmp_path / "SOURCES.toml"
    message = refused(lambda: read_source(table, "t"), str(table), "sources")
    assert "give it with --sources (docs/collections.md)" in message
    table.write_text("[u]\n", encoding="utf-8")
    message = refused(lambda: read_source(table, "t"), str(table), "t")
    assert (
        "found u, expected a table [t] with title, origin, licence, file, here or in another file given with --sources"
        in message
    )
    refused(lambda: read_source(table, "u"), str(table), "u.title")
    table.write_text(f"[u]\ntitle = {'[' * 9999}\n", encoding="utf-8")
    assert refused(lambda: read_source(table, "u"), str(table), "toml").endswith("nested too deeply")


@pytest.mark.parametrize(
    ("line", "reason", "way_out"),
    [
        ("readng = 'a.tsv'", "[t.readng] unknown field; expected one of title, origin, ", "did you mean reading?"),
        ("canarry = 'x'", "[t.canarry] unknown field; expected one of title, origin, ", "did you mean canary?"),
        ("reading = ['a.tsv']", "[t.reading] wrong kind; found ['a.tsv']", "expected text"),
    ],
)
def test_a_field_of_another_name_or_kind_is_refused(line: str, reason: str, way_out: str, tmp_path: Path) -> None:
    """A misspelt `reading` or `canary` would switch off a check or leave the release without its line."""
    table = tmp_path / "SOURCES.toml"
    table.write_text(f'[t]\ntitle = "T"\norigin = "O"\nlicence = "L"\nfile = "{table}"\n{line}\n', encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        read_source(table, "t")
    assert caught.value.reason.startswith(reason)
    assert caught.value.reason.endswith(way_out)


# --- what is not released -----------------------------------------------------------------------------------------------


ZERO = "老汤送伞，因为怕淋雨。"


def reading_of(folder: Path, *rows: Sequence[str]) -> Path:
    """Write a table of readings; the columns that a row lacks say that the right answer was found and nothing is to mend."""
    path = folder / "reading.tsv"
    answers = {item.id: item.candidates[item.answer] for item in [*KEPT, OUT.record] if item.answer is not None}
    full = []
    for row in rows:
        rated = "5" if row[2:3] != ("",) and len(row) > 2 else ""
        full.append([*row, *["", "reader-1", answers.get(row[0], ""), "5", "5", rated, "ok", ""][len(row) - 2 :]])
    write_tsv(path, COLUMNS, full)
    return path


def twice(*cells: str) -> list[tuple[str, ...]]:
    """Return the first cells of two readings, after id and digests, by two readers."""
    return [(*cells, "reader-1"), (*cells, "reader-2")]


@pytest.mark.parametrize(
    ("column", "cell"), [("sure", "7"), ("reader", "李琴"), ("reader", "a.li@example.org"), ("remark", "问13812345678")]
)
def test_earlier_readings_have_ratings_on_their_scale_and_nothing_that_tells_who_read(
    column: str, cell: str, refused: Refused, tmp_path: Path
) -> None:
    item, row = KEPT[0], dict(zip(COLUMNS, ("t-9-a", "0", "", "reader-1", "x", "5", "5", "", "ok", ""), strict=True))
    write_tsv(path := tmp_path / "earlier.tsv", COLUMNS, [[*(row | {column: cell}).values()]])
    refused(lambda: earlier_readings(path, [item]), f"{path}:2", "t-9-a")


def test_every_item_was_read_twice_as_it_stands(refused: Refused, tmp_path: Path) -> None:
    item, path = KEPT[0], tmp_path / "reading.tsv"
    sound = (item.id, digest_of(item.text), digest_of(ZERO))
    reading_of(tmp_path, *twice(*sound))
    assert [(row["item"], row["reader"], row["sure"]) for row in read_readings(path, [item], {item.id: ZERO})] == [
        (item.id, "reader-1", 5),
        (item.id, "reader-2", 5),
    ]
    message = refused(lambda: read_readings(path, KEPT, {item.id: ZERO}), str(path), "t-1-b")
    assert "not read often enough; found 0 readings" in message
    message = refused(lambda: read_readings(path, [item], {item.id: "改了。"}), f"{path}:2", "t-1-a")
    assert "zero form has changed since it was read" in message
    refused(lambda: read_readings(path, [item], {}), f"{path}:2", "t-1-a")  # not released, yet its zero form was read
    reading_of(tmp_path, (item.id, digest_of("改了。"), digest_of(ZERO)))
    message = refused(lambda: read_readings(path, [item], {item.id: ZERO}), f"{path}:2", "t-1-a")
    assert "text has changed since it was read" in message
    reading_of(tmp_path, sound)
    assert "found 1 readings" in refused(lambda: read_readings(path, [item], {item.id: ZERO}), str(path), item.id)
    reading_of(tmp_path, sound, sound)
    assert "not unique" in refused(lambda: read_readings(path, [item], {item.id: ZERO}), f"{path}:3", "reader")
    # A row of an item that is not there is of no concern: a part of the collection may be released.
    reading_of(tmp_path, ("t-9-a", "0", "0"))
    assert "found 0 readings" in refused(lambda: read_readings(path, [item], {}), str(path), item.id)


@pytest.mark.parametrize(
    ("answer", "ratings", "words"),
    [
        ("弟弟", ("5", "5", "5", "ok"), "read with a wrong answer; found '弟弟', expected '甲'"),
        ("乙", ("5", "5", "5", "ok"), "read with a wrong answer; found '乙', expected '甲'"),
        ("甲", ("3", "5", "5", "ok"), "sure is not good enough for a release; found 3, expected at least 4"),
        ("甲", ("6", "5", "5", "ok"), "sure is not on its scale; found '6', expected 1 to 5"),
        ("甲", ("", "5", "5", "ok"), "sure is not on its scale; found ''"),
        ("甲", ("5", "50", "5", "ok"), "natural is not on its scale; found '50', expected 1 to 5"),
        ("甲", ("5", "3", "5", "ok"), "natural is not good enough for a release; found 3, expected at least 4"),
        ("甲", ("5", "5", "3", "ok"), "natural_zero is not good enough for a release; found 3, expected at least 4"),
        ("甲", ("5", "5", "", "ok"), "natural_zero is not on its scale; found nothing, expected 1 to 5"),
        ("甲", ("5", "", "5", "ok"), "natural is not on its scale; found nothing"),
        ("甲", ("5", "5", "5", "ok", "Frau Li, a.li@b.org"), "remark with personal data; found 'a.li@b.org'"),
        ("甲", ("5", "5", "5", "good"), "question is not judged; found 'good', expected one of ok, awkward, guessable"),
    ],
)
def test_a_reading_with_a_fault_stops_a_release(
    answer: str, ratings: Sequence[str], words: str, refused: Refused, tmp_path: Path
) -> None:
    item = KEPT[0]
    path = reading_of(tmp_path, (item.id, digest_of(item.text), digest_of(ZERO), "reader-1", answer, *ratings))
    assert words in refused(lambda: read_readings(path, [item], {item.id: ZERO}), f"{path}:2", item.id)


def test_each_form_is_read_twice_by_readers_of_both_or_of_one(refused: Refused, tmp_path: Path) -> None:
    item = KEPT[0]
    right, zeros = item.candidates[item.answer], {item.id: ZERO}
    of_text = (item.id, digest_of(item.text), ""), (right, "5", "4", "", "ok")
    of_zero = (item.id, "", digest_of(ZERO)), (right, "4", "", "5", "ok")
    rows = [(*head, f"r-{number}", *rest) for number, (head, rest) in enumerate((of_text, of_text, of_zero, of_zero))]
    path = reading_of(tmp_path, *rows)
    read = read_readings(path, [item], zeros)
    assert [(row["natural"], row["natural_zero"], row["digest_zero"]) for row in read] == [
        (4, None, None), (4, None, None), (None, 5, digest_of(ZERO)), (None, 5, digest_of(ZERO)),
    ]  # fmt: skip
    reading_of(tmp_path, *rows[:3])
    message = refused(lambda: read_readings(path, [item], zeros), str(path), item.id)
    assert f"found 1 readings of {ZERO!r}, expected 2" in message
    reading_of(tmp_path, *rows[1:])
    message = refused(lambda: read_readings(path, [item], zeros), str(path), item.id)
    assert f"found 1 readings of {item.text!r}, expected 2" in message
    reading_of(tmp_path, *rows, (item.id, "", "", "r-5", right, "5", "", "", "ok"))
    assert "rates neither form" in refused(lambda: read_readings(path, [item], zeros), f"{path}:6", item.id)


def test_a_question_that_every_reader_objects_to_stops_a_release(refused: Refused, tmp_path: Path) -> None:
    item = KEPT[0]
    head, right = (item.id, digest_of(item.text), digest_of(ZERO)), item.candidates[item.answer]
    rows = [
        (*head, reader, right, "5", "5", "5", objection)
        for reader, objection in (("r-1", "awkward"), ("r-2", "guessable"))
    ]
    path = reading_of(tmp_path, *rows)
    assert "question that every reader objects to" in refused(
        lambda: read_readings(path, [item], {item.id: ZERO}), str(path), item.id
    )
    reading_of(tmp_path, *rows, (*head, "r-3"))
    assert len(read_readings(path, [item], {item.id: ZERO})) == 3


def test_an_item_without_a_zero_form_has_no_rating_of_it(refused: Refused, tmp_path: Path) -> None:
    item = KEPT[0]
    path = reading_of(tmp_path, *twice(item.id, digest_of(item.text), ""))
    assert read_readings(path, [item], {}) == []  # it is not released
    row = (item.id, digest_of(item.text), "", "reader-1", item.candidates[item.answer], "5", "5", "4")
    path = reading_of(tmp_path, row)
    assert "has no zero form; found '4'" in refused(lambda: read_readings(path, [item], {}), f"{path}:2", item.id)


def test_figures_of_readings() -> None:
    """Two readings of one item: sure (5 + 4) / 2, natural (4 + 4) / 2, as zero form (5 + 4) / 2, one question of two is well worded."""
    rows = [
        {"item": "t-1-a", "reader": "r-1", "sure": 5, "natural": 4, "natural_zero": 5, "question": "ok"},
        {"item": "t-1-a", "reader": "r-2", "sure": 4, "natural": 4, "natural_zero": 4, "question": "awkward"},
    ]
    assert reading_figures(rows) == {
        "readings": 2, "items": 1, "readers": 2, "sure": 4.5, "natural": 4.0, "natural_zero": 4.5, "ok": 0.5,
        "rated": {"sure": 2, "natural": 2, "natural_zero": 2},
    }  # fmt: skip
    zero_only = {"item": "t-1-a", "reader": "r-3", "sure": 3, "natural": None, "natural_zero": 3, "question": "ok"}
    figures = reading_figures(
        [*rows, zero_only]
    )  # natural as before, sure (5 + 4 + 3) / 3, as zero form (5 + 4 + 3) / 3
    assert (figures["sure"], figures["natural"], figures["natural_zero"]) == (4.0, 4.0, 4.0)
    assert figures["rated"] == {"sure": 3, "natural": 2, "natural_zero": 3}
    assert reading_figures([]) == {}


def test_a_collection_with_readings_is_released_only_if_all_was_read(build: Path, tmp_path: Path) -> None:
    rows = [
        row for item in KEPT for row in twice(item.id, digest_of(item.text), digest_of(to_zero(item)["text_dropped"]))
    ]
    source = replace(SOURCE, reading=str(reading_of(tmp_path, *rows)))
    with pytest.raises(PipelineError, match=r"\[t-2-a\] not read"):
        release_files(build, source, "licence\n")
    reading_of(tmp_path, *rows, *twice(OUT.record.id, digest_of(OUT.record.text), ""))
    files, without = release_files(build, source, "licence\n"), release_files(build, SOURCE, "licence\n")
    assert {name for name in files if files[name] != without.get(name)} == {
        "README.md", "SHA256SUMS", "croissant.json", "data/readings.jsonl", "data/readings.parquet",
    }  # fmt: skip
    assert b"\n4 readings of the 2 items, by 2 readers" in files["README.md"]


def test_what_people_decided_is_told_beside_readings_of_the_sentences_before(build: Path, tmp_path: Path) -> None:
    before, changed = KEPT[0], replace(KEPT[0], text="老汤送伞，因为他很怕淋雨。")
    decision = Adjudication(
        item=before.id, action="modify", value="老汤送伞，因为[他]很怕淋雨。", state="kept", text=judged_text(before),
        answer=judged_answer(before), study="consensus", votes=5, raters=6, reason="念着别扭",
    )  # fmt: skip
    write_changes(build / "adjudications.jsonl", [Change(before.id, "kept", "kept", decision)])
    write_jsonl(build / "zero.jsonl", map(to_zero, [changed, KEPT[1]]))
    read = [
        row for item in KEPT for row in twice(item.id, digest_of(item.text), digest_of(to_zero(item)["text_dropped"]))
    ]
    reading = reading_of(tmp_path, *read, *twice(OUT.record.id, digest_of(OUT.record.text), ""))
    files = release_files(build, replace(SOURCE, reading=str(reading)), "licence\n")

    def rows(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in files[name].decode().splitlines()]

    row, origin = rows("data/t.jsonl")[0], rows("provenance.jsonl")
    assert (row["text"], row["modification"], row["original_text"]) == (changed.text, "adjudicated", before.text)
    expected = {"before": "kept", "action": "modify", "study": "consensus", "votes": "5 of 6", "reason": "念着别扭"}
    assert [entry.get("adjudication") for entry in origin] == [expected, None]
    assert {entry["item"] for entry in rows("data/readings.jsonl")} == {"t-1-b"}
    card = files["README.md"].decode()
    assert "People decided about some items in studies (consensus)." in card
    assert "| modify | 1 |" in card


def test_our_own_collection_names_its_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    source = read_source(ROOT / "raw" / "SOURCES.toml", "zh")
    assert source.reading == "raw/zh/reading.tsv"
    assert source.reading in source.unchecked


def test_the_command_packs_nothing_that_a_build_would_refuse(build: Path, tmp_path: Path) -> None:
    sources, licences = tmp_path / "S.toml", tmp_path / "L.txt"
    licences.write_text("licence\n", encoding="utf-8")
    sources.write_text(f'[t]\ntitle = "T"\norigin = "O"\nlicence = "L"\nfile = "{licences}"\n', encoding="utf-8")
    options = (f"--sources={sources}", f"--licences={tmp_path}", f"--out={tmp_path / 'out'}")
    run = winoforge("release", build, *options)
    assert (run.returncode, run.stdout) == (1, "")
    assert f"{build / 'items.jsonl'}:3: [pairs/two-members] 1 of 2: t-2; t-2: found a, expected a and b" in run.stderr
    assert f"{build / 'kept.jsonl'}:1: [derivation/complete] " in run.stderr
    assert not (tmp_path / "out").exists()
    run = winoforge("release", build / "items.jsonl", *options)
    assert (run.returncode, run.stderr) == (
        2,
        f"{build / 'items.jsonl'}: [build] not a folder; expected a build folder such as build/zh\n",
    )


def test_the_parser_model_can_be_trained(shared_data: Path, tmp_path: Path) -> None:
    """A handful of steps over some forty sentences: the whole path from treebanks to scored models."""
    script = ROOT / "tools" / "parser_model.py"
    command = [sys.executable, str(script), str(shared_data / "ud"), "--work", str(tmp_path), "--smoke"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    made = {path.name for path in (tmp_path / "model").iterdir()}
    assert made >= {"pos.pt", "depparse.pt", "lexicon.pt", "resources.json", "README.md"}
    assert "| predicted |" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")


def test_the_card_says_what_people_judged(build: Path, tmp_path: Path) -> None:
    nobody = release_files(build, SOURCE, "licence\n", tmp_path / "none")
    assert STUDIES not in nobody
    assert (
        "\n## What people have judged\n\nNo human has judged an item of this version.\n\n## What no human"
        in card_of(nobody)
    )
    study = Study("upper-bound", "t", "zh", 1, (Control("reference", "candidate"),), ("1",), "", "<View/>")
    data = {"study": "upper-bound", "task": "upper-bound/1/001", "text": to_zero(KEPT[0])["text_zero"]}
    task = Task("upper-bound/1/001", "1", 1, "main", ("t-1-a",), ((0, 1),), (0,), data)
    answers = [judge(task, f"r-{number}", 1.0, reference=number) for number in range(2)]
    write_study(tmp_path / "exports" / "upper-bound", study, [task])
    write_judgements(tmp_path / "exports" / "upper-bound" / "judgements.jsonl", answers)
    files = release_files(build, SOURCE, "licence\n", tmp_path / "exports")
    assert "Of 2 items, raters have judged 1 as they are released;\nnobody has judged 1." in card_of(files)
    # Two raters of one item disagree, and one of two answers is right: alpha = 1 - 1 / 1 = 0.
    assert "| upper-bound | reference | 2 | 1 | 2 | 0.0 % | 0.00 | 50.0 % | n/a |" in card_of(files)
    folder = written(files, tmp_path / "release" / "t")
    assert faults_of_card(folder) == []
    people = json.loads(files[STUDIES])
    people["studies"][0]["raters"] = 24
    written({STUDIES: json.dumps(people).encode()}, folder)
    assert faults_of_card(folder) == ["card-follows-data"]
    (folder / STUDIES).unlink()
    assert set(faults_of_card(folder)) == {"card-follows-data"}


def test_the_tables_of_difficulty_follow_from_the_answers(build: Path, tmp_path: Path) -> None:
    rows = [{"id": item.id, "model": "m", "mode": "zero-shot", "answer": "A"} for item in KEPT]
    path = tmp_path / "answers.jsonl"
    write_jsonl(path, rows)
    files = release_files(build, replace(SOURCE, predictions=str(path)), "licence\n", tmp_path / "none")
    head, *lines = [line.split("\t") for line in files["difficulty/difficulty.tsv"].decode().splitlines()]
    table = {line[0]: dict(zip(head, line, strict=True)) for line in lines}
    assert {item: row["systems_right"] for item, row in table.items()} == {
        item.id: str(int(item.answer == 0)) for item in KEPT
    }
    assert "## How hard each item is" in card_of(files)
    folder = written(files, tmp_path / "release" / "t")

    def faults() -> list[str]:
        return [line.check for line in RELEASES.check([folder]).failures if line.check == "difficulty-follows-answers"]

    assert faults() == []
    path = folder / "difficulty" / "pairs.tsv"
    path.write_text(path.read_text(encoding="utf-8").replace("\t0.0000\t", "\t1.0000\t", 1), encoding="utf-8")
    assert faults() == ["difficulty-follows-answers"]


def card_of(files: dict[str, bytes]) -> str:
    return files["README.md"].decode()


def faults_of_card(folder: Path) -> list[str]:
    failures = RELEASES.check([folder]).failures
    return [failure.check for failure in failures if failure.check in ("card-follows-data", "known-files", "complete")]
