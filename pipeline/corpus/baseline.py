"""Answer items by pointwise mutual information (PMI) of words in windows (Mandarinograd, LREC 2020, section 4)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..core.convert import Text, convert
from ..core.errors import PipelineError, errors_at, shown
from ..core.files import from_json, parse_jsonl, read_text, require_unique
from ..core.hints import shown_kind
from ..core.model import Item, PmiTerms
from .counting.counts import Counts

#: The file beside the answers with their options.
OPTIONS = "options.json"


# --- answers by PMI ----------------------------------------------------------------------------------------------------


def pmi(both: int, first: int, second: int, windows: int) -> float | None:
    """Return log2(both * windows / (first * second)), the PMI of two words in bits (equation 14).

    Args:
        both: number of windows that hold both words.
        first: number of windows that hold the first word.
        second: number of windows that hold the second word.
        windows: number of all windows.

    Returns:
        Minus infinity if the words never share a window; None, undefined, if one of them never occurs.

    >>> pmi(4, 8, 16, 64), pmi(0, 8, 16, 64), pmi(0, 0, 16, 64)
    (1.0, -inf, None)
    """
    if not first or not second:
        return None
    return math.log2(both * windows / (first * second)) if both else -math.inf


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to an item."""

    pmis: tuple[float | None, ...]  # the PMI of each of the two candidates with the reference, in bits
    choice: int  # the candidate chosen, 0 or 1
    decided: bool  # whether the PMIs decide; otherwise a coin does, seeded by the item's id

    @property
    def difference(self) -> float | None:
        """The first PMI less the second: infinite if one of them is, None if one is undefined or both are infinite."""
        first, second = self.pmis
        if first is None or second is None or (math.isinf(first) and math.isinf(second)):
            return None
        return first - second


def decide(pmis: Sequence[float | None], item_id: str, *, threshold: float = 0.0, seed: int = 0) -> Decision:
    """Choose the candidate with the greater PMI if the difference exceeds the threshold, otherwise by a coin.

    Args:
        item_id: the item's id; with the seed it decides the coin, independently of other items.
        threshold: t of Amsili and Seminck (2017), see note 11.
    """
    tossed = Decision(tuple(pmis), coin(item_id, seed), decided=False)
    difference = tossed.difference
    if difference is None or abs(difference) <= threshold:
        return tossed
    return Decision(tossed.pmis, 0 if difference > 0 else 1, decided=True)


def coin(item_id: str, seed: int) -> int:
    """Return 0 or 1, by the id of an item and a seed."""
    return sha256(f"{seed}\0{item_id}".encode()).digest()[0] & 1


@dataclass(frozen=True, slots=True)
class Score:
    """How often association is right."""

    items: int
    with_terms: int  # items that have terms
    decided: int  # items that PMI decides
    right_decided: int  # items that PMI decides rightly

    @property
    def coverage(self) -> float | None:
        """The share of decided items in all items."""
        return self.decided / self.items if self.items else None

    @property
    def precision(self) -> float | None:
        """The share of right answers among decided items."""
        return self.right_decided / self.decided if self.decided else None

    @property
    def accuracy(self) -> float | None:
        """The share of right answers among all items that is expected if coins answer those that PMI does not decide (LREC 2020, 4.3)."""
        return (self.right_decided + (self.items - self.decided) / 2) / self.items if self.items else None

    @property
    def term_coverage(self) -> float | None:
        """The share of items that have terms."""
        return self.with_terms / self.items if self.items else None


def score(decisions: Mapping[str, Decision], answers: Mapping[str, int]) -> Score:
    """Score the decisions over all items.

    Args:
        decisions: the decision on each item that has terms, by id.
        answers: the right answer of each item, by id.
    """
    decided = [item_id for item_id in answers if item_id in decisions and decisions[item_id].decided]
    return Score(
        items=len(answers),
        with_terms=sum(item_id in decisions for item_id in answers),
        decided=len(decided),
        right_decided=sum(decisions[item_id].choice == answers[item_id] for item_id in decided),
    )


def expected_right(item_id: str, answer: int, decisions: Mapping[str, Decision]) -> float:
    """Return how often an item is answered rightly: 1 or 0 if PMI decides it, 0.5 if a coin does."""
    decision = decisions.get(item_id)
    return float(decision.choice == answer) if decision and decision.decided else 0.5


# --- items -------------------------------------------------------------------------------------------------------------


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
    with errors_at(path, 1):
        return convert(from_json(read_text(path)), AnswerOptions)


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
        with errors_at(path, line):
            if "pmi" in row and "candidates" not in row:
                found = convert({"pmi": row["pmi"]}, _Analysis).pmi
            else:
                found = convert({key: row[key] for key in ("candidates", "reference") if key in row}, _Terms)
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
