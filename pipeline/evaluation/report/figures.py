"""The figures of an evaluation, typed: page, drawings, tables and words read their attributes; `report_object` makes JSON of them."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from ...core.convert import to_object
from ...statistics.human_accuracy import LEVELS
from ...statistics.intervals import clustered_mean_interval
from ...statistics.significance import kruskal_wallis
from ..measures.accuracy import (
    AgainstChance,
    Estimate,
    Interval,
    MacroScores,
    PairEstimate,
    accuracy,
    against_chance,
    item_accuracy,
    macro_scores,
    pair_accuracy,
)
from ..measures.bounds import MODE, baselines
from ..measures.calibration import Calibration, calibration, disagreements
from ..measures.comparisons import (
    Comparison,
    ModeComparison,
    SharedErrors,
    ZeroAgainstOvert,
    answered_by_all,
    compare_in_modes,
    compare_models,
    shared_errors,
    zero_against_overt,
)
from ..measures.places import OrderConsistency, PlaceBias, order_consistency, outcomes, place_bias, place_of
from ..modes import Kind, has_options, kind_of
from ..predictions import FORMS, ORDERS, Form, Order, Response, Run, Runs
from .evaluation import Evaluation

#: Where the right option was shown.
PLACES = ("right option first", "right option later")


@dataclass(frozen=True, slots=True)
class MainRuns:
    """The form and the order of the tables that have one figure by system and mode."""

    form: Form
    order: Order


@dataclass(frozen=True, slots=True)
class PeopleFigures:
    """The accuracy of people, None if unknown; where it is from; how many of the items they answered."""

    value: float | None
    source: str
    items: int


@dataclass(frozen=True, slots=True)
class AssociationFigures:
    """Of how many items the answers by association have terms, and how many of them they decide."""

    with_terms: int
    decided: int


@dataclass(frozen=True, slots=True)
class Chance:
    """The accuracy of guesses, and where the interval of a run's accuracy lies."""

    value: float | None
    accuracy: AgainstChance | None


@dataclass(frozen=True, slots=True)
class Gap:
    """The accuracy of people less that of a run, with its interval, over `n` items that both answered."""

    value: float | None
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True)
class RunFigures(Run):
    """The figures of one run; its model is a system, or the name of a baseline."""

    kind: Kind  # how the mode obtains its answers
    options: bool  # whether it shows options
    own: bool  # whether the run counts as the system's own answers
    accuracy: Estimate
    chance: Chance
    gap: Gap  # how far people are ahead
    macro: MacroScores | None  # macro-averaged scores; None without answers
    pairs: PairEstimate  # share of schemas that are right in all their items
    outcomes: Mapping[str, int]  # number of answers with each outcome
    #: Number of answers without a choice, which count as wrong.
    unparsed: int
    disagreements: Sequence[str]  # items whose answer is not the candidate with the greatest score
    missing: int  # number of items without an answer
    places: PlaceBias  # which place of the options it chooses


