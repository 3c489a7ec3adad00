"""All figures of an experiment: people with and without those left out, models beside them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...evaluation.cloze.items import ClozeItem
from ...evaluation.cloze.rows import ClozeResult
from ..browser.results.tables import RESPONSES, Results
from .exclusion import Criteria, Person, people
from .items import ItemFigures, item_figures
from .judgements import Judgement, judgements
from .models import model_figures
from .people import people_figures
from .regression import regression
from .relations import relations

#: Digits of a figure: the last ones of a fit differ from machine to machine.
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was analysed.

    Attributes:
        figures: the figures as JSON values: ``kept`` of those who satisfy the criteria, ``everyone`` of all, without
            the models; None if nobody is left out.
        items: the figures of each item from those who are kept.
        people: each participant with the reasons for leaving out.
        answers: the answers of those who are kept.
        results: rows of the models.
    """

    figures: Mapping[str, Any]
    items: Sequence[ItemFigures]
    people: Mapping[str, Person]
    answers: Sequence[Judgement]
    results: Sequence[ClozeResult]


def analyse(
    results: Results,
    items: Sequence[ClozeItem],
    models: Sequence[ClozeResult],
    criteria: Criteria,
    fillers: Mapping[str, str],
    *,
    seed: int,
    folder: Path,
) -> Analysis:
    """Return the analysis of an experiment.

    Args:
        results: the results.
        items: the cloze items.
        models: rows of `evaluate cloze` on them; may be empty.
        criteria: who is kept.
        fillers: the right pronoun of each filler; may be empty.
        seed: of the resamples.
        folder: of the results, for errors.

    Raises:
        PipelineError: an answer fits no item, or nobody who answered satisfies the criteria.
    """
    judged = people(results, criteria, fillers)
    everyone = judgements(results.responses, items, folder / RESPONSES)
    kept = [judgement for judgement in everyone if not judged[judgement.participant].reasons]
    reasons = Counter(reason for person in judged.values() for reason in person.reasons)
    if not kept:
        counts = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        reason = (
            f"[criteria] nobody is left; found {len(judged)} left out ({counts}), expected criteria that some satisfy"
        )
        raise PipelineError(folder, None, reason)
    of_kept = item_figures(kept)
    excluded = sum(bool(person.reasons) for person in judged.values())
    figures = {
        "seed": seed,
        "items": len(items),
        "criteria": asdict(criteria),
        "people": {
            "all": len(judged),
            "kept": len(judged) - excluded,
            "excluded": excluded,
            "reasons": dict(sorted(reasons.items())),
            "fillers_scored": len(fillers),
        },
        "responses": dict(sorted(Counter(response.part for response in results.responses).items())),
        "kept": _figures(kept, of_kept, models, seed),
        "everyone": _figures(everyone, item_figures(everyone), (), seed) if len(kept) < len(everyone) else None,
    }
    return Analysis(rounded(figures), of_kept, judged, kept, models)


def _figures(
    answers: Sequence[Judgement], items: Sequence[ItemFigures], models: Sequence[ClozeResult], seed: int
) -> dict[str, Any]:
    return {
        **people_figures(answers, items, seed),
        "relations": relations(answers, items, seed),
        "regression": regression(answers),
        "models": model_figures(models, answers, items, seed),
    }


def rounded(value: Any) -> Any:
    """Return JSON values with their numbers rounded to six significant digits.

    >>> rounded({"a": [0.12345678, 1.234567e-9, 7]})
    {'a': [0.123457, 1.23457e-09, 7]}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list | tuple) else value
