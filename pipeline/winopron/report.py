"""What `winopron score` and `winopron compare` report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from .bias import Bias, BiasByForm, bias_by_form, overlap_of_cases, overlap_of_sets, overlap_of_systems
from .performance import (
    Consistency,
    Performance,
    Response,
    disambiguation_consistency,
    performance,
    performance_by,
    pronoun_consistency,
)

#: Jaccard indices by two keys, such as case and pronoun set.
Overlap = dict[str, dict[str, float | None]]


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Jaccard indices of the biased occupations, by pair of cases and pronoun set, and by pair of pronoun sets and case."""

    between_cases: Overlap
    between_sets: Overlap


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """All measures of one system; shares lie between 0 and 1, undefined values are None."""

    prompts: int
    overall: Performance
    by_case: dict[str, Performance]
    by_pronouns: dict[str, Performance]
    pronoun_consistency: Consistency
    disambiguation_consistency: Consistency
    bias: dict[str, dict[str, Bias]]
    jaccard: Overlaps
    unanswered: int


def score_report(responses: Iterable[Response], unanswered: int = 0) -> ScoreReport:
    """Return all measures of one system; `unanswered` sentences have no answer."""
    rows = list(responses)
    biases = bias_by_form(rows)
    by_case: dict[str, dict[str, Bias]] = {}
    for (case, name), bias in biases.items():
        by_case.setdefault(case, {})[name] = bias
    return ScoreReport(
        prompts=len({row.prompt for row in rows}),
        overall=performance(rows),
        by_case=performance_by(rows, lambda row: row.case),
        by_pronouns=performance_by(rows, lambda row: row.pronouns),
        pronoun_consistency=pronoun_consistency(rows),
        disambiguation_consistency=disambiguation_consistency(rows),
        bias=by_case,
        jaccard=Overlaps(_by_pair(overlap_of_cases(biases)), _by_pair(overlap_of_sets(biases))),
        unanswered=unanswered,
    )


def comparison_report(systems: Mapping[str, BiasByForm]) -> dict[str, Overlap]:
    """Return by pair of systems, case and pronoun set the Jaccard index of their biased occupations (Table 5)."""
    pairs = {}
    for first, second in combinations(systems, 2):
        overlap: Overlap = {}
        for (case, name), index in overlap_of_systems(systems[first], systems[second]).items():
            overlap.setdefault(case, {})[name] = index
        pairs[f"{first}/{second}"] = overlap
    return pairs


def _by_pair(overlaps: Mapping[tuple[str, str], dict[str, float | None]]) -> Overlap:
    return {"-".join(pair): values for pair, values in overlaps.items()}
