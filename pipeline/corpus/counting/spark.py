"""Count shards on Spark: the function for a shard is that of the local engine, Spark adds up the counts."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.errors import PipelineError, shown
from ...core.packages import install_command
from ..formats.reading import Shard
from .local import CorpusCounts, Job, count_shard

if TYPE_CHECKING:
    from pyspark import SparkContext

#: The variable that spark-submit sets, which has started Java already.
_SUBMITTED = "PYSPARK_GATEWAY_PORT"
#: The oldest version that the pinned Spark runs on.
OLDEST = 17
#: Modules without which Spark does not start or count; a runtime cut down with jlink may lack them.
MODULES = (
    *("jdk.incubator.vector", "java.desktop", "java.management"),
    *("java.sql", "jdk.security.auth", "jdk.unsupported"),
)
_INSTALL_JAVA = f"install a runtime of version {OLDEST} or later (on Debian: default-jre-headless) or set JAVA_HOME to the folder of one"
#: Seconds to wait for its answer; it takes a tenth of one.
_PATIENCE = 30.0


def missing() -> str:
    """Return what keeps Spark from running here and how to get it, or an empty text."""
    if importlib.util.find_spec("pyspark") is None:
        return f"the package pyspark is not installed; run {install_command('spark')}"
    return "" if _SUBMITTED in os.environ else java_fault()


def java_fault() -> str:
    """Return why Spark cannot run on the Java of JAVA_HOME, else that of PATH, and what to install; empty if it can."""
    home = os.environ.get("JAVA_HOME")
    java = f"{home}/bin/java" if home else "java"  # as Spark's own scripts look for it
    if shutil.which(java) is None:
        return f"no Java; found no program {shown(java)}, {_INSTALL_JAVA}"
    try:
        answer = subprocess.run(  # noqa: S603 - the program that Spark is about to start
            [java, "--list-modules"], capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False
        )
    except OSError as error:
        return f"Java does not start; found {shown(error.strerror)} for {shown(java)}, {_INSTALL_JAVA}"
    except subprocess.TimeoutExpired:
        return f"Java does not answer within {_PATIENCE:g} s; found {shown(java)}, {_INSTALL_JAVA}"
    output = answer.stdout + answer.stderr
    if "Unrecognized option: --list-modules" in output:
        return f"Java too old; found a version before 9 at {shown(java)}, {_INSTALL_JAVA}"
    modules = dict(re.findall(r"^([\w.]+)@(\d+)", answer.stdout, re.MULTILINE))
    if answer.returncode or "java.base" not in modules:
        first = next(iter(output.split("\n")), "")
        return f"Java does not work; found {shown(first)} from {shown(java)}, {_INSTALL_JAVA}"
    if int(modules["java.base"]) < OLDEST:
        return f"Java too old; found version {modules['java.base']} at {shown(java)}, {_INSTALL_JAVA}"
    if lacking := [module for module in MODULES if module not in modules]:
        return f"incomplete Java; found no module {', '.join(lacking)} at {shown(java)}, {_INSTALL_JAVA}"
    return ""


def count_on_spark(shards: Sequence[Shard], job: Job, *, master: str | None = None) -> CorpusCounts:
    """Count shards on Spark and return the sum, the same as that of `count_shards`.

    Each shard is a task. Spark adds up the counts of several tasks before they come to the driver. On a cluster the corpus must lie
    under the same path for the driver and each executor, and the package must be installed there.

    Args:
        master: where Spark runs, such as ``local[2]``; by default where spark-submit runs it, without spark-submit ``local[2]``.

    Raises:
        PipelineError: Spark or a usable Java is missing, Spark does not start, or `count_shard` refuses something.
    """
    if reason := missing():
        raise PipelineError(None, None, f"[engine] {reason}")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master is None and _SUBMITTED not in os.environ:
        master = "local[2]"
    if master and master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # pyspark does not know pandas 3, which it is not given
        return _count(shards, job, master)


def _count(shards: Sequence[Shard], job: Job, master: str | None) -> CorpusCounts:
    from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]

    def count(total: CorpusCounts, shard: Shard) -> CorpusCounts:
        return add(total, count_shard(shard, job))

    def add(total: CorpusCounts, other: CorpusCounts) -> CorpusCounts:
        total.add(other)
        return total

    context = _context(master)
    try:
        parts = [replace(shard, path=shard.path.absolute()) for shard in shards]
        tasks = context.parallelize(parts, max(len(parts), 1))  # one shard each
        return tasks.treeAggregate(CorpusCounts(), count, add)
    except Py4JJavaError as error:
        line = next((line for line in str(error).splitlines() if "PipelineError: " in line), "")
        if not line:
            raise
        raise PipelineError(None, None, line.split("PipelineError: ", 1)[1]) from None
    finally:
        context.stop()


def _context(master: str | None) -> "SparkContext":
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    if master:
        settings["spark.master"] = master
    if master and master.startswith("local"):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    conf = SparkConf().setAppName("winoforge corpus count").setAll(list(settings.items()))
    with tempfile.TemporaryFile() as log:  # what Java says while it starts
        try:
            gateway = launch_gateway(conf, {"stdout": log, "stderr": log})  # type: ignore[no-untyped-call]
            context = SparkContext(conf=conf, gateway=gateway)
        except (Py4JError, PySparkRuntimeError) as error:
            log.seek(0)
            output = f"{log.read().decode(errors='replace')}\n{error}"
            raise PipelineError(None, None, f"[engine] Spark does not start; found {_cause(output)!r}") from error
    context.setLogLevel("OFF")
    return context


def _cause(log: str) -> str:
    """Return the message of the last Java exception in a log, else its first line.

    >>> _cause("a.b.SparkException: Master must be yarn"), _cause("Killed")
    ('Master must be yarn', 'Killed')
    """
    causes = re.findall(r"^(?!\s).*?(?:Exception|Error): (.+)", log, re.MULTILINE)
    return causes[-1] if causes else next(iter(log.strip().split("\n")))
