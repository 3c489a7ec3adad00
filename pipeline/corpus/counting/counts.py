"""The counts of a corpus, and their file (JSON Lines)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text, write_jsonl
from ...core.hints import shown_kind


@dataclass(slots=True)
class Counts:
    """Numbers of windows of a corpus."""

    windows: int = 0
    terms: Counter[str] = field(default_factory=Counter)  # the windows that hold a term
    #: The windows that hold both terms of a pair; the terms of a pair are sorted.
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    estimated: bool = False  # whether `windows` is an estimate; the other numbers never are

    def add(self, other: "Counts") -> None:
        """Add the counts of other documents."""
        self.windows += other.windows
        self.terms.update(other.terms)
        self.pairs.update(other.pairs)
        self.estimated |= other.estimated

    def joint(self, first: str, second: str) -> int:
        """Return the number of windows that hold both terms; for a term with itself, those that hold it."""
        if first == second:
            return self.terms[first]
        low, high = sorted((first, second))
        return self.pairs[low, high]


def counts_to_rows(counts: Counts) -> list[dict[str, Any]]:
    """Return the rows of a counts file: ``{"windows": W}``, then each term and each pair that occurs, sorted.

    If W is an estimate, its row has ``"estimated": true``.
    """
    rows: list[dict[str, Any]] = [{"windows": counts.windows} | ({"estimated": True} if counts.estimated else {})]
    rows += [{"terms": [term], "count": count} for term, count in sorted(counts.terms.items()) if count]
    rows += [{"terms": list(pair), "count": count} for pair, count in sorted(counts.pairs.items()) if count]
    return rows


def write_counts(path: Path, counts: Counts) -> None:
    """Write counts, atomically."""
    write_jsonl(path, counts_to_rows(counts))


def read_counts(path: Path) -> Counts:
    """Read the counts of a file.

    Raises:
        PipelineError: a line is neither the windows nor one or two terms with their count, something is given twice, or a count
            is greater than that of all windows, or that of a pair greater than that of one of its terms.
    """
    return counts_from_rows(parse_jsonl(read_text(path), path), path)


def counts_from_rows(rows: Iterable[tuple[int, Mapping[str, Any]]], path: Path) -> Counts:
    """Return the counts of numbered rows; errors name `path`, see `read_counts`."""
    counts = Counts()
    seen: dict[tuple[str, ...], int] = {}
    greatest = line_of_greatest = 0
    for line, row in rows:
        terms, count = row.get("terms", []), row.get("count", row.get("windows"))
        if type(count) is not int or count < 0 or ("windows" in row) == ("terms" in row):
            reason = f"no count; found {shown_kind(row)}, expected windows, or terms with their count, as corpus count writes them"
            raise PipelineError(path, line, f"[count] {reason}")
        if not isinstance(terms, list) or len(terms) > 2 or not all(isinstance(term, str) for term in terms):
            raise PipelineError(path, line, f"[terms] no terms; found {terms!r}, expected one or two terms")
        key = tuple(sorted(terms))
        if key in seen:
            raise PipelineError(
                path, line, f"[terms] given twice; found {terms!r} in line {seen[key]} too, expected it once"
            )
        seen[key] = line
        if not key:
            counts.windows, counts.estimated = count, row.get("estimated", False) is True
            continue
        if count > greatest:
            greatest, line_of_greatest = count, line
        if len(key) == 1:
            counts.terms[key[0]] = count
        else:
            counts.pairs[key[0], key[1]] = count
    if () not in seen:
        raise PipelineError(path, None, '[windows] missing; expected a line {"windows": …}')
    if greatest > counts.windows:
        reason = f"[count] more than all windows; found {greatest}, expected {counts.windows} or fewer"
        raise PipelineError(path, line_of_greatest, reason)
    _require_pairs_in_terms(counts, seen, path)
    return counts


def _require_pairs_in_terms(counts: Counts, lines: Mapping[tuple[str, ...], int], path: Path) -> None:
    """Refuse counts in which a pair is in more windows than one of its terms."""
    for pair, count in counts.pairs.items():
        for term in pair:
            if count > (most := counts.terms[term]):
                reason = f"pair in more windows than its term {shown(term)}; found {count}, expected {most} or fewer"
                raise PipelineError(path, lines[pair], f"[count] {reason}")
