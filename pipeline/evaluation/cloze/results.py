"""The measures of a gap, a row of results for each item and model with all of them, and the figures of each model by measure."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from ...core.convert import Text, convert_fields, to_object
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import parse_jsonl, read_text
from ...language.pronoun_classes import GENDERS, Gender, PronounClasses
from ...statistics.intervals import clustered_mean_interval, ratio
from ..measures.accuracy import accuracy
from .items import PLACES, ClozeItem

#: The measures: three of the paper, and ours (`mass`).
Measure = Literal["pron", "top10", "top1", "mass"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
#: The class of a token that is no listed variant.
OTHER = "other"
#: How many of the most probable tokens a measure takes.
TOP: Mapping[Measure, int] = {"top10": 10, "top1": 1}
#: A log-probability below this is written as this: JSON has no infinity.
LEAST_LOG = -1000.0


@dataclass(frozen=True, slots=True)
class Token:
    """One of the most probable tokens: as text, its log-probability, and its class (`OTHER` if it is no whole variant)."""

    text: str
    log: float
    gender: str


@dataclass(frozen=True, slots=True)
class GapScores:
    """What a model gives to the words that may fill a gap."""

    #: Log-probability of each variant, as rules/cloze writes it; a word that the model's vocabulary cannot write is missing.
    words: Mapping[str, float]
    pieces: Mapping[str, int]  # the number of tokens of each of these words
    #: The ten most probable tokens, best first, of equal ones that with the lower number in the vocabulary; none if unknown.
    top: tuple[Token, ...]
    #: Whether the log-probabilities are shares of what may stand in the gap; otherwise they are of whole texts, and only their
    #: differences mean something.
    absolute: bool
    prompt: str
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class ClozeAnswer:
    """The answer of a model to one item by one measure."""

    prediction: str  # the class with the greatest score: a gender, or `OTHER`; empty if several classes share it
    confidence: float  # the score of this class
    target: float  # the score of the gold class (the paper's target confidence)
    classes: Mapping[str, float]  # the score of each class that the measure considers


def measured(scores: GapScores, table: PronounClasses, gold: Gender) -> dict[Measure, ClozeAnswer]:
    """Return the answers by all measures (Petersen and Spalek, section 2.3).

    - ``pron``: only the pronoun of each gender is considered. The paper takes the softmax score over the vocabulary as it is; so do we
      where there is one. (`shares` gives the same renormalised over the pronouns.)
    - ``top10``, ``top1``: the scores of the ten tokens, or the one token, that are most probable, summed by class. `OTHER` may be
      greatest, and the answer is then wrong: the paper has the class, and speaks of generation over the whole vocabulary. The target
      confidence of ``top1`` is 0 where the token is of another class. The paper's words, "the top-scoring gold-class token", could also
      mean the best such token of any rank; but that one's score is never below the gold pronoun's, and in Table 1 all three models have
      a lower mean for top1 than for pron.
    - ``mass``, which is ours: all variants of each gender, whatever their rank, those of several tokens too. `OTHER` is what is left,
      and is no answer.

    Where only whole texts have a probability (`GapScores.absolute` is false), ``pron`` and ``mass`` are renormalised over the pronouns,
    or over all variants. Without `GapScores.top`, ``top10`` and ``top1`` are missing.
    """
    from scipy.special import logsumexp

    pronouns: dict[str, float] = {gender: scores.words[word] for gender, word in table.pronouns.items()}
    logs: dict[str, float] = {
        gender: float(logsumexp([scores.words[word] for word in table.variants[gender] if word in scores.words]))
        for gender in GENDERS
    }
    whole = [0.0, 0.0] if scores.absolute else [float(logsumexp([*of.values()])) for of in (pronouns, logs)]
    answers: dict[Measure, ClozeAnswer] = {
        "pron": _answer({gender: math.exp(log - whole[0]) for gender, log in pronouns.items()}, pronouns, gold),
        "mass": _answer({gender: math.exp(log - whole[1]) for gender, log in logs.items()}, logs, gold),
    }
    for measure, count in TOP.items() if scores.top else ():
        classes: dict[str, float] = dict.fromkeys((*GENDERS, OTHER), 0.0)
        for token in scores.top[:count]:
            classes[token.gender] += math.exp(token.log)
        answers[measure] = _answer(classes, classes, gold)
    return {measure: answers[measure] for measure in MEASURES if measure in answers}


def _answer(classes: Mapping[str, float], ranks: Mapping[str, float], gold: Gender) -> ClozeAnswer:
    """Return the answer of the class whose rank is greatest."""
    best = max(ranks.values())
    winners = [name for name, rank in ranks.items() if rank == best]
    return ClozeAnswer(winners[0] if len(winners) == 1 else "", classes[winners[0]], classes[gold], classes)


def shares(classes: Mapping[str, float]) -> dict[str, float]:
    """Return scores as shares of their sum; all 0 if it is 0.

    >>> shares({"masc": 0.375, "fem": 0.125})["masc"]
    0.75
    """
    total = math.fsum(classes.values())
    return {name: score / total if total else 0.0 for name, score in classes.items()}


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
