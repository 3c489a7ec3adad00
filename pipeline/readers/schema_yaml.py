"""`schema-yaml`: our own format in raw/, one factored entry a schema, as the literature writes them.

``奖杯放不进箱子，因为[它]太{大|小}了。`` holds two members: the alternatives in braces, one for each, and the target in
brackets (empty brackets where it is a zero already). A backslash takes a bracket, brace or bar literally.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from ..errors import PipelineError
from ..files import decode
from ..model import Span
from ..yamlfile import dump_yaml, line_of, parse_yaml, require_mapping
from .draft import Draft, defect, member

_REQUIRED = frozenset({"id", "text", "question", "candidates", "answers"})
_OPTIONAL = frozenset({"gloss", "source", "note"})
_MEMBERS = 2
_SPECIAL = "[]{}|\\"


class FactorError(ValueError):
    """The notation is broken: an unclosed or misplaced bracket, brace or bar."""


@dataclass(frozen=True, slots=True)
class Schema:
    """One entry of the file: `text`, `question` and `gloss` factored, `answers` the right candidate of each member."""

    id: str
    text: str
    question: str
    candidates: tuple[str, ...]
    answers: tuple[str, ...]
    gloss: str = ""
    source: str = ""
    note: str = ""


def expand(factored: str) -> tuple[str, str]:  # noqa: C901 - one scanner, a branch a character
    r"""Return the two members of a factored text, their targets still in brackets and their escapes in place.

    >>> expand("因为[它]太{大|小}了。")
    ('因为[它]太大了。', '因为[它]太小了。')

    Raises:
        FactorError: nested or unclosed braces, a bar outside braces, a number of alternatives that is not two.
    """
    members = ["", ""]
    alternatives: list[str] | None = None
    escaped = False
    for place, character in enumerate(factored):
        if escaped or character not in "{}|\\":
            taken, escaped = character, False
        elif character == "\\":
            taken, escaped = character, True
        elif character == "{":
            if alternatives is not None:
                raise FactorError(
                    f"braces do not nest; found a second '{{' at character {place}, expected '}}' before it"
                )
            alternatives = [""]
            continue
        elif alternatives is None:
            raise FactorError(
                f"stray {character!r} at character {place}; expected it inside braces, or a backslash before it"
            )
        elif character == "|":
            alternatives.append("")
            continue
        else:
            if len(alternatives) != _MEMBERS:
                raise FactorError(f"wrong number of alternatives; found {len(alternatives)}, expected {_MEMBERS}")
            members = [text + choice for text, choice in zip(members, alternatives, strict=True)]
            alternatives = None
            continue
        if alternatives is None:
            members = [text + taken for text in members]
        else:
            alternatives[-1] += taken
    if alternatives is not None or escaped:
        raise FactorError(
            "unclosed brace; found the end, expected '}'" if alternatives else "found a backslash at the end"
        )
    return members[0], members[1]


def unbracket(marked: str) -> tuple[str, list[Span]]:
    r"""Return the plain text of one member and the spans of its bracketed targets.

    >>> unbracket(r"因为[它]太大\[！\]")
    ('因为它太大[！]', [Span(start=2, end=3)])

    Raises:
        FactorError: nested or unclosed brackets.
    """
    plain, spans = "", []
    opened: int | None = None
    escaped = False
    for character in marked:
        if escaped or character not in "[]\\":
            plain, escaped = plain + character, False
        elif character == "\\":
            escaped = True
        elif (character == "[") == (opened is not None):
            expected = "']' before it" if opened is not None else "'[' before it"
            raise FactorError(f"unbalanced {character!r} after {plain!r}; expected {expected}")
        elif character == "[":
            opened = len(plain)
        elif opened is not None:
            spans.append(Span(opened, len(plain)))
            opened = None
    if opened is not None:
        raise FactorError("unclosed bracket; found the end, expected ']'")
    return plain, spans


def escape(plain: str) -> str:
    """Return a factored text that says just `plain`."""
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in plain)


def _texts(node: Any, key: str, path: Path) -> tuple[str, ...]:
    value = node[key]
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise PipelineError(path, line_of(node, key), f"[{key}] wrong kind; found {value!r}, expected a list of texts")
    return tuple(value)


def _schema(node: Any, path: Path) -> Schema:
    entry = require_mapping(node, path, required=_REQUIRED, optional=_OPTIONAL)
    texts: dict[str, str] = {}
    for key in ("id", "text", "question", "gloss", "source", "note"):
        value = entry.get(key, "")
        if not isinstance(value, str):
            raise PipelineError(path, line_of(entry, key), f"[{key}] wrong kind; found {value!r}, expected text")
        texts[key] = str(value)
    if not texts["id"]:
        raise PipelineError(path, line_of(entry, "id"), "[id] empty; expected the id of the schema")
    candidates, answers = _texts(entry, "candidates", path), _texts(entry, "answers", path)
    if len(answers) != _MEMBERS:
        reason = f"[answers] wrong number; found {len(answers)}, expected one for each of {_MEMBERS} members"
        raise PipelineError(path, line_of(entry, "answers"), reason)
    return Schema(**texts, candidates=candidates, answers=answers)


def schemas_of(document: Any, path: Path) -> list[Schema]:
    """Return the schemas of a document as `parse_yaml` gives it; ids must be unique."""
    if not isinstance(document, CommentedSeq):
        reason = "[yaml] wrong kind; expected a list of schemas (entries that begin with '- id: …')"
        raise PipelineError(path, line_of(document) or 1, reason)
    first: dict[str, int | None] = {}
    schemas = []
    for index, node in enumerate(document):
        if not isinstance(node, CommentedMap):
            reason = f"[yaml] wrong kind; found {type(node).__name__}, expected an entry that begins with '- id: …'"
            raise PipelineError(path, line_of(document, index), reason)
        schema = _schema(node, path)
        line = line_of(node, "id")
        if schema.id in first:
            raise PipelineError(path, line, f"[id] not unique; found {schema.id!r} in line {first[schema.id]} too")
        first[schema.id] = line
        schemas.append(schema)
    return schemas


def _quoted(text: str) -> str:
    return text if text.splitlines() in ([], [text]) else DoubleQuotedScalarString(text)  # else line breaks are folded


def schemas_to_yaml(schemas: Sequence[Schema]) -> str:
    """Return the file that `schemas_of` reads as `schemas`; empty remarks are left out."""
    rows = []
    for schema in schemas:
        row = {
            key: [_quoted(entry) for entry in value] if isinstance(value, tuple) else _quoted(value)
            for key, value in asdict(schema).items()
        }
        rows.append({key: value for key, value in row.items() if value or key in _REQUIRED})
    return dump_yaml(rows)


def _drafts(schema: Schema, node: Any, path: Path, lang: str) -> list[Draft]:
    key = "text"
    try:
        members = [unbracket(marked) for marked in expand(schema.text)]
        key = "question"
        questions = [unbracket(marked)[0] for marked in expand(schema.question)]
        key = "gloss"
        expand(schema.gloss)
    except FactorError as error:
        raise PipelineError(path, line_of(node, key), f"[{key}] {error}") from error
    drafts = []
    for index, ((text, targets), question) in enumerate(zip(members, questions, strict=True)):
        problems = () if len(targets) == 1 else (defect(f"one target is needed; found {len(targets)} in brackets"),)
        drafts.append(
            Draft(
                id=f"{schema.id}-{member(index)}",
                schema=schema.id,
                version=member(index),
                lang=lang,
                text=text,
                candidates=schema.candidates,
                gold=schema.answers[index],
                target=targets[0] if len(targets) == 1 else None,
                question=question,
                source=schema.source,
                note=schema.note,
                defects=problems,
            )
        )
    return drafts


def read_schema_yaml(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return two drafts a schema, in file order.

    Raises:
        PipelineError: not YAML, a missing or unknown field, broken notation.
    """
    document = parse_yaml(decode(data, path), path)
    schemas = schemas_of(document, path)
    return [
        draft
        for schema, node in zip(schemas, document, strict=True)
        for draft in _drafts(schema, node, path, lang or "zh")
    ]
