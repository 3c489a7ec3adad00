"""Patches of a published collection: short corrections of single fields, which copy none of its sentences."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.invisible import INVISIBLE, code_point
from ...core.tables import read_table

COLUMNS = ("id", "field", "offset", "length", "digest", "value", "reason")
#: Number of hexadecimal digits of the SHA-256 of a field by which a patch knows it.
_DIGITS = 16
_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Patch:
    """One row of a table of patches: in `field` of record `id`, `length` code points from `offset` become `value`.

    `digest` is that of the field before any patch, and `offset` counts in it too. `path` and `line` are the place of the row.
    """

    id: str
    field: str
    offset: int
    length: int
    digest: str
    value: str
    reason: str
    path: Path
    line: int

    @property
    def end(self) -> int:
        """Offset after the last code point that is replaced."""
        return self.offset + self.length

    def fault(self, name: str, reason: str) -> PipelineError:
        """Return the error that column `name` of this row does not fit."""
        return PipelineError(self.path, self.line, f"[{name}] {reason}")


def digest_of(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a field in UTF-8.

    >>> digest_of("他")
    '8b7b91e0001c6971'
    """
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def read_patches(path: Path) -> list[Patch]:
    """Return the patches of a table in its order; raises `PipelineError` at a malformed row."""
    return [_patch(row, path, line) for line, row in read_table(path, COLUMNS)]


def _patch(row: Mapping[str, str], path: Path, line: int) -> Patch:
    for name in COLUMNS:
        if match := INVISIBLE.search(row[name]):
            reason = f"[{name}] invisible character; found {code_point(match[0])} in {shown(row[name])}"
            raise PipelineError(path, line, reason)
    for name in ("offset", "length"):
        if not _NUMBER.fullmatch(row[name]):
            reason = f"[{name}] not a number; found {shown(row[name])}, expected a number of code points"
            raise PipelineError(path, line, reason)
    if not row["reason"].strip():
        raise PipelineError(path, line, "[reason] empty field; expected why the field is changed")
    texts = {name: row[name] for name in ("id", "field", "digest", "value", "reason")}
    return Patch(offset=int(row["offset"]), length=int(row["length"]), path=path, line=line, **texts)


def patch_fields(records: Mapping[str, Mapping[str, str]], patches: Iterable[Patch]) -> dict[str, dict[str, str]]:
    """Return the fields that patches change, with their new values, by record id; `records` has the texts of the fields by id and name.

    Several patches of one field all count in its old text.

    Raises:
        PipelineError: a patch does not fit: its record or field is unknown, the field is not what its digest says, the offset is
            outside, it overlaps another patch, or it changes nothing or leaves nothing.
    """
    by_field: dict[tuple[str, str], list[Patch]] = {}
    for patch in patches:
        _check(patch, records)
        by_field.setdefault((patch.id, patch.field), []).append(patch)
    changed: dict[str, dict[str, str]] = {}
    for (record, field), several in by_field.items():
        changed.setdefault(record, {})[field] = _patched(records[record][field], several)
    return changed


def _check(patch: Patch, records: Mapping[str, Mapping[str, str]]) -> None:
    fields = records.get(patch.id)
    if fields is None:
        raise patch.fault("id", f"no such record; found {shown(patch.id)}, expected a record of the collection")
    if patch.field not in fields:
        raise patch.fault("field", f"unknown field; found {shown(patch.field)}, expected one of {', '.join(fields)}")
    old = fields[patch.field]
    if digest_of(old) != patch.digest:
        reason = f"the patch no longer applies; found a field with {digest_of(old)}, expected {shown(patch.digest)}"
        raise patch.fault("digest", reason)
    for name, end in (("offset", patch.offset), ("length", patch.end)):
        if end > len(old):
            raise patch.fault(name, f"outside the field; found code point {end}, expected at most {len(old)}")
    if old[patch.offset : patch.end] == patch.value:
        raise patch.fault("value", f"changes nothing; found {shown(patch.value)} in the field too")


def _patched(text: str, patches: Iterable[Patch]) -> str:
    ordered = sorted(patches, key=lambda patch: (patch.offset, patch.end))
    for before, after in pairwise(ordered):
        if after.offset < before.end or after.offset == before.offset:
            first, second = sorted((before, after), key=lambda patch: patch.line)
            raise second.fault("offset", f"overlaps the patch of line {first.line}; expected one patch for one place")
    for patch in reversed(ordered):
        text = text[: patch.offset] + patch.value + text[patch.end :]
    if not text.strip():
        raise ordered[-1].fault("value", "leaves the field empty; expected a patch that leaves some text")
    return text
