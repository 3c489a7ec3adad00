"""Read the exclusion rules of a language from rules/, with the lists that they name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from ...core.convert import AnyWords, Text, Words, convert_node, error_at
from ...core.errors import PipelineError, shown
from ...core.files import read_text
from ...core.model import ExclusionClass
from ...core.rules import RULES
from ...core.yamlfile import kind_of, line_of, load_yaml
from ...language.languages import language_of
from .patterns import Lists, Nodes, one_of, read_patterns, shape, word_fault

#: The classes that a rule can give; the others of `ExclusionClass` come from elsewhere.
RuleClass = Literal["ba-object", "prenominal-possessor", "direct-object", "other"]
RULE_CLASSES: tuple[RuleClass, ...] = get_args(RuleClass)
_NAME = re.compile(r"[\w-]+")
#: How a target is marked in the case files of a rule.
_CASE = "Target=Yes"


class _RuleFile(msgspec.Struct, frozen=True, rename={"exclusion": "class", "yields_to": "yields-to"}):
    id: Text
    exclusion: RuleClass
    because: Text
    patterns: Any
    unless: Any = None
    yields_to: AnyWords = ()


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


def rule_files(lang: str, folder: Path = RULES) -> list[Path]:
    """Return the rule files of a language, in the order of their names."""
    return sorted((folder / lang).glob("*.yaml"))


def read_rules(lang: str, folder: Path = RULES, *, cases: bool = True) -> list[Rule]:
    """Return the rules of a language ordered by id, but each after those that it yields to.

    Raises:
        PipelineError: the language has no rules, or a rule or list is malformed or can never match, at its line.
    """
    known = sorted(path.stem for path in (folder / "shared").glob("*.yaml"))
    if lang not in known:
        raise PipelineError(
            None, None, f"[lang] no exclusion rules; found {lang!r}, expected one of {', '.join(known)}"
        )
    lists = _lists(folder, lang)
    documents = {path: load_yaml(path) for path in rule_files(lang, folder)}
    rules = {path: _rule(document, path, lists) for path, document in documents.items()}
    _require_distinct(rules)
    for path, rule in rules.items():
        _check_yields(rule, documents[path], path, [other.id for other in rules.values()])
    if cases:
        require_cases(folder / lang, [path.stem for path in rules])
    return _ordered(list(rules.values()), folder)


@cache
def rules_by_id(lang: str) -> Mapping[str, Rule]:
    """Return the rules of a language by id, in the order of `read_rules`; see there for its errors."""
    return {rule.id: rule for rule in read_rules(lang, cases=False)}


def read_words(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the word lists of a file of rules/words.

    Raises:
        PipelineError: a list is empty, or has a word twice or what is no word.
    """
    document = _require_lists(path)
    lists = convert_node(document, dict[str, Words], path)
    for name, words in lists.items():
        for index, word in enumerate(words):
            if fault := word_fault(word):
                raise PipelineError(path, line_of(document[name], index), f"[{name}] {fault}")
    return lists


def _require_lists(path: Path) -> Any:
    document = load_yaml(path)
    if not isinstance(document, dict):
        raise PipelineError(path, None, f"[yaml] wrong kind; found {kind_of(document)}, expected lists by their names")
    for name in document:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            reason = f"[yaml] not a name of a list; found {shown(name)}, expected letters, digits and -"
            raise PipelineError(path, line_of(document, name), reason)
    return document


def _lists(folder: Path, lang: str) -> Lists:
    shared = folder / "shared" / f"{lang}.yaml"
    lists = Lists(read_words(folder / "words" / f"{lang}.yaml"), {}, language_of(lang).tags)
    document = _require_lists(shared)
    return replace(lists, patterns={name: read_patterns(document, name, shared, lists) for name in document})


def _rule(document: Any, path: Path, lists: Lists) -> Rule:
    written = convert_node(document, _RuleFile, path)
    expected_id = f"{path.parent.name}/{path.stem}"
    if written.id != expected_id:
        reason = f"id is not the file's name; found {shown(written.id)}, expected {expected_id!r}"
        raise error_at(document, path, ("id",), reason)
    patterns = read_patterns(document, "patterns", path, lists)
    unless = read_patterns(document, "unless", path, lists) if "unless" in document else ()
    never = {shape(nodes) for nodes in unless}
    for number, nodes in enumerate(patterns, 1):
        if shape(nodes) in never:
            reason = f"pattern {number} can never match; found the same under unless, expected another"
            raise error_at(document, path, ("patterns",), reason)
    return Rule(written.id, written.exclusion, " ".join(written.because.split()), patterns, unless, written.yields_to)


def _require_distinct(rules: dict[Path, Rule]) -> None:
    """Refuse a rule whose patterns are all in an earlier rule that has the same exceptions."""
    seen: dict[tuple[frozenset[str], frozenset[str]], Rule] = {}
    for path, rule in rules.items():
        key = (frozenset(map(shape, rule.patterns)), frozenset(map(shape, rule.unless)))
        if key in seen:
            reason = (
                f"[patterns] rule not unique; found the patterns of {seen[key].id} again, expected one rule for them"
            )
            raise PipelineError(path, None, reason)
        seen[key] = rule


def _check_yields(rule: Rule, node: Any, path: Path, known: Sequence[str]) -> None:
    others = [other for other in known if other != rule.id]
    for index, other in enumerate(rule.yields_to):
        if other not in others:
            line = line_of(node["yields-to"], index)
            what = "rule yields to itself" if other == rule.id else "unknown rule"
            raise PipelineError(
                path, line, f"[yields-to] {what}; found {shown(other)}, expected {one_of(other, others)}"
            )


def require_cases(folder: Path, names: Sequence[str]) -> None:
    """Require trees that each rule must match and must not, and no file that would be passed over."""
    for name in names:
        for kind in ("hit", "miss"):
            path = folder / f"{name}.{kind}.conllu"
            if not path.is_file() or _CASE not in read_text(path):
                reason = f"[cases] no case of this rule; expected a tree with {_CASE}, see python -m tools.rules case"
                raise PipelineError(path, None, reason)
    for path in sorted(folder.glob("*.conllu")):
        if path.name.removesuffix(".conllu").removesuffix(".hit").removesuffix(".miss") not in names:
            raise PipelineError(path, None, f"[cases] cases of no rule; expected one of {', '.join(names)}")
    for path in sorted(folder.glob("*.yml")):
        raise PipelineError(path, None, "[file] not read; expected a name that ends with .yaml")


def _ordered(rules: Sequence[Rule], folder: Path) -> list[Rule]:
    waiting = {rule.id: rule for rule in sorted(rules, key=lambda rule: rule.id)}
    ordered: list[Rule] = []
    while waiting:
        free = next((rule for rule in waiting.values() if not any(other in waiting for other in rule.yields_to)), None)
        if free is None:
            reason = f"[yields-to] rules yield to one another in a circle; found {', '.join(waiting)}, expected an end"
            raise PipelineError(folder / f"{max(waiting)}.yaml", None, reason)
        ordered.append(waiting.pop(free.id))
    return ordered
