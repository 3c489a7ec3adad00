"""Rows of the association baseline, each with what the rows of its file have in common."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median_low
from typing import Any

from ...core.validation.rows import list_of, records, text_of
from ...core.validation.suite import Check, Row, Value, described

#: How far, in bits, numbers may be apart that are the same but for rounding.
ROUNDING = 1e-6
#: No PMI of anything that can be counted is as far from 0, in bits.
_FAR = 1e6


@dataclass(frozen=True, slots=True)
class Association:
    """A candidate's term and the reference: the windows with each of them and with both."""

    terms: tuple[str, str]
    single: int
    reference: int
    joint: int

    @property
    def undefined(self) -> bool:
        """Whether there is no PMI, since one of the two never occurs."""
        return not self.single or not self.reference

    @property
    def never_meet(self) -> bool:
        """Whether the PMI is minus infinity."""
        return not self.undefined and not self.joint

    def log_windows(self, pmi: float | None) -> float | None:
        """Return log2 of the windows that give this finite PMI: it is log2(joint · W / (single · reference))."""
        if self.undefined or not self.joint or pmi is None or math.isinf(pmi):
            return None
        return pmi + math.log2(self.single) + math.log2(self.reference) - math.log2(self.joint)

    def counts(self) -> dict[tuple[str, ...], int]:
        """Return the counts by their terms."""
        candidate, reference = self.terms
        both = tuple(sorted(self.terms))
        return {(candidate,): self.single, (reference,): self.reference, both: self.joint}


def associated(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item: beside its fields its ``keys``, and of the ``file`` what its rows have in common.

    That is ``log_windows``, log2 of all windows by the median of the PMIs; ``least``, the least difference that decided;
    ``counts``, for each candidate those of its term, of the reference and of both in most rows.
    """
    return [row for path in paths for row in _of_file(records([path]))]


def _of_file(rows: Sequence[Row]) -> list[Row]:
    pairs = [(row, associations_of(row.value)) for row in rows]
    windows = [
        found
        for row, both in pairs
        for association, pmi in zip(both, pmis_of(row.value) or (None, None), strict=False)
        if (found := association.log_windows(pmi)) is not None
    ]
    decided = [abs(real(row.value.get("difference")) or 0.0) for row in rows if row.value.get("decided") is True]
    tallies: dict[tuple[str, ...], Counter[int]] = {}
    for _, both in pairs:
        for association in both:
            for terms, count in association.counts().items():
                tallies.setdefault(terms, Counter())[count] += 1
    common: dict[str, Any] = {
        "log_windows": median_low(windows) if windows else None,
        "least": min(filter(None, decided), default=None),
    }
    usual = {terms: tally.most_common(1)[0][0] for terms, tally in tallies.items()}
    return [
        replace(
            row,
            value={
                **row.value,
                "keys": list(row.value),
                "file": {**common, "counts": [[usual[terms] for terms in one.counts()] for one in both]},
            },
        )
        for row, both in pairs
    ]


def whole(found: object) -> bool:
    """Tell whether something is a count: a whole number from 0."""
    return type(found) is int and found >= 0


def counts_of(value: Value, field: str) -> list[int]:
    """Return a count for each candidate, or none where they are malformed."""
    found = value.get(field)
    return found if isinstance(found, list) and len(found) == 2 and all(map(whole, found)) else []


def associations_of(value: Value) -> list[Association]:
    """Return both candidates' associations, or none where the terms or the counts are malformed."""
    terms, reference, count = (
        list_of(value, "candidates", str),
        text_of(value, "reference"),
        value.get("reference_count"),
    )
    singles, joints = counts_of(value, "counts"), counts_of(value, "joint_counts")
    if len(terms) != 2 or not reference or not whole(count) or not singles or not joints:
        return []
    return [
        Association((term, reference), single, int(count or 0), joint)
        for term, single, joint in zip(terms, singles, joints, strict=True)
    ]


def real(found: object) -> float | None:
    """Return a number of bits, which may be the text ``inf`` or ``-inf``, or None of anything else."""
    if found in ("inf", "-inf"):
        return float(str(found))
    return float(found) if isinstance(found, int | float) and type(found) is not bool and abs(found) < _FAR else None


def pmis_of(value: Value) -> tuple[float | None, float | None] | None:
    """Return the two PMIs, undefined ones as None, or None where they are malformed."""
    found = value.get("pmi")
    if not isinstance(found, list) or len(found) != 2:
        return None
    one, other = (real(each) for each in found)
    malformed = any(
        each is not None and number in (None, math.inf) for each, number in zip(found, (one, other), strict=True)
    )
    return None if malformed else (one, other)


def is_index(found: object) -> bool:
    """Tell whether something is 0 or 1, the index of a candidate."""
    return type(found) is int and found in (0, 1)


def if_told(check: Check) -> Check:
    """Return the check for rows that have terms; one without them has nothing to check."""
    return described(check.__doc__ or "", lambda value: check(value) if "candidates" in value else "")
