"""Records as JSON Lines: one object per line, keys in a fixed order."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from .errors import PipelineError, shown
from .files import parse_jsonl, read_text, require_unique, write_jsonl
from .hints import kind_of
from .model import CLASSES, ExclusionClass, Finding, Item, Record, Rejected, Span, is_exclusion_class

#: The keys of an item, in the order of the contract.
KEYS = ("id", "schema", "version", "lang", "text", "target", "candidates", "answer", "question", "source", "note")
#: The keys of a zero form, which some items have besides.
_ZERO = "text_zero zero text_dropped dropped mentions"
#: The keys that a line of each kind may have besides; a zero form of a release has those of its second line too.
_MORE_KEYS = {
    "an item": "case pronouns",
    "a sentence of a template": "case pronouns",
    "an item with other names": f"item names gloss {_ZERO}",
    "an item with genders": "gloss kind role register genders",
    "an item in traditional script": f"item back {_ZERO}",
    "a zero form": f"{_ZERO} gloss kind role pmi_candidates pmi_reference modification original_text",
    "a rejected record": "findings",
}
#: The kinds of lines that are items, and zero forms of items.
ITEM_KINDS = tuple(kind for kind in _MORE_KEYS if kind != "a rejected record")
_TEXTS = ("id", "schema", "version", "lang", "text")
_REMARKS = ("question", "source", "note")
_Entry = TypeVar("_Entry", Item, Rejected)
Value = TypeVar("Value")
#: What a command is to be given, in its message on another file.
ITEMS_FILE = "items.jsonl, which ingest writes"
_REJECTED_FILE = "rejected.jsonl, which exclude writes, or skipped.jsonl, which ingest writes"


def span_to_json(span: Span | None) -> dict[str, int] | None:
    """Return ``{"start": …, "end": …}``, or None."""
    return None if span is None else {"start": span.start, "end": span.end}


def record_to_json(record: Record) -> dict[str, Any]:
    """Return the object of a record; `target` and `answer` are null where the source does not give them."""
    return {
        "id": record.id,
        "schema": record.schema,
        "version": record.version,
        "lang": record.lang,
        "text": record.text,
        "target": span_to_json(record.target),
        "candidates": list(record.candidates),
        "answer": record.answer,
        "question": record.question,
        "source": record.source,
        "note": record.note,
    }


def rejected_to_json(rejected: Rejected) -> dict[str, Any]:
    """Return the object of the record with its ``findings``."""
    findings = [
        {
            "rule": finding.rule,
            "class": finding.exclusion,
            "span": span_to_json(finding.span),
            "message": finding.message,
            "evidence": dict(finding.evidence),
        }
        for finding in rejected.findings
    ]
    return record_to_json(rejected.record) | {"findings": findings}


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


def texts_field(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a field that is a list of texts; see `field_of`."""
    texts = field_of(value, name, list, "a list of texts")
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"[{name}] wrong kind; found {shown(texts)}, expected a list of texts")
    return tuple(texts)


def span_field(value: Mapping[str, Any], name: str, text: str | None = None) -> Span:
    """Return a field that is a span, of `text` if that is given; see `field_of`."""
    offsets = field_of(value, name, dict, 'an object {"start": …, "end": …}')
    span = Span(*(field_of(offsets, end, int, "an offset") for end in ("start", "end")))
    if text is not None and span.end > len(text):
        raise ValueError(f"[{name}] span outside the text; found end {span.end}, expected at most {len(text)}")
    return span


def class_field(value: Mapping[str, Any], name: str) -> ExclusionClass | None:
    """Return a field that is a class of exclusion, or None for null; see `field_of`."""
    content = field_of(value, name, (str, type(None)), "a class of exclusion, or null")
    if content is None or is_exclusion_class(content):
        return content
    raise ValueError(f"[{name}] unknown class; found {shown(content)}, expected one of {', '.join(CLASSES)}, or null")


def _optional_span(value: Mapping[str, Any], name: str) -> Span | None:
    if name in value and value[name] is None:
        return None
    return span_field(value, name)


def _parts(value: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: text_field(value, name) for name in _TEXTS}
    remarks = {name: text_field(value, name) for name in _REMARKS if name in value}
    return {**texts, **remarks, "candidates": texts_field(value, "candidates")}


def item_from_json(value: Mapping[str, Any]) -> Item:
    """Return the item of a JSON object; raises `ValueError` with the field and the reason."""
    answer = field_of(value, "answer", int, "the index of a candidate")
    return Item(**_parts(value), target=span_field(value, "target"), answer=answer)


def record_from_json(value: Mapping[str, Any]) -> Record:
    """Return the record of a JSON object; raises `ValueError` with the field and the reason."""
    answer = field_of(value, "answer", (int, type(None)), "the index of a candidate, or null")
    return Record(**_parts(value), target=_optional_span(value, "target"), answer=answer)


def rejected_from_json(value: Mapping[str, Any]) -> Rejected:
    """Return the rejected record of a JSON object; raises `ValueError` with the field and the reason."""
    findings = field_of(value, "findings", list, "a list of findings")
    return Rejected(record_from_json(value), tuple(map(finding_from_json, findings)))


def finding_from_json(value: object) -> Finding:
    """Return the finding of a JSON value; raises `ValueError` with the field and the reason."""
    if not isinstance(value, dict):
        raise ValueError(f"[findings] wrong kind; found {shown(value)}, expected an object")
    name = field_of(value, "class", str, "a class of exclusion")
    if not is_exclusion_class(name):
        raise ValueError(f"[class] unknown class; found {shown(name)}, expected one of {', '.join(CLASSES)}")
    return Finding(
        rule=field_of(value, "rule", str, "a rule id"),
        exclusion=name,
        span=_optional_span(value, "span"),
        message=field_of(value, "message", str, "text"),
        evidence=field_of(value, "evidence", dict, "an object"),
    )


