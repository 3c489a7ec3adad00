"""The ledger of exclusion: the decision on each record, with the votes of the parsers; and what two ledgers decide otherwise."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...core.convert import convert, read_by_id, to_object
from ...core.errors import PipelineError, plural, shown
from ...core.files import write_jsonl
from ...core.model import ExclusionClass


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of the rules on one record.

    `exclusion` is None for a kept item. `votes` has the rules that matched the tree of each parser; `disputed` is true if the
    parsers lead to different decisions. `uncertain` has the words whose part of speech decides (see `RuleSet.tipping_words`).
    `already_zero` marks an item whose source leaves the anaphor out, so that no rule decides, unless it is rejected for that.
    """

    id: str
    exclusion: ExclusionClass | None
    disputed: bool = False
    votes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    uncertain: tuple[str, ...] = ()
    already_zero: bool = False


class _Line(msgspec.Struct, frozen=True, omit_defaults=True, rename={"exclusion": "class"}):
    id: str
    decision: Literal["kept", "rejected"]
    exclusion: ExclusionClass | None
    disputed: bool
    votes: Mapping[str, tuple[str, ...]]
    uncertain: tuple[str, ...]
    already_zero: bool = False

    def __post_init__(self) -> None:
        if self.decision != _state(self.exclusion):
            expected = shown(_state(self.exclusion))
            raise ValueError(f"[decision] does not fit the class; found {shown(self.decision)}, expected {expected}")


def _state(exclusion: ExclusionClass | None) -> Literal["kept", "rejected"]:
    return "kept" if exclusion is None else "rejected"


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Return the JSON object of one line of the ledger."""
    values = {entry.name: getattr(decision, entry.name) for entry in fields(Decision)}
    return dict(to_object(_Line(**values, decision=_state(decision.exclusion))))


def write_decisions(path: Path, decisions: Iterable[Decision]) -> None:
    """Write the ledger as JSON Lines, atomically."""
    write_jsonl(path, map(decision_to_json, decisions))


def read_decisions(path: Path) -> list[Decision]:
    """Return the decisions of a ledger in its order."""
    lines = read_by_id(path, _Line, "decisions.jsonl, which exclude writes")
    return [_decision(line) for line in lines.values()]


def decision_from_json(row: Mapping[str, Any]) -> Decision:
    """Return what `decision_to_json` was given; raises `ValueError` with the field that is malformed."""
    return _decision(convert(row, _Line))


def _decision(line: _Line) -> Decision:
    return Decision(**{entry.name: getattr(line, entry.name) for entry in fields(Decision)})


def require_parsers(decisions: Iterable[Decision], parsers: Sequence[str], path: Path) -> None:
    """Refuse locks of other parsers than those that voted, or in another order, in which another one decides."""
    for decision in decisions:
        if decision.votes and list(decision.votes) != list(parsers):
            reason = f"[parses] other locks than the decisions were made with; found {', '.join(parsers)}"
            reason += f", expected {', '.join(decision.votes)}, in this order, as for {decision.id}"
            raise PipelineError(path, None, f"{reason}; give these locks, or run winoforge exclude with yours")


def count_disputed(decisions: Iterable[Decision], parsers: int) -> int | None:
    """Return how many decisions are disputed; None with fewer than two parsers, which cannot disagree."""
    return sum(decision.disputed for decision in decisions) if parsers > 1 else None


def disputed_line(count: int | None) -> str:
    """Return the number of disputed decisions as it is reported.

    >>> disputed_line(0), disputed_line(None)
    ('0 disputed', 'disputed: n/a (one parser)')
    """
    return "disputed: n/a (one parser)" if count is None else f"{count} disputed"


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
