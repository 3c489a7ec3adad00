"""The ratings of translations by system: the human evaluation of zero pronouns (EMNLP 2022, appendix A.2)."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from ...statistics.ratings import Judgements, Row
from ...statistics.summary import summarise
from ..model.answers import schema_of
from .measures import mean_estimate

#: The middle of the scale of 1 to 5: a better translation is good, a worse one bad.
MIDDLE = 3


def system_figures(table: Judgements, low: int, high: int) -> dict[str, Any]:
    """Return the figures of each system, of each genre, and the paper's measure of agreement.

    The score of a system is the mean over sentences, of each the mean over raters. The number of a rating is that of an error type.

    Args:
        table: the ratings by item (``GENRE-DOCUMENT-LINE/SYSTEM``) and rater.
        low: the lowest rating.
        high: the highest rating.
    """
    by_system: dict[str, dict[str, Row]] = defaultdict(dict)
    by_genre: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for item, row in table.items():
        system = item.partition("/")[2]
        by_system[system][item] = row
        by_genre[schema_of(schema_of(item))][system].append(_mean(row))
    return {
        "systems": {name: _system(rows, low, high) for name, rows in sorted(by_system.items())},
        "genres": {
            genre: {name: fmean(means) for name, means in sorted(systems.items())}
            for genre, systems in sorted(by_genre.items())
        },
        "sides": _sides(table),
    }


def _system(rows: Mapping[str, Row], low: int, high: int) -> dict[str, Any]:
    given = Counter(int(rating) for row in rows.values() for rating in row.values())
    return {
        "score": mean_estimate(summarise([_mean(row) for row in rows.values()]), "no answers"),
        "ratings": given.total(),
        "types": {str(rating): given[rating] for rating in range(low, high + 1)},
    }


def _sides(table: Judgements) -> dict[str, Any]:
    """Return on how many translations all raters are on one side: over 3 good, under 3 bad.

    The paper does not say what 3 is. Here it is neither: raters agree if all of them give it, and translations that anybody gave it
    are counted apart as well.
    """
    rows = [[_side(int(rating)) for rating in row.values()] for row in table.values() if len(row) > 1]
    decided = [sides for sides in rows if 0 not in sides]
    agreed, agreed_decided = (sum(len(set(sides)) == 1 for sides in part) for part in (rows, decided))
    return {
        "translations": len(rows),
        "agreed": agreed,
        "share": agreed / len(rows) if rows else None,
        "without_middle": {
            "translations": len(decided),
            "agreed": agreed_decided,
            "share": agreed_decided / len(decided) if decided else None,
        },
    }


def _side(rating: int) -> int:
    """Return 1 for a good translation, -1 for a bad one, 0 for neither."""
    return (rating > MIDDLE) - (rating < MIDDLE)


def _mean(row: Row) -> float:
    return fmean(int(rating) for rating in row.values())
