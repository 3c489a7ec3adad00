"""Figures of cloze results: accuracy and confidence of each model by measure, in all and by kind of item."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from ...language.pronoun_classes import GENDERS
from ...statistics.intervals import clustered_mean_interval, ratio
from ..measures.accuracy import accuracy_object
from .items import PLACES, ClozeItem
from .measures import MEASURES, OTHER, Measure
from .rows import DIGITS, ClozeResult

#: What accuracy is broken down by.
TRAITS: Mapping[str, Callable[[ClozeItem], str]] = {
    "source": lambda item: item.source,
    "pronoun": lambda item: item.pronoun.casefold(),
    "place": lambda item: item.place,
}


def summary(items: Sequence[ClozeItem], results: Sequence[ClozeResult]) -> dict[str, Any]:
    """Return the figures: ``items``, and ``runs``, one for each model and measure.

    A run has ``accuracy`` (with a 95 % interval whose clusters are the pairs), ``confidence`` and ``target`` (means of the confidence in
    the given and in the gold answer, with intervals), ``by`` (accuracy by source, pronoun and place of the right antecedent),
    ``predictions`` (how often each class was predicted), ``undecided``, ``neither`` (predictions that name no antecedent), ``chosen``
    (how often the first and the second antecedent was predicted), ``same`` (pairs with the same prediction for all their items) and
    ``missing`` (items without an answer).
    """
    models = list(dict.fromkeys(result.model for result in results))
    runs = []
    for model in models:
        own = [result for result in results if result.model == model]
        runs += [_run(model, measure, items, own) for measure in MEASURES if any(measure in row.answers for row in own)]
    return {
        "items": len(items),
        "schemas": len({item.schema for item in items}),
        "pronouns": dict(sorted(Counter(item.pronoun.casefold() for item in items).items())),
        "runs": runs,
    }


def _run(model: str, measure: Measure, items: Sequence[ClozeItem], results: Sequence[ClozeResult]) -> dict[str, Any]:
    answered = [(result.item, result.answers[measure]) for result in results if measure in result.answers]
    clusters = {item.id: item.schema for item in items}
    marks = [(item, answer.prediction == item.gender) for item, answer in answered]
    predictions = Counter(answer.prediction for _, answer in answered)
    chosen: Counter[str] = Counter()
    schemas: dict[str, list[str]] = defaultdict(list)
    for item, answer in answered:
        schemas[item.schema].append(answer.prediction)
        if item.antecedents:
            named = [antecedent.gender == answer.prediction for antecedent in item.antecedents]
            chosen[PLACES[named.index(True)] if any(named) else "neither"] += 1
    pairs = [given for given in schemas.values() if len(given) > 1]

    def part(trait: Callable[[ClozeItem], str], value: str) -> dict[str, Any]:
        return accuracy_object(((item.id, mark) for item, mark in marks if trait(item) == value), clusters)

    return {
        "model": model,
        "measure": measure,
        "accuracy": accuracy_object(((item.id, mark) for item, mark in marks), clusters),
        "confidence": _mean([(item.schema, answer.confidence) for item, answer in answered]),
        "target": _mean([(item.schema, answer.target) for item, answer in answered]),
        "by": {
            name: {value: part(trait, value) for value in sorted({trait(item) for item in items}) if value}
            for name, trait in TRAITS.items()
        },
        "predictions": {name: predictions[name] for name in (*GENDERS, OTHER)},
        "undecided": predictions[""],
        "neither": chosen["neither"],
        "chosen": {place: chosen[place] for place in PLACES},
        "same": {
            "n": len(pairs),
            "pairs": (same := sum(len(set(given)) == 1 for given in pairs)),
            "value": ratio(same, len(pairs)),
        },
        "missing": len(items) - len(answered),
    }


def _mean(values: Sequence[tuple[str, float]]) -> dict[str, Any]:
    """Return a mean with its interval, whose clusters are the schemas."""
    clusters: dict[str, list[float]] = defaultdict(list)
    for schema, value in values:
        clusters[schema].append(value)
    interval = clustered_mean_interval(clusters.values())
    return {
        "value": round(fmean(value for _, value in values), DIGITS),
        "interval": [round(limit, DIGITS) for limit in interval] if interval else None,
    }
