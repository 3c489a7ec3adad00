"""Run suites with Great Expectations; no other module imports it."""

import os
import time
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .suite import UNIQUE, Check, Failure, Row, Suite, Validation

if TYPE_CHECKING:
    from great_expectations.data_context import EphemeralDataContext

#: Columns that identify a row.
_PLACE = ("path", "line", "id")
#: Checks of the running suite by expectation: Great Expectations passes names to an expectation, not functions.
_CHECKS: dict[str, Check] = {}


@cache
def _gx() -> tuple[Any, Any]:
    """Return Great Expectations, which takes seconds to load, and the expectation that rows pass a check."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependencies warn of each other
        import great_expectations as gx
        from great_expectations.execution_engine import PandasExecutionEngine
        from great_expectations.expectations.expectation import MulticolumnMapExpectation
        from great_expectations.expectations.metrics.map_metric_provider import (
            MulticolumnMapMetricProvider,
            multicolumn_condition_partial,
        )

    class RowsPassCheck(MulticolumnMapMetricProvider):  # type: ignore[misc]  # its base has no types
        condition_metric_name = "multicolumn_values.pass_check"
        condition_domain_keys = (
            "batch_id",
            "table",
            "column_list",
            "row_condition",
            "condition_parser",
            "ignore_row_if",
        )
        condition_value_keys = ("check",)

        @multicolumn_condition_partial(engine=PandasExecutionEngine)  # type: ignore[untyped-decorator]
        def _pandas(cls, column_list: Any, check: str, **_: Any) -> Any:  # noqa: N805 - the signature of the package
            return column_list["value"].map(lambda value: not _CHECKS[check](value)).astype(bool)

    class ExpectRowsToPassCheck(MulticolumnMapExpectation):  # type: ignore[misc]
        """Expect rows to pass a named check."""

        map_metric = "multicolumn_values.pass_check"
        success_keys = ("check",)
        args_keys = ("column_list", "check")
        check: str

    return gx, ExpectRowsToPassCheck


@cache
def _context() -> "EphemeralDataContext":
    """Return a context in memory, without progress bars and analytics."""
    gx, _ = _gx()
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    return context


def validate(suite: Suite, paths: Sequence[Path]) -> Validation:
    """Return the validation of files by a suite.

    Raises:
        PipelineError: a file cannot be read.
        RuntimeError: a check raised an exception.
    """
    start = time.perf_counter()
    rows = suite.rows(paths)
    results = _run(suite, rows)["results"] if rows else []
    by_place = {(row.path.as_posix(), row.line, row.id): row for row in rows}
    failures = []
    for result in results:
        check = result["expectation_config"]["kwargs"].get("check", f"/{UNIQUE}").split("/")[1]
        places = result["result"].get("unexpected_index_list") or []
        if result["success"] is not (places == []):  # Great Expectations catches what a check raises
            raise RuntimeError(f"{suite.name}/{check} could not be checked: {_exception(result['exception_info'])}")
        for place in places:
            row = by_place[tuple(place[name] for name in _PLACE)]
            failures.append(Failure(check, row, suite.reason(check, row, rows)))
    failures += suite.empty(paths, rows)
    return Validation(suite, len(rows), tuple(failures), time.perf_counter() - start)


def _exception(info: dict[str, Any]) -> str:
    """Return the message of an exception, which Great Expectations keeps in the dictionary itself or in one per metric."""
    messages = [
        entry["exception_message"]
        for entry in (info, *info.values())
        if isinstance(entry, dict) and entry.get("exception_message")
    ]
    return "; ".join(dict.fromkeys(messages)) or "no reason given"


def _run(suite: Suite, rows: Sequence[Row]) -> dict[str, Any]:
    import pandas

    gx, rows_pass_check = _gx()
    frame = pandas.DataFrame(
        {
            "path": [row.path.as_posix() for row in rows],
            "line": [row.line for row in rows],
            "id": [row.id for row in rows],
            "value": [row.value for row in rows],
        }
    )
    _CHECKS.clear()
    _CHECKS.update({f"{suite.name}/{name}": check for name, check in suite.checks.items()})
    expectations = [rows_pass_check(column_list=["id", "value"], check=name, ignore_row_if="never") for name in _CHECKS]
    if suite.unique:
        expectations.append(gx.expectations.ExpectColumnValuesToBeUnique(column="id"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = _context().data_sources.add_or_update_pandas(suite.name)
        batch = source.add_dataframe_asset("rows").add_batch_definition_whole_dataframe("all")
        result = batch.get_batch({"dataframe": frame}).validate(
            gx.ExpectationSuite(name=suite.name, expectations=expectations),
            result_format={
                "result_format": "COMPLETE",
                "unexpected_index_column_names": list(_PLACE),
                "return_unexpected_index_query": False,
            },
        )
    return dict(result.to_json_dict())
