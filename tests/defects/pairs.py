"""Defects of pairs and of the balance of answers."""

from copy import deepcopy

from .defect import (
    ANY,
    Change,
    Damage,
    Defect,
    Row,
    Rows,
    append,
    drop,
    ending,
    every,
    fill,
    from_row,
    in_row,
    in_turn,
    of,
    put,
    replace,
    twice,
)
from .items import EN, other_answer

#: Too long a sentence for what the members of a pair may differ in.
LONG = "大家看了都觉得这件事情十分有意思。"
RELEASED = "release/zh/data/zh.jsonl"


def member_b(change: Change) -> Damage:
    """Return the damage that changes member b of the second schema."""
    return in_row(change, start=ANY + 1)


#: The wording of member a in member b; only the answers differ then.
SAME_TEXT = from_row(-1, "text", "target", "question", at=ANY + 1)


def pronoun_of_other_gender(row: Row) -> None:
    """Write the target with another character that sounds the same."""
    start, end = row["target"]["start"], row["target"]["end"]
    row["text"] = f"{row['text'][:start]}{'他' if row['text'][start] == '它' else '它'}{row['text'][end:]}"


def with_they(row: Row) -> bool:
    return " they " in row["text"]


def target_left_out(row: Row) -> None:
    """Drop the target from one member."""
    start, end = row["target"]["start"], row["target"]["end"]
    row.update(text=row["text"][:start] + row["text"][end:], target={"start": start, "end": start})


PAIRS = [
    Defect("member-missing", "pairs", "two-members", drop(ANY + 1)),
    Defect("third-member", "pairs", "two-members", twice(put(version="c", id="zh-0002-c"))),
    Defect("member-b-labelled-a", "pairs", "two-members", member_b(put(version="a"))),
    Defect("schema-misspelt-in-one-member", "pairs", "two-members", member_b(put(schema="zh-2000"))),
    Defect("same-text-twice", "pairs", "different-texts", SAME_TEXT),
    Defect("two-languages", "pairs", "same-language", member_b(put(lang="zh-Hant"))),
    Defect("source-of-one-member-only", "pairs", "same-source", member_b(put(source="another book"))),
    Defect("source-lost-in-one-member", "pairs", "same-source", member_b(put(source=""))),
    Defect("pair-with-different-candidates", "pairs", "same-candidates", from_row(2, "candidates")),
    Defect("candidates-in-another-order", "pairs", "same-candidates", member_b(lambda row: row["candidates"].reverse())),
    Defect("swapped-answer", "pairs", "answers-flip", in_row(other_answer)),
    Defect("swapped-answer-of-an-occupation", "pairs", "answers-flip", in_row(other_answer), EN),
    Defect("answer-lost", "pairs", "answers-flip", in_row(put(answer=None))),
    Defect("another-beginning", "pairs", "same-beginning", member_b(fill(text="后来，{text}"))),
    Defect("member-of-another-schema", "pairs", "small-difference", from_row(1, "text", "target", "candidates", at=ANY + 1)),
    Defect("sentence-added-to-one-member", "pairs", "small-difference", member_b(append("text", LONG))),
    Defect("members-differ-in-a-mark", "pairs", "difference-in-words", in_turn(SAME_TEXT, member_b(ending("text", "！")))),
    Defect("members-differ-in-a-blank", "pairs", "difference-in-words", in_turn(SAME_TEXT, member_b(append("text", " ")))),
    Defect("pronoun-of-other-gender-in-one-member", "pairs", "same-anaphor", member_b(pronoun_of_other_gender)),
    Defect("zero-in-one-member-only", "pairs", "same-anaphor", member_b(target_left_out)),
    Defect("pronoun-set-of-another-sentence", "pairs", "same-anaphor", in_row(replace("text", " they ", " them "), with_they), EN),
]  # fmt: skip


def one_sided_kind(rows: Rows) -> Rows:
    """Misspell the kind of three items, which all have the same answer."""
    copy = deepcopy(rows)
    for row in [row for row in copy if row["answer"] == 0][:3]:
        row["kind"] = "phisical"
    return copy


LABELS = [
    Defect(name, "labels", expectation, damage, artifact, reported)
    for name, expectation, reported, artifact, damage in (
        ("first-candidate-always-right", "balanced", "all", "", every(put(answer=0))),
        (
            "member-a-always-first",
            "balanced",
            "version a",
            "",
            every(put(answer=lambda row: "ab".index(row["version"]))),
        ),
        ("one-kind-imbalanced", "balanced", "kind physical", RELEASED, every(put(answer=1), of(kind="physical"))),
        ("one-pronoun-set-imbalanced", "balanced", "pronouns they", EN, every(put(answer=0), of(pronouns="they"))),
        ("answers-lost", "balanced", "all", "", every(put(answer=None))),
        ("kind-with-one-answer-only", "both-occur", "kind phisical", RELEASED, one_sided_kind),
        ("second-candidate-never-right", "both-occur", "all", "", every(put(answer=0))),
    )
]
