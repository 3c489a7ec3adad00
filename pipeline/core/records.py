"""Records as JSON Lines: one object per line, keys in a fixed order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from .convert import convert, convert_fields, read_records, to_object, write_records
from .errors import PipelineError, shown
from .files import write_jsonl
from .model import Finding, Item, Record, Rejected

#: The keys of an item, in the order of the contract.
KEYS = tuple(field.name for field in fields(Item))
#: The last keys of each row of a release: its name with its version, and its canary.
STAMP = ("release", "canary")
#: The keys that lines of templates, forms and collections with genders may have besides.
_MORE_KEYS = frozenset(
    [*STAMP, "case", "pronouns", "item", "names", "back", "contrast", "gloss", "kind", "role", "register", "genders"]
)
#: The keys that zero forms have besides, in a build and in a release.
_ZERO_KEYS = frozenset(
    [
        "text_zero",
        "zero",
        "text_dropped",
        "dropped",
        "mentions",
        "pmi_candidates",
        "pmi_reference",
        "modification",
        "original_text",
    ]
)
_REMARKS = ("question", "source", "note")
_Line = TypeVar("_Line", Item, "_RejectedLine")
#: What a command is to be given, in its message on another file.
ITEMS_FILE = "items.jsonl, which ingest writes"
_REJECTED_FILE = "rejected.jsonl, which exclude writes, or skipped.jsonl, which ingest writes"


@dataclass(frozen=True, slots=True, kw_only=True)
class _RejectedLine(Record):
    findings: Annotated[tuple[Finding, ...], Meta(min_length=1, description="a list of findings, at least one")]

    @property
    def rejected(self) -> Rejected:
        return Rejected(Record(**{key: getattr(self, key) for key in KEYS}), self.findings)


def rejected_to_json(rejected: Rejected) -> dict[str, Any]:
    """Return the object of the record with its ``findings``."""
    return {**to_object(rejected.record), "findings": to_object(rejected.findings)}


def field_of(value: Mapping[str, Any], name: str, kind: type | tuple[type, ...], expected: str) -> Any:
    """Return a field of an object; raises `ValueError` if it is missing or of another kind. True and false are no numbers."""
    if name not in value:
        raise ValueError(f"[{name}] missing field; expected {expected}")
    content = value[name]
    if not isinstance(content, kind) or (isinstance(content, bool) and kind is not bool):
        raise ValueError(f"[{name}] wrong kind; found {shown(content)}, expected {expected}")
    return content


def text_field(value: Mapping[str, Any], name: str) -> str:
    """Return a field that is a text; see `field_of`."""
    return str(field_of(value, name, str, "text"))


def item_from_json(value: Mapping[str, Any]) -> Item:
    """Return the item of a JSON object, which may have more keys; raises `ValueError` with the field and the reason."""
    return convert_fields(value, Item)


def rejected_from_json(value: Mapping[str, Any]) -> Rejected:
    """Return the rejected record of a JSON object; raises `ValueError` with the field and the reason."""
    return convert(dict(value), _RejectedLine).rejected


def read_items(path: Path, wanted: str = ITEMS_FILE, *, zero_forms: bool = False) -> list[Item]:
    """Return the items of a JSON Lines file, in its order.

    Args:
        wanted: which file to give, and who writes it, for messages.
        zero_forms: also take zero forms, whose other keys are ignored.

    Raises:
        PipelineError: a line is malformed or no item, such as a rejected record, lacks a key or has an unknown one; an id is used
            twice; the file is empty.
    """
    return read_collection(path, None, wanted, zero_forms=zero_forms)[0]


def read_rejected(path: Path) -> list[Rejected]:
    """Return the rejected records of a JSON Lines file, in its order; there may be none.

    Raises:
        PipelineError: a line is malformed or no rejected record, or an id is used twice.
    """
    return [line.rejected for line in _unique(path, _rejected(path), {})]


def read_collection(
    items: Path, rejected: Path | None, wanted: str = ITEMS_FILE, *, zero_forms: bool = False
) -> tuple[list[Item], list[Rejected]]:
    """Return the items and the rejected records of a collection, each in the order of its file.

    Args:
        items: the file of the items, which may be empty if there are rejected records.
        wanted: which file of items to give, and who writes it, for messages.
        zero_forms: also take zero forms, whose other keys are ignored.

    Raises:
        PipelineError: a record is malformed or in the wrong file, its id is used twice, in one file or in both, or there is none.
    """
    places: dict[str, tuple[Path, int]] = {}
    also = _MORE_KEYS | _ZERO_KEYS if zero_forms else _MORE_KEYS
    kept = list(_unique(items, read_records(items, Item, wanted, required=_REMARKS, also=also), places))
    lines = _unique(rejected, _rejected(rejected), places, wanted) if rejected else ()
    collection = kept, [line.rejected for line in lines]
    if not any(collection):
        raise PipelineError(items, None, f"[file] no item; found an empty file, expected {wanted}")
    return collection


def _rejected(path: Path) -> Iterator[tuple[int, _RejectedLine]]:
    return read_records(path, _RejectedLine, _REJECTED_FILE, required=_REMARKS)


def _unique(
    path: Path, records: Iterable[tuple[int, _Line]], places: dict[str, tuple[Path, int]], wanted: str = ""
) -> Iterator[_Line]:
    """Yield records whose ids are new; `places` holds where each id was read before, and is extended."""
    for line, record in records:
        if record.id in places:
            other, first = places[record.id]
            where = f"line {first}" if other == path else f"{other}:{first}"
            stage = "" if other == path else f": one file is of another stage; the items are to be {wanted}"
            reason = f"found {shown(record.id)} in {where} too, expected each id once{stage}"
            raise PipelineError(path, line, f"[id] not unique; {reason}")
        places[record.id] = (path, line)
        yield record


def write_items(path: Path, items: Iterable[Record]) -> None:
    """Write items as JSON Lines, atomically."""
    write_records(path, items)


def write_rejected(path: Path, rejected: Iterable[Rejected]) -> None:
    """Write rejected records as JSON Lines, atomically."""
    write_jsonl(path, map(rejected_to_json, rejected))
