"""Defects of the association baseline: corpus counts, and the answers that follow from them."""

import math
from collections import Counter
from collections.abc import Callable
from copy import deepcopy

from .defect import ANY, Change, Damage, Defect, Row, Rows, append, in_row, put, twice, without

ZWSP = "\u200b"


# --- counts ---------------------------------------------------------------------------------------------------------------


def of_pair(row: Row) -> bool:
    return len(row.get("terms", [])) == 2


def in_first_pair(change: Change) -> Damage:
    return in_row(change, of_pair)


def counts_by_terms(rows: Rows) -> dict[tuple[str, ...], int]:
    return {tuple(row["terms"]): row["count"] for row in rows if "terms" in row}


def one_window_too_many(rows: Rows) -> Rows:
    """Count a pair in one more window than its rarer term."""
    singles = counts_by_terms(rows)
    copy = deepcopy(rows)
    pair = next(filter(of_pair, copy))
    pair["count"] = 1 + min(singles[term,] for term in pair["terms"])
    return copy


TREE = ["剪", "桂花"]


def both_almost_everywhere(rows: Rows) -> Rows:
    """Count each of two terms in 60 % of the windows, and the pair as rarely as before."""
    often = rows[0]["windows"] * 6 // 10
    return [{**row, "count": often} if row.get("terms") in ([TREE[0]], [TREE[1]]) else row for row in rows]


def next_before(rows: Rows) -> Rows:
    """Swap a line with the next one."""
    return [*rows[:ANY], rows[ANY + 1], rows[ANY], *rows[ANY + 2 :]]


def pair_before_terms(rows: Rows) -> Rows:
    """Swap the first pair with the last single term, which precedes it."""
    at = next(number for number, row in enumerate(rows) if of_pair(row))
    return [*rows[: at - 1], rows[at], rows[at - 1], *rows[at + 1 :]]


COUNTS = [
    Defect("counts-note-in-a-line", "counts", "contract", in_row(put(note=""))),
    Defect("counts-estimate-denied", "counts", "contract", in_row(put(estimated=False), start=0)),
    Defect("counts-three-terms", "counts", "contract", in_first_pair(put(terms=lambda row: [*row["terms"], "龥"]))),
    Defect("counts-no-term", "counts", "contract", in_row(put(terms=[]))),
    Defect("counts-count-without-a-name", "counts", "contract", in_row(without("count"))),
    Defect("counts-never-occurs", "counts", "positive-count", in_row(put(count=0))),
    Defect("counts-wrapped-around", "counts", "positive-count", in_first_pair(put(count=-(2**31)))),
    Defect("counts-count-as-text", "counts", "positive-count", in_row(put(count=lambda row: str(row["count"])))),
    Defect("counts-count-as-share", "counts", "positive-count", in_row(put(count=0.25))),
    Defect("counts-count-as-truth-value", "counts", "positive-count", in_row(put(count=True))),
    Defect("counts-count-unknown", "counts", "positive-count", in_row(put(count=None))),
    Defect("counts-windows-of-no-corpus", "counts", "positive-count", in_row(put(windows=0), start=0)),
    Defect("counts-term-of-two-words", "counts", "words", in_row(put(terms=["一 身"]))),
    Defect(
        "counts-blank-behind-a-term",
        "counts",
        "words",
        in_first_pair(put(terms=lambda row: [row["terms"][0], row["terms"][1] + " "])),
    ),
    Defect("counts-term-empty", "counts", "words", in_row(put(terms=[""]))),
    Defect(
        "counts-term-with-itself",
        "counts",
        "different-terms",
        in_first_pair(put(terms=lambda row: row["terms"][:1] * 2)),
    ),
    Defect("counts-pair-turned-round", "counts", "pair-in-order", in_first_pair(lambda row: row["terms"].reverse())),
    Defect("counts-windows-last", "counts", "windows-first", lambda rows: [*rows[1:], rows[0]]),
    Defect(
        "counts-windows-for-a-term",
        "counts",
        "windows-first",
        lambda rows: [{"terms": ["windows"], "count": rows[0]["windows"]}, *rows[1:]],
    ),
    Defect("counts-windows-in-between", "counts", "windows-first", lambda rows: [*rows[1:4], rows[0], *rows[4:]]),
    Defect("counts-term-twice", "counts", "given-once", twice()),
    Defect("counts-term-twice-with-another-count", "counts", "given-once", twice(put(count=1))),
    Defect("counts-windows-twice", "counts", "given-once", twice(put(windows=1), at=0)),
    Defect("counts-lines-exchanged", "counts", "lines-in-order", next_before),
    Defect("counts-pair-before-terms", "counts", "lines-in-order", pair_before_terms),
    Defect("counts-term-of-another-corpus", "counts", "within-windows", in_row(put(count=10**9))),
    Defect("counts-pair-of-another-corpus", "counts", "within-windows", in_first_pair(put(count=10**9))),
    Defect(
        "counts-term-not-counted-alone",
        "counts",
        "terms-counted",
        in_first_pair(put(terms=lambda row: [row["terms"][0], "龥"])),
    ),
    Defect("counts-pair-in-one-window-too-many", "counts", "joint-within-singles", one_window_too_many),
    Defect(
        "counts-two-terms-almost-everywhere",
        "counts",
        "either-within-windows",
        both_almost_everywhere,
        reported_id='["剪", "桂花"]',
    ),
    Defect(
        "counts-zero-width-space",
        "counts",
        "no-invisible-character",
        in_row(put(terms=lambda row: [row["terms"][0] + ZWSP])),
    ),
    Defect("counts-decomposed-letter", "counts", "composed-unicode", in_row(put(terms=["cafe\u0301"]))),
]


