"""Defects of items, of German questions, and of the list of skipped records."""

import unicodedata
from collections.abc import Callable

from .defect import (
    Change,
    Damage,
    Defect,
    Row,
    Rows,
    append,
    both_members,
    ending,
    fill,
    from_row,
    in_row,
    put,
    replace,
    shift,
    twice,
)

EN, SINGLE = "en/double.jsonl", "en/single.jsonl"
#: The third row of the sentences: its target is "they", its text starts with "The".


def after_target(text: str) -> Change:
    """Return the change that inserts a text directly after the target, so that no offset moves."""

    def change(row: Row) -> None:
        end = row["target"]["end"]
        row["text"] = row["text"][:end] + text + row["text"][end:]

    return change


def before_all(text: str) -> Change:
    """Return the change that inserts a text at the start and moves the target along."""

    def change(row: Row) -> None:
        row["text"] = text + row["text"]
        shift("target", len(text))(row)

    return change


def covering(find: Callable[[Row], str]) -> Change:
    """Return the change that moves the target to a text."""

    def change(row: Row) -> None:
        word = find(row)
        start = row["text"].index(word)
        row["target"] = {"start": start, "end": start + len(word)}

    return change


def renamed(place: int) -> Change:
    """Return the change that gives a candidate another name of the same length in the text but not in the list."""
    return lambda row: replace("text", row["candidates"][place], "骡" * len(row["candidates"][place]))(row)


def in_bytes(row: Row) -> None:
    """Count the target in bytes, as a program that reads UTF-8 does."""
    start, end = (len(row["text"][: row["target"][edge]].encode()) for edge in ("start", "end"))
    row["target"] = {"start": start, "end": end}


def sorted_keys(row: Row) -> None:
    """Sort the keys by name, as a JSON writer may."""
    fields = sorted(row.items())
    row.clear()
    row.update(fields)


def candidates(first: str, second: str = "{second}") -> Change:
    """Return the change that respells the candidates in the list but not in the text."""
    return fill(candidates=[first, second])


def other_answer(row: Row) -> None:
    """Make the other candidate the answer."""
    row["answer"] = 1 - row["answer"]


def compatible(row: Row) -> None:
    """Write 不 (U+4E0D) as the compatibility ideograph that looks the same, as old Korean fonts do."""
    row["text"] = row["text"].replace("不", "\uf967", 1)


def of_sisters(text: str, *candidates: str) -> Change:
    """Return the change that gives a row another text, whose target is 她, and other candidates."""
    start = text.index("她")
    return put(text=text, target={"start": start, "end": start + 1}, candidates=list(candidates))


def behind_all(length: int) -> Change:
    """Return the change that moves the target to the end of the text, or beyond."""
    return put(target=lambda row: {"start": len(row["text"]), "end": len(row["text"]) + length})


def swapped_ends(row: Row) -> None:
    """Swap start and end of the target."""
    row["target"] = {"start": row["target"]["end"], "end": row["target"]["start"]}


def bare_zero_in_a_word(row: Row) -> None:
    """Put an empty target inside an English word."""
    at = row["text"].index("he")
    row["target"] = {"start": at, "end": at}


def with_not(row: Row) -> bool:
    return "不" in row["text"]


