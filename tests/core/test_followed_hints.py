"""Each hint of a message, followed: the file that gives it, the command, the hint, what a user then does, and that the command arrives."""

import bz2
import dataclasses
import gzip
import json
import lzma
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from pipeline.core.hints import encoding_hint, markup_hint
from tests.support.commands import winoforge
from tests.support.schemas import SCHEMA

FIRST = {
    "id": "zh-0001-a",
    "schema": "zh-0001",
    "version": "a",
    "lang": "zh",
    "text": "奖杯放不进箱子，因为它太大了。",
    "target": {"start": 10, "end": 11},
}
ITEM = FIRST | {"candidates": ["奖杯", "箱子"], "answer": 0, "question": "什么太大？", "source": "", "note": ""}
LINE = json.dumps(ITEM, ensure_ascii=False) + "\n"
ZERO = "zero FILE --out out.jsonl"
Make = Callable[[Path], object]


def shell(command: str) -> Make:
    """Return what runs a command line in the folder of a file."""
    return lambda path: subprocess.run(["bash", "-c", command.replace("FILE", path.name)], cwd=path.parent, check=True)


def nothing(path: Path) -> None:
    """Give the next command as the hint says, and nothing else."""


def archive(**files: str) -> Make:
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as stream:
            for name, text in files.items():
                stream.writestr(name.replace("__", "/"), text)

    return make


def database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE lines (line TEXT)")
        connection.execute("INSERT INTO lines VALUES (?)", (LINE.strip(),))


def text(content: str, encoding: str = "utf-8") -> Make:
    return lambda path: path.write_bytes(content.encode(encoding))


def data(content: bytes) -> Make:
    return lambda path: path.write_bytes(content)


@dataclasses.dataclass(frozen=True)
class Case:
    """A file, the command that refuses it with a hint, what the hint says to do, and the file that the command then takes."""

    make: Make
    hint: str
    way: Make
    then: str
    command: str = ZERO


