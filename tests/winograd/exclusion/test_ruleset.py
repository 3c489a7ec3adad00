"""The rules of a set find in a tree what spaCy's DependencyMatcher finds in it, pattern by pattern."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Span
from pipeline.language.parsing.trees import Token, Tree
from pipeline.winograd.exclusion.rule_files import OPERATORS, TARGET, Nodes, Rule
from pipeline.winograd.exclusion.ruleset import RuleSet, load_rules
from tools.bench_rules import Source, as_decided, committed, compared, on_the_whole_sentence, published

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
    assert as_decided(rules, tree, target) == on_the_whole_sentence(rules)(tree, target)


# All cases of the rules; of the rest every thirteenth, as spaCy takes a minute for all, which `make bench-rules` compares.
@pytest.mark.parametrize("source", committed(), ids=lambda source: source.name)
def test_decisions_on_committed_trees_are_those_of_spacy_on_whole_sentences(source: Source) -> None:
    places = source.places(1 if source.name.startswith("cases") else 13)
    assert compared(load_rules(source.lang), places)[0] == []
    assert places


@pytest.mark.parametrize("source", published(), ids=lambda source: source.name)
def test_decisions_on_published_sentences_are_those_of_spacy_on_whole_sentences(
    source: Source, shared_data: Path
) -> None:
    assert compared(load_rules(source.lang), source.places(29))[0] == []
