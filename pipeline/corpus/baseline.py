"""Answer the items of a collection by word association: their terms, decisions and rows, and what association solves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..core.convert import Text, convert
from ..core.errors import PipelineError, shown
from ..core.files import from_json, parse_jsonl, read_text, require_unique
from ..core.hints import shown_kind
from ..core.model import Item, PmiTerms
from .counting.counts import Counts
from .pmi import Decision, Score, decide, expected_right, pmi, score

#: The file beside the answers with their options.
OPTIONS = "options.json"


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Two PMIs must differ by more than `threshold` bits to decide an item; `seed` seeds the guesses on the others."""

    threshold: Annotated[float, msgspec.Meta(ge=0, description="a number of bits from 0")] = 0.0
    seed: int = 0


def read_options(path: Path) -> AnswerOptions:
    """Return the options of a file; the defaults if there is no such file.

    Raises:
        PipelineError: the file is malformed.
    """
    if not path.exists():
        return AnswerOptions()
    try:
        return convert(from_json(read_text(path)), AnswerOptions)
    except ValueError as error:
        raise PipelineError(path, 1, str(error)) from error


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of an item as a file has them."""

    candidates: tuple[Text, Text]
    reference: Text


@dataclass(frozen=True, slots=True)
class _Analysis:
    """The terms of an item in its author's analysis."""

    pmi: _Terms | None


def read_item_terms(path: Path) -> dict[str, PmiTerms]:
    """Read the terms of items, by id.

    A line has ``id``, ``candidates`` (two words) and ``reference``; or, in an analysis, ``id`` and these two in ``pmi``, which is null
    where an item has no terms.

    Raises:
        PipelineError: it is a list of words, a line has no id, its terms are not two words and a reference, or an id is given
            twice.
    """
    terms: dict[str, PmiTerms] = {}
    lines: dict[str, int | None] = {}
    text = read_text(path)
    if text.strip() and not text.lstrip().startswith(("{", "[")):
        reason = f"a list of words, as corpus count takes it; found {shown(text.split(maxsplit=1)[0])}"
        expected = (
            "expected the terms of each item: analysis.jsonl, which ingest --analysis writes, or lines of your own"
        )
        raise PipelineError(path, 1, f"[terms] {reason}, {expected} (docs/association.md)")
    for line, row in parse_jsonl(text, path):
        item_id = row.get("id")
        if not isinstance(item_id, str):
            raise PipelineError(path, line, f"[id] missing field; found {item_id!r}, expected text")
        require_unique(lines, item_id, path, line)
        if not row.keys() & {"reference", "pmi"}:
            reason = f"no terms of an item; found {shown_kind(row)}, expected candidates and reference, or an author's analysis"
            raise PipelineError(path, line, f"[reference] {reason} (docs/association.md)")
        try:
            if "pmi" in row and "candidates" not in row:
                found = convert({"pmi": row["pmi"]}, _Analysis).pmi
            else:
                found = convert({key: row[key] for key in ("candidates", "reference") if key in row}, _Terms)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        if found is not None:
            terms[item_id] = PmiTerms(found.candidates, found.reference)
    return terms


def require_terms(items: Sequence[Item], terms: Mapping[str, PmiTerms], path: Path) -> None:
    """Refuse the terms of file `path` if they are of none of the items: every answer would be a guess.

    Raises:
        PipelineError: no item has terms.
    """
    if not any(item.id in terms for item in items):
        given = f"terms of other ids such as {shown(next(iter(terms)))}" if terms else "no terms"
        reason = f"no item has terms; found {given}, expected ids of the items such as {items[0].id}"
        raise PipelineError(path, None, f"[terms] {reason} (docs/association.md)")


