"""Defects of the association baseline: words to count, and corpus counts."""

from copy import deepcopy

from .defect import ANY, Change, Damage, Defect, Row, Rows, in_row, put, twice, without

# --- counts ---------------------------------------------------------------------------------------------------------------


def of_pair(row: Row) -> bool:
    return len(row.get("terms", [])) == 2


def in_first_pair(change: Change) -> Damage:
    return in_row(change, of_pair)


def counts_by_terms(rows: Rows) -> dict[tuple[str, ...], int]:
    return {tuple(row["terms"]): row["count"] for row in rows if "terms" in row}


def first_term(form: str) -> Damage:
    """Return the damage that changes a counted term; {} stands for the term."""
    return in_row(put(terms=lambda row: [form.format(row["terms"][0])]))


def second_term(form: str) -> Damage:
    """Return the damage that changes the second term of a pair."""
    return in_first_pair(put(terms=lambda row: [row["terms"][0], form.format(row["terms"][1])]))


def one_window_too_many(rows: Rows) -> Rows:
    """Count a pair in one more window than its rarer term."""
    singles = counts_by_terms(rows)
    copy = deepcopy(rows)
    pair = next(filter(of_pair, copy))
    pair["count"] = 1 + min(singles[term,] for term in pair["terms"])
    return copy


TREE = ["一旁", "作业"]


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
    *(
        Defect(name, "counts", expectation, damage)
        for name, expectation, damage in (
            ("counts-note-in-a-line", "contract", in_row(put(note=""))),
            ("counts-estimate-denied", "contract", in_row(put(estimated=False), start=0)),
            ("counts-three-terms", "contract", in_first_pair(put(terms=lambda row: [*row["terms"], "龥"]))),
            ("counts-no-term", "contract", in_row(put(terms=[]))),
            ("counts-count-without-a-name", "contract", in_row(without("count"))),
            ("counts-never-occurs", "positive-count", in_row(put(count=0))),
            ("counts-wrapped-around", "positive-count", in_first_pair(put(count=-(2**31)))),
            ("counts-count-as-text", "positive-count", in_row(put(count=lambda row: str(row["count"])))),
            ("counts-count-as-share", "positive-count", in_row(put(count=0.25))),
            ("counts-count-as-truth-value", "positive-count", in_row(put(count=True))),
            ("counts-count-unknown", "positive-count", in_row(put(count=None))),
            ("counts-windows-of-no-corpus", "positive-count", in_row(put(windows=0), start=0)),
            ("counts-term-of-two-words", "words", in_row(put(terms=["一 身"]))),
            ("counts-blank-behind-a-term", "words", second_term("{} ")),
            ("counts-term-empty", "words", in_row(put(terms=[""]))),
            ("counts-term-with-itself", "different-terms", in_first_pair(put(terms=lambda row: row["terms"][:1] * 2))),
            ("counts-pair-turned-round", "pair-in-order", in_first_pair(lambda row: row["terms"].reverse())),
            ("counts-windows-last", "windows-first", lambda rows: [*rows[1:], rows[0]]),
            ("counts-windows-for-a-term", "windows-first",
             lambda rows: [{"terms": ["windows"], "count": rows[0]["windows"]}, *rows[1:]]),
            ("counts-windows-in-between", "windows-first", lambda rows: [*rows[1:4], rows[0], *rows[4:]]),
            ("counts-term-twice", "given-once", twice()),
            ("counts-term-twice-with-another-count", "given-once", twice(put(count=1))),
            ("counts-windows-twice", "given-once", twice(put(windows=1), at=0)),
            ("counts-lines-exchanged", "lines-in-order", next_before),
            ("counts-pair-before-terms", "lines-in-order", pair_before_terms),
            ("counts-term-of-another-corpus", "within-windows", in_row(put(count=10**9))),
            ("counts-pair-of-another-corpus", "within-windows", in_first_pair(put(count=10**9))),
            ("counts-term-not-counted-alone", "terms-counted", second_term("龥")),
            ("counts-pair-in-one-window-too-many", "joint-within-singles", one_window_too_many),
            ("counts-zero-width-space", "no-invisible-character", first_term("{}\u200b")),
            ("counts-decomposed-letter", "composed-unicode", in_row(put(terms=["cafe\u0301"]))),
        )
    ),
    Defect("counts-two-terms-almost-everywhere", "counts", "either-within-windows", both_almost_everywhere,
           reported_id='["一旁", "作业"]'),
]  # fmt: skip


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


def term(form: str) -> Damage:
    """Return the damage that changes a line of the terms."""
    return lambda rows: [*rows[:ANY], form.format(rows[ANY]), *rows[ANY + 1 :]]


WORDS = [
    Defect(f"{start}-{name}", suite, expectation, damage(form))
    for name, form in NO_WORDS.items()
    for start, suite, expectation, damage in (
        ("counts-term", "counts", "words", first_term),
        ("term", "terms", "words", term),
    )
] + [
    Defect(f"{suite}-with-a-{name}", suite, "no-invisible-character", damage(f"{{}}{sign}"))
    for name, sign in UNSEEN.items()
    for suite, damage in (("counts", first_term), ("terms", term))
]


TERMS = [
    Defect("terms-empty-line", "terms", "words", term(""), reported_id="line 3"),
    Defect("terms-of-two-words", "terms", "words", term("{0} {0}")),
    Defect("terms-one-twice", "terms", "unique-id", lambda rows: [*rows[:ANY], rows[ANY], *rows[ANY:]]),
    Defect("terms-decomposed-letter", "terms", "composed-unicode", term("cafe\u0301")),
    Defect("terms-traditional-character", "terms", "simplified-script", term("\u8001\u5e2b")),
]

ASSOCIATIONS = [*COUNTS, *WORDS, *TERMS]