#: (name, expectation, change) for Chinese items.
_CHINESE: list[tuple[str, str, Change]] = [
    ("machine-draft", "reviewed", put(note="unreviewed machine translation")),
    ("keys-sorted", "contract", sorted_keys),
    ("key-misspelt", "contract", lambda row: (row.update(answers=row.pop("answer")), row.update(note=row.pop("note")))),
    ("answer-as-text", "contract", put(answer=lambda row: str(row["answer"]))),
    ("span-as-list", "contract", put(target=lambda row: [row["target"]["start"], row["target"]["end"]])),
    ("candidates-in-one-text", "contract", put(candidates=lambda row: "、".join(row["candidates"]))),
    ("rejected-record-among-items", "contract", put(findings=[])),
    ("third-version", "id-of-schema", put(version="c", id=lambda row: f"{row['schema']}-c")),
    ("id-of-another-schema", "id-of-schema", put(id="zh-9999-a")),
    ("id-without-version", "id-of-schema", put(id=lambda row: row["schema"])),
    ("language-unknown", "known-language", put(lang="cn")),
    ("language-by-a-longer-code", "known-language", put(lang="zho")),
    ("language-by-region", "known-language", put(lang="zh-CN")),
    ("target-past-the-end", "span-in-text", behind_all(1)),
    ("target-in-bytes", "span-in-text", in_bytes),
    ("target-from-end-to-start", "span-in-text", swapped_ends),
    ("target-missing", "span-in-text", put(target=None)),
    ("target-one-to-the-right", "target-is-anaphor", shift("target", 1)),
    ("target-one-to-the-left", "target-is-anaphor", shift("target", -1)),
    ("target-one-too-long", "target-is-anaphor", shift("target", 1, "end")),
    ("target-on-a-candidate", "target-is-anaphor", covering(lambda row: row["candidates"][0])),
    ("target-half-of-a-plural", "target-is-anaphor", after_target("们")),
    ("candidate-missing", "two-candidates", put(candidates=lambda row: row["candidates"][:1])),
    ("third-candidate", "two-candidates", put(candidates=lambda row: [*row["candidates"], "行人"])),
    ("candidate-twice", "two-candidates", put(candidates=lambda row: row["candidates"][:1] * 2)),
    ("candidate-empty", "two-candidates", candidates("{first}", "")),
    ("candidate-misspelt", "candidates-in-text", candidates("{first[0]}鹏")),
    ("candidate-renamed-in-the-text", "candidates-in-text", renamed(1)),
    ("candidates-of-another-schema", "candidates-in-text", put(candidates=["茶壶", "脸盆"])),
    ("candidate-a-comma", "candidates-are-nouns", candidates("{first}", "，")),
    ("candidate-a-pronoun", "candidates-are-nouns", candidates("{first}", "她")),
    ("candidate-a-reflexive", "candidates-are-nouns", candidates("自己")),
    ("candidate-the-question-word", "candidates-are-nouns", candidates("谁")),
    ("candidate-with-a-particle", "candidates-are-nouns", candidates("黄牛的")),
    ("candidate-a-negated-clause", "candidates-are-nouns", candidates("黄牛把黑牛拽了出去")),
    ("candidate-a-number", "candidates-are-nouns", candidates("42")),
    ("candidate-is-the-target", "candidates-are-nouns", candidates("{first}", "它")),
    ("candidate-cut-short", "candidates-whole", of_sisters("大妹妹叫姐姐让开，说她看不清。", "妹妹", "姐姐")),
    ("candidate-half-of-a-doubled-word", "candidates-whole", of_sisters("妹妹叫姐姐让开，说她看不清。", "姐", "妹妹")),
    ("candidate-inside-the-other", "candidates-whole", of_sisters("牧羊犬咬了小牛，她很生气。", "羊犬", "牧羊犬")),
    (
        "candidate-without-its-surname",
        "candidates-whole",
        of_sisters("冯建设替萧国强求了情，说她很好。", "建设", "萧国强"),
    ),
    ("candidate-without-its-rank", "candidates-whole", of_sisters("大哥替二哥还了债，说她很累。", "哥", "二哥")),
    ("candidate-a-surname", "candidates-whole", of_sisters("叶师傅追了梁师傅的尾，说她很急。", "叶", "梁")),
    ("candidate-with-a-preposition", "candidates-are-nouns", candidates("给马悦")),
    ("candidate-without-its-title", "candidates-whole", of_sisters("陈师傅追了梁师傅的尾，说她很急。", "陈", "梁师傅")),
    ("answer-counted-from-one", "gold-among-candidates", put(answer=2)),
    ("answer-unknown", "gold-among-candidates", put(answer=-1)),
    ("answer-open", "gold-among-candidates", put(answer=None)),
    ("answer-a-truth-value", "gold-among-candidates", put(answer=True)),
    ("question-without-question-mark", "question-asks", ending("question", "。")),
    ("question-about-nobody", "question-asks", replace("question", "谁", "大家")),
    ("question-why", "question-asks", fill(question="{first}今天为什么不出门？")),
    ("question-of-alternatives", "question-asks", fill(question="是{first}还是{second}今天不出门？")),
    ("question-tells-the-answer", "question-hides-answer", fill(question="谁是{right}？")),
    ("question-begins-with-a-candidate", "question-hides-answer", fill(question="{first}叫醒了谁？")),
    ("question-says-who-asks-nothing", "question-hides-answer", fill(question="谁听{first}说要走？")),
    ("question-after-its-answer", "question-hides-answer", fill(question="{second}很累，谁很累？")),
    ("question-lost", "question-given", put(question="")),
    ("question-of-a-blank", "question-given", put(question=" ")),
    ("question-about-another-event", "question-of-text", put(question="谁今天在家里煮了一大锅绿豆汤？")),
    ("question-of-the-text-before", "question-of-text", put(question="谁从泥塘旁边跑过来帮忙？")),
    ("source-lost", "source-given", put(source="")),
    ("question-in-english", "question-of-text", put(question="Which ox sank? 谁？")),
    ("zero-after-the-end", "target-is-anaphor", behind_all(0)),
    ("zero-before-its-pronoun", "target-is-anaphor", shift("target", -1, "end")),
    ("question-for-both-candidates", "question-asks", put(question="谁喊谁慢一点？")),
    ("two-questions", "question-asks", fill(question="{question}{question}")),
    ("question-of-one-word", "question-of-text", put(question="谁？")),
    ("question-with-the-text", "question-of-text", fill(question="{text}谁？")),
    ("one-field-of-the-zero-form", "contract", put(text_zero="Ø")),
    ("kind-without-a-role", "contract", put(kind="physical")),
    ("id-is-a-path", "contract", put(id="../zh-0002-a")),
    ("id-with-a-blank", "contract", put(id="zh 0002-a")),
    ("id-in-full-width", "contract", put(id="ｚｈ-0002-a")),
    ("schema-with-a-line-end", "contract", put(schema="zh-0002\n")),
    ("note-with-a-reminder", "no-placeholder", put(note="TODO")),
    ("note-with-a-telephone-number", "no-personal-data", put(note="Ask 李琴, 138 1234 5678.")),
    ("note-with-a-home", "no-personal-data", put(note="读者住在幸福路12号")),
    ("source-with-an-address-of-mail", "no-personal-data", put(source="winoforge, a.li@example.org")),
    ("accent-on-a-character", "script-of-language", after_target("\u0301")),
    ("hangul", "script-of-language", after_target("의")),
    ("prolonged-sound-mark", "script-of-language", after_target("ー")),
    ("question-mark-twice", "no-doubled-mark", append("question", "？")),
    ("another-pronoun-behind-the-target", "single-pronoun", append("text", "他笑了。")),
    ("zero-sign-in-the-source", "no-zero-sign", after_target("Ø")),
    ("zero-width-space", "no-invisible-character", after_target("\u200b")),
    ("bidirectional-override", "no-invisible-character", after_target("\u202e")),
    ("bidirectional-isolate", "no-invisible-character", after_target("\u2066")),
    ("byte-order-mark-inside", "no-invisible-character", after_target("\ufeff")),
    ("soft-hyphen", "no-invisible-character", after_target("\u00ad")),
    ("variation-selector", "no-invisible-character", after_target("\ufe00")),
    ("line-separator", "no-invisible-character", after_target("\u2028")),
    ("control-character", "no-invisible-character", after_target("\x07")),
    ("line-break-inside", "no-invisible-character", after_target("\n")),
    ("zero-width-joiner-in-a-candidate", "no-invisible-character", candidates("{first}\u200d")),
    ("zero-width-space-in-an-id", "no-invisible-character", append("id", "\u200b")),
    ("decomposed-letter", "composed-unicode", after_target(unicodedata.normalize("NFD", "é"))),
    ("blank-at-the-end", "single-blanks", append("text", " ")),
    ("blank-at-the-start", "single-blanks", before_all(" ")),
    ("blank-between-characters", "single-blanks", after_target(" ")),
    ("ideographic-space", "single-blanks", after_target("\u3000")),
    ("no-break-space", "single-blanks", after_target("\u00a0")),
    ("blank-behind-a-candidate", "single-blanks", candidates("{first}", "{second} ")),
    ("half-width-comma", "full-width-marks", replace("text", "，", ",")),
    ("half-width-full-stop", "full-width-marks", ending("text", ".")),
    ("half-width-question-mark", "full-width-marks", ending("question", "?")),
    ("half-width-colon", "full-width-marks", replace("text", "，", ":")),
    ("half-width-bracket", "full-width-marks", after_target("(后者)")),
    ("full-width-digit", "full-width-marks", after_target("２")),
    ("full-width-letter", "full-width-marks", after_target("Ｃ")),
    ("quotation-not-closed", "closed-quotations", before_all("“")),
    ("quotation-marks-of-two-kinds", "closed-quotations", before_all("“好」，")),
    ("bracket-not-opened", "closed-quotations", after_target("）")),
    ("braces-left", "no-placeholder", after_target("{也|才}")),
    ("brackets-around-the-target", "no-placeholder", lambda row: (after_target("]")(row), before_all("[")(row))),
    ("reminder-left", "no-placeholder", append("question", "TODO")),
    ("replacement-character", "no-placeholder", after_target("\ufffd")),
    ("placeholder-left", "no-placeholder", after_target("$NAME")),
    ("traditional-character", "simplified-script", after_target("還")),
    ("traditional-character-in-the-question", "simplified-script", replace("question", "谁", "誰")),
    ("end-mark-lost", "finished-sentence", ending("text", "")),
    ("ends-with-a-comma", "finished-sentence", ending("text", "，")),
]


