"""What Mandarinograd prints, from public data and its own other figures."""

import json
from fractions import Fraction
from pathlib import Path

from pipeline.core.files import read_text
from pipeline.core.tables import read_table

#: Schemas and, of the baseline, decided items and right ones (sections 3.2 and 4.3).
SCHEMAS, DECIDED, RIGHT = 154, 153, 93


def schema_numbers(data: Path, language: str) -> set[str]:
    """Return the numbers of the schemas that Parallel Winograd Schemata has in a language (en, fr, man, jap or another)."""
    column = f"sentence_{language}"
    return {
        row["orig_id"] for _, row in read_table(data / "pws" / "pws.tsv", ("orig_id", column)) if row[column].strip()
    }


def portuguese_items(data: Path) -> int:
    """Return the number of items of the Portuguese translation."""
    return len(json.loads(read_text(data / "portuguese_wsc" / "portuguese_wsc.json")))


def baseline_accuracy() -> Fraction:
    """Return the expected accuracy in percent if the items that are not decided are answered at random."""
    items = 2 * SCHEMAS
    return 100 * (RIGHT + Fraction(items - DECIDED, 2)) / items
