"""The suite `artefacts`: whether something tells the answers of a collection to somebody who did not understand them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...core.errors import plural
from ...core.pages import percent
from ...core.validation.rows import text_of
from ...core.validation.suite import Row, Suite, Value
from ..artefacts.cues import ALPHA, Cue, cues, two_way
from ..artefacts.parts import LEAST_SCHEMAS, Part, parts
from .variety import items_by_register


def shortcuts(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each cue that can be tested and for each part of the items, with the reason why it is an artefact, or none.

    A file of fewer schemas than `LEAST_SCHEMAS` has no rows.
    """
    return [row for path in paths for row in _rows(path)]


def _rows(path: Path) -> Iterator[Row]:
    every, registers = items_by_register(path)
    items = two_way(every)
    if len({item.schema for item in items}) < LEAST_SCHEMAS:
        return
    for cue in cues(items, registers):
        if cue.p is not None:
            yield Row(cue.name, path, 1, {"cue": _reason_of_cue(cue)})
    for part in parts(items):
        yield Row(part.name, path, 1, {"part": _reason_of_part(part)})


def _reason_of_cue(cue: Cue) -> str:
    if not cue.tells:
        return ""
    found = f"found the answer in {len(cue.solved)} of {plural(cue.items, 'item')} (z {cue.z:+.1f}, p {cue.p:.2g})"
    return f"{found}, expected about {percent(cue.chance, 0)}, and p above {ALPHA}"


def _reason_of_part(part: Part) -> str:
    if not part.tells:
        return ""
    low, high = map(percent, part.interval)
    found = f"found {percent(part.share)} of {plural(part.items, 'item')} answered ({low} to {high})"
    return f"{found}, expected an interval that begins at {percent(part.chance)} or below; by {' '.join(part.features)}"


def no_cue_tells(value: Value) -> str:
    """No property of items or candidates tells the answer: chance takes none of them so far in 95 of 100 collections."""
    return text_of(value, "cue")


def no_part_tells(value: Value) -> str:
    """No classifier that learns from a part of the items answers more of the others than chance does."""
    return text_of(value, "part")


ARTEFACTS = Suite(
    "artefacts",
    f"items of {LEAST_SCHEMAS} schemas or more (JSON Lines): what tells the answers without understanding",
    shortcuts,
    {"no-cue-tells": no_cue_tells, "no-part-tells": no_part_tells},
    unique=False,
    may_be_empty=True,
)
