"""Releases as data: the suites of their files, releases that are elsewhere, and what `release` refuses to pack."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.release.gate import plan, release_files
from pipeline.release.sources import Source, declared_source
from pipeline.release.tables import json_lines, parquet
from pipeline.release.validation import folder as releases
from pipeline.release.validation.folder import read_release
from pipeline.release.validation.suite import RELEASES, release_rows
from tests.conftest import ROOT, Refused
from tests.defects.releases import sealed
from tests.support.artifacts import read, write


@pytest.fixture
def release(builds: Path, tmp_path: Path, forms_once: None) -> Path:
    """Return a copy of the release of our schemas, outside the repository."""
    return Path(shutil.copytree(builds / "release" / "zh", tmp_path / "zh"))


def rewrite(release: Path, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Write the rows of a data file in both formats, and the checksums."""
    data = {f"data/{name}.jsonl": json_lines(rows), f"data/{name}.parquet": parquet(rows, release)}
    write(release, sealed(read(release) | data))


def findings(*releases: Path) -> list[str]:
    """Return what all suites of releases find, as `validate releases` prints it."""
    return [line for suite, paths in plan("releases", releases) for line in suite.check(paths).lines()]


def test_the_data_of_a_release_pass_the_suites_of_a_build(release: Path, builds: Path) -> None:
    steps = [(suite.name, path.name) for suite, paths in plan("release", [release]) for path in paths]
    assert steps == [
        ("releases", "zh"),
        *((suite, "zh.jsonl") for suite in ("items", "pairs", "labels", "variety", "artefacts", "analyses")),
        ("items", "rejected.jsonl"),
    ]
    names = {suite.name for suite, _ in plan("releases", [builds / "release" / "en"])}
    assert names == {"releases", "items", "pairs", "labels"}
    assert findings(release) == []


def test_a_fact_of_a_row_is_reported_by_the_suite_of_its_file(release: Path) -> None:
    rows = read(release / "data" / "zh.jsonl")
    rows[2]["question"] = rows[2]["question"].replace("？", "?")
    rewrite(release, "zh", rows)
    lines = findings(release)
    place = f"{release / 'data/zh.jsonl'}:3: [items/full-width-marks] 1 of {len(rows)}: {rows[2]['id']}"
    assert any(line.startswith(place) for line in lines), lines


def test_a_rejected_record_has_the_facts_of_an_item(release: Path) -> None:
    rows = read(release / "rejected.jsonl")
    rows[1]["text"] += "\u200b"
    write(release, sealed(read(release) | {"rejected.jsonl": json_lines(rows)}))
    assert {line.split(" ")[1] for line in findings(release)} == {
        "[items/no-invisible-character]",
        "[items/finished-sentence]",
        "[releases/metadata-follow-data]",
    }


def test_a_finding_names_file_line_id_field_and_both_values(release: Path) -> None:
    rows = read(release / "data" / "nli.jsonl")
    right = rows[4]["label"]
    rows[4]["label"] = "ENTAILMENT" if right == "NO ENTAILMENT" else "NO ENTAILMENT"
    rewrite(release, "nli", rows)
    (line,) = [
        line for line in findings(release) if "[releases/" in line and "[releases/metadata-follow-data]" not in line
    ]
    assert line.startswith(f"{release / 'data/nli.jsonl'}:5: [releases/nli] 1 of ")
    assert line.endswith(f"{rows[4]['id']}: label; found '{rows[4]['label']}', expected '{right}'")
    before = read(release / "data" / "nli.jsonl")
    before[0]["hypothesis"] = "小狗跑了。"
    (release / "data" / "nli.parquet").write_bytes(parquet(before, release))
    (line,) = [line for line in findings(release) if "[releases/formats-agree]" in line]
    assert "in data/nli.parquet, hypothesis; found '小狗跑了。', expected '" in line


def test_a_folder_of_releases_stands_for_all_of_them(builds: Path) -> None:
    assert {row.path.relative_to(builds / "release").parts[0] for row in RELEASES.rows([builds / "release"])} == {
        "de",
        "en",
        "zh",
        "zp-report",
    }


