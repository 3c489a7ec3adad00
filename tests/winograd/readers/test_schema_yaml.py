"""schema-yaml, our own format, and the YAML files that people edit."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import decode
from pipeline.core.model import Span
from pipeline.core.notation import FactorError, escape, expand, unbracket
from pipeline.core.yamlfile import parse_yaml
from pipeline.language.pronoun_classes import GENDERS
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.schema_yaml import Schema, Terms, read_schema_yaml, schemas_of
from tests.conftest import ROOT, Refused
from tests.support.schemas import schemas_to_yaml

HERE = Path("own.yaml")
RAW = ROOT / "raw" / "zh" / "schemas.yaml"
ENTRY = """- id: x
  text: 积雪压断了枯枝，因为[它]太{沉|脆}了。
  question: 什么太{沉|脆}了？
  candidates: [积雪, 枯枝]
  answers: [积雪, 枯枝]
"""

#: What YAML would take for something else than text, or break into lines.
MARKS = "yes null ~ 1 1.5 0x1F 2020-01-01 ' \" [a {b *c &d !e | > %f @g `h = << --- ... \\ 😀"
BREAKS = "- a|a: b|a #b|# c|? i|: j| k|l |a\nb|\n|a\n|\n b|a\r\nb|\t|\x85|\u2028|\u200b|\u202e|\ufeff|e\u0301|\0"
lines = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from([*MARKS.split(" "), *BREAKS.split("|")])
schemas = st.builds(
    Schema,
    id=lines.filter(bool),
    text=lines,
    question=lines,
    candidates=st.lists(lines, max_size=3).map(tuple),
    answers=st.tuples(lines, lines),
    gloss=lines,
    kind=lines,
    role=lines,
    source=lines,
    note=lines,
)
terms = st.builds(Terms, st.tuples(lines, lines), st.tuples(lines, lines))
genders = st.tuples(st.sampled_from(GENDERS), st.sampled_from(GENDERS))
schemas |= st.builds(replace, schemas, candidates=st.tuples(lines, lines), pmi=terms, genders=genders, register=lines)

# --- the notation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factored", "members"),
    [
        ("", ("", "")),
        ("没有", ("没有", "没有")),
        ("太{沉|脆}了", ("太沉了", "太脆了")),
        ("{a|b}{c|d}", ("ac", "bd")),
        ("{|不}沉", ("沉", "不沉")),
        (r"\{a\|b\}", (r"\{a\|b\}", r"\{a\|b\}")),
        (r"{\||\}}", (r"\|", r"\}")),
        ("{[他]|[她]}走了", ("[他]走了", "[她]走了")),
    ],
)
def test_a_factored_text_has_two_members(factored: str, members: tuple[str, str]) -> None:
    assert expand(factored) == members


@pytest.mark.parametrize(
    ("factored", "reason"),
    [
        ("{a|b", "unclosed brace"),
        ("{", "unclosed brace"),
        ("a}", "stray '}' at character 1"),
        ("a|b", "stray '|' at character 1"),
        ("{a{b|c}|d}", "braces do not nest; found a second '{' at character 2"),
        ("{a}", "wrong number of alternatives; found 1, expected 2"),
        ("{}", "wrong number of alternatives; found 1, expected 2"),
        ("{a|b|c}", "wrong number of alternatives; found 3, expected 2"),
        ("a\\", "found a backslash at the end"),
        ("{a|b\\}", "unclosed brace"),
    ],
)
def test_a_broken_factored_text_is_refused(factored: str, reason: str) -> None:
    with pytest.raises(FactorError) as caught:
        expand(factored)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("marked", "plain", "spans"),
    [
        ("", "", []),
        ("因为[它]太沉", "因为它太沉", [Span(2, 3)]),
        ("因为[]太沉", "因为太沉", [Span(2, 2)]),
        ("[他们]说[她]走了", "他们说她走了", [Span(0, 2), Span(3, 4)]),
        (r"\[它\]\\[它]", r"[它]\它", [Span(4, 5)]),
        ("😀[它]", "😀它", [Span(1, 2)]),
    ],
)
def test_brackets_mark_targets(marked: str, plain: str, spans: list[Span]) -> None:
    assert unbracket(marked) == (plain, spans)


@pytest.mark.parametrize("marked", ["[", "]", "[它", "它]", "[[它]]", "[a[b]", "][", r"[它\]"])
def test_unbalanced_brackets_are_refused(marked: str) -> None:
    with pytest.raises(FactorError, match=r"^un(balanced|closed)"):
        unbracket(marked)


@given(lines, lines, lines)
def test_escaped_texts_are_taken_literally(before: str, target: str, after: str) -> None:
    factored = f"{escape(before)}[{escape(target)}]{{{escape(after)}|}}"
    first, second = map(unbracket, expand(factored))
    span = Span(len(before), len(before) + len(target))
    assert first == (before + target + after, [span])
    assert second == (before + target, [span])
    assert span.of(first[0]) == target


@pytest.mark.parametrize("character", "【】［］｛｝｜")
def test_full_width_brackets_are_named_and_can_be_escaped(character: str) -> None:
    kind = {"｜": "bar", "｛": "brace", "｝": "brace"}.get(character, "bracket")
    with pytest.raises(FactorError, match=f"^full-width {kind}; found '{character}', expected '"):
        for marked in expand(f"它{character}"):
            unbracket(marked)
    assert [unbracket(marked)[0] for marked in expand(escape(f"它{character}"))] == [f"它{character}"] * 2


@given(st.text("[]{}|\\它a【｛｜"))
def test_any_notation_is_read_or_refused(factored: str) -> None:
    try:
        for member in expand(factored):
            plain, spans = unbracket(member)
            assert all(span.end <= len(plain) for span in spans)
    except FactorError as error:
        assert len(str(error).splitlines()) == 1


# --- the file ---------------------------------------------------------------------------------------------------------


def test_our_own_schemas_are_all_items() -> None:
    result = ingest(RAW.read_bytes(), RAW, "schema-yaml")
    assert result.skipped == ()
    assert len(result.items) == 2 * RAW.read_text(encoding="utf-8").count("\n- id: ")
    first, second = result.items[2:4]
    assert (first.id, first.schema, first.version) == ("zh-0005-a", "zh-0005", "a")
    assert first.text == "哥哥让弟弟踩着自己的肩膀摘枣，没一会儿他就摘了满满一兜。"
    assert (first.target, first.target.of(first.text)) == (Span(19, 20), "他")
    assert (first.candidates, first.answer, first.question) == (("哥哥", "弟弟"), 1, "没一会儿谁就摘了满满一兜？")
    assert (second.id, second.text, second.answer) == (
        "zh-0005-b",
        first.text.replace("摘了满满一兜", "被压得直喊疼"),
        0,
    )


@given(st.lists(schemas, max_size=4, unique_by=lambda schema: schema.id))
def test_schemas_come_back(entries: list[Schema]) -> None:
    text = schemas_to_yaml(entries)
    assert schemas_of(parse_yaml(decode(text.encode(), HERE), HERE), HERE) == entries


@pytest.mark.parametrize(("text", "number"), [("因为它太{沉|脆}了。", 0), ("[积雪]压断枯枝，[它]太{沉|脆}了。", 2)])
def test_one_target_is_needed(text: str, number: int) -> None:
    data = ENTRY.replace("积雪压断了枯枝，因为[它]太{沉|脆}了。", f"积雪压断枯枝，{text}")
    result = assemble(read_schema_yaml(data.encode(), HERE, None))
    assert [[finding.message for finding in skipped.findings] for skipped in result.skipped] == [
        [f"one target is needed; found {number} in brackets"]
    ] * 2


def test_an_empty_target_is_a_zero() -> None:
    result = assemble(read_schema_yaml(ENTRY.replace("[它]", "[]").encode(), HERE, None))
    assert [(item.target, item.already_zero) for item in result.items] == [(Span(10, 10), True)] * 2


def changed(old: str, new: str) -> str:
    assert old in ENTRY
    return ENTRY + ENTRY.replace("id: x", "id: y").replace(old, new)


GERMAN = """- id: x
  text: Der Fuchs ließ die Gans fallen, als [{er|sie}] {Hunde hörte|mit den Flügeln schlug}.
  question: Wer {hörte Hunde|schlug mit den Flügeln}?
  candidates: [Der Fuchs, die Gans]
  answers: [Der Fuchs, die Gans]
  genders: [masc, fem]
  register: nature
