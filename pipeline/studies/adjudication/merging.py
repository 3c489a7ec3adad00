"""What a study decided put beside what was decided before."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...winograd.adjudication.table import Adjudication
from .outcomes import Open


@dataclass(frozen=True, slots=True)
class Merged:
    """The rows of the table as they are now, what another study had decided otherwise, and how many rows came and went."""

    rows: tuple[Adjudication, ...]
    conflicts: tuple[Open, ...]
    added: int
    changed: int
    withdrawn: int


def merged(rows: Sequence[Adjudication], study: str, decided: Sequence[Adjudication]) -> Merged:
    """Return the rows with those of a study replaced by what it decides now; another study's row is never overwritten."""
    others = {row.item: row for row in rows if row.study != study}
    own = {row.item: row for row in rows if row.study == study}
    new = {row.item: row for row in decided if row.item not in others}
    conflicts = [
        Open(
            row.item,
            f"{row.study} decides {row.action}, {others[row.item].study} {others[row.item].action}; remove one row",
        )
        for row in decided
        if row.item in others and _what(row) != _what(others[row.item])
    ]
    return Merged(
        tuple(sorted((*others.values(), *new.values()), key=lambda row: row.item)),
        tuple(conflicts),
        added=len(new.keys() - own.keys()),
        changed=sum(new[item] != own[item] for item in new.keys() & own.keys()),
        withdrawn=len(own.keys() - new.keys()),
    )


def _what(row: Adjudication) -> tuple[str, ...]:
    return (row.action, row.value, row.state, row.text, row.answer)
