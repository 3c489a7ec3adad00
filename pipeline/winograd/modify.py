"""Apply the modifications made by hand to a whole collection."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import PipelineError
from ..core.model import ExclusionClass, Item, Rejected
from ..language.parsing.lock import Lock, tree_of
from .modifications import AppliedModification, Modification, difference, marked, modify_item

if TYPE_CHECKING:
    from .exclusion.ruleset import RuleSet


#: What a modification can mend: the place of the target, and with it the loss of its pair-mate.
MENDABLE: tuple[ExclusionClass, ...] = ("ba-object", "prenominal-possessor", "direct-object", "other", "pair-mate")


@dataclass(frozen=True, slots=True)
class Modified:
    """The collection to convert, in the order of the ids, and what was changed in it."""

    items: tuple[Item, ...]
    ledger: tuple[AppliedModification, ...]

    @property
    def rescued(self) -> int:
        """The number of items that the rules had rejected."""
        return sum(applied.exclusion is not None for applied in self.ledger)


def modify(
    kept: Iterable[Item], rejected: Iterable[Rejected], modifications: Iterable[Modification], path: Path
) -> Modified:
    """Return the kept items and those rescued, modified.

    Args:
        kept: what the rules keep.
        rejected: what they reject.
        modifications: at most one for each item.
        path: the file of the modifications, for messages.

    Raises:
        PipelineError: a modification does not fit its item, its item cannot be mended, it rescues half a pair, or the
            members of its pair differ in more than before.
    """
    items = {item.id: item for item in kept}
    fallen = {entry.record.id: entry for entry in rejected}
    ledger: dict[str, AppliedModification] = {}
    originals = dict(items)
    for modification in modifications:
        original, exclusion = _original(modification, items, fallen, path)
        try:
            item = modify_item(original, modification)
        except ValueError as error:
            raise PipelineError(path, modification.line, str(error)) from error
        originals[item.id] = original
        items[item.id] = item
        ledger[item.id] = AppliedModification(
            modification, original.text, original.target, item.text, item.target, exclusion
        )
    for applied in ledger.values():
        _whole(applied, items, fallen, path)
        _minimal(applied, items, originals, path)
    return Modified(tuple(items[key] for key in sorted(items)), tuple(ledger[key] for key in sorted(ledger)))


def _original(
    modification: Modification, kept: dict[str, Item], fallen: dict[str, Rejected], path: Path
) -> tuple[Item, ExclusionClass | None]:
    if modification.id in kept:
        return kept[modification.id], None
    if modification.id not in fallen:
        reason = f"[id] the modification no longer applies; found no item {modification.id!r}"
        raise PipelineError(path, modification.line, reason)
    record, exclusion = fallen[modification.id].record, fallen[modification.id].exclusion
    if exclusion not in MENDABLE or record.target is None or record.answer is None:
        reason = f"[id] nothing to mend; found {modification.id} rejected as {exclusion}"
        raise PipelineError(path, modification.line, f"{reason}, expected one of {', '.join(MENDABLE)}")
    return Item(**{field.name: getattr(record, field.name) for field in fields(record)}), exclusion


def _whole(applied: AppliedModification, items: dict[str, Item], fallen: dict[str, Rejected], path: Path) -> None:
    """Refuse a rescue that leaves another member of the pair behind."""
    schema = items[applied.modification.id].schema
    for name in sorted(fallen):
        if applied.exclusion is not None and fallen[name].record.schema == schema and name not in items:
            reason = f"[id] rescues half a pair; found no modification of {name}, rejected as {fallen[name].exclusion}"
            raise PipelineError(path, applied.modification.line, reason)


def _minimal(applied: AppliedModification, items: dict[str, Item], originals: dict[str, Item], path: Path) -> None:
    """Refuse a pair whose members differ in more than they did before they were modified."""
    item = items[applied.modification.id]
    for mate in items.values():
        if mate.schema != item.schema or mate.id == item.id:
            continue
        before = difference(*(marked(it.text, it.target) for it in (originals[item.id], originals[mate.id])))
        after = difference(*(marked(it.text, it.target) for it in (item, mate)))
        if max(after) == 0:
            raise PipelineError(path, applied.modification.line, f"[{item.id}] the same text as {mate.id} now")
        if max(after) > max(before):
            reason = (
                f"[{item.id}] no minimal pair with {mate.id} any more; found a difference of {max(after)} characters"
            )
            raise PipelineError(path, applied.modification.line, f"{reason}, expected at most {max(before)}, as before")


def judge(result: Modified, locks: Sequence[Lock], rules: "RuleSet", path: Path) -> None:
    """Refuse a modified item that the rules still reject, by the tree of the parser that decides.

    A target that the modification leaves out already needs no judgement: its author vouches for it.
    """
    by_id = {item.id: item for item in result.items}
    for applied in result.ledger:
        item = by_id[applied.modification.id]
        if item.already_zero:
            continue
        tree, index = tree_of(item, locks[0])
        for firing in rules.judge(tree, index):
            reason = f"[{item.id}] the modified target licenses no zero; found {firing.rule.id} in {item.text!r}"
            raise PipelineError(path, applied.modification.line, reason)
