"""Selections: which records a study asks about.

`select.select_records` reads the records of a design and selects among them; `judged` has the selections that start from the judgements of
an earlier study: what raters disagree with (`disagreements`), rate low or understand differently (`doubtful`), explain (`explained`), and
what has changed since they were asked (`changed`).
"""

from .judged import EarlierStudy, MisfitError, changed, disagreements, doubtful, explained
from .select import ClozeLists, Selection, disputed_or_rejected, select_records

__all__ = [
    "ClozeLists",
    "EarlierStudy",
    "MisfitError",
    "Selection",
    "changed",
    "disagreements",
    "disputed_or_rejected",
    "doubtful",
    "explained",
    "select_records",
]
