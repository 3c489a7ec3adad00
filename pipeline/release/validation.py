"""The suite for releases, the folders that users download."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from ..core.archives import MAX_SIZE
from ..core.checksums import CHECKSUMS, verify_checksums
from ..core.errors import PipelineError, plural
from ..core.files import parse_jsonl, read_bytes, read_text
from ..core.validation.rows import list_of, text_of
from ..core.validation.suite import Check, Row, Suite, Value
from ..core.yamlfile import parse_yaml

#: Maximum number of rows of a table of a release: a few bytes can stand for all rows of a column. Ours have hundreds.
MAX_ROWS = 10_000_000
_CARD, _LICENCE = "README.md", "LICENSE"
#: The section of a card on what no human has checked.
_LIMITS = "## What no human has checked"


def release_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each release folder, and one for each of its data files."""
    rows = []
    for path in paths:
        if not path.is_dir():
            raise PipelineError(path, None, "[release] not a folder; expected build/release/NAME")
        if not (path / _CARD).exists():
            raise PipelineError(
                path, None, f"[release] no release; found no {_CARD}, expected a folder that winoforge release wrote"
            )
        card = read_text(path / _CARD)
        data = {file.stem: _lines(file) for file in sorted((path / "data").glob("*.jsonl"))}
        names = sorted(file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
        value = {
            "card": card,
            "meta": _metadata(card, path / _CARD),
            "files": names,
            "licence": read_text(path / _LICENCE) if _LICENCE in names else "",
            "mismatches": verify_checksums(path) if CHECKSUMS in names else [f"no {CHECKSUMS}"],
        }
        rows.append(Row(path.name, path / _CARD, 1, value))
        for name, lines in data.items():
            parquet = path / "data" / f"{name}.parquet"
            rows.append(
                Row(
                    f"{path.name}/{name}",
                    path / "data" / f"{name}.jsonl",
                    1,
                    {"rows": lines, "table": _table(parquet) if parquet.exists() else None, "canary": _canary(card)},
                )
            )
    return rows


def _lines(path: Path) -> list[dict[str, Any]]:
    return [value for _, value in parse_jsonl(read_text(path), path)]


def _table(path: Path) -> list[dict[str, Any]]:
    from pyarrow import ArrowException, parquet

    try:
        file = parquet.ParquetFile(BytesIO(read_bytes(path)))
        size = sum(file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups))
        for amount, limit, what in ((size, MAX_SIZE, "bytes"), (file.metadata.num_rows, MAX_ROWS, "rows")):
            if amount > limit:
                reason = f"unpacks to too much; found {amount} {what}, expected at most {limit}"
                raise PipelineError(path, None, f"[parquet] {reason}")
        return list(file.read().to_pylist())
    except (ArrowException, OSError, ValueError) as error:
        raise PipelineError(path, None, f"[parquet] unreadable file; {error}") from error


def _metadata(card: str, path: Path) -> dict[str, Any]:
    """Return the YAML header of a card."""
    parts = card.split("---\n", 2)
    header = parse_yaml(parts[1], path) if len(parts) == 3 and not parts[0] else None
    return dict(header) if isinstance(header, dict) else {}


def _canary(card: str) -> str:
    line = next((line for line in card.splitlines() if line.startswith("> ")), "")
    return line.removeprefix("> ")


# --- the folder -----------------------------------------------------------------------------------------------------------


def checksums_hold(value: Value) -> str:
    """Every file has the checksum in SHA256SUMS; no file is missing or not listed."""
    mismatches = list_of(value, "mismatches", str)
    return f"found {mismatches[0]}" if mismatches else ""


def card_configures_data(value: Value) -> str:
    """The configurations of the card name exactly the Parquet files of the release."""
    meta = value.get("meta")
    if not isinstance(meta, dict):
        return ""
    files = {name for name in list_of(value, "files", str) if name.endswith(".parquet")}
    named = {
        str(data.get("path"))
        for config in list_of(meta, "configs", dict)
        for data in list_of(config, "data_files", dict)
    }
    return "" if named == files else f"found {', '.join(sorted(named ^ files))} in only one of card and folder"


def licence_included(value: Value) -> str:
    """The card names a licence, and the release includes its text."""
    if "meta" not in value:
        return ""
    named = text_of(value["meta"], "license")
    return (
        ""
        if named and text_of(value, "licence").strip()
        else f"found licence {named!r}, expected a licence and its text"
    )


def limits_stated(value: Value) -> str:
    """The card states what no human has checked."""
    stated = "meta" not in value or _LIMITS in text_of(value, "card")
    return "" if stated else f"found no section {_LIMITS!r}"


# --- the data -------------------------------------------------------------------------------------------------------------


def formats_agree(value: Value) -> str:
    """JSON Lines and Parquet hold the same rows."""
    if "rows" not in value or value["rows"] == value["table"]:
        return ""
    if value["table"] is None:
        return "found no Parquet file"
    return f"found different rows, {len(value['rows'])} in JSON Lines and {len(value['table'])} in Parquet"


def unique_rows(value: Value) -> str:
    """No row occurs twice, by its id or, without an id, by its content."""
    seen: dict[str, int] = {}
    for number, row in enumerate(list_of(value, "rows", dict), 1):
        key = str(row.get("id", row))
        if key in seen:
            return f"found {key[:80]!r} in lines {seen[key]} and {number}"
        seen[key] = number
    return ""


def unique_texts(value: Value) -> str:
    """No two items have the same text and target."""
    rows = [row for row in list_of(value, "rows", dict) if "target" in row and "candidates" in row]
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        key = (text_of(row, "text"), str(row["target"]))
        if key in seen:
            return f"found the same text in {seen[key]} and {row.get('id')}: {key[0][:60]!r}"
        seen[key] = str(row.get("id"))
    return ""


def same_columns(value: Value) -> str:
    """All rows have the same fields."""
    keys = {tuple(row) for row in list_of(value, "rows", dict)}
    return "" if len(keys) < 2 else f"found {len(keys)} different sets of fields, expected one"


def canary_in_rows(value: Value) -> str:
    """If the card has a canary, each row has it."""
    canary = text_of(value, "canary")
    missing = [row.get("id") for row in list_of(value, "rows", dict) if canary and row.get("canary") != canary]
    return f"found none in {missing[0]} and {plural(len(missing) - 1, 'other')}" if missing else ""


_CHECKS: dict[str, Check] = {
    "checksums-hold": checksums_hold,
    "card-configures-data": card_configures_data,
    "licence-included": licence_included,
    "limits-stated": limits_stated,
    "formats-agree": formats_agree,
    "unique-rows": unique_rows,
    "unique-texts": unique_texts,
    "same-columns": same_columns,
    "canary-in-rows": canary_in_rows,
}

RELEASES = Suite(
    "releases", "release folders (build/release/NAME)", release_rows, _CHECKS, unique=False, may_be_empty=True
)
