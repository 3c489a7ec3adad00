"""Defects of pairs and of the balance of answers."""

from collections.abc import Callable
from copy import deepcopy

from .defect import ANY, Change, Damage, Defect, Row, Rows, append, drop, from_row, in_row, put, replace, twice
from .items import EN, other_answer

RELEASED = "release/zh/data/zh.jsonl"


def member_b(change: Change) -> Damage:
    """Return the damage that changes member b of the second schema."""
    return in_row(change, start=ANY + 1)


def same_text(rows: Rows) -> Rows:
    """Copy member a over member b, except for the answer."""
    copy = deepcopy(rows)
    copy[ANY + 1].update({field: deepcopy(rows[ANY][field]) for field in ("text", "target", "question")})
    return copy


def mark_only(rows: Rows) -> Rows:
    """Let the members differ only in their last mark."""
    copy = same_text(rows)
    copy[ANY + 1]["text"] = copy[ANY + 1]["text"].removesuffix("。") + "！"
    return copy


def blank_only(rows: Rows) -> Rows:
    """Let the members differ only in a blank."""
    copy = same_text(rows)
    copy[ANY + 1]["text"] += " "
    return copy


def of_another_schema(rows: Rows) -> Rows:
    """Copy the wording of the next schema into one member."""
    copy = deepcopy(rows)
    copy[ANY + 1].update({field: deepcopy(rows[ANY + 2][field]) for field in ("text", "target", "candidates")})
    return copy


def pronoun_of_other_gender(row: Row) -> None:
    """Write the target with another character that sounds the same."""
    start, end = row["target"]["start"], row["target"]["end"]
    row["text"] = f"{row['text'][:start]}{'他' if row['text'][start] == '它' else '它'}{row['text'][end:]}"


def target_left_out(row: Row) -> None:
    """Drop the target from one member."""
    start, end = row["target"]["start"], row["target"]["end"]
    row.update(text=row["text"][:start] + row["text"][end:], target={"start": start, "end": start})


PAIRS = [
    Defect("member-missing", "pairs", "two-members", drop(ANY + 1)),
    Defect("third-member", "pairs", "two-members", twice(put(version="c", id="zh-0002-c"))),
    Defect("member-b-labelled-a", "pairs", "two-members", member_b(put(version="a"))),
    Defect("schema-misspelt-in-one-member", "pairs", "two-members", member_b(put(schema="zh-2000"))),
    Defect("same-text-twice", "pairs", "different-texts", same_text),
    Defect("two-languages", "pairs", "same-language", member_b(put(lang="zh-Hant"))),
    Defect("source-of-one-member-only", "pairs", "same-source", member_b(put(source="another book"))),
    Defect("source-lost-in-one-member", "pairs", "same-source", member_b(put(source=""))),
    Defect("pair-with-different-candidates", "pairs", "same-candidates", from_row("candidates", 2)),
    Defect(
        "candidates-in-another-order",
        "pairs",
        "same-candidates",
        member_b(put(candidates=lambda row: row["candidates"][::-1])),
    ),
    Defect("swapped-answer", "pairs", "answers-flip", in_row(other_answer)),
    Defect("swapped-answer-of-an-occupation", "pairs", "answers-flip", in_row(other_answer), EN),
    Defect("answer-lost", "pairs", "answers-flip", in_row(put(answer=None))),
    Defect("another-beginning", "pairs", "same-beginning", member_b(put(text=lambda row: f"后来，{row['text']}"))),
    Defect("member-of-another-schema", "pairs", "small-difference", of_another_schema),
    Defect(
        "sentence-added-to-one-member",
        "pairs",
        "small-difference",
        member_b(append("text", "大家看了都觉得这件事情十分有意思。")),
    ),
    Defect("members-differ-in-a-mark", "pairs", "difference-in-words", mark_only),
    Defect("members-differ-in-a-blank", "pairs", "difference-in-words", blank_only),
    Defect("pronoun-of-other-gender-in-one-member", "pairs", "same-anaphor", member_b(pronoun_of_other_gender)),
    Defect("zero-in-one-member-only", "pairs", "same-anaphor", member_b(target_left_out)),
    Defect(
        "pronoun-set-of-another-sentence",
        "pairs",
        "same-anaphor",
        in_row(replace("text", " they ", " them "), lambda row: " they " in row["text"]),
        EN,
    ),
]


def answers(choose: Callable[[Row], object]) -> Damage:
    """Return the damage that sets the answer of each row to the result of a function."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        for row in copy:
            row["answer"] = choose(row)
        return copy

    return damage


def one_sided_kind(rows: Rows) -> Rows:
    """Misspell the kind of three items, which all have the same answer."""
    copy = deepcopy(rows)
    for row in [row for row in copy if row["answer"] == 0][:3]:
        row["kind"] = "phisical"
    return copy


LABELS = [
    Defect("first-candidate-always-right", "labels", "balanced", answers(lambda _: 0), reported_id="all"),
    Defect(
        "member-a-always-first",
        "labels",
        "balanced",
        answers(lambda row: "ab".index(row["version"])),
        reported_id="version a",
    ),
    Defect(
        "one-kind-imbalanced",
        "labels",
        "balanced",
        answers(lambda row: 1 if row["kind"] == "physical" else row["answer"]),
        RELEASED,
        "kind physical",
    ),
    Defect(
        "one-pronoun-set-imbalanced",
        "labels",
        "balanced",
        answers(lambda row: 0 if row["pronouns"] == "they" else row["answer"]),
        EN,
        "pronouns they",
    ),
    Defect("answers-lost", "labels", "balanced", answers(lambda _: None), reported_id="all"),
    Defect("kind-with-one-answer-only", "labels", "both-occur", one_sided_kind, RELEASED, "kind phisical"),
    Defect("second-candidate-never-right", "labels", "both-occur", answers(lambda _: 0), reported_id="all"),
]
