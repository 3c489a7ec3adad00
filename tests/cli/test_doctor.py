"""`winoforge doctor` where things are really missing: programs on the path, packages that cannot be imported, space on the disk."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cli import COMMANDS
from pipeline.cli.doctor import BUILD, MODELS, disk_check, requirements
from pipeline.core.packages import EXTRAS
from tests.conftest import ROOT
from tools.install import PACKAGES

#: Forbids the import of the packages that BLOCKED names, and every connection.
FORBIDDING = """
import os, socket, sys
class Forbidding:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in os.environ.get("BLOCKED", "").split():
            raise ModuleNotFoundError(f"no {name}")
sys.meta_path.insert(0, Forbidding())
def refuse(*_, **__): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder that has what `make build` needs and no other program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("make", "python3"):
        (folder / name).symlink_to(str(shutil.which(name)))
    return folder


def doctor(folder: Path, *arguments: str, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "sitecustomize.py").write_text(FORBIDDING, encoding="utf-8")
    python_path = os.pathsep.join((str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")))
    return subprocess.run(
        [sys.executable, "-c", "from pipeline.cli import main; main()", "doctor", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={"PATH": str(path), "PYTHONPATH": python_path, "HOME": str(folder), "LANG": "C.UTF-8", **environment},
    )


def missing(output: str) -> dict[str, str]:
    """Return what is missing, and the last line that the report says of it."""
    blocks = re.split(r"\n(?=  (?:ok|--) |\n)", output)
    return {block[5:17].strip(): " ".join(block.split()) for block in blocks if block.startswith("  -- ")}


def test_programs_that_are_missing_are_named_with_what_adds_them(tmp_path: Path, programs: Path) -> None:
    run = doctor(tmp_path, path=programs)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("all well for `make build`\n")
    lacking = missing(run.stdout)
    assert {"Java", "Chromium", "npm", "R with lme4"} <= set(lacking)
    assert lacking["Chromium"].endswith("missing: Chromium; run apt-get install chromium")
    assert "`corpus count --engine spark`" in lacking["Java"]
    assert "default-jre-headless" in lacking["Java"]
    assert max(len(line) for line in run.stdout.splitlines() if str(tmp_path) not in line) <= 80  # a path is not cut


def test_what_make_build_needs_is_a_finding(tmp_path: Path) -> None:
    run = doctor(tmp_path, path=tmp_path)
    assert run.returncode == 1
    assert run.stdout.startswith("`make build` lacks make, python3\n")
    assert run.stderr.splitlines() == [
        "[make] missing: make; run apt-get install make",
        "[python3] missing: python3; run apt-get install python3-venv",
    ]


@pytest.mark.parametrize(
    ("blocked", "extra", "status"),
    [("matplotlib", "figures", 0), ("nltk", "zp", 1), ("opencc", "base", 1), ("ufal", "parse", 0)],
)
def test_a_package_that_cannot_be_imported_is_missing(
    blocked: str, extra: str, status: int, tmp_path: Path, programs: Path
) -> None:
    run = doctor(tmp_path, path=programs, BLOCKED=blocked)
    assert run.returncode == status
    package = {"opencc": "opencc-python-reimplemented", "ufal": "ufal.udpipe"}.get(blocked, blocked)
    add = "pip install --editable " + ("." if extra == "base" else f"'.[{extra}]'")
    assert missing(run.stdout)[extra].endswith(f"missing: {package}; run {add}")
    first = run.stdout.splitlines()[0]
    assert first == (f"`make build` lacks {extra}" if status else "all well for `make build`")


def test_a_version_that_is_too_old_is_missing(tmp_path: Path, programs: Path) -> None:
    info = tmp_path / "deepl-0.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deepl\nVersion: 0.9\n", encoding="utf-8")
    run = doctor(tmp_path, path=programs)
    assert "missing: deepl (found 0.9, expected >=1.32)" in missing(run.stdout)["translate"]


def test_a_secret_is_set_or_not_and_its_value_is_nowhere(tmp_path: Path, programs: Path) -> None:
    environment = {"DEEPL_AUTH_KEY": "hidden-value", "OPENAI_API_KEY": " "}
    run = doctor(tmp_path, path=programs, **environment)
    assert "  set     DEEPL_AUTH_KEY: `translate`" in run.stdout
    assert "  not set OPENAI_API_KEY: " in run.stdout
    as_json = doctor(tmp_path, "--json", path=programs, **environment).stdout
    secrets = json.loads(as_json)["Secrets"]
    assert (secrets["DEEPL_AUTH_KEY"], secrets["OPENAI_API_KEY"]) == (True, False)
    assert "hidden-value" not in run.stdout + run.stderr + as_json


def test_a_full_disk_is_a_fault_of_the_build(tmp_path: Path) -> None:
    full = disk_check(Path("/proc"))  # a file system without any space
    assert full.needed
    assert full.fault == "missing: 0.8 GB, found 0.0 GB free; run make clean"
    assert "5 GB for `make test`" in full.purpose
    (tmp_path / ".venv").mkdir()
    for stamp in ("base", "dev"):
        (tmp_path / ".venv" / stamp).touch()
    assert disk_check(tmp_path).purpose == "0.2 GB for `make build`, 0.2 GB for `make test`"


def test_each_extra_and_stamp_is_known_and_the_commands_exist() -> None:
    assert list(requirements()) == ["base", *EXTRAS]
    assert {stamp: set(names) for stamp, (names, _) in MODELS.items()} == {
        stamp: {runs[-1] for runs in PACKAGES[stamp]} for stamp in MODELS
    }
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    stages = set(re.findall(r"^[\w-]+\.env = (\w+)$", makefile, re.MULTILINE))
    assert set(BUILD) == {"base", *stages}
    groups = {command.split()[0] for command in COMMANDS}
    for purpose in (*EXTRAS.values(), *(purpose for _, purpose in MODELS.values())):
        for quoted in re.findall(r"`(.+?)`", purpose):
            words = quoted.split()
            if words[0] == "make":
                assert re.search(rf"^[\w -]*\b{words[1]}\b.*:", makefile, re.MULTILINE), quoted
            else:
                assert words[0] in groups
                assert " ".join(words[:2]) in COMMANDS or words[0] in COMMANDS, quoted
