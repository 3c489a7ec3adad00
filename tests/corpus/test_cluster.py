"""A Spark cluster of one master and two workers counts what the local engine counts, although a worker is killed amid its tasks."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pipeline.corpus.counting.counts import read_counts
from pipeline.corpus.counting.spark import missing
from tests.conftest import ROOT
from tests.support.corpus import PROSE, TERMS, count_command, terms_file
from tests.support.needs import need

#: Python runs it at the start of each process of the cluster. A task says that it begins, and waits for the test before it counts.
BEGIN_TASK = """
import os, time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

folder = Path(os.environ["TASKS"])

def held(count_shard):
    def begin(shard, job):
        (folder / f"{shard.path.stem}-{Path.cwd().parents[1].name}-{time.time_ns()}").touch()
        deadline = time.monotonic() + 120
        while not (folder / "go").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        return count_shard(shard, job)
    return begin

# The command is the installed package's, which has another name than its folder.
for package in filter(find_spec, ("pipeline", "winoforge")):
    local = import_module(f"{package}.corpus.counting.local")
    local.count_shard = held(local.count_shard)
"""
#: The compiler and the garbage collector that start fastest, so that a Java process of the cluster starts in seconds.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
#: Maximum number of seconds to wait for something; a busy machine takes many.
PATIENCE = 150.0
SHARDS = 6


def wait_for(find: Callable[[], object], process: subprocess.Popen[bytes], log: Path) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := find()):
        assert process.poll() is None and time.monotonic() < deadline, log.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.05)
    return found


@contextmanager
def started(command: list[str], log: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process with its children in a group, which is killed at the end."""
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command, stdout=stream, stderr=stream, env=environment, cwd=log.parent, start_new_session=True
        )
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_cluster_counts_the_same_although_a_worker_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("Spark", missing())
    import pyspark

    monkeypatch.chdir(tmp_path)
    lines = PROSE.read_text(encoding="utf-8").splitlines()
    for number in range(SHARDS):
        (tmp_path / f"{number}.txt").write_text("\n".join(lines[number::SHARDS]) + "\n", encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(BEGIN_TASK, encoding="utf-8")
    (tmp_path / "tasks").mkdir()
    (tmp_path / "spark-defaults.conf").write_text(
        f"spark.executor.memory 256m\nspark.executor.extraJavaOptions {JAVA}\n"
        f"spark.driver.memory 256m\nspark.driver.extraJavaOptions {JAVA}\nspark.testing.reservedMemory 1\n"
    )
    arguments = [
        *(f"{number}.txt" for number in range(SHARDS)),
        "--format",
        "text",
        "--terms",
        terms_file(tmp_path).name,
    ]
    arguments += ["--window", "10", "--backend", "fast", "--out"]
    environment = os.environ | {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": f"{JAVA} -Dspark.master.rest.enabled=false",
        "SPARK_CONF_DIR": str(tmp_path),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
    }
    in_tasks = environment | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "TASKS": str(tmp_path / "tasks")}
    spark_class = [str(Path(pyspark.__file__).parent / "bin" / "spark-class")]
    deploy = "org.apache.spark.deploy"

    def begun() -> list[list[str]]:
        """The shard and the worker of each task that has begun."""
        return [path.name.split("-")[:2] for path in (tmp_path / "tasks").glob("*-*")]

    def address() -> str:
        log = (tmp_path / "master.log").read_text(encoding="utf-8")
        return (
            log.partition("Starting Spark master at ")[2].partition("\n")[0].strip() if "elected leader" in log else ""
        )

    master = [*spark_class, f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with started(master, tmp_path / "master.log", environment) as process:
        url = wait_for(address, process, tmp_path / "master.log")
        worker = [
            *spark_class,
            f"{deploy}.worker.Worker",
            "--host",
            "127.0.0.1",
            "--cores",
            "1",
            "--memory",
            "512m",
            "--webui-port",
            "0",
        ]
        count = [str(Path(sys.executable).with_name("winoforge")), "corpus", "count", *arguments, "cluster.jsonl"]
        count += ["--engine", "spark", "--master", url]
        with (
            started([*worker, "--work-dir", "first", url], tmp_path / "first.log", in_tasks) as first,
            started([*worker, "--work-dir", "second", url], tmp_path / "second.log", in_tasks),
            started(count, tmp_path / "count.log", environment) as counting,
        ):
            wait_for(lambda: {name for _, name in begun()} == {"first", "second"}, counting, tmp_path / "count.log")
            kill(first)
            (tmp_path / "tasks" / "go").touch()
            assert counting.wait(PATIENCE) == 0, (tmp_path / "count.log").read_text(encoding="utf-8")
    lost = [shard for shard, name in begun() if name == "first"]
    assert lost
    assert {shard for shard, name in begun() if name == "second"} == set(map(str, range(SHARDS)))
    local = count_command(*arguments, "local.jsonl")
    assert local.exit_code == 0, local.output
    assert Path("cluster.jsonl").read_bytes() == Path("local.jsonl").read_bytes()
    assert read_counts(Path("local.jsonl")).terms[TERMS[0]] > 10
