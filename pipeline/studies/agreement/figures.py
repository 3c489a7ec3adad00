"""The figures of a study: progress, times, what each control tells, the items to look at first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median, quantiles
from typing import Any

from ...statistics.human_accuracy import item_accuracies, mark
from ..answers import TaskJudgement, rows
from ..study import PHASES, Study, Task
from .coefficients import Bootstrap
from .controls import asked_for, asked_who, candidate_figures, comparable, gold_of, label_figures, rating_figures
from .review import look_first

MAIN, PRACTICE = "main", "practice"


def figures(
    study: Study, tasks: Sequence[Task], answers: Sequence[TaskJudgement], bootstrap: Bootstrap
) -> dict[str, Any]:
    """Return the figures of a study as JSON values; undefined is None, with its reason beside it.

    Practice is told apart and is in no figure; a task passed over is counted and is no answer.

    Args:
        study: what its tasks share.
        tasks: all of them.
        answers: the judgements with their tasks.
        bootstrap: how intervals are drawn.
    """
    answers = sorted(answers, key=lambda one: (one.task.key, one.place, one.judgement.rater))
    main = [one for one in answers if one.task.phase == MAIN]
    skipped = [one for one in main if one.judgement.skipped]
    given = _once(one for one in main if not one.judgement.skipped)
    candidates = {control.name: _accuracies(given, control.name) for control in study.controls if asked_who(control)}
    controls = {}
    for control in study.controls:
        told = rows(given, control.name)
        found: dict[str, Any] = {
            "kind": control.kind,
            "items": len(told),
            "judgements": sum(map(len, told.values())),
            "left_open": sum(control.name not in one.judgement.answers for one in given),
        }
        if control.kind == "rating":
            found |= rating_figures(told, control, candidates, bootstrap)
        elif asked_for(control):
            found |= label_figures(comparable(told) if control.kind == "text" else told, bootstrap)
        if asked_who(control):
            found |= candidate_figures(told, given, control.name)
        controls[control.name] = found
    return {
        "study": study.id,
        "bootstrap": {"seed": bootstrap.seed, "resamples": bootstrap.resamples},
        "counts": {
            "judgements": len(main),
            "items": len({one.item for one in main}),
            "raters": len({one.judgement.rater for one in main}),
            "skipped": len(skipped),
            "again": len(main) - len(skipped) - len(given),
        },
        "progress": progress(study, tasks, answers),
        "lead_times": {
            "lists": _times((one.task.list, one) for one in given),
            "raters": _times((one.judgement.rater, one) for one in given),
        },
        "controls": controls,
        "practice": _practice(study, [one for one in answers if one.task.phase == PRACTICE]),
        "look_first": [
            {"item": doubt.item, "reasons": dict(doubt.reasons)} for doubt in look_first(study, given, skipped)
        ],
    }


def _accuracies(answers: Sequence[TaskJudgement], control: str) -> dict[str, float]:
    gold = gold_of(answers)
    return item_accuracies(mark({one: row for one, row in rows(answers, control).items() if one in gold}, gold))


def _once(answers: Iterable[TaskJudgement]) -> list[TaskJudgement]:
    """Return what each rater first said of each item: who meets it again in another list has answered it already."""
    first: dict[tuple[str, str], TaskJudgement] = {}
    for one in answers:
        first.setdefault((one.item, one.judgement.rater), one)
    return list(first.values())


def progress(study: Study, tasks: Iterable[Task], answers: Iterable[TaskJudgement]) -> list[dict[str, Any]]:
    """Return by list how many of its tasks each of its raters has done, and how many they passed over.

    A screen is done when all of its items are judged. Who has judged nothing of a list is not known to it.
    """
    of = Counter((task.list, task.phase) for task in tasks)
    parts: dict[tuple[str, str], dict[str, list[TaskJudgement]]] = defaultdict(lambda: defaultdict(list))
    for one in answers:
        parts[one.task.list, one.judgement.rater][one.task.key].append(one)
    return [
        {
            "list": name,
            "tasks": {phase: of[name, phase] for phase in PHASES},
            "raters": {
                rater: _done(list(told.values())) for (part, rater), told in sorted(parts.items()) if part == name
            },
        }
        for name in study.lists
    ]


def _done(tasks: Sequence[Sequence[TaskJudgement]]) -> dict[str, dict[str, int]]:
    found = {phase: {"done": 0, "skipped": 0, "begun": 0} for phase in PHASES}
    for answered in tasks:
        task = answered[0].task
        whole = len({one.place for one in answered}) == len(task.items)
        skipped = any(one.judgement.skipped for one in answered)
        found[task.phase]["skipped" if skipped else "done" if whole else "begun"] += 1
    return found


def _times(answers: Iterable[tuple[str, TaskJudgement]]) -> dict[str, dict[str, Any]]:
    """Return seconds a task by key: a screen has one time, which each of its judgements repeats."""
    found: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for key, one in answers:
        if one.judgement.lead_time is not None:
            found[key][one.task.key, one.judgement.rater] = one.judgement.lead_time
    return {key: _quartiles(list(told.values())) for key, told in sorted(found.items())}


def _quartiles(seconds: Sequence[float]) -> dict[str, Any]:
    ends = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else None
    return {"n": len(seconds), "median": median(seconds), "quartiles": [ends[0], ends[2]] if ends else None}


def _practice(study: Study, practice: Sequence[TaskJudgement]) -> dict[str, Any]:
    right: dict[str, dict[str, list[bool]]] = {
        control.name: defaultdict(list) for control in study.controls if asked_who(control)
    }
    for one in practice:
        for name, by_rater in right.items():
            if one.gold is not None and name in one.judgement.answers:
                by_rater[one.judgement.rater].append(one.judgement.answers[name] == one.gold)
    return {
        "judgements": len(practice),
        "skipped": sum(one.judgement.skipped for one in practice),
        "right": {
            name: {rater: {"right": sum(told), "n": len(told)} for rater, told in sorted(by_rater.items())}
            for name, by_rater in right.items()
        },
    }