def target_is(form: str) -> Change:
    """Return the change that puts another target in the place of a Chinese one."""

    def change(row: Row) -> None:
        start, end = row["target"].values()
        row["text"] = row["text"][:start] + form + row["text"][end:]
        row["target"] = {"start": start, "end": start + len(form)}

    return change


def quoted(row: Row) -> None:
    """Let the second candidate say the words from the target on."""
    start, (_, name) = row["target"]["start"], row["candidates"]
    before = f"{row['text'][: start - 1].rstrip('，')}，{name}说：“"
    row["text"] = f"{before}{row['text'][start:-1]}。”"
    row["target"] = {"start": len(before), "end": len(before) + 1}


def sisters(row: Row) -> bool:
    """Return whether the candidates of a row are sisters."""
    return row["candidates"] == ["妹妹", "姐姐"]


#: Defects of an item whose candidates are sisters.
_SISTERS: list[tuple[str, str, Change]] = [
    ("pronoun-of-things-for-sisters", "pronoun-fits", target_is("它")),
    ("pronoun-of-a-brother-for-sisters", "pronoun-fits", target_is("他")),
    ("plural-for-one-sister", "pronoun-fits", target_is("她们")),
    ("target-in-the-words-of-a-candidate", "target-not-quoted", quoted),
    ("word-twice", "no-doubled-word", before_all("因为因为晚了，")),
    ("clause-twice", "no-doubled-word", before_all("晚上写作业，")),
    ("name-twice", "candidates-whole", replace("text", "姐姐", "姐姐姐姐")),
]

