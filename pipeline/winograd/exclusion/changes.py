"""What a change of the rules decides otherwise: two ledgers of decisions on the same records, compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...core.errors import PipelineError, plural, shown
from .ledger import Decision


@dataclass(frozen=True, slots=True)
class DecisionChange:
    """Two decisions on one record that differ in the class, or in the rules that match the tree of the deciding parser."""

    before: Decision
    after: Decision

    @property
    def id(self) -> str:
        """The id of the record."""
        return self.after.id

    @property
    def moves(self) -> bool:
        """Whether the class differs; otherwise the rules alone do."""
        return self.before.exclusion != self.after.exclusion

    @property
    def states(self) -> str:
        """Both classes, ``kept`` for none: ``kept → direct-object``."""
        before, after = (decision.exclusion or "kept" for decision in (self.before, self.after))
        return f"{before} → {after}" if self.moves else f"still {after}, by other rules"

    @property
    def rules(self) -> str:
        """The rules of both decisions: ``none → zh/direct-object``."""
        return " → ".join(" ".join(_rules(decision)) or "none" for decision in (self.before, self.after))


def _rules(decision: Decision) -> Sequence[str]:
    return next(iter(decision.votes.values()), ())


def decision_changes(old: Iterable[Decision], new: Iterable[Decision]) -> list[DecisionChange]:
    """Return the records that two ledgers decide otherwise, by id.

    Raises:
        PipelineError: a record is in one ledger only.
    """
    before, after = ({decision.id: decision for decision in ledger} for ledger in (old, new))
    if missing := sorted(before.keys() ^ after.keys()):
        where = "OLD" if missing[0] in before else "NEW"
        reason = f"decisions on different records; found {shown(missing[0])} in {where} only"
        raise PipelineError(None, None, f"[id] {reason}, expected the same records ({plural(len(missing), 'record')})")
    changes = [DecisionChange(before[record_id], after[record_id]) for record_id in sorted(before)]
    return [change for change in changes if change.moves or _rules(change.before) != _rules(change.after)]
