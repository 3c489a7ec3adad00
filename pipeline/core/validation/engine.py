"""Suites run by Great Expectations, which this module alone imports."""

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

_PLACE = ("path", "line", "id")
#: The checks of the suite that is being run, by the id that its expectations carry: Great Expectations passes values, not functions.
_CHECKS: dict[str, Check] = {}


@cache
def _gx() -> tuple[Any, Any]:
    """Return the package, which takes seconds to load, and our expectation that a check finds nothing in a row."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependencies deprecate each other
        import great_expectations as gx
        from great_expectations.execution_engine import PandasExecutionEngine
        from great_expectations.expectations.expectation import MulticolumnMapExpectation
        from great_expectations.expectations.metrics.map_metric_provider import (
            MulticolumnMapMetricProvider,
            multicolumn_condition_partial,
        )

    class RowsPassCheck(MulticolumnMapMetricProvider):  # type: ignore[misc]
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
        def _pandas(cls, column_list: Any, check: str, **_: Any) -> Any:  # noqa: N805 - as the package has it
            return column_list["value"].map(lambda value: not _CHECKS[check](value)).astype(bool)

    class ExpectRowsToPassCheck(MulticolumnMapExpectation):  # type: ignore[misc]
        """Expect that a named check finds nothing in any row."""

        map_metric = "multicolumn_values.pass_check"
        success_keys = ("check",)
        args_keys = ("column_list", "check")
        check: str

    return gx, ExpectRowsToPassCheck


@cache
def context() -> "EphemeralDataContext":
    """Return a context in memory, without progress bars and without analytics."""
    gx, _ = _gx()
    made = gx.get_context(mode="ephemeral")
    made.variables.progress_bars = {"globally": False}
    return made


def validate(suite: Suite, paths: Sequence[Path]) -> Validation:
    """Return what a suite finds in its files; raises `PipelineError` where they cannot be read."""
    began = time.perf_counter()
    rows = suite.rows(paths)
    result = _run(suite, rows) if rows else {}
    found = {(row.path.as_posix(), row.line, row.id): row for row in rows}
    failures = []
    for one in result.get("results", []):
        check = one["expectation_config"]["kwargs"].get("check", f"/{UNIQUE}").split("/")[1]
        places = one["result"].get("unexpected_index_list") or []
        if one["success"] is not (places == []):  # Great Expectations keeps what a check raises to itself
            raise RuntimeError(f"{suite.name}/{check} could not be checked: {_raised(one['exception_info'])}")
        for place in places:
            row = found[tuple(place[name] for name in _PLACE)]
            failures.append(Failure(check, row, _reason(suite, check, row, rows)))
    return Validation(suite, len(rows), tuple(failures), time.perf_counter() - began)


def _raised(found: dict[str, Any]) -> str:
    """Return the message of an exception, which stands in a dictionary of its own, by metric, or in none."""
    messages = [
        one["exception_message"]
        for one in (found, *found.values())
        if isinstance(one, dict) and one.get("exception_message")
    ]
    return "; ".join(dict.fromkeys(messages)) or "no reason given"


def _reason(suite: Suite, check: str, row: Row, rows: Sequence[Row]) -> str:
    if check != UNIQUE:
        return suite.checks[check](row.value)
    lines = [str(one.line) for one in rows if one.id == row.id and one is not row]
    return f"found in line {', '.join(lines)} too, expected each id once"


def _run(suite: Suite, rows: Sequence[Row]) -> dict[str, Any]:
    import pandas

    gx, passing = _gx()
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
    expectations = [passing(column_list=["id", "value"], check=name, ignore_row_if="never") for name in _CHECKS]
    if suite.unique:
        expectations.append(gx.expectations.ExpectColumnValuesToBeUnique(column="id"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = context().data_sources.add_or_update_pandas(suite.name)
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
