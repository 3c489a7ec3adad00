"""Turn the judgements of a study into decisions about items: rows of annotation/decisions.tsv.

A judgement passes five forms between Label Studio and the table: `RemoteAnnotation` (what the server holds), `Judgement` (one
item of it, checked, under a pseudonym: a line of the export), `TaskJudgement` (the judgement with the task that it answers),
`Ballot` (the action it votes for) and `Adjudication` (the action that most raters of the item vote for: a row of the table).

`read_ballot` reads one rater's vote, `decide` counts the votes, `update_table` merges the rows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.errors import PipelineError, errors_at
from ..core.invisible import INVISIBLE
from ..core.model import Record
from ..language.personal_data import find_personal_data, without_parts
from ..winograd.adjudication.apply import RecordState, apply_decision
from ..winograd.adjudication.table import KEPT, Action, Adjudication, judged_answer, judged_text
from .design.fields import record_texts
from .model.answers import TaskJudgement, shown_fields
from .model.design import Control
from .model.judgements import Answer, clean_remark
from .model.study import Study, Task

# --- votes ------------------------------------------------------------------------------------------------------------

#: The codes of the choice that decides, in a consensus study (the first four) or an exclusion audit.
CODES = frozenset({"keep", "drop", "relabel", "modify", "agree", "other"})
#: Brackets of a Chinese keyboard, which raters may type around the target.
_BRACKETS = str.maketrans("【】［］", "[][]")


@dataclass(frozen=True, slots=True, order=True)
class Ballot:
    """One rater's vote for an action, with the value of the action, and of a modification its question (see `Adjudication`)."""

    action: Action
    value: str = ""
    question: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.action, self.value, self.question)))


def deciding_control(study: Study) -> Control:
    """Return the choice that decides: all its codes are in `CODES`, and ``keep`` is one of them; raises `ValueError` if there is none."""
    for control in study.controls:
        if control.kind == "choice" and "keep" in control.choices and CODES.issuperset(control.choices):
            return control
    raise ValueError(
        f"[controls] {study.id} decides nothing; expected a choice with keep among {', '.join(sorted(CODES))}"
    )


def read_ballot(code: Answer | None, answers: Mapping[str, Answer], before: RecordState) -> Ballot | None:
    """Return the vote of a rater on a record as it is `before`; None if the answers are incomplete or contradictory.

    ``agree`` keeps what the rules keep, and drops what they reject under its class. ``other`` drops the item under the class
    chosen in the control ``class``. What the rules keep is dropped as a ``defect``: the other classes describe the position of
    the target, which the rules judge. A relabelling needs ``reference``; a modification ``modified``, and may have ``question``.
    """
    if code == "keep" or (code == "agree" and before.state == KEPT):
        return Ballot("keep")
    if code == "agree":
        return Ballot("drop", before.state)
    if code == "drop":
        return Ballot("drop", "defect" if before.state in (KEPT, "pair-mate") else before.state)
    if code == "other" and (exclusion := answers.get("class")):
        return Ballot("drop", str(exclusion))
    if code == "relabel":
        number, candidates = answers.get("reference"), before.record.candidates
        if isinstance(number, int) and number in range(len(candidates)) and number != before.record.answer:
            return Ballot("relabel", candidates[number])
    if code == "modify":
        text = str(answers.get("modified", "")).strip()
        text = text if "[" in text else text.translate(_BRACKETS)
        question = str(answers.get("question", "")).strip()
        return Ballot("modify", text, question) if text and not INVISIBLE.search(text + question) else None
    return None


# --- outcomes ---------------------------------------------------------------------------------------------------------

#: Maximum length of a stored remark; longer ones are cut.
MAX_REMARK = 300

#: What makes a vote invalid, see `read_ballot`.
_INVALID = "invalid: two different votes, or one without what it needs: relabel another candidate, modify the new text, other a class"


#: The reason why an item is open that nobody has judged.
UNJUDGED = "nobody has judged it"


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item that is not decided, with the reason."""

    item: str
    why: str


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The items of a study; each is in exactly one of the three.

    `settled` items need no row: their raters agree that they leave with a rejected pair-mate, or the judged text was rejected
    and a modification has replaced it since.
    """

    decided: tuple[Adjudication, ...]
    open: tuple[OpenItem, ...]
    settled: tuple[str, ...]


