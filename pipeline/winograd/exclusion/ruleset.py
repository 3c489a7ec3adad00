"""Match the exclusion rules against trees with spaCy's DependencyMatcher."""

import functools
from collections.abc import Sequence
from dataclasses import replace

from ...core.model import Span
from ...language.parsing.trees import Token as Word
from ...language.parsing.trees import Tree
from ...language.spacy_parts import DependencyMatcher, Doc, Token, Vocab
from .patterns import TARGET
from .rule_files import Rule, RuleMatch, read_rules

#: Places of the words that most patterns read, counted from the target.
_PLACES = (-1, 1, 2)
#: Parts of speech that taggers confuse, and the two that decide whether a pattern matches.
_CONFUSED = frozenset({"VERB", "NOUN", "ADJ", "PROPN", "AUX"})
_OTHERS = ("VERB", "NOUN")


class RuleSet:
    """The rules of one language, ready to run.

    Args:
        rules: the rules in the order of their reports; a rule yields only to rules before it.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._vocab = Vocab()
        if not Token.has_extension("role"):
            Token.set_extension("role", default="")
        self._when, self._unless = (DependencyMatcher(self._vocab, validate=True) for _ in range(2))
        for rule in self.rules:
            for matcher, patterns in ((self._when, rule.patterns), (self._unless, rule.unless)):
                for number, nodes in enumerate(patterns, 1):
                    matcher.add(f"{rule.id} {number}", [nodes])

    def judge(self, tree: Tree, target: int) -> list[RuleMatch]:
        """Return the matches of the rules for token `target` of `tree`, in the order of the rules; none licenses the zero."""
        doc = self._doc(tree, target)
        matched = self._matched(self._when, doc)
        if not matched:  # most targets are licensed
            return []
        exempt = self._matched(self._unless, doc)
        matches: dict[str, RuleMatch] = {}
        for rule in self.rules:
            patterns = matched.get(rule.id)
            if patterns and rule.id not in exempt and not any(other in matches for other in rule.yields_to):
                number, token_ids = min(patterns.items())
                nodes = rule.patterns[number - 1]
                words = {node["RIGHT_ID"]: doc[index].text for node, index in zip(nodes, token_ids, strict=True)}
                matches[rule.id] = RuleMatch(rule, number, words)
        return list(matches.values())

    def tipping_words(self, tree: Tree, target: int) -> tuple[str, ...]:
        """Return the words beside a target that, with another part of speech, turn a kept item into a rejected one or the reverse.

        Taggers err most in parts of speech. Each word is written with its own and the other one (``堂叔 VERB → NOUN``), in the order
        of the words. Empty if the decision stands whatever these words are.
        """
        rejected = bool(self.judge(tree, target))
        tipping = []
        for place in (target + step for step in _PLACES):
            if not 0 <= place < len(tree.tokens) or tree.tokens[place].upos not in _CONFUSED:
                continue
            token = tree.tokens[place]
            for upos in _OTHERS:
                tokens = (*tree.tokens[:place], replace(token, upos=upos), *tree.tokens[place + 1 :])
                if upos != token.upos and bool(self.judge(replace(tree, tokens=tokens), target)) != rejected:
                    tipping.append(f"{token.form} {token.upos} → {upos}")
        return tuple(tipping)

    def _matched(self, matcher: DependencyMatcher, doc: Doc) -> dict[str, dict[int, list[int]]]:
        """Return for each rule id the numbers of its matching patterns, each with the tokens of its first match."""
        matched: dict[str, dict[int, list[int]]] = {}
        for key, token_ids in matcher(doc):
            rule_id, pattern = self._vocab.strings[key].split(" ")
            matched.setdefault(rule_id, {}).setdefault(int(pattern), token_ids)
        return matched

    def _doc(self, tree: Tree, target: int) -> Doc:
        tokens = tree.tokens if tree.tokens[-1].upos == "PUNCT" else (*tree.tokens, _full_stop(tree))
        doc = Doc(
            self._vocab,
            words=[token.form for token in tokens],
            spaces=[False] * len(tokens),
            pos=[token.upos for token in tokens],
            tags=[token.xpos for token in tokens],
            deps=[token.relation for token in tokens],
            heads=[index if token.head is None else token.head for index, token in enumerate(tokens)],
        )
        doc[target]._.role = TARGET
        return doc


def _full_stop(tree: Tree) -> Word:
    """Return a full stop for a sentence without one, so that patterns can rely on a mark at its end."""
    end = Span(len(tree.text), len(tree.text))
    root = next(index for index, token in enumerate(tree.tokens) if token.head is None)
    return Word("。", end, "PUNCT", "x", root, "punct")


@functools.cache
def load_rules(lang: str) -> RuleSet:
    """Return the rules of a language, ready to run; see `read_rules` for its errors."""
    return RuleSet(read_rules(lang))