_ENGLISH: list[tuple[str, str, Change]] = [
    ("target-inside-a-word", "target-is-anaphor", covering(lambda row: row["text"][1:3])),
    ("zero-inside-a-word", "target-is-anaphor", bare_zero_in_a_word),
    ("target-a-noun", "target-is-anaphor", covering(lambda row: row["candidates"][1])),
    ("candidates-differ-in-case-only", "two-candidates", candidates("{first}", "Technician")),
    ("decomposed-name", "composed-unicode", candidates("cafe\u0301 owner")),
    ("doubled-blank", "single-blanks", after_target(" ")),
    ("doubled-word", "no-doubled-word", before_all("Once the the ")),
    ("straight-quotation-mark-alone", "closed-quotations", append("text", '"')),
]

_TWICE: list[tuple[str, Damage]] = [
    ("id-twice", twice(put(schema="zh-9999", text="小猫追小狗，它跑得快。"))),
    ("row-twice", twice()),
]


def copied(*changes: Change) -> Damage:
    """Return the damage that appends a copy of a row under another id, with changes."""

    def under_another_id(row: Row) -> None:
        row.update(id="zh-9999-a", schema="zh-9999", version="a")

    return twice(under_another_id, *changes)


def in_capitals(row: Row) -> None:
    """Write the id of a row and its schema in capitals."""
    row.update({field: row[field].upper() for field in ("id", "schema")})


#: Defects beside the other items of the file: name, expectation, damage.
BESIDE: list[tuple[str, str, Damage]] = [
    ("question-of-the-other-member", "question-of-member", from_row(1, "question")),
    ("copy-under-another-id", "no-copy", copied()),
    ("copy-with-another-answer", "no-contradicting-copy", copied(other_answer)),
    ("copy-with-another-mark", "no-copy", copied(ending("text", "！"))),
    ("copy-with-another-character", "no-copy", copied(ending("text", "了。"))),
    ("copy-with-another-name-and-word", "no-copy", copied(renamed(0), candidates("骡骡"), ending("text", "了。"))),
    ("copy-with-candidates-exchanged", "no-copy", copied(lambda row: row["candidates"].reverse())),
    ("copy-with-another-name", "no-copy", copied(renamed(0), candidates("骡骡"))),
    (
        "question-what-for-a-person",
        "question-asks",
        in_row(replace("question", "谁", "什么"), lambda row: "她" in row["text"]),
    ),
    ("candidates-exchanged", "candidates-in-order", in_row(lambda row: row["candidates"].reverse())),
    ("source-of-another-collection", "one-source", in_row(put(source="another book"))),
    ("source-misspelt", "one-source", both_members(put(source="winofroge"))),
    ("id-in-capitals", "id-of-its-own", twice(in_capitals)),
    ("copy-exchanged-in-part", "no-contradicting-copy", copied(lambda row: row["candidates"].reverse())),
]


