"""Turn the target of each kept item into a zero: once written as Ø, once left out."""

from pathlib import Path
from typing import Annotated

from ..core.files import write_jsonl
from ..core.records import read_items
from ..winograd.zero_forms import require_language_with_zeros, to_zero
from .parameters import arg, output
from .report import Report


def command(
    kept: Annotated[Path, arg("ITEMS", "The kept items (JSON Lines).")],
    out: Annotated[Path, output("the items with their zero forms (JSON Lines).")],
) -> Report:
    """Write the zero forms of the kept items.

    In text_zero the target is written as Ø, in text_dropped it is left out.
    """
    report = Report()
    items = read_items(kept, "kept.jsonl, which exclude writes")
    require_language_with_zeros(items, kept)
    rows = [to_zero(item) for item in items]
    write_jsonl(out, rows)
    report.add(f"{out}: {len(rows)} items in, {len(rows)} zero forms out", items=len(rows))
    return report
