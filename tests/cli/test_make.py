"""`make build`: the same bytes twice, after a kill, and no more work than there is."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, Built

VENV = ROOT / ".venv"
COPIED = ("Makefile", "pyproject.toml", "constraints.txt", "README.md", "pipeline", "rules", "raw", "annotation")

pytestmark = pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")


def inputs(folder: Path) -> Path:
    """Copy the repository's inputs, without anything built, and return the folder."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.pt"))
        else:
            shutil.copy2(source, folder / name)
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository's inputs without anything built."""
    return inputs(tmp_path)


@pytest.fixture
def again(built: Built, tmp_path: Path) -> Path:
    """Return a copy of what was built, inputs and all, as old as it is."""
    return Path(shutil.copytree(built.folder, tmp_path / "again"))


def command(copy: Path, *arguments: str) -> list[str]:
    """Return the make command that builds a copy with this checkout's environment, which it must not remake."""
    stamps = [argument for stamp in ("base", "parse", "dev") for argument in ("--old-file", f"{VENV}/{stamp}")]
    return ["make", "--directory", str(copy), f"V={VENV}", *stamps, *arguments]


def make(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(copy, *arguments), capture_output=True, text=True, check=False)


def digests(copy: Path) -> dict[str, str]:
    """Return the sha256 of every file below build/."""
    return {
        path.relative_to(copy).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((copy / "build").rglob("*"))
        if path.is_file()
    }


def stages(output: str) -> list[str]:
    """Return the winoforge commands in what make printed."""
    return [
        line.split()[1] for line in output.splitlines() if line.split()[:1] and line.split()[0].endswith("/winoforge")
    ]


def test_two_builds_give_the_same_bytes_and_the_committed_manifest(built: Built, again: Path) -> None:
    files = digests(built.folder)
    copy = again
    second = make(copy, "--always-make", "build")
    assert second.returncode == 0, second.stderr
    done = {
        "ingest",
        "exclude",
        "modify",
        "annotate",
        "zero",
        "variants",
        "release",
        "audit",
        "manifest",
        "winopron",
        "instantiate",
        "corpus",
        "pmi",
        "validate",
    }
    assert set(stages(second.stdout)) == done
    assert digests(copy) == files
    ours = json.loads((ROOT / "build" / "MANIFEST.json").read_text(encoding="utf-8"))
    assert json.loads((copy / "build" / "MANIFEST.json").read_text(encoding="utf-8")) == ours


def test_readme_shows_what_the_first_run_prints(built: Built) -> None:
    printed = built.printed
    block = (ROOT / "README.md").read_text(encoding="utf-8").split("    $ make build\n")[1].split("\n\n")[0]
    lines = [line.strip().removesuffix("…") for line in block.splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if line not in printed] == []


def test_only_what_depends_on_a_change_is_done_again(again: Path) -> None:
    copy = again
    assert make(copy, "--question", "build").returncode == 0
    assert stages(make(copy, "build").stdout) == []
    time.sleep(0.01)
    (copy / "raw" / "SOURCES.toml").touch()
    assert stages(make(copy, "build").stdout) == ["release", "release", "validate", "manifest"]
    (copy / "raw" / "zh" / "parses" / "udpipe.conllu").touch()
    assert "ingest" not in stages(make(copy, "build").stdout)


def test_an_edited_schema_needs_its_parse_and_says_so(copy: Path) -> None:
    path = copy / "raw" / "zh" / "schemas.yaml"
    text = path.read_text(encoding="utf-8")
    edited = text.replace("看不清字", "看不清写的字")
    assert edited != text
    path.write_text(edited, encoding="utf-8")
    run = make(copy, "build")
    assert run.returncode == 2
    assert "no tree for" in run.stderr
    assert "run make parse" in run.stderr
    assert not (copy / "build" / "release").exists()


def test_a_modification_that_no_longer_applies_fails_the_build(copy: Path) -> None:
    path = copy / "raw" / "zh" / "modifications.yaml"
    text = path.read_text(encoding="utf-8")
    line = text[: text.index("  from: ")].count("\n")  # the entry begins two lines before
    path.write_text(text.replace("  from: ", "  from: 没有", 1), encoding="utf-8")
    run = make(copy, "build")
    assert run.returncode == 2
    assert f"raw/zh/modifications.yaml:{line - 1}: [from] must occur exactly once" in run.stderr
    assert not (copy / "build" / "release").exists()


def test_a_killed_build_ends_in_the_bytes_of_an_undisturbed_one(built: Built, copy: Path) -> None:
    """Six kills in a row, each of a build that goes on where the one before was killed, the last after some time of its own."""
    files = digests(built.folder)
    moments = random.Random(3)
    for _ in range(6):
        process = subprocess.Popen(
            command(copy, "build"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(2, 20))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert make(copy, "build").returncode == 0
    left = digests(copy)
    leftovers = [name for name in left if name.endswith(".tmp")]
    assert {name: digest for name, digest in left.items() if name not in leftovers} == files


def test_another_collection_is_built_the_same_way(copy: Path, shared_data: Path) -> None:
    run = make(copy, "build", "COLLECTION=mandarinograd", f"SOURCE={shared_data / 'pws' / 'pws.tsv'}", "FORMAT=pws-tsv")
    assert run.returncode == 0, run.stderr
    build = copy / "build" / "mandarinograd"
    counts = [len((build / name).read_text(encoding="utf-8").splitlines()) for name in ("kept.jsonl", "rejected.jsonl")]
    assert sum(counts) == 290
    assert f"{counts[0]} kept + {counts[1]} rejected = 290 records" in run.stdout
    assert f"{counts[0]} items made + 0 unmade; {2 * counts[0]} rows" in run.stdout
    assert "word boundaries of" in run.stdout
    assert len((build / "zero.jsonl").read_text(encoding="utf-8").splitlines()) == counts[0]
    assert {path.name for path in (build / "audit").iterdir()} >= {"index.html", "audit.tsv", "confusion.tsv"}
