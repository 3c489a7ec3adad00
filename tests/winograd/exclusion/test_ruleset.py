"""The rules of a set find in a tree what spaCy's DependencyMatcher finds in it, pattern by pattern."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Span
from pipeline.language.parsing.lock import tree_of
from pipeline.language.parsing.trees import Token, Tree
from pipeline.winograd.exclusion.patterns import OPERATORS, TARGET, Nodes
from pipeline.winograd.exclusion.rule_files import Rule
from pipeline.winograd.exclusion.ruleset import RuleSet, load_rules
from tests.support.answer_keys import own_cases, recorded, trees_of
from tools.bench_rules import on_the_whole_sentence

ANCHOR: dict[str, Any] = {"RIGHT_ID": TARGET, "RIGHT_ATTRS": {"_": {"role": TARGET}}}
ATTRIBUTES: list[dict[str, Any]] = [
    {},
    {"POS": "NOUN"},
    {"ORTH": {"IN": ["甲", "乙"]}, "POS": {"NOT_IN": ["NOUN"]}},
    {"DEP": {"REGEX": "^n", "NOT_IN": ["nmod"]}},
    {"TAG": {"REGEX": "n"}},
]


@st.composite
def patterns(draw: st.DrawFn) -> Nodes:
    nodes: Nodes = [ANCHOR]
    for number in range(draw(st.integers(1, 3))):
        left = draw(st.sampled_from([node["RIGHT_ID"] for node in nodes]))
        asked = {"LEFT_ID": left, "REL_OP": draw(st.sampled_from(OPERATORS)), "RIGHT_ID": f"n{number}"}
        nodes.append({**asked, "RIGHT_ATTRS": draw(st.sampled_from(ATTRIBUTES))})
    return nodes


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Draw a tree of two to seven words, a mark at its end: each word but the root hangs on one that is in the tree already."""
    count = draw(st.integers(1, 6))
    order = draw(st.permutations(range(count)))
    heads: dict[int, int | None] = {order[0]: None}
    for place in order[1:]:
        heads[place] = draw(st.sampled_from(sorted(heads)))
    tokens = [
        Token(
            draw(st.sampled_from("甲乙丙")),
            Span(place, place + 1),
            draw(st.sampled_from(["NOUN", "VERB"])),
            draw(st.sampled_from(["n", "vn", "v"])),
            heads[place],
            "root" if heads[place] is None else draw(st.sampled_from(["nsubj", "nmod", "obj"])),
        )
        for place in range(count)
    ]
    tokens.append(Token("。", Span(count, count + 1), "PUNCT", "x", order[0], "punct"))
    return Tree("".join(token.form for token in tokens), "hand", tuple(tokens))


@given(patterns(), patterns(), trees(), st.data())
def test_a_rule_matches_where_spacy_finds_a_pattern_and_no_exemption(
    when: Nodes, unless: Nodes, tree: Tree, data: st.DataObject
) -> None:
    target = data.draw(st.integers(0, len(tree.tokens) - 1))
    rules = RuleSet([Rule("zh/rule", "direct-object", "", (when,), (unless,), ())])
    assert {match.rule.id for match in rules.judge(tree, target)} == on_the_whole_sentence(rules)(tree, target)


@pytest.mark.parametrize("parser", ["udpipe", "stanza"])
def test_decisions_on_parsed_sentences_are_those_of_spacy(parser: str) -> None:
    """Every twelfth sentence of a key, as spaCy takes seconds for all; `make bench-rules` compares all of our collection."""
    rows, rules = own_cases("constructions")[::12], load_rules("zh")
    lock, matched = trees_of(rows, recorded("constructions", parser)), on_the_whole_sentence(rules)
    for _, item in rows:
        tree, target = tree_of(item, lock)
        if tree.tokens[-1].upos == "PUNCT":  # the rules add a full stop to other sentences
            found = {match.rule.id for match in rules.judge(tree, target)}
            assert found <= matched(tree, target)  # without the rules that yield to others
            assert bool(found) == bool(matched(tree, target))
