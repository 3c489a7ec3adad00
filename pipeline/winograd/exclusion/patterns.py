"""Read the patterns of a rule file: check them, and fill in the lists that they name.

A pattern has the form of spaCy's DependencyMatcher, but only with attributes that a tree has, and may begin with a text that says what
it finds. Whatever can never match is refused.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec

from ...core.convert import Text, Words, convert_node
from ...core.errors import PipelineError, shown
from ...core.yamlfile import expression_at, kind_of, line_of, plain_value
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
        reason = f"no anchor; found another first node ({shown(plain_value(first))}), expected {_ANCHOR_IN_YAML}"
        raise place.at(entries, len(said)).error(reason)
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
