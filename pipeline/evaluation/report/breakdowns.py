"""Accuracy by traits of the items, by form, by the place of the right option."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...statistics.human_accuracy import LEVELS
from ...statistics.significance import kruskal_wallis
from ..measures.accuracy import accuracy, item_accuracy
from ..measures.places import place_of
from ..modes import has_options
from ..predictions import FORMS
from .evaluation import Evaluation

#: Where the right option was shown.
PLACES = ("right option first", "right option later")


def breakdown(evaluation: Evaluation, values: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return for each value of a trait the number of answered items and the accuracy of each system.

    Counted are the systems' own answers in the main form, in all modes and orders. Frequent values come first, levels and distances in
    their order.

    Args:
        evaluation: what was evaluated.
        values: the value of the trait by item.
    """
    answers = _answers(evaluation)
    answered = {item for given in answers.values() for item, _ in given}
    items: dict[str, set[str]] = defaultdict(set)
    for item in values.keys() & answered:
        items[values[item]].add(item)
    ranks: dict[str, int] = {level: rank for rank, level in enumerate(LEVELS)}

    def key(value: str) -> tuple[int, float, int, str]:
        distance = re.match(r"\d+(?= to | or more )", value)
        return ranks.get(value, len(ranks)), int(distance[0]) if distance else math.inf, -len(items[value]), value

    ordered = sorted(items, key=key)
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


def by_form(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the accuracy of each system by form; shape as in `breakdown`.

    Counted are the items that a system answered in both forms in the same mode and order: other modes would be compared with each other.
    """
    marks: dict[str, dict[str, list[tuple[str, bool]]]] = {form: {} for form in FORMS}
    for run, responses in evaluation.own.items():
        other = evaluation.own.get(replace(run, form=FORMS[1 - FORMS.index(run.form)]), {})
        for item, given in responses.items():
            if item in other:
                marks[run.form].setdefault(run.model, []).append((item, given.right))
    return _rows(evaluation, marks)


def by_place(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the accuracy of each system by the place of the right option; counted and shaped as in `breakdown`."""
    marks: dict[str, dict[str, list[tuple[str, bool]]]] = {place: {} for place in PLACES}
    for run, responses in evaluation.own.items():
        if run.form != evaluation.main[0] or not has_options(run.mode):
            continue
        for item, given in responses.items():
            count, answer = evaluation.options[item]
            place = PLACES[0] if place_of(answer, count, run) == 0 else PLACES[1]
            marks[place].setdefault(run.model, []).append((item, given.right))
    return _rows(evaluation, marks)


def _rows(evaluation: Evaluation, marks: Mapping[str, Mapping[str, list[tuple[str, bool]]]]) -> list[dict[str, Any]]:
    return [
        {
            "value": value,
            "items": len({item for given in by_model.values() for item, _ in given}),
            "models": {model: accuracy(given, evaluation.clusters) for model, given in by_model.items()},
        }
        for value, by_model in marks.items()
        if by_model
    ]


def _answers(evaluation: Evaluation) -> dict[str, list[tuple[str, bool]]]:
    """Return item and whether it is right, for each of a system's own answers in the main form."""
    answers: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for run, responses in evaluation.own.items():
        if run.form == evaluation.main[0]:
            answers[run.model] += [(item, given.right) for item, given in responses.items()]
    return answers


def levels_test(evaluation: Evaluation) -> dict[str, Any] | None:
    """Return Kruskal and Wallis' test over levels for each system, on item accuracies, and for the item accuracies of all systems.

    None without people's answers.
    """
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
