"""What a study decides of its items, by a strict majority of the raters of each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from ...core.model import Record
from ...statistics.voting import majority_vote
from ...winograd.adjudication.record import RecordState, decided
from ...winograd.adjudication.table import Adjudication, judged_answer, judged_text
from ..answers import TaskJudgement, shown_fields
from ..design.fields import StudyRecord, field_value
from ..study import Study, Task
from .ballots import Ballot, ballot, deciding, plain

#: So much of a remark is kept.
_REMARK = 300
#: The pieces of which a task shows one at least, so that it is known which text was judged.
_TEXTS = ("text", "marked", "text_zero")


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item that is not decided, and why."""

    item: str
    why: str


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of the items of a study: each is in just one of the three.

    `settled` need no row: pair-mates that go with a rejected member, as their raters agree, and rejected items that a modification
    has rescued, so that what was judged is no longer there.
    """

    decided: tuple[Adjudication, ...]
    open: tuple[OpenItem, ...]
    settled: tuple[str, ...]


def outcomes(
    study: Study,
    tasks: Sequence[Task],
    answers: Iterable[TaskJudgement],
    record_states: Mapping[str, RecordState],
    *,
    originals: Mapping[str, Record],
    least: int,
    path: Path,
) -> Outcomes:
    """Return what the raters decide; practice does not count, nor who passed an item over.

    An item is decided where more than half of its raters, `least` of them or more, cast the very same vote and it applies. A rater
    whose answers are incomplete, or who says different things of an item in two lists, counts among its raters with a vote for nothing.

    Args:
        study: the study.
        tasks: its tasks.
        answers: what was said, with the tasks.
        record_states: the records as they are before any decision.
        originals: the rejected records that a modification has rescued, as they were before it.
        least: so many raters an item needs.
        path: the file of the tasks, for messages.

    Raises:
        PipelineError: the study asks for no decision, or an item is no record.
    """
    try:
        control = deciding(study)
    except ValueError as error:
        raise PipelineError(path, None, str(error)) from error
    shows = _shows(study, tasks, record_states, path)
    votes: dict[str, dict[str, set[Ballot | None]]] = defaultdict(lambda: defaultdict(set))
    remarks: dict[str, set[str]] = defaultdict(set)
    for one in answers:
        said = one.judgement
        if said.phase == "main" and not said.skipped:
            vote = ballot(said.answers.get(control.name), said.answers, record_states[said.item])
            votes[said.item][said.rater].add(vote)
            remarks[said.item].add(plain(str(said.answers.get("comment", ""))[:_REMARK]))
    found: dict[str, Adjudication | OpenItem | None] = {}
    for item, texts in sorted(shows.items()):
        standing = record_states[item]
        cast = [next(iter(ballots)) if len(ballots) == 1 else None for ballots in votes[item].values()]
        if texts & _texts(standing.record):
            found[item] = _outcome(item, cast, "; ".join(sorted(remarks[item] - {""})), study.id, standing, least)
        elif item in originals and texts & _texts(originals[item]):
            found[item] = None
        else:
            found[item] = OpenItem(
                item, f"another text or answer was judged; found {judged_text(standing.record)!r} now"
            )
    return Outcomes(
        tuple(one for one in found.values() if isinstance(one, Adjudication)),
        tuple(one for one in found.values() if isinstance(one, OpenItem)),
        tuple(item for item, one in found.items() if one is None),
    )


def _shows(
    study: Study, tasks: Iterable[Task], record_states: Mapping[str, RecordState], path: Path
) -> dict[str, set[str]]:
    """Return by item the texts that all of its tasks show; none where its answer was another when the tasks were made."""
    shows: dict[str, set[str]] = {}
    for task in tasks:
        for place, item in enumerate(task.items if task.phase == "main" else ()):
            if item not in record_states:
                raise PipelineError(path, None, f"[item] {task.key} shows no record; found {item!r}")
            seen = {value for value in shown_fields(study, task, place).values() if isinstance(value, str)}
            if task.gold[place] not in (None, record_states[item].record.answer):
                seen = set()
            shows[item] = shows.get(item, seen) & seen
    return shows


def _texts(record: Record) -> set[str]:
    return {field_value(name, StudyRecord(item=record), (), show_answer=False) for name in _TEXTS} - {""}


def _outcome(
    item: str, cast: Sequence[Ballot | None], reason: str, study: str, standing: RecordState, least: int
) -> Adjudication | OpenItem | None:
    if len(cast) < least:
        return OpenItem(item, f"{len(cast)} raters, {least} are needed")
    vote = majority_vote(str(one) if one else "nothing" for one in cast)
    winner = next((one for one in cast if str(one) == vote.winner), None) if vote.absolute else None
    if winner is None:
        tally = Counter(str(one) if one else "nothing" for one in cast)
        told = ", ".join(f"{count} {name}" for name, count in sorted(tally.items(), key=lambda one: (-one[1], one[0])))
        return OpenItem(item, f"no majority: {told}")
    if winner == Ballot("drop", "pair-mate"):
        return None
    record = standing.record
    try:
        row = Adjudication(
            item=item,
            action=winner.action,
            value=winner.value,
            state=standing.state,
            text=judged_text(record),
            answer=judged_answer(record),
            study=study,
            votes=vote.votes,
            raters=vote.raters,
            reason=reason,
        )
        decided(standing, row)
    except ValueError as error:
        return OpenItem(item, str(error))
    return row


@dataclass(frozen=True, slots=True)
class Merged:
    """The rows of the table as they are now, what another study had decided otherwise, and how many rows came and went."""

    rows: tuple[Adjudication, ...]
    conflicts: tuple[OpenItem, ...]
    added: int
    changed: int
    withdrawn: int


def merged(rows: Sequence[Adjudication], study: str, decided: Sequence[Adjudication]) -> Merged:
    """Return the rows with those of a study replaced by what it decides now; another study's row is never overwritten."""
    others = {row.item: row for row in rows if row.study != study}
    own = {row.item: row for row in rows if row.study == study}
    new = {row.item: row for row in decided if row.item not in others}
    conflicts = [
        OpenItem(
            row.item,
            f"{row.study} decides {row.action}, {others[row.item].study} {others[row.item].action}; remove one row",
        )
        for row in decided
        if row.item in others and _what(row) != _what(others[row.item])
    ]
    return Merged(
        tuple(sorted((*others.values(), *new.values()), key=lambda row: row.item)),
        tuple(conflicts),
        added=len(new.keys() - own.keys()),
        changed=sum(new[item] != own[item] for item in new.keys() & own.keys()),
        withdrawn=len(own.keys() - new.keys()),
    )


def _what(row: Adjudication) -> tuple[str, ...]:
    return (row.action, row.value, row.state, row.text, row.answer)
