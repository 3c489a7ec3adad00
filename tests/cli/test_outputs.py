"""What a command does with its outputs: refused before anything is read, piped on, full, closed."""

import contextlib
import inspect
import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.cli import COMMANDS, load_command
from pipeline.cli.report import Updates, Writes, runnable
from pipeline.core.errors import PipelineError
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tests.support.schemas import SCHEMA

WINOFORGE = Path(sys.executable).with_name("winoforge")


def outputs_of(command: str) -> Iterator[tuple[str, str, Writes | None]]:
    """Yield name, help and files of each output of a command."""
    function = load_command(command)
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        described = getattr(parameter.annotation, "__metadata__", ())
        texts = [entry.help for entry in described if str(getattr(entry, "help", "")).startswith("Output:")]
        for text in texts:
            yield name, text, next((entry for entry in described if isinstance(entry, Writes)), None)


@pytest.mark.parametrize(("command", "named"), [
    ("ingest SAME --format schema-yaml --out SAME --skipped s", "SAME for FILE and --out"),
    ("ingest SAME --format schema-yaml --out o --skipped ./SAME", "SAME for FILE and --skipped"),
    ("exclude i --parses l --parses SAME --kept k --rejected SAME", "SAME for --parses and --rejected"),
    ("pmi SAME --terms t --counts c --out o --report SAME", "SAME for ITEMS and --report"),
    ("corpus count c SAME --format text --terms t --window 3 --out SAME", "SAME for CORPUS and --out"),
    ("variants DIR/nli.jsonl --out LINK", "DIR/nli.jsonl for ITEMS and --out"),
    ("audit --items i --skipped s --rejected r --decisions d --parses DIR/audit.tsv --out LINK", "DIR/audit.tsv for --parses and --out"),
    ("validate items a DIR/01-items.html --docs LINK", "DIR/01-items.html for FILE and --docs"),
    ("winopron figures a DIR/accuracy.svg --out LINK", "DIR/accuracy.svg for PREDICTIONS and --out"),
])  # fmt: skip
def test_an_output_that_is_an_input_is_refused_before_anything_is_read(
    tmp_path: Path, command: str, named: str
) -> None:
    (tmp_path / "DIR").mkdir()
    (tmp_path / "LINK").symlink_to("DIR")
    same = tmp_path / named.split(" ")[0]
    same.write_text("before")
    run = winoforge(*command.split(), cwd=tmp_path)
    assert run.stderr == f"[out] output is an input; found {named}, expected another file\n"
    assert run.returncode == 2
    assert same.read_text() == "before"
    assert len(list(tmp_path.rglob("*"))) == 3


def places() -> Iterator[tuple[str, str, str]]:
    """Yield each command with each of its outputs and each folder or file that it reads; a study keeps what is said of it."""
    for command in COMMANDS:
        parameters = inspect.signature(load_command(command), eval_str=True).parameters
        paths = {name: of for name, of in parameters.items() if "Path" in str(of.annotation.__origin__)}
        written = {name for name, of in paths.items() if is_written(of)}
        homes = {(name, mark.home) for name in written for mark in marks(paths[name]) if isinstance(mark, Writes)}
        pairs = itertools.product(written, {"", *paths} - written)
        yield from ((command, *pair) for pair in sorted(pairs) if pair not in homes or not pair[1])


def marks(parameter: inspect.Parameter) -> tuple[object, ...]:
    return tuple(parameter.annotation.__metadata__)


def is_written(parameter: inspect.Parameter) -> bool:
    return Updates in marks(parameter) or str(getattr(marks(parameter)[0], "help", "")).startswith("Output:")


@pytest.mark.parametrize(("command", "output", "source"), list(places()))
def test_no_output_lies_in_a_folder_that_is_read_or_in_a_release(
    tmp_path: Path, command: str, output: str, source: str
) -> None:
    """Each output with each input that may be a folder, and each output in a release of which nothing is read."""
    folder, link = tmp_path / "folder", tmp_path / "link"
    (folder / "data").mkdir(parents=True)
    link.symlink_to("folder")
    for name in () if source else ("SHA256SUMS", "README.md"):
        (folder / name).touch()
    function = load_command(command)
    parameters = inspect.signature(function, eval_str=True).parameters
    of = {
        name: (lambda path: [path]) if "list" in str(parameters[name].annotation.__origin__) else Path
        for name in parameters
    }
    for path in (folder, folder / "new", link / "data" / "new", folder / "data" / ".." / "new"):
        values = dict.fromkeys((*parameters, "quiet", "as_json")) | {output: of[output](path)}
        values |= {source: of[source](link)} if source else {}
        with pytest.raises(
            PipelineError, match=r"\[out\] output lies in a (folder that the command reads|release); found "
        ):
            runnable(function)(**values)
    assert (
        sorted(path.name for path in folder.rglob("*")) == ["data"] if source else ["README.md", "SHA256SUMS", "data"]
    )


def test_a_folder_output_says_which_files_are_written_there() -> None:
    outputs = [output for command in COMMANDS for output in outputs_of(command)]
    assert len(outputs) > 20
    assert [name for name, text, writes in outputs if ("folder" in text) != (writes is not None)] == []