@dataclass(frozen=True, slots=True)
class ModelAccuracy:
    """The accuracy of a system over all its modes."""

    model: str
    right: int
    n: int
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """The accuracy of each system on the items with one value of a trait, and the number of those items that any system answered."""

    value: str
    items: int
    models: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class LevelsTest:
    """Kruskal and Wallis' test over the levels of difficulty, for each system and for all together: see `kruskal_wallis`."""

    models: Mapping[str, Mapping[str, Any]]
    all: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Number of texts whose length is known, and their least, median and greatest length in tokens by the system's own tokenizer."""

    n: int
    least: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The lengths of prompts and answers of a system in one mode and form, over both orders; None where no length is known."""

    model: str
    mode: str
    form: str
    prompt: Lengths | None
    answer: Lengths | None


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of an evaluation; of a sample, every number of items is that of the sample.

    Tables with one figure by model and mode (`comparisons`, `overlap`, `item_accuracy`) have the answers in the main form and order;
    `breakdowns`, `by_place` and `levels` those of all modes and orders in the main form, `by_form` those of items answered in both
    forms. They have the systems' own answers only: see `Evaluation.own`.
    """

    release: str
    items: int
    sample_of: int | None  # number of items of the release if these are a sample
    schemas: int
    seed: int  # of random answers and permutations
    permutations: int
    main: MainRuns  # the form and order of tables with one figure by system and mode
    models: Sequence[str]
    modes: Sequence[str]
    people: PeopleFigures
    association: AssociationFigures | None  # how much association decides; None without its answers
    runs: Sequence[RunFigures]
    baselines: Sequence[RunFigures]  # those of answers without understanding
    modes_together: Sequence[ModelAccuracy]  # the accuracy of each system over its modes
    order: Sequence[OrderConsistency]  # what another order of the options changes
    zero_against_overt: Sequence[ZeroAgainstOvert]  # what the zero costs
    by_form: Sequence[BreakdownRow]
    by_place: Sequence[BreakdownRow]  # accuracy by the place of the right option
    breakdowns: Mapping[str, Sequence[BreakdownRow]]  # accuracy by the values of each trait
    levels: LevelsTest | None  # the test over levels of difficulty; None without people's answers
    calibration: Sequence[Calibration]  # of each run with scores
    tokens: Sequence[TokenCounts]
    comparisons: Sequence[Comparison]
    comparisons_by_mode: Sequence[ModeComparison]
    overlap: Sequence[SharedErrors]  # errors that systems share
    overlap_items: int  # number of items that all systems answered
    item_accuracy: Mapping[str, float]  # share of right answers to each item


def report_object(figures: Figures) -> dict[str, Any]:
    """Return report.json: all figures, and under `models` the main ones by system and mode.

    A mode's figures are those of the zero form with options as written, where there are several; `runs` has all. Shares are from 0 to 1,
    those of nothing null; `unparsed` and `missing` are numbers of answers; `macro_f1` is the mean over labels, as in WSC-ZA's Table 6.
    """
    models: dict[str, dict[str, Any]] = {model: {} for model in figures.models}
    for run in sorted(figures.runs, key=lambda run: (FORMS.index(run.form), ORDERS.index(run.order))):
        macro = run.macro
        models[run.model].setdefault(
            run.mode,
            {
                "form": run.form,
                "order": run.order,
                "answers": run.accuracy.n,
                "accuracy": run.accuracy.value,
                "pair_accuracy": run.pairs.value,
                "macro_precision": macro and macro.precision,
                "macro_recall": macro and macro.recall,
                "macro_f1": macro and macro.f1_of_labels,
                "unparsed": run.unparsed,
                "missing": run.missing,
            },
        )
    return {**to_object(figures), "models": models}


def figures(evaluation: Evaluation) -> Figures:
    """Return all figures of an evaluation."""
    form, order = evaluation.main
    people, source = evaluation.bound
    seed, permutations = evaluation.seed, evaluation.permutations
    rules = baselines(evaluation.items, evaluation.associations, seed)
    marks, clusters, items = evaluation.marks, evaluation.clusters, list(evaluation.schemas)
    with_options = {run: responses for run, responses in evaluation.runs.items() if has_options(run.mode)}
    return Figures(
        release=evaluation.name,
        items=len(items),
        sample_of=evaluation.population,
        schemas=len(set(evaluation.schemas.values())),
        seed=seed,
        permutations=permutations,
        main=MainRuns(form, order),
        models=list(dict.fromkeys(run.model for run in evaluation.runs)),
        modes=list(dict.fromkeys(run.mode for run in evaluation.runs)),
        people=PeopleFigures(people, source, len(evaluation.people.keys() & evaluation.schemas.keys())),
        association=_association(evaluation),
        runs=[_run(evaluation, run, responses) for run, responses in evaluation.runs.items()],
        baselines=[_run(evaluation, Run(name, MODE, form, order), responses) for name, responses in rules.items()],
        modes_together=_together(evaluation),
        order=order_consistency(with_options, evaluation.options, clusters),
        zero_against_overt=zero_against_overt(
            evaluation.runs, clusters, own=evaluation.own, seed=seed, permutations=permutations
        ),
        by_form=_by_form(evaluation),
        by_place=_by_place(evaluation),
        breakdowns={trait: breakdown(evaluation, values) for trait, values in evaluation.traits.items()},
        levels=_levels_test(evaluation),
        calibration=calibration(evaluation.runs, evaluation.options, clusters, seed=seed),
        tokens=_token_counts(evaluation.runs),
        comparisons=compare_models(marks, clusters, seed=seed, permutations=permutations),
        comparisons_by_mode=compare_in_modes(marks),
        overlap=shared_errors(marks, items),
        overlap_items=len(answered_by_all(marks, items)),
        item_accuracy=item_accuracy(of_mode for modes in marks.values() for of_mode in modes.values()),
    )


