"""The suite `variety`: whether the released schemas of a collection that names registers are varied."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...core.convert import to_object
from ...core.model import Item
from ...core.records import item_from_json
from ...core.validation.rows import records, text_of
from ...core.validation.suite import Row, Suite, Value
from ..analysis import analysis_table, read_analyses
from ..variety import NONE, varieties, variety_table

#: Fewer schemas may all be of one kind.
LEAST_SCHEMAS = 50
#: How far the numbers of two registers may be apart: this share of the greater one.
REGISTERS_APART = 1 / 3


def dimensions(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each dimension of each file: how many schemas have each level, and the share that a level may have.

    A collection that names no registers has no rows, nor has one of fewer schemas than `LEAST_SCHEMAS`, or of a language of which
    rules/variety says nothing. The registers of a build are in its analyses, those of a release in its rows.
    """
    return [row for path in paths for row in _rows(path)]


def items_by_register(path: Path) -> tuple[list[Item], dict[str, str]]:
    """Return the well-formed items of a build or of a release, and the register of each that has one, by id.

    The registers of a build are in the analyses beside its items.
    """
    beside = path.with_name("analysis.jsonl")
    known = {analysis.id: analysis.register for analysis in read_analyses(beside).values()} if beside.exists() else {}
    items: list[Item] = []
    registers: dict[str, str] = {}
    for row in records([path]):
        try:
            items.append(item_from_json(row.value))
        except ValueError:  # the suite of the items reports it
            continue
        if register := text_of(row.value, "register") or known.get(row.id, ""):
            registers[row.id] = register
    return items, registers


def _rows(path: Path) -> Iterator[Row]:
    every, by_item = items_by_register(path)
    items = [item for item in every if item.id in by_item]
    registers = {item.schema: by_item[item.id] for item in items}
    table = variety_table(items[0].lang) if items else None
    if table is None or len(registers) < LEAST_SCHEMAS:
        return
    known = analysis_table(items[0].lang).registers
    counts: Mapping[str, Counter[str]] = varieties(items, table)
    yield Row("register", path, 1, {"counts": {**dict.fromkeys(known, 0), **Counter(registers.values())}})
    for name, share in to_object(table.shares).items():
        levels = {level: number for level, number in counts[name].items() if level != NONE}
        yield Row(name, path, 1, {"levels": levels, "schemas": len(registers), "share": share})


def registers_even(value: Value) -> str:
    """Each register has about as many schemas as the others: two of them differ by a third of the greater one at most."""
    counts = value.get("counts")
    if not counts:
        return ""
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    allowed = int(REGISTERS_APART * counts[most])
    if counts[most] - counts[least] <= allowed:
        return ""
    return f"found {most} {counts[most]} and {least} {counts[least]}, expected a difference of at most {allowed}"


def none_too_frequent(value: Value) -> str:
    """No connective, frame, report or surname is in too many schemas, nor are kinship terms, twins, deeds, contrasts before the target."""
    if "levels" not in value:
        return ""
    allowed = int(value["share"] * value["schemas"])
    frequent = [f"{level} in {number}" for level, number in value["levels"].items() if number > allowed]
    if not frequent:
        return ""
    return f"found {', '.join(frequent)} of {value['schemas']} schemas, expected at most {allowed}"


VARIETY = Suite(
    "variety",
    "zero forms of a collection whose analyses name registers (JSON Lines)",
    dimensions,
    {"registers-even": registers_even, "none-too-frequent": none_too_frequent},
    unique=False,
    may_be_empty=True,
)
