"""Read the patterns of a rule file: check them, and fill in the lists that they name.

A pattern has the form of spaCy's DependencyMatcher, but only with attributes that a tree has, and may begin with a text that says what
it finds. Whatever can never match is refused.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from ...core.convert import Words, convert_node
from ...core.errors import PipelineError, shown
from ...core.yamlfile import expression_at, kind_of, line_of
from ...language.parsing.trees import RELATIONS, UPOS

Nodes = list[dict[str, Any]]

TARGET = "target"
#: Key of the first node under which a pattern has the text that it begins with: what it says of the target. spaCy passes it over.
REASON = "REASON"
#: How nodes of a tree are related: the operators of spaCy's DependencyMatcher.
OPERATORS = (
    "<", ">", "<<", ">>", ".", ".*", ";", ";*", "$+", "$-", "$++", "$--",
    ">+", ">-", ">++", ">--", "<+", "<-", "<++", "<--",
)  # fmt: skip
#: What a node can ask for, with all values where they are known; those of TAG are the language's (see `Lists`).
ATTRIBUTES: Mapping[str, frozenset[str] | None] = {"ORTH": None, "POS": UPOS, "TAG": None, "DEP": RELATIONS}
_ANCHOR = "{RIGHT_ID: target, RIGHT_ATTRS: {_: {role: target}}}"
_FIRST = ("RIGHT_ID", "RIGHT_ATTRS")
_LATER = ("LEFT_ID", "REL_OP", *_FIRST)
_TESTS = ("IN", "NOT_IN", "REGEX")
_SEPARATOR = re.compile("[，、；,;]")
_LIST = re.compile(r"@([\w-]+)")
#: Maximum number of known names that a message lists; of more it names the nearest.
_LISTED = 20


class _Tests(msgspec.Struct, frozen=True):
    IN: str | Words = ()
    NOT_IN: str | Words = ()
    REGEX: Any = None


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
        raise place.error(f"wrong kind; found {kind_of(entries)}, expected a list of nodes that begins with {_ANCHOR}")
    nodes: Nodes = []
    names: list[str] = []
    said = {REASON: entries[0]} if isinstance(entries[0], str) else {}
    for index, entry in enumerate(entries[len(said) :], len(said)):
        at = place.at(entries, index)
        _require(entry, _LATER if nodes else _FIRST, at)
        name = _text(entry, "RIGHT_ID", at)
        if name in names:
            raise at.at(entry, "RIGHT_ID").error(f"name not unique; found {shown(name)} twice, expected another name")
        if not nodes:
            if (name, entry["RIGHT_ATTRS"]) != (TARGET, {"_": {"role": TARGET}}):
                raise at.error(f"no anchor; found another first node, expected {_ANCHOR}")
            nodes.append({"RIGHT_ID": TARGET, "RIGHT_ATTRS": {"_": {"role": TARGET}}} | said)
        else:
            left, operator = _text(entry, "LEFT_ID", at), _text(entry, "REL_OP", at)
            for field, value, known in (("LEFT_ID", left, names), ("REL_OP", operator, OPERATORS)):
                if value not in known:
                    reason = "no node before this one" if field == "LEFT_ID" else "unknown operator"
                    raise at.at(entry, field).error(
                        f"{reason}; found {shown(value)}, expected one of {'  '.join(known)}"
                    )
            attributes = dict(_attributes(entry["RIGHT_ATTRS"], at.at(entry, "RIGHT_ATTRS"), lists))
            nodes.append({"LEFT_ID": left, "REL_OP": operator, "RIGHT_ID": name, "RIGHT_ATTRS": attributes})
        names.append(name)
    return nodes


def _require(entry: Any, fields: Sequence[str], place: _Place) -> None:
    """Require a mapping with exactly these fields."""
    if not isinstance(entry, dict):
        raise place.error(f"wrong kind; found {kind_of(entry)}, expected a node with {', '.join(fields)}")
    for field in entry:
        if field not in fields:
            raise place.at(entry, str(field)).error(f"unknown field; expected {', '.join(fields)}")
    for field in fields:
        if field not in entry:
            raise replace(place, field=field).error(f"missing field; expected {', '.join(fields)}")


def _text(entry: Mapping[str, Any], field: str, place: _Place) -> str:
    value = entry[field]
    if not isinstance(value, str) or not value:
        raise place.at(entry, field).error(f"wrong kind; found {kind_of(value)}, expected a text")
    return str(value)


def _attributes(entry: Any, place: _Place, lists: Lists) -> Iterator[tuple[str, Any]]:
    if not isinstance(entry, dict):
        raise place.error(f"wrong kind; found {kind_of(entry)}, expected a mapping with {', '.join(ATTRIBUTES)}")
    for name, value in entry.items():
        at = place.at(entry, str(name))
        if name not in ATTRIBUTES:
            reason = "only the target has a role" if name == "_" else "unknown attribute"
            raise at.error(f"{reason}; expected one of {', '.join(ATTRIBUTES)}")
        yield str(name), _value(value, at, lists.words, lists.tags if name == "TAG" else ATTRIBUTES[name])


def _value(value: Any, place: _Place, words: Mapping[str, Sequence[str]], known: frozenset[str] | None) -> Any:
    """Return what a node asks of an attribute: a text, or tests that at least one value passes."""
    if isinstance(value, str):
        if value.startswith("@"):
            raise place.error(f"list out of place; found {shown(value)}, expected {{IN: {shown(value)}}}")
        _require_known([value], place, known)
        return str(value)
    if not isinstance(value, dict) or not value:
        raise place.error(f"wrong kind; found {kind_of(value)}, expected a text or a mapping with {', '.join(_TESTS)}")
    tests = {str(test): _test(value, test, place.at(value, str(test)), words, known) for test in value}
    values = tests.get("IN", known)
    if values is not None and not any(
        text not in tests.get("NOT_IN", ()) and re.search(tests.get("REGEX", ""), text) for text in values
    ):
        raise place.error(f"no value passes; found {shown(dict(value))}, expected at least one that does")
    return tests


def _test(
    tests: Any, name: str, place: _Place, words: Mapping[str, Sequence[str]], known: frozenset[str] | None
) -> Any:
    """Return what a test compares with: the values of IN and NOT_IN, the expression of REGEX."""
    operand = tests[name]
    if name not in _TESTS:
        raise place.error(f"unknown test; expected one of {', '.join(_TESTS)}")
    if name == "REGEX":
        return _expression(operand, place, words)
    if isinstance(operand, str):
        values = list(_named(operand, words, "rules/words", place))
    else:
        values = list(getattr(convert_node(tests, _Tests, place.path), name))
        if twice := next((text for at, text in enumerate(values) if text in values[:at]), ""):
            raise place.error(f"not unique; found {shown(twice)} again, expected each once")
        if among := next((text for text in values if text.startswith("@")), None):
            raise place.error(
                f"list among words; found {shown(among)}, expected {name}: {shown(among)} alone, or words"
            )
        if fault := next(filter(None, map(word_fault, values)), ""):
            raise place.error(fault)
    _require_known(values, place, known)
    return values


def _require_known(values: Sequence[str], place: _Place, known: frozenset[str] | None) -> None:
    for value in values:
        if known is not None and value not in known:
            raise place.error(f"unknown value; found {shown(value)}, expected {one_of(value, sorted(known), 'value')}")


def _expression(value: Any, place: _Place, words: Mapping[str, Sequence[str]]) -> str:
    """Return a regular expression in which the words of a list, as alternatives, replace its name."""
    if not isinstance(value, str) or not value:
        raise place.error(f"wrong kind; found {kind_of(value)}, expected a regular expression")
    text = _LIST.sub(
        lambda match: f"(?:{'|'.join(map(re.escape, _named(match[0], words, 'rules/words', place)))})", value
    )
    expression_at(text, place.path, place.line, place.field)
    return text