def _require_keys(value: Mapping[str, Any], kind: str) -> None:
    """Raise `ValueError` with the key that a line of a kind has and must not have, or lacks."""
    known = (*KEYS, *_MORE_KEYS[kind].split())
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            expected = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(known)}"
            raise ValueError(f"[record] unknown field; found {shown(key)}, {expected}")
    for key in KEYS:
        if key not in value:
            raise ValueError(f"[{key}] missing field; expected text, which may be empty")


def read_items(path: Path, wanted: str = ITEMS_FILE, *, zero_forms: bool = False) -> list[Item]:
    """Return the items of a JSON Lines file, in its order.

    Args:
        path: the file.
        wanted: which file to give, and who writes it, for messages.
        zero_forms: also take zero forms, whose other keys are ignored.

    Raises:
        PipelineError: a line is malformed or no item, such as a rejected record, lacks a key or has an unknown one; an id is used
            twice; the file is empty.
    """
    items = _read_items(path, {}, wanted, zero_forms=zero_forms)
    if not items:
        raise PipelineError(path, None, f"[file] no item; found an empty file, expected {wanted}")
    return items


def read_rejected(path: Path) -> list[Rejected]:
    """Return the rejected records of a JSON Lines file, in its order; there may be none.

    Raises:
        PipelineError: a line is malformed or no rejected record, or an id is used twice.
    """
    return _read_rejected(path, {})


def read_collection(items: Path, rejected: Path | None, wanted: str = ITEMS_FILE) -> tuple[list[Item], list[Rejected]]:
    """Return the items and the rejected records of a collection, each in the order of its file.

    Args:
        items: the file of the items, which may be empty if there are rejected records.
        rejected: the file of the rejected records; None if there is none.
        wanted: which file of items to give, and who writes it, for messages.

    Raises:
        PipelineError: a record is malformed or in the wrong file, its id is used twice, in one file or in both, or there is none.
    """
    places: dict[str, tuple[Path, int]] = {}
    collection = _read_items(items, places, wanted), _read_rejected(rejected, places, wanted) if rejected else []
    if not any(collection):
        raise PipelineError(items, None, f"[file] no item; found an empty file, expected {wanted}")
    return collection


def _read_items(
    path: Path, places: dict[str, tuple[Path, int]], wanted: str, *, zero_forms: bool = False
) -> list[Item]:
    kinds = ITEM_KINDS if zero_forms else [kind for kind in ITEM_KINDS if kind != "a zero form"]
    return _read(path, item_from_json, places, kinds, wanted)


def _read_rejected(path: Path, places: dict[str, tuple[Path, int]], items: str = ITEMS_FILE) -> list[Rejected]:
    return _read(path, rejected_from_json, places, ("a rejected record",), _REJECTED_FILE, items)


def _read(
    path: Path,
    from_json: Callable[[Mapping[str, Any]], _Entry],
    places: dict[str, tuple[Path, int]],
    kinds: Sequence[str],
    wanted: str,
    beside: str = "",
) -> list[_Entry]:
    """Return the records of a file, whose lines are of `kinds`; `places` holds where each id was read before, and is extended."""
    records = []
    for line, value in parse_jsonl(read_text(path), path):
        kind = kind_of(value)
        if kind is not None and kind.name not in kinds:
            field = "findings" if "a rejected record" in (kind.name, kinds[0]) else "record"
            reason = f"{kind.name}; found {shown(value.get('id', value))}, expected {kinds[0]}: give {wanted}"
            raise PipelineError(path, line, f"[{field}] {reason}")
        try:
            record = from_json(value)
            _require_keys(value, kind.name if kind else kinds[0])
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        name = record.id if isinstance(record, Item) else record.record.id
        if name in places:
            other, first = places[name]
            where = f"line {first}" if other == path else f"{other}:{first}"
            stage = "" if other == path else f": one file is of another stage; the items are to be {beside}"
            raise PipelineError(
                path, line, f"[id] not unique; found {shown(name)} in {where} too, expected each id once{stage}"
            )
        places[name] = (path, line)
        records.append(record)
    return records


def read_by_id(path: Path, field: str, value_of: Callable[[Any], Value], wanted: str) -> dict[str, Value]:
    """Return the values of a JSON Lines file by the `id` of their lines, in the order of the file.

    Args:
        path: the file.
        field: what a line holds, for messages.
        value_of: makes a value of the JSON object of a line, or raises ValueError with the field at fault.
        wanted: which file to give, and who writes it, for messages.

    Raises:
        PipelineError: a line is malformed, or an id occurs twice.
    """
    lines: dict[str, int | None] = {}
    values: dict[str, Value] = {}
    for line, row in parse_jsonl(read_text(path), path):
        try:
            name, value = text_field(row, "id"), value_of(row)
        except ValueError as error:
            kind = kind_of(row)
            other = kind is not None and field not in kind.name
            reason = f"[{field}] {kind.name}; expected {wanted}" if kind and other else str(error)
            raise PipelineError(path, line, reason) from error
        require_unique(lines, name, path, line)
        values[name] = value
    return values


def write_items(path: Path, items: Iterable[Record]) -> None:
    """Write items as JSON Lines, atomically."""
    write_jsonl(path, map(record_to_json, items))


def write_rejected(path: Path, rejected: Iterable[Rejected]) -> None:
    """Write rejected records as JSON Lines, atomically."""
    write_jsonl(path, map(rejected_to_json, rejected))
