"""Defects between the members of a schema, and between the rows of an item, in derived forms."""

from copy import deepcopy

from .defect import Change, Damage, Defect, Row, Rows, append, from_row, in_row, put
from .items import BESIDE, other_answer, other_candidate

#: The forms in traditional script.
TRADITIONAL = ("traditional-tw", "traditional-hk")
#: The forms with two rows an item, and those with one.
_TWO_ROWS, _ONE_ROW = ("nli", "disambiguated", "scoring"), ("winogrande", "names", "tokens", *TRADITIONAL)
#: The id of the first and of the second member of the second schema in the samples.
_FIRST, _SECOND = "zh-0002-a", "zh-0002-b"
#: The same of the first schema that has names: the form `names` has no others.
_NAMED = ("zh-0009-a", "zh-0009-b")


def rows_of(item: str, change: Change) -> Damage:
    """Return the damage that changes all rows of an item."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        for row in copy:
            if row["item"] == item:
                change(row)
        return copy

    return damage


def lost(item: str) -> Damage:
    """Return the damage that drops all rows of an item."""
    return lambda rows: [row for row in rows if row["item"] != item]


def fields_of(item: str, other: str, *fields: str) -> Damage:
    """Return the damage that gives the rows of an item the fields of another one's."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        given = [row for row in rows if row["item"] == other]
        for row, source in zip((row for row in copy if row["item"] == item), given, strict=True):
            row.update({field: deepcopy(source[field]) for field in fields})
        return copy

    return damage


def last_item(rows: Rows) -> str:
    return str(rows[-1]["item"])


def fields_of_last(*fields: str, item: str = _SECOND) -> Damage:
    """Return the damage that gives the rows of an item the fields of the last item's."""
    return lambda rows: fields_of(item, last_item(rows), *fields)(rows)


def members_of(suite: str) -> tuple[str, str]:
    """Return the ids of the members of the schema to damage in a form."""
    return _NAMED if suite == "names" else (_FIRST, _SECOND)


def flipped(row: Row) -> None:
    """Turn the label of a row round."""
    if "label" in row:
        row["label"] = {"ENTAILMENT": "NO ENTAILMENT", "NO ENTAILMENT": "ENTAILMENT"}[row["label"]]
    else:
        row["correct"] = not row["correct"]


#: The fields that hold the text of an item in each form.
_TEXT = {
    "nli": ("premise",),
    "disambiguated": ("text", "span"),
    "scoring": ("context", "continuation"),
    "winogrande": ("sentence",),
    "names": ("text", "target"),
    "tokens": ("text", "tokens", "offsets", "target", "candidates"),
    **dict.fromkeys(TRADITIONAL, ("text", "target")),
}


def between_members() -> list[Defect]:
    """Return the defects that every form can have between the members of a schema."""
    defects = []
    for suite, fields in _TEXT.items():
        first, second = members_of(suite)
        defects += [
            Defect(f"{suite}-other-member-lost", suite, "both-members", lost(second), reported_id=first),
            Defect(f"{suite}-text-of-the-other-member", suite, "small-difference", fields_of(second, first, *fields)),
            Defect(f"{suite}-text-of-another-schema", suite, "small-difference", fields_of_last(*fields, item=second)),
        ]
    for suite in _TWO_ROWS:
        defects += [
            Defect(f"{suite}-labels-turned-round", suite, "answers-flip", rows_of(_SECOND, flipped)),
            Defect(f"{suite}-schema-of-another-item", suite, "schema-of-item", in_row(put(schema="zh-0009"))),
            Defect(f"{suite}-schema-is-the-item", suite, "schema-of-item", in_row(put(schema=lambda row: row["item"]))),
        ]
    for suite in ("names", *TRADITIONAL):
        turned = rows_of(members_of(suite)[1], other_answer)
        defects.append(Defect(f"{suite}-answer-turned-round", suite, "answers-flip", turned))
    for suite in ("names", *TRADITIONAL, "winogrande"):
        other = in_row(put(id="zh-0001-a"))
        defects.append(Defect(f"{suite}-id-of-another-item", suite, "id-of-item", other))
    for suite in ("disambiguated", "scoring"):
        defects.append(
            Defect(f"{suite}-candidates-of-another-schema", suite, "same-candidates", fields_of_last("candidate"))
        )
    for suite in ("names", *TRADITIONAL):
        exchanged = rows_of(members_of(suite)[1], lambda row: row["candidates"].reverse())
        defects.append(Defect(f"{suite}-candidates-exchanged-in-one-member", suite, "same-candidates", exchanged))
    for suite, field in (("nli", "premise"), ("disambiguated", "text"), ("winogrande", "sentence"), ("tokens", "text")):
        unfinished = rows_of(_FIRST, put(**{field: lambda row, field=field: row[field].removesuffix("。")}))
        defects.append(Defect(f"{suite}-end-mark-lost", suite, "finished-sentence", unfinished))
    return defects


