"""The records that the judgements of an earlier study left open."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from ...core.errors import shown
from ...core.invisible import INVISIBLE
from ...statistics.human_accuracy import BY_RATING
from ..model.judgements import Judgement
from ..model.study import Study, Task
from .fields import StudyRecord, shows_as_is

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
    """A judgement does not fit the records of a design.

    Attributes:
        judgement: the judgement.
    """

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
    candidate (without one: the same candidate), and those on which two parsers disagree.

    Args:
        records: all records.
        judgements: the judgements of the earlier study. Where a rater met an item in several lists, the first counts.
        disputed: the ids of the records on whose exclusion two parsers disagree.

    Raises:
        MisfitError: a judgement is of an unknown record, its answer is no candidate, or its rating no number.
    """
    by_id = {record.id: record for record in records}
    votes: dict[str, list[int]] = {}
    ratings: dict[str, list[int]] = {}
    seen: set[tuple[str, str]] = set()
    for judgement in _known(judgements, by_id):
        if (judgement.item, judgement.rater) in seen:
            continue
        seen.add((judgement.item, judgement.rater))
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

    Mandarinograd (LREC 2020, section 3.3): after the verification, conflicting items are studied with their explanations.

    Returns:
        The records, and the ids of explained items that are left out: those that are no record, and those in other words by now.
    """
    by_id = {record.id: record for record in records}
    reasons: dict[str, set[str]] = {}
    for judgement in _main(earlier.judgements):
        if judgement.answers.get(VERDICT) == EXPLAIN:
            reason = " ".join(INVISIBLE.sub(" ", str(judgement.answers.get(REASON, ""))).split())
            reasons.setdefault(judgement.item, set()).add(reason)
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
