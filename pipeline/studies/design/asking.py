"""The records of a design, as its source has them, and those that it selects."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...core.errors import PipelineError
from ...core.records import read_items, read_rejected
from ...winograd.exclusion.ledger import read_decisions
from ...winopron.instances import read_instances
from ..judgements import Judgement
from .design import Design
from .fields import Asked
from .selection import BY_JUDGEMENTS, SELECTIONS, disagreements, disputed_or_rejected, doubtful


def ask(design: Design, judgements: Sequence[Judgement] | None) -> tuple[list[Asked], Mapping[str, Sequence[Asked]]]:
    """Return all records of a design, and those that it selects: by rater for ``disagreements``, else under the empty name.

    ``disputed-or-rejected`` and ``doubtful`` read ``decisions.jsonl`` in the folder of the records, the former ``kept.jsonl`` too.

    Raises:
        PipelineError: a file is missing or malformed, judgements are missing or not asked for, nothing is selected.
        ValueError: a judgement does not fit the records.
    """
    if design.select is not None and design.select not in SELECTIONS:
        raise _wrong(design, f"unknown; found {design.select!r}, expected one of {', '.join(SELECTIONS)}")
    if (judgements is not None) != (design.select in BY_JUDGEMENTS):
        found = "no --judgements" if judgements is None else f"--judgements with select {design.select}"
        raise _wrong(design, f"found {found}, expected them with {' or '.join(BY_JUDGEMENTS)} alone")
    records = _records(design)
    chosen: Mapping[str, Sequence[Asked]] = {"": records}
    if design.select == "disputed-or-rejected":
        if design.source != "rejected":
            raise _wrong(design, f"found source {design.source}, expected rejected")
        kept = [Asked(record=item) for item in read_items(design.records.parent / "kept.jsonl")]
        chosen = {"": disputed_or_rejected(records, kept, _disputed(design.records.parent))}
        records = [*records, *kept]
    elif design.select == "disagreements":
        chosen = disagreements(records, judgements or ())
    elif design.select == "doubtful":
        chosen = {"": doubtful(records, judgements or (), _disputed(design.records.parent))}
    if not any(chosen.values()):
        raise _wrong(design, f"nothing to ask about; found none of {len(records)} records in {design.records}")
    return records, chosen


def _wrong(design: Design, reason: str) -> PipelineError:
    return PipelineError(design.path, design.lines.get("select"), f"[select] {reason}")


def _disputed(folder: Path) -> set[str]:
    return {decision.id for decision in read_decisions(folder / "decisions.jsonl") if decision.disputed}


def _records(design: Design) -> list[Asked]:
    if design.source == "rejected":
        rejected = read_rejected(design.records)
        return [Asked(record=one.record, finding=one.findings[0]) for one in rejected]
    if design.source == "instances":
        return [Asked(record=one.item, pronouns=one.pronouns) for one in read_instances(design.records)]
    return [Asked(record=item) for item in read_items(design.records)]