def test_the_files_in_a_folder_are_those_that_the_option_names(tmp_path: Path) -> None:
    assert winoforge("instantiate", ROOT / "raw" / "en" / "templates.yaml", "--out", tmp_path).returncode == 0
    ((_, _, writes),) = outputs_of("instantiate")
    assert writes is not None
    assert {path.name for path in tmp_path.iterdir()} == {*writes.names} - {"all_sentences.tsv"}


@pytest.mark.parametrize(("command", "message"), [
    ("zero none --out read-only", "read-only: [file] read-only"),
    ("ingest none --format pws-tsv --out new --skipped read-only", "read-only: [file] read-only"),
    ("parse none --backend udpipe --lock read-only", "read-only: [file] read-only"),
    ("variants none --out .", "nli.jsonl: [file] read-only"),
    (f"variants none --out {'n' * 300}", f"{'n' * 300}: [file] cannot be written; File name too long"),
    ("corpus count c --format text --terms t --window 3 --out o --resume read-only", "read-only: [file] cannot be written; /"),
    ("zero none --out .", ".: [file] cannot be written; Is a directory"),
    ("zero none --out read-only/f", "read-only/f: [file] cannot be written; Not a directory"),
    ("variants none --out read-only", "read-only: [file] cannot be written; "),
    ("variants none --out -", "-: [file] cannot be written; standard output is not a folder"),
    ("ingest none --format pws-tsv --out - --skipped /dev/stdout", "[out] same file given twice"),
])  # fmt: skip
def test_what_cannot_be_written_is_refused_before_anything_is_read(tmp_path: Path, command: str, message: str) -> None:
    for name in ("read-only", "nli.jsonl"):
        (tmp_path / name).touch(0o444)
    run = winoforge(*command.split(), cwd=tmp_path)
    assert run.stderr.startswith(message)
    assert run.returncode == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_two_releases_of_one_name_are_refused(tmp_path: Path) -> None:
    run = winoforge("release", "a/zh", "b/zh", "--out", "folder", cwd=tmp_path)
    assert run.stderr == "[out] two releases of the same name; found a/zh and b/zh, expected one of them at a time\n"
    assert run.returncode == 2


def test_a_manifest_is_not_written_over_a_released_file(tmp_path: Path) -> None:
    for name in ("SHA256SUMS", "README.md", "lock"):
        (tmp_path / "releases" / "zh").mkdir(parents=True, exist_ok=True)
        (tmp_path / "releases" / "zh" / name).touch()
    lock, card = "releases/zh/lock", "releases/zh/README.md"
    run = winoforge("manifest", "releases", "--parses", lock, "--out", card, cwd=tmp_path)
    found = f"found {card} for --out in releases for RELEASES, expected a path outside it"
    assert run.stderr == f"[out] output lies in a folder that the command reads; {found}\n"
    assert (tmp_path / card).read_bytes() == b""


def test_commands_are_piped_together(tmp_path: Path) -> None:
    arguments = ("ingest", "-", "--format", "schema-yaml", "--out", "-", "--skipped", "/dev/null")
    first = winoforge(*arguments, stdin=SCHEMA, cwd=tmp_path)
    assert first.stderr.startswith("-: 2 items + 0 skipped = 2 records read\n")
    second = winoforge("zero", "-", "--out", "-", stdin=first.stdout, cwd=tmp_path)
    assert second.stderr == "-: 2 items in, 2 zero forms out\n"
    assert ["Ø" in json.loads(line)["text_zero"] for line in second.stdout.splitlines()] == [True, True]
    assert winoforge("zero", "-", "--out", "-", stdin="{\n", cwd=tmp_path).stderr.startswith("-:1: [json] not JSON")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("command", "status", "message"), [
    ("winopron check raw/en/templates.yaml > /dev/full", 2, "-: [file] cannot be written; No space left on device\n"),
    ("winopron check raw/en/templates.yaml >&-", 2, "-: [file] cannot be written; standard output is closed\n"),
    ("winopron check raw/en/templates.yaml | true", 141, ""),
    ("--help > /dev/full", 2, "[system] No space left on device\n"),
    ("--help | sleep 0", 141, ""),
    ("zero 2> /dev/full", 2, ""),
    ("zero 2>&-", 2, ""),
])  # fmt: skip
def test_a_full_or_closed_output_ends_in_one_line(command: str, status: int, message: str) -> None:
    run = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shlex.quote(str(WINOFORGE))} {command}"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.stderr == message
    assert run.returncode == status


def test_a_terminated_command_ends_quietly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = [WINOFORGE, "zero", tmp_path / "pipe", "--out", "-"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as run:
        assert run.stderr is not None
        with (tmp_path / "pipe").open("wb"):  # it waits for our items
            while run.poll() is None:
                run.terminate()  # one that comes right before the command begins to read does not interrupt it
                with contextlib.suppress(subprocess.TimeoutExpired):
                    run.wait(timeout=10)
            assert run.stderr.read() == b""
    assert run.returncode == 128 + signal.SIGTERM
