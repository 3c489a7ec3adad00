"""Errata: what somebody found wrong with an item of a collection, and what was done about it (``raw/*/errata.yaml``), and their suite."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..core.convert import Id, Text, convert, read_yaml, to_object
from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Record
from ..core.records import read_items
from ..core.validation.rows import text_of, texts_of
from ..core.validation.suite import CONTRACT, Row, Suite, Value, contract, described
from ..core.yamlfile import kind_of, line_of, load_yaml, plain_value
from ..language.text_checks import check_personal_data
from .analysis import analyses_beside

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


def errata_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each entry of files of errata, with the `values` of the items.

    The items are those of a file among the paths (JSON Lines), else items.jsonl beside the errata, else that of build/NAME for raw/NAME.

    Raises:
        PipelineError: a file is no list of mappings, or there are no items.
    """
    given = [path for path in paths if path.suffix == ".jsonl"]
    return [row for path in paths if path not in given for row in _rows(path, given)]


def _rows(path: Path, given: list[Path]) -> Iterator[Row]:
    document = load_yaml(path)
    if not isinstance(document, list):
        raise PipelineError(path, None, f"[errata] wrong kind; found {kind_of(document)}, expected a list of errata")
    folder = path.resolve().parent
    places = [*given, folder / "items.jsonl", folder.parent.parent / "build" / folder.name / "items.jsonl"]
    items = next((place for place in places if place.is_file()), None)
    if items is None:
        reason = f"no items to compare with; expected {places[-1]}, or another items.jsonl behind this file"
        raise PipelineError(path, None, f"[items] {reason}")
    glosses = {name: text_of(value, "gloss") for name, value in analyses_beside(items).items()}
    values = values_of(read_items(items), glosses)
    for number, node in enumerate(document):
        entry = plain_value(node)
        value = (entry if isinstance(entry, dict) else {"id": entry}) | {"values": values}
        yield Row(str(value.get("id")), path, line_of(document, number) or 1, value)


def _of_errata(expectation: str, find: Callable[[Erratum, Values], Iterator[str]]) -> Any:
    def check(value: Value) -> str:
        try:
            erratum = convert({name: part for name, part in value.items() if name != "values"}, Erratum)
        except ValueError:
            return ""  # `CONTRACT` reports it
        return next(find(erratum, value["values"]), "")

    return described(expectation, check)


def no_personal_data(value: Value) -> str:
    """No address, telephone number, identity number or folder of a person: errata say by role who found something."""
    return check_personal_data(texts_of(value, "found", "reason"), "")


ERRATA = Suite(
    "errata",
    "errata of a collection (raw/NAME/errata.yaml)",
    errata_rows,
    {
        CONTRACT: contract("An erratum", Erratum, ignored=("values",)),
        "item-known": _of_errata("The items are among those of the collection; dropped ones are not.", unknown_items),
        "action-taken": _of_errata(
            "A corrected field has other words than before; a kept one has the same, and a reason.", untrue_actions
        ),
        "no-personal-data": no_personal_data,
    },
    may_be_empty=True,
)