# --- answers ----------------------------------------------------------------------------------------------------------------


def finite(row: Row) -> bool:
    return all(isinstance(value, float) for value in row.get("pmi", [None]))


def never_met(row: Row) -> bool:
    return str(row.get("difference")).endswith("inf")


def undecided(row: Row) -> bool:
    return row.get("decided") is False


def has_terms(row: Row) -> bool:
    return "candidates" in row


def where(kind: str, change: Change, *, start: int = ANY) -> Damage:
    """Return the damage that changes the first row of a kind."""
    kinds = {"has-terms": has_terms, "finite": finite, "never-met": never_met, "undecided": undecided}
    return in_row(change, kinds[kind], start)


def second(field: str, value: object) -> Change:
    """Return the change that sets the second candidate's value of a field."""
    return put(**{field: lambda row: [row[field][0], value(row) if callable(value) else value]})


def unmet(value: object) -> Change:
    """Return the change that replaces the PMI of words that never co-occur."""
    return put(pmi=lambda row: [value if pmi == "-inf" else pmi for pmi in row["pmi"]])


def unknown_word_with_pmi_zero(row: Row) -> None:
    """Let the second candidate's word never occur, with PMI 0 instead of undefined."""
    for field, value in (("counts", 0), ("joint_counts", 0), ("pmi", 0.0)):
        row[field][1] = value


def with_frequent_word(change: Change) -> Damage:
    """Return the damage that changes the last row with the most frequent second word."""

    def damage(rows: Rows) -> Rows:
        (word, _), *_ = Counter(row["candidates"][1] for row in rows if has_terms(row)).most_common(1)
        copy = deepcopy(rows)
        change([row for row in copy if has_terms(row) and row["candidates"][1] == word][-1])
        return copy

    return damage


def answered_wrongly(row: Row) -> None:
    """Choose the other candidate, consistently."""
    row["choice"] = 1 - row["choice"]
    row["right"] = not row["right"]


