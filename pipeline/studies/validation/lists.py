"""Checks of each list of a study, and of all lists together."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import plural
from ...core.validation.rows import list_of
from ...core.validation.suite import Check, Value, rows_with
from .rows import layout_of

_ID = re.compile(r"(?P<schema>.+)-(?P<member>[a-z]{1,2})(?:/(?P<entity>\d+))?")

# --- one list -------------------------------------------------------------------------------------------------------------


def in_order(value: Value) -> str:
    """The positions in a list run from 1, in the order of the file, and practice comes first."""
    positions = [task.get("position") for task in value["list"]]
    if positions != list(range(1, len(positions) + 1)):
        return f"found the positions {', '.join(map(str, positions[:12]))}, expected 1 to {len(positions)}"
    phases = [task.get("phase") for task in value["list"]]
    practice = phases.count("practice")
    design = value["study"].get("design")
    mixed = _layout(value, "scheme") == "experiment" or (isinstance(design, dict) and design.get("attention"))
    known = ("main", "filler") if mixed else ("main",)
    return (
        ""
        if "practice" not in phases[practice:] and all(phase in known for phase in phases[practice:])
        else "found practice behind other tasks, or another phase"
    )


def asked_once(value: Value) -> str:
    """A list asks about a record, or about one entity of it, once."""
    counts = Counter(item for task in value["list"] for item in list_of(task, "items", str))
    repeated = [item for item, number in counts.items() if number > 1]
    return f"found {repeated[0]} {counts[repeated[0]]} times" if repeated else ""


def pairs_apart(value: Value) -> str:
    """Balanced lists and subsets have no two members of a schema."""
    if _layout(value, "scheme") not in ("balanced", "subsets"):
        return ""
    records = {item.partition("/")[0] for item, _ in _main_items(value["list"])}
    schemas = Counter(_schema_and_member(record)[0] for record in records)
    repeated = sorted(name for name, number in schemas.items() if number > 1)
    return f"found {schemas[repeated[0]]} members of {repeated[0]}" if repeated else ""


def members_spaced(value: Value) -> str:
    """Between two records of a schema are at least as many others as the design asks for."""
    apart = _layout(value, "apart")
    last: dict[str, int] = {}
    for place, (item, _) in enumerate(_main_items(value["list"])):
        schema = _schema_and_member(item)[0]
        between = place - last.get(schema, -len(value["list"]) - 1) - 1
        if schema in last and isinstance(apart, int) and between < apart:
            return f"found {plural(between, 'record')} between two of {schema}, expected {apart} or more"
        last[schema] = place
    return ""


def short_runs(value: Value) -> str:
    """No more records in a row have the same answer than the design allows."""
    run = _layout(value, "run")
    length, before = 0, object()
    for item, gold in _main_items(value["list"]):
        answer = expected_answer(item, gold)
        length, before = (length + 1 if answer == before else 1), answer
        if isinstance(run, int) and 0 < run < length:
            return (
                f"found {plural(length, 'record')} in a row with the same answer up to {item}, expected {run} at most"
            )
    return ""


def list_size(value: Value) -> str:
    """A list has as many records as the design asks for."""
    size, number = _layout(value, "size"), len({item.partition("/")[0] for item, _ in _main_items(value["list"])})
    return f"found {plural(number, 'record')}, expected {size}" if isinstance(size, int) and number != size else ""


# --- all lists ------------------------------------------------------------------------------------------------------------


def equal_shares(value: Value) -> str:
    """Balanced lists differ by one at most in their number of records, of each member and of each answer."""
    tallies = [
        Counter(
            f"records {kind}".strip()
            for item, gold in items.items()
            for kind in ("", _schema_and_member(item)[1], str(gold))
        )
        for items in _balanced_lists(value).values()
    ]
    for kind in sorted({kind for tally in tallies for kind in tally}):
        counts = [tally[kind] for tally in tallies]
        if max(counts) - min(counts) > 1:
            return f"found {min(counts)} to {max(counts)} {kind} in a list, expected a difference of one at most"
    return ""


def in_one_list(value: Value) -> str:
    """No record is in two balanced lists."""
    counts = Counter(item for items in _balanced_lists(value).values() for item in items)
    repeated = [item for item, number in counts.items() if number > 1]
    return f"found {repeated[0]} in {counts[repeated[0]]} lists" if repeated else ""


def _layout(value: Value, name: str) -> Any:
    return layout_of(value["study"]).get(name)


def expected_answer(item: str, gold: object) -> object:
    """Return the expected answer: the number of a candidate; for a question about one entity whether it is meant."""
    _, _, entity = item.partition("/")
    return str(gold) == entity if entity else gold


def _main_items(tasks: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """Return the ids of the main records of a list with their answers, in the order of the tasks."""
    return [
        (item, gold)
        for task in tasks
        if task.get("phase") == "main"
        for item, gold in zip(list_of(task, "items", str), list_of(task, "gold", object), strict=False)
    ]


def _schema_and_member(item: str) -> tuple[str, str]:
    """Return the schema and the member of an id; an id of another form is its own schema."""
    match = _ID.fullmatch(item)
    return (match["schema"], match["member"]) if match else (item, "")


def _balanced_lists(value: Value) -> dict[str, dict[str, Any]]:
    """Return the records of balanced lists with their answers, without mirrored twins; nothing for other schemes."""
    if _layout(value, "scheme") != "balanced":
        return {}
    names = list(value["lists"])
    return {
        name: {item.partition("/")[0]: gold for item, gold in _main_items(value["lists"][name])}
        for name in (names[::2] if _layout(value, "mirrored") is True else names)
    }


#: The checks of lists.
LISTS: Mapping[str, Check] = {
    **{
        name: rows_with("list", check)
        for name, check in {
            "in-order": in_order,
            "asked-once": asked_once,
            "pairs-apart": pairs_apart,
            "members-spaced": members_spaced,
            "short-runs": short_runs,
            "list-size": list_size,
        }.items()
    },
    "equal-shares": rows_with("lists", equal_shares),
    "in-one-list": rows_with("lists", in_one_list),
}
