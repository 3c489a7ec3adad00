"""Match the exclusion rules against trees with spaCy's DependencyMatcher.

The matcher looks for each node of each pattern in the whole sentence. Most patterns cannot match there, as a walk from the target over
their nodes shows: the matcher is asked about the others only.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.hints import near_name
from ...core.model import Span
from ...core.rules import RULES
from ...language.parsing.trees import Token as Word
from ...language.parsing.trees import Tree
from ...language.spacy_parts import DependencyMatcher, Doc, Token, Vocab
from .rule_files import REASON, TARGET, Nodes, Rule, RuleMatch, read_rules, require_cases, rule_files, rules_by_id

#: Places of the words that most patterns read, counted from the target.
_PLACES = (-1, 1, 2)
#: Parts of speech that taggers confuse, and the two that decide whether a pattern matches.
_CONFUSED = frozenset({"VERB", "NOUN", "ADJ", "PROPN", "AUX"})
_OTHERS = ("VERB", "NOUN")
#: How a person reads the tests of an attribute, and maximum number of words of a list that are shown.
_TEST_WORDS, _SHOWN = {"IN": "", "NOT_IN": "not ", "REGEX": "like "}, 6
#: What a word has for each attribute that a node can ask for.
_ATTRIBUTES: Mapping[str, Callable[[Word], str]] = {
    "ORTH": attrgetter("form"),
    "POS": attrgetter("upos"),
    "TAG": attrgetter("xpos"),
    "DEP": attrgetter("relation"),
}


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern of a rule, ready to run; for each of its nodes but the target, the place of the node that it hangs on and its operator."""

    rule_id: str
    number: int
    matcher: DependencyMatcher
    steps: tuple[tuple[int, str], ...]
    tests: tuple[Callable[[Word], bool], ...]

    def may_match(self, words: Sequence[Word], target: int) -> bool:
        """Return False only where no words stand to each other as the nodes do.

        Each node is looked for beside all that the one before it may be. That two nodes are not the same word is left to the matcher.
        """
        places: list[set[int]] = [{target}]
        for (left, operator), test in zip(self.steps, self.tests, strict=True):
            near = {place for start in places[left] for place in _reached(words, start, operator)}
            places.append({place for place in near if test(words[place])})
            if not places[-1]:
                return False
        return True

    def unfit_word(self, nodes: Nodes, words: Sequence[Word], target: int) -> tuple[int, int] | None:
        """Return the only node that no word fits, with the place of the word that stands there instead; None if more do not fit.

        Another word must fit a node that asks for certain words, or for a place in the tree: of a pattern that asks for less, one unfit
        word says nothing.
        """

        def walk(places: list[int], unfit: tuple[int, int] | None) -> tuple[int, int] | None:
            number = len(places)
            if number == len(nodes):
                fitting = (node for index, node in enumerate(nodes) if index and unfit and index != unfit[0])
                return unfit if any(map(_is_telling, fitting)) else None
            left, operator = self.steps[number - 1]
            for place in _reached(words, places[left], operator) if operator in _NEAR else ():
                fits = self.tests[number - 1](words[place])
                if place not in places and (fits or unfit is None):
                    found = walk([*places, place], unfit if fits else (number, place))
                    if found:
                        return found
            return None

        return walk([target], None)


#: Operators of which `_reached` returns few words.
_NEAR = frozenset({".", ";", "<", "<+", "<-", "<++", "<--", ">", ">+", ">-", ">++", ">--"})


def _is_telling(node: Mapping[str, Any]) -> bool:
    """Tell whether a node asks for a place in the tree, or for words that a list or an expression names."""
    form = node["RIGHT_ATTRS"].get("ORTH", {})
    named = form if isinstance(form, str) else form.get("IN") or not form.get("REGEX", "^(?!").startswith("^(?!")
    return node["REL_OP"][0] in "<>" or bool(named)