def test_a_release_under_another_name_and_away_from_its_sources_is_sound(
    builds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forms_once: None
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("zh", "en"):
        copy = shutil.copytree(builds / "release" / name, tmp_path / "a" / "b" / "c" / f"copy of {name}")
        assert read_release(copy).source is None
        assert findings(copy) == []
    card = copy / "README.md"
    text = card.read_text(encoding="utf-8")
    card.write_text("".join(line for line in text.splitlines(keepends=True) if not line.startswith("> ")), "utf-8")
    (line,) = [line for line in findings(copy) if "[releases/card-follows-data]" in line]
    assert "expected '> Test data, not for training: winoforge en " in line


def test_sources_beside_the_build_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = '[{name}]\ntitle = "{title}"\norigin = "O"\nlicence = "MIT"\nfile = "data.tsv"\n'
    for root, title in ((tmp_path / "here", "here"), (tmp_path / "there", "there")):
        (root / "raw").mkdir(parents=True)
        (root / "data.tsv").write_text("a\n")
        (root / "raw" / "SOURCES.toml").write_text(entry.format(name="t", title=title))
    monkeypatch.chdir(tmp_path / "here")
    for folder, title in (("there/build/release/t", "there"), ("elsewhere/build/release/t", "here")):
        source = declared_source(tmp_path / folder, "t")
        assert source is not None
        assert source.title == title
    assert declared_source(tmp_path / "there/build/release/u", "u") is None
    (tmp_path / "here" / "data.tsv").unlink()
    assert declared_source(tmp_path / "elsewhere/build/release/t", "t") is None


@pytest.mark.parametrize(
    ("name", "data", "place", "field"),
    [
        ("provenance.jsonl", b"origin\n", "provenance.jsonl:1", "json"),
        ("rejected.jsonl", b"\xff\xfe", "rejected.jsonl:1", "encoding"),
        ("data/nli.parquet", b"PAR1", "data/nli.parquet", "parquet"),
        ("data/tokens.jsonl", b"[1]\n", "data/tokens.jsonl:1", "json"),
        ("LICENSE", b"\0", "LICENSE:1", "encoding"),
        ("README.md", b"---\na: [\n---\n", "README.md:3", "yaml"),
    ],
)
def test_a_malformed_file_is_one_line(
    release: Path, refused: Refused, name: str, data: bytes, place: str, field: str
) -> None:
    write(release, sealed(read(release) | {name: data}))
    refused(lambda: findings(release), f"{release}/{place}", field)


def test_a_stray_data_file_does_not_hide_what_the_release_is(release: Path) -> None:
    for name in ("double", "a"):
        (release / "data" / f"{name}.jsonl").write_text("no JSON\n")
    assert {failure.row.path.name for failure in RELEASES.check([release]).failed()["known-files"]} == {
        "double.jsonl",
        "a.jsonl",
    }


def test_what_is_strange_in_the_folder_is_named(release: Path) -> None:
    (release / "empty").mkdir()
    (release / "link").symlink_to("README.md")
    (release / "data" / ".env").write_text("KEY=1\n")
    failed = RELEASES.check([release]).failed()["known-files"]
    assert {(failure.row.path.name, failure.reason.split(" '")[0]) for failure in failed} == {
        ("empty", "found a folder"),
        ("link", "found a link"),
        (".env", "found a file"),
    }


SOURCE = Source("T", "O", "CC-BY-4.0", "t.yaml", "0" * 64)
LICENCE = (ROOT / "raw" / "licences" / "CC-BY-4.0.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["de/variants/nli.jsonl", "en/single.jsonl"])
def test_an_empty_configuration_is_not_packed(builds: Path, tmp_path: Path, refused: Refused, name: str) -> None:
    folder = Path(shutil.copytree(builds / name.split("/")[0], tmp_path / name.split("/")[0]))
    assert release_files(folder, SOURCE, LICENCE)
    (tmp_path / name).write_bytes(b"")
    message = refused(lambda: release_files(folder, SOURCE, LICENCE), str(folder), "data")
    assert f"found no row for data/{Path(name).name}" in message


@pytest.mark.parametrize(
    ("licence", "text", "reason"),
    [
        ("WTF-1.0", LICENCE, "unknown licence of zh; found 'WTF-1.0', expected an SPDX identifier"),
        ("CC-BY-SA-4.0", LICENCE, "not the text of the licence of zh; found "),
        ("CC-BY-4.0", "TODO\n", "not the text of the licence of zh; found 'TODO"),
    ],
)
def test_another_licence_is_not_packed(builds: Path, refused: Refused, licence: str, text: str, reason: str) -> None:
    source = Source("T", "O", licence, "t.yaml", "0" * 64)
    assert reason in refused(lambda: release_files(builds / "zh", source, text), "", "licence")


# --- tables that no release has ---------------------------------------------------------------------------------------

HERE = Path("nli.jsonl")


@pytest.mark.parametrize("value", ["b", {"b": 1}, [1], 2**70])
def test_rows_of_different_kinds_are_refused(value: Any, refused: Refused) -> None:
    message = refused(lambda: parquet([{"a": 1}, {"a": value}], HERE), "nli.jsonl", "parquet")
    assert "expected each field of one kind" in message


@pytest.mark.parametrize(("limit", "what"), [("MAX_ROWS", "2 rows"), ("MAX_SIZE", "bytes")])
def test_a_table_that_unpacks_to_too_much_is_refused(
    limit: str, what: str, tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": "a"}, {"id": "b"}]
    tables = {"data/zh.jsonl": json_lines(rows), "data/zh.parquet": parquet(rows, HERE)}
    write(tmp_path, {"README.md": b"# Card\n", **tables})
    assert release_rows([tmp_path])
    monkeypatch.setattr(releases, limit, 1)
    message = refused(lambda: release_rows([tmp_path]), str(tmp_path / "data" / "zh.parquet"), "parquet")
    assert what in message
    assert "expected at most 1" in message
