"""The figures of people's answers (Petersen and Spalek, section 3 and appendix B)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...evaluation.cloze.items import PLACES, ClozeItem
from ...evaluation.measures.accuracy import accuracy
from ...language.pronoun_classes import GENDERS
from ...statistics.agreement import fleiss_kappa, krippendorff_alpha
from ...statistics.association import deciles
from ...statistics.bootstrap import bootstrap_interval
from ...statistics.intervals import ratio
from ...statistics.ratings import clusters
from ...statistics.summary import Summary, summarise_shares
from .items import ItemFigures
from .judgements import NEITHER, Judgement

#: Least share of answers of an item of high agreement (section 3: 7 of 10).
HIGH = 0.7
#: The gender of *es*, which people choose for a situation too (appendix B).
SITUATION = "neut"
#: What accuracy is broken down by.
TRAITS: Mapping[str, Callable[[ClozeItem], str]] = {
    "source": lambda item: item.source,
    "register": lambda item: item.register,
    "pronoun": lambda item: item.pronoun.casefold(),
    "place": lambda item: item.place,
}
#: Resamples of the intervals of coefficients of agreement, which take a millisecond each.
_RESAMPLES = 300


def people_figures(judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int) -> dict[str, Any]:
    """Return the figures of answers and of the majority vote.

    A tied majority is undefined: it is neither right nor wrong, ``tied`` counts it, and ``majority`` has the share of right votes among
    decided items; ``majority_of_all`` takes all items, where a tie is not right. The paper does not say whether it had ties.

    Args:
        judgements: the answers to items.
        items: `item_figures` of them.
        seed: of the bootstrap.
    """
    wrong_es = {entry.item.id for entry in items if entry.right is False and entry.majority == SITUATION}
    return {
        "counts": _counts(judgements, items),
        "agreement": _agreement(judgements, items, seed),
        "accuracy": _accuracies(judgements, items),
        "by_person": _shown(summarise_shares(_by_person(judgements).values())),
        "by": {
            name: {
                value: _accuracies(
                    [judgement for judgement in judgements if trait(judgement.item) == value],
                    [entry for entry in items if trait(entry.item) == value],
                )
                for value in sorted({trait(entry.item) for entry in items})
                if value
            }
            for name, trait in TRAITS.items()
        },
        "without_wrong_es": {
            "items": len(wrong_es),
            **_accuracies(
                [judgement for judgement in judgements if judgement.item.id not in wrong_es],
                [entry for entry in items if entry.item.id not in wrong_es],
            ),
        },
        "neither": _neither(judgements),
        "places": _places(judgements),
        "pairs": _pairs(items),
        "deciles": {
            "rt": deciles([judgement.response.rt_answer_ms for judgement in judgements], _marks(judgements)),
            "confidence": deciles([judgement.response.confidence for judgement in judgements], _marks(judgements)),
        },
        "errors": [
            {
                "item": entry.item.id,
                "expected": entry.item.gender,
                "majority": entry.majority,
                "votes": dict(entry.votes),
            }
            for entry in items
            if entry.right is False
        ],
    }


def _marks(judgements: Iterable[Judgement]) -> list[float]:
    return [float(judgement.right) for judgement in judgements]


def _shown(summary: Summary | None) -> dict[str, Any] | None:
    return asdict(summary) if summary else None


def _counts(judgements: Sequence[Judgement], items: Sequence[ItemFigures]) -> dict[str, Any]:
    sizes = [entry.vote.raters for entry in items]
    return {
        "answers": len(judgements),
        "people": len({judgement.participant for judgement in judgements}),
        "items": len(items),
        "answers_of_an_item": [min(sizes), max(sizes)] if sizes else None,
        "given": {gender: sum(entry.votes[gender] for entry in items) for gender in GENDERS},
        "gold": {gender: sum(entry.item.gender == gender for entry in items) for gender in GENDERS},
    }


def _agreement(judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int) -> dict[str, Any]:
    rows: dict[str, dict[str, str]] = {entry.item.id: {} for entry in items}
    for judgement in judgements:
        rows[judgement.item.id][judgement.participant] = judgement.gender
    schemas = clusters(rows, {entry.item.id: entry.item.schema for entry in items})
    several = [entry for entry in items if entry.vote.raters > 1]

    kappa = fleiss_kappa(rows.values())
    measure = krippendorff_alpha if kappa is None else fleiss_kappa  # one interval, of the coefficient that counts
    limits = bootstrap_interval(schemas, measure, seed=seed, resamples=_RESAMPLES)
    interval = [limits.low, limits.high] if limits else None
    return {
        "fleiss": {"value": kappa, "interval": None if kappa is None else interval},
        "alpha": {"value": krippendorff_alpha(rows.values()), "interval": interval if kappa is None else None},
        "items": len(several),
        "unanimous": sum(entry.vote.unanimous for entry in several),
        "high": sum(entry.agreement >= HIGH for entry in several),
        "all_three": sum(min(entry.votes.values()) > 0 for entry in items),
        "tied": sum(entry.vote.tied for entry in items),
    }


def _accuracies(judgements: Sequence[Judgement], items: Sequence[ItemFigures]) -> dict[str, Any]:
    """Return the accuracy of answers and of the majority vote, with intervals whose clusters are the schemas."""
    schemas = {entry.item.id: entry.item.schema for entry in items}
    decided = [(entry.item.id, entry.right) for entry in items if entry.right is not None]
    right = sum(mark for _, mark in decided)
    return {
        "individual": accuracy(((judgement.item.id, judgement.right) for judgement in judgements), schemas),
        "majority": accuracy(decided, schemas),
        "majority_of_all": {"right": right, "n": len(items), "value": ratio(right, len(items))},
        "tied": len(items) - len(decided),
    }


def _by_person(judgements: Iterable[Judgement]) -> dict[str, float]:
    marks: dict[str, list[bool]] = defaultdict(list)
    for judgement in judgements:
        marks[judgement.participant].append(judgement.right)
    return {name: sum(given) / len(given) for name, given in sorted(marks.items())}


def _neither(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Return how many answers take up no antecedent (1,000 - 515 - 424 = 61 in the paper), by gender of the pronoun (*es*: 50).

    ``situation`` has *es* among the wrong answers to items without a neuter antecedent, which people choose for a whole situation.
    """
    counts = Counter(judgement.gender for judgement in judgements if judgement.place == NEITHER)
    without = [entry for entry in judgements if SITUATION not in {phrase.gender for phrase in entry.item.antecedents}]
    schemas = {entry.item.id: entry.item.schema for entry in without}
    wrong = accuracy(((entry.item.id, entry.gender == SITUATION) for entry in without if not entry.right), schemas)
    return {
        "answers": counts.total(),
        "share": ratio(counts.total(), len(judgements)),
        "by": {gender: counts[gender] for gender in GENDERS},
        "situation": {
            "es": wrong["right"],
            "wrong": wrong["n"],
            "share": wrong["value"],
            "interval": wrong["interval"],
        },
    }


