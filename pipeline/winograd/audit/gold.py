"""Score the decisions of the rules against a gold: the decisions of careful readers, or the roles that authors give."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import require_unique
from ...core.model import CLASSES, Record, Span
from ...core.tables import read_table
from ..analysis import KEEP, Analysis, AnalysisTable
from ..exclusion.ledger import Decision

#: The rows and columns of the matrix. The zero of a pair-mate is licensed: it counts as kept, in the gold too.
LABELS: tuple[str, ...] = (KEEP, *(name for name in CLASSES if name != "pair-mate"))

_OFFSET = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Gold:
    """The right decision on a record, with its target and the target's role if the gold has them."""

    label: str
    target: Span | None
    role: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One scored record; `target_right` is None if the gold has no target."""

    id: str
    gold: str
    decided: str
    target_right: bool | None
    role: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """All verdicts, and the number of records without a gold: they are neither right nor wrong."""

    verdicts: tuple[Verdict, ...]
    unscored: int

    @property
    def matrix(self) -> Counter[tuple[str, str]]:
        """The number of records by (gold, decided)."""
        return Counter((verdict.gold, verdict.decided) for verdict in self.verdicts)

    @property
    def by_role(self) -> Counter[tuple[str, str]]:
        """The number of records by (role of the target, decided), if their gold has a role."""
        return Counter((verdict.role, verdict.decided) for verdict in self.verdicts if verdict.role)

    @property
    def decisions_right(self) -> int:
        """The number of records rightly kept or rightly rejected, under any class."""
        return sum((verdict.gold == KEEP) == (verdict.decided == KEEP) for verdict in self.verdicts)

    @property
    def classes_right(self) -> int:
        """The number of records with the right class."""
        return sum(verdict.gold == verdict.decided for verdict in self.verdicts)

    @property
    def targets(self) -> int:
        """The number of records whose gold has a target."""
        return sum(verdict.target_right is not None for verdict in self.verdicts)

    @property
    def targets_right(self) -> int:
        """The number of records whose target is the gold's."""
        return sum(verdict.target_right is True for verdict in self.verdicts)

    @property
    def disagreements(self) -> list[Verdict]:
        """The verdicts whose class or target is wrong."""
        return [
            verdict for verdict in self.verdicts if verdict.gold != verdict.decided or verdict.target_right is False
        ]


def share(part: int, whole: int) -> str:
    """Return a share in words; a share of nothing is undefined.

    >>> share(1, 3), share(0, 0)
    ('1 of 3 (33.3 %)', 'n/a')
    """
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "n/a"


def read_gold(*paths: Path) -> dict[str, Gold]:
    """Return the gold by record id, from tables with the columns id, class, start, end (both may be empty).

    A row of a later table replaces that of an earlier one with the same id.

    Raises:
        PipelineError: an id is repeated in a table, a class is unknown, or start and end are no span.
    """
    gold: dict[str, Gold] = {}
    for path in paths:
        lines: dict[str, int | None] = {}
        for line, row in read_table(path, ("id", "class", "start", "end")):
            require_unique(lines, row["id"], path, line)
            if row["class"] not in (KEEP, *CLASSES):
                reason = f"[class] unknown class; found {row['class']!r}, expected one of {', '.join((KEEP, *CLASSES))}"
                raise PipelineError(path, line, reason)
            gold[row["id"]] = Gold(_label(row["class"]), _target(row["start"], row["end"], path, line))
    return gold


def gold_of(analyses: Iterable[Analysis], table: AnalysisTable) -> dict[str, Gold]:
    """Return the gold by record id that follows from the authors' roles; an item has none without a role, or without a table.

    Raises:
        PipelineError: an unknown role.
    """
    if not table.expected:
        return {}
    gold = {}
    for analysis in analyses:
        if analysis.role and analysis.role not in table.expected:
            reason = f"[role] unknown role of {analysis.id}; found {shown(analysis.role)}"
            expected = f"expected one of {', '.join(table.expected)}: correct the source, then run winoforge ingest"
            raise PipelineError(None, None, f"{reason}, {expected}")
        if analysis.role:
            gold[analysis.id] = Gold(table.expected[analysis.role] or KEEP, None, analysis.role)
    return gold


def _target(start: str, end: str, path: Path, line: int) -> Span | None:
    if not start and not end:
        return None
    if not (_OFFSET.fullmatch(start) and _OFFSET.fullmatch(end) and int(start) <= int(end)):
        reason = f"[start] not a span; found {shown(start)} and {shown(end)}, expected offsets in order, or nothing"
        raise PipelineError(path, line, reason)
    return Span(int(start), int(end))


def _label(exclusion: str | None) -> str:
    return KEEP if exclusion in (None, "pair-mate") else str(exclusion)


def score(gold: Mapping[str, Gold], records: Iterable[Record], decisions: Mapping[str, Decision]) -> Score:
    """Score the records that have a gold, in their order.

    A pair-mate counts as kept: no rule matched its tree.

    Raises:
        PipelineError: the gold names an unknown record.
    """
    verdicts = []
    unscored = 0
    missing = dict(gold)
    for record in records:
        expected = missing.pop(record.id, None)
        if expected is None:
            unscored += 1
            continue
        right = None if expected.target is None else record.target == expected.target
        decision = decisions[record.id]
        decided = "already-zero" if decision.already_zero else _label(decision.exclusion)
        verdicts.append(Verdict(record.id, expected.label, decided, right, expected.role))
    if missing:
        reason = f"[gold] unknown record; found {shown(min(missing))}, expected the id of a record of this collection"
        raise PipelineError(None, None, f"{reason} ({len(missing)} of {len(gold)} unknown)")
    return Score(tuple(verdicts), unscored)


def confusion_rows(result: Score) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the matrix as a table: gold classes as rows, decisions as columns, with totals."""
    matrix = result.matrix
    counts = {gold: [matrix[gold, decided] for decided in LABELS] for gold in LABELS}
    counts["total"] = [sum(column) for column in zip(*counts.values(), strict=True)]
    rows = [[name, *map(str, row), str(sum(row))] for name, row in counts.items()]
    return ["gold", *LABELS, "total"], rows