ITEMS = [
    *(Defect(name, "items", expectation, in_row(change)) for name, expectation, change in _CHINESE),
    *(Defect(name, "items", check, in_row(change, sisters, 0)) for name, check, change in _SISTERS),
    Defect("zero-of-another-text", "items", "zero-of-text", in_row(append("text_zero", "了")), "zh/zero.jsonl"),
    Defect("place-of-a-zero-moved", "items", "zero-of-text", in_row(shift("dropped", 1)), "zh/zero.jsonl"),
    Defect("compatibility-ideograph", "items", "composed-unicode", in_row(compatible, with_not)),
    *(Defect(name, "items", expectation, in_row(change), EN) for name, expectation, change in _ENGLISH),
    Defect("swapped-answer-of-a-single-entity", "items", "candidates-in-text", in_row(other_answer), SINGLE),
    *(Defect(name, "items", "unique-id", damage) for name, damage in _TWICE),
    *(Defect(name, "items", expectation, damage) for name, expectation, damage in BESIDE),
]


# --- questions about German items ----------------------------------------------------------------------------------------


def of_the_fox(row: Row) -> bool:
    """Tell whether a row is the item of the fox that heard dogs bark."""
    return bool(row["id"] == "de-010-a")


#: What may be wrong with a question, by the expectation that reports it.
_OF_A_QUESTION: tuple[tuple[str, str, Change], ...] = (
    ("in-the-accusative", "question-asks", put(question="Wen hörte Hunde bellen?")),
    ("for-a-reason", "question-asks", put(question="Warum hörte jemand Hunde bellen?")),
    ("for-a-place", "question-asks", put(question="Wo hörte jemand Hunde bellen?")),
    ("for-both", "question-asks", put(question="Wer hörte bei wem Hunde bellen?")),
    ("without-question-mark", "question-asks", replace("question", "?", ".")),
    ("twice", "question-asks", put(question=lambda row: f"{row['question']} {row['question']}")),
    ("with-a-candidate", "question-hides-answer", put(question="Wer hörte bei der Gans Hunde bellen?")),
    ("with-a-gender", "question-hides-answer", put(question="Wer hörte in ihrem Bau Hunde bellen?")),
    ("of-another-text", "question-of-text", put(question="Wer verpasste gestern beinahe den letzten Zug?")),
    ("with-the-text", "question-of-text", put(question=lambda row: f"Wer? {row['text'].rstrip('.')}?")),
    ("of-the-other-member", "question-of-member", put(question="Wer schlug wild mit den Flügeln?")),
)
GERMAN = [
    Defect(
        f"german-question-{name}", "items", expectation, in_row(change, of_the_fox, start=0), artifact="de/items.jsonl"
    )
    for name, expectation, change in _OF_A_QUESTION
]


# --- skipped records ----------------------------------------------------------------------------------------------------

_FINDING = {
    "rule": "reader/answer",
    "class": "defect",
    "span": None,
    "message": "found no such candidate",
    "evidence": {},
}


def record(*findings: Row) -> Row:
    """Return a skipped record."""
    return {"id": "zh-9999-a", "schema": "zh-9999", "version": "a", "lang": "zh", "findings": list(findings)}


def with_records(*records: Row) -> Damage:
    """Return the damage that adds skipped records."""

    def damage(rows: Rows) -> Rows:
        return [*rows, *records]

    return damage


SKIPPED = [
    Defect("record-skipped", "skipped", "no-defect", with_records(record(_FINDING))),
    Defect("record-skipped-without-a-reason", "skipped", "no-defect", with_records(record())),
    Defect("record-skipped-twice", "skipped", "unique-id", with_records(record(_FINDING), record(_FINDING))),
]
