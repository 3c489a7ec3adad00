"""Results of cloze items: a row for each item and model with all measures; the figures of each model by measure and kind of item."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ...core.convert import Text, convert_fields, to_object
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import parse_jsonl, read_text
from ...language.pronoun_classes import GENDERS, Gender
from ...statistics.intervals import clustered_mean_interval, ratio
from ..measures.accuracy import accuracy
from .items import PLACES, ClozeItem
from .measures import LEAST_LOG, MEASURES, OTHER, ClozeAnswer, GapScores, Measure, measured, shares

#: The mode of the rows.
MODE = "cloze"
#: Digits of a probability or log-probability in a row: models differ in the last ones from machine to machine.
DIGITS = 6
#: Maximum score of a class: a word of several tokens has a score of its own, so that those of many words may exceed 1 together.
MAX_SCORE = 100
#: What accuracy is broken down by.
TRAITS: Mapping[str, Callable[[ClozeItem], str]] = {
    "source": lambda item: item.source,
    "pronoun": lambda item: item.pronoun.casefold(),
    "place": lambda item: item.place,
}


_Score = Annotated[float, Meta(ge=0, le=MAX_SCORE, description=f"a score of a class, from 0 to {MAX_SCORE}")]


class _AnswerRow(Struct, frozen=True):
    """The answer by one measure in a row of results."""

    prediction: Literal[Gender, "other", ""]
    confidence: _Score
    classes: Mapping[str, _Score]
    correct: bool | None = None
    target: _Score | None = None
    shares: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        if not {*GENDERS} <= self.classes.keys() <= {*GENDERS, OTHER}:
            expected = f"expected {', '.join(GENDERS)}, and {OTHER} of top10 and top1"
            raise ValueError(f"[classes] found {shown(list(self.classes))}, {expected}")


class _ResultRow(Struct, frozen=True):
    """What is read of a row of results."""

    id: str
    model: Text
    measures: Mapping[Measure, _AnswerRow]


@dataclass(frozen=True, slots=True)
class ClozeResult:
    """The answers of a model to one item, by measure, and the row that holds them."""

    item: ClozeItem
    model: str
    answers: Mapping[Measure, ClozeAnswer]
    row: Mapping[str, Any]


def cloze_result(item: ClozeItem, model: str, kind: str, scores: GapScores, measure: Measure) -> ClozeResult:
    """Return the result of a model on an item.

    The row is a line of a predictions file: ``answer`` is the antecedent that has the predicted gender, or, where none has it or the
    antecedents are unknown, the pronoun; with class `OTHER` the most probable token; empty if several classes are equal. ``scores`` are the
    log-probabilities of the antecedents' pronouns, in their order. ``measures`` has for each measure ``prediction``, ``correct``,
    ``confidence`` (in the given answer), ``target`` (in the gold answer), ``classes`` and, of ``pron``, ``shares``.

    Args:
        measure: the measure that gives ``answer``.

    Raises:
        ValueError: the model has no answer by this measure.
    """
    answers = measured(scores, item.classes, item.gender)
    if measure not in answers:
        raise ValueError(
            f"[measure] no token is known from the text before the gap; found {measure}, expected pron or mass"
        )
    prediction = answers[measure].prediction
    row: dict[str, Any] = {
        "id": item.id,
        "model": model,
        "mode": MODE,
        "form": "overt",
        "order": "written",
        "answer": _words(item, prediction, scores),
        "prompt": scores.prompt,
        "prompt_tokens": scores.prompt_tokens,
    }
    if item.antecedents:
        pronouns = (item.classes.pronouns[antecedent.gender] for antecedent in item.antecedents)
        row["scores"] = [_log(scores.words[pronoun]) for pronoun in pronouns]
    row |= {
        "kind": kind,
        "measure": measure,
        "gold": item.gender,
        "measures": {name: _to_json(answer, item, shared=name == "pron") for name, answer in answers.items()},
        "words": {word: _log(log) for word, log in scores.words.items()},
        "pieces": {word: count for word, count in scores.pieces.items() if count > 1},
        "top": [{"token": token.text, "log": _log(token.log), "class": token.gender} for token in scores.top],
    }
    return ClozeResult(item, model, answers, row)


def _log(value: float) -> float:
    return round(max(value, LEAST_LOG), DIGITS)


def _words(item: ClozeItem, prediction: str, scores: GapScores) -> str:
    for antecedent in item.antecedents:
        if antecedent.gender == prediction:
            return antecedent.text
    if prediction == OTHER:
        return scores.top[0].text
    return next((word for gender, word in item.classes.pronouns.items() if gender == prediction), "")


def _to_json(answer: ClozeAnswer, item: ClozeItem, *, shared: bool) -> dict[str, Any]:
    content: dict[str, Any] = {
        "prediction": answer.prediction,
        "correct": answer.prediction == item.gender,
        "confidence": round(answer.confidence, DIGITS),
        "target": round(answer.target, DIGITS),
        "classes": {name: round(score, DIGITS) for name, score in answer.classes.items()},
    }
    if shared:
        content["shares"] = {name: round(share, DIGITS) for name, share in shares(answer.classes).items()}
    return content


def read_results(paths: Sequence[Path], items: Sequence[ClozeItem]) -> list[ClozeResult]:
    """Return the results of files of rows, in their order, one of each item and model, compared with the items' own gold answers."""
    by_id = {item.id: item for item in items}
    places: dict[tuple[str, str], str] = {}
    results: list[ClozeResult] = []
    for path in paths:
        before = len(results)
        for line, row in parse_jsonl(read_text(path), path):
            with errors_at(path, line):
                result = _result(row, by_id)
            key = result.model, result.item.id
            if key in places:
                reason = f"found {shown(key[1])} of {shown(key[0])} in {places[key]} too, expected it once"
                raise PipelineError(path, line, f"[id] answered twice; {reason}")
            places[key] = f"{path}:{line}"
            results.append(result)
        if len(results) == before:
            raise PipelineError(path, None, "[file] no row; expected rows that evaluate cloze wrote")
    return results


def _result(row: Mapping[str, Any], by_id: Mapping[str, ClozeItem]) -> ClozeResult:
    """Return the result of a row; raises `ValueError` with the field and the reason."""
    read = convert_fields(row, _ResultRow)
    if read.id not in by_id:
        raise ValueError(f"[id] unknown id; found {shown(read.id)}, expected one of the {len(by_id)} cloze items")
    item = by_id[read.id]
    answers = {
        measure: ClozeAnswer(of.prediction, of.confidence, of.classes[item.gender], of.classes)
        for measure in MEASURES
        if (of := read.measures.get(measure))
    }
    if not answers:
        raise ValueError(f"[measures] found none, expected some of {', '.join(MEASURES)}")
    return ClozeResult(item, read.model, answers, row)


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

    def part(trait: Callable[[ClozeItem], str], value: str) -> Any:
        return to_object(accuracy([(item.id, mark) for item, mark in marks if trait(item) == value], clusters))

    return {
        "model": model,
        "measure": measure,
        "accuracy": to_object(accuracy([(item.id, mark) for item, mark in marks], clusters)),
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
