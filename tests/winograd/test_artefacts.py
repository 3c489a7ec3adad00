"""Artefacts: planted ones are found, each by what was planted; balanced collections have none; z and p by hand."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.model import Item, Span
from pipeline.core.records import write_items
from pipeline.winograd.artefacts import (
    ARTEFACTS,
    LEAST_SCHEMAS,
    Cue,
    cues,
    filter_easy,
    page,
    parts,
    sentences,
    two_way,
)
from tests.support.commands import printed, winoforge

#: Characters of which names, verbs and endings of the made items consist.
_NAMES, _VERBS, _ENDS = "赵钱孙李周吴郑冯陈卫蒋沈韩杨", "看等找叫送劝问拉推追", "笑走坐站跑停睡醒哭唱"
#: The share of the items in which a planted artefact is right.
_PLANTED = 0.8


def made(
    number: int, seed: int, plant: Callable[[random.Random, list[str], int], tuple[list[str], str, str]]
) -> list[Item]:
    """Return items of one member, whose right answer is a coin's; `plant` changes candidates, the ending and the question."""
    source = random.Random(seed)
    items = []
    for at in range(number):
        names, answer = source.sample(_NAMES, 2), source.randrange(2)
        names, end, question = plant(source, names, answer)
        before = f"{names[0]}{source.choice(_VERBS)}{names[1]}，"
        text = f"{before}他{end}{source.choice(_ENDS)}了。"
        target = Span(len(before), len(before) + 1)
        items.append(
            Item(
                id=f"x-{at:04}-a",
                schema=f"x-{at:04}",
                version="a",
                lang="zh",
                text=text,
                target=target,
                candidates=tuple(names),
                answer=answer,
                question=question,
            )
        )
    return items


def _agrees(source: random.Random) -> bool:
    return source.random() < _PLANTED


def _nothing(_source: random.Random, names: list[str], _answer: int) -> tuple[list[str], str, str]:
    return names, "", "谁？"


def _in_the_candidate(source: random.Random, names: list[str], answer: int) -> tuple[list[str], str, str]:
    marked = answer if _agrees(source) else 1 - answer
    return [f"小{name}" if at == marked else f"老{name}" for at, name in enumerate(names)], "", "谁？"


def _by_length(source: random.Random, names: list[str], answer: int) -> tuple[list[str], str, str]:
    long = answer if _agrees(source) else 1 - answer
    return [name + source.choice(_NAMES) if at == long else name for at, name in enumerate(names)], "", "谁？"


def _in_the_clause(source: random.Random, names: list[str], answer: int) -> tuple[list[str], str, str]:
    return names, "就" if (answer == 0) == _agrees(source) else "才", "谁？"


def _in_the_question(source: random.Random, names: list[str], answer: int) -> tuple[list[str], str, str]:
    return names, "", "谁先？" if (answer == 0) == _agrees(source) else "谁后？"


def _first(items: list[Item]) -> list[Item]:
    """Return the items without four fifths of those whose second mention is right."""
    return [item for at, item in enumerate(items) if item.answer == 0 or at % 5 == 0]


@pytest.mark.parametrize(
    ("plant", "cue", "part"),
    [
        (_in_the_candidate, "candidate has 小", "candidates"),
        (_by_length, "the longer candidate", None),
        (_in_the_clause, "text has 就", "clause"),
        (_in_the_question, "question has 先", None),
    ],
)
def test_a_planted_artefact_is_found(
    plant: Callable[..., tuple[list[str], str, str]], cue: str, part: str | None
) -> None:
    items = made(160, 1, plant)
    found = [entry for entry in cues(items, {}) if entry.tells]
    assert cue in [entry.name for entry in found]
    told = [entry.name for entry in parts(tuple(items)) if entry.tells]
    assert part is None or part in told


def test_the_place_of_the_answer_is_not_told_again_by_each_word() -> None:
    """The words of items are tested against the share of the first mention: they add nothing to it."""
    items = _first(made(200, 2, _nothing))
    assert {entry.name for entry in cues(items, {}) if entry.tells} == {
        "the first mention",
        "the mention nearest to the target",
    }


@pytest.mark.parametrize("seed", [2, 3])
def test_a_classifier_that_learns_the_more_frequent_answer_only_tells_nothing(seed: int) -> None:
    """Of clauses with nothing planted it learns that the first mention is right in five of six: that is its chance."""
    items = _first(made(400, seed, _nothing))
    (clause,) = [part for part in parts(tuple(items)) if part.name == "clause"]
    assert clause.share > 0.75
    assert (clause.tells, clause.chance) == (False, sum(item.answer == 0 for item in items) / len(items))


