"""The exclusion rules: each on its own cases, all on the answer keys made by reading."""

import re
from collections import Counter
from pathlib import Path
from statistics import fmean

import conllu
import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import parse_tsv, read_text
from pipeline.core.model import Item
from pipeline.core.rules import RULES
from pipeline.core.yamlfile import load_yaml
from pipeline.language.parsing.backends import BACKENDS, Backend
from pipeline.language.parsing.lock import Lock, tree_of, update
from pipeline.language.parsing.trees import Tree, parse_trees
from pipeline.winograd.exclusion.rule_files import rule_files
from pipeline.winograd.exclusion.ruleset import load_rules
from tests.support.answer_keys import digest, literary, own_cases, record_of, recorded

RULE_IDS = [path.stem for path in rule_files("zh")]


def cases(path: Path) -> list[tuple[str, Tree, int]]:
    """Return name, tree and target of each hand-made case in a CoNLL-U file."""
    text = read_text(path)
    trees = parse_trees(text, path)
    cases_read = []
    for sentence, tree in zip(conllu.parse(text), trees, strict=True):
        targets = [number for number, token in enumerate(sentence) if (token["misc"] or {}).get("Target") == "Yes"]
        assert len(targets) == 1, f"{path}: {sentence.metadata['sent_id']} needs one Target=Yes"
        assert tree.parser == "hand", f"{path}: {sentence.metadata['sent_id']} must be made by hand"
        cases_read.append((sentence.metadata["sent_id"], tree, targets[0]))
    return cases_read


def all_cases(kind: str) -> list[tuple[str, str, Tree, int]]:
    return [
        (rule, name, tree, target)
        for rule in RULE_IDS
        for name, tree, target in cases(RULES / "zh" / f"{rule}.{kind}.conllu")
    ]


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_ships_hits_and_misses(rule: str) -> None:
    assert cases(RULES / "zh" / f"{rule}.hit.conllu")
    assert cases(RULES / "zh" / f"{rule}.miss.conllu")


@pytest.mark.parametrize(
    ("rule", "name", "tree", "target"), all_cases("hit"), ids=lambda value: value if isinstance(value, str) else ""
)
def test_hit(rule: str, name: str, tree: Tree, target: int) -> None:
    assert f"zh/{rule}" in [firing.rule.id for firing in load_rules("zh").judge(tree, target)]


@pytest.mark.parametrize(
    ("rule", "name", "tree", "target"), all_cases("miss"), ids=lambda value: value if isinstance(value, str) else ""
)
def test_miss(rule: str, name: str, tree: Tree, target: int) -> None:
    assert f"zh/{rule}" not in [firing.rule.id for firing in load_rules("zh").judge(tree, target)]


def test_every_word_list_and_shared_pattern_is_used() -> None:
    text = "".join(read_text(path) for path in [*rule_files("zh"), RULES / "shared" / "zh.yaml"])
    names = set(re.findall(r"@([\w-]+)", text))
    assert set(load_yaml(RULES / "words" / "zh.yaml")) | set(load_yaml(RULES / "shared" / "zh.yaml")) == names


def score(rows: list[tuple[str, Item]], backend: Backend) -> tuple[float, float, Counter[tuple[str, str]]]:
    """Return the share of right keep-or-exclude decisions, of right classes, and the confusion counts (gold, decision)."""
    lock = Lock(Path("lock"), {tree.key: tree for tree in update([item for _, item in rows], {}, backend).trees})
    rules = load_rules("zh")
    confusion: Counter[tuple[str, str]] = Counter()
    for gold, item in rows:
        tree, target = tree_of(item, lock)
        matches = rules.judge(tree, target)
        confusion[gold, matches[0].rule.exclusion if matches else "keep"] += 1
    total = sum(confusion.values())
    right = sum(count for (gold, decided), count in confusion.items() if (gold == "keep") == (decided == "keep"))
    same = sum(count for (gold, decided), count in confusion.items() if gold == decided)
    return right / total, same / total, confusion


def recording_of(rows: list[tuple[str, Item]]) -> dict[str, str]:
    """Return the digest of the sentence of each item's target, as records of trees name it."""
    backend = recorded("constructions", "stanza")
    lock = Lock(Path("lock"), {tree.key: tree for tree in update([item for _, item in rows], {}, backend).trees})
    return {item.id: digest([token.form for token in tree_of(item, lock)[0].tokens]) for _, item in rows}


