"""What raters said of each item in studies, from the tables items.tsv that `annotate agree` writes."""

from collections.abc import Iterable
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import parse_tsv, read_text

#: The columns that the audit shows.
COLUMNS = ("item", "raters", "ratings", "mean", "rating_level", "answers", "right", "accuracy_level")
_COUNTS = ("raters", "answers", "right")


def read_judged(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Return for each judged item a line for each study, in the order of the files; the study is named after the folder of its table.

    Raises:
        PipelineError: a column is missing, or the number of raters or of answers is no number.
    """
    lines: dict[str, list[str]] = {}
    for path in paths:
        for number, row in parse_tsv(read_text(path), path, COLUMNS):
            for name in _COUNTS:
                if row[name] and not (row[name].isascii() and row[name].isdecimal()):
                    raise PipelineError(
                        path, number, f"[{name}] found {shown(row[name])}, expected a number or nothing"
                    )
            if int(row["raters"] or 0):
                record, _, entity = row["item"].partition("/")
                study = path.resolve().parent.name + (f", candidate {entity}" if entity else "")
                lines.setdefault(record, []).append(f"{study}: {_line(row)}")
    return lines


def _line(row: dict[str, str]) -> str:
    parts = [f"{row['raters']} {'rater' if row['raters'] == '1' else 'raters'}"]
    if row["ratings"]:
        parts.append(f"ratings {row['ratings']}, mean {row['mean']} ({row['rating_level']})")
    if row["answers"]:
        parts.append(f"{row['right'] or 0} of {row['answers']} right ({row['accuracy_level']})")
    return "; ".join(parts)
