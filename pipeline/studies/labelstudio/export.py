"""Bring an export up to date with what the server has now: nothing that it had is lost or changed without a line about it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.errors import PipelineError, plural, shown
from ...core.servers.secrets import KEY
from ..model.judgements import Judgement
from ..model.study import Study, Task, read_study


@dataclass(frozen=True, slots=True)
class ExportChanges:
    """How an export differs from the earlier one.

    Attributes:
        changed: number of judgements with other answers than in the earlier export.
        vanished: number of judgements that the server has no more, whether since the earlier export or before it.
        notes: a line for each list and rater with changed judgements.
        findings: a line for each list and rater with judgements that vanished since the earlier export.
    """

    added: int
    changed: int
    vanished: int
    notes: tuple[str, ...]
    findings: tuple[str, ...]


def with_vanished(before: Iterable[Judgement], after: Sequence[Judgement]) -> list[Judgement]:
    """Return the judgements on the server, and those of the earlier export that it has no more, marked as vanished."""
    there = {_place(judgement) for judgement in after}
    return [*after, *(replace(judgement, vanished=True) for judgement in before if _place(judgement) not in there)]


def changes_since(before: Iterable[Judgement], after: Sequence[Judgement]) -> ExportChanges:
    """Return how an export differs from the earlier one."""
    earlier = {_place(judgement): judgement for judgement in before}
    controls: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    changed: Counter[tuple[str, str]] = Counter()
    vanished = []
    for judgement in after:
        known = earlier.get(_place(judgement))
        if known is not None and (names := _changed_answers(known, judgement)):
            changed[judgement.list, judgement.rater] += 1
            controls[judgement.list, judgement.rater].update(names)
        if known is not None and judgement.vanished and not known.vanished:
            vanished.append(judgement)
    return ExportChanges(
        added=len({_place(judgement) for judgement in after} - earlier.keys()),
        changed=changed.total(),
        vanished=sum(judgement.vanished for judgement in after),
        notes=tuple(
            f"list {name}: {rater}: {plural(count, 'judgement')} changed since the earlier export ("
            + ", ".join(f"{control} {times}" for control, times in sorted(controls[name, rater].items()))
            + ")"
            for (name, rater), count in sorted(changed.items())
        ),
        findings=tuple(
            f"{line} no more on the server; kept, marked as vanished: --forget leaves out what vanished"
            for line in _by_rater(vanished)
        ),
    )


def left_out(judgements: Iterable[Judgement]) -> list[str]:
    """Return a line for each list and rater with judgements that an export leaves out."""
    return [f"{line} no more on the server; left out" for line in _by_rater(judgements)]


def _by_rater(judgements: Iterable[Judgement]) -> list[str]:
    counts = Counter((judgement.list, judgement.rater) for judgement in judgements)
    return [
        f"list {name}: [rater] {plural(count, 'judgement')} of {rater}"
        for (name, rater), count in sorted(counts.items())
    ]


def _changed_answers(before: Judgement, after: Judgement) -> list[str]:
    """Return the names of the controls that have another answer now, with ``skipped`` for a task skipped or no longer so."""
    names = [
        name
        for name in before.answers.keys() | after.answers.keys()
        if before.answers.get(name) != after.answers.get(name)
    ]
    return [*names, "skipped"] if before.skipped != after.skipped else names


def _place(judgement: Judgement) -> tuple[str, str, str]:
    return judgement.task, judgement.item, judgement.rater


def require_same_study(out: Path, study: Study) -> None:
    """Raise `PipelineError` if the folder has an export of another study."""
    path = out / "study.json"
    if path.exists() and (earlier := read_study(out)[0]).id != study.id:
        reason = f"[id] the export of another study; found {shown(earlier.id)}, expected {shown(study.id)}"
        raise PipelineError(path, 1, f"{reason}: choose another --out")


def require_same_tasks(out: Path, tasks: Iterable[Task], before: Iterable[Judgement]) -> None:
    """Raise `PipelineError` if the study shows something else now than what was judged in an earlier export."""
    judged = {judgement.task for judgement in before}
    if not judged or not (out / "study.json").exists():
        return
    now = {task.key: (task.items, task.options, task.data) for task in tasks}
    earlier = {task.key: (task.items, task.options, task.data) for task in read_study(out)[1]}
    other = sorted(key for key in judged if earlier.get(key) != now.get(key))
    if other:
        reason = (
            f"[data] not the tasks that were judged in the earlier export; found {plural(len(other), 'task')} changed"
        )
        way = f"such as {other[0]}: pull the folder that was pushed, which is {out} itself, or choose another --out"
        raise PipelineError(out / "tasks.jsonl", None, f"{reason}, {way}")


def require_same_key(out: Path, before: Iterable[Judgement], pseudonyms: Collection[str]) -> None:
    """Raise `PipelineError` if none of the raters of an earlier export is among the accounts of the server."""
    raters = {judgement.rater for judgement in before}
    if raters and raters.isdisjoint(pseudonyms):
        reason = (
            f"[{KEY}] another key than for the earlier export, or another server; found none of its "
            f"{plural(len(raters), 'rater')} among {plural(len(pseudonyms), 'account')}, expected the same raters: use the key and "
            "the server of that export, or replace it with --forget"
        )
        raise PipelineError(out, None, reason)
