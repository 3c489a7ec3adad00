"""The ledger of exclusion: the decision on each record, with the votes of the parsers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import write_jsonl
from ...core.model import ExclusionClass
from ...core.records import class_field, field_of, read_by_id, text_field, texts_field


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of the rules on one record.

    `exclusion` is None for a kept item. `votes` has the rules that matched the tree of each parser; `disputed` is true if the
    parsers lead to different decisions. `uncertain` has the words whose part of speech decides (see `margin.tipping_words`).
    `already_zero` marks an item whose source leaves the anaphor out, so that no rule decides, unless it is rejected for that.
    """

    id: str
    exclusion: ExclusionClass | None
    disputed: bool = False
    votes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    uncertain: tuple[str, ...] = ()
    already_zero: bool = False


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Return the JSON object of one line of the ledger."""
    return {
        "id": decision.id,
        "decision": "kept" if decision.exclusion is None else "rejected",
        "class": decision.exclusion,
        "disputed": decision.disputed,
        "votes": {parser: list(rules) for parser, rules in decision.votes.items()},
        "uncertain": list(decision.uncertain),
        **({"already_zero": True} if decision.already_zero else {}),
    }


def write_decisions(path: Path, decisions: Iterable[Decision]) -> None:
    """Write the ledger as JSON Lines, atomically."""
    write_jsonl(path, map(decision_to_json, decisions))


def read_decisions(path: Path) -> list[Decision]:
    """Return the decisions of a ledger in its order.

    Raises:
        PipelineError: a line is malformed, or an id occurs twice.
    """
    return list(read_by_id(path, "decision", decision_from_json, "decisions.jsonl, which exclude writes").values())


def decision_from_json(row: Mapping[str, Any]) -> Decision:
    """Return what `decision_to_json` was given; raises `ValueError` with the field that is malformed."""
    exclusion = class_field(row, "class")
    expected = "kept" if exclusion is None else "rejected"
    if text_field(row, "decision") != expected:
        reason = f"[decision] does not fit the class; found {shown(row['decision'])}, expected {expected!r}"
        raise ValueError(reason)
    votes = field_of(row, "votes", dict, "an object with a list of rules for each parser")
    disputed = field_of(row, "disputed", bool, "true or false")
    by_parser = {name: texts_field(votes, name) for name in votes}
    already_zero = "already_zero" in row and field_of(row, "already_zero", bool, "true or false")
    return Decision(text_field(row, "id"), exclusion, disputed, by_parser, texts_field(row, "uncertain"), already_zero)


def require_parsers(decisions: Iterable[Decision], parsers: Sequence[str], path: Path) -> None:
    """Refuse locks of other parsers than those that voted, or in another order, in which another one decides.

    Args:
        decisions: the decisions of a ledger.
        parsers: the parsers of the locks, the deciding one first.
        path: the file of the ledger, for the message.

    Raises:
        PipelineError: a decision has other votes.
    """
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
