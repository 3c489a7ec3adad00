"""The snapshot of a design: what a study was laid out from, in study.json, so that its tasks can be derived again.

With it the folder of a study needs no other file: a later build may have changed the records, and people the design.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from ...core.convert import Count, convert, to_object
from ...core.errors import shown
from ...core.files import to_json
from ..model.design import Design, Source
from ..model.study import Study
from .fields import StudyRecord
from .layout import Material


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The object ``design`` of study.json: the choices of a design that study.json does not show, and the content of its files.

    Attributes:
        sha256: the `checksum` of the whole file.
    """

    source: Source
    select: str | None
    seed: Count
    show: Mapping[str, str]
    config: str
    guideline: str
    selected: Mapping[str, tuple[StudyRecord, ...]]
    practice: tuple[StudyRecord, ...]
    attention: tuple[StudyRecord, ...]
    sha256: str


def with_snapshot(study: Study, design: Design, material: Material) -> Study:
    """Return a study that holds the snapshot of its design, with the checksum of all of it."""
    snapshot = Snapshot(
        source=design.source,
        select=design.select,
        seed=design.seed,
        show=design.show,
        config=material.config,
        guideline=material.guideline,
        selected={name: tuple(records) for name, records in material.selected.items()},
        practice=tuple(material.practice),
        attention=tuple(material.attention),
        sha256="",
    )
    study = replace(study, design=to_object(snapshot))
    return replace(study, design={**(study.design or {}), "sha256": checksum(to_object(study))})


def checksum(study: Mapping[str, Any]) -> str:
    """Return the SHA-256 of study.json, without that which its design ends with: it shows that somebody edited the file."""
    design = study.get("design")
    rest = {name: value for name, value in design.items() if name != "sha256"} if isinstance(design, dict) else design
    return sha256(to_json({**study, "design": rest}).encode()).hexdigest()


def read_snapshot(value: Mapping[str, Any], path: Path) -> tuple[Design, Material]:
    """Return the design of a study, and the content of its files.

    Raises:
        ValueError: a field is missing or malformed.
    """
    study = convert(value, Study)
    if study.design is None:
        raise ValueError("[design] found null, expected what the study was laid out from")
    snapshot = convert(study.design, Snapshot)
    design = Design(
        path=path,
        id=study.id,
        title=study.title,
        lang=study.lang,
        source=snapshot.source,
        records=path,
        config=path,
        guideline=path,
        seed=snapshot.seed,
        show=snapshot.show,
        controls=study.controls,
        lists=study.layout,
        screen=study.screen,
        select=snapshot.select,
        criteria=study.criteria,
    )
    if design.lists.scheme not in ("raters", "experiment") and tuple(snapshot.selected) != ("",):
        found = shown(", ".join(snapshot.selected))
        raise ValueError(f"[selected] found {found}, expected records without the name of a list")
    material = Material(snapshot.config, snapshot.guideline, snapshot.selected, snapshot.practice, snapshot.attention)
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