def lost_from_text(row: Row) -> None:
    """Write another animal for the first mention of the yellow ox."""
    row["text"] = row["text"].replace("黄牛", "骡子", 1)


def first_of_continuation_lost(row: Row) -> None:
    """Let context and continuation be parts of one English word."""
    row.update(context=row["context"] + "trop", continuation="hy" + row["continuation"])


def two_mentions(row: Row) -> Row:
    """Return a text that mentions the first candidate twice, once listed, in words."""
    words = ["黑牛", "和", "黄牛", "走", "，", "黑牛", "说", "它", "好", "。"]
    starts = [len("".join(words[:number])) for number in range(len(words))]
    return {
        "text": "".join(words),
        "tokens": words,
        "offsets": [[start, start + len(word)] for start, word in zip(starts, words, strict=True)],
        "target": {"start": 7, "end": 8},
        "candidates": [[[0, 1]], [[2, 3]]],
    }


def not_corrected(row: Row) -> bool:
    return not row["corrected"]


def ends_in_a_long_token(row: Row) -> bool:
    """Whether an uncorrected row has a token of two characters behind all ranges."""
    after = max(max(end for mentions in row["candidates"] for _, end in mentions), row["target"]["end"])
    return not_corrected(row) and any(len(token) > 1 for token in row["tokens"][after:])


def joined_tokens(row: Row, at: int) -> None:
    """Join two tokens before the first mention, and move the ranges behind them."""
    first = min(start for mentions in row["candidates"] for start, _ in mentions)
    after = max(max(end for mentions in row["candidates"] for _, end in mentions), row["target"]["end"])
    at = after if first < 2 else at
    row["tokens"][at : at + 2] = ["".join(row["tokens"][at : at + 2])]
    row["offsets"][at : at + 2] = [[row["offsets"][at][0], row["offsets"][at + 1][1]]]
    if at == after:
        return
    row["target"] = {edge: place - 1 for edge, place in row["target"].items()}
    row["candidates"] = [[[start - 1, end - 1] for start, end in mentions] for mentions in row["candidates"]]


def split_before_mention(row: Row) -> None:
    """Split the first word of two characters that is no mention, which the other member has in one piece."""
    ranges = [
        [row["target"]["start"], row["target"]["end"]],
        *(place for mentions in row["candidates"] for place in mentions),
    ]
    kept = {at for start, end in ranges for at in range(start, end)}
    at = next(at for at, token in enumerate(row["tokens"]) if len(token) == 2 and at not in kept)
    start, end = row["offsets"][at]
    row["tokens"][at : at + 1] = list(row["tokens"][at])
    row["offsets"][at : at + 1] = [[start, start + 1], [start + 1, end]]
    row["target"] = {edge: place + (place > at) for edge, place in row["target"].items()}
    row["candidates"] = [
        [[place + (place > at) for place in mention] for mention in mentions] for mentions in row["candidates"]
    ]


