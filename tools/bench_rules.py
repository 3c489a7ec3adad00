"""Benchmark of the exclusion rules: a walk from the target before spaCy's matcher, and all patterns on the whole sentence.

Both judge the items of our collection with the trees of both parsers, in one run, and must reject the same. Times are of the processor.
"""

import time
from collections.abc import Callable
from pathlib import Path

from pipeline.core.records import read_items
from pipeline.language.parsing.lock import read_locks, tree_of
from pipeline.language.parsing.trees import Tree
from pipeline.language.spacy_parts import DependencyMatcher, Doc, Vocab
from pipeline.winograd.exclusion.patterns import TARGET
from pipeline.winograd.exclusion.ruleset import RuleSet, load_rules

_ITEMS = Path("build/zh/items.jsonl")
_LOCKS = (Path("raw/zh/parses/stanza.conllu"), Path("raw/zh/parses/udpipe.conllu"))


def on_the_whole_sentence(rules: RuleSet) -> Callable[[Tree, int], set[str]]:
    """Return a function that gives the ids of the rules of which spaCy's matcher finds a pattern in a tree, and no exemption."""
    vocab = Vocab()
    when, unless = DependencyMatcher(vocab), DependencyMatcher(vocab)
    for rule in rules.rules:
        when.add(rule.id, list(rule.patterns))
        if rule.unless:
            unless.add(rule.id, list(rule.unless))

    def judge(tree: Tree, target: int) -> set[str]:
        words = tree.tokens
        doc = Doc(
            vocab,
            words=[word.form for word in words],
            pos=[word.upos for word in words],
            tags=[word.xpos for word in words],
            deps=[word.relation for word in words],
            heads=[place if word.head is None else word.head for place, word in enumerate(words)],
        )
        doc[target]._.role = TARGET
        found = {vocab.strings[key] for key, _ in when(doc)}
        return found - {vocab.strings[key] for key, _ in unless(doc)}

    return judge


def main() -> None:
    """Print the milliseconds that a tree takes both ways, and their ratio."""
    rules, locks = load_rules("zh"), read_locks(_LOCKS)
    items = [item for item in read_items(_ITEMS) if not item.already_zero]
    trees = [place for item in items for lock in locks if (place := tree_of(item, lock))[0].tokens[-1].upos == "PUNCT"]
    found, seconds = [], []
    ways: tuple[Callable[[Tree, int], set[str]], ...] = (
        lambda tree, target: {match.rule.id for match in rules.judge(tree, target)},
        on_the_whole_sentence(rules),
    )
    for way in ways:
        began = time.process_time()
        found.append([bool(way(tree, target)) for tree, target in trees])
        seconds.append(time.process_time() - began)
    if found[0] != found[1]:
        raise SystemExit("the two ways differ")
    ours, whole = (1000 * total / len(trees) for total in seconds)
    print(f"{len(items)} items, {len(trees)} trees that end in a mark: {ours:.2f} ms a tree")
    print(f"all patterns on whole sentences: {whole:.2f} ms a tree, {whole / ours:.1f} times as long")


if __name__ == "__main__":
    main()