def _places(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Return by place how often its antecedent was chosen, and two accuracies that are easily confused.

    ``right_when_chosen`` is the share of right answers among those that choose this place; ``right_when_gold`` among those to items
    whose right antecedent stands there. The paper's 0.74 and 0.81 of people, and 0.59 and 0.54 of a model, have a mean above the
    accuracy over all items, as the second kind cannot have where both places are right equally often.
    """
    return {
        place: {
            "chosen": len(chosen := [entry for entry in judgements if entry.place == place]),
            "right_when_chosen": ratio(sum(entry.right for entry in chosen), len(chosen)),
            "gold": len(gold := [entry for entry in judgements if entry.item.place == place]),
            "right_when_gold": ratio(sum(entry.right for entry in gold), len(gold)),
        }
        for place in PLACES
    }


def _pairs(items: Sequence[ItemFigures]) -> dict[str, Any]:
    """Return how many pairs have the same majority answer to both items; a pair with a tie is undefined."""
    schemas: dict[str, list[ItemFigures]] = defaultdict(list)
    for entry in items:
        schemas[entry.item.schema].append(entry)
    pairs = [members for members in schemas.values() if len(members) > 1]
    decided = [members for members in pairs if all(entry.majority for entry in members)]
    same = sum(len({entry.majority for entry in members}) == 1 for members in decided)
    return {
        "n": len(decided),
        "same": same,
        "share": ratio(same, len(decided)),
        "undefined": len(pairs) - len(decided),
        "both_wrong": sum(not any(entry.right for entry in members) for members in decided),
    }