def _in_words(attributes: Mapping[str, Any]) -> str:
    """Return what a node asks of a word, for a person to read.

    >>> _in_words({"POS": "VERB", "ORTH": {"NOT_IN": ["把", "将"]}})
    'POS VERB, ORTH not 把, 将'
    """
    parts = []
    for name, wanted in attributes.items():
        tests: Mapping[str, Any] = {"IN": [wanted]} if isinstance(wanted, str) else wanted
        for test, operand in tests.items():
            words, size = (operand, 5 * _SHOWN) if test == "REGEX" else (", ".join(operand[:_SHOWN]), None)
            more = "…" if len(operand) > (size or _SHOWN) else ""
            parts.append(f"{name} {_TEST_WORDS[test]}{words[:size]}{more}")
    return ", ".join(parts) or "any word"


def _reached(words: Sequence[Word], place: int, operator: str) -> Iterable[int]:
    """Return the places where the other word of an operator may be: exactly those of ``. ; <``, all words for what is rare."""
    match operator:
        case ".":
            return (place + 1,) if place + 1 < len(words) else ()
        case ";":
            return (place - 1,) if place else ()
        case "<" | "<+" | "<-" | "<++" | "<--":
            head = words[place].head
            return () if head is None else (head,)
        case ">" | ">+" | ">-" | ">++" | ">--":
            return [other for other, word in enumerate(words) if word.head == place]
    return range(len(words))


def _test(attributes: Mapping[str, Any]) -> Callable[[Word], bool]:
    """Return a function that tells whether a word has what a node asks for."""
    conditions = []
    for name, wanted in attributes.items():
        tests: Mapping[str, Any] = {"IN": [wanted]} if isinstance(wanted, str) else wanted
        only = frozenset(tests["IN"]) if "IN" in tests else None
        expression = re.compile(tests["REGEX"]) if "REGEX" in tests else None
        conditions.append((_ATTRIBUTES[name], only, frozenset(tests.get("NOT_IN", ())), expression))

    def passes(word: Word) -> bool:
        for attribute, only, never, expression in conditions:
            value = attribute(word)
            if (only is not None and value not in only) or value in never:
                return False
            if expression and not expression.search(value):
                return False
        return True

    return passes


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
        self._when, self._unless = (
            tuple(
                self._pattern(rule.id, number, nodes)
                for rule in self.rules
                for number, nodes in enumerate(getattr(rule, kind), 1)
            )
            for kind in ("patterns", "unless")
        )

    def judge(self, tree: Tree, target: int) -> list[RuleMatch]:
        """Return the matches of the rules for token `target` of `tree`, in the order of the rules; none licenses the zero."""
        words = _closed(tree)
        matched = self._matched(self._when, words, target)
        if not matched:  # most targets are licensed
            return []
        exempt = self._exempt(matched, words, target)
        matches: dict[str, RuleMatch] = {}
        for rule in self.rules:
            patterns = matched.get(rule.id)
            if patterns and rule.id not in exempt and not any(other in matches for other in rule.yields_to):
                number, token_ids = min(patterns.items())
                nodes = rule.patterns[number - 1]
                forms = {node["RIGHT_ID"]: words[index].form for node, index in zip(nodes, token_ids, strict=True)}
                matches[rule.id] = RuleMatch(rule, number, forms)
        return list(matches.values())

    def near_matches(self, tree: Tree, target: int) -> dict[str, str]:
        """Return why rules only nearly match, by id: an exception holds, another rule has precedence, or one word does not fit."""
        words = _closed(tree)
        matched = self._matched(self._when, words, target)
        exempt = self._exempt(matched, words, target)
        matches = [match.rule.id for match in self.judge(tree, target)]
        near = {}
        for rule in self.rules:
            if rule.id in exempt:
                number, token_ids = min(exempt[rule.id].items())
                forms = ", ".join(words[index].form for index in sorted(token_ids))
                reason = rule.unless[number - 1][0].get(REASON, f"number {number}")
                near[rule.id] = f"matches, but for an exception: {reason} (here: {forms})"
            elif rule.id in matched and rule.id not in matches:
                before = next(other for other in rule.yields_to if other in matches)
                near[rule.id] = f"matches, but {before} does too and has precedence"
        rules = {rule.id: rule for rule in self.rules}
        for pattern in self._when:
            nodes = rules[pattern.rule_id].patterns[pattern.number - 1]
            if pattern.rule_id not in (*matched, *near) and (unfit := pattern.unfit_word(nodes, words, target)):
                node, form = nodes[unfit[0]], words[unfit[1]].form
                reason = f"{node['RIGHT_ID']} is {form}, expected {_in_words(node['RIGHT_ATTRS'])}"
                near[pattern.rule_id] = f"pattern {pattern.number} but for one word: {reason}"
        return {rule.id: near[rule.id] for rule in self.rules if rule.id in near}

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

    def _exempt(
        self, matched: Mapping[str, object], words: Sequence[Word], target: int
    ) -> dict[str, dict[int, list[int]]]:
        """Return the exceptions that hold of rules that match, as `_matched` returns patterns."""
        return self._matched([pattern for pattern in self._unless if pattern.rule_id in matched], words, target)

    def _pattern(self, rule_id: str, number: int, nodes: Nodes) -> _Pattern:
        matcher = DependencyMatcher(self._vocab, validate=True)
        matcher.add(rule_id, [nodes])
        place = {node["RIGHT_ID"]: index for index, node in enumerate(nodes)}
        return _Pattern(
            rule_id,
            number,
            matcher,
            tuple((place[node["LEFT_ID"]], node["REL_OP"]) for node in nodes[1:]),
            tuple(_test(node["RIGHT_ATTRS"]) for node in nodes[1:]),
        )

    def _matched(
        self, patterns: Iterable[_Pattern], words: Sequence[Word], target: int
    ) -> dict[str, dict[int, list[int]]]:
        """Return for each rule id the numbers of its matching patterns, each with the tokens of its first match."""
        matched: dict[str, dict[int, list[int]]] = {}
        doc: Doc | None = None
        for pattern in patterns:
            if pattern.may_match(words, target):
                doc = doc or self._doc(words, target)
                if found := pattern.matcher(doc):
                    matched.setdefault(pattern.rule_id, {})[pattern.number] = found[0][1]
        return matched

    def _doc(self, words: Sequence[Word], target: int) -> Doc:
        doc = Doc(
            self._vocab,
            words=[word.form for word in words],
            spaces=[False] * len(words),
            pos=[word.upos for word in words],
            tags=[word.xpos for word in words],
            deps=[word.relation for word in words],
            heads=[index if word.head is None else word.head for index, word in enumerate(words)],
        )
        doc[target]._.role = TARGET
        return doc