"""


def test_a_target_may_differ_between_the_members() -> None:
    first, second = ingest(GERMAN.encode(), HERE, "schema-yaml", "de").items
    assert first.text == "Der Fuchs ließ die Gans fallen, als er Hunde hörte."
    assert second.text == "Der Fuchs ließ die Gans fallen, als sie mit den Flügeln schlug."
    assert [item.target.of(item.text) for item in (first, second)] == ["er", "sie"]
    assert first.question == "Wer hörte Hunde?"
    analyses = [draft.analysis for draft in read_schema_yaml(GERMAN.encode(), HERE, "de")]
    assert {(analysis.genders, analysis.register) for analysis in analyses if analysis} == {(("masc", "fem"), "nature")}


@pytest.mark.parametrize("name", ["my-0001", "zh.1_b", "例-1", "7"])
def test_an_id_is_of_letters_and_digits_of_any_script(name: str) -> None:
    drafts = read_schema_yaml(ENTRY.replace("id: x", f"id: '{name}'").encode(), HERE, None)
    assert [draft.id for draft in drafts] == [f"{name}-a", f"{name}-b"]


def test_an_anchor_given_twice_is_refused(refused: Refused) -> None:
    refused(lambda: parse_yaml("- &a b\n- &a c\n", HERE), "own.yaml", "yaml")


def test_billion_laughs_stay_small(refused: Refused) -> None:
    laughs = "a: &a [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    refused(lambda: read_schema_yaml(laughs.encode(), HERE, None), "own.yaml:1", "yaml")


def test_merged_fields_are_read_and_their_errors_have_lines(refused: Refused) -> None:
    base = ENTRY.replace("- id", "- &base\n  id")
    drafts = read_schema_yaml(
        (base + "- <<: *base\n  id: y\n  text: 冰下的积雪压弯了枯枝，因为[它]太{沉|脆}了。\n").encode(), HERE, None
    )
    assert [draft.id for draft in drafts] == ["x-a", "x-b", "y-a", "y-b"]
    flow = "- <<: {id: z, text: 5, question: q, candidates: [a], answers: [a, b]}\n"
    refused(lambda: read_schema_yaml((ENTRY + flow).encode(), HERE, None), "own.yaml:6", "text")


@given(st.text("-:[]{}&*!|>'\"%@`#?,<= \n\ta0\\~.é"))
def test_any_punctuation_is_read_or_refused(text: str) -> None:
    try:
        parse_yaml(text, HERE)
    except PipelineError as error:
        assert str(error).startswith("own.yaml:")


ANALYSED = (
    ENTRY
    + """  gloss: Snow broke the branch, because it was too {heavy|brittle}.
  pmi: {candidates: [雪, 枝], references: [沉, 脆]}
  source: own
  note: a remark