def of_largest_difference(change: Change) -> Damage:
    """Return the damage that changes the row with the largest difference of finite PMIs."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        change(max(filter(finite, copy), key=lambda row: abs(row["difference"])))
        return copy

    return damage


def scaled(factor: float) -> Change:
    """Return the change that scales all values in bits."""
    return put(pmi=lambda row: [factor * pmi for pmi in row["pmi"]], difference=lambda row: factor * row["difference"])


PMI = [
    Defect("pmi-note-in-a-row", "pmi", "contract", in_row(put(note=""))),
    Defect("pmi-choice-lost", "pmi", "contract", where("has-terms", without("choice"))),
    Defect("pmi-reference-lost", "pmi", "contract", where("has-terms", without("reference"))),
    Defect("pmi-id-of-the-schema", "pmi", "id-of-a-member", in_row(put(id=lambda row: row["id"][:-2]))),
    Defect("pmi-member-counted", "pmi", "id-of-a-member", in_row(put(id=lambda row: f"{row['id'][:-1]}1"))),
    Defect("pmi-answer-counted-from-one", "pmi", "answer-of-two", in_row(put(answer=2))),
    Defect("pmi-answer-as-text", "pmi", "answer-of-two", in_row(put(answer="0"))),
    Defect("pmi-answer-as-truth-value", "pmi", "answer-of-two", in_row(put(answer=True))),
    Defect(
        "pmi-one-word-for-both",
        "pmi",
        "two-words",
        where("has-terms", second("candidates", lambda row: row["candidates"][0])),
    ),
    Defect(
        "pmi-one-candidate", "pmi", "two-words", where("has-terms", put(candidates=lambda row: row["candidates"][:1]))
    ),
    Defect("pmi-candidate-of-two-words", "pmi", "two-words", where("has-terms", second("candidates", "the ox"))),
    Defect("pmi-candidate-empty", "pmi", "two-words", where("has-terms", second("candidates", ""))),
    Defect(
        "pmi-reference-of-a-candidate",
        "pmi",
        "another-reference",
        where("has-terms", put(reference=lambda row: row["candidates"][1])),
    ),
    Defect("pmi-reference-unknown", "pmi", "another-reference", where("has-terms", put(reference=None))),
    Defect("pmi-reference-empty", "pmi", "another-reference", where("has-terms", put(reference=""))),
    Defect("pmi-count-missing", "pmi", "whole-counts", where("has-terms", put(counts=lambda row: row["counts"][:1]))),
    Defect("pmi-count-below-zero", "pmi", "whole-counts", where("has-terms", second("joint_counts", -1))),
    Defect("pmi-count-as-share", "pmi", "whole-counts", where("has-terms", second("counts", 0.5))),
    Defect("pmi-count-of-the-reference-unknown", "pmi", "whole-counts", where("has-terms", put(reference_count=None))),
    Defect(
        "pmi-together-in-one-window-too-many",
        "pmi",
        "joint-within-singles",
        where("has-terms", second("joint_counts", lambda row: 1 + min(row["counts"][1], row["reference_count"]))),
    ),
    Defect(
        "pmi-one-window-more",
        "pmi",
        "same-counts",
        with_frequent_word(second("counts", lambda row: row["counts"][1] + 1)),
    ),
    Defect(
        "pmi-count-of-another-corpus",
        "pmi",
        "same-counts",
        with_frequent_word(second("counts", lambda row: 1000 * row["counts"][1])),
    ),
    Defect("pmi-as-text", "pmi", "pmis-are-numbers", where("has-terms", second("pmi", "1.25"))),
    Defect("pmi-infinite-upwards", "pmi", "pmis-are-numbers", where("has-terms", second("pmi", "inf"))),
    Defect("pmi-as-truth-value", "pmi", "pmis-are-numbers", where("has-terms", second("pmi", False))),
    Defect("pmi-of-one-candidate", "pmi", "pmis-are-numbers", where("has-terms", put(pmi=lambda row: row["pmi"][:1]))),
    Defect("pmi-unknown-of-words-that-occur", "pmi", "undefined-pmi", where("finite", second("pmi", None))),
    Defect("pmi-unknown-where-words-never-meet", "pmi", "undefined-pmi", where("never-met", unmet(None))),
    Defect("pmi-zero-of-a-word-that-never-occurs", "pmi", "undefined-pmi", where("finite", unknown_word_with_pmi_zero)),
    Defect("pmi-infinite-of-words-that-meet", "pmi", "infinite-pmi", where("finite", second("pmi", "-inf"))),
    Defect("pmi-zero-where-words-never-meet", "pmi", "infinite-pmi", where("never-met", unmet(0.0))),
    Defect("pmi-with-natural-logarithms", "pmi", "pmi-of-counts", where("finite", scaled(math.log(2)))),
    Defect(
        "pmi-of-other-windows",
        "pmi",
        "pmi-of-counts",
        where("finite", put(pmi=lambda row: [pmi + 0.001 for pmi in row["pmi"]])),
    ),
    Defect(
        "pmi-without-the-windows",
        "pmi",
        "pmi-of-counts",
        where("never-met", put(pmi=lambda row: [pmi if pmi == "-inf" else pmi - 13.0 for pmi in row["pmi"]])),
    ),
    Defect("pmi-of-candidates-exchanged", "pmi", "pmi-of-counts", where("finite", lambda row: row["pmi"].reverse())),
    Defect(
        "pmi-difference-turned-round",
        "pmi",
        "difference-of-pmis",
        where("finite", put(difference=lambda row: -row["difference"])),
    ),
    Defect("pmi-difference-of-nothing-zero", "pmi", "difference-of-pmis", where("undecided", put(difference=0.0))),
    Defect("pmi-difference-unknown", "pmi", "difference-of-pmis", where("finite", put(difference=None))),
    Defect("pmi-difference-cut-off", "pmi", "difference-of-pmis", where("never-met", put(difference=100.0))),
    Defect("pmi-decided-by-nothing", "pmi", "decided-by-difference", where("undecided", put(decided=True))),
    Defect("pmi-decided-as-text", "pmi", "decided-by-difference", where("has-terms", put(decided="true"))),
    Defect("pmi-clear-and-not-decided", "pmi", "one-threshold", of_largest_difference(put(decided=False))),
    Defect("pmi-infinitely-clear-and-not-decided", "pmi", "one-threshold", where("never-met", put(decided=False))),
    Defect("pmi-other-candidate-chosen", "pmi", "choice-by-sign", where("finite", answered_wrongly)),
    Defect(
        "pmi-other-candidate-of-an-infinite-difference", "pmi", "choice-by-sign", where("never-met", answered_wrongly)
    ),
    Defect("pmi-choice-unknown", "pmi", "choice-by-sign", where("undecided", put(choice=None))),
    Defect("pmi-choice-counted-from-one", "pmi", "choice-by-sign", where("undecided", put(choice=2))),
    Defect(
        "pmi-wrong-called-right", "pmi", "right-choice", where("has-terms", put(right=lambda row: not row["right"]))
    ),
    Defect(
        "pmi-answer-changed-afterwards",
        "pmi",
        "right-choice",
        where("has-terms", put(answer=lambda row: 1 - row["answer"])),
    ),
    Defect("pmi-right-as-number", "pmi", "right-choice", where("has-terms", put(right=lambda row: int(row["right"])))),
    Defect("pmi-zero-width-space", "pmi", "no-invisible-character", where("has-terms", append("reference", ZWSP))),
    Defect("pmi-decomposed-letter", "pmi", "composed-unicode", where("has-terms", second("candidates", "cafe\u0301"))),
    Defect("pmi-item-twice", "pmi", "unique-id", twice()),
    Defect("pmi-id-twice", "pmi", "unique-id", twice(put(answer=lambda row: 1 - row["answer"]))),
]

# --- words ------------------------------------------------------------------------------------------------------------------

#: What makes of a word no word, by name; no character is invisible.
NO_WORDS: dict[str, str] = {
    "with-a-full-stop": "{}\u3002",
    "with-a-comma": "{}\uff0ca",
    "in-quotation-marks": "\u201c{}\u201d",
    "in-brackets": "[{}]",
    "with-a-full-width-letter": "{}\uff21",
    "with-an-arabic-letter": "{}\u0627",
    "with-a-cyrillic-letter": "{}\u0430",
    "with-an-emoji": "{}\U0001f600",
    "with-a-tag": "<b>{}</b>",
    "with-a-placeholder": "${}",
    "with-a-replacement-character": "{}\ufffd",
    "with-a-combining-accent": "{}\u0301",
    "with-an-unassigned-character": "{}\U000323b0",
    "with-a-kangxi-radical": "{}\u2f24",
    "with-a-circled-digit": "{}\u2460",
    "with-a-blank-in-front": " {}",
    "of-a-dash": "\u2014",
}
#: Characters that nobody sees.
UNSEEN = {
    "variation-selector": "\U000e0100",
    "tag-character": "\U000e0041",
    "hangul-filler": "\u3164",
    "blank-braille-pattern": "\u2800",
    "private-use-character": "\ue000",
    "noncharacter": "\uffff",
    "soft-hyphen": "\u00ad",
    "right-to-left-mark": "\u200f",
    "control-character": "\x01",
}


def first_term(change: Callable[[str], str]) -> Damage:
    """Return the damage that changes a counted term."""
    return in_row(put(terms=lambda row: [change(row["terms"][0])]))


def term(change: Callable[[str], str]) -> Damage:
    """Return the damage that changes a line of the terms."""
    return lambda rows: [*rows[:ANY], change(rows[ANY]), *rows[ANY + 1 :]]


def reference(change: Callable[[str], str]) -> Damage:
    """Return the damage that changes a reference."""
    return where("has-terms", put(reference=lambda row: change(row["reference"])))


def candidate(change: Callable[[str], str]) -> Damage:
    """Return the damage that changes the second candidate."""
    return where("has-terms", second("candidates", lambda row: change(row["candidates"][1])))


WORDS = [
    Defect(f"{start}-{name}", suite, expectation, damage(form.format))
    for name, form in NO_WORDS.items()
    for start, suite, expectation, damage in (
        ("counts-term", "counts", "words", first_term),
        ("pmi-candidate", "pmi", "two-words", candidate),
        ("pmi-reference", "pmi", "another-reference", reference),
        ("term", "terms", "words", term),
    )
] + [
    Defect(f"{suite}-with-a-{name}", suite, "no-invisible-character", damage(f"{{}}{sign}".format))
    for name, sign in UNSEEN.items()
    for suite, damage in (("counts", first_term), ("pmi", reference), ("terms", term))
]


def second_member(change: Change) -> Damage:
    """Return the damage that changes the second member of a schema with terms."""
    return in_row(change, lambda row: has_terms(row) and row["id"].endswith("-b"))


MEMBERS = [
    Defect(
        "pmi-first-member-lost", "pmi", "both-members", lambda rows: [*rows[:2], *rows[3:]], reported_id="zh-0002-b"
    ),
    Defect(
        "pmi-second-member-lost", "pmi", "both-members", lambda rows: [*rows[:3], *rows[4:]], reported_id="zh-0002-a"
    ),
    Defect(
        "pmi-members-exchanged",
        "pmi",
        "both-members",
        lambda rows: [*rows[:2], rows[3], rows[2], *rows[4:]],
        reported_id="zh-0002-a",
    ),
    Defect(
        "pmi-id-of-another-schema", "pmi", "both-members", second_member(put(id="zh-9999-b")), reported_id="zh-0002-a"
    ),
    Defect("pmi-id-of-a-third-member", "pmi", "both-members", second_member(put(id=lambda row: row["id"][:-1] + "c"))),
    Defect("pmi-answer-of-both", "pmi", "answers-of-both", second_member(put(answer=lambda row: 1 - row["answer"]))),
    Defect(
        "pmi-words-of-another-schema",
        "pmi",
        "words-of-both",
        second_member(put(candidates=["\u8001\u5e08", "\u5b66\u751f"])),
    ),
    Defect("pmi-candidates-exchanged", "pmi", "words-of-both", second_member(lambda row: row["candidates"].reverse())),
    Defect(
        "pmi-reference-cut-off",
        "pmi",
        "words-of-both",
        second_member(put(candidates=lambda row: [row["candidates"][0] + "\u4eec", row["candidates"][1]])),
    ),
    Defect(
        "pmi-traditional-character",
        "pmi",
        "simplified-script",
        where("has-terms", second("candidates", "\u8001\u5e2b")),
    ),
    Defect("pmi-id-with-a-blank", "pmi", "id-of-a-member", in_row(put(id="zh 0002-a"))),
    Defect("pmi-id-with-a-mark", "pmi", "id-of-a-member", in_row(put(id="zh-0002?-a"))),
    Defect("pmi-id-with-an-emoji", "pmi", "id-of-a-member", in_row(put(id="zh-\U0001f600-a"))),
]

TERMS = [
    Defect("terms-empty-line", "terms", "words", term(lambda _: ""), reported_id="line 3"),
    Defect("terms-of-two-words", "terms", "words", term(lambda word: f"{word} {word}")),
    Defect("terms-one-twice", "terms", "unique-id", lambda rows: [*rows[:ANY], rows[ANY], *rows[ANY:]]),
    Defect("terms-decomposed-letter", "terms", "composed-unicode", term(lambda _: "cafe\u0301")),
    Defect("terms-traditional-character", "terms", "simplified-script", term(lambda _: "\u8001\u5e2b")),
]

ASSOCIATIONS = [*COUNTS, *PMI, *WORDS, *MEMBERS, *TERMS]
