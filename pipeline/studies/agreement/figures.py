"""Compute the figures of a study: progress, times, agreement, accuracy and the items to review first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from statistics import median, quantiles
from typing import Any

from ...statistics.agreement import mean_kappa, rater_pairs
from ...statistics.human_accuracy import BY_ACCURACY, item_accuracies, mark
from ...statistics.ratings import Category, Judgements
from ...zero_pronouns.agreement import QUESTIONS, UNITS
from ..model.answers import TaskJudgement, answers_by_item, first_answers
from ..model.design import Control
from ..model.labelled import labelled_sentences, labelled_units
from ..model.study import PHASES, Phase, Study, Task
from .codes import agreement_on_codes
from .expected import YES, expected_answers, marks, same_text
from .levels import level_means, levels_by_raters, rating_levels
from .lists import list_effects
from .measures import (
    SCALE_OF_FIVE,
    Bootstrap,
    accuracies,
    label_agreement,
    majority_confusion,
    places,
    ratings,
    votes,
)
from .published import beside_published
from .review import look_first
from .systems import system_figures
from .validity import GRAMMATICAL, REFERS, crosstab, rule_figures, sentence_figures

#: The answers to each control, as a table of items and raters.
Tables = Mapping[str, Judgements]
#: The expected answers to each control by item; empty for a control that has none.
Expected = Mapping[str, Mapping[str, Category]]


def figures(
    study: Study, tasks: Sequence[Task], judgements: Sequence[TaskJudgement], bootstrap: Bootstrap
) -> dict[str, Any]:
    """Return the figures of a study as JSON values. Undefined is None, with its reason beside it.

    Practice has figures of its own and is in no other, and so have fillers with attention trials where there are some. Skipped tasks
    are counted and have no answers. Where a rater met an item in several lists, the first answer counts.

    Args:
        study: the study.
        tasks: all its tasks.
        judgements: what raters submitted, with the tasks.
        bootstrap: the settings of the bootstrap intervals.
    """
    ordered = sorted(judgements, key=lambda judgement: (judgement.task.key, judgement.place, judgement.rater))
    main = [judgement for judgement in ordered if judgement.task.phase == "main"]
    skipped = [judgement for judgement in main if judgement.skipped]
    answered = first_answers(main)
    tables = {control.name: _table(study, answered, control) for control in study.controls}
    expected = {control.name: expected_answers(study, tasks, control) for control in study.controls}
    # each sentence of a template should be grammatical
    should = expected | {GRAMMATICAL: dict.fromkeys(tables.get(GRAMMATICAL, ()), YES)}
    result = {
        "study": study.id,
        "bootstrap": asdict(bootstrap),
        "counts": {
            "judgements": len(main),
            "items": len({judgement.item for judgement in main}),
            "raters": len({judgement.rater for judgement in main}),
            "skipped": len(skipped),
            "again": len(main) - len(skipped) - len(answered),
        },
        "progress": _progress(study, tasks, ordered),
        "lead_times": {
            "lists": _times((judgement.task.list, judgement) for judgement in answered),
            "raters": _times((judgement.rater, judgement) for judgement in answered),
        },
        "controls": {
            control.name: _control_figures(control, study, answered, tables, expected, bootstrap)
            for control in study.controls
        },
        **{
            {"filler": "fillers"}.get(phase, phase): _marked(
                study, [row for row in ordered if row.task.phase == phase], expected
            )
            for phase in _phases(tasks)
            if phase != "main"
        },
        "look_first": [
            {"item": doubt.item, "reasons": dict(doubt.reasons)}
            for doubt in look_first(study, tables, should, [judgement.item for judgement in skipped])
        ],
    }
    if sentences := sentence_figures(study, tasks, answered, expected.get(REFERS, {})):
        result["sentences"] = sentences
    if rules := rule_figures(study, answered):
        result["rules"] = rules
    return result | {"published": beside_published(result)}


def _table(study: Study, answered: Sequence[TaskJudgement], control: Control) -> Judgements:
    """Return the answers to a control. Texts that differ only in case or outer blanks are the same answer.

    Of sentences to label it has all that are well-formed, those without a zero too.
    """
    if control.kind == "labelled":
        sentences, _ = labelled_sentences(study, answered, control)
        return {item: {rater: of.labelled for rater, of in row.items()} for item, row in sentences.items()}
    table = answers_by_item(answered, control.name)
    if control.kind != "text":
        return table
    return {item: {rater: same_text(answer) for rater, answer in row.items()} for item, row in table.items()}


def _control_figures(
    control: Control,
    study: Study,
    answered: Sequence[TaskJudgement],
    tables: Tables,
    expected: Expected,
    bootstrap: Bootstrap,
) -> dict[str, Any]:
    """Return the figures of one control: of every control its counts, the rest by what it asks for."""
    table = tables[control.name]
    result: dict[str, Any] = {
        "kind": control.kind,
        "items": len(table),
        "judgements": sum(map(len, table.values())),
        "left_open": sum(control.name not in judgement.answers for judgement in answered),
    }
    if control.kind == "labelled":
        return result | _labelling(study, answered, control, bootstrap)
    if control.kind == "rating":
        result |= ratings(table, control.low, control.high, bootstrap)
        if (control.low, control.high) == SCALE_OF_FIVE:
            result |= rating_levels(table, _shares(tables, expected))
        if study.layout.scheme == "rotated":
            result |= system_figures(table, control.low, control.high)
    elif control.expects_answer:
        result |= {"agreement": label_agreement(table, bootstrap)} | votes(table)
    if control.kind == "choices":
        on_codes = agreement_on_codes(table, control.choices, bootstrap)
        result["agreement"]["alpha_masi"] = on_codes["alpha_masi"]
        result["codes"] = on_codes["codes"]
    if right := expected[control.name]:
        known = _with_gold(table, right)
        result |= accuracies(known, right)
        result["accuracy"]["without_gold"] = len(table) - len(known)
        result["difficulty"] = level_means(item_accuracies(mark(known, right)), BY_ACCURACY)
        result["levels_by_raters"] = levels_by_raters(known)
        result["lists"] = list_effects(study, answered, control, right)
        if not control.asks_for_candidate:
            result["crosstab"] = crosstab(known, right)
        else:
            result["confusion"] = {
                "majority": majority_confusion(known, right),
                "places": places(_chosen_places(answered, control.name)),
            }
    return result


def _shares(tables: Tables, expected: Expected) -> dict[str, dict[str, float]]:
    """Return for each control with expected answers the share of right answers of each item."""
    return {
        name: item_accuracies(mark(_with_gold(tables[name], right), right)) for name, right in expected.items() if right
    }


def _labelling(
    study: Study, answered: Sequence[TaskJudgement], control: Control, bootstrap: Bootstrap
) -> dict[str, Any]:
    """Return the agreement on the labels at each position between characters, kappas of all units, and the malformed answers."""
    sentences, malformed = labelled_sentences(study, answered, control)
    shared = [list(row.values()) for row in sentences.values() if len(row) > 1]
    labels = Counter(zero.label for row in sentences.values() for sentence in row.values() for zero in sentence.zeros)
    return {
        "left_open": 0,
        "agreement": label_agreement(labelled_units(sentences, "characters", "labels"), bootstrap),
        "units": [
            {
                "unit": unit,
                "question": question,
                "units": len(table),
                "cohen": mean_kappa(rater_pairs(list(table.values()))),
            }
            for unit in UNITS
            for question in QUESTIONS
            for table in [labelled_units(sentences, unit, question)]
        ],
        "shared": len(shared),
        "alike": sum(len(set(row)) == 1 for row in shared),
        "labels": dict(sorted(labels.items(), key=lambda entry: (-entry[1], entry[0]))),
        "malformed": malformed,
    }


def _with_gold(table: Judgements, gold: Mapping[str, Category]) -> Judgements:
    return {item: row for item, row in table.items() if item in gold}


def _chosen_places(answered: Iterable[TaskJudgement], control: str) -> list[tuple[int, int, int]]:
    """Return, for each answer with a right candidate, its place, the place chosen, and the number of places shown."""
    triples = []
    for judgement in answered:
        options = judgement.task.options[judgement.place]
        if judgement.gold in options and control in judgement.answers:
            chosen = options.index(int(judgement.answers[control]))
            triples.append((options.index(int(judgement.gold or 0)), chosen, len(options)))
    return triples


def _phases(tasks: Iterable[Task]) -> list[Phase]:
    """Return the phases of a study; only an experiment has fillers."""
    fillers = any(task.phase == "filler" for task in tasks)
    return [phase for phase in PHASES if phase != "filler" or fillers]


def _progress(study: Study, tasks: Sequence[Task], judgements: Iterable[TaskJudgement]) -> list[dict[str, Any]]:
    """Return for each list how many of its tasks each rater has done, skipped or begun.

    A screen is done when all its items are judged. Raters without a judgement in a list are not known to it.
    """
    sizes, phases = Counter((task.list, task.phase) for task in tasks), _phases(tasks)
    by_rater: dict[tuple[str, str], dict[str, list[TaskJudgement]]] = defaultdict(lambda: defaultdict(list))
    for judgement in judgements:
        by_rater[judgement.task.list, judgement.rater][judgement.task.key].append(judgement)
    return [
        {
            "list": name,
            "tasks": {phase: sizes[name, phase] for phase in phases},
            "raters": {
                rater: _task_counts(by_task.values(), phases)
                for (list_name, rater), by_task in sorted(by_rater.items())
                if list_name == name
            },
        }
        for name in study.lists
    ]


def _task_counts(by_task: Iterable[Sequence[TaskJudgement]], phases: Iterable[Phase]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {phase: {"done": 0, "skipped": 0, "begun": 0} for phase in phases}
    for judgements in by_task:
        task = judgements[0].task
        whole = len({judgement.place for judgement in judgements}) == len(task.items)
        skipped = any(judgement.skipped for judgement in judgements)
        counts[task.phase]["skipped" if skipped else "done" if whole else "begun"] += 1
    return counts


def _times(judgements: Iterable[tuple[str, TaskJudgement]]) -> dict[str, dict[str, Any]]:
    """Return the seconds per task by key. A screen has one time, which each of its judgements repeats."""
    times: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for key, judgement in judgements:
        if judgement.judgement.lead_time is not None:
            times[key][judgement.task.key, judgement.rater] = judgement.judgement.lead_time
    return {key: _quartiles(list(by_task.values())) for key, by_task in sorted(times.items())}


def _quartiles(seconds: Sequence[float]) -> dict[str, Any]:
    ends = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else None
    return {"n": len(seconds), "median": median(seconds), "quartiles": [ends[0], ends[2]] if ends else None}


def _marked(study: Study, judgements: Sequence[TaskJudgement], expected: Expected) -> dict[str, Any]:
    right: dict[str, dict[str, list[bool]]] = {
        control.name: defaultdict(list)
        for control in study.controls
        if control.asks_for_candidate or expected[control.name]
    }
    for judgement in judgements:
        for control in study.controls:
            given = marks(judgement, control, expected[control.name])
            if given is not None:
                right[control.name][judgement.rater].append(given)
    return {
        "judgements": len(judgements),
        "skipped": sum(judgement.skipped for judgement in judgements),
        "right": {
            name: {rater: {"right": sum(given), "n": len(given)} for rater, given in sorted(by_rater.items())}
            for name, by_rater in right.items()
        },
    }