def test_a_register_that_tells_is_found() -> None:
    items = made(120, 3, _nothing)
    registers = {item.id: "news" if item.answer == 0 else "work" for item in items}
    found = {entry.name: (len(entry.solved), entry.items) for entry in cues(items, registers) if entry.tells}
    news = sum(item.answer == 0 for item in items)
    assert found == {"register news": (news, news), "register work": (0, 120 - news)}


@settings(deadline=None, max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_pairs_that_exchange_their_answers_give_nothing_away(seed: int) -> None:
    """Both members have the same words and candidates, so that each cue and each classifier is right in one of two."""
    items = _pairs(made(40, seed, _nothing))
    assert [entry for entry in cues(items, {}) if entry.tells] == []
    assert [entry.share for entry in parts(tuple(items))] == [0.5] * 4


def _pairs(items: list[Item]) -> list[Item]:
    """Return each item and its twin, of which the other candidate is the answer."""
    twins = (replace(item, id=item.id.removesuffix("a") + "b", version="b", answer=1 - item.answer) for item in items)
    return [member for pair in zip(items, twins, strict=True) for member in pair]


def test_z_and_p_by_hand() -> None:
    """20 of 25: z = (0.8 - 0.5) / sqrt(0.25 / 25) = 3. 18 of 20 of a share that is usually 0.9: z = 0."""
    ids = tuple(map(str, range(25)))
    assert Cue("被", ids[:20], ids[20:], 0.5, None).z == pytest.approx(3)
    assert Cue("被", ids[:18], ids[18:20], 0.9, None).z == pytest.approx(0)


def test_p_is_the_exact_one_times_the_number_of_tests() -> None:
    """小 is before the right candidate of all of ten items: 2 / 2^10, the smallest p, times the number of tests (Holm)."""
    items = made(
        10,
        5,
        lambda _, names, answer: (
            [f"{'小' if at == answer else '老'}{name}" for at, name in enumerate(names)],
            "",
            "谁？",
        ),
    )
    tested = {entry.name: entry for entry in cues(items, {}) if entry.p is not None}
    assert (tested["candidate has 小"].items, len(tested["candidate has 小"].solved)) == (10, 10)
    assert (tested["candidate has 老"].items, len(tested["candidate has 老"].solved)) == (10, 0)
    assert tested["candidate has 小"].p == pytest.approx(2 / 2**10 * len(tested))


def test_only_two_candidates_and_enough_schemas_are_judged(tmp_path: Path) -> None:
    items = made(LEAST_SCHEMAS - 1, 1, _in_the_candidate)
    write_items(tmp_path / "items.jsonl", items)
    assert ARTEFACTS.rows([tmp_path / "items.jsonl"]) == []
    assert parts(tuple(items)) == ()
    three = replace(items[0], candidates=("甲", "乙", "丙"))
    assert two_way([*items, three]) == tuple(items)
    run = winoforge("artefacts", tmp_path / "items.jsonl")
    reason = "[schema] too few schemas with two candidates; found 19, expected 20 or more"
    assert (run.returncode, run.stderr) == (2, f"{tmp_path / 'items.jsonl'}: {reason}\n")


def test_the_suite_and_the_command_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    write_items(path, made(160, 1, _in_the_candidate))
    lines = ARTEFACTS.check([path]).lines()
    assert next(lines).startswith(f"{path}:1: [artefacts/no-cue-tells] 2 of ")
    assert next(lines).startswith(f"{path}:1: [artefacts/no-part-tells] ")
    report = json.loads(printed("artefacts", path, "--out", tmp_path / "page", "--json"))
    assert (report["items"], sorted(report["cues"])) == (160, ["candidate has 小", "candidate has 老"])
    html = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "candidate has 小 gives the answer of" in html


def test_the_page_says_that_nothing_tells() -> None:
    items = _pairs(made(40, 1, _nothing))
    found, seen = cues(items, {}), parts(tuple(items))
    (line,) = sentences(items, found, seen)
    assert line.startswith("nothing tells the answers of 80 items: none of ")
    assert "Nothing tells" in page("made", items, found, seen)


def test_the_filter_leaves_out_what_a_planted_word_solves_first() -> None:
    """Half of the items have candidates that give the answer away; of the first twentieths that go, nearly all are theirs."""
    easy = made(60, 6, _in_the_candidate)
    plain = [replace(item, id=f"y{item.id}", schema=f"y{item.schema}") for item in made(60, 7, _nothing)]
    gone = filter_easy([*easy, *plain], seed=1)
    assert gone == filter_easy([*easy, *plain], seed=1)
    assert len(gone) == len(set(gone))
    assert sum(item_id.startswith("x") for item_id in gone[:12]) >= 10