def report(
    name: str, parser: str, result: tuple[float, float, Counter[tuple[str, str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Print a score where the test's reader sees it."""
    with capsys.disabled():
        items = sum(result[2].values())
        print(f"\n{name}, {parser}: decisions {result[0]:.1%}, classes {result[1]:.1%} of {items}")


# Each floor is a little under the measured share, so that a change that costs decisions shows.
@pytest.mark.parametrize(("name", "parser", "floor"), [
    ("constructions", "udpipe", 0.95), ("constructions", "stanza", 0.93),
    ("heldout", "udpipe", 0.94), ("heldout", "stanza", 0.93),
])  # fmt: skip
def test_decisions_on_our_own_sentences(
    name: str, parser: str, floor: float, capsys: pytest.CaptureFixture[str]
) -> None:
    result = score(own_cases(name), recorded(name, parser))
    report(name, parser, result, capsys)
    assert result[0] >= floor


def test_trees_drawn_by_hand_lead_to_few_other_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules lean on words and their classes: the parser's mistakes cost them little."""
    path = record_of("constructions", "hand")
    drawn = {row["sentence"] for _, row in parse_tsv(read_text(path), path, ("sentence", "words"))}
    rows, seen = own_cases("constructions"), recording_of(own_cases("constructions"))
    of_hand = [row for row in rows if seen[row[1].id] in drawn]
    assert len(of_hand) == len(drawn) == 167
    wrong = {}
    for parser in ("hand", "stanza", "udpipe"):
        decisions, classes, _ = score(of_hand, recorded("constructions", parser))
        wrong[parser] = [round((1 - share) * len(of_hand)) for share in (decisions, classes)]
        with capsys.disabled():
            print(
                f"\nsame 167 sentences, trees by {parser}: {wrong[parser][0]} decisions and {wrong[parser][1]} classes wrong"
            )
    assert wrong["hand"][1] <= wrong["stanza"][1]


@pytest.mark.parametrize("parser", ["udpipe", "stanza"])
@pytest.mark.parametrize(
    ("part", "name", "floor"),
    [("N", "unseen, ordinary prose", 0.98), ("V", "unseen, varied freely", 0.85), ("", "unseen, all", 0.92)],
)
def test_decisions_on_unseen_sentences(
    part: str, name: str, floor: float, parser: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = score([row for row in own_cases("unseen") if row[1].id.startswith(part)], recorded("unseen", parser))
    report(name, parser, result, capsys)
    assert result[0] >= floor


@pytest.mark.parametrize("parser", ["udpipe", "stanza"])
@pytest.mark.parametrize(
    ("first", "last", "name", "floor"),
    [(1, 78, "passages, used for the rules", 0.92), (79, 155, "passages, held out", 0.94)],
)
def test_decisions_on_passages(
    first: int, last: int, name: str, floor: float, parser: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row for row in own_cases("passages") if first <= int(row[1].schema.removeprefix("P")) <= last]
    assert len(rows) == last - first + 1
    result = score(rows, recorded("passages", parser))
    report(name, parser, result, capsys)
    assert result[0] >= floor


@pytest.mark.parametrize("parser", ["udpipe", "stanza"])
def test_wrong_decisions_are_more_often_uncertain(parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows, rules = own_cases("unseen"), load_rules("zh")
    lock = Lock(
        Path("lock"),
        {tree.key: tree for tree in update([item for _, item in rows], {}, recorded("unseen", parser)).trees},
    )
    uncertain: dict[bool, list[bool]] = {True: [], False: []}
    for gold, item in rows:
        tree, target = tree_of(item, lock)
        right = bool(rules.judge(tree, target)) == (gold != "keep")
        uncertain[right].append(bool(rules.tipping_words(tree, target)))
    with capsys.disabled():
        of_wrong, of_right = (f"{sum(uncertain[right])} of {len(uncertain[right])}" for right in (False, True))
        print(f"\nunseen, {parser}: uncertain {of_wrong} wrong decisions and {of_right} right ones")
    assert fmean(uncertain[False]) > fmean(uncertain[True])


@pytest.mark.parametrize(("parser", "floor"), [("udpipe", 0.96), ("stanza", 0.94)])
def test_decisions_on_literary_prose(
    parser: str, floor: float, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = score(literary(shared_data), recorded("literary", parser))
    report("web fiction and subtitles", parser, result, capsys)
    assert result[0] >= floor


@pytest.mark.parametrize("parser", list(BACKENDS))
def test_a_sentence_without_a_recorded_tree_is_named(parser: str) -> None:
    with pytest.raises(PipelineError, match=r"\[sentence\] no tree for '他走了。'; run make parse"):
        recorded("constructions", parser).parse([["他", "走", "了", "。"]])


def test_a_language_without_rules_is_named() -> None:
    with pytest.raises(PipelineError, match=r"\[lang\] no exclusion rules; found 'fr', expected one of zh"):
        load_rules("fr")
