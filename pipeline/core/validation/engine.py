"""Run suites with Great Expectations, which is loaded with the first one: that takes seconds."""

import os
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .suite import Failure, Row, Suite, Validation, count

#: What a result holds: all failing rows.
_FORMAT = {"result_format": "COMPLETE"}


def validate(suite: Suite, paths: Sequence[Path]) -> Validation:
    """Return the validation of files by a suite.

    Raises:
        PipelineError: a file cannot be read.
        RuntimeError: a check raised an exception.
    """
    start = time.perf_counter()
    rows = suite.read(paths)
    result = _run(suite, rows)
    failures = []
    for name, outcome in zip(suite.expectations, result["results"], strict=True):
        if not outcome["result"]:  # Great Expectations catches what a check raises
            message = _exception(outcome["exception_info"])
            raise RuntimeError(f"{suite.name}/{name} could not be checked: {message}")
        values, places = outcome["result"]["unexpected_list"], outcome["result"]["unexpected_index_list"]
        for value, place in zip(values, places, strict=True):
            failures.append(Failure(name, rows[place["index"]], value["reason"]))
    return Validation(suite, count(rows), tuple(failures), time.perf_counter() - start, result)


def _exception(info: Mapping[str, Any]) -> str:
    """Return the message of an exception, which Great Expectations keeps in the dictionary itself or in one per metric."""
    messages = [
        entry["exception_message"]
        for entry in (info, *info.values())
        if isinstance(entry, Mapping) and entry.get("exception_message")
    ]
    return "; ".join(dict.fromkeys(messages)) or "no reason given"


def _run(suite: Suite, rows: Sequence[Row]) -> Mapping[str, Any]:
    """Return the result of a suite in the format of Great Expectations."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    from .expectations import batches, frame_of, great_suite

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch = batches().get_batch({"dataframe": frame_of(rows)})
        result: Mapping[str, Any] = batch.validate(great_suite(suite), result_format=_FORMAT).to_json_dict()
    return result
