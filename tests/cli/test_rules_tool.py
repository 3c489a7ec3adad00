"""The helper for exclusion rules: a case drawn from a tree is one that the tests read; a change of the rules is shown."""

from dataclasses import replace
from pathlib import Path

import pytest
import typer

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from pipeline.core.rules import RULES
from pipeline.language.parsing.lock import Lock
from pipeline.language.parsing.trees import Tree, parse_trees
from pipeline.winograd.exclusion.rule_files import read_rules
from pipeline.winograd.exclusion.ruleset import RuleSet
from tests.support.items import marked
from tools import rules as tool
from tools.rules import add_case, case_block, changes, parsed

TEXT = "警察将【他们】带走了。"


@pytest.fixture(scope="module")
def tree() -> Tree:
    path = RULES / "zh" / "ba-object.hit.conllu"
    return parse_trees(read_text(path), path)[1]


def test_a_case_is_written_as_the_cases_of_the_rules_are(tree: Tree) -> None:
    blocks = read_text(RULES / "zh" / "ba-object.hit.conllu").split("\n\n")
    assert case_block(tree, 2, "ba-object-hit-2", "disposal object after written 将") == f"{blocks[1]}\n\n"


def test_an_item_that_is_kept_no_more_is_shown_with_the_rules(tree: Tree) -> None:
    item, lock = marked(TEXT), Lock(Path("lock"), {tree.key: tree})
    rules = read_rules("zh", cases=False)
    before, after = RuleSet([rule for rule in rules if rule.id != "zh/ba-object"]), RuleSet(rules)
    twice = RuleSet([*rules, *(replace(rule, id="zh/also") for rule in rules if rule.id == "zh/ba-object")])
    assert list(changes([item], lock, after, twice)) == []  # one more reason is no other decision
    (line,) = changes([item], lock, before, after)
    assert line == "t-0001-a: kept → ba-object; none → zh/ba-object; 警察将[他们]带走了。"


@pytest.mark.parametrize("sentence", ["他走了。", "[他]走了，[她]没走。", "[]走了。", "[他走了。"])
def test_a_sentence_without_one_target_is_refused(sentence: str) -> None:
    with pytest.raises(PipelineError, match=r"^\[sentence\]"):
        parsed(sentence, "zh")


def test_a_sentence_is_a_case_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    monkeypatch.setattr(tool, "RULES", tmp_path / "rules")
    (tmp_path / "rules" / "zh").mkdir(parents=True)
    (tmp_path / "rules" / "zh" / "ba-object.yaml").touch()
    path = tmp_path / "rules" / "zh" / "ba-object.hit.conllu"
    add_case("ba-object", "hit", "警察将[他们]带走了。", "disposal object")
    text = read_text(path)
    with pytest.raises(typer.Exit) as ended:
        add_case("ba-object", "miss", "警察将[他们]带走了。", "a miss that matches")
    assert ended.value.exit_code == 1
    assert text.count("# sent_id") == 1
    with pytest.raises(PipelineError, match=r"hit\.conllu:2: \[sentence\] a case already"):
        add_case("ba-object", "hit", "警察将[他们]带走了。", "again")
    assert read_text(path) == text
