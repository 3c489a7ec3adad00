"""`translation-tsv`: the draft that `translate` writes, once people have filled its column `reviewed`."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ...core.errors import PipelineError
from ...core.notation import FactorError, unbracket
from ..analysis import Analysis
from ..translation.draft import CANDIDATE, QUESTION, TEXT, DraftRow, by_item, is_reviewed, parse_draft
from .draft import Draft, defect

#: The language of the translations where none is given.
LANG = "de"


def read_translation(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return a draft for each item, in file order, made of what people wrote alone.

    An item with a row that nobody has reviewed has a defect, and no word of the machine.

    Raises:
        PipelineError: what `parse_draft` refuses; an item lacks its text or a candidate; a bracket does not close.
    """
    return [_draft(name, rows, path, lang or LANG) for name, rows in _items(data, path).items()]


def translation_analyses(data: bytes, path: Path, _: str | None) -> list[Analysis]:
    """Return what people wrote about each reviewed item beside its texts: the genders of its candidates, if all have one."""
    analyses = []
    for name, rows in _items(data, path).items():
        genders = tuple(row.gender for row in _candidates(rows) if row.gender)
        complete = genders if len(genders) == len(_candidates(rows)) else ()
        if is_reviewed(rows):
            analyses.append(Analysis(name, name.rpartition("-")[0], "", "", "", None, complete))
    return analyses


@lru_cache(maxsize=1)  # drafts and analyses of one file need it parsed only once
def _items(data: bytes, path: Path) -> dict[str, dict[str, DraftRow]]:
    items = by_item(parse_draft(data, path))
    for name, rows in items.items():
        first = next(iter(rows.values()))
        if TEXT not in rows or not _candidates(rows):
            reason = f"[field] item without text or candidates; found {', '.join(rows)} of {name}, expected both"
            raise PipelineError(path, first.line, reason)
    if not items:
        raise PipelineError(path, None, "[file] no row; expected the draft that translate writes")
    return items


def _candidates(rows: Mapping[str, DraftRow]) -> list[DraftRow]:
    return [row for field, row in sorted(rows.items()) if field.startswith(CANDIDATE)]


def _draft(name: str, rows: Mapping[str, DraftRow], path: Path, lang: str) -> Draft:
    schema, _, version = name.rpartition("-")
    text = rows[TEXT]
    try:
        plain, targets = unbracket(text.reviewed)
    except FactorError as error:
        raise PipelineError(path, text.line, f"[reviewed] {error}") from error
    candidates = _candidates(rows)
    right = [row for row in candidates if row.right]
    defects = []
    open_fields = [field for field, row in rows.items() if not row.reviewed]
    if open_fields:
        reason = f"not reviewed; found nothing in the column reviewed of {', '.join(open_fields)}, expected what a person accepts"
        defects.append(defect("reviewed", reason))
    elif len(targets) != 1:
        defects.append(defect("text", f"one target is needed; found {len(targets)} in brackets"))
    if len(right) != 1:
        defects.append(defect("answer", f"one right candidate is needed; found {len(right)}"))
    return Draft(
        id=name,
        schema=schema,
        version=version,
        lang=lang,
        text=plain,
        candidates=tuple(row.reviewed for row in candidates),
        gold=right[0].reviewed if len(right) == 1 else None,
        target=targets[0] if len(targets) == 1 else None,
        question=rows[QUESTION].reviewed if QUESTION in rows else "",
        source=f"{schema}, machine translation reviewed by a person",
        defects=tuple(defects),
        lines={field: row.line for field, row in rows.items() if row.line is not None}
        | {"id": text.line or 1, "reviewed": text.line or 1},
    )
