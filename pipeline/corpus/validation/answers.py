"""Answers by word association: what must hold of each."""

import math
import re

from ...core.errors import shown
from ...core.validation.rows import list_of, text_of, texts_of
from ...core.validation.suite import Suite, Value, described
from ...language import text_checks as texts
from .associations import (
    ROUNDING,
    Association,
    associations_of,
    bits_of,
    counts_of,
    if_terms,
    is_count,
    is_index,
    pmis_of,
    read_answers,
)
from .terms import not_a_word

_ITEM = ("id", "answer")
_ANSWERED = (*_ITEM, "candidates", "reference", "counts", "reference_count", "joint_counts", "pmi", "difference", "decided",
             "choice", "right")  # fmt: skip


def contract(value: Value) -> str:
    """A row has the id and the answer of its item and, if the item has terms, all that follows from them; nothing else."""
    keys = tuple(list_of(value, "keys", str))
    return "" if keys in (_ITEM, _ANSWERED) else f"found the keys {', '.join(keys)}, expected {', '.join(_ANSWERED)}"


def id_of_a_member(value: Value) -> str:
    """The id is that of the schema with the letter of the member."""
    item_id = str(value.get("id"))
    return (
        ""
        if re.fullmatch(r"[^\W_][\w.-]*-[a-z]{1,2}", item_id)
        else f"found {item_id!r}, expected an id such as 'zh-0001-a'"
    )


def answer_of_two(value: Value) -> str:
    """The answer is 0 or 1."""
    return "" if is_index(value.get("answer")) else f"found {value.get('answer')!r}, expected 0 or 1"


# --- the members of a schema --------------------------------------------------------------------------------------------------


def both_members(value: Value) -> str:
    """In a file of pairs, a schema has the members a and b, which follow each other."""
    facts = value["file"]
    if not facts["pairs"] or facts["letters"] == "ab" or not text_of(value, "id").endswith(facts["letters"][-1:]):
        return ""
    return f"found {' and '.join(facts['letters'])}, expected the members a and b, one after the other"


def answers_of_both(value: Value) -> str:
    """In a file of pairs, the members of a schema have different answers."""
    facts = value["file"]
    if not facts["pairs"] or not facts["answers_differ"] or not _is_second(value):
        return ""
    first, second = facts["mate"].get("answer"), value.get("answer")
    return f"found {shown(second)} for both members, expected different answers" if first == second else ""


@if_terms
def words_of_both(value: Value) -> str:
    """In a file of pairs, the members of a schema have the same candidates and another reference, or none has terms."""
    if not value["file"]["pairs"] or not _is_second(value):
        return ""
    mate = value["file"]["mate"]
    if mate.get("candidates") != value.get("candidates"):
        return (
            f"found {shown(value.get('candidates'))}, expected {shown(mate.get('candidates'))} as for the other member"
        )
    same = mate.get("reference") == value.get("reference")
    return f"found {shown(value.get('reference'))} for both members, expected two references" if same else ""


def _is_second(value: Value) -> bool:
    return value["file"]["letters"] == "ab" and text_of(value, "id").endswith("-b")


# --- terms and counts -----------------------------------------------------------------------------------------------------


@if_terms
def two_words(value: Value) -> str:
    """The candidates have a word each, letters and digits of one script, and different ones."""
    candidates = value.get("candidates")
    if not isinstance(candidates, list) or len(candidates) != 2:
        return f"found {shown(candidates)}, expected two words without blanks"
    return not_a_word(candidates) or (f"found {shown(candidates[0])} twice" if candidates[0] == candidates[1] else "")


@if_terms
def another_reference(value: Value) -> str:
    """The reference is a word, letters and digits of one script, and not a candidate's."""
    reference = value.get("reference")
    if reason := not_a_word([reference]):
        return reason
    return f"found {shown(reference)}, which is a candidate's" if reference in list_of(value, "candidates", str) else ""


@if_terms
def whole_counts(value: Value) -> str:
    """Each candidate has a count, alone and with the reference, and the reference has one: whole numbers, none below 0."""
    for name in ("counts", "joint_counts"):
        if not counts_of(value, name):
            return f"found {value.get(name)!r} in {name}, expected two whole numbers from 0"
    count = value.get("reference_count")
    return "" if is_count(count) else f"found {count!r} in reference_count, expected a whole number from 0"


@if_terms
def joint_within_singles(value: Value) -> str:
    """Two words are in no more windows than each of them."""
    for words in associations_of(value):
        limit = min(words.single, words.reference)
        if words.joint > limit:
            return f"found {words.joint} of {' and '.join(words.terms)}, expected at most {limit}"
    return ""


@if_terms
def same_counts(value: Value) -> str:
    """A word, or a pair of words, has one count in all rows of a file."""
    for words, usual in zip(associations_of(value), list_of(value["file"], "counts", list), strict=False):
        for (terms, count), expected in zip(words.counts().items(), usual, strict=False):
            if count != expected:
                return f"found {count} of {' and '.join(terms)}, expected {expected} as in most rows"
    return ""


# --- PMI ------------------------------------------------------------------------------------------------------------------


@if_terms
def pmis_are_numbers(value: Value) -> str:
    """There are two PMIs, each a number, the text -inf, or null."""
    return "" if pmis_of(value) else f"found {value.get('pmi')!r}, expected two numbers, '-inf' or null"


