"""Modifications made by hand: applied exactly, judged by the rules, refused with a reason."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from pipeline.core.model import ExclusionClass, Finding, Item, Rejected, Span
from pipeline.core.notation import unbracket
from pipeline.core.records import read_items, write_items, write_rejected
from pipeline.language.parsing.lock import Lock
from pipeline.language.parsing.trees import Token, Tree, key_of
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.modifications import (
    Modification,
    Modified,
    judge,
    marked,
    modified_versions,
    modify,
    modify_item,
    read_modifications,
)
from tests.conftest import Refused
from tests.support import items
from tests.support.commands import printed

HERE = Path("modifications.yaml")
ENTRY = """- id: t-1-a
  type: predicate
  from: 罚了[他]
  to: "[他]挨了罚"
  reason: An object licenses no zero.
"""


def change(name: str, before: str, after: str, kind: str = "predicate") -> Modification:
    return Modification(name, kind, before, after, "because", lines={"id": 7})


def excluded(item: Item, exclusion: ExclusionClass = "direct-object") -> Rejected:
    return Rejected(item, (Finding("zh/x", exclusion, item.target, "because"),))


def text_of(item: Item) -> str:
    return marked(item.text, item.target)


# --- one item ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "before", "after", "result"),
    [
        # The four types of WSC-ZA's Table 2, on sentences of our own.
        ("甲怕乙，【他】越来越胆小。", "越来越", "真是越来越", "甲怕乙，[他]真是越来越胆小。"),
        ("甲看乙，【他】胖的。", "[他]胖", "[他]是胖", "甲看乙，[他]是胖的。"),
        ("甲打乙，所以我们罚了【他】。", "我们罚了[他]", "[他]挨了我们的罚", "甲打乙，所以[他]挨了我们的罚。"),
        ("甲把乙放进【他】的床。", "[他]的床", "[]床", "甲把乙放进[]床。"),
        # Wherever it stands, the target goes along.
        ("甲乙来了，【他】累了。", "甲乙", "甲和乙", "甲和乙来了，[他]累了。"),
        ("甲找乙，【他】累了。", "累了", "", "甲找乙，[他]。"),
        # Signs of the notation are taken literally.
        ("甲乙[一]{二}，【他】。", r"\[一\]", r"\[三\]", r"甲乙\[三\]\{二\}，[他]。"),
    ],
)
def test_a_modification_changes_just_what_it_names(text: str, before: str, after: str, result: str) -> None:
    changed = modify_item(items.marked(text), change("t-0001-a", before, after))
    assert text_of(changed) == result
    assert changed.id == "t-0001-a"
    assert changed.candidates == ("甲", "乙")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("没有", "有", "[from] must occur exactly once; found '没有' 0 times"),
        ("他", "她", "[from] must occur exactly once; found '他' 2 times"),
        (
            "因为他走了",
            "走了",
            "[from] must occur exactly once; found '因为他走了' 0 times",
        ),  # the target is not marked
        ("天天", "日日", "[from] must occur exactly once; found '天天' 2 times"),  # 天天天 holds it twice
        ("[他]", "他", "[to] one target is needed; found 0 in brackets"),
        ("走了", "[他]走了", "[to] one target is needed; found 2 in brackets"),
        ("[他]", "[他", "[to] un"),
        ("[他]", "[小王]", "[to] the target is no third-person pronoun; found '小王'"),
        ("甲等", "等", "[to] a candidate is lost"),
        ("走了", "走了", "[to] nothing changes"),
    ],
)
def test_a_modification_that_does_not_fit_is_refused(before: str, after: str, reason: str) -> None:
    item = items.marked("甲等乙天天天，其他人因为【他】走了。")
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        modify_item(item, change(item.id, before, after))


texts = st.text("甲乙他[]{}|\\，", max_size=12)


@given(texts, texts, st.sampled_from(["他", ""]))
def test_a_marked_text_says_what_it_says(before: str, after: str, form: str) -> None:
    text, target = before + form + after, Span(len(before), len(before) + len(form))
    assert unbracket(marked(text, target)) == (text, [target])


@given(texts, texts, st.text("真是，", min_size=1, max_size=4))
def test_a_modification_undone_gives_the_item_back(before: str, after: str, word: str) -> None:
    item = items.marked(f"{before}因为【他】{after}", candidates=("因", "为"))
    changed = modify_item(item, change(item.id, "因为[他]", f"因为{word}[他]"))
    assert len(changed.text) == len(item.text) + len(word)
    assert modify_item(changed, change(item.id, f"因为{word}[他]", "因为[他]")) == item


# --- a collection -----------------------------------------------------------------------------------------------------


def pair(first: str, second: str, name: str = "t-1") -> list[Item]:
    return [items.marked(first, f"{name}-a"), items.marked(second, f"{name}-b", answer=1)]


def test_kept_items_are_modified_and_rejected_ones_rescued() -> None:
    kept = [
        *pair("甲问乙，【他】胖。", "甲问乙，【他】瘦。", "k-1"),
        *pair("甲骂乙，【他】坏。", "甲骂乙，【他】惨。", "k-2"),
    ]
    lost = pair("甲打乙，我们罚了【他】。", "甲打乙，我们哄了【他】。", "r-1")
    broken = excluded(items.marked("【他】", "x-1-a"), "defect")
    changes = [
        change("r-1-b", "我们哄了[他]", "[他]得了我们的哄"),
        change("k-2-a", "[他]", "[他]真是", "stance-adverbial"),
        change("k-2-b", "[他]", "[他]真是", "stance-adverbial"),
        change("r-1-a", "我们罚了[他]", "[他]得了我们的罚"),
    ]
    result = modify(kept, [*map(excluded, lost), broken], changes, HERE)
    assert [(item.id, text_of(item)) for item in result.kept] == [
        ("k-1-a", "甲问乙，[他]胖。"),
        ("k-1-b", "甲问乙，[他]瘦。"),
        ("k-2-a", "甲骂乙，[他]真是坏。"),
        ("k-2-b", "甲骂乙，[他]真是惨。"),
        ("r-1-a", "甲打乙，[他]得了我们的罚。"),
        ("r-1-b", "甲打乙，[他]得了我们的哄。"),
    ]
    assert [(applied.modification.id, applied.exclusion) for applied in result.ledger] == [
        ("k-2-a", None),
        ("k-2-b", None),
        ("r-1-a", "direct-object"),
        ("r-1-b", "direct-object"),
    ]
    assert result.rejected == (broken,)
    assert result.ledger[0].original == "甲骂乙，他坏。"


def test_a_modification_brings_its_question_and_refuses_a_stale_one() -> None:
    item = items.marked("甲撞了乙，船工跳下去救【他】。", question="船工跳下去救谁？")
    modification = change("t-0001-a", "船工跳下去救[他]", "幸好[他]被船工救了上来")
    with pytest.raises(ValueError, match=r"^\[question\] asks with words that the text no longer has; found '工跳'"):
        modify_item(item, modification)
    with pytest.raises(ValueError, match=r"^\[question\]"):  # also where the modification repeats it
        modify_item(item, structs.replace(modification, question=item.question))
    changed = modify_item(item, structs.replace(modification, question="谁被船工救了上来？"))
    assert (changed.question, changed.text) == ("谁被船工救了上来？", "甲撞了乙，幸好他被船工救了上来。")
    # A question that still fits stays, as with 原来他 -> 原来他是.
    kept = items.marked("甲叫醒了乙，原来【他】打呼噜。", question="谁打呼噜？")
    assert modify_item(kept, change("t-0001-a", "原来[他]", "原来[他]是")).question == "谁打呼噜？"


def test_nothing_to_modify_leaves_the_kept_items() -> None:
    kept = pair("甲问乙，【他】胖。", "甲问乙，【他】瘦。")
    rejected = [excluded(items.marked("【他】", "x-1-a"))]
    assert modify(kept, rejected, [], None) == Modified(tuple(kept), tuple(rejected), ())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([change("x-9-a", "他", "她")], "[id] the modification no longer applies; found no item 'x-9-a'"),
        ([change("d-1-a", "[他]", "[她]")], "[id] nothing to mend; found d-1-a rejected as defect"),
        (
            [change("r-1-a", "我们罚了[他]", "[他]得了我们的罚")],
            "[id] rescues half a pair; found no modification of r-1-b",
        ),
        (
            [change("k-1-a", "[他]", "[他]实在是")],
            "[k-1-a] no longer a minimal pair with k-1-b; found a difference of 4 characters, expected 1 to 1, as before",
        ),
        ([change("k-1-a", "胖", "瘦")], "[k-1-a] no longer a minimal pair with k-1-b; found a difference of 0"),
        ([change("k-1-a", "没有", "有")], "[from] must occur exactly once"),
    ],
)
def test_a_wrong_modification_stops_the_run(refused: Refused, changes: list[Modification], reason: str) -> None:
    kept = pair("甲问乙，【他】胖。", "甲问乙，【他】瘦。", "k-1")
    lost = [excluded(item) for item in pair("甲打乙，我们罚了【他】。", "甲打乙，我们哄了【他】。", "r-1")]
    broken = excluded(items.marked("甲等乙，【他】。", "d-1-a"), "defect")
    field = reason[1 : reason.index("]")]
    message = refused(lambda: modify(kept, [*lost, broken], changes, HERE), "modifications.yaml:7", field)
    assert reason in message


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[Item], list[Rejected], list[Modification]]:
    """Draw pairs that the rules keep or reject, and modifications of both members of some."""
    kept, rejected, changes = [], [], []
    for number in range(draw(st.integers(0, 4))):
        members = pair("甲骂乙，我们罚了【他】。", "甲骂乙，我们哄了【他】。", f"s-{number}")
        exclusion = draw(st.sampled_from([None, "direct-object", "pair-mate", "defect"]))
        if exclusion is None:
            kept += members
        else:
            rejected += [excluded(member, exclusion) for member in members]
        if exclusion != "defect" and draw(st.booleans()):
            changes += [change(member.id, "我们", "大家") for member in members]
    return kept, rejected, draw(st.permutations(changes))


@given(collections())
def test_every_record_is_kept_or_rejected_after_modification(
    collection: tuple[list[Item], list[Rejected], list[Modification]],
) -> None:
    kept, rejected, changes = collection
    result = modify(kept, rejected, changes, HERE)
    left = [entry.record.id for entry in result.rejected]
    before = [item.id for item in kept] + [entry.record.id for entry in rejected]
    assert sorted([*(item.id for item in result.kept), *left]) == sorted(before)
    assert [entry for entry in rejected if entry.record.id in left] == list(result.rejected)
    rescued = {entry.record.id for entry in rejected} - set(left)
    assert rescued == {applied.modification.id for applied in result.ledger if applied.exclusion is not None}


# --- the rules --------------------------------------------------------------------------------------------------------


def lock_of(*words: str, roles: dict[int, tuple[int | None, str, str]]) -> Lock:
    text = "".join(words)
    tokens, place = [], 0
    for index, word in enumerate(words):
        head, upos, relation = roles.get(index, (1, "VERB", "dep"))
        tokens.append(Token(word, Span(place, place + len(word)), upos, "x", head, relation))
        place += len(word)
    return Lock(Path("t.conllu"), {key_of(text): Tree(text, "p", tuple(tokens))})


def test_a_modified_target_that_the_rules_reject_is_refused(refused: Refused) -> None:
    kept = [items.marked("我们罚【他】。", "k-1-a", candidates=("我们",))]
    lock = lock_of(
        "我们", "把", "他", "叫醒", "。",
        roles={0: (3, "PRON", "nsubj"), 1: (2, "ADP", "case"), 2: (3, "PRON", "obl"), 3: (None, "VERB", "root"), 4: (3, "PUNCT", "punct")},
    )  # fmt: skip
    result = modify(kept, [], [change("k-1-a", "罚[他]", "把[他]叫醒")], HERE)
    message = refused(lambda: judge(result, [lock], load_rules("zh"), HERE), "modifications.yaml:7", "k-1-a")
    assert "found zh/ba-object" in message


def test_a_target_left_out_needs_no_tree() -> None:
    kept = [items.marked("我们罚【他】。", "k-1-a", candidates=("我们",))]
    judge(modify(kept, [], [change("k-1-a", "罚[他]", "罚[]")], HERE), [Lock(HERE, {})], load_rules("zh"), HERE)


# --- files ------------------------------------------------------------------------------------------------------------


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "modifications.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_entries_are_read_with_their_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "# by hand\n" + ENTRY + ENTRY.replace("t-1-a", "t-1-b"))
    first, second = read_modifications(path)
    change = Modification(
        "t-1-a", "predicate", "罚了[他]", "[他]挨了罚", "An object licenses no zero.", lines=first.lines
    )
    assert (first, first.line) == (change, 2)
    assert (second.id, second.line) == ("t-1-b", 7)
    assert read_modifications(written(tmp_path, "[]\n")) == []
    asked = ENTRY + "  question: 谁挨了罚？\n  gloss: He was punished.\n"
    (entry,) = read_modifications(written(tmp_path, asked))
    assert (entry.question, entry.gloss, entry.lines["question"]) == ("谁挨了罚？", "He was punished.", 6)


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ("a: b\n", 1, "yaml"),
        ("- a\n", 1, "yaml"),
        (ENTRY.replace("type: predicate", "type: guess"), 2, "type"),
        (ENTRY.replace("  reason: An object licenses no zero.\n", ""), 1, "reason"),
        (ENTRY.replace("罚了[他]", "''"), 3, "from"),
        (ENTRY.replace("罚了[他]", "3"), 3, "from"),
        (ENTRY + "  why: x\n", 6, "why"),
        (ENTRY + "  question: ''\n", 6, "question"),
        (ENTRY + "  question: 谁\u200b挨了罚？\n", 6, "question"),
        (ENTRY + "  gloss: 3\n", 6, "gloss"),
        (ENTRY.replace("挨了罚", "挨了\u200d罚"), 4, "to"),
        (ENTRY.replace("An object", "An\u200b object"), 5, "reason"),
        (ENTRY.replace("An object licenses no zero.", "' '"), 5, "reason"),
        (ENTRY.replace("An object", "a.li@example.org, an object"), 5, "reason"),
        (ENTRY.replace("An object", "TODO an object"), 5, "reason"),
        (ENTRY + "  gloss: She was fined.\n", 6, "gloss"),
        (ENTRY + ENTRY, 6, "id"),
        ("- !!python/object:os.system {}\n", 1, "yaml"),
    ],
)
def test_a_broken_file_is_refused_at_its_line(
    tmp_path: Path, refused: Refused, text: str, line: int, field: str
) -> None:
    path = written(tmp_path, text)
    refused(lambda: read_modifications(path), f"{path}:{line}", field)


def test_modified_versions_are_those_to_be_parsed(tmp_path: Path, refused: Refused) -> None:
    path = written(tmp_path, ENTRY)
    item = items.marked("甲打乙，我们罚了【他】。", "t-1-a")
    assert [version.text for version in modified_versions([item], path)] == ["甲打乙，我们他挨了罚。"]
    refused(lambda: modified_versions([], path), f"{path}:1", "id")
    other = items.marked("甲打乙，我们骂了【他】。", "t-1-a")
    refused(lambda: modified_versions([other], path), f"{path}:3", "from")


def test_the_command_prints_what_went_in_and_out(tmp_path: Path) -> None:
    at = tmp_path.joinpath
    write_items(at("kept.jsonl"), pair("甲问乙，【他】胖。", "甲问乙，【他】瘦。", "k-1"))
    write_rejected(at("rejected.jsonl"), map(excluded, pair("甲打乙的【他】。", "甲骂乙的【他】。", "r-1")))
    entry = "- {{id: {}, type: possessor, from: '的[他]', to: '[]', reason: r}}\n"
    path = written(tmp_path, entry.format("r-1-a") + entry.format("r-1-b"))
    at("lock.conllu").write_text("", encoding="utf-8")
    files = (
        at("kept.jsonl"),
        f"--rejected={at('rejected.jsonl')}",
        f"--modifications={path}",
        f"--parses={at('lock.conllu')}",
    )
    outputs = (f"--out={at('out.jsonl')}", f"--rejected-out={at('left.jsonl')}", f"--ledger={at('ledger.jsonl')}")
    output = printed("modify", *files, *outputs)
    assert "2 kept + 2 rescued = 4 items; right answers A 2, B 2 (balanced)" in output
    assert "2 rejected - 2 rescued = 0 records" in output
    assert "2 items modified: stance-adverbial 0, copula 0, predicate 0, possessor 2" in output
    assert [item.text for item in read_items(at("out.jsonl"))][2:] == ["甲打乙。", "甲骂乙。"]
