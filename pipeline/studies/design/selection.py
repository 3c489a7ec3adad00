"""Which records a study asks about that follows another one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from ...core.errors import PipelineError
from ...core.records import read_items, read_rejected
from ...statistics.difficulty import BY_RATING
from ...winograd.exclusion.ledger import read_decisions
from ...winopron.instances import read_instances
from ..judgements import Judgement
from .design import Design
from .fields import StudyRecord

#: The controls whose answers are looked at: the number of a candidate under either name, and a rating of 1 to 5.
REFERENCE, RATING = ("reference", "answer"), "naturalness"
#: The selections that need the judgements of the study before; in what they select raters may know the answer.
BY_JUDGEMENTS = ("disagreements", "doubtful")
#: The names of all selections.
SELECTIONS = (*BY_JUDGEMENTS, "disputed-or-rejected")


def _main(judgements: Iterable[Judgement], known: Collection[str]) -> list[Judgement]:
    found = sorted(
        (one for one in judgements if one.phase == "main" and not one.skipped), key=lambda one: (one.task, one.rater)
    )
    for one in found:
        if one.item not in known:
            raise ValueError(f"[item] a judgement of an unknown record; found {one.item!r} in task {one.task}")
    return found


def _choice(judgement: Judgement, asked: StudyRecord) -> int | None:
    said = next((judgement.answers[name] for name in REFERENCE if name in judgement.answers), None)
    if said is None:
        return None
    if not isinstance(said, int) or not 0 <= said < len(asked.record.candidates):
        reason = f"found {said!r} of {judgement.rater} in task {judgement.task}, expected the number of a candidate"
        raise ValueError(f"[{REFERENCE[0]}] {reason}")
    return said


def disagreements(records: Sequence[StudyRecord], judgements: Iterable[Judgement]) -> dict[str, list[StudyRecord]]:
    """Return for each rater the records where their choice is not the right one, in the order of ids, with what they said.

    It is Mandarinograd's verification phase (LREC 2020, section 3.3): each participant sees all problems for which their answer
    disagreed with the expected one. Raters who agree with all are absent; what was skipped or left open is no disagreement.

    Raises:
        ValueError: a judgement is of no record, or its answer is no candidate.
    """
    by_id = {asked.id: asked for asked in records}
    found: dict[str, dict[str, StudyRecord]] = {}
    for one in _main(judgements, by_id):
        asked = by_id[one.item]
        said = _choice(one, asked)
        if said is not None and asked.record.answer is not None and said != asked.record.answer:
            found.setdefault(one.rater, {}).setdefault(one.item, replace(asked, own=said))
    return {rater: [asked for _, asked in sorted(items.items())] for rater, items in sorted(found.items())}


def doubtful(
    records: Sequence[StudyRecord], judgements: Iterable[Judgement], disputed: Collection[str]
) -> list[StudyRecord]:
    """Return the records to decide together, in the order given, each with the doubt: votes for each candidate, mean rating.

    They are those whose mean rating is under 3 (WSC-ZA, section 3.2, stage 2), those of which raters do not all say the right
    answer (split votes, and a vote against the gold), and those disputed between parsers.

    Args:
        records: all records.
        judgements: what was said of them; of a record that nobody judged only a dispute tells.
        disputed: the ids of the records on whose exclusion parsers disagree.

    Raises:
        ValueError: a judgement is of no record, or its answer is no candidate, or its rating no number.
    """
    by_id = {asked.id: asked for asked in records}
    said: dict[str, list[int]] = {}
    ratings: dict[str, list[int]] = {}
    seen: set[tuple[str, str]] = set()
    for one in _main(judgements, by_id):
        if (one.item, one.rater) in seen:  # in another list, where it was answered already
            continue
        seen.add((one.item, one.rater))
        choice, rating = _choice(one, by_id[one.item]), one.answers.get(RATING)
        if choice is not None:
            said.setdefault(one.item, []).append(choice)
        if isinstance(rating, str):
            raise ValueError(f"[{RATING}] found {rating!r} in task {one.task}, expected a whole number")
        if rating is not None:
            ratings.setdefault(one.item, []).append(rating)
    found = []
    for asked in records:
        votes, rated = said.get(asked.id, []), ratings.get(asked.id)
        mean = fmean(rated) if rated else None
        right = votes[0] if asked.record.answer is None and votes else asked.record.answer
        low = mean is not None and mean < BY_RATING.moderate
        if low or any(vote != right for vote in votes) or asked.id in disputed:
            found.append(replace(asked, doubt=_doubt(asked, votes, mean)))
    return found


def _doubt(asked: StudyRecord, votes: Sequence[int], mean: float | None) -> str:
    told = [f"{name} {votes.count(number)}" for number, name in enumerate(asked.record.candidates)] if votes else []
    return " · ".join(told + ([] if mean is None else [f"★ {mean:.2f}"]))


def disputed_or_rejected(
    rejected: Sequence[StudyRecord], kept: Sequence[StudyRecord], disputed: Collection[str]
) -> list[StudyRecord]:
    """Return every rejected record, and the kept ones on which parsers disagree, in the order of ids: the exclusion audit."""
    doubted = [asked for asked in kept if asked.id in disputed]
    return sorted([*rejected, *doubted], key=lambda asked: asked.id)


def ask(
    design: Design, judgements: Sequence[Judgement] | None
) -> tuple[list[StudyRecord], Mapping[str, Sequence[StudyRecord]]]:
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
    chosen: Mapping[str, Sequence[StudyRecord]] = {"": records}
    if design.select == "disputed-or-rejected":
        if design.source != "rejected":
            raise _wrong(design, f"found source {design.source}, expected rejected")
        kept = [StudyRecord(record=item) for item in read_items(design.records.parent / "kept.jsonl")]
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


def _records(design: Design) -> list[StudyRecord]:
    if design.source == "rejected":
        rejected = read_rejected(design.records)
        return [StudyRecord(record=one.record, finding=one.findings[0]) for one in rejected]
    if design.source == "instances":
        return [StudyRecord(record=one.item, pronouns=one.pronouns) for one in read_instances(design.records)]
    return [StudyRecord(record=item) for item in read_items(design.records)]
