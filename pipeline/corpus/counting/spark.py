"""Counting shards on Spark: the same function for a shard, the sums in Spark."""

import importlib.util
import json
import os
import shutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ..formats.damage import Skipped
from ..formats.shard import Shard
from .local import CorpusCounts, Job, count_shard
from .windows import Counts

_INSTALL = "pip install --editable '.[spark]'"
_SCHEMA = "kind string, one string, other string, number long"
_WINDOWS, _TERM, _PAIR, _DOCUMENTS, _CHARACTERS, _DAMAGED, _REPORT = (
    "windows", "term", "pair", "documents", "characters", "damaged", "report",
)  # fmt: skip


def missing() -> str:
    """Return what keeps Spark from running here, with what would help, or nothing."""
    if importlib.util.find_spec("pyspark") is None:
        return f"the package pyspark is not installed; run {_INSTALL}"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "no Java; install a runtime of version 17 or later"
    return ""


def count_on_spark(shards: Sequence[Shard], job: Job, *, master: str | None = None) -> CorpusCounts:
    """Return what `count_shards` of the local engine sums up to, counted by Spark.

    Each shard is a task; its counts are rows, summed by Spark, so that only the sums come to the driver. On a cluster the
    corpus must lie where the driver and each executor see it under the same path, and the package be installed there.

    Args:
        shards: what is to be counted.
        job: how.
        master: where Spark runs, such as ``local[2]``; by default where spark-submit was told to run, without it ``local[2]``.

    Raises:
        PipelineError: Spark or Java is missing, or what `count_shard` refuses.
    """
    if reason := missing():
        raise PipelineError(None, None, f"[engine] {reason}")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ:  # which spark-submit sets
        master = "local[2]"
    if master and master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # it does not know pandas 3, which we do not pass to it
        return _on_spark(shards, job, master)


def _on_spark(shards: Sequence[Shard], job: Job, master: str | None) -> CorpusCounts:
    from pyspark.errors import PythonException
    from pyspark.sql import functions as fn

    session = _session(master)
    try:
        rows = [(json.dumps([str(shard.path.absolute()), shard.form, shard.start, shard.end]),) for shard in shards]
        parts = session.sparkContext.parallelize(rows, max(len(rows), 1))  # one shard each
        frame = session.createDataFrame(parts, "shard string")
        counted = frame.mapInArrow(_counter(job), _SCHEMA)
        sums = counted.groupBy("kind", "one", "other").agg(fn.sum("number").alias("number")).collect()
    except PythonException as error:
        told = next((line for line in str(error).splitlines() if "PipelineError: " in line), "")
        if not told:
            raise
        raise PipelineError(None, None, told.split("PipelineError: ", 1)[1]) from None
    finally:
        session.stop()
    found = _summed((row["kind"], row["one"], row["other"], row["number"]) for row in sums)
    found.counts.estimated = job.passages
    return found


def _session(master: str | None) -> Any:
    from pyspark.sql import SparkSession

    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    if master:
        settings["spark.master"] = master
    if master and master.startswith("local"):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    builder = SparkSession.builder.appName("winoforge corpus count")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _counter(job: Job) -> Any:
    """Return a function from batches of shards to batches of counts, as `mapInArrow` takes it."""

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            for told in batch.column("shard").to_pylist():
                path, form, start, end = json.loads(told)
                rows = list(_rows(count_shard(Shard(Path(path), form, start, end), job)))
                columns = [list(column) for column in zip(*rows, strict=True)]
                types = [pyarrow.string(), pyarrow.string(), pyarrow.string(), pyarrow.int64()]
                arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, types, strict=True)]
                yield pyarrow.RecordBatch.from_arrays(arrays, names=["kind", "one", "other", "number"])

    return count


def _rows(counted: CorpusCounts) -> Iterator[tuple[str, str, str, int]]:
    yield _WINDOWS, "", "", counted.counts.windows
    yield _DOCUMENTS, "", "", counted.documents
    yield _CHARACTERS, "", "", counted.characters
    yield _DAMAGED, "", "", counted.skipped.count
    for report in counted.skipped.reports:
        yield _REPORT, report, "", 0
    for term, count in counted.counts.terms.items():
        yield _TERM, term, "", count
    for (one, other), count in counted.counts.pairs.items():
        yield _PAIR, one, other, count


def _summed(rows: Iterator[tuple[str, str, str, int]]) -> CorpusCounts:
    found = CorpusCounts(Counts(), 0, 0, Skipped())
    for kind, one, other, number in sorted(rows):
        if kind == _WINDOWS:
            found.counts.windows = number
        elif kind == _TERM:
            found.counts.terms[one] = number
        elif kind == _PAIR:
            found.counts.pairs[one, other] = number
        elif kind == _DOCUMENTS:
            found.documents = number
        elif kind == _CHARACTERS:
            found.characters = number
        elif kind == _DAMAGED:
            found.skipped.count = number
        else:
            found.skipped.add(Skipped(0, [one]))  # which keeps the first ten
    return found
