"""What the papers print of the same study, beside the figures of ours."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

_WSC_ZA, _MANDARINOGRAD, _WINOPRON = "WSC-ZA", "Mandarinograd", "WinoPron"


@dataclass(frozen=True, slots=True)
class Published:
    """A printed figure.

    Attributes:
        paper: the name of its dataset.
        where: section or table.
        what: what is measured, and in which unit where ours has two.
        printed: the value as printed.
        ours: the keys that lead to our value in `figures.json`.
        kind: how our value is written: ``number``, ``count``, ``p`` (ours is its decimal logarithm) or ``interval``.
    """

    paper: str
    where: str
    what: str
    printed: str
    ours: tuple[str, ...]
    kind: Literal["number", "count", "p", "interval"] = "number"


def _accuracy(control: str, name: str, what: str, printed: Mapping[str, str]) -> list[Published]:
    """Return the rows of Table 4 of one unit."""
    path = ("controls", control, "accuracy", name)
    kinds: Mapping[str, Literal["number", "count", "interval"]] = {"n": "count", "interval": "interval"}
    names = {"value": "", "sd": ", standard deviation", "n": ", number", "interval": ", 95 % interval"}
    return [
        Published(_WSC_ZA, "Table 4", what + names[key], value, (*path, key), kinds.get(key, "number"))
        for key, value in printed.items()
    ]


def _table_3() -> list[Published]:
    rows = []
    for level, mean, sd in (("easy", "4.73", "0.44"), ("moderate", "3.05", "0.47"), ("hard", "1.75", "0.44")):
        for unit, key in (("ratings", "difficulty_ratings"), ("items", "difficulty")):
            path = ("controls", "naturalness", key, level)
            rows.append(Published(_WSC_ZA, "Table 3", f"{level}: mean over {unit}", mean, (*path, "value")))
            rows.append(Published(_WSC_ZA, "Table 3", f"{level}: standard deviation over {unit}", sd, (*path, "sd")))
    return rows


def _kruskal_wallis() -> list[Published]:
    rows = []
    tests = (
        ("ratings_by_level", "naturalness by level, over ratings"),
        ("means_by_level", "naturalness by level, over items"),
        ("accuracy_by_level", "right references by level, over items (not what the paper tests)"),
    )
    for key, what in tests:
        path = ("controls", "naturalness", key, *(("reference",) if key == "accuracy_by_level" else ()))
        for name, printed, kind in (("value", "140.23", "number"), ("log10_p", "3.55e-31", "p")):
            title = f"{what}: {'H' if name == 'value' else 'p'}"
            value = "" if key == "accuracy_by_level" else printed
            rows.append(Published(_WSC_ZA, "3.2", title, value, (*path, name), "p" if kind == "p" else "number"))
    return rows


#: The printed figures by the id of our design of the study.
PUBLISHED: Mapping[str, Sequence[Published]] = {
    "naturalness": (
        Published(_WSC_ZA, "3.2", "raters", "5", ("counts", "raters"), "count"),
        Published(_WSC_ZA, "3.2", "sentences", "240", ("counts", "items"), "count"),
        Published(_WSC_ZA, "3.2", "Cohen’s κ of references, ours the mean over pairs of raters", "0.87",
                  ("controls", "reference", "agreement", "cohen", "value")),
        *_table_3(),
        *_kruskal_wallis(),
    ),
    "upper-bound": (
        Published(_WSC_ZA, "3.3", "raters", "24", ("counts", "raters"), "count"),
        Published(_WSC_ZA, "3.3", "answers", "1440", ("counts", "judgements"), "count"),
        *_accuracy("reference", "subjects", "accuracy over raters",
                   {"value": "0.926", "sd": "0.037", "n": "24", "interval": "0.9106 to 0.9422"}),
        *_accuracy("reference", "items", "accuracy over items",
                   {"value": "0.926", "sd": "0.165", "n": "240", "interval": "0.9054 to 0.9474"}),
        *_accuracy("reference", "micro", "accuracy over answers", {"value": "0.926", "n": "1440"}),
        Published(_WSC_ZA, "3.3", "Fleiss’ κ", "0.803", ("controls", "reference", "agreement", "fleiss", "value")),
        Published(_WSC_ZA, "3.3", "Fleiss’ κ, 95 % interval", "0.758 to 0.846",
                  ("controls", "reference", "agreement", "fleiss", "interval"), "interval"),
        Published(_WSC_ZA, "3.3", "p, of which test the paper does not say; ours of κ against 0", "0.493",
                  ("controls", "reference", "agreement", "fleiss_test", "log10_p"), "p"),
        Published(_WSC_ZA, "3.3", "the same p; ours of differences between lists", "0.493",
                  ("controls", "reference", "lists", "test", "log10_p"), "p"),
    ),
    "questionnaire": (
        Published(_MANDARINOGRAD, "3.3", "answers", "576", ("counts", "judgements"), "count"),
        Published(_MANDARINOGRAD, "3.3", "expected answers before reconsideration", "0.91",
                  ("controls", "answer", "accuracy", "micro", "value")),
        Published(_MANDARINOGRAD, "3.3", "expected answers after reconsideration", "0.97",
                  ("reconsidered", "after", "value")),
    ),
    "winopron-reference": (
        Published(_WINOPRON, "3.3", "grammatical sentences", "1.00", ("sentences", "grammatical", "value")),
        Published(_WINOPRON, "3.3", "sentences with a unique and correct reference", "0.982",
                  ("sentences", "unique", "value")),
    ),
}  # fmt: skip


def beside_published(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the printed figures of a study with ours, in the order of the paper; none for a study that no paper reports.

    A row has ``paper``, ``where``, ``what``, ``printed`` (empty where the paper has no such figure), ``ours`` as text in as many digits as
    the paper has at least, and ``value``, which is None where ours is undefined.

    Args:
        figures: the figures of the study.
    """
    rows = []
    for row in PUBLISHED.get(figures["study"], ()):
        value = _value(figures, row.ours)
        rows.append(
            {
                "paper": row.paper,
                "where": row.where,
                "what": row.what,
                "printed": row.printed,
                "value": value,
                "ours": "n/a" if value is None else _written(value, row.kind),
            }
        )
    return rows


def _value(figures: Mapping[str, Any], path: Sequence[str]) -> Any:
    value: Any = figures
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
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