"""
)


def invisible_in(words: str) -> str:
    assert words in ANALYSED
    return ANALYSED.replace(words, f"{words[:-1]}\u200b{words[-1]}", 1)


def unfit(before: str, after: str) -> str:
    assert before in ANALYSED
    return ANALYSED.replace(before, after, 1)


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (changed("[它]", "[它"), 7, "text"),
        (changed("[它]", "它]"), 7, "text"),
        (changed("[它]太{", "[它]太"), 7, "text"),
        (changed("|脆}了。", "脆}了。"), 7, "text"),
        (changed("|脆}了？", "|脆了？"), 8, "question"),
        (changed("什么", "什[么"), 8, "question"),
        (changed("  candidates", "  gloss: too {heavy|brittle\n  candidates"), 9, "gloss"),
        (ENTRY + ENTRY, 6, "id"),
        (changed("  candidates", "  gloss: It was too heavy.\n  candidates"), 9, "gloss"),
        (changed("  candidates", "  gloss: It was too {heavy|heavy}.\n  candidates"), 9, "gloss"),
        (ENTRY + ENTRY.replace("id: x", "id: ''"), 6, "id"),
        (ENTRY + ENTRY.replace("id: x", "id: my x"), 6, "id"),
        (ENTRY + ENTRY.replace("id: x", "id: a/x"), 6, "id"),
        (ENTRY + ENTRY.replace("id: x", 'id: "x\\u200b"'), 6, "id"),
        (changed("  question: 什么太{沉|脆}了？\n", ""), 6, "question"),
        (changed("  answers", "  author: me\n  answers"), 10, "author"),
        (changed("answers: [积雪, 枯枝]", "answers: [积雪]"), 10, "answers"),
        (changed("candidates: [积雪, 枯枝]", "candidates: [积雪, null]"), 9, "candidates"),
        (changed("什么太{沉|脆}了？", "[什么]"), 8, "question"),
        (changed("什么太{沉|脆}了？", "7"), 8, "question"),
        ("", 1, "yaml"),
        ("# nothing\n", 1, "yaml"),
        ("id: x\n", 1, "yaml"),
        (ENTRY + "- [a]\n", 6, "yaml"),
        (ENTRY + "-\n", 6, "yaml"),
        (ENTRY + "- id: [open\n", 6, "yaml"),
        (ENTRY + "- id: y\n  id: z\n", 7, "yaml"),
        (ENTRY + "- *nowhere\n", 6, "yaml"),
        (ENTRY + "---\n" + ENTRY, 6, "yaml"),
        (ENTRY + "- id: \x01\n", 6, "yaml"),
        (ENTRY + '- id: "\\ud800"\n', 6, "yaml"),
        (ENTRY + '- id: "\\U00110000"\n', 6, "yaml"),
        (ENTRY + '- id: "\\xZZ"\n', 6, "yaml"),
        (ENTRY + "- !!python/object:os.system\n  id: y\n", 6, "yaml"),
        (ENTRY + "- id: !!python/name:os.system x\n", 6, "yaml"),
        ("!!python/tuple\n" + ENTRY, 1, "yaml"),
        (ENTRY + "- !own\n  id: y\n", 6, "yaml"),
        (ENTRY + "- id: !!binary aGk=\n", 6, "yaml"),
        (ENTRY + "- id: !!bool maybe\n", 6, "yaml"),
        (ENTRY + "- id: 2020-99-99\n", 6, "yaml"),
        (ENTRY + "- <<: 5\n", 6, "yaml"),
        ("%YAML 9.9\n---\n" + ENTRY, 1, "yaml"),
        (invisible_in("积雪压断"), 2, "text"),
        (invisible_in("什么太"), 3, "question"),
        (invisible_in("[积雪, 枯"), 4, "candidates"),
        (invisible_in("answers: [积雪"), 5, "answers"),
        (invisible_in("Snow broke"), 6, "gloss"),
        (invisible_in("[雪, 枝"), 7, "pmi.candidates"),
        (invisible_in("references: [沉"), 7, "pmi.references"),
        (invisible_in("source: own"), 8, "source"),
        (invisible_in("a remark"), 9, "note"),
        (unfit("id: x", "id: ZH 1"), 1, "id"),
        (unfit("积雪压断", "积\u2f24雪压断"), 2, "text"),
        (unfit("什么太{沉|脆}了？", '""'), 3, "question"),
        (unfit("什么太{沉|脆}了？", "什么太沉了？"), 3, "question"),
        (unfit("什么太{沉|脆}了？", "什么太{脆|沉}了？"), 3, "question"),
        (unfit("什么太{沉|脆}了？", "谁{赢|输}掉比赛？"), 3, "question"),
        (unfit("candidates: [积雪, 枯枝]", "candidates: [枯枝, 积雪]"), 4, "candidates"),
        (unfit("[雪, 枝]", "[枝, 雪]"), 7, "pmi.candidates"),
        (unfit("[雪, 枝]", "[雪。, 枝]"), 7, "pmi.candidates"),
        (unfit("references: [沉, 脆]", "references: [雪, 脆]"), 7, "pmi.references"),
        (unfit("太{沉|脆}了。\n", "太{|脆}了。\n"), 2, "text"),
        (unfit("太{沉|脆}了。\n", "太{沉| }了。\n"), 2, "text"),
        (unfit("太{沉|脆}了。\n", "太{沉|沉}了。\n"), 2, "text"),
        (unfit("什么太{沉|脆}了？", "什么太{沉|}了？"), 3, "question"),
        (unfit("什么太{沉|脆}了？", '"什么太{沉|脆}了？ "'), 3, "question"),
        (unfit("什么太{沉|脆}了？", '"什么太 \\t{沉|脆}了？"'), 3, "question"),
        (unfit("{heavy|brittle}", "{heavy|}"), 6, "gloss"),
        (unfit("Snow broke the branch", "积雪压断了枯枝"), 6, "gloss"),
        (unfit("brittle", "脆"), 6, "gloss"),
        (unfit("heavy", "тяжёлый"), 6, "gloss"),
        (unfit("Snow", "Сnow"), 6, "gloss"),
        (unfit("Snow broke", "Snow  broke"), 6, "gloss"),
        (unfit("the branch", "the the branch"), 6, "gloss"),
        (unfit("the branch", "the branche\u0301"), 6, "gloss"),
        (unfit("[雪, 枝]", "[雪, 树]"), 7, "pmi.candidates"),
        (unfit("[雪, 枝]", "[雪, 雪]"), 7, "pmi.candidates"),
        (unfit("[雪, 枝]", '[雪, ""]'), 7, "pmi.candidates"),
        (unfit("references: [沉, 脆]", "references: [脆, 沉]"), 7, "pmi.references"),
        (unfit("references: [沉, 脆]", "references: [沉, 沉]"), 7, "pmi.references"),
        (unfit("references: [沉, 脆]", "references: [沉, 轻]"), 7, "pmi.references"),
        (unfit("source: own", 'source: "own\\nfile"'), 8, "source"),
        (unfit("note: a remark", 'note: "a\\x01remark"'), 9, "note"),
        (unfit("note: a remark", 'note: "a remark "'), 9, "note"),
        (unfit("note: a remark", "note: |\n    a remark"), 9, "note"),
        (unfit("note: a remark", "note: a \U000323b0 remark"), 9, "note"),
    ],
)
def test_a_broken_schema_is_refused_at_its_line(refused: Refused, text: str, line: int, field: str) -> None:
    refused(lambda: read_schema_yaml(text.encode(), HERE, None), f"own.yaml:{line}", field)


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("{er|sie}]", "{er|}]", 2, "text"),
        ("{er|sie}]", "{er|er}]", 2, "text"),
        ("{er|sie}]", "{er|sie]", 2, "text"),
        ("[{er|sie}]", "{[er|sie]}", 2, "text"),
        ("[masc, fem]", "[masc]", 6, "genders"),
        ("[masc, fem]", "[masc, fem, neut]", 6, "genders"),
        ("[masc, fem]", "[masc, f]", 6, "genders"),
        ("[masc, fem]", "masc", 6, "genders"),
        ("register: nature", "register: weather", 7, "register"),
        ("register: nature", 'register: "nature\\u200b"', 7, "register"),
    ],
)
def test_a_broken_german_schema_is_refused_at_its_line(
    refused: Refused, old: str, new: str, line: int, field: str
) -> None:
    assert old in GERMAN
    refused(lambda: read_schema_yaml(GERMAN.replace(old, new).encode(), HERE, "de"), f"own.yaml:{line}", field)


def test_members_have_one_question_where_they_differ_before_the_target() -> None:
    entry = """- id: x
  text: 左将军向右将军{追问|解释}[他]为什么晚到了三天。
  question: 谁晚到了三天？
  candidates: [左将军, 右将军]
  answers: [右将军, 左将军]
