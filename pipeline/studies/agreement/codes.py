"""How far raters agree who give several codes at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...statistics.agreement import mean_kappa, percent_agreement, rater_pairs, set_alpha
from ...statistics.ratings import Category, Judgements, Row
from ..model.codes import codes_of
from .measures import Bootstrap, bootstrapped


def sets_alpha(rows: Iterable[Row]) -> float | None:
    """Return Krippendorff's alpha with MASI distance of answers with several codes; see `set_alpha`."""
    return set_alpha({rater: codes_of(answer) for rater, answer in row.items()} for row in rows)


def agreement_on_codes(table: Judgements, choices: Sequence[str], bootstrap: Bootstrap) -> dict[str, Any]:
    """Return ``alpha_masi`` with its interval, and ``codes``, the agreement on each code.

    Args:
        table: the answers by item and rater.
        choices: the codes of the design.
        bootstrap: the settings of the bootstrap intervals.
    """
    return {
        "alpha_masi": bootstrapped(table, sets_alpha, bootstrap),
        "codes": code_figures(table, choices, lambda rows: bootstrapped(rows, percent_agreement, bootstrap, "percent")),
    }


def code_figures(
    table: Judgements, choices: Sequence[str], estimate: Callable[[Judgements], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return for each code how often it was given, and how far raters agree whether it applies.

    A row has ``code``, ``answers`` that have it, ``items`` that two raters judged, ``both`` (items to which every rater gave it), ``some``
    (items to which one did at least), ``cohen`` (of more than two raters the mean over pairs) and ``percent`` with its interval.

    Args:
        table: the answers by item and rater.
        choices: the codes of the design.
        estimate: returns the percentage of agreement with its interval.
    """
    rows = []
    for code in choices:
        binary: dict[str, dict[str, Category]] = {
            item: {rater: int(code in codes_of(answer)) for rater, answer in row.items()} for item, row in table.items()
        }
        shared = [row for row in binary.values() if len(row) > 1]
        rows.append(
            {
                "code": code,
                "answers": sum(int(given) for row in binary.values() for given in row.values()),
                "items": len(shared),
                "both": sum(all(row.values()) for row in shared),
                "some": sum(any(row.values()) for row in shared),
                "cohen": mean_kappa(rater_pairs(shared)),
                "percent": estimate(binary),
            }
        )
    return rows
