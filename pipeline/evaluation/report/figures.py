"""Compute the figures of an evaluation as JSON values; undefined is None."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from ...statistics.difficulty import LEVELS
from ...statistics.intervals import clustered_mean_interval
from ...statistics.levels import kruskal_wallis
from ..items import ReleasedItem
from ..measures.accuracy import accuracy, item_accuracy, pair_accuracy
from ..measures.baselines import MODE, baselines
from ..measures.comparisons import Marks, compare_in_modes, compare_models, shared_errors
from ..measures.forms import zero_against_overt
from ..measures.people import PRINTED, bound, levels_of
from ..measures.places import order_consistency, outcomes, place_bias, place_of
from ..measures.scores import macro_scores
from ..predictions import FORMS, ORDERS, Form, Order, Response, Run, Runs

#: The traits in the order of the report, with what each is.
TRAITS: Mapping[str, str] = {
    "level": "difficulty by people’s accuracy (easy from 85 %, moderate from 60 %)",
    "kind": "kind of common sense that decides",
    "register": "register",
    "role": "grammatical role of the target",
    "case": "case of the pronoun",
    "pronouns": "set of the pronoun",
    "connective": "connective before the target",
    "distance": "characters from the last mention of the right candidate to the target",
    "place": "place of the right candidate’s first mention among the candidates",
    "answer": "letter of the right candidate",
}
#: Where the right option was shown.
PLACES = ("right option first", "right option later")


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation is made of.

    Attributes:
        name: the release.
        items: its items.
        runs: the responses of the systems.
        people: people's share of right answers by item; empty if unknown.
        associations: answers by word association; empty if unknown.
        seed: of random answers and of permutations.
        permutations: number of permutations drawn for a test.
    """

    name: str
    items: Sequence[ReleasedItem]
    runs: Runs
    people: Mapping[str, float] = field(default_factory=dict)
    associations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seed: int = 0
    permutations: int = 9999

    @cached_property
    def schemas(self) -> dict[str, str]:
        """The schema of each item."""
        return {entry.item.id: entry.item.schema for entry in self.items}

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The cluster of each item, for intervals and permutations."""
        return {entry.item.id: entry.cluster for entry in self.items}

    @cached_property
    def options(self) -> dict[str, tuple[int, int]]:
        """Number of candidates and index of the right one, by item."""
        return {entry.item.id: (len(entry.item.candidates), entry.item.answer) for entry in self.items}

    @cached_property
    def main(self) -> tuple[Form, Order]:
        """The form and the order of the tables that have one figure by system and mode: zero and as written, if any run has them."""
        form = next(form for form in FORMS if any(run.form == form for run in self.runs))
        order = next(order for order in ORDERS if any((run.form, run.order) == (form, order) for run in self.runs))
        return form, order

    @cached_property
    def marks(self) -> Marks:
        """Whether each answer in the main form and order is right, by model and mode."""
        marks: dict[str, dict[str, dict[str, bool]]] = {}
        for run, responses in self.runs.items():
            if (run.form, run.order) == self.main:
                marks.setdefault(run.model, {})[run.mode] = {item: given.right for item, given in responses.items()}
        return marks

    @cached_property
    def traits(self) -> dict[str, dict[str, str]]:
        """The value of each trait that distinguishes items, by trait and item."""
        values: dict[str, dict[str, str]] = {name: {} for name in TRAITS}
        values["level"] = {item: level for item, level in levels_of(self.people).items() if item in self.schemas}
        for entry in self.items:
            for name, value in entry.traits.items():
                values[name][entry.item.id] = value
        return {name: of_trait for name, of_trait in values.items() if len(set(of_trait.values())) > 1}

    @cached_property
    def bound(self) -> tuple[float | None, str]:
        """The accuracy of people, and where it is from; without any, the printed one for zero forms."""
        if self.people:
            return bound(self.people, self.schemas), "people on these items"
        if any(entry.text_zero for entry in self.items):
            return PRINTED, "WSC-ZA, Table 4, other items"
        return None, "no answers of people to these items"


def figures(evaluation: Evaluation) -> dict[str, Any]:
    """Return all figures of an evaluation.

    Tables with one figure by model and mode (``comparisons``, ``overlap``, ``item_accuracy``) have the answers in the main form and
    order; ``breakdowns``, ``by_place`` and ``levels`` those of all modes and orders in the main form, ``by_form`` those in each form.
    """
    form, order = evaluation.main
    people, source = evaluation.bound
    own = baselines(evaluation.items, evaluation.associations, evaluation.seed)
    settings = {"seed": evaluation.seed, "permutations": evaluation.permutations}
    return {
        "release": evaluation.name,
        "items": len(evaluation.items),
        "schemas": len(set(evaluation.schemas.values())),
        **settings,
        "main": {"form": form, "order": order},
        "models": list(dict.fromkeys(run.model for run in evaluation.runs)),
        "modes": list(dict.fromkeys(run.mode for run in evaluation.runs)),
        "people": {
            "value": people,
            "source": source,
            "items": len(evaluation.people.keys() & evaluation.schemas.keys()),
        },
        "association": _association(evaluation),
        "runs": [_run(evaluation, run, responses) for run, responses in evaluation.runs.items()],
        "baselines": [_run(evaluation, Run(name, MODE, form, order), responses) for name, responses in own.items()],
        "modes_together": _together(evaluation),
        "order": order_consistency(evaluation.runs, evaluation.options, evaluation.clusters),
        "zero_against_overt": zero_against_overt(evaluation.runs, evaluation.clusters, **settings),
        "by_form": _by_run(evaluation, lambda run, _: run.form, FORMS),
        "by_place": _by_run(evaluation, lambda run, item: _shown(evaluation, run, item), PLACES),
        "breakdowns": {name: _breakdown(evaluation, values) for name, values in evaluation.traits.items()},
        "levels": _levels(evaluation),
        "comparisons": compare_models(evaluation.marks, evaluation.clusters, **settings),
        "comparisons_by_mode": compare_in_modes(evaluation.marks),
        "overlap": shared_errors(evaluation.marks, list(evaluation.schemas)),
        "item_accuracy": item_accuracy(marks for modes in evaluation.marks.values() for marks in modes.values()),
    }


def _run(evaluation: Evaluation, run: Run, responses: Mapping[str, Response]) -> dict[str, Any]:
    """Return the figures of one run."""
    answers = [evaluation.options[item][1] for item in responses]
    scores = macro_scores(answers, [given.parsed.choice for given in responses.values()])
    marks = {item: given.right for item, given in responses.items()}
    counts = {item: count for item, (count, _) in evaluation.options.items()}
    total = accuracy(marks.items(), evaluation.clusters)
    return {
        **asdict(run),
        "accuracy": total,
        "gap": _gap(evaluation, marks, total),
        "macro": asdict(scores) if scores else None,
        "pairs": pair_accuracy(marks, evaluation.schemas, evaluation.clusters, counts),
        "outcomes": outcomes(responses.values()),
        "unparsed": sum(given.parsed.choice is None for given in responses.values()),
        "missing": len(evaluation.items) - len(responses),
        "places": place_bias(run, responses, evaluation.options, evaluation.clusters),
    }


def _association(evaluation: Evaluation) -> dict[str, int] | None:
    """Return how many items association decided, and of how many it has terms; None without its answers."""
    own = [evaluation.associations.get(item, {}) for item in evaluation.schemas]
    if not evaluation.associations:
        return None
    return {"with_terms": sum(map(bool, own)), "decided": sum(bool(answer.get("decided")) for answer in own)}


def _gap(evaluation: Evaluation, marks: Mapping[str, bool], total: Mapping[str, Any]) -> dict[str, Any]:
    """Return the accuracy of people less that of a run, over the items that both answered.

    Without any answers of people it is the printed bound, taken as exact, less the accuracy over all items, if these have zero forms.
    """
    both = [(item, evaluation.people[item] - right) for item, right in marks.items() if item in evaluation.people]
    printed = None if evaluation.people else evaluation.bound[0]
    if printed is not None:
        shifted = [printed - limit for limit in reversed(total["interval"] or ())]
        return {"value": printed - total["value"], "interval": shifted or None, "n": total["n"]}
    if not both:
        return {"value": None, "interval": None, "n": 0}
    clusters: dict[str, list[float]] = defaultdict(list)
    for item, difference in both:
        clusters[evaluation.clusters[item]].append(difference)
    limits = clustered_mean_interval(clusters.values())
    mean = sum(difference for _, difference in both) / len(both)
    return {"value": mean, "interval": list(limits) if limits else None, "n": len(both)}


def _together(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the accuracy of each system over all its modes in the main form and order."""
    return [
        {"model": model} | accuracy([mark for marks in modes.values() for mark in marks.items()], evaluation.clusters)
        for model, modes in evaluation.marks.items()
    ]


