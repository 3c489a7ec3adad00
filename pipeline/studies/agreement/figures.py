"""Compute the figures of a study: progress, times, agreement, accuracy and the items to review first."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median, quantiles

from msgspec import UNSET

from ...core.errors import PipelineError, shown
from ...statistics.agreement import mean_kappa, rater_pairs
from ...statistics.human_accuracy import BY_ACCURACY, item_accuracies, mark
from ...statistics.ratings import Category, Judgements
from ...zero_pronouns.agreement import QUESTIONS, UNITS
from ..model.answers import (
    YES,
    Background,
    TaskJudgement,
    answers_by_item,
    expected_answers,
    first_answers,
    labelled_sentences,
    labelled_units,
    marks,
    same_text,
)
from ..model.design import Control, Criteria
from ..model.study import PHASES, Phase, Study, Task
from .items import level_means, levels_by_raters, list_effects, look_first, rating_levels
from .measures import (
    SCALE_OF_FIVE,
    Bootstrap,
    accuracies,
    agreement_on_codes,
    label_agreement,
    majority_confusion,
    places,
    rating_figures,
    votes,
    with_gold,
)
from .raters import Marks, conduct_of_raters, group_figures
from .records import (
    Confusion,
    ControlFigures,
    Counts,
    Figures,
    LeadTimes,
    PhaseFigures,
    Progress,
    RatersFigures,
    TaskCounts,
    Times,
    UnitAgreement,
    Without,
    beside_published,
)
from .single_studies import (
    GRAMMATICAL,
    REFERS,
    Reconsideration,
    crosstab,
    rule_figures,
    sentence_figures,
    system_figures,
)

#: The reason of a rater whom the person who runs the command leaves out.
BY_HAND = "left out by --without"
#: The answers to each control, as a table of items and raters.
Tables = Mapping[str, Judgements]
#: The expected answers to each control by item; empty for a control that has none.
Expected = Mapping[str, Mapping[str, Category]]


def rater_figures(
    study: Study,
    tasks: Sequence[Task],
    judgements: Sequence[TaskJudgement],
    bootstrap: Bootstrap,
    without: Collection[str] = (),
    background: Background | None = None,
) -> Figures:
    """Return the figures of a study with how each rater answered, the groups of raters, and the figures without some raters.

    If the study states no criteria, the default ones count. `without` has raters to leave out besides those who miss a criterion.

    Raises:
        PipelineError: a rater to leave out has no judgement.
    """
    known = {judgement.rater for judgement in judgements}
    if strangers := [rater for rater in without if rater not in known]:
        expected = f"expected one of {', '.join(sorted(known)) or 'none'}"
        raise PipelineError(None, None, f"[without] unknown rater; found {shown(strangers[0])}, {expected}")
    criteria = study.criteria or Criteria()
    conduct = conduct_of_raters(study, tasks, judgements, criteria)
    reasons = {rater: list(of_rater.reasons.values()) for rater, of_rater in conduct.items()}
    for rater in sorted(set(without)):
        reasons.setdefault(rater, []).append(BY_HAND)
    left_out = {rater: texts for rater, texts in sorted(reasons.items()) if texts}
    others = None
    if left_out:
        kept = [judgement for judgement in judgements if judgement.rater not in left_out]
        measured = figures(study, tasks, kept, bootstrap)
        others = Without(left_out, measured.counts, measured.controls)
    return replace(
        figures(study, tasks, judgements, bootstrap),
        raters=RatersFigures(criteria, study.criteria is not None, conduct),
        background=group_figures(study, tasks, judgements, background) if background else None,
        without=others,
    )


def with_reconsideration(figures: Figures, reconsidered: Reconsideration) -> Figures:
    """Return the figures of a study with the agreement before and after raters reconsider, also beside what the paper prints."""
    figures = replace(figures, reconsidered=reconsidered)
    return replace(figures, published=beside_published(figures.study, figures))


def figures(study: Study, tasks: Sequence[Task], judgements: Sequence[TaskJudgement], bootstrap: Bootstrap) -> Figures:
    """Return the figures of a study that need nothing but its judgements.

    Skipped tasks are counted and have no answers. Where a rater met an item in several lists, the first answer counts.
    """
    ordered = sorted(judgements, key=lambda judgement: (judgement.task.key, judgement.place, judgement.rater))
    main = [judgement for judgement in ordered if judgement.task.phase == "main"]
    skipped = [judgement for judgement in main if judgement.skipped]
    answered = first_answers(main)
    tables = {control.name: _table(study, answered, control) for control in study.controls}
    expected = {control.name: expected_answers(study, tasks, control) for control in study.controls}
    # each sentence of a template should be grammatical
    should = expected | {GRAMMATICAL: dict.fromkeys(tables.get(GRAMMATICAL, ()), YES)}
    phases = {
        phase: _phase_figures(study, [row for row in ordered if row.task.phase == phase], expected)
        for phase in _phases(tasks)
        if phase != "main"
    }
    measured = Figures(
        study=study.id,
        bootstrap=bootstrap,
        counts=Counts(
            judgements=len(main),
            items=len({judgement.item for judgement in main}),
            raters=len({judgement.rater for judgement in main}),
            skipped=len(skipped),
            again=len(main) - len(skipped) - len(answered),
        ),
        progress=_progress(study, tasks, ordered),
        lead_times=LeadTimes(
            lists=_times((judgement.task.list, judgement) for judgement in answered),
            raters=_times((judgement.rater, judgement) for judgement in answered),
        ),
        controls={
            control.name: _control_figures(control, study, answered, tables, expected, bootstrap)
            for control in study.controls
        },
        practice=phases["practice"],
        fillers=phases.get("filler", UNSET),
        look_first=look_first(study, tables, should, [judgement.item for judgement in skipped]),
        sentences=sentence_figures(study, tasks, answered, expected.get(REFERS, {})) or UNSET,
        rules=rule_figures(study, answered) or UNSET,
    )
    return replace(measured, published=beside_published(study.id, measured))


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
) -> ControlFigures:
    table = tables[control.name]
    result = ControlFigures(
        kind=control.kind,
        items=len(table),
        judgements=sum(map(len, table.values())),
        left_open=sum(control.name not in judgement.answers for judgement in answered),
    )
    if control.kind == "labelled":
        return _labelling(result, study, answered, control, bootstrap)
    if control.kind == "rating":
        result = replace(result, difficulty=None, **rating_figures(table, control.low, control.high, bootstrap))
        if (control.low, control.high) == SCALE_OF_FIVE:
            result = replace(result, **rating_levels(table, _shares(tables, expected)))
        if study.layout.scheme == "rotated":
            result = replace(result, **system_figures(table, control.low, control.high))
    elif control.expects_answer:
        answers = Counter(str(answer) for row in table.values() for answer in row.values())
        agreement = label_agreement(table, bootstrap)
        if control.kind == "choices":
            on_codes = agreement_on_codes(table, control.choices, bootstrap)
            agreement = replace(agreement, alpha_masi=on_codes["alpha_masi"])
            result = replace(result, codes=on_codes["codes"])
        result = replace(result, agreement=agreement, answers=dict(sorted(answers.items())), votes=votes(table))
    return _with_accuracy(result, control, study, answered, table, expected[control.name])


def _with_accuracy(
    result: ControlFigures,
    control: Control,
    study: Study,
    answered: Sequence[TaskJudgement],
    table: Judgements,
    right: Mapping[str, Category],
) -> ControlFigures:
    """Return the figures of a control with how often its answers are the expected ones, if there are some."""
    if not right:
        return result
    known = with_gold(table, right)
    result = replace(
        result,
        accuracy=accuracies(table, right),
        difficulty=level_means(item_accuracies(mark(known, right)), BY_ACCURACY),
        levels_by_raters=levels_by_raters(known),
        lists=list_effects(study, answered, control, right),
    )
    if not control.asks_for_candidate:
        return replace(result, crosstab=crosstab(known, right))
    confusion = Confusion(majority_confusion(known, right), places(_chosen_places(answered, control.name)))
    return replace(result, confusion=confusion)


def _shares(tables: Tables, expected: Expected) -> dict[str, dict[str, float]]:
    """Return for each control with expected answers the share of right answers of each item."""
    return {
        name: item_accuracies(mark(with_gold(tables[name], right), right)) for name, right in expected.items() if right
    }


def _labelling(
    result: ControlFigures, study: Study, answered: Sequence[TaskJudgement], control: Control, bootstrap: Bootstrap
) -> ControlFigures:
    """Return the agreement on the labels at each position between characters, kappas of all units, and the malformed answers."""
    sentences, malformed = labelled_sentences(study, answered, control)
    shared = [list(row.values()) for row in sentences.values() if len(row) > 1]
    labels = Counter(zero.label for row in sentences.values() for sentence in row.values() for zero in sentence.zeros)
    return replace(
        result,
        left_open=0,
        agreement=label_agreement(labelled_units(sentences, "characters", "labels"), bootstrap),
        units=[
            UnitAgreement(unit, question, len(table), mean_kappa(rater_pairs(list(table.values()))))
            for unit in UNITS
            for question in QUESTIONS
            for table in [labelled_units(sentences, unit, question)]
        ],
        shared=len(shared),
        alike=sum(len(set(row)) == 1 for row in shared),
        labels=dict(sorted(labels.items(), key=lambda entry: (-entry[1], entry[0]))),
        malformed=malformed,
    )


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


def _progress(study: Study, tasks: Sequence[Task], judgements: Iterable[TaskJudgement]) -> list[Progress]:
    """Return for each list how many of its tasks each rater has done, skipped or begun.

    A screen is done when all its items are judged. Raters without a judgement in a list are not known to it.
    """
    sizes, phases = Counter((task.list, task.phase) for task in tasks), _phases(tasks)
    by_rater: dict[tuple[str, str], dict[str, list[TaskJudgement]]] = defaultdict(lambda: defaultdict(list))
    for judgement in judgements:
        by_rater[judgement.task.list, judgement.rater][judgement.task.key].append(judgement)
    return [
        Progress(
            list=name,
            tasks={phase: sizes[name, phase] for phase in phases},
            raters={
                rater: _task_counts(by_task.values(), phases)
                for (list_name, rater), by_task in sorted(by_rater.items())
                if list_name == name
            },
        )
        for name in study.lists
    ]


def _task_counts(by_task: Iterable[Sequence[TaskJudgement]], phases: Iterable[Phase]) -> dict[str, TaskCounts]:
    counts: Counter[tuple[str, str]] = Counter()
    for judgements in by_task:
        task = judgements[0].task
        whole = len({judgement.place for judgement in judgements}) == len(task.items)
        skipped = any(judgement.skipped for judgement in judgements)
        counts[task.phase, "skipped" if skipped else "done" if whole else "begun"] += 1
    return {
        phase: TaskCounts(counts[phase, "done"], counts[phase, "skipped"], counts[phase, "begun"]) for phase in phases
    }


def _times(judgements: Iterable[tuple[str, TaskJudgement]]) -> dict[str, Times]:
    """Return the seconds per task by key. A screen has one time, which each of its judgements repeats."""
    times: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for key, judgement in judgements:
        if judgement.judgement.lead_time is not None:
            times[key][judgement.task.key, judgement.rater] = judgement.judgement.lead_time
    figures = {}
    for key, by_task in sorted(times.items()):
        seconds = list(by_task.values())
        ends = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else None
        figures[key] = Times(len(seconds), median(seconds), (ends[0], ends[2]) if ends else None)
    return figures


def _phase_figures(study: Study, judgements: Sequence[TaskJudgement], expected: Expected) -> PhaseFigures:
    right: dict[str, dict[str, list[bool]]] = {
        control.name: defaultdict(list)
        for control in study.controls
        if control.asks_for_candidate or expected[control.name]
    }
    for judgement in judgements:
        for control in study.controls:
            is_right = marks(judgement, control, expected[control.name])
            if is_right is not None:
                right[control.name][judgement.rater].append(is_right)
    return PhaseFigures(
        judgements=len(judgements),
        skipped=sum(judgement.skipped for judgement in judgements),
        right={
            name: {rater: Marks(sum(of_rater), len(of_rater)) for rater, of_rater in sorted(by_rater.items())}
            for name, by_rater in right.items()
        },
    )
