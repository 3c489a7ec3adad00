"""YAML files that people edit: loaded without running code, with the line of every entry."""

import re
import warnings
from datetime import date
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import Node, ScalarNode
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scalarbool import ScalarBoolean
from ruamel.yaml.scanner import RoundTripScanner, ScannerError

from .errors import PipelineError, shown
from .files import half_character, lines_of, number_in_range, read_text
from .hints import yaml_fault

#: Maximum number of levels of a document. Ours have six; the parser needs time that grows with their square.
MAX_DEPTH = 50
#: Maximum number of characters of a document. Our largest has 60,000 and takes a third of a second; this many take ten seconds, or
#: a minute if they are made to.
MAX_LENGTH = 2_000_000
_TAG = "tag:yaml.org,2002:"
_PLAIN = {_TAG + kind for kind in ("map", "seq", "str", "int", "float", "bool", "null", "timestamp", "merge")}
#: Names of the kinds of values for messages; subtypes first, since true is an int and a time is a date.
_KINDS: dict[type, str] = {
    dict: "a mapping", list: "a list", str: "a text", bool: "true or false", ScalarBoolean: "true or false",
    int: "a number", float: "a number", date: "a date",
}  # fmt: skip


class _Scanner(RoundTripScanner):
    def fetch_flow_collection_start(self, *arguments: Any, **options: Any) -> None:
        super().fetch_flow_collection_start(*arguments, **options)
        self._limit_depth()

    def add_indent(self, column: int) -> bool:
        added = bool(super().add_indent(column))
        self._limit_depth()
        return added

    def _limit_depth(self) -> None:
        if len(self.indents) + len(self.flow_context) > MAX_DEPTH:
            reason = f"nested too deeply; expected at most {MAX_DEPTH} levels"
            raise ScannerError(None, None, reason, self.reader.get_mark())

    def fetch_double(self) -> None:
        try:
            super().fetch_double()
        except (OverflowError, ValueError) as error:  # "\U00110000"
            raise ScannerError(None, None, f"impossible character; {error}", self.reader.get_mark()) from error


class _Constructor(RoundTripConstructor):
    """A safe constructor that refuses tags and half characters, and reports the line of an impossible value."""

    def construct_non_recursive_object(self, node: Node, tag: str | None = None) -> Any:
        if node.tag not in _PLAIN:
            raise ConstructorError(None, None, f"tag not allowed; found {node.tag!r}", node.start_mark)
        if isinstance(node, ScalarNode) and (half := half_character(node.value)):
            raise ConstructorError(None, None, half, node.start_mark)
        try:
            value = super().construct_non_recursive_object(node, tag)
            return number_in_range(value, node.value) if isinstance(value, int | float) else value
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # 2020-99-99
            reason = f"impossible value of its kind ({node.tag.removeprefix(_TAG)}); {error}"
            raise ConstructorError(None, None, reason, node.start_mark) from error


def _yaml() -> YAML:
    yaml = YAML(typ="rt")  # the round-trip constructors are safe and keep the lines
    yaml.Constructor = _Constructor
    yaml.Scanner = _Scanner
    return yaml


def parse_yaml(text: str, path: Path) -> Any:
    """Return the document of `text`; its mappings and sequences know their lines (see `line_of`).

    Raises:
        PipelineError: with the line that is not YAML, has a tag, a duplicate key or half a character, or is nested too deeply; the
            text is too long.
    """
    if len(text) > MAX_LENGTH:
        reason = f"found {len(text)} characters, expected at most {MAX_LENGTH}; divide the file"
        raise PipelineError(path, None, f"[yaml] too long for YAML that people edit; {reason}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ReusedAnchorWarning)
            return _yaml().load(text)
    except MarkedYAMLError as error:
        problem, mark = _one_line(error.problem or error.context or "not YAML"), error.problem_mark
        if mark is None:
            raise PipelineError(path, None, f"[yaml] {problem}") from error
        line, reason = yaml_fault(problem, lines_of(text), (error.context_mark or mark).line, mark.line, mark.column)
        raise PipelineError(path, line, f"[yaml] {reason}") from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise PipelineError(path, line, f"[yaml] {_one_line(error)}") from error
    except RecursionError as error:
        raise PipelineError(path, None, "[yaml] nested too deeply") from error
    except (YAMLError, ReusedAnchorWarning) as error:
        raise PipelineError(path, None, f"[yaml] {_one_line(error)}") from error
    except NotImplementedError as error:  # ruamel.yaml cannot keep some comments inside of collections
        raise PipelineError(
            path, None, "[yaml] a comment where none can be kept; put it on a line before a key"
        ) from error


def _one_line(message: object) -> str:
    return " ".join(str(message).split())


def load_yaml(path: Path) -> Any:
    """Return the document of the file; see `parse_yaml`."""
    return parse_yaml(read_text(path), path)


def line_of(node: Any, key: object = None) -> int | None:
    """Return the 1-based line of `node`, or of its entry `key`; None for a plain value."""
    if isinstance(node, CommentedMap) and key in (node.lc.data or {}):  # a merged key has its line elsewhere
        return int(node.lc.key(key)[0]) + 1
    if isinstance(node, CommentedSeq) and isinstance(key, int) and key in (node.lc.data or {}):
        return int(node.lc.item(key)[0]) + 1
    if isinstance(node, CommentedMap | CommentedSeq) and node.lc.line is not None:
        return int(node.lc.line) + 1
    return None


def kind_of(node: Any) -> str:
    """Return the name of the kind of a value: a mapping, a list, a text, a number and so on.

    >>> kind_of([]), kind_of(None), kind_of(True), kind_of(1.5)
    ('a list', 'nothing', 'true or false', 'a number')
    """
    if node is None:
        return "nothing"
    return next((name for kind, name in _KINDS.items() if isinstance(node, kind)), "a value of another kind")


def plain_value(node: Any) -> Any:
    """Return a node as Python's own dicts, lists, texts, numbers and truth values.

    >>> plain_value(parse_yaml("a: &b [1, true]", Path("x.yaml")))
    {'a': [1, True]}
    """
    return _plain_value(node, {})


def _plain_value(node: Any, copies: dict[int, Any]) -> Any:
    """Copy each collection once, however many aliases repeat it, one inside itself included."""
    if id(node) in copies:
        return copies[id(node)]
    if isinstance(node, CommentedMap):
        mapping = copies[id(node)] = {}
        mapping.update((key, _plain_value(value, copies)) for key, value in node.items())
        return mapping
    if isinstance(node, CommentedSeq):
        sequence = copies[id(node)] = []
        sequence.extend(_plain_value(entry, copies) for entry in node)
        return sequence
    if isinstance(node, ScalarBoolean):
        return bool(node)
    kind = next((kind for kind in (str, int, float) if isinstance(node, kind) and not isinstance(node, bool)), None)
    return kind(node) if kind else node


def expression_at(text: str, path: Path, line: int | None, key: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression; a `PipelineError` with its line and key if it is none, or a doubtful one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # [[ or -- in a set
            return re.compile(text, flags)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        reason = f"[{key}] not a regular expression ({_one_line(error)}); found {shown(text)}"
        raise PipelineError(path, line, reason) from error
