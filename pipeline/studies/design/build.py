"""Studies, built from a design and the records that it names; and the snapshot of the design, from which they are laid out again."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from ...core.convert import convert
from ...core.errors import errors_at, shown
from ..model.design import Design
from ..model.judgements import Judgement
from ..model.study import Study, Task
from .config import read_guideline, read_template
from .fields import StudyRecord
from .layout import Layout, Snapshot, check_design, design_error, lay_out
from .selection import ClozeLists, select_records
from .sources import read_attention, read_practice


def make_study(
    design: Design,
    judgements: Sequence[Judgement] | None = None,
    asked: tuple[Study, Sequence[Task]] | None = None,
    cloze_lists: ClozeLists | None = None,
) -> Layout:
    """Return the study of a design, whose files are read. The same files give the same study.

    Args:
        judgements: the judgements of the earlier study, for a design that selects by them.
        asked: that study with its tasks, for a design that compares what it asked (`design.BY_WORDING`).
        cloze_lists: reads the lists of an experiment, for a design with the source ``cloze``.

    Raises:
        PipelineError: a file is missing or malformed, the design asks for something impossible, or the config does not fit.
        MisfitError: a judgement does not fit the records.
    """
    check_design(design)
    _check_attention(design)
    selection = select_records(design, judgements, asked, cloze_lists)
    records = selection.records
    with errors_at(design.path, design.lines.get("lang")):
        _check_languages(design, records)
    layout = lay_out(design, snapshot_of(design, selection.selected))
    used = {record.item.id for members in layout.lists.values() for record in members}
    left_over = tuple(record for record in records if record.item.id not in used)
    return replace(layout, left_over=left_over, missing=tuple(selection.missing))


def _check_attention(design: Design) -> None:
    """Refuse attention items on a screen of several records, or without a control that a right candidate answers."""
    if design.attention and (design.screen > 1 or not any(control.asks_for_candidate for control in design.controls)):
        reason = f"[attention] found attention items on a screen of {design.screen}"
        raise design_error(
            design, "attention", f"{reason}, expected a screen of 1 with a control that asks for a candidate"
        )


def _check_languages(design: Design, records: Iterable[StudyRecord]) -> None:
    """Raise `ValueError` for a record of another language than the design's."""
    for record in records:
        if record.item.lang != design.lang:
            reason = f"found {shown(design.lang)}, expected {shown(record.item.lang)} as in {shown(record.id)}"
            raise ValueError(f"[lang] not the language of the records; {reason}")


# --- the snapshot of a design in study.json ---------------------------------------------------------------------------


def snapshot_of(design: Design, selected: Mapping[str, Sequence[StudyRecord]]) -> Snapshot:
    """Return the snapshot of a design with the records to ask about; reads the other files that it names."""
    return Snapshot(
        source=design.source,
        select=design.select,
        seed=design.seed,
        show=design.show,
        config=read_template(design.config),
        guideline=read_guideline(design.guideline),
        selected={name: tuple(records) for name, records in selected.items()},
        practice=tuple(read_practice(design.practice, design.lang) if design.practice else ()),
        attention=tuple(read_attention(design.attention, design.lang) if design.attention else ()),
    )


def read_snapshot(value: Mapping[str, Any], path: Path) -> tuple[Design, Snapshot]:
    """Return the design of a study, and the content of its files; raises `ValueError` if a field is missing or malformed."""
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
    _check_snapshot(design, snapshot)
    return design, snapshot


def _check_snapshot(design: Design, snapshot: Snapshot) -> None:
    """Raise `ValueError` if records have another language than the design, an id twice, or in practice no answer."""
    _check_languages(design, chain(*snapshot.selected.values(), snapshot.practice, snapshot.attention))
    for name, records in (("practice", snapshot.practice), ("attention", snapshot.attention)):
        for record in records:
            if record.item.answer is None or len(record.item.candidates) < 2:
                raise ValueError(f"[{name}] found no answer or one candidate of {shown(record.id)}, expected both")
    for records in (*snapshot.selected.values(), snapshot.practice, snapshot.attention):
        ids = Counter(record.id for record in records)
        if repeated := [name for name, number in ids.items() if number > 1]:
            raise ValueError(f"[id] not unique; found {shown(repeated[0])} twice, expected each record once")