"""
    drafts = read_schema_yaml(entry.encode(), HERE, "zh")
    assert [draft.question for draft in drafts] == ["谁晚到了三天？"] * 2


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        ("id: x", "id: y", "text"),
        ("枯枝，因为", "枯枝因为", "text"),  # other marks
        ("积雪", "大雪", "text"),  # other candidates
        ("积雪压断", "昨晚积雪压断", "gloss"),
    ],
)
def test_a_copy_under_another_id_is_refused(refused: Refused, before: str, after: str, field: str) -> None:
    copy = ANALYSED.replace("id: x", "id: y").replace(before, after)
    refused(
        lambda: read_schema_yaml((ANALYSED + copy).encode(), HERE, None),
        f"own.yaml:{11 + 4 * (field == 'gloss')}",
        field,
    )


def test_a_schema_names_its_source_if_most_do(refused: Refused) -> None:
    other = ANALYSED.replace("id: x", "id: y").replace("积雪压", "昨晚积雪压").replace("Snow", "Last night snow")
    third = ANALYSED.replace("id: x", "id: z").replace("枯枝", "电线").replace("枝", "线").replace("压断", "压弯")
    third = third.replace("Snow broke the branch", "Snow bent the wire").replace("  source: own\n", "")
    refused(lambda: read_schema_yaml((ANALYSED + other + third).encode(), HERE, None), "own.yaml:19", "source")


def test_a_question_may_say_it_in_other_words(refused: Refused) -> None:
    entry = "- {id: x, text: '妹妹叫姐姐慢跑，[她]{跑得慢|跑得快}。', question: '妹妹叫姐姐慢跑，谁{%s|太快}？',\n   "
    entry += "candidates: [妹妹, 姐姐], answers: [妹妹, 姐姐],\n   "
    entry += "gloss: 'The younger girl told the elder to run slowly; she {was slow|was fast}.'}\n"
    same, other = ((entry % words).encode() for words in ("太慢", "生病"))
    assert len(read_schema_yaml(same, HERE, "zh")) == 2
    assert "found '生病'" in refused(lambda: read_schema_yaml(other, HERE, "zh"), "own.yaml:1", "question")


def test_names_of_a_gloss_are_those_of_the_text(refused: Refused) -> None:
    entry = "- {id: x, text: '妹妹叫姐姐让开，说[她]{看不清|挡着光}。', question: '谁{看不清|挡着光}？',\n   "
    entry += "candidates: [妹妹, 姐姐], answers: [妹妹, 姐姐], gloss: 'Wang told Old Ma that she {could not see|blocked it}.'}\n"
    assert "found 'Wang'" in refused(lambda: read_schema_yaml(entry.encode(), HERE, "zh"), "own.yaml:2", "gloss")


@pytest.mark.parametrize(
    ("gloss", "reason"),
    [
        ("Su Qin handed Ye Mei tea, but she {missed it|let go}.", ""),
        ("Qin handed Mei tea, but her {hand slipped|grip failed}.", ""),
        ("The one handed the other tea; the {latter|former} was clumsy.", ""),
        ("Su Qin handed Ye Mei tea, but he {missed it|let go}.", "another pronoun than in the text; found 'he'"),
        ("Su Qin handed Ye Mei her tea, but he {missed it|let go}.", "another pronoun than in the text; found 'he'"),
        ("Wang Fang handed Ye Mei tea, but she {missed it|let go}.", "another name than in the text; found 'Wang'"),
        ("Su Fang handed Ye Mei tea, but she {missed it|let go}.", "found 'Su Fang'"),
        ("Su Qin handed Wang Mei tea, but she {missed it|let go}.", "found 'Wang Mei'"),
    ],
)
def test_a_gloss_has_the_pronoun_and_the_names_of_its_text(gloss: str, reason: str, refused: Refused) -> None:
    entry = f"""- id: x
  text: 苏琴把一杯热茶递给叶梅，谁知[她]{{没接稳|松手太早}}。
  question: 谁{{没接稳|松手太早}}？
  candidates: [苏琴, 叶梅]
  answers: [叶梅, 苏琴]
  gloss: {gloss}
"""
    if reason:
        assert reason in refused(lambda: read_schema_yaml(entry.encode(), HERE, "zh"), "own.yaml:6", "gloss")
    else:
        assert len(read_schema_yaml(entry.encode(), HERE, "zh")) == 2


@pytest.mark.parametrize(
    ("candidates", "target"), [("妹妹, 姐姐", "它"), ("妹妹, 姐姐", "他"), ("妹妹, 姐姐", "她们"), ("石匠, 瓦匠", "它")]
)
def test_a_pronoun_that_fits_no_candidate_is_refused(refused: Refused, candidates: str, target: str) -> None:
    first, second = candidates.split(", ")
    entry = (
        ENTRY.replace("[它]", f"[{target}]")
        .replace("什么", "谁")
        .replace("积雪压断了枯枝", f"{first}叫来了{second}")
        .replace("积雪, 枯枝", candidates)
    )
    message = refused(lambda: read_schema_yaml(entry.encode(), HERE, "zh"), "own.yaml:2", "text")
    assert "a pronoun that does not fit" in message
