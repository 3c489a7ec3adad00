"""The command line as a user meets it: exit codes, messages on standard error, sums on standard output."""

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pipeline import __version__
from pipeline.cli import COMMANDS, DEBUG, application, summary
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tools.commands_page import PAGE, page

YAML = """\
- id: t-0001
  text: 老汤给小柳送伞，因为[他]{怕她淋雨|打来了电话}。
  question: 谁{怕她淋雨|打来了电话}？
  candidates: [老汤, 小柳]
  answers: [老汤, 小柳]
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "schemas.yaml"
    path.write_text(YAML, encoding="utf-8")
    return path


def test_the_stages_run_one_after_another(source: Path, tmp_path: Path) -> None:
    at = tmp_path.joinpath
    run = winoforge(
        "ingest", source, "--format", "schema-yaml", "--out", at("items.jsonl"), "--skipped", at("skipped.jsonl")
    )
    assert run.returncode == 0, run.stderr
    assert "2 items + 0 skipped = 2 records read" in run.stdout
    run = winoforge("parse", at("items.jsonl"), "--backend", "udpipe", "--lock", at("parses.conllu"))
    assert run.returncode == 0, run.stderr
    assert "0 trees kept + 2 parsed = 2; 0 dropped" in run.stdout
    assert (
        winoforge(
            "parse", at("items.jsonl"), "--backend", "udpipe", "--lock", at("parses.conllu"), "--check"
        ).returncode
        == 0
    )
    run = winoforge(
        "exclude",
        at("items.jsonl"),
        "--parses",
        at("parses.conllu"),
        "--kept",
        at("kept.jsonl"),
        "--rejected",
        at("rejected.jsonl"),
    )
    assert run.returncode == 0, run.stderr
    assert "2 kept + 0 rejected = 2 records" in run.stdout
    run = winoforge("zero", at("kept.jsonl"), "--out", at("zero.jsonl"))
    assert run.returncode == 0, run.stderr
    first = json.loads(at("zero.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert first["text_zero"] == "老汤给小柳送伞，因为Ø怕她淋雨。"
    assert list(first)[:11] == [
        "id", "schema", "version", "lang", "text", "target", "candidates", "answer", "question", "source", "note",
    ]  # fmt: skip


def test_a_changed_tree_fails_the_check(source: Path, tmp_path: Path) -> None:
    at = tmp_path.joinpath
    winoforge("ingest", source, "--format", "schema-yaml", "--out", at("items.jsonl"), "--skipped", at("skipped.jsonl"))
    winoforge("parse", at("items.jsonl"), "--backend", "udpipe", "--lock", at("parses.conllu"))
    text = at("parses.conllu").read_text(encoding="utf-8")
    changed = text.replace("\tnsubj\t", "\tobj\t", 1)
    assert changed != text
    at("parses.conllu").write_text(changed, encoding="utf-8")
    run = winoforge("parse", at("items.jsonl"), "--backend", "udpipe", "--lock", at("parses.conllu"), "--check")
    assert run.returncode == 1
    assert "the tree is not what udpipe gives today" in run.stderr
    assert at("parses.conllu").read_text(encoding="utf-8") == changed


@pytest.mark.parametrize(("text", "message"), [
    (YAML.replace("{怕", "怕"), r":2: \[text\] stray '\|' at character \d+"),
    (YAML.replace("[他]", "[他"), r":2: \[text\] unclosed bracket"),
    (YAML.replace("  question", "  query"), r":3: \[query\] unknown field"),
    (YAML.replace("  answers: [老汤, 小柳]\n", ""), r":1: \[answers\] missing field"),
    (YAML + YAML, r":6: \[id\] not unique; found 't-0001' in line 1 too"),
    ("- id: [", r":\d+: \[yaml\]"),
])  # fmt: skip
def test_a_users_mistake_is_one_line_with_its_place_and_exit_2(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "schemas.yaml"
    path.write_text(text, encoding="utf-8")
    run = winoforge("ingest", path, "--format", "schema-yaml", "--out", tmp_path / "i", "--skipped", tmp_path / "s")
    assert run.returncode == 2
    assert re.fullmatch(re.escape(str(path)) + message + ".*", run.stderr.rstrip("\n")), run.stderr
    assert not (tmp_path / "i").exists()
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(("arguments", "message"), [
    (("ingest", "none.tsv", "--format", "pws-tsv", "--out", "o", "--skipped", "s"), "none.tsv: [file] cannot be read; No such file"),
    (("ingest", "Makefile", "--format", "docx", "--out", "o", "--skipped", "s"), "[format] unknown format; found 'docx', expected one of"),
    (("parse", "Makefile", "--backend", "spacy", "--lock", "l"), "[backend] unknown value; found 'spacy', expected one of"),
    (("parse", "Makefile", "--backend", "udpipe", "--lock", "l"), "Makefile:1: [json] not JSON"),
    (("verify", "tests"), "tests/SHA256SUMS: [file] cannot be read"),
    (("manifest", "none", "--parses", "l", "--out", "m"), "none: [releases] no releases in the folder; expected"),
    (("validate", "build", "none"), "none: [build] not a folder"),
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
    (("verify", "tests"), 2, "tests/SHA256SUMS: [file] cannot be read; "),
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


@pytest.mark.parametrize("arguments", [
    ("ingest", "none.tsv", "--format", "pws-tsv", "--out", "SAME", "--skipped", "SAME"),
    ("exclude", "none.jsonl", "--parses", "l", "--kept", "k", "--rejected", "SAME", "--decisions", "SAME"),
    ("annotate", "apply", "none.jsonl", "--rejected", "r", "--decisions", "d", "--out", "o", "--rejected-out", "SAME", "--ledger", "SAME"),
])  # fmt: skip
def test_two_outputs_in_one_file_are_refused_before_anything_is_read(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    same = tmp_path / "same.jsonl"
    same.write_text("before", encoding="utf-8")
    options = [option for option, value in pairwise(arguments) if value == "SAME"]
    run = winoforge(*(same if argument == "SAME" else argument for argument in arguments), cwd=tmp_path)
    assert run.returncode == 2
    reason = f"found {same} for {options[0]} and {options[1]}"
    assert run.stderr == f"[out] same file given twice; {reason}, expected two files\n"
    assert same.read_text(encoding="utf-8") == "before"


def test_output_to_standard_output_is_the_data_alone(source: Path, tmp_path: Path) -> None:
    run = winoforge("ingest", source, "--format", "schema-yaml", "--out", "-", "--skipped", tmp_path / "s")
    assert [json.loads(line)["id"] for line in run.stdout.splitlines()] == ["t-0001-a", "t-0001-b"]
    assert run.stderr == f"{source}: 2 items + 0 skipped = 2 records read\n"


def test_a_defective_record_is_counted_and_explained(tmp_path: Path) -> None:
    path = tmp_path / "schemas.yaml"
    path.write_text(YAML.replace("answers: [老汤, 小柳]", "answers: [老汤, 老张]"), encoding="utf-8")
    run = winoforge("ingest", path, "--format", "schema-yaml", "--out", tmp_path / "i", "--skipped", tmp_path / "s")
    assert run.returncode == 0
    assert "1 items + 1 skipped = 2 records read" in run.stdout
    skipped = json.loads((tmp_path / "s").read_text(encoding="utf-8"))
    assert skipped["findings"][0]["class"] == "defect"
    reason = "the right answer is none of the candidates; found '老张', expected one of 老汤, 小柳"
    assert skipped["findings"][0]["message"] == reason
    assert run.stderr == f"{path}:5: [answer] t-0001-b: {reason}\n"
    assert (skipped["findings"][0]["evidence"]["field"], skipped["findings"][0]["evidence"]["line"]) == ("answer", 5)
    assert skipped["answer"] is None


def test_a_collection_of_which_nothing_can_be_used_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "schemas.yaml"
    path.write_text(YAML.replace("[他]", "[小柳]"), encoding="utf-8")
    run = winoforge("ingest", path, "--format", "schema-yaml", "--out", tmp_path / "i", "--skipped", tmp_path / "s")
    assert run.returncode == 1
    assert "0 items + 2 skipped = 2 records read" in run.stdout
    assert run.stderr.endswith(f"{path}: [file] no item; all 2 records are skipped, see {tmp_path / 's'}\n")


def test_every_command_has_help() -> None:
    for name in COMMANDS:
        run = winoforge(*name.split(), "--help")
        assert run.returncode == 0
        assert "Usage:" in run.stdout


def test_the_page_of_commands_is_what_their_help_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


@pytest.mark.parametrize(("arguments", "modules"), [
    ("zero x.jsonl", {"parameters", "report", "output", "items"}),
    ("annotate pull s --out o", {"parameters", "report", "output", "annotate_studies"}),
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
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (run.returncode, run.stdout) == (70, "")
    assert run.stderr.startswith("[internal] a library ended winoforge")


def test_a_main_module_without_a_file_looks_like_a_program_to_libraries(tmp_path: Path) -> None:
    (tmp_path / "great_expectations.py").write_text(
        "import sys; assert hasattr(sys.modules['__main__'], '__file__'); raise LookupError('seen')\n", encoding="utf-8"
    )
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "try: import pipeline.core.validation.expectations\n"
        "except LookupError: print(hasattr(sys.modules['__main__'], '__file__'))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout == "False\n"


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


def test_the_whole_command_line_has_every_command() -> None:
    root: Any = typer.main.get_command(application())
    for name in COMMANDS:
        command = root
        for word in name.split():
            command = command.commands[word]
        assert " ".join(command.help.split("\n\n")[0].split()) == " ".join(summary(name).split())
        options = {option for parameter in command.params for option in parameter.opts}
        assert {"--quiet", "-q", "--json"} <= options
        assert winoforge(*name.split(), "-h").stdout == winoforge(*name.split(), "--help").stdout


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
