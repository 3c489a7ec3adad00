"""Glossaries: how terms are to be translated."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import lines_of, read_text, require_unique, to_json


@dataclass(frozen=True, slots=True)
class Glossary:
    """A glossary of one's own, or one that DeepL has already.

    Attributes:
        identity: what a translation with it depends on: ``sha256:`` with the digest of the entries, ``id:`` with DeepL's id, or
            nothing without a glossary.
        entries: the terms of a file with their translations; none if DeepL has the glossary.
    """

    identity: str = ""
    entries: Mapping[str, str] = field(default_factory=dict)


def read_glossary(path: Path) -> Glossary:
    """Return the glossary of a table without a header: a term, a tab, its translation.

    Raises:
        PipelineError: a line has another number of cells, an empty one or a control character, a term occurs twice, the file is empty.
    """
    entries: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for number, line in enumerate(lines_of(read_text(path)), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells) or not all(cell.isprintable() for cell in cells):
            reason = (
                f"[glossary] not a term with its translation; found {shown(line)}, expected both with a tab between"
            )
            raise PipelineError(path, number, reason)
        require_unique(lines, cells[0], path, number, "glossary")
        entries[cells[0]] = cells[1]
    if not entries:
        raise PipelineError(path, None, "[glossary] no entry; expected lines of a term, a tab and its translation")
    digest = hashlib.sha256(to_json(sorted(entries.items())).encode()).hexdigest()
    return Glossary(f"sha256:{digest}", entries)
