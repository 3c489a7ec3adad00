"""Models beside people on the same items (Petersen and Spalek, section 3, Tables 1, 2, 3 and 5)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...evaluation.cloze.items import PLACES
from ...evaluation.cloze.results import MEASURES, ClozeAnswer, ClozeResult, Measure
from ...evaluation.measures.accuracy import Estimate, accuracy
from ...statistics.association import Contingency, Correlation, cramers_v, resampled_weights
from ...statistics.intervals import ratio
from .people import NEITHER, TRAITS, ItemFigures, Judgement, place_of
from .relations import coefficients

#: What models are compared with, by item: attributes of `ItemFigures`, with their names.
HUMAN = {"accuracy": "accuracy", "confidence": "confidence", "rt_mean": "response time", "agreement": "agreement"}
#: The confidences of a model: in its own answer, and in the gold answer.
CONFIDENCES = {"given": "confidence", "gold": "target"}


@dataclass(frozen=True, slots=True)
class ConfidenceRelation:
    """The correlations of a confidence of a model with a figure of people, over `n` items."""

    confidence: str
    people: str
    n: int
    pearson: Correlation | None
    spearman: Correlation | None


@dataclass(frozen=True, slots=True)
class Associations:
    """Cramér's V of a model's predictions with individual answers, and with the majority."""

    individual: Contingency | None
    majority: Contingency | None


@dataclass(frozen=True, slots=True)
class SameAnswers:
    """How many of `n` pairs have the same prediction for both items."""

    n: int
    same: int
    share: float | None


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """The figures of a model by a measure; `by` has its accuracy by trait and value, `places` what it chose by place."""

    model: str
    measure: Measure
    items: int
    accuracy: Estimate
    accuracy_of_majority: Estimate
    by: Mapping[str, Mapping[str, Estimate]]
    v: Associations
    correlations: Sequence[ConfidenceRelation]
    places: Mapping[str, Mapping[str, float | None]]
    pairs: SameAnswers


def model_figures(
    results: Sequence[ClozeResult], judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int
) -> list[ModelFigures]:
    """Return the figures of each model and measure, over the items that people answered.

    Correlations are of items; intervals resample schemas. Cramér's V with individual answers takes each answer of a person with the
    prediction for its item, and resamples people and items; with the majority it takes decided items.

    `results` are rows of `evaluate cloze`.
    """
    models = list(dict.fromkeys(result.model for result in results))
    by_id = {entry.item.id: entry for entry in items}
    figures = []
    for model in models:
        for measure in MEASURES:
            answers = {
                result.item.id: result.answers[measure]
                for result in results
                if result.model == model and measure in result.answers and result.item.id in by_id
            }
            if answers:
                given = [by_id[name] for name in sorted(answers)]
                figures.append(_figures(model, measure, answers, given, judgements, seed))
    return figures


def _figures(
    model: str,
    measure: Measure,
    answers: dict[str, ClozeAnswer],
    items: Sequence[ItemFigures],
    judgements: Sequence[Judgement],
    seed: int,
) -> ModelFigures:
    schemas = {entry.item.id: entry.item.schema for entry in items}
    marks = [(entry, answers[entry.item.id].prediction == entry.item.gender) for entry in items]
    decided = [entry for entry in items if entry.majority]
    heard = [judgement for judgement in judgements if judgement.item.id in answers]
    heard_by = [judgement.participant for judgement in heard], [judgement.item.id for judgement in heard]
    weights = resampled_weights([[entry.item.schema for entry in items]], seed=seed)
    return ModelFigures(
        model=model,
        measure=measure,
        items=len(items),
        accuracy=accuracy(((entry.item.id, mark) for entry, mark in marks), schemas),
        accuracy_of_majority=accuracy(
            ((entry.item.id, answers[entry.item.id].prediction == entry.majority) for entry in decided), schemas
        ),
        by={
            name: {
                value: accuracy(((entry.item.id, mark) for entry, mark in marks if trait(entry.item) == value), schemas)
                for value in sorted({trait(entry.item) for entry in items})
                if value
            }
            for name, trait in TRAITS.items()
        },
        v=Associations(
            individual=cramers_v(
                [(answers[judgement.item.id].prediction, judgement.gender) for judgement in heard],
                resampled_weights(heard_by, seed=seed),
            ),
            majority=cramers_v(
                [(answers[entry.item.id].prediction, entry.majority) for entry in decided],
                resampled_weights([[entry.item.schema for entry in decided]], seed=seed),
            ),
        ),
        correlations=[
            ConfidenceRelation(
                confidence,
                human,
                *coefficients(
                    [float(getattr(answers[entry.item.id], field)) for entry in items],
                    [float(getattr(entry, human)) for entry in items],
                    weights,
                ),
            )
            for confidence, field in CONFIDENCES.items()
            for human in HUMAN
        ],
        places=_places(answers, items),
        pairs=_pairs(answers, items),
    )


def _places(answers: dict[str, ClozeAnswer], items: Sequence[ItemFigures]) -> dict[str, dict[str, float | None]]:
    """Return how often the antecedent at each place was predicted, how often neither, and the share of right ones among each."""
    chosen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for entry in items:
        prediction = answers[entry.item.id].prediction
        place = place_of(entry.item, prediction)
        chosen[place] += 1
        right[place] += prediction == entry.item.gender
    shares: dict[str, dict[str, float | None]] = {
        place: {"chosen": chosen[place], "right_when_chosen": ratio(right[place], chosen[place])} for place in PLACES
    }
    return shares | {NEITHER: {"chosen": chosen[NEITHER]}}


def _pairs(answers: dict[str, ClozeAnswer], items: Sequence[ItemFigures]) -> SameAnswers:
    """Return how many pairs have the same prediction for both items."""
    schemas: dict[str, list[str]] = defaultdict(list)
    for entry in items:
        schemas[entry.item.schema].append(answers[entry.item.id].prediction)
    pairs = [given for given in schemas.values() if len(given) > 1]
    same = sum(len(set(given)) == 1 for given in pairs)
    return SameAnswers(len(pairs), same, ratio(same, len(pairs)))


def main_measure(figures: Sequence[ModelFigures]) -> Measure | None:
    """Return the measure that pictures show: the paper's pron where it is there."""
    measures = [entry.measure for entry in figures]
    return "pron" if "pron" in measures else measures[0] if measures else None
