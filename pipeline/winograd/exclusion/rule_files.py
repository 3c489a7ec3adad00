"""Read the exclusion rules of a language from rules/: check them, and fill in the lists that they name.

A pattern has the form of spaCy's DependencyMatcher, but only with attributes that a tree has, and may begin with a text that says what
it finds. Whatever can never match is refused.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec

from ...core.convert import AnyWords, Text, Words, convert_node, error_at
from ...core.errors import PipelineError, shown
from ...core.files import read_text
from ...core.model import ExclusionClass
from ...core.rules import RULES
from ...core.yamlfile import expression_at, kind_of, line_of, load_yaml, plain_value
from ...language.languages import language_of
from ...language.parsing.trees import RELATIONS, UPOS

Nodes = list[dict[str, Any]]

TARGET = "target"
#: Key of the first node under which a pattern has the text that it begins with: what it says of the target. spaCy passes it over.
REASON = "REASON"
#: How nodes of a tree are related: the operators of spaCy's DependencyMatcher.
Operator = Literal[
    "<", ">", "<<", ">>", ".", ".*", ";", ";*", "$+", "$-", "$++", "$--",
    ">+", ">-", ">++", ">--", "<+", "<-", "<++", "<--",
]  # fmt: skip
OPERATORS: tuple[Operator, ...] = get_args(Operator)
#: What a node can ask for, with all values where they are known; those of TAG are the language's (see `Lists`).
ATTRIBUTES: Mapping[str, frozenset[str] | None] = {"ORTH": None, "POS": UPOS, "TAG": None, "DEP": RELATIONS}
_ANCHOR = {"RIGHT_ID": TARGET, "RIGHT_ATTRS": {"_": {"role": TARGET}}}
_ANCHOR_IN_YAML = "{RIGHT_ID: target, RIGHT_ATTRS: {_: {role: target}}}"
_SEPARATOR = re.compile("[，、；,;]")
_TESTS = ("IN", "NOT_IN", "REGEX")
_LIST = re.compile(r"@([\w-]+)")
#: Maximum number of known names that a message lists; of more it names the nearest.
_LISTED = 20


class _Tests(msgspec.Struct, frozen=True):
    IN: str | Words = ()
    NOT_IN: str | Words = ()
    REGEX: Text = ""


class _Attributes(msgspec.Struct, frozen=True):
    ORTH: str | _Tests = ""
    POS: str | _Tests = ""
    TAG: str | _Tests = ""
    DEP: str | _Tests = ""


class _Node(msgspec.Struct, frozen=True):
    LEFT_ID: Text
    REL_OP: Operator
    RIGHT_ID: Text
    RIGHT_ATTRS: _Attributes


_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists that the rules of a language name with @: words, and patterns of rules/shared; `tags` are its values of TAG, if known."""

    words: Mapping[str, Sequence[str]]
    patterns: Mapping[str, Sequence[Nodes]]
    tags: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a rule file. No part of a pattern is reported before its line, because an alias has the line of its anchor."""

    path: Path
    line: int | None
    field: str

    def at(self, node: Any, key: str | int) -> "_Place":
        """Return the place of an entry of a mapping or a list."""
        line = max(line_of(node, key) or 0, self.line or 0) or None
        return replace(self, line=line, field=key if isinstance(key, str) else self.field)

    def error(self, reason: str) -> PipelineError:
        return PipelineError(self.path, self.line, f"[{self.field}] {reason}")

    def convert(self, node: Any, kind: type[_Record]) -> _Record:
        """Return the record that the node at this place describes."""
        try:
            return convert_node(node, kind, self.path)
        except PipelineError as error:
            line = max(error.line or 0, self.line or 0) or None
            raise PipelineError(self.path, line, error.reason) from None


def one_of(value: object, known: Collection[str], what: str = "") -> str:
    """Return the words ``one of …`` of a message: all known names, or the nearest of many.

    >>> one_of("PRONOUN", ["PRON", "VERB"]), one_of("nsubject", RELATIONS, "relation")
    ('one of PRON, VERB', 'a relation such as nsubj, nsubj:outer, csubj')
    """
    near = get_close_matches(str(value), sorted(known), n=3, cutoff=0.5)
    if len(known) > _LISTED and what:
        return f"a {what} such as {', '.join(near or sorted(known)[:5])}"
    return f"one of {', '.join(known)}"


def word_fault(word: str) -> str:
    """Return why a text can be no token of a tree; empty if it can.

    >>> word_fault("把，将"), word_fault("，")
    ("several words in one; found '把，将', expected them separated by a comma and a blank", '')
    """
    if word.split() == [word] and (len(word) == 1 or not _SEPARATOR.search(word)):
        return ""
    return f"several words in one; found {shown(word)}, expected them separated by a comma and a blank"


def read_patterns(parent: Any, key: str, path: Path, lists: Lists) -> tuple[Nodes, ...]:
    """Return the patterns of an entry of a rule file; the name of a list of patterns stands for them.

    Raises:
        PipelineError: at the line of the first mistake.
    """
    entries, place = parent[key], _Place(path, line_of(parent, key), key)
    if not isinstance(entries, list) or not entries:
        actual = "an empty list" if entries == [] else kind_of(entries)
        raise place.error(f"wrong kind; found {actual}, expected a list of patterns")
    patterns: list[Nodes] = []
    lines: dict[str, int | None] = {}
    for index, entry in enumerate(entries):
        at = place.at(entries, index)
        named = isinstance(entry, str)
        read = _named(entry, lists.patterns, "rules/shared", at) if named else [_nodes(entry, at, lists)]
        for nodes in read:
            if (same := shape(nodes)) in lines:
                raise at.error(f"pattern not unique; found the same in line {lines[same]}, expected it once")
            lines[same] = at.line
        patterns += read
    return tuple(patterns)


def shape(nodes: Nodes) -> str:
    """Return a text that is equal for patterns that differ only in the names of their nodes."""
    number = {node["RIGHT_ID"]: index for index, node in enumerate(nodes)}
    return repr(
        [(number.get(node.get("LEFT_ID")), node.get("REL_OP"), sorted(node["RIGHT_ATTRS"].items())) for node in nodes]
    )


def _named(text: str, lists: Mapping[str, Sequence[Any]], folder: str, place: _Place) -> Sequence[Any]:
    """Return the list that a text names."""
    name = text.removeprefix("@")
    if not text.startswith("@") or name not in lists:
        known = [f"@{name}" for name in lists]
        expected = one_of(text, known, f"list of {folder}") if known else "a pattern"
        raise place.error(f"unknown list; found {shown(text)}, expected {expected}")
    return lists[name]


def _nodes(entries: Any, place: _Place, lists: Lists) -> Nodes:
    if not isinstance(entries, list) or not entries or (isinstance(entries[0], str) and len(entries) == 1):
        reason = f"wrong kind; found {kind_of(entries)}, expected a list of nodes that begins with {_ANCHOR_IN_YAML}"
        raise place.error(reason)
    said = {REASON: entries[0]} if isinstance(entries[0], str) else {}
    if (first := entries[len(said)]) != _ANCHOR:
        at = place.at(entries, len(said))
        unknown = [key for key in first if key not in _ANCHOR] if isinstance(first, dict) else []
        if unknown:
            raise at.at(first, unknown[0]).error(f"unknown field; expected {' and '.join(_ANCHOR)}")
        reason = f"no anchor; found another first node ({shown(plain_value(first))}), expected {_ANCHOR_IN_YAML}"
        raise at.error(reason)
    nodes: Nodes = [_ANCHOR | said]
    names = [TARGET]
    for index, entry in list(enumerate(entries))[len(said) + 1 :]:
        at = place.at(entries, index)
        node = at.convert(entry, _Node)
        if node.RIGHT_ID in names:
            reason = f"name not unique; found {shown(node.RIGHT_ID)} twice, expected another name"
            raise at.at(entry, "RIGHT_ID").error(reason)
        if node.LEFT_ID not in names:
            reason = f"no node before this one; found {shown(node.LEFT_ID)}, expected one of {', '.join(names)}"
            raise at.at(entry, "LEFT_ID").error(reason)
        inside, asked = at.at(entry, "RIGHT_ATTRS"), entry["RIGHT_ATTRS"]
        attributes = {name: _asked(name, value, inside.at(asked, name), lists) for name, value in asked.items()}
        nodes.append({key: entry[key] for key in ("LEFT_ID", "REL_OP", "RIGHT_ID")} | {"RIGHT_ATTRS": attributes})
        names.append(node.RIGHT_ID)
    return nodes


def _asked(name: str, value: Any, place: _Place, lists: Lists) -> Any:
    """Return what a node asks of an attribute: a text, or tests that at least one value passes."""
    known = lists.tags if name == "TAG" else ATTRIBUTES[name]
    if isinstance(value, str):
        if value.startswith("@"):
            raise place.error(f"list out of place; found {shown(value)}, expected {{IN: {shown(value)}}}")
        _require_known([value], place, known)
        return value
    if not value:
        raise place.error(f"no test; found an empty mapping, expected a text, or {', '.join(_TESTS)}")
    tests = {test: _operand(value, test, place.at(value, test), lists.words, known) for test in value}
    values = tests.get("IN", known)
    if values is not None and not any(
        text not in tests.get("NOT_IN", ()) and re.search(tests.get("REGEX", ""), text) for text in values
    ):
        raise place.error(f"no value passes; found {shown(dict(value))}, expected at least one that does")
    return tests


def _operand(
    tests: Any, name: str, place: _Place, words: Mapping[str, Sequence[str]], known: frozenset[str] | None
) -> Any:
    """Return what a test compares with: the values of IN and NOT_IN, the expression of REGEX."""
    operand = tests[name]
    if name == "REGEX":
        return _expression(operand, place, words)
    if isinstance(operand, str):
        values = list(_named(operand, words, "rules/words", place))
    else:
        values = list(operand)
        if twice := next((text for at, text in enumerate(values) if text in values[:at]), ""):
            raise place.error(f"not unique; found {shown(twice)} again, expected each once")
        if among := next((text for text in values if text.startswith("@")), None):
            reason = f"list among words; found {shown(among)}, expected {name}: {shown(among)} alone, or words"
            raise place.error(reason)
        if fault := next(filter(None, map(word_fault, values)), ""):
            raise place.error(fault)
    _require_known(values, place, known)
    return values


def _require_known(values: Sequence[str], place: _Place, known: frozenset[str] | None) -> None:
    for value in values:
        if known is not None and value not in known:
            raise place.error(f"unknown value; found {shown(value)}, expected {one_of(value, sorted(known), 'value')}")


def _expression(value: str, place: _Place, words: Mapping[str, Sequence[str]]) -> str:
    """Return a regular expression in which the words of a list, as alternatives, replace its name."""
    text = _LIST.sub(
        lambda match: f"(?:{'|'.join(map(re.escape, _named(match[0], words, 'rules/words', place)))})", value
    )
    expression_at(text, place.path, place.line, place.field)
    return text


# --- rules --------------------------------------------------------------------------------------------------------------


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
