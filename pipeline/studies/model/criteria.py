"""Criteria for bringing up raters, written in the design before anybody judges."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.hints import known_names
from ...core.yamlfile import line_of

#: Greatest number of seconds that `Criteria.fast_s` may be.
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Criteria:
    """What a rater must satisfy; the defaults are ours, the papers print none.

    A rater for whom a share is undefined, such as that of practice in a study without practice, satisfies the criterion.

    Attributes:
        practice: least share of practice answers right, from 0 to 1.
        attention: least share of attention items and fillers right.
        chance: level of the test against guessing: a rater is at chance if guessing gives as many right main answers with a higher
            probability.
        place: greatest share of main answers at the same place on the screen.
        fast_s: an item judged in less time, in seconds, is too fast to have been read.
        fast_share: greatest share of main items that are too fast.
    """

    practice: float = 0.8
    attention: float = 0.75
    chance: float = 0.05
    place: float = 0.9
    fast_s: float = 2.0
    fast_share: float = 0.5


def read_criteria(node: object, path: Path, line: int | None) -> Criteria:
    """Return the criteria of a design, a mapping; a criterion that is not given keeps its default.

    Args:
        node: the value of the key ``criteria``.
        path: the file of the design, for messages.
        line: the line of the key.

    Raises:
        PipelineError: no mapping, an unknown criterion, or a value out of range.
    """
    if not isinstance(node, dict):
        reason = f"[criteria] wrong kind; found {shown(node)}, expected criteria such as practice: 0.8"
        raise PipelineError(path, line, reason)
    known = [field.name for field in fields(Criteria)]
    for name, value in node.items():
        if name not in known:
            reason = f"[criteria] unknown criterion {shown(name)}; {known_names(str(name), known)}"
            raise PipelineError(path, line_of(node, name), reason)
        if problem := _problem(name, value):
            raise PipelineError(path, line_of(node, name), f"[{name}] {problem}")
    return Criteria(**{name: float(value) for name, value in node.items()})


def criteria_from_json(value: object) -> Criteria | None:
    """Return the criteria in study.json, None for a study without; raises `ValueError` with the field and the reason."""
    if value is None:
        return None
    names = [field.name for field in fields(Criteria)]
    if not isinstance(value, dict) or list(value) != names:
        raise ValueError(f"[criteria] found {shown(value)}, expected an object of {', '.join(names)}, or null")
    for name, limit in value.items():
        if problem := _problem(name, limit):
            raise ValueError(f"[{name}] {problem}")
    return Criteria(**{name: float(limit) for name, limit in value.items()})


def criteria_to_json(criteria: Criteria) -> Mapping[str, Any]:
    """Return the object of criteria in study.json and in figures.json."""
    return asdict(criteria)


def _problem(name: str, value: object) -> str:
    """Return what is wrong with the value of a criterion, or the empty string."""
    most, expected = (_LONGEST, f"seconds from 0 to {_LONGEST}") if name == "fast_s" else (1, "a share from 0 to 1")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        return f"found {shown(value)}, expected {expected}"
    return ""
