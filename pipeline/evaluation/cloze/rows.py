"""Rows of cloze results: one for each item and model, with all measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text
from ...core.records import field_of, text_field
from ...language.pronoun_classes import GENDERS
from .items import ClozeItem
from .measures import LEAST_LOG, MEASURES, OTHER, ClozeAnswer, GapScores, Measure, measured, shares

#: The mode of the rows.
MODE = "cloze"
#: Digits of a probability or log-probability in a row: models differ in the last ones from machine to machine.
DIGITS = 6
#: Maximum score of a class: a word of several tokens has a score of its own, so that those of many words may exceed 1 together.
MAX_SCORE = 100


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
        "order": "as written",
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
    """Return the results of files of rows, in their order; a prediction is compared with the items' own gold answers.

    Raises:
        PipelineError: a line is malformed, names no item, or repeats an item and model; or a file is empty.
    """
    by_id = {item.id: item for item in items}
    places: dict[tuple[str, str], str] = {}
    results: list[ClozeResult] = []
    for path in paths:
        before = len(results)
        for line, row in parse_jsonl(read_text(path), path):
            try:
                result = _result(row, by_id)
            except ValueError as error:
                raise PipelineError(path, line, str(error)) from error
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
    name, model = text_field(row, "id"), text_field(row, "model")
    if name not in by_id:
        raise ValueError(f"[id] unknown id; found {shown(name)}, expected one of the {len(by_id)} cloze items")
    if not model.strip():
        raise ValueError(f"[model] empty; found {shown(model)}, expected a name")
    item = by_id[name]
    entries = field_of(row, "measures", dict, f"an object with {', '.join(MEASURES)}")
    answers = {measure: _answer(entries, measure, item) for measure in MEASURES if measure in entries}
    if not answers or len(answers) < len(entries):
        raise ValueError(f"[measures] found {shown(list(entries))}, expected some of {', '.join(MEASURES)}")
    return ClozeResult(item, model, answers, row)


def _answer(entries: Mapping[str, Any], measure: Measure, item: ClozeItem) -> ClozeAnswer:
    entry = field_of(entries, measure, dict, "an object with prediction, confidence, target and classes")
    prediction = text_field(entry, "prediction")
    if prediction not in (*GENDERS, OTHER, ""):
        raise ValueError(
            f"[prediction] unknown class; found {shown(prediction)}, expected {', '.join(GENDERS)} or {OTHER}"
        )
    classes = field_of(entry, "classes", dict, "an object with a score for each class")
    if not {*GENDERS} <= classes.keys() <= {*GENDERS, OTHER}:
        raise ValueError(
            f"[classes] found {shown(list(classes))}, expected {', '.join(GENDERS)}, and {OTHER} of top10 and top1"
        )
    scored = {name: _score(classes, name) for name in classes}
    return ClozeAnswer(prediction, _score(entry, "confidence"), scored[item.gender], scored)


def _score(entry: Mapping[str, Any], name: str) -> float:
    score = field_of(entry, name, (int, float), "a number")
    if not 0 <= score <= MAX_SCORE:
        raise ValueError(f"[{name}] no score of a class; found {shown(score)}, expected 0 to {MAX_SCORE}")
    return float(score)
