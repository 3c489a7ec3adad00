"""The rules of Japanese on the translations in PWS and XWINO, against a reader's key; the figures of docs/japanese.md."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from pipeline.core.model import Item
from pipeline.core.tables import read_table
from pipeline.language.parsing.backends import load_ginza
from pipeline.language.parsing.lock import Lock, tree_of, update
from pipeline.language.parsing.trees import Tree
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT

KEY = ROOT / "tests" / "cases" / "japanese.tsv"
#: The relation that a treebank gives a pronoun with a particle.
RELATION = {"が": "nsubj", "を": "obj", "に": "obl", "の": "nmod"}


def collection(shared_data: Path, name: str) -> list[Item]:
    """Return the Japanese items of a collection whose target is a pronoun."""
    files = {
        "jap": ("pws/pws.tsv", "pws-tsv"),
        "jap2": ("pws/pws.tsv", "pws-tsv"),
        "ja": ("xwinograd/dataset.tsv", "xwinograd-tsv"),
    }
    path = shared_data / files[name][0]
    read = ingest(path.read_bytes(), path, files[name][1], name)
    return [item for item in read.items if not item.already_zero]


def parser_faults(trees: Iterable[tuple[Tree, int]]) -> Counter[str]:
    """Return what the parser gets wrong of pronouns, by kind."""
    faults = Counter[str]()
    for tree, target in trees:
        token, after = tree.tokens[target], tree.tokens[min(target + 1, len(tree.tokens) - 1)].form
        if token.upos != "PRON":
            faults[f"{token.upos} for a pronoun"] += 1
        if after in RELATION and token.relation != RELATION[after]:
            faults[f"{token.relation} for {RELATION[after]} before {after}"] += 1
        head = tree.tokens[token.head].form if token.head is not None else ""
        if after == "が" and head in ("ため", "為", "こと", "後", "とき", "時"):
            faults["subject of a clause hung on the noun behind it"] += 1
    return faults


@pytest.mark.parametrize(("name", "pronouns", "in_key"), [("jap", 75, 75), ("jap2", 41, 41), ("ja", 915, 203)])
def test_decisions_on_translations(
    name: str, pronouns: int, in_key: int, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = {row["id"]: row["decision"] for _, row in read_table(KEY, ("id", "decision"))}
    items = collection(shared_data, name)
    assert len(items) == pronouns
    items = [item for item in items if item.id in key]
    assert len(items) == in_key
    trees = update(items, {}, load_ginza(None)).trees
    lock, rules = Lock(Path("lock"), {tree.key: tree for tree in trees}), load_rules("ja")
    placed = [tree_of(item, lock) for item in items]
    decided = {
        item.id: matches[0].rule.exclusion if (matches := rules.judge(*place)) else "keep"
        for item, place in zip(items, placed, strict=True)
    }
    decisions = sum((decided[item.id] == "keep") == (key[item.id] == "keep") for item in items)
    classes = sum(decided[item.id] == key[item.id] for item in items)
    with capsys.disabled():
        print(f"\n{name}: of {len(items)} decisions {decisions}, classes {classes}; {dict(Counter(decided.values()))}")
        print(f"{name}: faults of the parser: {dict(parser_faults(placed))}")
    assert decisions >= 0.98 * len(items)
    assert classes >= 0.97 * len(items)
