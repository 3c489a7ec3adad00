"""The fuzzer finds and keeps a crash, and no case that it kept crashes any more."""

import shutil
from pathlib import Path
from random import Random

import pytest

from tools.fuzz import targets
from tools.fuzz.__main__ import CASES, crash_of, fuzz
from tools.fuzz.mutations import mutated
from tools.fuzz.targets import TARGETS, Target

FILES = {
    "a.jsonl": b'{"id": "a", "span": {"start": 0}}\n{"id": "b"}\n',
    "a.tsv": b"id\tanswer\na\t0\n",
    "a.yaml": b"- id: a\n  texts: [b, c]\n",
    "a.xml": b"<a><b>c</b></a>\n",
}


@pytest.mark.parametrize("case", sorted(CASES.glob("*/*")), ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_case_that_was_kept_does_not_crash(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINOFORGE_ARCHIVE_PASSWORD", "open")
    shutil.copytree(case, tmp_path / "case")
    assert not crash_of(TARGETS[case.parent.name], tmp_path / "case")


@pytest.mark.parametrize("name", FILES)
def test_the_same_seed_gives_the_same_changes(name: str) -> None:
    first, second = ([mutated(FILES[name], name, random) for _ in range(50)] for random in (Random(3), Random(3)))
    assert first == second
    assert len(set(first)) > 25


def test_a_crash_is_found_and_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds, cases = tmp_path / "seeds", tmp_path / "cases"
    seeds.mkdir()
    (seeds / "items.jsonl").write_bytes(FILES["a.jsonl"])

    def crashing(_: object) -> object:
        def command(*_: object, **__: object) -> None:
            if b'"b"' not in Path("items.jsonl").read_bytes():
                raise ZeroDivisionError

        return command

    monkeypatch.setattr(targets, "application", crashing)
    runs, places = fuzz(Target("test", "zero items.jsonl"), seeds, 0.5, 0, cases)
    assert runs > 1
    assert places == 1
    (case,) = (cases / "test").iterdir()
    assert (case / "items.jsonl").read_bytes() == b""
