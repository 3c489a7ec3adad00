"""What the papers print of the same study, beside the figures of ours."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from ...core.convert import convert
from ...core.errors import PipelineError
from ...core.files import parse_tsv, read_text
from ...core.rules import RULES

_COLUMNS = ("study", "paper", "where", "what", "printed", "kind", "ours")


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A printed figure.

    Attributes:
        study: the id of our design of the study.
        paper: the name of its dataset.
        where: section or table.
        what: what is measured, and in which unit where ours has two.
        printed: the value as printed; empty where the paper has no such figure.
        kind: how our value is written: ``number``, ``count``, ``p`` (ours is its decimal logarithm) or ``interval``.
        ours: the fields of `Figures` that lead to our value, with points between.
    """

    study: str
    paper: str
    where: str
    what: str
    printed: str
    kind: Literal["number", "count", "p", "interval"]
    ours: str


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A printed figure with ours: as text in as many digits as the paper has at least, and as `value`, None where it is undefined."""

    paper: str
    where: str
    what: str
    printed: str
    value: Any
    ours: str


@cache
def printed_figures() -> tuple[PrintedFigure, ...]:
    """Return the table rules/studies/published.tsv.

    Raises:
        PipelineError: a row is malformed.
    """
    path = RULES / "studies" / "published.tsv"
    rows = []
    for line, row in parse_tsv(read_text(path), path, _COLUMNS):
        try:
            rows.append(convert(dict(row), PrintedFigure))
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
    return tuple(rows)


def beside_published(study: str, figures: object) -> list[PublishedFigure]:
    """Return the printed figures of a study with ours, in the order of the paper; none for a study that no paper reports."""
    rows = []
    for row in printed_figures():
        if row.study == study:
            value = _value(figures, row.ours)
            ours = "n/a" if value is None else _written(value, row.kind)
            rows.append(PublishedFigure(row.paper, row.where, row.what, row.printed, value, ours))
    return rows


def _value(figures: object, path: str) -> Any:
    value: Any = figures
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
    return value


def _written(value: Any, kind: str) -> str:
    if kind == "count":
        return str(value)
    if kind == "interval":
        return f"{value[0]:.4f} to {value[1]:.4f}"
    return p_text(value) if kind == "p" else f"{value:.3f}"


def p_text(logarithm: float) -> str:
    """Return a p value from its decimal logarithm, also one that is too small for a float.

    >>> p_text(-0.3071), p_text(-30.45), p_text(-354.6)
    ('0.493', '3.55e-31', '2.51e-355')
    """
    if logarithm > -3:
        return f"{10**logarithm:.3f}"
    exponent = math.floor(logarithm)
    return f"{10 ** (logarithm - exponent):.2f}e{exponent}"
