"""Choices by word association: what must hold of each."""

import math

from ...core.validation.suite import Check, Value
from .associations import ROUNDING, if_told, is_index, pmis_of, real


@if_told
def difference_of_pmis(value: Value) -> str:
    """The difference is the first PMI less the second: infinite where one is, null where one is null or both are infinite."""
    pmis = pmis_of(value)
    if pmis is None:
        return ""
    one, other = pmis
    undefined = one is None or other is None or one == other == -math.inf
    expected = None if one is None or other is None or undefined else one - other
    found = value.get("difference")
    number = real(found)
    if expected is None:
        return "" if found is None else f"found {found!r}, expected null"
    met = number is not None and math.isclose(number, expected, abs_tol=ROUNDING)
    return "" if met else f"found {found!r}, expected {expected}"


@if_told
def decided_by_difference(value: Value) -> str:
    """An item is decided or not, and not where the PMIs do not differ."""
    decided, difference = value.get("decided"), value.get("difference")
    if type(decided) is not bool:
        return f"found {decided!r}, expected true or false"
    return f"found it decided by a difference of {difference!r}" if decided and not real(difference) else ""


@if_told
def one_threshold(value: Value) -> str:
    """What is not decided has a lesser difference than all that is decided in the file."""
    found, least = real(value.get("difference")), value["file"]["least"]
    if value.get("decided") is not False or found is None or least is None or abs(found) < least:
        return ""
    return f"found {abs(found)} not decided, expected less than {least}, which decides elsewhere"


@if_told
def choice_by_sign(value: Value) -> str:
    """A choice is 0 or 1: where it is decided 0 if the difference is above 0, 1 if it is below."""
    choice, difference = value.get("choice"), real(value.get("difference"))
    if not is_index(choice):
        return f"found {choice!r}, expected 0 or 1"
    wrong = value.get("decided") is True and difference and choice != (0 if difference > 0 else 1)
    return f"found {choice} by a difference of {difference}" if wrong else ""


@if_told
def right_told(value: Value) -> str:
    """It is right where the choice is the answer."""
    found, choice, answer = value.get("right"), value.get("choice"), value.get("answer")
    if type(found) is not bool:
        return f"found {found!r}, expected true or false"
    wrong = is_index(choice) and is_index(answer) and found is not (choice == answer)
    return f"found {found} of choice {choice} and answer {answer}" if wrong else ""


CHOICES: dict[str, Check] = {
    "difference-of-pmis": difference_of_pmis,
    "decided-by-difference": decided_by_difference,
    "one-threshold": one_threshold,
    "choice-by-sign": choice_by_sign,
    "right-told": right_told,
}