def _closed(tree: Tree) -> Sequence[Word]:
    """Return the words of a tree, with a full stop if it has no mark at its end, so that patterns can rely on one."""
    return tree.tokens if tree.tokens[-1].upos == "PUNCT" else (*tree.tokens, _full_stop(tree))


def _full_stop(tree: Tree) -> Word:
    end = Span(len(tree.text), len(tree.text))
    root = next(index for index, token in enumerate(tree.tokens) if token.head is None)
    return Word("。", end, "PUNCT", "x", root, "punct")


@functools.cache
def load_rules(lang: str) -> RuleSet:
    """Return the rules of a language, ready to run; see `read_rules` for its errors."""
    rules = rules_by_id(lang)
    require_cases(RULES / lang, [path.stem for path in rule_files(lang)])
    return RuleSet([*rules.values()])


def rules_in(folder: Path, lang: str) -> RuleSet:
    """Return the rules of a language in a folder such as rules/, ready to run, whether or not they have cases; see `read_rules`."""
    if not (folder / "shared").is_dir():
        reason = f"no folder of rules{near_name(folder)}; expected one such as rules/, with folders shared/ and {lang}/"
        raise PipelineError(folder, None, f"[rules] {reason}, or a ledger decisions.jsonl")
    return RuleSet(read_rules(lang, folder, cases=False))
