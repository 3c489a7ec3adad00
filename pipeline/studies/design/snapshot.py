"""The snapshot of a design: what a study was laid out from, in study.json, so that its tasks can be derived again.

With it the folder of a study needs no other file: a later build may have changed the records, and people the design.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from ...core.convert import convert
from ...core.errors import shown
from ...core.files import to_json
from ...core.model import Finding, Rejected
from ...core.records import KEYS as RECORD_KEYS
from ...core.records import (
    field_of,
    record_from_json,
    record_to_json,
    rejected_to_json,
    text_field,
    texts_field,
)
from ..model.criteria import criteria_from_json
from ..model.design import Control, ControlKind, Design, Lists, Scheme, Source
from .fields import Passage, StudyRecord
from .layout import Material

#: The keys of a record of a study besides those of an item.
_MORE = ("findings", "pronouns", "own", "doubt", "explanation", "passage", "trace", "part", "original", "mates")
#: Maximum of what is counted in a design, so that a damaged one is not laid out for hours.
_MOST = 10**6
#: The keys of a snapshot, in their order.
KEYS = ("source", "select", "seed", "show", "config", "guideline", "selected", "practice", "attention", "sha256")


def snapshot_to_json(design: Design, material: Material) -> dict[str, Any]:
    """Return the snapshot of a design: its choices that study.json does not show, and the content of its files.

    The caller adds the `checksum` of the whole study.
    """
    return {
        "source": design.source,
        "select": design.select,
        "seed": design.seed,
        "show": dict(design.show),
        "config": material.config,
        "guideline": material.guideline,
        "selected": {
            name: [_record_to_json(record) for record in records] for name, records in material.selected.items()
        },
        "practice": [_record_to_json(record) for record in material.practice],
        "attention": [_record_to_json(record) for record in material.attention],
    }


def checksum(study: Mapping[str, Any]) -> str:
    """Return the SHA-256 of study.json, without that which its design ends with: it shows that somebody edited the file."""
    design = study.get("design")
    rest = {name: value for name, value in design.items() if name != "sha256"} if isinstance(design, dict) else design
    return sha256(to_json({**study, "design": rest}).encode()).hexdigest()


def snapshot_from_json(study: Mapping[str, Any], path: Path) -> tuple[Design, Material]:
    """Return the design of a study, and the content of its files.

    Args:
        study: the object of study.json.
        path: its file, for messages.

    Raises:
        ValueError: a field is missing or malformed.
    """
    snapshot = field_of(study, "design", dict, "what the study was laid out from")
    if tuple(snapshot) != KEYS:
        raise ValueError(f"[design] found the keys {shown(', '.join(snapshot))}, expected {', '.join(KEYS)}")
    show = field_of(snapshot, "show", dict, "the fields that a task shows")
    if not all(isinstance(name, str) for name in show.values()):
        raise ValueError(f"[show] found {shown(show)}, expected the name of a field for each name")
    design = Design(
        path=path,
        id=text_field(study, "id"),
        title=text_field(study, "title"),
        lang=text_field(study, "lang"),
        source=_one_of(snapshot, "source", get_args(Source)),
        records=path,
        config=path,
        guideline=path,
        seed=_number(snapshot, "seed", 0, 2**63),
        show=show,
        controls=tuple(map(control_from_json, field_of(study, "controls", list, "controls"))),
        lists=lists_from_json(field_of(study, "layout", dict, "how records are divided into lists")),
        screen=_number(study, "screen", 1),
        select=field_of(snapshot, "select", (str, type(None)), "the name of a selection, or null"),
        criteria=criteria_from_json(study.get("criteria")),
    )
    selected = field_of(snapshot, "selected", dict, "records by list")
    material = Material(
        config=text_field(snapshot, "config"),
        guideline=text_field(snapshot, "guideline"),
        selected={name: _records(selected, name) for name in selected},
        practice=_records(snapshot, "practice"),
        attention=_records(snapshot, "attention"),
    )
    if design.lists.scheme not in ("raters", "experiment") and tuple(selected) != ("",):
        raise ValueError(f"[selected] found {shown(', '.join(selected))}, expected records without the name of a list")
    _check_material(design, material)
    return design, material


def _check_material(design: Design, material: Material) -> None:
    """Raise `ValueError` if records have another language than the design, an id twice, or in practice no answer."""
    for record in (*chain(*material.selected.values()), *material.practice, *material.attention):
        if record.item.lang != design.lang:
            reason = f"found {shown(design.lang)}, expected {shown(record.item.lang)} as in {shown(record.id)}"
            raise ValueError(f"[lang] not the language of the records; {reason}")
    for name, records in (("practice", material.practice), ("attention", material.attention)):
        for record in records:
            if record.item.answer is None or len(record.item.candidates) < 2:
                raise ValueError(f"[{name}] found no answer or one candidate of {shown(record.id)}, expected both")
    for records in (*material.selected.values(), material.practice, material.attention):
        ids = Counter(record.id for record in records)
        if repeated := [name for name, number in ids.items() if number > 1]:
            raise ValueError(f"[id] not unique; found {shown(repeated[0])} twice, expected each record once")


def _record_to_json(record: StudyRecord) -> dict[str, Any]:
    findings = rejected_to_json(Rejected(record.item, (record.finding,)))["findings"] if record.finding else []
    return record_to_json(record.item) | {
        "findings": findings,
        "pronouns": record.pronouns,
        "own": record.own,
        "doubt": record.doubt,
        "explanation": record.explanation,
        "passage": asdict(record.passage) if record.passage else None,
        "trace": record.trace,
        "part": record.part,
        "original": list(record.original),
        "mates": [record_to_json(mate) for mate in record.mates],
    }


def _records(value: Mapping[str, Any], name: str) -> list[StudyRecord]:
    return [_record(row) for row in field_of(value, name, list, "a list of records")]


def _record(row: object) -> StudyRecord:
    if not isinstance(row, dict) or tuple(row) != (*RECORD_KEYS, *_MORE):
        raise ValueError(f"[record] found {shown(row)}, expected an object of {', '.join((*RECORD_KEYS, *_MORE))}")
    item = record_from_json(row)
    findings = field_of(row, "findings", list, "a list of findings")
    own = field_of(row, "own", (int, type(None)), "the number of a candidate, or null")
    if own is not None and not 0 <= own < len(item.candidates):
        raise ValueError(f"[own] found {own}, expected the number of a candidate of {shown(item.id)}")
    return StudyRecord(
        item=item,
        finding=convert(findings[0], Finding) if findings else None,
        own=own,
        pronouns=text_field(row, "pronouns"),
        doubt=text_field(row, "doubt"),
        explanation=text_field(row, "explanation"),
        passage=_passage(row, len(item.candidates)),
        trace=text_field(row, "trace"),
        part=text_field(row, "part"),
        original=_original(row),
        mates=tuple(record_from_json(mate) for mate in field_of(row, "mates", list, "a list of records")),
    )


def _original(row: Mapping[str, Any]) -> tuple[str, ...]:
    texts = texts_field(row, "original")
    if 0 < len(texts) < 3:
        raise ValueError(f"[original] found {shown(list(texts))}, expected text, question and candidates, or nothing")
    return texts


def _passage(row: Mapping[str, Any], candidates: int) -> Passage | None:
    value = field_of(row, "passage", (dict, type(None)), "what is known of a sentence, or null")
    if value is None:
        return None
    *texts, systems = names = tuple(field.name for field in fields(Passage))
    if tuple(value) != names:
        raise ValueError(f"[passage] found {shown(value)}, expected an object of {', '.join(names)}")
    passage = Passage(**{name: text_field(value, name) for name in texts}, systems=texts_field(value, systems))
    if len(passage.systems) != candidates:
        raise ValueError(
            f"[systems] found {len(passage.systems)} systems of {candidates} translations, expected the same number"
        )
    return passage


def control_from_json(row: object) -> Control:
    """Return the control of a JSON value; raises `ValueError` with the field and the reason."""
    names = tuple(field.name for field in fields(Control))
    if not isinstance(row, dict) or tuple(row) != names:
        raise ValueError(f"[controls] found {shown(row)}, expected an object of {', '.join(names)}")
    return Control(
        name=text_field(row, "name"),
        kind=_one_of(row, "kind", get_args(ControlKind)),
        required=field_of(row, "required", bool, "true or false"),
        choices=texts_field(row, "choices"),
        low=_number(row, "low", -_MOST),
        high=_number(row, "high", -_MOST),
    )


def lists_from_json(row: Mapping[str, Any]) -> Lists:
    """Return how records are divided into lists; raises `ValueError` with the field and the reason."""
    names = tuple(field.name for field in fields(Lists))
    if tuple(row) != names:
        raise ValueError(f"[layout] found {shown(row)}, expected an object of {', '.join(names)}")
    return Lists(
        scheme=_one_of(row, "scheme", get_args(Scheme)),
        count=_number(row, "count", 1),
        size=None if row["size"] is None else _number(row, "size", 1),
        run=_number(row, "run", 0),
        apart=_number(row, "apart", 0),
        common=_number(row, "common", 0),
        mirrored=field_of(row, "mirrored", bool, "true or false"),
    )


def _number(value: Mapping[str, Any], name: str, least: int, most: int = _MOST) -> int:
    number = field_of(value, name, int, "a whole number")
    if not least <= number <= most:
        raise ValueError(f"[{name}] found {number}, expected {least} to {most}")
    return int(number)


def _one_of(value: Mapping[str, Any], name: str, names: Sequence[str]) -> Any:
    text = text_field(value, name)
    if text not in names:
        raise ValueError(f"[{name}] found {shown(text)}, expected one of {', '.join(names)}")
    return text
