"""Find the decisions that a build would refuse, before they are written."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ...core.convert import to_object
from ...core.files import write_jsonl
from ...core.model import Item, Rejected
from ..validation.items import ITEMS
from ..validation.pairs import PAIRS
from .apply import adjudicate, is_unpaired, record_states, refusals
from .table import Adjudication


def refused_decisions(
    kept: Sequence[Item], rejected: Sequence[Rejected], rows: Iterable[Adjudication], own: Collection[str]
) -> dict[str, str]:
    """Return why a build would refuse decisions, by item.

    A build refuses a decision that does not apply, that leaves a pair which is no longer minimal, or after which a kept item or its
    pair fails an expectation that it met before. Where only both members of a pair can change, and the decision about
    one of them is missing, the other one's is refused.

    Args:
        kept: the kept items before people decide.
        rejected: the rejected records.
        rows: at most one decision for each item.
        own: the items whose decisions may be refused; rows of other items are applied with them.
    """
    before = record_states(kept, rejected)
    schemas = {name: state.record.schema for name, state in before.items()}
    by_item = {row.item: row for row in rows}
    known = {(name, check) for name, check, _ in _failures(kept)} if by_item else set()
    refused: dict[str, str] = {}
    while True:
        faults = refusals(before, by_item.values())
        if not faults:
            changed = adjudicate(kept, rejected, list(by_item.values()), None).kept
            new = [(name, check, reason) for name, check, reason in _failures(changed) if (name, check) not in known]
            faults = {name: f"[{check}] {reason}" for name, check, reason in reversed(new)}
        blamed = {row: reason for name, reason in faults.items() for row in _blamed(name, by_item, schemas, own)}
        if not blamed:
            return refused
        refused |= {name: reason for name, reason in blamed.items() if name in own}
        by_item = {name: row for name, row in by_item.items() if name not in blamed}


def unpaired(
    kept: Sequence[Item], rejected: Sequence[Rejected], rows: Iterable[Adjudication], own: Collection[str]
) -> list[str]:
    """Return the relabelled items that leave with their pairs, because the other member keeps the same answer; see `refused_decisions`."""
    by_item = {row.item: row for row in rows}
    faults = refusals(record_states(kept, rejected), by_item.values())
    ledger = adjudicate(kept, rejected, [row for name, row in by_item.items() if name not in faults], None).ledger
    return [change.id for change in ledger if change.id in own and is_unpaired(change)]


def _blamed(name: str, rows: Mapping[str, Adjudication], schemas: Mapping[str, str], own: Collection[str]) -> list[str]:
    """Return the items whose decisions are at fault: the named one, or those of its schema, or of the named schema."""
    if name in rows and name in own:
        return [name]
    schema = schemas.get(name, name)
    return [item for item in rows if schemas.get(item) == schema and item in own] or [
        item for item in rows if item == name
    ]


def _failures(items: Sequence[Item]) -> Iterator[tuple[str, str, str]]:
    """Yield the item or schema, the expectation and the reason, where kept items do not meet one."""
    if not items:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "adjudicated.jsonl"
        write_jsonl(path, map(to_object, items))
        for suite in (ITEMS, PAIRS):
            for failure in suite.check([path]).failures:
                yield failure.row.id, f"{suite.name}/{failure.check}", failure.reason
