"""The fuzzer knows every reader, finds and keeps a crash, and no case that it kept crashes any more."""

import bz2
import inspect
import io
import shlex
import shutil
import zipfile
from pathlib import Path
from random import Random

import pytest

from pipeline.cli import COMMANDS, load_command
from pipeline.cli.report import inputs_of
from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.core.rules import RULES
from pipeline.corpus.formats.registry import FORMATS
from pipeline.language.parsing.backends import BACKENDS
from pipeline.release.gate import BUILD, SUITES
from pipeline.release.tables import parquet
from pipeline.winograd.readers import READERS
from pipeline.winopron.systems import SYSTEMS
from tests.cli.test_kills import STAGES
from tools.fuzz import readers, targets
from tools.fuzz.__main__ import CASES, crash_of, fuzz
from tools.fuzz.containers import PASSWORD, with_checksums
from tools.fuzz.mutations import mutated
from tools.fuzz.targets import NOT_FUZZED, TARGETS, Target, run


def _archive() -> bytes:
    with io.BytesIO() as sink:
        with zipfile.ZipFile(sink, "w") as archive:
            archive.writestr("a.tsv", "id\tanswer\na\t0\n")
        return sink.getvalue()


FILES = {
    "a.jsonl": b'{"id": "a", "span": {"start": 0}}\n{"id": "b"}\n',
    "a.json": b'{"id": "a", "rows": [1, 2]}\n',
    "a.tsv": b"id\tanswer\na\t0\n",
    "a.yaml": b"- id: a\n  texts: [b, c]\n",
    "a.md": b"---\nlicense: cc-by-4.0\n---\n# A\n",
    "a.toml": b'[zh]\ntitle = "A"\n',
    "a.xml": b"<a><b>c</b></a>\n",
    "a.xml.bz2": bz2.compress(b"<a><b>c</b></a>\n"),
    "a.zip": _archive(),
    "a.parquet": parquet([{"id": "a", "answer": 0}, {"id": "b", "answer": 1}], Path("a.parquet")),
}


# --- every reader has a target ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, target in TARGETS.items() if target not in STAGES.values()])
def test_every_seed_is_accepted(name: str, seeds: Path, tmp_path: Path) -> None:
    """The kill tests run the others."""
    target = TARGETS[name]
    for file in target.inputs(seeds):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(seeds / file, tmp_path / file)
    assert target.inputs(seeds)
    assert not run(target, tmp_path)


def _words(command: str) -> list[list[str]]:
    """Return the words of each target of a command."""
    return [
        words
        for target in TARGETS.values()
        for words in [shlex.split(target.command)]
        if words[: command.count(" ") + 1] == command.split()
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_input_of_a_command_has_a_target(command: str) -> None:
    assert _words(command) or command in NOT_FUZZED
    options = {
        name for name in inputs_of(inspect.signature(load_command(command), eval_str=True)) if name.startswith("--")
    }
    given = {word for words in _words(command) for word in words}
    assert {f"{command} {option}" for option in options - given} <= NOT_FUZZED.keys()


def test_every_suite_and_format_has_a_target() -> None:
    words = {word for target in TARGETS.values() for word in shlex.split(target.command)}
    assert {words[1] for words in _words("validate")} == {*SUITES, BUILD}
    assert {*READERS, *FORMATS, *BACKENDS, *SYSTEMS} - words <= NOT_FUZZED.keys()


def test_every_table_of_the_rules_has_a_reader() -> None:
    read = [
        RULES / Path(file).relative_to(readers.FOLDER)
        for files, _ in readers.READERS.values()
        for file in files
        if file.startswith("rules/")
    ]
    tables = {
        path for path in RULES.rglob("*") if path.suffix in (".yaml", ".conllu") and path.parent.name != "questions"
    }
    assert {path for path in tables if not any(path.is_relative_to(file) for file in read)} == set()


# --- changes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_the_same_seed_gives_the_same_changes(name: str) -> None:
    first, second = ([mutated(FILES[name], name, random) for _ in range(50)] for random in (Random(3), Random(3)))
    assert first == second
    assert len(set(first)) > 25


def test_the_checksums_of_a_changed_release_fit() -> None:
    files = {"zh/data.jsonl": b"{}\n", "zh/a/b": b"", "en/other": b"", f"zh/{CHECKSUMS}": b"old\n"}
    renewed = with_checksums(files)[f"zh/{CHECKSUMS}"].decode()
    assert renewed == checksums_of({"data.jsonl": b"{}\n", "a/b": b""})


# --- crashes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", sorted(CASES.glob("*/*")), ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_case_that_was_kept_does_not_crash(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINOFORGE_ARCHIVE_PASSWORD", PASSWORD)
    shutil.copytree(case, tmp_path / "case")
    assert not crash_of(TARGETS[case.parent.name], tmp_path / "case")


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


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [("a.jsonl", b"{}", "half written"), (".a.jsonl.0123456789abcdef.tmp", b"", "temporary file left")],
)
def test_a_file_that_is_not_whole_is_a_crash(
    name: str, data: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "_run", lambda _: str((Path("out") / name).write_bytes(data)))
    assert reason in crash_of(Target("test", "zero items.jsonl"), tmp_path)
