"""Apply the modifications made by hand to a whole collection."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import PipelineError
from ..core.model import ExclusionClass, Item, Rejected, item_of
from ..language.parsing.lock import Lock, tree_of
from .modifications import AppliedModification, Modification, modify_item
from .pairs import minimal_pair_fault

if TYPE_CHECKING:
    from .exclusion.ruleset import RuleSet


#: The classes that a modification can mend: they concern the place of the target, or the loss of the pair-mate.
MENDABLE: tuple[ExclusionClass, ...] = ("ba-object", "prenominal-possessor", "direct-object", "other", "pair-mate")


@dataclass(frozen=True, slots=True)
class Modified:
    """A collection after its modifications: every record is kept or rejected, `ledger` has what changed."""

    kept: tuple[Item, ...]
    rejected: tuple[Rejected, ...]
    ledger: tuple[AppliedModification, ...]

    @property
    def rescued(self) -> int:
        """The number of items that the rules had rejected."""
        return sum(applied.exclusion is not None for applied in self.ledger)


def modify(
    kept: Sequence[Item], rejected: Sequence[Rejected], modifications: Iterable[Modification], path: Path | None
) -> Modified:
    """Modify kept items, and rescue rejected ones by modifying them.

    Args:
        kept: the items that the rules keep.
        rejected: the records that the rules reject.
        modifications: at most one for each item.
        path: the file of the modifications, for messages; None if there is none.

    Returns:
        The kept items in their order, rescued ones inserted by id; the records still rejected in their order; the ledger by id.

    Raises:
        PipelineError: a modification does not fit its item, its item cannot be mended, it rescues half a pair, or the
            members of its pair differ in more than before.
    """
    before = {item.id: item for item in kept}
    reasons = {entry.record.id: entry for entry in rejected}
    after = dict(before)
    ledger: dict[str, AppliedModification] = {}
    for modification in modifications:
        original, exclusion = _original(modification, before, reasons, path)
        try:
            item = modify_item(original, modification)
        except ValueError as error:
            raise modification.fault(path, error) from error
        before[item.id], after[item.id] = original, item
        ledger[item.id] = AppliedModification(
            modification, original.text, original.target, item.text, item.target, exclusion
        )
    for applied in ledger.values():
        _require_whole(applied, after, rejected, path)
        _require_minimal(applied, before, after, path)
    rescued = sorted(after.keys() & reasons.keys())
    return Modified(
        tuple(merge((after[item.id] for item in kept), (after[name] for name in rescued), key=lambda item: item.id)),
        tuple(entry for entry in rejected if entry.record.id not in after),
        tuple(ledger[name] for name in sorted(ledger)),
    )


def _original(
    modification: Modification, kept: Mapping[str, Item], rejected: Mapping[str, Rejected], path: Path | None
) -> tuple[Item, ExclusionClass | None]:
    """Return the item to modify, and the class under which it was rejected, if it was."""
    if modification.id in kept:
        return kept[modification.id], None
    if modification.id not in rejected:
        reason = f"[id] the modification no longer applies; found no item {modification.id!r}"
        raise PipelineError(path, modification.line, reason)
    entry = rejected[modification.id]
    item = item_of(entry.record)
    if entry.exclusion not in MENDABLE or item is None:
        reason = f"[id] nothing to mend; found {modification.id} rejected as {entry.exclusion}"
        raise PipelineError(path, modification.line, f"{reason}, expected one of {', '.join(MENDABLE)}")
    return item, entry.exclusion


def _require_whole(
    applied: AppliedModification, after: Mapping[str, Item], rejected: Iterable[Rejected], path: Path | None
) -> None:
    """Refuse a rescue that leaves another member of the pair rejected."""
    schema = after[applied.modification.id].schema
    left = sorted(
        (entry for entry in rejected if entry.record.schema == schema and entry.record.id not in after),
        key=lambda entry: entry.record.id,
    )
    if applied.exclusion is not None and left:
        reason = f"found no modification of {left[0].record.id}, rejected as {left[0].exclusion}"
        raise PipelineError(
            path, applied.modification.line, f"[id] rescues half a pair; {reason}, expected one for it too"
        )


def _require_minimal(
    applied: AppliedModification, before: Mapping[str, Item], after: Mapping[str, Item], path: Path | None
) -> None:
    """Refuse a pair whose members differ in more than before they were modified, or in nothing."""
    item = after[applied.modification.id]
    for mate in after.values():
        if mate.schema == item.schema and mate.id != item.id:
            fault = minimal_pair_fault(item, mate, before[item.id], before[mate.id])
            if fault:
                raise PipelineError(path, applied.modification.line, f"[{item.id}] {fault}")


def judge(result: Modified, locks: Sequence[Lock], rules: "RuleSet", path: Path | None) -> None:
    """Refuse a modified item that the rules still reject, by the tree of the deciding parser.

    A modification that leaves the target out needs no tree: its author vouches for the zero.
    """
    by_id = {item.id: item for item in result.kept}
    for applied in result.ledger:
        item = by_id[applied.modification.id]
        if item.already_zero:
            continue
        tree, index = tree_of(item, locks[0])
        for match in rules.judge(tree, index):
            reason = f"[{item.id}] the modified target licenses no zero; found {match.rule.id} in {item.text!r}"
            raise PipelineError(path, applied.modification.line, reason)
