"""Which records a study asks about: all, the rejected and disputed, the hardest, or those that an earlier study left open."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from ...core.errors import PipelineError, errors_at, shown
from ...core.files import parse_jsonl, read_text
from ...core.model import Record
from ...core.records import read_items, read_rejected
from ...evaluation.difficulty import choose_schemas, read_difficulty
from ...statistics.human_accuracy import BY_RATING
from ...winograd.exclusion.ledger import read_decisions
from ...winopron.instances import VERSIONS, read_instances
from ..model.design import AFTER_STUDY, BY_DIFFICULTY, BY_WORDING, Design
from ..model.judgements import Judgement, clean_remark
from ..model.study import Study, Task
from .fields import MATE_FIELDS, ZERO_FIELDS, StudyRecord, hypothesis_of, shows_as_is
from .sources import read_draft_records, read_form, read_passages, read_traces

#: The controls that name the chosen candidate, under either name.
REFERENCE = ("reference", "answer")
#: The control that rates an item from 1 to 5.
RATING = "naturalness"
#: The control and the code by which a rater holds on to their answer, and the control that says why.
VERDICT, EXPLAIN, REASON = "verdict", "explain", "reason"


@dataclass(frozen=True, slots=True)
class EarlierStudy:
    """The study that a design starts from: what it asked and, in their order, what raters answered."""

    study: Study
    tasks: Sequence[Task]
    judgements: Sequence[Judgement]


class MisfitError(ValueError):
    """A judgement does not fit the records of a design."""

    def __init__(self, judgement: Judgement, reason: str) -> None:
        super().__init__(reason)
        self.judgement = judgement


def disagreements(records: Sequence[StudyRecord], judgements: Iterable[Judgement]) -> dict[str, list[StudyRecord]]:
    """Return for each rater the records where they chose a wrong candidate, ordered by id, with their choice.

    This is Mandarinograd's verification phase (LREC 2020, section 3.3): each participant sees all problems for which their answer
    disagreed with the expected one. Raters who never disagreed are absent. Skipped and unanswered items are no disagreements.

    Raises:
        MisfitError: a judgement is of an unknown record, or its answer is no candidate.
    """
    by_id = {record.id: record for record in records}
    wrong: dict[str, dict[str, StudyRecord]] = {}
    for judgement in _known(judgements, by_id):
        record = by_id[judgement.item]
        choice = _choice(judgement, record)
        if choice is not None and record.item.answer is not None and choice != record.item.answer:
            wrong.setdefault(judgement.rater, {}).setdefault(judgement.item, replace(record, own=choice))
    return {rater: [record for _, record in sorted(items.items())] for rater, items in sorted(wrong.items())}


def doubtful(
    records: Sequence[StudyRecord], judgements: Iterable[Judgement], disputed: Collection[str]
) -> list[StudyRecord]:
    """Return the records to decide together, in the order given, each with its votes and its mean rating.

    They are those with a mean rating under 3 (WSC-ZA, section 3.2, stage 2), those for which not all raters chose the right
    candidate (without one: the same candidate), and those on whose exclusion two parsers disagree, `disputed`. Where a rater met an item in
    several lists, the first judgement counts. Raises `MisfitError` as `disagreements`, and for a rating that is no number.
    """
    by_id = {record.id: record for record in records}
    votes: dict[str, list[int]] = {}
    ratings: dict[str, list[int]] = {}
    first: dict[tuple[str, str], Judgement] = {}
    for judgement in _known(judgements, by_id):
        first.setdefault((judgement.item, judgement.rater), judgement)
    for judgement in first.values():
        choice, rating = _choice(judgement, by_id[judgement.item]), judgement.answers.get(RATING)
        if choice is not None:
            votes.setdefault(judgement.item, []).append(choice)
        if isinstance(rating, str):
            raise MisfitError(judgement, f"[{RATING}] found {shown(rating)}, expected a whole number")
        if rating is not None:
            ratings.setdefault(judgement.item, []).append(rating)
    selected = []
    for record in records:
        chosen, rated = votes.get(record.id, []), ratings.get(record.id)
        mean = fmean(rated) if rated else None
        right = chosen[0] if record.item.answer is None and chosen else record.item.answer
        low = mean is not None and mean < BY_RATING.moderate
        if low or any(vote != right for vote in chosen) or record.id in disputed:
            selected.append(replace(record, doubt=_doubt(record, chosen, mean)))
    return selected


def explained(records: Sequence[StudyRecord], earlier: EarlierStudy) -> tuple[list[StudyRecord], list[str]]:
    """Return the records with an explanation why the expected answer is not right, in the order given, each with its explanations.

    Mandarinograd (LREC 2020, section 3.3): after the verification, conflicting items are studied with their explanations. Behind the
    records come the ids of explained items that are left out: those that are no record, and those in other words by now.
    """
    by_id = {record.id: record for record in records}
    reasons: dict[str, set[str]] = {}
    for judgement in _main(earlier.judgements):
        if judgement.answers.get(VERDICT) == EXPLAIN:
            reasons.setdefault(judgement.item, set()).add(clean_remark(str(judgement.answers.get(REASON, ""))))
    asked = _asked_as_is(by_id, earlier)
    selected = [
        replace(record, doubt=" · ".join(sorted(reasons[record.id] - {""})))
        for record in records
        if record.id in reasons and record.id in asked
    ]
    return selected, sorted(reasons.keys() - {record.id for record in selected})


def changed(records: Sequence[StudyRecord], earlier: EarlierStudy) -> list[StudyRecord]:
    """Return the records that an earlier study did not ask about as they are now: reworded since, or back in the collection.

    WSC-ZA (section 3.2) judges what a consensus adjusted again.
    """
    asked = _asked_as_is({record.id: record for record in records}, earlier)
    return [record for record in records if record.id not in asked]


def _asked_as_is(records: Mapping[str, StudyRecord], earlier: EarlierStudy) -> set[str]:
    """Return the ids of the records that a main task of the earlier study shows as they are now."""
    return {
        item
        for task in earlier.tasks
        for place, item in enumerate(task.items if task.phase == "main" else ())
        if item in records and shows_as_is(earlier.study, task, place, records[item])
    }


def _known(judgements: Iterable[Judgement], known: Collection[str]) -> list[Judgement]:
    """Return the judgements of `_main`; raises `MisfitError` for one of an unknown record."""
    main = _main(judgements)
    for judgement in main:
        if judgement.item not in known:
            reason = f"unknown record; found {shown(judgement.item)}, expected one of the study's records"
            raise MisfitError(judgement, f"[item] {reason}")
    return main


def _main(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return the judgements that are neither practice nor skipped, ordered by task and rater."""
    main = [judgement for judgement in judgements if judgement.phase == "main" and not judgement.skipped]
    return sorted(main, key=lambda judgement: (judgement.task, judgement.rater))


