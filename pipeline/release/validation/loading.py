"""Load each configuration of a release as its users do, with pandas, DuckDB, datasets and mlcroissant, and compare its rows.

The last three are optional packages (the extra `verify`): `missing_loaders` names those that are not installed.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import zip_longest
from math import isnan
from tempfile import TemporaryDirectory
from typing import Any

from ...core.validation.derivation import difference, equal, id_of
from ..tables import CROISSANT, leaves
from .folder import Release

Rows = list[dict[str, Any]]
#: Loads a configuration of a release: its name there, and that of its data file.
Loader = Callable[[Release, str, str], Rows]


def _pandas_json(release: Release, _: str, file: str) -> Rows:
    import pandas

    path = release.path / "data" / f"{file}.jsonl"
    return _records(pandas.read_json(path, lines=True, dtype=False))


def _pandas_parquet(release: Release, _: str, file: str) -> Rows:
    import pandas

    return _records(pandas.read_parquet(release.path / "data" / f"{file}.parquet"))


def _records(frame: Any) -> Rows:
    return [dict(zip(frame.columns, values, strict=True)) for values in frame.itertuples(index=False, name=None)]


def _duckdb(release: Release, _: str, file: str) -> Rows:
    import duckdb

    with duckdb.connect() as connection:
        path = str(release.path / "data" / f"{file}.parquet")
        result = connection.execute("SELECT * FROM read_parquet(?)", [path])
        columns = [column[0] for column in result.description]
        return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]


def _datasets(release: Release, config: str, _: str) -> Rows:
    import datasets

    datasets.disable_progress_bars()
    with TemporaryDirectory() as cache:
        return [dict(row) for row in datasets.load_dataset(str(release.path), config, split="test", cache_dir=cache)]


def _mlcroissant(release: Release, config: str, _: str) -> Rows:
    import mlcroissant

    logging.getLogger("absl").setLevel(logging.ERROR)
    records = mlcroissant.Dataset(str(release.path / CROISSANT)).records(config)
    return [_short(dict(record), f"{config}/") for record in records]


def _short(record: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Return a record without the name of its record set before each field, and the subfields by their paths."""
    short = {}
    for field, value in record.items():
        name = field.removeprefix(prefix)
        if isinstance(value, dict):
            value = _short(value, f"{field}/")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            value = [_short(entry, f"{field}/") for entry in value]
        short[name] = value
    return short


def _plain(value: Any) -> Any:
    """Return a value of pandas, numpy or mlcroissant as JSON has it: no arrays or bytes, whole numbers, None for what is not there."""
    if isinstance(value, dict):
        return {name: _plain(inside) for name, inside in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(inside) for inside in value]
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):  # pandas makes floats of whole numbers where one is missing
        return None if isnan(value) else int(value) if value.is_integer() else value
    return value


#: The name, the package and the function of each loader.
LOADERS: Sequence[tuple[str, str, Loader]] = (
    ("pandas, JSON Lines", "pandas", _pandas_json),
    ("pandas, Parquet", "pandas", _pandas_parquet),
    ("DuckDB", "duckdb", _duckdb),
    ("datasets", "datasets", _datasets),
    ("mlcroissant", "mlcroissant", _mlcroissant),
)


def missing_loaders() -> list[str]:
    """Return the packages of loaders that are not installed."""
    return list(dict.fromkeys(package for _, package, _ in LOADERS if find_spec(package) is None))


def loading_findings(release: Release) -> Iterator[str]:
    """Yield a line for each configuration that a loader cannot load, or of which it has other rows than the JSON Lines."""
    for file in release.data:
        config = "default" if file == release.name and release.kind == "collection" else file
        rows = [row for _, row in release.stamped_lines(file)]
        for name, package, load in LOADERS:
            if find_spec(package) is None:
                continue
            try:
                found = _plain(load(release, config, file))
                expected = _plain(_by_paths(release, file, rows) if package == "mlcroissant" else rows)
            except Exception as error:
                problem = " ".join(f"{type(error).__name__}: {error}".split())[:300]
                yield f"{release.path}: [load] {name} cannot load {config}; found {problem}, expected its rows"
                continue
            for line, (row, other) in enumerate(zip_longest(found, expected), 1):
                if not equal(row, other):
                    reason = difference({"found": row, "expected": other})
                    place = f"{release.path / 'data' / file}.jsonl:{line}"
                    yield f"{place}: [load] {id_of(other or row or {})}: {name} has another row in {config}; {reason}"
                    break


def _by_paths(release: Release, file: str, rows: Rows) -> Rows:
    """Return rows as Croissant metadata divide them: what is inside a record, by its path."""
    table = release.table(file)
    paths: dict[str, list[tuple[str, ...]]] = {}
    for column in table.schema if table is not None else ():
        kind = column.type
        while str(kind).startswith("list"):
            kind = kind.value_type
        if str(kind).startswith("struct"):
            paths[column.name] = [path for path, _ in leaves(kind)]
    return [
        {field: _divided(value, paths[field]) if field in paths else value for field, value in row.items()}
        for row in rows
    ]


def _divided(value: Any, paths: Sequence[tuple[str, ...]]) -> Any:
    if isinstance(value, list):
        return [_divided(entry, paths) for entry in value]
    return {"/".join(path): _inside(value, path) for path in paths}


def _inside(value: Mapping[str, Any] | None, path: tuple[str, ...]) -> Any:
    for name in path:
        if value is None:
            return None
        value = value.get(name)
    return value
