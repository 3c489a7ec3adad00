"""Table 8 on the page of a report, from the figures that `evaluate codes` wrote."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import from_json, read_text
from ...core.records import field_of
from ..report.tables import NOTHING, Row, Table
from .table8 import CODES_OF, TAKEN
from .types import error_types

#: What the title says of codes that nobody gave.
SIMULATED = "SIMULATED codes: nobody coded these explanations"


def error_table(path: Path) -> Table:
    """Return the layout of WSC-ZA's Table 8: how many explanations of errors, and of right answers called wrong, have each error type.

    Args:
        path: figures.json of `evaluate codes`.

    Raises:
        PipelineError: the file is malformed.
    """
    try:
        figures = from_json(read_text(path))
        if not isinstance(figures, dict):
            raise ValueError(f"[json] wrong kind; found {shown(figures)}, expected the figures of `evaluate codes`")
        taken = next((way for way in TAKEN if way == figures.get("taken")), None)
        if taken is None:
            raise ValueError(f"[taken] found {shown(figures.get('taken'))}, expected {', '.join(TAKEN)}")
        columns = []
        for name, of in field_of(figures, "systems", dict, "counts by system").items():
            columns += [(name, _counts(of, "errors")), ("its controls", _counts(of, "controls"))]
        shared = field_of(figures, "shared", dict, "counts of the sentences that all systems have wrong")
        columns.append(("all systems", _counts(shared, "some")))
        columns.append(("printed", _counts(figures, "printed")))
        simulated = field_of(figures, "simulated", bool, "true or false")
    except ValueError as error:
        reason = str(error) if str(error).startswith("[") else f"[json] {error}"
        raise PipelineError(path, None, reason) from error
    header = ("Error type", *(f"{name} (N = {n})" for name, (n, _) in columns))
    rows = (
        Row((entry.name, *(_share(counts[entry.code], n) for _, (n, counts) in columns))) for entry in error_types()
    )
    title = f"Error types of explanations, from the codes of {CODES_OF[taken]}"
    return Table("errors", f"{title}. {SIMULATED}" if simulated else title, header, 1, (tuple(rows),))


def _counts(value: object, name: str) -> tuple[int, Mapping[str, Any]]:
    """Return how many explanations there are, and how many have each type; raises `ValueError` for others than such numbers."""
    if not isinstance(value, dict):
        raise ValueError(f"[systems] wrong kind; found {shown(value)}, expected counts")
    of = field_of(value, name, dict, "counts")
    n = field_of(of, "n", int, "a whole number")
    counts = field_of(of, "counts", dict, "a number for each error type")
    for entry in error_types():
        count = field_of(counts, entry.code, int, "a whole number")
        if not 0 <= count <= n:
            raise ValueError(f"[{entry.code}] found {shown(count)}, expected a number from 0 to {shown(n)}")
    return n, counts


def _share(count: int, n: int) -> str:
    return f"{count} ({100 * count / n:.1f} %)" if n else NOTHING