def uncounted_terms(terms: Iterable[PmiTerms], counts: Counts, path: Path) -> tuple[list[str], int]:
    """Return the terms that the counts of file `path` lack, sorted, and the number of all terms.

    A counts file does not distinguish a term that was counted and never occurs from one that was not counted.

    Raises:
        PipelineError: it has none of the terms.
    """
    words = {word for entry in terms for word in (*entry.candidates, entry.reference)}
    missing = sorted(words - counts.terms.keys())
    if words and len(missing) == len(words):
        reason = f"none of the {len(words)} terms of the items is in these counts"
        expected = f"found {len(counts.terms)} other terms, expected those; count again with the same --terms"
        raise PipelineError(path, None, f"[terms] {reason}; {expected}")
    return missing, len(words)


def decide_items(
    items: Iterable[Item], terms: Mapping[str, PmiTerms], counts: Counts, *, threshold: float = 0.0, seed: int = 0
) -> dict[str, Decision]:
    """Return the decision on each item that has terms, by id; see `decide`."""
    return {
        item.id: decide(_pmis(terms[item.id], counts), item.id, threshold=threshold, seed=seed)
        for item in items
        if item.id in terms
    }


def _pmis(terms: PmiTerms, counts: Counts) -> list[float | None]:
    reference = terms.reference
    return [
        pmi(counts.joint(word, reference), counts.terms[word], counts.terms[reference], counts.windows)
        for word in terms.candidates
    ]


def answer_rows(
    items: Iterable[Item], terms: Mapping[str, PmiTerms], counts: Counts, decisions: Mapping[str, Decision]
) -> list[dict[str, Any]]:
    """Return a row for each item: its terms, their counts, the PMIs and the answer; an item without terms has id and answer alone.

    An infinite PMI is the text ``-inf``, an undefined one None.
    """
    rows = []
    for item in items:
        row: dict[str, Any] = {"id": item.id, "answer": item.answer}
        if item.id in decisions:
            decision, words, reference = decisions[item.id], terms[item.id].candidates, terms[item.id].reference
            row |= {
                "candidates": list(words),
                "reference": reference,
                "counts": [counts.terms[word] for word in words],
                "reference_count": counts.terms[reference],
                "joint_counts": [counts.joint(word, reference) for word in words],
                "pmi": [_json_number(value) for value in decision.pmis],
                "difference": _json_number(decision.difference),
                "decided": decision.decided,
                "choice": decision.choice,
                "right": decision.choice == item.answer,
            }
        rows.append(row)
    return rows


def _json_number(value: float | None) -> float | str | None:
    return value if value is None or abs(value) != float("inf") else str(value)


def score_by_threshold(
    items: Sequence[Item], terms: Mapping[str, PmiTerms], counts: Counts, seed: int
) -> list[tuple[float, Score]]:
    """Return the score at every threshold that changes it, ascending from 0."""
    answers = {item.id: item.answer for item in items}
    differences = {decision.difference for decision in decide_items(items, terms, counts).values()}
    thresholds = sorted({0.0} | {abs(value) for value in differences if value is not None} - {float("inf")})
    return [
        (threshold, score(decide_items(items, terms, counts, threshold=threshold, seed=seed), answers))
        for threshold in thresholds
    ]


def right_by_schema(items: Iterable[Item], decisions: Mapping[str, Decision]) -> dict[str, list[float]]:
    """Return for each schema how often its items are answered rightly, 0.5 for each that a coin answers."""
    schemas: dict[str, list[float]] = {}
    for item in items:
        schemas.setdefault(item.schema, []).append(expected_right(item.id, item.answer, decisions))
    return schemas


def solved_schemas(items: Iterable[Item], decisions: Mapping[str, Decision]) -> list[str]:
    """Return the schemas of two or more items that PMI decides rightly in all of them, sorted."""
    schemas: dict[str, list[bool]] = {}
    for item in items:
        decision = decisions.get(item.id)
        solved = decision is not None and decision.decided and decision.choice == item.answer
        schemas.setdefault(item.schema, []).append(solved)
    return sorted(schema for schema, solved in schemas.items() if len(solved) > 1 and all(solved))