def decide(
    study: Study,
    tasks: Sequence[Task],
    judgements: Iterable[TaskJudgement],
    states: Mapping[str, RecordState],
    *,
    originals: Mapping[str, Record],
    least: int,
    path: Path,
) -> Outcomes:
    """Return the decisions of the raters. Practice and skipped items are ignored.

    An item is decided if it has at least `least` raters, more than half of them cast the same vote, and the decision applies to
    the record. A rater with incomplete answers, or with different votes in two lists, counts as a rater without a valid vote.

    Args:
        states: the records before any decision.
        originals: the rejected records that a modification has rescued, as they were before it.
        path: the file of the tasks, for messages.

    Raises:
        PipelineError: the study has no choice that decides, or an item has no record.
    """
    with errors_at(path):
        control = deciding_control(study)
    shown = _shown_texts(study, tasks, states, path)
    ballots: dict[str, dict[str, set[Ballot | None]]] = defaultdict(lambda: defaultdict(set))
    remarks: dict[str, set[str]] = defaultdict(set)
    for judgement in judgements:
        if judgement.task.phase == "main" and not judgement.skipped:
            item, answers = judgement.item, judgement.answers
            ballots[item][judgement.rater].add(read_ballot(answers.get(control.name), answers, states[item]))
            remarks[item].add(clean_remark(str(answers.get("comment", ""))[:MAX_REMARK]))
    decided_items: list[Adjudication] = []
    open_items: list[OpenItem] = []
    settled: list[str] = []
    for item, texts in sorted(shown.items()):
        before = states[item]
        votes = [next(iter(cast)) if len(cast) == 1 else None for cast in ballots[item].values()]
        joined = "; ".join(sorted(remarks[item] - {""}))
        reason = without_parts(joined, find_personal_data(joined))
        if not texts & record_texts(before.record):
            if item in originals and texts & record_texts(originals[item]):
                settled.append(item)
            else:
                why = f"text or answer changed since it was judged; found {judged_text(before.record)!r}"
                open_items.append(OpenItem(item, why))
            continue
        try:
            winner, count = _majority(votes, least)
            if winner == Ballot("drop", "pair-mate"):
                settled.append(item)
            else:
                decided_items.append(_row(study.id, item, winner, (count, len(votes)), reason, before))
        except ValueError as error:
            open_items.append(OpenItem(item, str(error)))
    return Outcomes(tuple(decided_items), tuple(open_items), tuple(settled))


def reopen(outcomes: Outcomes, refused: Mapping[str, str]) -> Outcomes:
    """Move decisions that the build would refuse, for the reasons in `refused`, back to the open items."""
    decided = tuple(row for row in outcomes.decided if row.item not in refused)
    reopened = [
        OpenItem(row.item, f"{row.share} decide {row.action}, which the build would refuse: {refused[row.item]}")
        for row in outcomes.decided
        if row.item in refused
    ]
    return replace(
        outcomes, decided=decided, open=tuple(sorted((*outcomes.open, *reopened), key=lambda item: item.item))
    )


def _shown_texts(
    study: Study, tasks: Iterable[Task], states: Mapping[str, RecordState], path: Path
) -> dict[str, set[str]]:
    """Return, by item, the texts that all its tasks show; none if the item had another answer when a task was made."""
    shown: dict[str, set[str]] = {}
    for task in tasks:
        for place, item in enumerate(task.items if task.phase == "main" else ()):
            if item not in states:
                raise PipelineError(path, None, f"[item] unknown record in {task.key}; found {item!r}")
            texts = {value for value in shown_fields(study, task, place).values() if isinstance(value, str)}
            if task.gold[place] not in (None, states[item].record.answer):
                texts = set()
            shown[item] = shown.get(item, texts) & texts
    return shown


def _majority(votes: Sequence[Ballot | None], least: int) -> tuple[Ballot, int]:
    """Return the ballot of more than half of the raters with the number of its votes; raises `ValueError` with the reason without one."""
    if not votes:
        raise ValueError(UNJUDGED)
    if len(votes) < least:
        raise ValueError(f"too few raters; found {len(votes)}, expected {least} or more")
    counts = Counter(votes)
    winner, count = counts.most_common(1)[0]
    if winner is None or 2 * count <= len(votes):
        names = sorted((-count, str(vote) if vote else "invalid") for vote, count in counts.items())
        why = f" ({_INVALID})" if None in counts else ""
        raise ValueError(f"no majority; found {', '.join(f'{-count} {name}' for count, name in names)}{why}")
    return winner, count


def _row(
    study: str, item: str, winner: Ballot, votes: tuple[int, int], reason: str, before: RecordState
) -> Adjudication:
    """Return the row of a decision; raises `ValueError` if it does not apply: as a row of the table it would stop the next build."""
    row = Adjudication(
        item=item,
        action=winner.action,
        value=winner.value,
        state=before.state,
        text=judged_text(before.record),
        answer=judged_answer(before.record),
        study=study,
        votes=votes[0],
        raters=votes[1],
        reason=reason,
        question=winner.question,
    )
    apply_decision(before, row)
    return row


@dataclass(frozen=True, slots=True)
class TableUpdate:
    """The updated rows of the table, the conflicts with other studies, and the number of rows that changed."""

    rows: tuple[Adjudication, ...]
    conflicts: tuple[OpenItem, ...]
    added: int
    changed: int
    withdrawn: int


def update_table(rows: Sequence[Adjudication], study: str, decisions: Sequence[Adjudication]) -> TableUpdate:
    """Replace the rows of a study by its current decisions. Rows of other studies stay as they are."""
    others = {row.item: row for row in rows if row.study != study}
    own = {row.item: row for row in rows if row.study == study}
    new = {row.item: row for row in decisions if row.item not in others}
    conflicts = [
        OpenItem(
            row.item,
            f"{row.study} decides {row.action}, {others[row.item].study} {others[row.item].action}; remove one row",
        )
        for row in decisions
        if row.item in others and _decision(row) != _decision(others[row.item])
    ]
    return TableUpdate(
        tuple(sorted((*others.values(), *new.values()), key=lambda row: row.item)),
        tuple(conflicts),
        added=len(new.keys() - own.keys()),
        changed=sum(new[item] != own[item] for item in new.keys() & own.keys()),
        withdrawn=len(own.keys() - new.keys()),
    )


def _decision(row: Adjudication) -> tuple[str, ...]:
    return (row.action, row.value, row.question, row.state, row.text, row.answer)