def _answers(evaluation: Evaluation) -> dict[str, list[tuple[str, bool]]]:
    """Return item and whether it is right, for each answer of a system in the main form."""
    answers: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for run, responses in evaluation.runs.items():
        if run.form == evaluation.main[0]:
            answers[run.model] += [(item, given.right) for item, given in responses.items()]
    return answers


def _breakdown(evaluation: Evaluation, values: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return for each value of a trait the number of items and the accuracy of each system; frequent values first, levels in order."""
    items: dict[str, set[str]] = defaultdict(set)
    for item, value in values.items():
        items[value].add(item)
    ranks: dict[str, int] = {level: rank for rank, level in enumerate(LEVELS)}
    ordered = sorted(items, key=lambda value: (ranks.get(value, len(ranks)), -len(items[value]), value))
    answers = _answers(evaluation)
    return [
        {
            "value": value,
            "items": len(items[value]),
            "models": {
                model: accuracy([mark for mark in given if mark[0] in items[value]], evaluation.clusters)
                for model, given in answers.items()
            },
        }
        for value in ordered
    ]


def _by_run(evaluation: Evaluation, value_of: Callable[[Run, str], str], values: Sequence[str]) -> list[dict[str, Any]]:
    """Return the accuracy of each system over all modes and orders by a value of run and item; shape as in `_breakdown`.

    Where the values are not the forms themselves, the answers are those in the main form.
    """
    marks: dict[str, dict[str, list[tuple[str, bool]]]] = {value: {} for value in values}
    for run, responses in evaluation.runs.items():
        if values == FORMS or run.form == evaluation.main[0]:
            for item, given in responses.items():
                marks[value_of(run, item)].setdefault(run.model, []).append((item, given.right))
    return [
        {
            "value": value,
            "items": len({item for given in by_model.values() for item, _ in given}),
            "models": {model: accuracy(given, evaluation.clusters) for model, given in by_model.items()},
        }
        for value, by_model in marks.items()
        if by_model
    ]


def _shown(evaluation: Evaluation, run: Run, item: str) -> str:
    count, answer = evaluation.options[item]
    return PLACES[0] if place_of(answer, count, run) == 0 else PLACES[1]


def _levels(evaluation: Evaluation) -> dict[str, Any] | None:
    """Return Kruskal and Wallis' test over levels for each system, on item accuracies, and for the item accuracies of all systems."""
    if "level" not in evaluation.traits:
        return None
    levels = evaluation.traits["level"]

    def test(shares: Mapping[str, float]) -> dict[str, Any]:
        return kruskal_wallis([[shares[item] for item in shares if levels.get(item) == level] for level in LEVELS])

    answers = _answers(evaluation)
    by_model = {
        model: test(item_accuracy([{item: right} for item, right in given])) for model, given in answers.items()
    }
    every = [{item: right} for given in answers.values() for item, right in given]
    return {"models": by_model, "all": test(item_accuracy(every))}
