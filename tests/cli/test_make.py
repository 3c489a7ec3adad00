"""`make build`: the committed manifest, the same bytes after a kill, and no more work than there is."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.building import SCHEMAS, VENV, Built, command, digests, first_schemas, inputs, make, run_plan, stages

pytestmark = pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository's inputs without anything built."""
    return inputs(tmp_path)


@pytest.fixture
def again(built: Built, tmp_path: Path) -> Path:
    """Return a copy of what was built, inputs and all, as old as it is."""
    return Path(shutil.copytree(built.folder, tmp_path / "again"))


def test_the_default_build_gives_the_committed_manifest(built: Built) -> None:
    done = "ingest exclude modify annotate zero variants release audit artefacts browse manifest winopron instantiate corpus pmi"
    assert set(stages(built.printed)) == {*done.split(), "validate", "verify", "zp"}
    ours = json.loads((ROOT / "build" / "MANIFEST.json").read_text(encoding="utf-8"))
    assert json.loads((built.folder / "build" / "MANIFEST.json").read_text(encoding="utf-8")) == ours


def test_readme_shows_what_the_first_run_prints(built: Built) -> None:
    block = (ROOT / "README.md").read_text(encoding="utf-8").split("    $ make build\n")[1].split("\n\n")[0]
    lines = [line.strip().removesuffix("…") for line in block.splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if line not in built.printed] == []


def test_readme_says_how_much_is_built(built: Built) -> None:
    def rows(file: str) -> int:
        return (built.folder / "build" / "release" / file).read_bytes().count(b"\n")

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    zh, de = rows("zh/data/zh.jsonl"), rows("de/data/cloze.jsonl")
    for sentence in (
        f"{zh} Mandarin sentences ({zh // 2} pairs)",
        f"{rows('en/data/double.jsonl'):,} English sentences about two people and {rows('en/data/single.jsonl'):,} about one",
        f"{de} German sentences ({de // 2} pairs)",
        f"{rows('zp/data/sentences.jsonl')} Chinese sentences in documents with {rows('zp/data/zeros.jsonl')} labelled zero",
    ):
        assert sentence in readme


def test_a_build_ends_with_a_summary(built: Built) -> None:
    german = len((built.folder / "build" / "de" / "cloze.jsonl").read_text(encoding="utf-8").splitlines())
    assert built.printed.endswith(
        "\n"
        "build/zh: 320 of 394 records made into items with a zero, 74 rejected\n"
        "rejected: other 34, prenominal-possessor 16, ba-object 14, direct-object 10; 0 disputed\n"
        "why, for each record: build/zh/audit/index.html\n"
        "releases: build/release/zh and, with 2880 English sentences, build/release/en\n"
        f"German: {german} cloze items in build/release/de, a checklist in build/de/audit\n"
        "zero pronouns in running text: build/zp/index.html, released in build/release/zp\n"
        "checks of the data: build/validation/index.html\n"
        "all pages: build/index.html\n"
    )


def test_only_what_depends_on_a_change_is_done_again(again: Path) -> None:
    def planned() -> list[str]:
        return stages(make(again, "--dry-run", "build").stdout)

    assert planned() == []
    sources = again / "raw" / "SOURCES.toml"
    sources.touch()
    assert planned() == []
    with sources.open("a", encoding="utf-8") as stream:
        stream.write("# changed\n")
    assert planned() == ["release", "release", "release", "release", "manifest", "verify"]


def test_an_edited_schema_needs_its_parse_and_says_so(again: Path) -> None:
    path = again / SCHEMAS
    text = path.read_text(encoding="utf-8")
    edited = text.replace("看不清字", "看不清写的字")
    assert edited != text
    released = digests(again / "build" / "release")
    path.write_text(edited, encoding="utf-8")
    run = make(again, "build/zh/kept.jsonl")
    assert run.returncode == 2
    assert "no tree for" in run.stderr
    assert "run make parse" in run.stderr
    assert digests(again / "build" / "release") == released


def test_a_faulty_schema_stops_the_build(again: Path) -> None:
    path = again / SCHEMAS
    released = digests(again / "build" / "release")
    path.write_text(path.read_text(encoding="utf-8").replace("挡着光}。", "挡着光}", 1), encoding="utf-8")
    run = make(again, "build")
    assert run.returncode == 2
    assert "items.jsonl:1: [items/finished-sentence] 2 of 394: zh-0001-a, zh-0001-b; " in run.stderr
    assert "Traceback" not in run.stderr
    assert digests(again / "build" / "release") == released


def killed_after(output: Path, *make_command: str) -> None:
    """Start make, and kill it and all its processes as soon as a stage has written a file."""
    with subprocess.Popen(
        make_command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            while not output.exists():
                assert process.poll() is None, f"make ended without {output}"
                time.sleep(0.002)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def finished(build: Path) -> dict[str, str]:
    """Return the sha256 of every file below a folder but those that a killed stage began to write, and records of what stages wrote.

    A stage that is killed before its record has none: what it wrote is derived again.
    """
    return {name: digest for name, digest in digests(build).items() if not name.endswith((".tmp", ".made", ".new"))}


def test_a_killed_build_ends_in_the_bytes_of_an_undisturbed_one(copy: Path) -> None:
    """Two kills in a row, the second of a build that goes on where the first was killed, on a collection of six schemas."""
    (copy / "small.yaml").write_text(first_schemas(6), encoding="utf-8")
    target = ("build", "COLLECTION=small", "SOURCE=small.yaml")
    build = copy / "build" / "small"
    run_plan(copy, *target)
    undisturbed = finished(build)
    shutil.rmtree(build)
    for name in ("parses/udpipe.conllu", "variants/nli.jsonl"):
        killed_after(build / name, *command(copy, *target))
    done = make(copy, "--jobs=4", *target)
    assert done.returncode == 0, done.stdout + done.stderr
    assert finished(build) == undisturbed


def test_a_release_killed_in_the_middle_is_made_again(built: Built, again: Path) -> None:
    release = again / "build" / "release"
    target = "build/release/en/SHA256SUMS"
    shutil.rmtree(release / "en")
    killed_after(release / "en", *command(again, target))
    assert make(again, target).returncode == 0
    assert finished(again / "build") == finished(built.folder / "build")


def test_another_collection_is_built_the_same_way(copy: Path, shared_data: Path) -> None:
    source = shared_data / "pws" / "pws.tsv"
    printed = run_plan(copy, "build", "COLLECTION=mandarinograd", f"SOURCE={source}", "FORMAT=pws-tsv")
    build = copy / "build" / "mandarinograd"
    counts = [len((build / name).read_text(encoding="utf-8").splitlines()) for name in ("kept.jsonl", "rejected.jsonl")]
    assert sum(counts) == 290
    assert f"{counts[0]} kept + {counts[1]} rejected = 290 records" in printed
    assert f"{counts[0]} items made + 0 unmade; {2 * counts[0]} rows" in printed
    assert "word boundaries of" in printed
    assert len((build / "zero.jsonl").read_text(encoding="utf-8").splitlines()) == counts[0]
    assert {path.name for path in (build / "audit").iterdir()} >= {"index.html", "audit.tsv", "confusion.tsv"}
    assert (
        f"build/mandarinograd: {counts[0]} of 290 records made into items with a zero, {counts[1]} rejected\n"
        in printed
    )
    assert "disputed: n/a (one parser)\n" in printed
