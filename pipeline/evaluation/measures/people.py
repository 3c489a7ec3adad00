"""What people answered to the same items: the bound that systems are compared with, the levels of difficulty."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean

from ...core.errors import PipelineError, shown
from ...core.files import parse_tsv, read_text, require_unique
from ...statistics.human_accuracy import BY_ACCURACY, difficulty

#: Accuracy of people on WSC-ZA's 240 sentences (section 3.3, Table 4), printed. Other items have other bounds.
PRINTED = 0.926
COLUMNS = ("item", "accuracy")


def read_people(path: Path) -> dict[str, float]:
    """Return people's share of right answers by item, of a table with the columns item and accuracy; an empty cell is no answer."""
    shares: dict[str, float] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        require_unique(lines, row["item"], path, line, "item")
        if not row["accuracy"].strip():
            continue
        try:
            share = float(row["accuracy"])
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            reason = f"[accuracy] no share; found {shown(row['accuracy'])}, expected a number from 0 to 1"
            raise PipelineError(path, line, reason)
        shares[row["item"]] = share
    if not shares:
        raise PipelineError(path, None, "[accuracy] no item has one; expected people's share of right answers by item")
    return shares


def levels_of(shares: Mapping[str, float]) -> dict[str, str]:
    """Return the level of each item: easy from 0.85, moderate from 0.60, else hard (WSC-ZA, section 5.3)."""
    return {item: difficulty(share, BY_ACCURACY) for item, share in shares.items()}


def bound(shares: Mapping[str, float], items: Iterable[str]) -> float | None:
    """Return the mean accuracy of people over the items that they answered, None without one."""
    own = [shares[item] for item in items if item in shares]
    return fmean(own) if own else None