CASES = {
    "gbk": Case(text(LINE, "gb18030"), "(iconv -f gb18030 -t utf-8; Excel", shell("iconv -f gb18030 -t utf-8 FILE > new"), "new"),
    "utf-16": Case(text(LINE, "utf-16"), "(iconv -f utf-16 -t utf-8)", shell("iconv -f utf-16 -t utf-8 FILE > new"), "new"),
    "utf-32": Case(text(LINE, "utf-32"), "(iconv -f utf-32 -t utf-8)", shell("iconv -f utf-32 -t utf-8 FILE > new"), "new"),
    "gzip": Case(data(gzip.compress(LINE.encode())), "(gunzip FILE)", shell("mv FILE new.gz; gunzip new.gz"), "new"),
    "bzip2": Case(data(bz2.compress(LINE.encode())), "(bunzip2 FILE)", shell("mv FILE new.bz2; bunzip2 new.bz2"), "new"),
    "xz": Case(data(lzma.compress(LINE.encode())), "(unxz FILE)", shell("mv FILE new.xz; unxz new.xz"), "new"),
    "zip": Case(archive(new=LINE), "a zip archive of 'new'; unpack it (unzip FILE)", shell("unzip -q FILE"), "new"),
    "zips": Case(archive(new=LINE, b="", c=""), "a zip archive of 3 files, new, b, c; unpack it", shell("unzip -q FILE"), "new"),
    "list": Case(text(f"[{LINE}]"), "(jq -c '.[]' converts it)", shell("jq -c '.[]' FILE > new"), "new"),
    "object": Case(text(json.dumps(ITEM, indent=1)), "(jq -c . converts it)", shell("jq -c . FILE > new"), "new"),
    "parquet": Case(
        lambda path: pd.DataFrame([ITEM]).to_parquet(path),
        "pandas.read_parquet('FILE').to_json('FILE.jsonl', orient='records', lines=True, force_ascii=False)",
        lambda path: pd.read_parquet(path).to_json(f"{path}.jsonl", orient="records", lines=True, force_ascii=False),
        "FILE.jsonl",
    ),
    "sqlite": Case(
        database, "(sqlite3 -json FILE 'SELECT …' | jq -c '.[]')",
        shell("sqlite3 -json FILE 'SELECT * FROM lines' | jq -c '.[].line | fromjson' > new"), "new",
    ),
    "folder": Case(lambda path: (path.mkdir(), text(LINE)(path / "a.jsonl")), "such as FILE/a.jsonl", nothing, "FILE/a.jsonl"),
    "near": Case(lambda path: text(LINE)(path.with_name("FILES")), "did you mean FILES?", nothing, "FILES"),
    "schemas": Case(
        text(SCHEMA), "found a file named '.yaml', expected items (JSON Lines), or its --format: ", nothing,
        "s.yaml --format schema-yaml", "translate s.yaml --dry-run --lang zh --out out",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_hint_that_is_followed_arrives(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = "s.yaml" if "s.yaml" in case.command else "FILE"
    case.make(tmp_path / file)
    refused = winoforge(*case.command.split(), cwd=tmp_path)
    assert (refused.returncode, case.hint in refused.stderr) == (2, True), refused.stderr
    assert refused.stderr.count("\n") == 1
    case.way(tmp_path / file)
    again = winoforge(*case.command.replace(file, case.then, 1).split(), cwd=tmp_path)
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (archive(**{"[Content_Types].xml": "", "xl__workbook.xml": ""}), "an Excel workbook; export it as text in UTF-8 (a table: CSV"),
        (archive(**{"[Content_Types].xml": "", "word__document.xml": ""}), "a Word document; export it as text"),
        (archive(mimetype="application/vnd.oasis.opendocument.spreadsheet", **{"content.xml": ""}), "an OpenDocument file; export it"),
        (archive(**{"_journal__start.json": "{}"}), "a log of Inspect; winoforge evaluate import --format inspect reads it"),
        (archive(**{"study_result_1__data.txt": "{}"}), "an archive of JATOS; winoforge experiment import reads it"),
        (data(b"\xd0\xcf\x11\xe0\xa1\xb1"), "an old Excel or Word file; export it as text"),
        (data(b"\x80\x04\x95\x10"), "a Python pickle; have its author export JSON Lines"),
        (data(b"%PDF-1.7\n\xe2\xe3"), "a PDF; give the file that it was made from"),
        (data(b"\x89PNG\r\n\x1a\n\0"), "an image; give the text"),
        (text("<!DOCTYPE html>\n<html><title>Data</title>"), "a web page; download the file itself (on GitHub and Hugging Face: Raw)"),
        (text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), "a pointer of Git LFS; fetch the file itself (git lfs pull)"),
        (text("{\\rtf1 a}"), "a text with formatting (RTF); save it as plain text"),
        (text("<?xml version='1.0'?>\n<collection/>"), "XML; export it as text in UTF-8, or see the formats of winoforge ingest"),
    ],
)  # fmt: skip
def test_a_file_of_another_program_is_named_with_its_way_out(make: Make, kind: str, tmp_path: Path) -> None:
    make(tmp_path / "FILE")
    run = winoforge(*ZERO.split(), cwd=tmp_path)
    assert (run.returncode, f": this is {kind}" in run.stderr) == (2, True), run.stderr


def test_the_beginning_of_an_archive_tells_what_its_first_file_is(tmp_path: Path) -> None:
    archive(**{"[Content_Types].xml": "x" * 99, "xl__workbook.xml": ""})(tmp_path / "a.xlsx")
    assert "an Excel or Word file" in encoding_hint((tmp_path / "a.xlsx").read_bytes()[:80])
    assert "a zip archive, such as an Excel or Word file; export it" in encoding_hint(b"PK\x03\x04")
    assert (markup_hint("[]"), markup_hint("")) == ("", "")


def test_a_folder_of_another_kind_is_named_with_its_command(tmp_path: Path) -> None:
    build, release = tmp_path / "builds" / "zh", tmp_path / "releases" / "zh"
    for folder, names in ((build, ("kept.jsonl", "rejected.jsonl")), (release, ("SHA256SUMS", "README.md"))):
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).write_text("", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for command, hint in {
        f"validate items {build}": f"this is a build, `winoforge validate build {build}` checks it whole",
        f"validate items {release}": f"this is a release, `winoforge verify {release}` checks it whole",
        f"zero {tmp_path / 'empty'} --out out.jsonl": f"{tmp_path / 'empty'}: [file] a folder; expected a file",
        f"verify {build}": f"found a build, expected a release: `winoforge validate build {build}` checks it",
        f"verify {tmp_path / 'release'}": f"found no such folder, expected one that winoforge release wrote; did you mean {release.parent}",
        f"release {release} --out out": f"{release}: [build] a release; expected the build that it was made of",
        f"release {build.parent} --out out": f"found the builds zh in it, expected one of them, such as {build}",
        "annotate plan design.yaml --raters 1": "[raters] wrong value; found '1', expected a number greater than or equal to 2",
    }.items():
        run = winoforge(*command.split(), cwd=tmp_path)
        assert (run.returncode, hint in run.stderr) == (2, True), run.stderr
