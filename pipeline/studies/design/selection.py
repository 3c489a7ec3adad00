"""Which records a study asks about: all, the rejected and disputed, or those that an earlier study left open."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.model import Record
from ...core.records import field_of, read_items, read_rejected, record_from_json, text_field
from ...winograd.exclusion.ledger import read_decisions
from ...winopron.instances import VERSIONS, read_instances
from ..model.design import AFTER_STUDY, BY_WORDING, Design
from ..model.judgements import Judgement
from ..model.study import Study, Task
from .drafts import read_draft_records
from .fields import MATE_FIELDS, ZERO_FIELDS, StudyRecord, hypothesis_of
from .judged import EarlierStudy, changed, disagreements, doubtful, explained
from .passages import read_passages
from .written import read_form

#: The selections that look at one record alone: sentences with a zero, items of which the form `nli` has hypotheses.
_FILTERS: Mapping[str, Callable[[StudyRecord], bool]] = {
    "with-zero": lambda record: record.passage is not None and record.passage.oracle != record.item.text,
    "with-hypothesis": lambda record: all(
        hypothesis_of(record.item, number) for number in range(len(record.item.candidates))
    ),
}
#: The form of an item that the system saw, if that was the zero form.
ZERO_FORM = "zero"
#: Returns the records of each list of a design with the source ``cloze``.
ClozeLists = Callable[[Design], Mapping[str, Sequence[StudyRecord]]]
#: The names of all selections.
SELECTIONS = (*AFTER_STUDY, "disputed-or-rejected", *_FILTERS)


@dataclass(frozen=True, slots=True)
class Selection:
    """The records that a study asks about.

    Attributes:
        records: all records of the design.
        selected: those to ask about: by rater for ``disagreements``, else under the empty name.
        missing: the ids of items that raters left open and that are no records, or are in other words by now.
    """

    records: Sequence[StudyRecord]
    selected: Mapping[str, Sequence[StudyRecord]]
    missing: Sequence[str] = ()


def select_records(
    design: Design,
    judgements: Sequence[Judgement] | None,
    asked: tuple[Study, Sequence[Task]] | None = None,
    cloze_lists: ClozeLists | None = None,
) -> Selection:
    """Return the records of a design, and those to ask about.

    ``disputed-or-rejected`` and ``doubtful`` read ``decisions.jsonl`` in the folder of the records; the former also ``kept.jsonl``.

    Args:
        design: the design.
        judgements: the judgements of the earlier study, for a design that selects by them.
        asked: that study with its tasks, for a design that compares what it asked (`design.BY_WORDING`).
        cloze_lists: reads the lists of an experiment, for a design with the source ``cloze``.

    Raises:
        PipelineError: a file is missing or malformed, judgements are missing or superfluous, nothing is selected.
        MisfitError: a judgement does not fit the records.
    """
    if design.select is not None and design.select not in SELECTIONS:
        raise _error(design, f"unknown selection; found {design.select!r}, expected one of {', '.join(SELECTIONS)}")
    if (judgements is not None) != (design.select in AFTER_STUDY):
        given = "no --judgements" if judgements is None else f"--judgements with select {design.select}"
        raise _error(design, f"found {given}, expected them with {' or '.join(AFTER_STUDY)} alone")
    lists = cloze_lists(design) if cloze_lists and design.source == "cloze" else {}
    selection = _selected(design, _read_records(design, lists), lists, judgements or (), asked)
    if not any(selection.selected.values()):
        raise _error(
            design, f"nothing to ask about; found none of {len(selection.records)} records in {design.records}"
        )
    if MATE_FIELDS.isdisjoint(design.show.values()):
        return selection
    return replace(
        selection, selected={name: _with_mates(part, selection.records) for name, part in selection.selected.items()}
    )


def _selected(
    design: Design,
    records: list[StudyRecord],
    lists: Mapping[str, Sequence[StudyRecord]],
    judgements: Sequence[Judgement],
    asked: tuple[Study, Sequence[Task]] | None,
) -> Selection:
    if design.select == "disputed-or-rejected":
        if design.source != "rejected":
            raise _error(design, f"found source {design.source}, expected rejected")
        kept = [StudyRecord(item=item) for item in read_items(design.records.parent / "kept.jsonl")]
        part = disputed_or_rejected(records, kept, _disputed(design.records.parent))
        return Selection([*records, *kept], {"": part})
    if design.source == "traces":
        part = [record for record in records if record.trace.strip()]  # nothing to judge in the others
        return Selection(records, {"": part})
    if fits := _FILTERS.get(design.select or ""):
        return Selection(records, {"": [record for record in records if fits(record)]})
    if design.select == "disagreements":
        return Selection(records, disagreements(records, judgements))
    if design.select == "doubtful":
        return Selection(records, {"": doubtful(records, judgements, _disputed(design.records.parent))})
    if design.select in BY_WORDING:
        if asked is None:
            raise _error(
                design,
                "found no export of the earlier study, expected study.json and tasks.jsonl beside its judgements",
            )
        earlier = EarlierStudy(*asked, judgements)
        part, missing = explained(records, earlier) if design.select == "explained" else (changed(records, earlier), [])
        return Selection(records, {"": part}, missing)
    return Selection(records, lists or {"": records})


def _with_mates(selected: Iterable[StudyRecord], records: Iterable[StudyRecord]) -> list[StudyRecord]:
    """Return records with the other members of their schemas."""
    members: dict[str, dict[str, Record]] = {}
    for record in records:
        members.setdefault(record.item.schema, {})[record.item.id] = record.item
    return [
        replace(
            record, mates=tuple(item for name, item in members[record.item.schema].items() if name != record.item.id)
        )
        for record in selected
    ]


def disputed_or_rejected(
    rejected: Sequence[StudyRecord], kept: Sequence[StudyRecord], disputed: Collection[str]
) -> list[StudyRecord]:
    """Return every rejected record, and the kept ones on which two parsers disagree, ordered by id: the exclusion audit."""
    return sorted([*rejected, *(record for record in kept if record.id in disputed)], key=lambda record: record.id)


def _read_records(design: Design, lists: Mapping[str, Sequence[StudyRecord]]) -> list[StudyRecord]:
    """Return all records of a design, of the given lists where its source makes them."""
    if design.source == "cloze":
        return list({record.id: record for part in lists.values() for record in part}.values())
    if design.source == "rejected":
        rejected = read_rejected(design.records)
        return [StudyRecord(item=entry.record, finding=entry.findings[0]) for entry in rejected]
    if design.source == "instances":
        folder = design.records.is_dir()
        paths = [design.records / f"{version}.jsonl" for version in VERSIONS] if folder else [design.records]
        instances = [instance for path in paths for instance in read_instances(path)]
        return [StudyRecord(item=instance.item, pronouns=instance.pronouns) for instance in instances]
    if design.source in ("sentences", "translations"):
        return read_passages(design.records, translated=design.source == "translations")
    if design.source == "drafts":
        return read_draft_records(design.records, design.lang)
    if design.source == "form":
        return read_form(design.records, design.lang)
    if design.source == "traces":
        return read_traces(design.records, zero_forms=not ZERO_FIELDS.isdisjoint(design.show.values()))
    items = read_items(design.records, zero_forms=True)
    if shows_zero := sorted(ZERO_FIELDS & set(design.show.values())):
        _require_zero_forms(design, shows_zero[0])
    return [StudyRecord(item=item) for item in items]


def _require_zero_forms(design: Design, field: str) -> None:
    """Refuse records that are no zero forms: nobody decided that their targets can be left out."""
    for line, row in parse_jsonl(read_text(design.records), design.records):
        if field not in row:
            reason = f"[{field}] no zero form, which the design shows; found {shown(row.get('id'))} without one"
            raise PipelineError(design.records, line, f"{reason}, expected zero.jsonl, which zero writes, as records")


def _disputed(folder: Path) -> set[str]:
    return {decision.id for decision in read_decisions(folder / "decisions.jsonl") if decision.disputed}


def _error(design: Design, reason: str) -> PipelineError:
    return PipelineError(design.path, design.lines.get("select"), f"[select] {reason}")


def read_traces(path: Path, *, zero_forms: bool) -> list[StudyRecord]:
    """Return a record for each trace, under the id of the trace, which names neither system nor condition.

    Args:
        path: the traces (JSON Lines); each has its ``item``.
        zero_forms: whether the design shows zero forms, so that the systems must have seen them too.

    Raises:
        PipelineError: a line is malformed, an id is used twice, or the system saw another form.
    """
    records = []
    lines: dict[str, int | None] = {}
    for line, row in parse_jsonl(read_text(path), path):
        try:
            record = _trace_record(row, zero_forms=zero_forms)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        require_unique(lines, record.id, path, line)
        records.append(record)
    return records


def _trace_record(row: Mapping[str, Any], *, zero_forms: bool) -> StudyRecord:
    item = record_from_json(field_of(row, "item", dict, "the item that the trace is about"))
    name, form = text_field(row, "id"), text_field(row, "form")
    if name.rpartition("/")[0] != item.id:
        raise ValueError(f"[id] found {shown(name)}, expected {item.id}, a slash and a number")
    if zero_forms and form != ZERO_FORM:
        raise ValueError(f"[form] found {shown(form)}, expected {ZERO_FORM}: the design shows zero forms")
    return StudyRecord(item=replace(item, id=name), trace=text_field(row, "trace"))
