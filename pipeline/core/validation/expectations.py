"""Suites for Great Expectations: a class for each expectation, a frame of the rows, a suite to run or to store.

A class gets its name from the suite and the expectation: ``ExpectItemsTargetIsAnaphor`` for ``items/target-is-anaphor``; a stored
suite names it ``expect_items_target_is_anaphor``. Importing this module takes seconds, since it imports Great Expectations.
"""

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pandas

from ..packages import hidden
from .suite import EMPTY, Row, Suite, severity_of

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
# Frames need neither SQL nor Spark; and without grpc, pyspark takes a main module without a file (`python -c`) for its own doctests,
# and ends the program with exit status 0.
with hidden("pyspark", "sqlalchemy"), warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its dependencies warn of each other
    from great_expectations import ExpectationSuite, get_context
    from great_expectations.execution_engine import PandasExecutionEngine
    from great_expectations.expectations.expectation import BatchExpectation
    from great_expectations.expectations.metrics.metric_provider import metric_value
    from great_expectations.expectations.metrics.table_metric_provider import TableMetricProvider
    from great_expectations.expectations.model_field_types import MostlyField

#: The columns of a frame that say where a row stands.
PLACE = ("path", "line", "id")
#: Name of the metric that all expectations of a suite share.
_ROWS = "table.winoforge_rows"


def frame(suite: Suite, paths: Sequence[Path]) -> pandas.DataFrame:
    """Return the data frame on which the expectations of a suite run.

    It has a line for each row: the file, the line and the id, and the content as an object in the column ``value``. For an empty
    file that must not be empty it has a line without a value.
    """
    return frame_of(suite.read(paths))


def frame_of(rows: Sequence[Row]) -> pandas.DataFrame:
    """Return the data frame of rows; see `frame`."""
    cells = [
        (_encodable(row.path.as_posix()), row.line, _encodable(row.id), None if row.value is EMPTY else row.value)
        for row in rows
    ]
    return pandas.DataFrame(cells, columns=[*PLACE, "value"])


def _encodable(text: str) -> str:
    """Return a text with half characters, of a file name that is not UTF-8, as escapes: pandas refuses them."""
    return text.encode("utf-8", "backslashreplace").decode()


def rows_of(data: pandas.DataFrame) -> list[Row]:
    """Return the rows of a data frame that `frame` returned.

    Raises:
        ValueError: another data frame.
    """
    if missing := [name for name in (*PLACE, "value") if name not in data]:
        columns = ", ".join(map(str, data.columns))
        raise ValueError(f"not a frame of a suite; found the columns {columns}, expected {', '.join(missing)} too")
    cells = (data[name] for name in (*PLACE, "value"))
    return [
        Row(name, Path(path), line, EMPTY if value is None else value)
        for path, line, name, value in zip(*cells, strict=True)
    ]


class _WinoforgeRows(TableMetricProvider):  # type: ignore[misc]  # its base is Any: see pyproject.toml
    """The rows of a frame, which Great Expectations computes once for all expectations of a run."""

    metric_name = _ROWS

    @metric_value(engine=PandasExecutionEngine)  # type: ignore[untyped-decorator]  # Any too
    def _pandas(cls, execution_engine: Any, metric_domain_kwargs: Any, **_: Any) -> list[Row]:  # noqa: N805 - its signature
        return rows_of(execution_engine.get_domain_records(domain_kwargs=metric_domain_kwargs))


class ExpectRows(BatchExpectation):  # type: ignore[misc]  # its base is Any
    """Base of all expectations: the rows of a frame have no reason to fail. `mostly` is the share that must not."""

    suite: ClassVar[Suite]
    expectation: ClassVar[str]
    metric_dependencies = (_ROWS,)
    success_keys = ("mostly",)
    mostly: MostlyField = 1

    def __init__(self, **values: Any) -> None:
        """Set the description and the severity, unless they are given: Great Expectations stores no default of a class."""
        severity = severity_of(self.expectation).value
        super().__init__(**{"description": self.__doc__, "severity": severity} | values)

    @classmethod
    def is_abstract(cls) -> bool:
        """Return whether Great Expectations must not register the class."""
        return not hasattr(cls, "suite")

    def _validate(self, metrics: Any, runtime_configuration: Any = None, **_: Any) -> dict[str, Any]:
        rows: list[Row] = metrics[_ROWS]
        reasons = self.suite.reasons(self.expectation, rows)
        failing = [
            (
                {"id": row.id, "reason": reason},
                {"index": index, "path": row.path.as_posix(), "line": row.line, "id": row.id},
            )
            for index, (row, reason) in enumerate(zip(rows, reasons, strict=True))
            if reason
        ]
        values, places = [value for value, _ in failing], [place for _, place in failing]
        wanted = (runtime_configuration or {}).get("result_format", {})
        first = wanted.get("partial_unexpected_count", 0)
        result = {
            "element_count": len(rows),
            "unexpected_count": len(failing),
            "unexpected_percent": 100 * len(failing) / len(rows) if rows else 0.0,
            "partial_unexpected_list": values[:first],
            "partial_unexpected_index_list": places[:first],
        }
        if wanted.get("result_format") == "COMPLETE":
            result |= {"unexpected_list": values, "unexpected_index_list": places}
        return {"success": not rows or (len(rows) - len(failing)) / len(rows) >= self.mostly, "result": result}


#: The suites whose classes are registered, by name.
_registered: dict[str, tuple[Suite, dict[str, type["ExpectRows"]]]] = {}


def classes(suite: Suite) -> dict[str, type[ExpectRows]]:
    """Return the class of each expectation of a suite, registered with Great Expectations, by the id of the expectation.

    Suites that differ only in how they read their rows share their classes.
    """
    known, registered = _registered.get(suite.name, (None, {}))
    if known is None or known.expectations != suite.expectations:
        registered = {name: _class(suite, name, what) for name, what in suite.expectations.items()}
        _registered[suite.name] = (suite, registered)
    return registered


def _class(suite: Suite, name: str, what: str) -> type[ExpectRows]:
    words = "".join(word.capitalize() for word in (suite.name, *name.split("-")))
    members = {"__doc__": what, "__module__": __name__, "suite": suite, "expectation": name}
    metaclass: Any = type(ExpectRows)
    expectation_class: type[ExpectRows] = metaclass(f"Expect{words}", (ExpectRows,), members)
    return expectation_class


def great_suite(suite: Suite) -> ExpectationSuite:
    """Return a suite as one of Great Expectations."""
    return ExpectationSuite(name=suite.name, expectations=[expectation() for expectation in classes(suite).values()])


def stored(suite: Suite) -> dict[str, Any]:
    """Return a suite as Great Expectations stores it; ``ExpectationSuite(**stored(suite))`` gives it back."""
    return dict(great_suite(suite).to_json_dict())


def result_of(suite: Suite, rows: Sequence[Row]) -> Mapping[str, Any]:
    """Return the result of a suite on rows in the format of Great Expectations, with all failing rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch = _batches().get_batch({"dataframe": frame_of(rows)})
        wanted = {"result_format": "COMPLETE"}
        result: Mapping[str, Any] = batch.validate(great_suite(suite), result_format=wanted).to_json_dict()
    return result


@cache
def _batches() -> Any:
    """Return what makes batches of frames, in a context that is in memory and shows no progress."""
    context = get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_pandas("winoforge")
    return source.add_dataframe_asset("rows").add_batch_definition_whole_dataframe("all")
