"""Where a release is written, and what it deletes there."""

import os
from pathlib import Path

import pytest

from pipeline.core import outputs
from pipeline.core.errors import PipelineError
from pipeline.release import gate
from pipeline.release.gate import write_release
from tests.conftest import Refused
from tests.defects.releases import sealed
from tests.support.artifacts import read


def release(*names: str) -> dict[str, bytes]:
    return sealed({name: b"content of " + name.encode() for name in names})


def test_a_release_replaces_an_earlier_one(tmp_path: Path) -> None:
    write_release(tmp_path, release("README.md", "data/old.jsonl"))
    (tmp_path / "data" / ".old.jsonl.0123456789abcdef.tmp").touch()  # a writer was killed
    files = release("README.md", "data/new.jsonl")
    write_release(tmp_path, files)
    assert read(tmp_path) == files


@pytest.mark.parametrize("name", ["items.jsonl", ".git/HEAD", "data/notes.txt"])
@pytest.mark.parametrize("earlier", [True, False])
def test_a_folder_of_other_files_stays_as_it_is(refused: Refused, tmp_path: Path, name: str, earlier: bool) -> None:
    if earlier:
        write_release(tmp_path, release("README.md"))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("by hand")
    before = read(tmp_path)
    message = refused(lambda: write_release(tmp_path, release("data/new.jsonl")), str(tmp_path), "out")
    assert f"found {name!r}" in message
    assert read(tmp_path) == before


def test_an_interrupted_release_has_no_checksums_and_is_written_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_release(tmp_path, release("README.md", "data/old.jsonl"))
    files = release("README.md", "data/a.jsonl", "data/b.jsonl")

    def write(path: Path, data: bytes) -> None:
        if path.name == "b.jsonl":
            raise KeyboardInterrupt
        outputs.write_bytes(path, data)

    monkeypatch.setattr(gate, "write_bytes", write)
    with pytest.raises(KeyboardInterrupt):
        write_release(tmp_path, files)
    assert read(tmp_path).keys() == {"README.md", "data/a.jsonl"}
    monkeypatch.undo()
    write_release(tmp_path, files)
    assert read(tmp_path) == files


def test_a_release_with_a_read_only_file_stays_whole(tmp_path: Path) -> None:
    files = release("README.md", "data/a.jsonl")
    write_release(tmp_path, files)
    (tmp_path / "data" / "a.jsonl").chmod(0o444)
    with pytest.raises(PipelineError, match=r"a\.jsonl: \[file\] read-only"):
        write_release(tmp_path, release("README.md", "data/a.jsonl", "data/b.jsonl"))
    assert read(tmp_path) == files


def test_a_file_in_place_of_the_folder_is_named(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "zh").write_text("a file")
    refused(lambda: write_release(tmp_path / "zh", release("README.md")), str(tmp_path / "zh" / "README.md"), "file")
    os.mkfifo(tmp_path / "pipe")
    refused(lambda: write_release(tmp_path, release("README.md")), str(tmp_path), "out")
