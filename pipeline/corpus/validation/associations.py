"""Answers by word association, each with what the answers of its file have in common."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median_low
from typing import Any

from ...core.validation.rows import list_of, records, text_of
from ...core.validation.suite import Check, Row, Value, described

#: Maximum distance in bits of numbers that are the same but for rounding.
ROUNDING = 1e-6
#: No PMI of anything that can be counted is as far from 0, in bits.
_FAR = 1e6


@dataclass(frozen=True, slots=True)
class Association:
    """The term of a candidate and the reference: the windows that hold each of them, and both."""

    terms: tuple[str, str]
    single: int
    reference: int
    joint: int

    @property
    def undefined(self) -> bool:
        """Whether there is no PMI, because one of the two never occurs."""
        return not self.single or not self.reference

    @property
    def never_meet(self) -> bool:
        """Whether the PMI is minus infinity, because the two never share a window."""
        return not self.undefined and not self.joint

    def log_windows(self, pmi: float | None) -> float | None:
        """Return log2 of the number of windows that gives this PMI, log2(joint · W / (single · reference)); None if it is not finite."""
        if self.undefined or not self.joint or pmi is None or math.isinf(pmi):
            return None
        return pmi + math.log2(self.single) + math.log2(self.reference) - math.log2(self.joint)

    def counts(self) -> dict[tuple[str, ...], int]:
        """Return the counts by their terms."""
        candidate, reference = self.terms
        both = tuple(sorted(self.terms))
        return {(candidate,): self.single, (reference,): self.reference, both: self.joint}


def read_answers(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item, with its fields, their ``keys``, and the ``file``: what its rows have in common.

    That is ``log_windows``, log2 of all windows, as the median of the PMIs has it; ``least``, the least difference that decided;
    ``counts``, for each candidate those of its term, of the reference and of both in most rows; whether the file is one of
    ``pairs`` and whether their ``answers_differ``; the ``letters`` of the members of its schema, and the first of them as ``mate``.
    """
    return [row for path in paths for row in _with_file(records([path]))]


def _with_file(rows: Sequence[Row]) -> list[Row]:
    pairs = [(row, associations_of(row.value)) for row in rows]
    windows = [
        log_windows
        for row, associations in pairs
        for association, pmi in zip(associations, pmis_of(row.value) or (None, None), strict=False)
        if (log_windows := association.log_windows(pmi)) is not None
    ]
    decided = [abs(bits_of(row.value.get("difference")) or 0.0) for row in rows if row.value.get("decided") is True]
    tallies: dict[tuple[str, ...], Counter[int]] = {}
    for _, associations in pairs:
        for association in associations:
            for terms, count in association.counts().items():
                tallies.setdefault(terms, Counter())[count] += 1
    usual = {terms: tally.most_common(1)[0][0] for terms, tally in tallies.items()}
    common: dict[str, Any] = {
        "log_windows": median_low(windows) if windows else None,
        "least": min(filter(None, decided), default=None),
    }

    common |= _pairs(list(_schemas(rows).values()))
    schemas = {id(row): members for members in _schemas(rows).values() for row in members}

    def extended(row: Row, associations: list[Association]) -> Row:
        counts = [[usual[terms] for terms in association.counts()] for association in associations]
        members = schemas[id(row)]
        facts = {**common, "counts": counts, "letters": _letters(members), "mate": members[0].value}
        return replace(row, value={**row.value, "keys": list(row.value), "file": facts})

    return [extended(row, associations) for row, associations in pairs]


def _schemas(rows: Sequence[Row]) -> dict[tuple[str, int], list[Row]]:
    """Return the rows of each schema that follow each other; those of a schema that are apart are in several lists."""
    schemas: dict[tuple[str, int], list[Row]] = {}
    runs, last = 0, ""
    for row in rows:
        schema = row.id.rpartition("-")[0]
        runs, last = runs + (schema != last), schema
        schemas.setdefault((schema, runs), []).append(row)
    return schemas


def _letters(members: Sequence[Row]) -> str:
    return "".join(row.id.rpartition("-")[2] for row in members)


def _pairs(schemas: Sequence[Sequence[Row]]) -> dict[str, bool]:
    """Return whether a file is one of pairs, whose answers differ: all of its schemas but a few, which are damaged."""
    pairs = [members for members in schemas if _letters(members) == "ab"]
    different = [first for first, second in pairs if first.value.get("answer") != second.value.get("answer")]
    few = max(4, len(schemas) // 50)
    return {
        "pairs": len(schemas) > 2 * few and len(schemas) - len(pairs) <= few,
        "answers_differ": len(pairs) - len(different) <= few,
    }


def is_count(value: object) -> bool:
    """Return whether something is a whole number from 0."""
    return type(value) is int and value >= 0


def is_index(value: object) -> bool:
    """Return whether something is 0 or 1, the index of a candidate."""
    return type(value) is int and value in (0, 1)


def counts_of(value: Value, field: str) -> list[int]:
    """Return a count for each candidate; none if they are malformed."""
    counts = value.get(field)
    return counts if isinstance(counts, list) and len(counts) == 2 and all(map(is_count, counts)) else []


def associations_of(value: Value) -> list[Association]:
    """Return the associations of both candidates; none if the terms or the counts are malformed."""
    terms, reference, count = (
        list_of(value, "candidates", str),
        text_of(value, "reference"),
        value.get("reference_count"),
    )
    singles, joints = counts_of(value, "counts"), counts_of(value, "joint_counts")
    if len(terms) != 2 or not reference or not is_count(count) or not singles or not joints:
        return []
    return [
        Association((term, reference), single, int(count or 0), joint)
        for term, single, joint in zip(terms, singles, joints, strict=True)
    ]


def bits_of(value: object) -> float | None:
    """Return a number of bits, which may be the text ``inf`` or ``-inf``; None for anything else."""
    if value in ("inf", "-inf"):
        return float(str(value))
    return float(value) if isinstance(value, int | float) and type(value) is not bool and abs(value) < _FAR else None


def pmis_of(value: Value) -> tuple[float | None, float | None] | None:
    """Return the two PMIs, undefined ones as None; None if they are malformed."""
    pmis = value.get("pmi")
    if not isinstance(pmis, list) or len(pmis) != 2:
        return None
    first, second = map(bits_of, pmis)
    malformed = any(
        pmi is not None and bits in (None, math.inf) for pmi, bits in zip(pmis, (first, second), strict=True)
    )
    return None if malformed else (first, second)


def if_terms(check: Check) -> Check:
    """Return the check for rows that have terms; a row without them passes."""
    return described(check.__doc__ or "", lambda value: check(value) if "candidates" in value else "")