def _choice(judgement: Judgement, record: StudyRecord) -> int | None:
    """Return the number of the chosen candidate; None where the control was left open."""
    name = next((name for name in REFERENCE if name in judgement.answers), None)
    if name is None:
        return None
    choice = judgement.answers[name]
    if not isinstance(choice, int) or not 0 <= choice < len(record.item.candidates):
        expected = f"the number of a candidate, 0 to {len(record.item.candidates) - 1}"
        raise MisfitError(judgement, f"[{name}] found {shown(choice)}, expected {expected}")
    return choice


def _doubt(record: StudyRecord, votes: Sequence[int], mean: float | None) -> str:
    """Return the votes for each candidate and the mean rating, as the rater sees them."""
    tally = [f"{name} {votes.count(number)}" for number, name in enumerate(record.item.candidates)] if votes else []
    return " · ".join(tally + ([] if mean is None else [f"★ {mean:.2f}"]))


# --- all selections ---------------------------------------------------------------------------------------------------

#: The selections that look at one record alone: sentences with a zero, items of which the form `nli` has hypotheses.
_FILTERS: Mapping[str, Callable[[StudyRecord], bool]] = {
    "with-zero": lambda record: record.passage is not None and record.passage.oracle != record.item.text,
    "with-hypothesis": lambda record: all(
        hypothesis_of(record.item, number) for number in range(len(record.item.candidates))
    ),
}
#: Returns the records of each list of a design with the source ``cloze``.
ClozeLists = Callable[[Design], Mapping[str, Sequence[StudyRecord]]]
#: The names of all selections.
SELECTIONS = (*AFTER_STUDY, "disputed-or-rejected", BY_DIFFICULTY, *_FILTERS)


@dataclass(frozen=True, slots=True)
class Selection:
    """All records of a design, and those to ask about: `selected` by rater for ``disagreements``, else under the empty name.

    `missing` has the ids of items that raters left open and that are no records, or are in other words by now.
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
    """Return the records of a design, and those to ask about; see `build.make_study` for the arguments.

    ``disputed-or-rejected`` and ``doubtful`` read ``decisions.jsonl`` in the folder of the records; the former also ``kept.jsonl``.

    Raises:
        PipelineError: a file is missing or malformed, judgements are missing or superfluous, nothing is selected.
        MisfitError: a judgement is of an unknown record, its answer is no candidate, or its rating no number.
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
    if difficulty := design.difficulty:
        rows = read_difficulty(Path(difficulty.table), {record.id: record.item.schema for record in records})
        with errors_at(Path(difficulty.table)):
            schemas = set(choose_schemas(rows, difficulty.by, hardest=difficulty.hardest, band=difficulty.band))
        return Selection(records, {"": [record for record in records if record.item.schema in schemas]})
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
