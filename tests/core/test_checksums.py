"""SHA256SUMS of releases."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.core.checksums import CHECKSUMS, checksum_faults, checksums_of, is_as_recorded
from pipeline.core.errors import PipelineError
from pipeline.core.rules import RULES, rules_digest
from tests.conftest import Refused

#: ``printf abc | sha256sum``, FIPS 180-2's own example; and of nothing.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_bytes(b"abc")
    (folder / "data" / "items.jsonl").write_bytes(b"")
    (folder / CHECKSUMS).write_text(f"{ABC}  README.md\n{EMPTY}  data/items.jsonl\n")
    return folder


def test_checksums_are_sorted_lines_of_coreutils() -> None:
    assert checksums_of({"b": b"", "a/c": b"abc"}) == f"{ABC}  a/c\n{EMPTY}  b\n"
    assert checksums_of({}) == ""


def test_a_whole_release_has_nothing_wrong(release: Path) -> None:
    assert checksum_faults(release) == []
    (release / CHECKSUMS).write_bytes((release / CHECKSUMS).read_bytes().replace(b"  ", b" *").replace(b"\n", b"\r\n"))
    assert checksum_faults(release) == []


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no coreutils here")
def test_coreutils_reads_what_we_write(tmp_path: Path) -> None:
    files = {"a.txt": b"abc", "箱子 b.jsonl": "箱子\n".encode(), "c": b""}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / CHECKSUMS).write_text(checksums_of(files), encoding="utf-8")
    check = ["sha256sum", "--check", "--strict", CHECKSUMS]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert checksum_faults(tmp_path) == []
    (tmp_path / "a.txt").write_bytes(b"abd")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    assert len(checksum_faults(tmp_path)) == 1


def test_changed_missing_and_added_files_are_all_named(release: Path) -> None:
    (release / "README.md").write_bytes(b"abcd")
    (release / "data" / "items.jsonl").unlink()
    (release / "data" / "extra").write_bytes(b"")
    (release / ".hidden").write_bytes(b"")
    changed, missing, *unlisted = checksum_faults(release)
    assert changed[0] == "README.md"
    assert changed[1].startswith("the file has changed; ")
    assert changed[1].endswith("expected ba7816bf8f01…")
    assert missing == ("data/items.jsonl", "missing file")
    assert unlisted == [(name, "not listed in SHA256SUMS") for name in (".hidden", "data/extra")]


def test_a_folder_named_like_a_file_is_a_missing_file(release: Path) -> None:
    (release / "README.md").unlink()
    (release / "README.md").mkdir()
    assert checksum_faults(release) == [("README.md", "missing file")]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("README.md", "checksum"),
        (f"{ABC}", "checksum"),
        (f"{ABC}  ", "checksum"),
        (f"{ABC} README.md", "checksum"),
        (f"{ABC}\tREADME.md", "checksum"),
        (f"{ABC[:-1]}  README.md", "checksum"),
        (f"{ABC}0  README.md", "checksum"),
        (f"{ABC[:-1]}g  README.md", "checksum"),
        (f"{ABC.upper()}  README.md", "checksum"),
        ("", "checksum"),
        (f"{ABC}  ../secret", "name"),
        (f"{ABC}  data/../../secret", "name"),
        (f"{ABC}  /etc/passwd", "name"),
        (f"{ABC}  link", "name"),
        (f"{ABC}  ring", "name"),
        (f"{ABC}  {'x' * 5000}", "name"),
        (f"{ABC}  a\0b", "encoding"),
    ],
)
def test_a_malformed_line_is_refused(refused: Refused, release: Path, line: str, field: str) -> None:
    (release.parent / "secret").write_bytes(b"abc")
    (release / "link").symlink_to(release.parent / "secret")
    (release / "ring").symlink_to(release / "ring")
    with (release / CHECKSUMS).open("a") as stream:
        stream.write(f"{line}\n")
    refused(lambda: checksum_faults(release), f"{release / CHECKSUMS}:3", field)


def test_a_release_without_checksums_is_refused(refused: Refused, release: Path) -> None:
    (release / CHECKSUMS).write_bytes(b"")
    refused(lambda: checksum_faults(release), f"{release / CHECKSUMS}:1", "checksum")
    (release / CHECKSUMS).write_bytes(f"{ABC}  caf\xe9\n".encode("latin-1"))
    refused(lambda: checksum_faults(release), f"{release / CHECKSUMS}:1", "encoding")
    (release / CHECKSUMS).unlink()
    refused(lambda: checksum_faults(release), str(release / CHECKSUMS), "file")


def test_a_link_out_of_the_release_is_not_followed(release: Path) -> None:
    (release.parent / "secret").write_bytes(b"abc")
    (release / "README.md").unlink()
    (release / "README.md").symlink_to(release.parent / "secret")  # the right bytes in the wrong place
    with pytest.raises(PipelineError, match="leaves the release"):
        checksum_faults(release)


def test_the_digest_of_the_rules_is_over_names_and_contents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert (RULES / "questions" / "zh.yaml").is_file()
    monkeypatch.setattr("pipeline.core.rules.RULES", tmp_path)
    (tmp_path / "zh").mkdir()
    (tmp_path / "b.yaml").write_bytes(b"b: 1\n")
    (tmp_path / "zh" / "a.yaml").write_bytes(b"")
    (tmp_path / "README.md").write_bytes(b"not a rule")
    digest = hashlib.sha256(b"b.yaml 5\nb: 1\nzh/a.yaml 0\n").hexdigest()
    expected = f"sha256:{digest}"
    assert rules_digest() == expected
    (tmp_path / "evaluation" / "prompts").mkdir(parents=True)
    (tmp_path / "evaluation" / "prompts" / "c.yaml").write_bytes(b"changes no output")
    (tmp_path / "validation").mkdir()
    (tmp_path / "validation" / "profiles.yaml").write_bytes(b"made no item")
    assert rules_digest() == expected
    (tmp_path / "b.yaml").rename(tmp_path / "c.yaml")
    assert rules_digest() != expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda build: (build / "items.jsonl").touch(), True),
        (lambda build: (build / ".valid").touch(), True),
        (lambda build: (build / "audit" / "index.html").write_bytes(b"abd"), False),
        (lambda build: (build / "audit" / "new.html").touch(), False),
        (lambda build: (build / "items.jsonl").unlink(), False),
        (lambda build: (build / ".asked" / "ingest.made").unlink(), False),
    ],
)
def test_a_build_is_as_recorded_until_a_file_of_it_differs(
    change: Callable[[Path], object], expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build = Path("build/zh")
    (build / ".asked").mkdir(parents=True)
    (build / "audit").mkdir()
    (build / "items.jsonl").write_bytes(b"")
    (build / "audit" / "index.html").write_bytes(b"abc")
    (build / ".asked" / "ingest.made").write_text(f"{EMPTY}  build/zh/items.jsonl\n")
    (build / ".asked" / "audit.made").write_text(f"{ABC}  build/zh/audit/index.html\n{EMPTY}  build/en/double.tsv\n")
    change(build)
    assert is_as_recorded(build, build / ".asked") is expected
