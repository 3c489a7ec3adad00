"""Names of files that a terminal would not show as they are, or that are not UTF-8."""

import json
import os
from pathlib import Path

import pytest

from tests.support.commands import winoforge
from tests.support.validation import sound_pair, write_rows

NAMES = [b"a\xff.jsonl", b"a\nb.jsonl", b"a\x1b[31mb.jsonl", "a\u202eb.jsonl".encode()]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_name_is_printed_on_one_line(tmp_path: Path, name: bytes, option: tuple[str, ...]) -> None:
    path = tmp_path / os.fsdecode(name)
    write_rows(path, sound_pair())
    run = winoforge("zero", path, "--out", f"{path}.out", *option)
    assert (run.returncode, run.stderr) == (0, "")
    assert "\x1b" not in run.stdout
    if option:
        assert json.loads(run.stdout)
    else:
        assert len(run.stdout.splitlines()) == 1


def test_a_finding_about_such_a_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31m.jsonl"
    path.write_bytes(b"")
    run = winoforge("validate", "items", path)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1
    assert "\x1b" not in run.stderr


@pytest.mark.parametrize("content", [b"", b'{"id": "t-0001-a"}\n'], ids=["empty", "wrong"])
def test_the_documents_of_a_file_whose_name_is_not_utf_8(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / os.fsdecode(b"a\xff.jsonl")
    path.write_bytes(content)
    run = winoforge("validate", "items", path, "--docs", tmp_path / "docs")
    assert run.returncode == 1
    assert "U+DCFF" in (tmp_path / "docs" / "index.html").read_text(encoding="utf-8")


def test_a_name_that_is_not_utf_8_goes_into_no_data(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a\xff.yaml")
    path.write_text(
        "- {occupation: baker, participant: guest, nominative: {double: 'The $OCCUPATION saw the $PARTICIPANT because "
        "$NOM_PRONOUN {ran|sat}.', occupation: 'The $OCCUPATION sat, since $NOM_PRONOUN ran.', "
        "participant: 'The $PARTICIPANT sat, since $NOM_PRONOUN ran.'}}\n"
    )
    run = winoforge("instantiate", path, "--out", tmp_path / "out")
    assert run.returncode == 2
    assert "half of a surrogate pair; found U+DCFF" in run.stderr
    assert not (tmp_path / "out").exists()