def split_token(row: Row) -> None:
    """Split the last token of two characters behind all ranges."""
    after = max(max(end for mentions in row["candidates"] for _, end in mentions), row["target"]["end"])
    at = next(at for at in range(len(row["tokens"]) - 1, after - 1, -1) if len(row["tokens"][at]) > 1)
    token, (start, end) = row["tokens"][at], row["offsets"][at]
    row["tokens"][at : at + 1] = [token[0], token[1:]]
    row["offsets"][at : at + 1] = [[start, start + 1], [start + 1, end]]


OF_FORMS = [
    *between_members(),
    Defect(
        "winogrande-answer-turned-round",
        "winogrande",
        "answers-flip",
        rows_of(_SECOND, put(answer=lambda row: {"1": "2", "2": "1"}[row["answer"]])),
    ),
    Defect("winogrande-schema-of-another-item", "winogrande", "schema-of-item", in_row(put(schema="zh-0009"))),
    Defect(
        "winogrande-options-of-another-item", "winogrande", "options-in-sentence", fields_of_last("option1", "option2")
    ),
    Defect(
        "winogrande-options-exchanged",
        "winogrande",
        "same-candidates",
        rows_of(_SECOND, lambda row: row.update(option1=row["option2"], option2=row["option1"])),
    ),
    Defect(
        "winogrande-blank-for-an-option",
        "winogrande",
        "options-in-sentence",
        in_row(lambda row: row.update(sentence=row["sentence"].replace("_", "它").replace(row["option1"], "_", 1))),
    ),
    Defect("nli-hypothesis-of-another-item", "nli", "hypothesis-of-premise", fields_of_last("hypothesis")),
    Defect("nli-hypothesis-of-nobody", "nli", "parallel-hypotheses", in_row(put(hypothesis="骡子陷得不深。"))),
    Defect(
        "nli-hypothesis-is-the-premise-but-for-a-mark",
        "nli",
        "one-premise",
        in_row(put(hypothesis=lambda row: row["premise"].replace("，", "；"))),
    ),
    Defect(
        "disambiguated-span-of-the-whole-sentence",
        "disambiguated",
        "expression-is-candidate",
        in_row(put(span=lambda row: {"start": 0, "end": len(row["text"])})),
    ),
    Defect(
        "disambiguated-change-not-listed",
        "disambiguated",
        "expression-is-candidate",
        in_row(put(candidate=lambda row: row["candidate"] + "们")),
    ),
    Defect(
        "disambiguated-candidate-lost-from-the-text",
        "disambiguated",
        "candidates-in-text",
        rows_of(_FIRST, lost_from_text),
    ),
    Defect(
        "scoring-context-without-its-candidate",
        "scoring",
        "context-ends-with-candidate",
        in_row(append("context", "忽然在池塘边")),
    ),
    Defect(
        "scoring-contexts-exchanged",
        "scoring",
        "context-ends-with-candidate",
        in_row(put(context=lambda row: row["context"][:-6])),
    ),
    Defect("scoring-context-of-another-item", "scoring", "contexts-differ-in-candidates", from_row("context", 4)),
    Defect(
        "scoring-candidate-lost-from-the-context",
        "scoring",
        "candidates-in-text",
        rows_of(_FIRST, put(context=lambda row: "后来" + row["candidate"])),
    ),
    Defect("scoring-word-cut", "scoring", "joined", rows_of(_FIRST, first_of_continuation_lost)),
    Defect("scoring-continuation-lost", "scoring", "joined", rows_of(_FIRST, put(continuation=""))),
    Defect(
        "scoring-end-mark-lost",
        "scoring",
        "finished-sentence",
        rows_of(_FIRST, put(continuation=lambda row: row["continuation"].removesuffix("。"))),
    ),
    Defect("tokens-candidates-lost", "tokens", "candidates-mentioned", in_row(put(candidates=[[], []]))),
    Defect(
        "tokens-mentions-of-another-word",
        "tokens",
        "mentions-spell-candidates",
        in_row(lambda row: row["candidates"][0].append([len(row["tokens"]) - 2, len(row["tokens"]) - 1])),
    ),
    Defect(
        "tokens-mention-left-out",
        "tokens",
        "every-mention-listed",
        in_row(lambda row: row.update(two_mentions(row))),
    ),
    Defect(
        "tokens-mention-twice",
        "tokens",
        "mentions-spell-candidates",
        in_row(lambda row: row["candidates"][0].append(row["candidates"][0][0])),
    ),
    Defect(
        "tokens-mention-of-a-mark",
        "tokens",
        "mentions-spell-candidates",
        in_row(put(candidates=lambda row: [row["candidates"][0], [[len(row["tokens"]) - 1, len(row["tokens"])]]])),
    ),
    Defect(
        "tokens-mention-of-the-other-candidate",
        "tokens",
        "mentions-spell-candidates",
        in_row(put(candidates=lambda row: [row["candidates"][0], row["candidates"][0]])),
    ),
    Defect("tokens-candidates-exchanged", "tokens", "same-candidates", in_row(lambda row: row["candidates"].reverse())),
    Defect(
        "tokens-target-in-a-mention",
        "tokens",
        "target-beside-mentions",
        in_row(put(target=lambda row: dict(zip(("start", "end"), row["candidates"][0][0], strict=True)))),
    ),
    Defect(
        "tokens-one-string-cut-in-two-ways",
        "tokens",
        "one-cut",
        rows_of(_SECOND, split_before_mention),
        reported_id=_SECOND,
    ),
    Defect("tokens-two-in-one", "tokens", "automatic-tokens", in_row(lambda row: joined_tokens(row, 0), not_corrected)),
    Defect("tokens-one-in-two", "tokens", "automatic-tokens", in_row(split_token, ends_in_a_long_token)),
    Defect(
        "names-another-name-in-one-member",
        "names",
        "same-names",
        in_row(
            put(names=lambda row: dict.fromkeys(row["names"], "Hugo")),
            lambda row: row["names"] and row["version"] == "b",
        ),
    ),
    *(
        Defect(f"{suite}-back-of-another-text", suite, "back-of-text", in_row(put(back="猫跑了。")))
        for suite in TRADITIONAL
    ),
]


