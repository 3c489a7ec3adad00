"""Count shards on Spark: the function for a shard is that of the local engine, Spark adds up the counts."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ..formats.reading import Shard, SkippedDamage
from .local import CorpusCounts, Job, count_shard

#: The variable that spark-submit sets, which has started Java already.
_SUBMITTED = "PYSPARK_GATEWAY_PORT"
_INSTALL = "pip install --editable '.[spark]'"
#: A number by its kind: for a term, `first` is the term; for a pair, both are; for a report of damage, `first` is its text.
_SCHEMA = "kind string, first string, second string, number long"
#: The oldest version that the pinned Spark runs on.
OLDEST = 17
#: Modules without which Spark does not start or count; a runtime cut down with jlink may lack them.
MODULES = (
    "jdk.incubator.vector",
    "java.desktop",
    "java.management",
    "java.sql",
    "jdk.security.auth",
    "jdk.unsupported",
)
_INSTALL_JAVA = f"install a runtime of version {OLDEST} or later (on Debian: default-jre-headless) or set JAVA_HOME to the folder of one"
#: Seconds to wait for its answer; it takes a tenth of one.
_PATIENCE = 30.0


def missing() -> str:
    """Return what keeps Spark from running here and how to get it, or an empty text."""
    if importlib.util.find_spec("pyspark") is None:
        return f"the package pyspark is not installed; run {_INSTALL}"
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

    Each shard is a task. Its counts are rows that Spark adds up, so that only the sums come to the driver. On a cluster the
    corpus must lie under the same path for the driver and each executor, and the package must be installed there.

    Args:
        shards: the shards of a corpus.
        job: how to count them.
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
    from pyspark.errors import PythonException
    from pyspark.sql import functions as fn

    session = _session(master)
    try:
        rows = [(json.dumps([str(shard.path.absolute()), shard.format, shard.start, shard.end]),) for shard in shards]
        parts = session.sparkContext.parallelize(rows, max(len(rows), 1))  # one shard each
        counted = session.createDataFrame(parts, "shard string").mapInArrow(_counter(job), _SCHEMA)
        sums = counted.groupBy("kind", "first", "second").agg(fn.sum("number").alias("number")).collect()
    except PythonException as error:
        line = next((line for line in str(error).splitlines() if "PipelineError: " in line), "")
        if not line:
            raise
        raise PipelineError(None, None, line.split("PipelineError: ", 1)[1]) from None
    finally:
        session.stop()
    result = _from_rows((row["kind"], row["first"], row["second"], row["number"]) for row in sums)
    result.counts.estimated = job.passages
    return result


def _session(master: str | None) -> Any:
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

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
    return SparkSession(context)


def _cause(log: str) -> str:
    """Return the message of the last Java exception in a log, else its first line.

    >>> _cause("a.b.SparkException: Master must be yarn"), _cause("Killed")
    ('Master must be yarn', 'Killed')
    """
    causes = re.findall(r"^(?!\s).*?(?:Exception|Error): (.+)", log, re.MULTILINE)
    return causes[-1] if causes else next(iter(log.strip().split("\n")))


def _counter(job: Job) -> Any:
    """Return a function from batches of shards to batches of counts, as `mapInArrow` takes it."""

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        types = {
            "kind": pyarrow.string(),
            "first": pyarrow.string(),
            "second": pyarrow.string(),
            "number": pyarrow.int64(),
        }
        for batch in batches:
            for text in batch.column("shard").to_pylist():
                path, format_name, start, end = json.loads(text)
                columns = zip(*_to_rows(count_shard(Shard(Path(path), format_name, start, end), job)), strict=True)
                arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, types.values(), strict=True)]
                yield pyarrow.RecordBatch.from_arrays(arrays, names=list(types))

    return count


def _to_rows(result: CorpusCounts) -> Iterator[tuple[str, str, str, int]]:
    yield "windows", "", "", result.counts.windows
    yield "documents", "", "", result.documents
    yield "characters", "", "", result.characters
    yield "damaged", "", "", result.skipped.count
    for report in result.skipped.reports:
        yield "report", report, "", 0
    for term, number in result.counts.terms.items():
        yield "term", term, "", number
    for (first, second), number in result.counts.pairs.items():
        yield "pair", first, second, number


def _from_rows(rows: Iterable[tuple[str, str, str, int]]) -> CorpusCounts:
    result = CorpusCounts()
    for kind, first, second, number in sorted(rows):
        match kind:
            case "windows":
                result.counts.windows = number
            case "documents":
                result.documents = number
            case "characters":
                result.characters = number
            case "damaged":
                result.skipped.count = number
            case "term":
                result.counts.terms[first] = number
            case "pair":
                result.counts.pairs[first, second] = number
            case "report":
                result.skipped.add(SkippedDamage(0, [first]))  # which keeps the first ten
    return result