def _associations_with_pmis(value: Value) -> list[tuple[Association, float | None]]:
    pmis = pmis_of(value)
    return list(zip(associations_of(value), pmis, strict=False)) if pmis else []


@if_terms
def undefined_pmi(value: Value) -> str:
    """A PMI is null if and only if one of its words never occurs."""
    for words, pmi in _associations_with_pmis(value):
        if (pmi is None) is not words.undefined:
            return f"found {pmi!r} of words in {words.single} and {words.reference} windows"
    return ""


@if_terms
def infinite_pmi(value: Value) -> str:
    """A PMI is -inf if and only if its words occur and never share a window."""
    for words, pmi in _associations_with_pmis(value):
        if (pmi == -math.inf) is not words.never_meet and pmi is not None:
            return f"found {pmi!r} of words in {words.single} and {words.reference} windows, {words.joint} with both"
    return ""


@if_terms
def pmi_of_counts(value: Value) -> str:
    """A finite PMI is log2(c(w,w') W / (c(w) c(w'))), with the same W in all rows of a file."""
    usual = value["file"]["log_windows"]
    for words, pmi in _associations_with_pmis(value):
        log_windows = words.log_windows(pmi)
        if log_windows is not None and usual is not None and not math.isclose(log_windows, usual, abs_tol=ROUNDING):
            expected = (pmi or 0.0) + usual - log_windows
            return f"found {pmi} of {' and '.join(words.terms)}, expected {expected:.6f} with the windows of most rows"
    return ""


# --- decisions ------------------------------------------------------------------------------------------------------------


@if_terms
def difference_of_pmis(value: Value) -> str:
    """The difference is the first PMI less the second: infinite if one is, null if one is null or both are infinite."""
    pmis, difference = pmis_of(value), value.get("difference")
    if pmis is None:
        return ""
    first, second = pmis
    if first is None or second is None or first == second == -math.inf:
        return "" if difference is None else f"found {difference!r}, expected null"
    expected, bits = first - second, bits_of(difference)
    same = bits is not None and math.isclose(bits, expected, abs_tol=ROUNDING)
    return "" if same else f"found {difference!r}, expected {expected}"


@if_terms
def decided_by_difference(value: Value) -> str:
    """An item is decided or not, and not decided if the PMIs are equal."""
    decided, difference = value.get("decided"), value.get("difference")
    if type(decided) is not bool:
        return f"found {decided!r}, expected true or false"
    return f"found true with a difference of {difference!r}" if decided and not bits_of(difference) else ""


@if_terms
def one_threshold(value: Value) -> str:
    """The difference of an undecided item is less than that of every decided item of the file."""
    difference, least = bits_of(value.get("difference")), value["file"]["least"]
    if value.get("decided") is not False or difference is None or least is None or abs(difference) < least:
        return ""
    return f"found {abs(difference)} not decided, expected less than {least}, which decides elsewhere"


@if_terms
def choice_by_sign(value: Value) -> str:
    """The choice is 0 or 1; if it is decided, 0 for a positive and 1 for a negative difference."""
    choice, difference = value.get("choice"), bits_of(value.get("difference"))
    if not is_index(choice):
        return f"found {choice!r}, expected 0 or 1"
    wrong = value.get("decided") is True and difference and choice != (0 if difference > 0 else 1)
    return f"found {choice} with a difference of {difference}" if wrong else ""


@if_terms
def right_choice(value: Value) -> str:
    """An item is right if and only if the choice is the answer."""
    right, choice, answer = value.get("right"), value.get("choice"), value.get("answer")
    if type(right) is not bool:
        return f"found {right!r}, expected true or false"
    wrong = is_index(choice) and is_index(answer) and right is not (choice == answer)
    return f"found {right} for choice {choice} and answer {answer}" if wrong else ""


def _texts(value: Value) -> list[str]:
    return [*texts_of(value, "id", "reference"), *list_of(value, "candidates", str)]


PMI = Suite("pmi", "answers by word association (JSON Lines)", read_answers, {
    "contract": contract,
    "id-of-a-member": id_of_a_member,
    "answer-of-two": answer_of_two,
    "both-members": both_members,
    "answers-of-both": answers_of_both,
    "words-of-both": words_of_both,
    "two-words": two_words,
    "another-reference": another_reference,
    "whole-counts": whole_counts,
    "joint-within-singles": joint_within_singles,
    "same-counts": same_counts,
    "pmis-are-numbers": pmis_are_numbers,
    "undefined-pmi": undefined_pmi,
    "infinite-pmi": infinite_pmi,
    "pmi-of-counts": pmi_of_counts,
    "difference-of-pmis": difference_of_pmis,
    "decided-by-difference": decided_by_difference,
    "one-threshold": one_threshold,
    "choice-by-sign": choice_by_sign,
    "right-choice": right_choice,
    "no-invisible-character": described("No invisible character.", lambda value: texts.check_invisible(_texts(value))),
    "composed-unicode": described("Unicode's composed form (NFC).", lambda value: texts.check_composed(_texts(value))),
    "simplified-script": described(
        "Chinese is in simplified script.",
        lambda value: texts.check_script(_texts(value), text_of(value, "id").split("-")[0]),
    ),
})  # fmt: skip