def _run(evaluation: Evaluation, run: Run, responses: Mapping[str, Response]) -> RunFigures:
    answers = [evaluation.options[item][1] for item in responses]
    marks = {item: given.right for item, given in responses.items()}
    counts = {item: count for item, (count, _) in evaluation.options.items()}
    total = accuracy(marks.items(), evaluation.clusters)
    chance = sum(1 / counts[item] for item in marks) / len(marks) if marks else None
    return RunFigures(
        model=run.model,
        mode=run.mode,
        form=run.form,
        order=run.order,
        kind=kind_of(run.mode),
        options=run.mode != MODE and has_options(run.mode),
        own=run in evaluation.own,
        accuracy=total,
        chance=Chance(chance, against_chance(total.interval, chance)),
        gap=_gap(evaluation, run, marks, total),
        macro=macro_scores(answers, [given.parsed.choice for given in responses.values()]),
        pairs=pair_accuracy(marks, evaluation.schemas, evaluation.clusters, counts),
        outcomes=outcomes(responses.values()),
        unparsed=sum(given.parsed.choice is None for given in responses.values()),
        disagreements=disagreements(responses),
        missing=len(evaluation.items) - len(responses),
        places=place_bias(run, responses, evaluation.options, evaluation.clusters),
    )


def _association(evaluation: Evaluation) -> AssociationFigures | None:
    answers = [evaluation.associations.get(item) for item in evaluation.schemas]
    if not evaluation.associations:
        return None
    return AssociationFigures(sum(map(bool, answers)), sum(bool(answer and answer.decided) for answer in answers))


def _gap(evaluation: Evaluation, run: Run, marks: Mapping[str, bool], total: Estimate) -> Gap:
    """Return the accuracy of people less that of a run, over the items that both answered.

    Without any answers of people it is the printed bound, taken as exact, less the accuracy over all items, if the run has zero forms.
    """
    both = [(item, evaluation.people[item] - right) for item, right in marks.items() if item in evaluation.people]
    printed = None if evaluation.people or run.form != "zero" else evaluation.bound[0]
    if printed is not None and total.value is not None:
        shifted = (printed - total.interval[1], printed - total.interval[0]) if total.interval else None
        return Gap(printed - total.value, shifted, total.n)
    if not both:
        return Gap(None, None, 0)
    clusters: dict[str, list[float]] = defaultdict(list)
    for item, difference in both:
        clusters[evaluation.clusters[item]].append(difference)
    mean = sum(difference for _, difference in both) / len(both)
    return Gap(mean, clustered_mean_interval(clusters.values()), len(both))


def _together(evaluation: Evaluation) -> list[ModelAccuracy]:
    """Return the accuracy of each system over all its modes in the main form and order."""
    rows = []
    for model, modes in evaluation.marks.items():
        total = accuracy([mark for marks in modes.values() for mark in marks.items()], evaluation.clusters)
        rows.append(ModelAccuracy(model, total.right, total.n, total.value, total.interval))
    return rows


