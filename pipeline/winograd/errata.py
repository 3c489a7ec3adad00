"""Errata: what somebody found wrong with an item of a collection, and what was done about it (``raw/*/errata.yaml``)."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..core.convert import Id, Text, read_yaml, to_object
from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Record

#: What of an item can be wrong; an answer is the words of the right candidate, candidates have a comma between them.
ErratumField = Literal["text", "question", "candidates", "answer", "gloss"]
#: Who found it: a cold reader, a rater of a study, an author, somebody who used the release, a check by a program.
Role = Literal["reader", "rater", "author", "user", "program"]
Action = Literal["corrected", "dropped", "kept"]


class Erratum(Struct, frozen=True, omit_defaults=True):
    """An entry of the file.

    `found` says what is wrong, `before` has the field as it was by the id of each item concerned; `reason` says why an item is kept.
    """

    id: Id
    field: ErratumField
    found: Text
    by: Role
    action: Action
    before: Annotated[Mapping[Text, Text], Meta(min_length=1, description="'item: words' entries")]
    reason: str = ""


#: The fields of each item by its id, as `values_of` returns them.
Values = Mapping[str, Mapping[str, str]]


def read_errata(path: Path) -> list[Erratum]:
    """Return the errata of a file; raises `PipelineError` if it is malformed or uses an id twice."""
    errata = read_yaml(path, tuple[Erratum, ...])
    lines: dict[str, int | None] = {}
    for erratum in errata:
        require_unique(lines, erratum.id, path, None)
    return list(errata)


def values_of(records: Iterable[Record], glosses: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what errata may name of each record as it was read, by its id."""
    return {
        record.id: {
            "text": record.text,
            "question": record.question,
            "candidates": ", ".join(record.candidates),
            "answer": "" if record.answer is None else record.candidates[record.answer],
            "gloss": glosses.get(record.id, ""),
        }
        for record in records
    }


def unknown_items(erratum: Erratum, values: Values) -> Iterator[str]:
    """Yield a reason for each item that is not there though the erratum speaks of it, or there though it was dropped."""
    for item_id in erratum.before:
        if erratum.action == "dropped" and item_id in values:
            yield f"found {shown(item_id)} among the items, expected no such item, since it was dropped"
        if erratum.action != "dropped" and item_id not in values:
            yield f"found no item {shown(item_id)}, expected the id of one"


def untrue_actions(erratum: Erratum, values: Values) -> Iterator[str]:
    """Yield a reason for each item that is not as the action leaves it; a kept one needs a reason."""
    for item_id, before in erratum.before.items():
        now = values.get(item_id, {}).get(erratum.field)
        if erratum.action == "corrected" and now == before:
            yield f"found {shown(now)} in {item_id} still, expected other words, since it was corrected"
        if erratum.action == "kept" and now not in (None, before):
            yield f"found {shown(now)} in {item_id}, expected {shown(before)}, since it was kept"
    if erratum.action == "kept" and not erratum.reason:
        yield "found no reason, expected why the item was kept"


def released_errata(path: Path, values: Values) -> list[dict[str, Any]]:
    """Return a row for each item of a collection that an erratum of the file speaks of: the erratum with `before` and `after`.

    Items that are not in the collection are left out, unless they were dropped: a part of a collection has some of its errata.

    Raises:
        PipelineError: the file is malformed, an item is not as an erratum says, or unknown though most others are there.
    """
    rows = []
    errata = read_errata(path)
    unknown = [(erratum, reason) for erratum in errata for reason in unknown_items(erratum, values)]
    if 0 < 2 * len(unknown) < sum(len(erratum.before) for erratum in errata):
        raise PipelineError(path, None, f"[{unknown[0][0].id}] unknown item; {unknown[0][1]}")
    for erratum in errata:
        if fault := next(untrue_actions(erratum, values), ""):
            raise PipelineError(path, None, f"[{erratum.id}] action not taken; {fault}")
        for item_id, before in erratum.before.items():
            if (item_id in values) == (erratum.action != "dropped"):
                after = values.get(item_id, {}).get(erratum.field)
                row = to_object(erratum) | {"reason": erratum.reason, "before": before, "after": after}
                rows.append({"erratum": row.pop("id"), "item": item_id, **row})
    return rows
