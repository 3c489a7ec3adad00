"""Lists of a study: what must hold of each, and of all together."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.validation.rows import list_of
from ...core.validation.suite import Check, Value
from .rows import of

_ID = re.compile(r"(?P<schema>.+)-(?P<member>[a-z]{1,2})(?:/(?P<entity>\d+))?")


def main_items(tasks: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """Return the ids of the main records of a list with their answers, in the order of the tasks."""
    return [
        (item, gold)
        for task in tasks
        if task.get("phase") == "main"
        for item, gold in zip(list_of(task, "items", str), list_of(task, "gold", object), strict=False)
    ]


def member_of(item: str) -> tuple[str, str]:
    """Return the schema and the member of an id; an id of another form is a schema by itself."""
    match = _ID.fullmatch(item)
    return (match["schema"], match["member"]) if match else (item, "")


def _layout(value: Value, name: str) -> Any:
    layout = value["study"].get("layout")
    return layout.get(name) if isinstance(layout, dict) else None


def in_order(value: Value) -> str:
    """The positions of a list run from 1, in the order of the file, and practice stands before the rest."""
    positions = [task.get("position") for task in value["list"]]
    if positions != list(range(1, len(positions) + 1)):
        return f"found the positions {', '.join(map(str, positions[:12]))}, expected 1 to {len(positions)}"
    phases = [task.get("phase") for task in value["list"]]
    practice = phases.count("practice")
    expected = ["practice"] * practice + ["main"] * (len(phases) - practice)
    return "" if phases == expected else "found practice behind other tasks, or another phase"


def asked_once(value: Value) -> str:
    """A list asks about a record, or about an entity of it, once."""
    counts = Counter(item for task in value["list"] for item in list_of(task, "items", str))
    twice = [item for item, number in counts.items() if number > 1]
    return f"found {twice[0]} {counts[twice[0]]} times" if twice else ""


def pairs_apart(value: Value) -> str:
    """In balanced lists and in subsets nobody sees two members of a schema."""
    if _layout(value, "scheme") not in ("balanced", "subsets"):
        return ""
    records = {item.partition("/")[0] for item, _ in main_items(value["list"])}
    schemas = Counter(member_of(record)[0] for record in records)
    both = sorted(name for name, number in schemas.items() if number > 1)
    return f"found {schemas[both[0]]} members of {both[0]}" if both else ""


def members_spaced(value: Value) -> str:
    """Between two records of a schema stand as many others as the design asks for."""
    apart = _layout(value, "apart")
    last: dict[str, int] = {}
    for place, (item, _) in enumerate(main_items(value["list"])):
        schema = member_of(item)[0]
        between = place - last.get(schema, -len(value["list"]) - 1) - 1
        if schema in last and isinstance(apart, int) and between < apart:
            return f"found {between} records between two of {schema}, expected {apart} or more"
        last[schema] = place
    return ""


def short_runs(value: Value) -> str:
    """No more records in a row have the same answer than the design allows."""
    run = _layout(value, "run")
    length, before = 0, object()
    for item, gold in main_items(value["list"]):
        _, _, entity = item.partition("/")
        answer = str(gold) == entity if entity else gold
        length, before = (length + 1 if answer == before else 1), answer
        if isinstance(run, int) and 0 < run < length:
            return f"found {length} records in a row with the same answer up to {item}, expected {run} at most"
    return ""


def sized(value: Value) -> str:
    """A list has as many records as the design asks for."""
    size, found = _layout(value, "size"), {item.partition("/")[0] for item, _ in main_items(value["list"])}
    return f"found {len(found)} records, expected {size}" if isinstance(size, int) and len(found) != size else ""


# --- all lists ------------------------------------------------------------------------------------------------------------


def _balanced(value: Value) -> dict[str, dict[str, Any]]:
    """Return the records of balanced lists with their answers; none of other lists."""
    if _layout(value, "scheme") != "balanced":
        return {}
    return {
        name: {item.partition("/")[0]: gold for item, gold in main_items(tasks)}
        for name, tasks in value["lists"].items()
    }


def equal_shares(value: Value) -> str:
    """Balanced lists differ by one at most: in their records, in those of a member, in those with an answer."""
    tallies = [
        Counter(
            f"records {kind}".strip() for item, gold in items.items() for kind in ("", member_of(item)[1], str(gold))
        )
        for items in _balanced(value).values()
    ]
    for what in sorted({what for tally in tallies for what in tally}):
        counts = [tally[what] for tally in tallies]
        if max(counts) - min(counts) > 1:
            return f"found {min(counts)} to {max(counts)} {what} in a list, expected a difference of one at most"
    return ""


def in_one_list(value: Value) -> str:
    """No record stands in two balanced lists."""
    counts = Counter(item for items in _balanced(value).values() for item in items)
    twice = [item for item, number in counts.items() if number > 1]
    return f"found {twice[0]} in {counts[twice[0]]} lists" if twice else ""


#: The checks of lists.
LISTS: Mapping[str, Check] = {
    **{
        name: of("list", check)
        for name, check in {
            "in-order": in_order,
            "asked-once": asked_once,
            "pairs-apart": pairs_apart,
            "members-spaced": members_spaced,
            "short-runs": short_runs,
            "sized": sized,
        }.items()
    },
    "equal-shares": of("lists", equal_shares),
    "in-one-list": of("lists", in_one_list),
}
