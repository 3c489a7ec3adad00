"""Answer items by word association."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, read_text
from ..core.model import Item, PmiTerms
from .counting.counts import Counts
from .pmi import Baseline, Decision, baseline, decide, pmi

_NAMED = 10  # of the terms that the counts do not have


def read_terms(path: Path) -> dict[str, PmiTerms]:
    """Return the terms of items by id, from lines of id, candidates and reference, or from an analysis that has them in ``pmi``.

    Raises:
        PipelineError: a line without an id, or whose terms are not two words and a reference, or an id given twice.
    """
    found: dict[str, PmiTerms] = {}
    for line, value in parse_jsonl(read_text(path), path):
        name, terms = value.get("id"), value.get("pmi", value) if "candidates" not in value else value
        if not isinstance(name, str):
            raise PipelineError(path, line, f"[id] missing field; found {name!r}, expected text")
        if name in found:
            raise PipelineError(path, line, f"[id] not unique; found {name!r} again")
        if terms is None:
            continue
        if not isinstance(terms, dict):
            raise PipelineError(
                path, line, f"[pmi] found {terms!r}, expected an object of candidates and reference, or null"
            )
        candidates, reference = terms.get("candidates"), terms.get("reference")
        if (
            not isinstance(candidates, list)
            or len(candidates) != 2
            or not all(isinstance(one, str) and one for one in candidates)
        ):
            raise PipelineError(path, line, f"[candidates] found {candidates!r}, expected two words")
        if not isinstance(reference, str) or not reference:
            raise PipelineError(path, line, f"[reference] found {reference!r}, expected a word")
        found[name] = PmiTerms(tuple(candidates), reference)
    return found


def uncounted(terms: Iterable[PmiTerms], counts: Counts, path: Path) -> tuple[list[str], int]:
    """Return the terms that the counts of file `path` do not have, sorted, and how many terms there are in all.

    The file does not tell a term that was counted and never occurs from one that was not counted.

    Raises:
        PipelineError: it has none of them.
    """
    asked = {word for one in terms for word in (*one.candidates, one.reference)}
    missing = sorted(asked - counts.terms.keys())
    if asked and len(missing) == len(asked):
        reason = f"[terms] none of the {len(asked)} terms asked is in these counts; found {len(counts.terms)} counted"
        raise PipelineError(path, None, f"{reason}, expected those asked; count again with the same --terms")
    return missing, len(asked)


def decisions(
    items: Iterable[Item], terms: Mapping[str, PmiTerms], counts: Counts, *, threshold: float = 0.0, seed: int = 0
) -> dict[str, Decision]:
    """Return what association answers to each item that has terms."""
    return {
        item.id: decide(
            [_pmi(candidate, terms[item.id].reference, counts) for candidate in terms[item.id].candidates],
            item.id,
            threshold=threshold,
            seed=seed,
        )
        for item in items
        if item.id in terms
    }


def both(one: str, other: str, counts: Counts) -> int:
    """Return the windows that hold both terms; of a term with itself, those that hold it."""
    if one == other:
        return counts.terms[one]
    first, second = sorted((one, other))
    return counts.pairs[first, second]


def _pmi(candidate: str, reference: str, counts: Counts) -> float | None:
    return pmi(both(candidate, reference, counts), counts.terms[candidate], counts.terms[reference], counts.windows)


def rows(
    items: Iterable[Item], terms: Mapping[str, PmiTerms], counts: Counts, made: Mapping[str, Decision]
) -> list[dict[str, Any]]:
    """Return a row for each item: its terms, their counts, the PMIs, the answer; an infinite PMI is the text ``-inf``."""
    found = []
    for item in items:
        told, decision = terms.get(item.id), made.get(item.id)
        row: dict[str, Any] = {"id": item.id, "answer": item.answer}
        if told is not None and decision is not None:
            row |= {
                "candidates": list(told.candidates),
                "reference": told.reference,
                "counts": [counts.terms[one] for one in told.candidates],
                "reference_count": counts.terms[told.reference],
                "joint_counts": [both(one, told.reference, counts) for one in told.candidates],
                "pmi": [_number(value) for value in decision.pmis],
                "difference": _number(decision.difference),
                "decided": decision.decided,
                "choice": decision.choice,
                "right": decision.choice == item.answer,
            }
        found.append(row)
    return found


def _number(value: float | None) -> float | str | None:
    return value if value is None or abs(value) != float("inf") else str(value)


def curve(
    items: Sequence[Item], terms: Mapping[str, PmiTerms], counts: Counts, seed: int
) -> list[tuple[float, Baseline]]:
    """Return the figures at every threshold that changes them, from 0 upwards."""
    answers = {item.id: item.answer for item in items}
    base = decisions(items, terms, counts, seed=seed)
    differences = {abs(one.difference) for one in base.values() if one.difference is not None}
    steps = sorted({0.0} | {value for value in differences if value != float("inf")})
    return [
        (step, baseline(decisions(items, terms, counts, threshold=step, seed=seed), answers, seed)) for step in steps
    ]


def solved_pairs(items: Iterable[Item], made: Mapping[str, Decision]) -> list[str]:
    """Return the schemas that association solves in all their members, two or more: they are not proof against a search engine."""
    by_schema: dict[str, list[bool]] = {}
    for item in items:
        decision = made.get(item.id)
        right = decision is not None and decision.decided and decision.choice == item.answer
        by_schema.setdefault(item.schema, []).append(right)
    return sorted(schema for schema, right in by_schema.items() if len(right) > 1 and all(right))
