"""Answers by word association: what must hold of each."""

import math
import re

from ...core.validation.rows import list_of, texts_of
from ...core.validation.suite import Check, Suite, Value, described
from ...language import text_checks as texts
from .associations import (
    ROUNDING,
    Association,
    associated,
    associations_of,
    counts_of,
    if_told,
    is_index,
    pmis_of,
    real,
    whole,
)


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


_ITEM = ("id", "answer")
_TOLD = (*_ITEM, "candidates", "reference", "counts", "reference_count", "joint_counts", "pmi", "difference", "decided",
         "choice", "right")  # fmt: skip


def contract(value: Value) -> str:
    """A row has the id and the answer of its item and, where the item has terms, all that follows from them; nothing else."""
    keys = tuple(list_of(value, "keys", str))
    return "" if keys in (_ITEM, _TOLD) else f"found the keys {', '.join(keys)}, expected {', '.join(_TOLD)}"


def named(value: Value) -> str:
    """The id is a schema's with the letter of the member."""
    found = str(value.get("id"))
    return "" if re.fullmatch(r"\S+-[a-z]{1,2}", found) else f"found {found!r}, expected one such as 'zh-0001-a'"


def answer_of_two(value: Value) -> str:
    """The answer is 0 or 1."""
    return "" if is_index(value.get("answer")) else f"found {value.get('answer')!r}, expected 0 or 1"


# --- terms and counts -----------------------------------------------------------------------------------------------------


def _word(found: object) -> bool:
    return isinstance(found, str) and found.split() == [found]


@if_told
def two_words(value: Value) -> str:
    """The candidates have a word each, and not the same."""
    found = value.get("candidates")
    if not isinstance(found, list) or len(found) != 2 or not all(map(_word, found)):
        return f"found {found!r}, expected two words without blanks"
    return f"found {found[0]!r} twice" if found[0] == found[1] else ""


@if_told
def another_reference(value: Value) -> str:
    """The reference is a word, and another than the candidates'."""
    found = value.get("reference")
    if not _word(found):
        return f"found {found!r}, expected a word without blanks"
    return f"found {found!r}, which is a candidate's" if found in list_of(value, "candidates", str) else ""


@if_told
def whole_counts(value: Value) -> str:
    """A candidate has a count, alone and with the reference, and the reference has one: whole numbers, none below 0."""
    for name in ("counts", "joint_counts"):
        if not counts_of(value, name):
            return f"found {value.get(name)!r} in {name}, expected two whole numbers from 0"
    found = value.get("reference_count")
    return "" if whole(found) else f"found {found!r} in reference_count, expected a whole number from 0"


@if_told
def joint_within_singles(value: Value) -> str:
    """Two words are in no more windows than each of them."""
    for one in associations_of(value):
        if one.joint > min(one.single, one.reference):
            return f"found {one.joint} of {' and '.join(one.terms)}, expected at most {min(one.single, one.reference)}"
    return ""


@if_told
def same_counts(value: Value) -> str:
    """A word, or two, have one count in all rows of a file."""
    for one, usual in zip(associations_of(value), list_of(value["file"], "counts", list), strict=False):
        for (terms, found), expected in zip(one.counts().items(), usual, strict=False):
            if found != expected:
                return f"found {found} of {' and '.join(terms)}, expected {expected} as in most rows"
    return ""


# --- PMI ------------------------------------------------------------------------------------------------------------------


@if_told
def pmis_are_numbers(value: Value) -> str:
    """There are two PMIs, each a number, the text -inf, or null."""
    return "" if pmis_of(value) else f"found {value.get('pmi')!r}, expected two numbers, '-inf' or null"


def _associated(value: Value) -> list[tuple[Association, float | None]]:
    pmis = pmis_of(value)
    return list(zip(associations_of(value), pmis, strict=False)) if pmis else []


@if_told
def undefined_alone(value: Value) -> str:
    """A PMI is null where one of its words never occurs, and only there."""
    for one, pmi in _associated(value):
        if (pmi is None) is not one.undefined:
            return f"found {pmi!r} of words in {one.single} and {one.reference} windows"
    return ""


@if_told
def infinite_alone(value: Value) -> str:
    """A PMI is -inf where two words that occur never meet, and only there."""
    for one, pmi in _associated(value):
        if (pmi == -math.inf) is not one.never_meet and pmi is not None:
            return f"found {pmi!r} of words in {one.single} and {one.reference} windows, {one.joint} with both"
    return ""


@if_told
def pmi_of_counts(value: Value) -> str:
    """A finite PMI is log2(c(w,w') W / (c(w) c(w'))), with one W in all rows of a file."""
    usual = value["file"]["log_windows"]
    for one, pmi in _associated(value):
        found = one.log_windows(pmi)
        if found is not None and usual is not None and not math.isclose(found, usual, abs_tol=ROUNDING):
            expected = (pmi or 0.0) + usual - found
            return f"found {pmi} of {' and '.join(one.terms)}, expected {expected:.6f} with the windows of most rows"
    return ""


def _texts(value: Value) -> list[str]:
    return [*texts_of(value, "id", "reference"), *list_of(value, "candidates", str)]


PMI = Suite("pmi", "answers by word association (JSON Lines)", associated, {
    "contract": contract,
    "id-of-a-member": named,
    "answer-of-two": answer_of_two,
    "two-words": two_words,
    "another-reference": another_reference,
    "whole-counts": whole_counts,
    "joint-within-singles": joint_within_singles,
    "same-counts": same_counts,
    "pmis-are-numbers": pmis_are_numbers,
    "undefined-alone": undefined_alone,
    "infinite-alone": infinite_alone,
    "pmi-of-counts": pmi_of_counts,
    **CHOICES,
    "no-invisible-character": described("No invisible character.", lambda value: texts.check_invisible(_texts(value))),
    "composed-unicode": described("Unicode's composed form (NFC).", lambda value: texts.check_composed(_texts(value))),
})  # fmt: skip
