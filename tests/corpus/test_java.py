"""Spark asks for a Java that can run it: what is wrong with one is told in a line, before Spark starts it."""

import importlib.util
from pathlib import Path

import pytest

from pipeline.corpus.counting import spark
from tests.support.commands import winoforge
from tests.support.corpus import PROSE, terms_file
from tests.support.needs import need

_MODULES = "".join(f"{module}@17.0.1\n" for module in ("java.base", *spark.MODULES))


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set JAVA_HOME to a folder, and return the path of its program, which does not exist yet."""
    program = tmp_path / "home" / "bin" / "java"
    program.parent.mkdir(parents=True)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    return program


def answering(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)


def printing(program: Path, output: str) -> None:
    (program.parent / "output").write_text(output, encoding="utf-8")
    answering(program, f"cat '{program.parent / 'output'}'")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'Unrecognized option: --list-modules' >&2; exit 1", "Java too old; found a version before 9 at "),
        ("echo java.base@11.0.2", "Java too old; found version 11 at "),
        ("echo Killed >&2; exit 137", "Java does not work; found 'Killed' from "),
        ("exit 3", "Java does not work; found '' from "),
        ("exec sleep 60", "Java does not answer within 0.3 s; found "),
    ],
)
def test_a_java_that_cannot_run_spark(script: str, reason: str, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "_PATIENCE", 0.3 if "sleep" in script else 30)
    answering(fake, script)
    answer = spark.java_fault()
    assert answer.startswith(reason)
    assert str(fake) in answer or len(str(fake)) > 60
    assert "install a runtime of version 17 or later" in answer


@pytest.mark.parametrize("module", spark.MODULES)
def test_a_runtime_without_a_module(module: str, fake: Path) -> None:
    printing(fake, _MODULES.replace(f"{module}@17.0.1\n", ""))
    assert spark.java_fault().startswith(f"incomplete Java; found no module {module} at ")


def test_a_program_that_the_system_cannot_start(fake: Path) -> None:
    fake.write_bytes(b"\x7fELF")
    fake.chmod(0o755)
    assert spark.java_fault().startswith("Java does not start; found ")


def test_no_java(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert spark.java_fault().startswith("no Java; found no program ")  # JAVA_HOME goes before PATH
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(fake.parent))
    assert spark.java_fault().startswith("no Java; found no program 'java', ")


def test_a_whole_java(fake: Path) -> None:
    printing(fake, _MODULES.replace("17.0.1", "25"))
    assert spark.java_fault() == ""


def test_the_command_ends_in_one_line(tmp_path: Path, fake: Path) -> None:
    need("Spark", "" if importlib.util.find_spec("pyspark") else "no pyspark")
    answering(fake, "echo java.base@11.0.2")
    out = tmp_path / "counts.jsonl"
    result = winoforge(
        "corpus", "count", PROSE, "--format", "text", "--terms", terms_file(tmp_path), "--window", 3,
        "--engine", "spark", "--out", out,
    )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr.startswith("[engine] Java too old; found version 11 at ")
    assert len(result.stderr.splitlines()) == 1
    assert not out.exists()
