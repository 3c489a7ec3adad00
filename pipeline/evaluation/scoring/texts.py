"""The texts that are scored: an item with each candidate in the target's place (Trinh and Le 2018)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.records import text_field
from ...winograd.forms.scoring import scoring
from ..items import ReleasedItem

#: The name of the form, and of its file in a release.
FORM = "scoring"


@dataclass(frozen=True, slots=True)
class ScoringItem:
    """An item as it is scored."""

    entry: ReleasedItem
    contexts: tuple[str, ...]  # the text up to the candidate and with it, for each candidate in the item's own order
    continuations: tuple[str, ...]  # what follows each of them
    partial: bool  # whether the continuation has a word, so that there is a partial score

    @property
    def texts(self) -> tuple[str, ...]:
        """The whole text for each candidate."""
        return tuple(map("".join, zip(self.contexts, self.continuations, strict=True)))


def scoring_items(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem]
) -> list[ScoringItem]:
    """Return the items that have texts to score, in the order of the release.

    Args:
        lines: line and row of the release's form `scoring`; if there is none, as for templates, the form is made here.

    Returns:
        the items; one without a row, of which the form cannot be made without guessing, is left out.

    Raises:
        PipelineError: a row is malformed or of no item of the release; or the rows of an item are not those of its candidates.
    """
    by_id = {entry.item.id: entry for entry in items}
    rows: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for line, row in lines or enumerate(scoring(entry.item for entry in items).rows, 1):
        rows.setdefault(known_item(row, by_id, path, line), []).append((line, row))
    return [_scoring_item(entry, rows[name], path) for name, entry in by_id.items() if name in rows]


def _scoring_item(entry: ReleasedItem, rows: Sequence[tuple[int, Mapping[str, Any]]], path: Path) -> ScoringItem:
    contexts, continuations = dict[str, str](), set[str]()
    for line, row in rows:
        candidate, context, continuation = (
            text_of_line(row, name, path, line) for name in ("candidate", "context", "continuation")
        )
        if candidate not in entry.item.candidates or candidate in contexts or not context:
            expected = f"expected each of {shown(list(entry.item.candidates))} once, with a context"
            raise PipelineError(path, line, f"[candidate] wrong candidate; found {shown(candidate)}, {expected}")
        contexts[candidate] = context
        continuations.add(continuation)
        partial = row.get("partial")
    last = rows[-1][0]
    if len(contexts) < len(entry.item.candidates) or len(continuations) > 1:
        mismatch = f"found {len(contexts)} candidates and {len(continuations)} continuations of {entry.item.id}"
        expected = f"expected {len(entry.item.candidates)} and 1"
        raise PipelineError(path, last, f"[continuation] not one item; {mismatch}, {expected}")
    if not isinstance(partial, bool):
        raise PipelineError(path, last, f"[partial] wrong type; found {shown(partial)}, expected true or false")
    names = entry.item.candidates
    return ScoringItem(entry, tuple(contexts[name] for name in names), tuple(continuations) * len(names), partial)


def known_item(row: Mapping[str, Any], by_id: Mapping[str, ReleasedItem], path: Path, line: int) -> str:
    """Return the id of the item that a row is of; raises `PipelineError` if the release has no such item."""
    name = text_of_line(row, "item", path, line)
    if name not in by_id:
        reason = f"[item] unknown id; found {shown(name)}, expected one of the {len(by_id)} of the release"
        raise PipelineError(path, line, reason)
    return name


def text_of_line(row: Mapping[str, Any], name: str, path: Path, line: int) -> str:
    """Return a field of a row; raises `PipelineError` if it is no text."""
    try:
        return str(text_field(row, name))
    except ValueError as error:
        raise PipelineError(path, line, str(error)) from error
