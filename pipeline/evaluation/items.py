"""The items of a release, with the traits that accuracy is broken down by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, errors_at, shown
from ..core.files import require_unique
from ..core.model import Item
from ..core.records import item_from_json
from ..language.answers.mentions import letter
from ..winograd.mentions import before_target, own_mentions
from ..winograd.pairs import contrasts
from ..winograd.variety import connective
from ..winograd.zero_forms import ZERO

#: Fields of a released row that are traits as they stand.
FIELDS = ("kind", "register", "role", "case", "pronouns")
#: Maximum number of candidates of an item, each with a letter.
MAX_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class ReleasedItem:
    """An item of a release."""

    item: Item  # the item, whose text has the overt target
    text_zero: str  # its zero form, with Ø; empty if the release has none
    #: The value of each trait that the item has: `FIELDS` of its row, and those that its text gives: ``connective``, ``distance``,
    #: ``place`` (of the right candidate's first mention among all first mentions), ``answer`` (its letter) and ``contrast`` of its pair.
    traits: Mapping[str, str]
    genders: tuple[str, ...] = ()  # of the candidates, in a release of cloze items

    @property
    def cluster(self) -> str:
        """What its answers may depend on: its schema; of sentences of templates, the pair of templates with all pronoun sets."""
        pronouns = self.traits.get("pronouns")
        return self.item.schema.removesuffix(f"-{pronouns}") if pronouns else self.item.schema


def released_items(lines: Iterable[tuple[int, Mapping[str, Any]]], path: Path) -> list[ReleasedItem]:
    """Return the items of the main data file of a release in their order; at least one.

    Each has an id of its own, two to ten candidates that differ, and no zero form or that of its text.
    """
    places: dict[str, int | None] = {}
    entries: list[tuple[ReleasedItem, int | None]] = []
    for line, row in lines:
        with errors_at(path, line):
            item = item_from_json(row)
        require_unique(places, item.id, path, line)
        if not 1 < len(item.candidates) == len(set(item.candidates)) <= MAX_CANDIDATES:
            reason = f"[candidates] no choice; found {shown(list(item.candidates))}, expected 2 to {MAX_CANDIDATES} that differ"
            raise PipelineError(path, line, reason)
        entries.append((_released(item, row, path, line), _distance(item)))
    if not entries:
        raise PipelineError(path, None, "[file] no item; found an empty file, expected the main data file of a release")
    labels = distance_labels([distance for _, distance in entries])
    of_pair = {schema: {"contrast": place} for schema, place in contrasts(entry.item for entry, _ in entries).items()}
    return [
        replace(entry, traits={**entry.traits, "distance": label, **of_pair.get(entry.item.schema, {})})
        for (entry, _), label in zip(entries, labels, strict=True)
    ]


def _released(item: Item, row: Mapping[str, Any], path: Path, line: int) -> ReleasedItem:
    given = {name: row[name] for name in FIELDS if isinstance(row.get(name), str) and row[name]}
    zero = row.get("text_zero") or ""
    if zero and zero != (expected := f"{item.text[: item.target.start]}{ZERO}{item.text[item.target.end :]}"):
        reason = f"[text_zero] not the text with Ø for its target; found {shown(zero)}, expected {shown(expected)}"
        raise PipelineError(path, line, reason)
    own = {"connective": connective(item), "place": _place(item), "answer": letter(item.answer)}
    genders = row.get("genders")
    if not isinstance(genders, list) or len(genders) != len(item.candidates):
        genders = []
    return ReleasedItem(item, zero, given | own, tuple(map(str, genders)))


def _distance(item: Item) -> int | None:
    """Return the characters between the target and the last mention of the right candidate before it; None without one."""
    spans = before_target(item, item.answer)
    return item.target.start - max(span.end for span in spans) if spans else None


def distance_labels(distances: Sequence[int | None]) -> list[str]:
    """Return a class for each distance: the items are cut at the terciles of all distances that are known.

    >>> distance_labels([2, 4, 6, None])
    ['0 to 2 characters', '3 to 4 characters', '5 or more characters', 'no mention before']
    """
    known = sorted(distance for distance in distances if distance is not None)
    near, far = (known[max(0, len(known) * part // 3 - 1)] if known else 0 for part in (1, 2))

    def label(distance: int | None) -> str:
        if distance is None:
            return "no mention before"
        if distance <= near:
            return f"0 to {near} characters"
        return f"{near + 1} to {far} characters" if distance <= far else f"{max(near, far) + 1} or more characters"

    return [label(distance) for distance in distances]


def _place(item: Item) -> str:
    """Return where the right candidate's first mention is among the first mentions of all candidates."""
    firsts = [min((span.start for span in spans), default=None) for spans in own_mentions(item)]
    right, known = firsts[item.answer], [first for first in firsts if first is not None]
    if right is None or len(known) < len(firsts):
        return "a candidate not in the text"
    if right == min(known):
        return "first"
    return "last" if right == max(known) else "between"