def breakdown(evaluation: Evaluation, values: Mapping[str, str]) -> list[BreakdownRow]:
    """Return for each value of a trait, given by item, the number of answered items and the accuracy of each system.

    Counted are the systems' own answers in the main form, in all modes and orders. Frequent values come first, levels and distances in
    their order.
    """
    answers = evaluation.answers
    answered = {item for given in answers.values() for item, _ in given}
    counts = Counter(values[item] for item in values.keys() & answered)
    ranks: dict[str, int] = {level: rank for rank, level in enumerate(LEVELS)}

    def key(value: str) -> tuple[int, float, int, str]:
        distance = re.match(r"\d+(?= to | or more )", value)
        return ranks.get(value, len(ranks)), int(distance[0]) if distance else math.inf, -counts[value], value

    marks = {
        value: {model: [mark for mark in given if values.get(mark[0]) == value] for model, given in answers.items()}
        for value in sorted(counts, key=key)
    }
    return _rows(evaluation, marks)


def _by_form(evaluation: Evaluation) -> list[BreakdownRow]:
    """Return the accuracy of each system by form.

    Counted are the items that a system answered in both forms in the same mode and order: other modes would be compared with each other.
    """
    marks: dict[str, dict[str, list[tuple[str, bool]]]] = {form: {} for form in FORMS}
    for run, responses in evaluation.own.items():
        other = evaluation.own.get(replace(run, form=FORMS[1 - FORMS.index(run.form)]), {})
        for item, given in responses.items():
            if item in other:
                marks[run.form].setdefault(run.model, []).append((item, given.right))
    return _rows(evaluation, marks)


def _by_place(evaluation: Evaluation) -> list[BreakdownRow]:
    """Return the accuracy of each system by the place of the right option; counted as in `breakdown`."""
    marks: dict[str, dict[str, list[tuple[str, bool]]]] = {place: {} for place in PLACES}
    for run, responses in evaluation.own.items():
        if run.form != evaluation.main[0] or not has_options(run.mode):
            continue
        for item, given in responses.items():
            count, answer = evaluation.options[item]
            place = PLACES[0] if place_of(answer, count, run) == 0 else PLACES[1]
            marks[place].setdefault(run.model, []).append((item, given.right))
    return _rows(evaluation, marks)


def _rows(evaluation: Evaluation, marks: Mapping[str, Mapping[str, list[tuple[str, bool]]]]) -> list[BreakdownRow]:
    return [
        BreakdownRow(
            value,
            len({item for given in by_model.values() for item, _ in given}),
            {model: accuracy(given, evaluation.clusters) for model, given in by_model.items()},
        )
        for value, by_model in marks.items()
        if by_model
    ]


def _levels_test(evaluation: Evaluation) -> LevelsTest | None:
    """Return Kruskal and Wallis' test over levels for each system, on item accuracies, and for the item accuracies of all systems.

    None without people's answers.
    """
    if "level" not in evaluation.traits:
        return None
    levels = evaluation.traits["level"]

    def test(shares: Mapping[str, float]) -> dict[str, Any]:
        return kruskal_wallis([[shares[item] for item in shares if levels.get(item) == level] for level in LEVELS])

    answers = evaluation.answers
    by_model = {
        model: test(item_accuracy([{item: right} for item, right in given])) for model, given in answers.items()
    }
    every = [{item: right} for given in answers.values() for item, right in given]
    return LevelsTest(by_model, test(item_accuracy(every)))


def _token_counts(runs: Runs) -> list[TokenCounts]:
    """Return the lengths by model, mode and form, in the order of the runs; rows that know neither are left out."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.model, run.mode, run.form), []).append(run)
    rows = []
    for (model, mode, form), members in groups.items():
        responses = [given for run in members for given in runs[run].values()]
        prompt = _lengths([given.prompt_tokens for given in responses])
        answer = _lengths([given.answer_tokens for given in responses])
        if prompt or answer:
            rows.append(TokenCounts(model, mode, form, prompt, answer))
    return rows


def _lengths(counts: Sequence[int | None]) -> Lengths | None:
    known = [count for count in counts if count is not None]
    if not known:
        return None
    return Lengths(len(known), min(known), median(known), max(known))
