"""The command line as a user meets it: exit codes, messages on standard error, sums on standard output."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pipeline import __version__
from pipeline.cli import COMMANDS, DEBUG, PURPOSES, application, summary
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tests.support.schemas import SCHEMA
from tools.commands_page import PAGE, RULES_PAGE, page, rules_page


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "schemas.yaml"
    path.write_text(SCHEMA, encoding="utf-8")
    return path


def test_a_changed_tree_fails_the_check(source: Path, tmp_path: Path) -> None:
    at = tmp_path.joinpath
    winoforge("ingest", source, "--format", "schema-yaml", "--out", at("items.jsonl"), "--skipped", at("skipped.jsonl"))
    parse = ("parse", at("items.jsonl"), "--backend", "udpipe", "--lock", at("parses.conllu"))
    assert "0 trees kept + 2 parsed = 2; 0 dropped" in winoforge(*parse).stdout
    assert winoforge(*parse, "--check").returncode == 0
    text = at("parses.conllu").read_text(encoding="utf-8")
    changed = text.replace("\tnsubj\t", "\tobj\t", 1)
    assert changed != text
    at("parses.conllu").write_text(changed, encoding="utf-8")
    run = winoforge(*parse, "--check")
    assert run.returncode == 1
    assert "the tree is not what udpipe gives today" in run.stderr
    assert at("parses.conllu").read_text(encoding="utf-8") == changed


@pytest.mark.parametrize(("arguments", "message"), [
    (("ingest", "none.tsv", "--format", "pws-tsv", "--out", "o", "--skipped", "s"), "none.tsv: [file] cannot be read; No such file"),
    (("ingest", "Makefile", "--format", "docx", "--out", "o", "--skipped", "s"), "[format] unknown format; found 'docx', expected one of"),
    (("parse", "Makefile", "--backend", "spacy", "--lock", "l"), "[backend] unknown value; found 'spacy', expected one of"),
    (("parse", "Makefile", "--backend", "udpipe", "--lock", "l"), "Makefile:1: [json] not JSON"),
    (("verify", "tests"), "tests: [release] no release; found no SHA256SUMS"),
    (("manifest", "none", "--parses", "l", "--out", "m"), "none: [releases] no releases in the folder; expected"),
    (("validate", "build", "none"), "none: [build] not a folder"),
    (("validate", "build", "."), ".: [build]"),
    (("validate", "item", "x"), "[suite] unknown suite; found 'item'"),
    (("validate", "items", "missing.jsonl"), "missing.jsonl: [file] cannot be read; No such file"),
    (("exclude", "--kept", "k"), "[items] missing argument 'ITEMS'; see `winoforge exclude --help`"),
    (("exclude", "x", "--parses"), "[parses] option '--parses' requires an argument"),
    (("exclude", "x", "--parse"), "[parse] no such option: --parse (Possible options: --parses)"),
    (("pmi", "i", "--terms", "t", "--counts", "c", "--out", "o", "--threshold", "x"), "[threshold] wrong value"),
    (("zeo",), "[usage] no such command 'zeo'. Did you mean 'zero'?; see `winoforge --help`"),
])  # fmt: skip
def test_wrong_usage_exits_2_without_a_traceback(arguments: tuple[str, ...], message: str) -> None:
    run = winoforge(*arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (("winopron", "check", "raw/en/templates.yaml"), 0, ""),
    (("verify", "tests"), 2, "tests: [release] no release; "),
    (("exclude", "--kept", "k"), 2, "missing argument"),
])  # fmt: skip
def test_the_installed_script_ends_with_the_status_and_without_a_traceback(
    arguments: tuple[str, ...], status: int, message: str
) -> None:
    script = Path(sys.executable).with_name("winoforge")
    run = subprocess.run([script, *arguments], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == status
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert bool(run.stderr) == bool(status)


def test_output_to_standard_output_is_the_data_alone(source: Path, tmp_path: Path) -> None:
    run = winoforge("ingest", source, "--format", "schema-yaml", "--out", "-", "--skipped", tmp_path / "s")
    assert [json.loads(line)["id"] for line in run.stdout.splitlines()] == ["t-0001-a", "t-0001-b"]
    assert run.stderr == f"{source}: 2 items + 0 skipped = 2 records read\n"


def test_the_pages_of_commands_and_rules_are_generated() -> None:
    for path, generated in ((PAGE, page), (RULES_PAGE, rules_page)):
        text = path.read_text(encoding="utf-8")
        assert generated(text) == text


@pytest.mark.parametrize(("arguments", "modules"), [
    ("zero x.jsonl", {"parameters", "report", "items"}),
    ("annotate pull s --out o", {"parameters", "report", "annotate_studies"}),
])  # fmt: skip
def test_only_the_family_of_the_command_is_imported(arguments: str, modules: set[str]) -> None:
    code = (
        "import sys; from pipeline.cli import application; application(sys.argv[1:]);"
        "print(*(name.removeprefix('pipeline.cli.') for name in sys.modules if name.startswith('pipeline.cli.')))"
    )
    command = [sys.executable, "-c", code, *arguments.split()]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert set(run.stdout.split()) == modules


def test_a_library_that_ends_the_program_gives_no_success(tmp_path: Path) -> None:
    """As pyspark without grpc ends a program without a file, in which it sees its own doctests."""
    (tmp_path / "great_expectations").mkdir()
    (tmp_path / "great_expectations" / "__init__.py").write_text("import sys; sys.exit(0)\n", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from pipeline.cli import main; main()"
    command = [sys.executable, "-c", code, "validate", "templates", str(ROOT / "raw/en/templates.yaml")]
    command += ["--docs", str(tmp_path / "pages")]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (run.returncode, run.stdout) == (70, "")
    assert run.stderr.startswith("[internal] a library ended winoforge")


def test_great_expectations_is_loaded_without_spark_and_sql_which_can_be_imported_afterwards() -> None:
    """Without grpc, pyspark would take this main module without a file for its own doctests, and end the program with status 0."""
    code = (
        "import sys, pipeline.core.validation.expectations as module\n"
        "print(module.ExpectationSuite.__name__, *(name for name in ('pyspark', 'sqlalchemy') if name in sys.modules))\n"
        "import sqlalchemy; print(sqlalchemy.__name__)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout == "ExpectationSuite\nsqlalchemy\n"


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("winoforge ev", "evaluate"),
        ("winoforge evaluate rep", "report"),
        ("winoforge verify --qu", "--quiet"),
        ("winoforge x", ""),
    ],
)
def test_a_completion_imports_no_command_but_the_one_that_is_typed(
    typed: str, completed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--" not in typed:
        monkeypatch.setattr("pipeline.cli.import_module", _refuse)
    monkeypatch.setenv("_WINOFORGE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    run = winoforge()
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, completed, "")


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
def test_the_options_of_completion_end_well(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    run = winoforge(option, "bash")
    assert (run.returncode, run.stderr) == (0, "")
    assert "winoforge" in run.stdout


def test_every_command_has_one_purpose_and_the_examples_are_commands() -> None:
    listed = [name for names, _ in PURPOSES.values() for name in names.split()]
    assert sorted(listed) == sorted({name.split()[0] for name in COMMANDS})
    for _, example in PURPOSES.values():
        program, *words = example.split()
        command = next(name for name in COMMANDS if words[: name.count(" ") + 1] == name.split())
        options = {word for word in words if word.startswith("--")}
        shown = winoforge(*command.split(), "--help").stdout
        assert program == "winoforge"
        assert all(option in shown for option in options)


@pytest.mark.parametrize("arguments", ["", "--help", "annotate", "annotate --help", "no-such"])
def test_help_names_every_command_without_importing_one(arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    complete = winoforge(*arguments.split())
    monkeypatch.setattr("pipeline.cli.import_module", _refuse)
    run = winoforge(*arguments.split())
    assert run == complete
    if "no-such" not in arguments:
        printed = " ".join((run.stdout + run.stderr).split())
        names = [name.split() for name in COMMANDS]
        group = arguments.split()[0] if "annotate" in arguments else ""
        assert [words for words in names if words[0] == group or not group]
        for words in names:
            if words[:-1] == [group][: len(group)]:
                assert f" {words[-1]} {' '.join(summary(' '.join(words)).split())}" in printed


def _refuse(name: str, _package: str) -> None:
    raise AssertionError(f"{name} was imported")


def test_the_whole_command_line_has_every_command_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    root: Any = typer.main.get_command(application())
    for name in COMMANDS:
        command = root
        for word in name.split():
            command = command.commands[word]
        assert " ".join(command.help.split("\n\n")[0].split()) == " ".join(summary(name).split())
        options = {option for parameter in command.params for option in parameter.opts}
        assert {"--quiet", "-q", "--json"} <= options
        run = winoforge(*name.split(), "--help")
        assert (run.returncode, run.stdout) == (0, winoforge(*name.split(), "-h").stdout)
        assert "Usage:" in run.stdout
        for line in run.stdout.splitlines():
            assert len(line) <= 80
            assert not re.search(r"\w-$", line), f"{line!r} ends within a word"


def test_the_version_is_printed() -> None:
    assert winoforge("--version").stdout == f"winoforge {__version__}\n"


def test_json_has_the_figures_of_the_lines_and_quiet_has_none(source: Path, tmp_path: Path) -> None:
    command = ("ingest", source, "--format", "schema-yaml", "--out", tmp_path / "i", "--skipped", tmp_path / "s")
    assert json.loads(winoforge(*command, "--json").stdout) == {"items": 2, "skipped": 0, "read": 2}
    run = winoforge(*command, "--quiet")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_findings_stay_when_the_report_is_json_or_quiet(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "x"}\n', encoding="utf-8")
    lines = winoforge("validate", "items", path)
    quiet, as_json = winoforge("validate", "items", path, "-q"), winoforge("validate", "items", path, "--json")
    assert (lines.returncode, quiet.returncode, as_json.returncode) == (1, 1, 1)
    assert lines.stderr == quiet.stderr == as_json.stderr
    assert quiet.stdout == ""
    assert json.loads(as_json.stdout)["findings"] == lines.stderr.splitlines()


def test_a_fault_of_ours_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.cli.import_module", _refuse)
    run = winoforge("zero", "x", "--out", "y")
    assert run.returncode == 70
    assert run.stderr.startswith(
        "[internal] a fault of winoforge, not of your files: AssertionError: .items was imported"
    )
    assert run.stderr.count("\n") == 1
    monkeypatch.setenv(DEBUG, "1")
    assert "Traceback" in winoforge("zero", "x", "--out", "y").stderr
