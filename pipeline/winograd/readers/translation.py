"""`translation-tsv`: the draft that `translate` writes, once people have filled its column `reviewed`."""

from collections.abc import Mapping
from pathlib import Path

from ...core.errors import PipelineError
from ...core.notation import FactorError, unbracket
from ..analysis import Analysis
from ..translation.draft import CANDIDATE, QUESTION, TEXT, DraftRow, by_item, parse_draft
from .draft import Draft, defect

#: The language of the translations where none is given.
LANG = "de"


def read_translation(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return a draft for each item, in file order, made of what people wrote alone.

    An item with a row that nobody has reviewed has a defect, and no word of the machine. A reviewed one has an analysis, with the
    genders of its candidates if all have one.

    Raises:
        PipelineError: what `parse_draft` refuses; an item lacks its text or a candidate; a bracket does not close.
    """
    items = by_item(parse_draft(data, path))
    if not items:
        raise PipelineError(path, None, "[file] no row; expected the draft that translate writes")
    return [_draft(item_id, rows, path, lang or LANG) for item_id, rows in items.items()]


def _draft(item_id: str, rows: Mapping[str, DraftRow], path: Path, lang: str) -> Draft:
    candidates = [row for field, row in sorted(rows.items()) if field.startswith(CANDIDATE)]
    if TEXT not in rows or not candidates:
        reason = f"[field] item without text or candidates; found {', '.join(rows)} of {item_id}, expected both"
        raise PipelineError(path, next(iter(rows.values())).line, reason)
    schema, _, version = item_id.rpartition("-")
    text = rows[TEXT]
    try:
        plain, targets = unbracket(text.reviewed)
    except FactorError as error:
        raise PipelineError(path, text.line, f"[reviewed] {error}") from error
    right = [row.reviewed for row in candidates if row.right]
    genders = tuple(row.gender for row in candidates if row.gender)
    defects = []
    unreviewed = [field for field, row in rows.items() if not row.reviewed]
    if unreviewed:
        reason = f"not reviewed; found nothing in the column reviewed of {', '.join(unreviewed)}, expected what a person accepts"
        defects.append(defect("reviewed", reason))
    elif len(targets) != 1:
        defects.append(defect("text", f"one target is needed; found {len(targets)} in brackets"))
    if len(right) != 1:
        defects.append(defect("answer", f"one right candidate is needed; found {len(right)}"))
    complete = genders if len(genders) == len(candidates) else ()
    return Draft(
        schema=schema,
        version=version,
        lang=lang,
        text=plain,
        candidates=tuple(row.reviewed for row in candidates),
        gold=right[0] if len(right) == 1 else None,
        target=targets[0] if len(targets) == 1 else None,
        question=rows[QUESTION].reviewed if QUESTION in rows else "",
        source=f"{schema}, machine translation reviewed by a person",
        analysis=None if unreviewed else Analysis(item_id, schema, "", "", "", None, complete),
        defects=tuple(defects),
        lines={field: row.line for field, row in rows.items() if row.line is not None}
        | {"id": text.line or 1, "reviewed": text.line or 1},
    )