#: Expectations of items that hold for traditional script too.
_OF_ITEMS = {
    "candidates-are-nouns": in_row(other_candidate("她")),
    "gold-among-candidates": in_row(put(answer=2)),
    "id-of-schema": in_row(put(version="c")),
    "no-zero-sign": in_row(append("question", "Ø")),
    "question-asks": in_row(put(question="大家陷得不深？")),
    "question-given": in_row(put(question="")),
    "question-hides-answer": in_row(put(question="黃牛叫醒了誰？")),
    "question-of-text": in_row(put(question="誰今天在家裏煮了一大鍋綠豆湯？")),
    "source-given": in_row(put(source="")),
    "span-in-text": in_row(put(target={"start": 0, "end": 999})),
    "target-is-anaphor": in_row(put(target={"start": 0, "end": 1})),
    "two-candidates": in_row(put(candidates=["黃牛", "黃牛"])),
    "candidates-in-text": in_row(other_candidate("騾子")),
    "candidates-whole": in_row(
        lambda row: row.update(
            candidates=["牛犬", "牧牛犬"], text="牧牛犬咬了小貓，它很生氣。", target={"start": 8, "end": 9}
        )
    ),
    **{expectation: damage for _, expectation, damage in BESIDE},
}
TRADITIONAL_ITEMS = [
    Defect(f"{suite}-item-{expectation}", suite, expectation, damage)
    for suite in TRADITIONAL
    for expectation, damage in _OF_ITEMS.items()
]
