"""The suite `errata`: what people write about errors of items, and whether what it says was done."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.convert import convert
from ...core.errors import PipelineError
from ...core.records import read_items
from ...core.validation.rows import texts_of
from ...core.validation.suite import CONTRACT, Row, Suite, Value, contract, described
from ...core.yamlfile import kind_of, line_of, load_yaml, plain_value
from ...language.text_checks import check_personal_data
from ..analysis import read_analyses
from ..errata import Erratum, Values, unknown_items, untrue_actions, values_of


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
    analyses = items.with_name("analysis.jsonl")
    glosses = {name: entry.gloss for name, entry in read_analyses(analyses).items()} if analyses.is_file() else {}
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
