"""Load the exclusion rules of rules/, check them, and match them against trees with spaCy's DependencyMatcher."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.errors import MatchPatternError
from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

from ...core.errors import PipelineError
from ...core.model import CLASSES, ExclusionClass, Span, is_exclusion_class
from ...core.rules import RULES
from ...core.yamlfile import line_of, load_yaml, require_mapping
from ...language.parsing.trees import Token as Word
from ...language.parsing.trees import Tree

_TARGET = "target"
_LIST = re.compile(r"@([\w-]+)")

Nodes = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One exclusion rule. It matches if one of `patterns` does, none of `unless`, and no rule of `yields_to`."""

    id: str
    exclusion: ExclusionClass
    because: str
    patterns: tuple[Nodes, ...]
    unless: tuple[Nodes, ...]
    yields_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A rule that matches, the number of its pattern (from 1), and the matched words by node name."""

    rule: Rule
    pattern: int
    words: Mapping[str, str]


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
        doc[target]._.role = _TARGET
        return doc


def _full_stop(tree: Tree) -> Word:
    """Return a full stop for a sentence without one, so that patterns can rely on a mark at its end."""
    end = Span(len(tree.text), len(tree.text))
    root = next(index for index, token in enumerate(tree.tokens) if token.head is None)
    return Word("。", end, "PUNCT", "x", root, "punct")


def rule_files(lang: str) -> list[Path]:
    """Return the rule files of a language, in the order of their names."""
    return sorted((RULES / lang).glob("*.yaml"))


@functools.cache
def load_rules(lang: str) -> RuleSet:
    """Return the rules of a language.

    Raises:
        PipelineError: the language has no rules, or a rule is malformed, at its line.
    """
    files = rule_files(lang)
    if not files:
        known = sorted({path.parent.name for path in RULES.glob("*/*.hit.conllu")})  # a rule has its cases beside it
        raise PipelineError(
            None, None, f"[lang] no exclusion rules; found {lang!r}, expected one of {', '.join(known)}"
        )
    shared = _Shared(load_yaml(RULES / "words" / f"{lang}.yaml"), load_yaml(RULES / "shared" / f"{lang}.yaml"))
    return RuleSet(_ordered([_rule(path, shared) for path in files], files))


@dataclass(frozen=True, slots=True)
class _Shared:
    """The lists that the rules of a language refer to with @: words, and patterns."""

    words: Mapping[str, Sequence[str]]
    patterns: Mapping[str, Sequence[Any]]

    def expand(self, entries: Iterable[Any]) -> Iterator[Any]:
        """Yield the patterns of a rule; the name of a list stands for its patterns."""
        for entry in entries:
            if isinstance(entry, str):
                yield from self.patterns[entry.removeprefix("@")]
            else:
                yield entry


def _rule(path: Path, shared: _Shared) -> Rule:
    required = frozenset({"id", "class", "because", "patterns"})
    node = require_mapping(load_yaml(path), path, required=required, optional=frozenset({"unless", "yields-to"}))
    expected_id = f"{path.parent.name}/{path.stem}"
    if node["id"] != expected_id:
        raise PipelineError(
            path, line_of(node, "id"), f"[id] id is not the file's name; found {node['id']!r}, expected {expected_id!r}"
        )
    exclusion = node["class"]
    if not is_exclusion_class(exclusion):
        reason = f"[class] unknown class; found {exclusion!r}, expected one of {', '.join(CLASSES)}"
        raise PipelineError(path, line_of(node, "class"), reason)
    patterns = {}
    for key in ("patterns", "unless"):
        try:
            patterns[key] = tuple(_nodes(pattern, shared.words) for pattern in shared.expand(node.get(key, [])))
            for nodes in patterns[key]:
                DependencyMatcher(Vocab(), validate=True).add("check", [nodes])
        except KeyError as error:
            reason = f"[{key}] unknown list; found '@{error.args[0]}', expected one of rules/words or rules/shared"
            raise PipelineError(path, line_of(node, key), reason) from error
        except (ValueError, MatchPatternError, TypeError, AttributeError) as error:
            raise PipelineError(
                path, line_of(node, key), f"[{key}] not a DependencyMatcher pattern; {error}"
            ) from error
    return Rule(
        id=node["id"],
        exclusion=exclusion,
        because=" ".join(str(node["because"]).split()),
        patterns=patterns["patterns"],
        unless=patterns["unless"],
        yields_to=tuple(node.get("yields-to", [])),
    )


def _nodes(pattern: Iterable[Any], words: Mapping[str, Sequence[str]]) -> Nodes:
    nodes = [_filled(node, words) for node in pattern]
    if not nodes or nodes[0].get("RIGHT_ATTRS") != {"_": {"role": _TARGET}}:
        raise ValueError(
            "found no anchor, expected the first node to be {RIGHT_ID: target, RIGHT_ATTRS: {_: {role: target}}}"
        )
    return nodes


def _filled(value: Any, words: Mapping[str, Sequence[str]]) -> Any:
    """Return a YAML value with its word lists filled in: in IN and NOT_IN as a list, in a REGEX as alternatives."""
    if isinstance(value, Mapping):
        return {
            str(key): list(map(str, words[inner[1:]]))
            if key in ("IN", "NOT_IN") and isinstance(inner, str)
            else _filled(inner, words)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_filled(inner, words) for inner in value]
    if isinstance(value, str):
        return _LIST.sub(lambda match: "|".join(map(re.escape, words[match[1]])), value)
    return value


def _ordered(rules: Sequence[Rule], files: Sequence[Path]) -> list[Rule]:
    """Return the rules ordered by id, but each after those that it yields to."""
    paths = {rule.id: path for rule, path in zip(rules, files, strict=True)}
    waiting = {rule.id: rule for rule in sorted(rules, key=lambda rule: rule.id)}
    for rule in rules:
        for other in rule.yields_to:
            if other not in waiting:
                raise PipelineError(
                    paths[rule.id],
                    None,
                    f"[yields-to] unknown rule; found {other!r}, expected one of {', '.join(waiting)}",
                )
    ordered: list[Rule] = []
    while waiting:
        free = next((rule for rule in waiting.values() if not any(other in waiting for other in rule.yields_to)), None)
        if free is None:
            raise PipelineError(None, None, f"[yields-to] rules yield to one another; found {', '.join(waiting)}")
        ordered.append(waiting.pop(free.id))
    return ordered
