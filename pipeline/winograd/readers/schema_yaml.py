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

from ...core.errors import PipelineError
from ...core.files import decode
from ...core.notation import MEMBERS, FactorError, expand, unbracket
from ...core.yamlfile import dump_yaml, kind_of, line_of, parse_yaml, require_mapping
from .draft import Draft, defect, member

_REQUIRED = frozenset({"id", "text", "question", "candidates", "answers"})
_OPTIONAL = frozenset({"gloss", "kind", "role", "pmi", "source", "note"})
_TEXTS = ("id", "text", "question", "gloss", "kind", "role", "source", "note")


@dataclass(frozen=True, slots=True)
class Terms:
    """What stands for a schema where words are counted: one for each candidate, one reference for each member.

    The association of a reference with the candidates is what the baseline of Mandarinograd (LREC 2020, section 4.2)
    answers by.
    """

    candidates: tuple[str, ...]
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """One entry of the file: `text`, `question` and `gloss` factored, `answers` the right candidate of each member.

    `kind` is the common sense that decides, `role` the grammatical role of the target as the author sees it; `pmi` is
    None where no words are meaningful.
    """

    id: str
    text: str
    question: str
    candidates: tuple[str, ...]
    answers: tuple[str, ...]
    gloss: str = ""
    kind: str = ""
    role: str = ""
    pmi: Terms | None = None
    source: str = ""
    note: str = ""


def _texts(node: Any, key: str, path: Path) -> tuple[str, ...]:
    value = node[key]
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise PipelineError(path, line_of(node, key), f"[{key}] wrong kind; found {value!r}, expected a list of texts")
    return tuple(value)


def _schema(node: Any, path: Path) -> Schema:
    entry = require_mapping(node, path, required=_REQUIRED, optional=_OPTIONAL)
    texts: dict[str, str] = {}
    for key in _TEXTS:
        value = entry.get(key, "")
        if not isinstance(value, str):
            raise PipelineError(path, line_of(entry, key), f"[{key}] wrong kind; found {value!r}, expected text")
        texts[key] = str(value)
    if not texts["id"]:
        raise PipelineError(path, line_of(entry, "id"), "[id] empty; expected the id of the schema")
    candidates, answers = _texts(entry, "candidates", path), _texts(entry, "answers", path)
    if len(answers) != MEMBERS:
        reason = f"[answers] wrong number; found {len(answers)}, expected one for each of {MEMBERS} members"
        raise PipelineError(path, line_of(entry, "answers"), reason)
    return Schema(**texts, candidates=candidates, answers=answers, pmi=_terms(entry, len(candidates), path))


def _terms(entry: CommentedMap, candidates: int, path: Path) -> Terms | None:
    if entry.get("pmi") is None:
        return None
    try:
        node = require_mapping(entry["pmi"], path, required=frozenset({"candidates", "references"}))
    except PipelineError as error:
        raise PipelineError(path, error.line or line_of(entry, "pmi"), error.reason) from error
    terms = Terms(_texts(node, "candidates", path), _texts(node, "references", path))
    found, expected = (len(terms.candidates), len(terms.references)), (candidates, MEMBERS)
    if found != expected:
        reason = f"[pmi] wrong number of candidates and references; found {found}, expected {expected}"
        raise PipelineError(path, line_of(entry, "pmi"), reason)
    return terms


def schemas_of(document: Any, path: Path) -> list[Schema]:
    """Return the schemas of a document as `parse_yaml` gives it; ids must be unique."""
    if not isinstance(document, CommentedSeq):
        reason = "[yaml] wrong kind; expected a list of schemas (entries that begin with '- id: …')"
        raise PipelineError(path, line_of(document) or 1, reason)
    first: dict[str, int | None] = {}
    schemas = []
    for index, node in enumerate(document):
        if not isinstance(node, CommentedMap):
            reason = f"[yaml] wrong kind; found {kind_of(node)}, expected an entry that begins with '- id: …'"
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
        row = {key: _plain(value) for key, value in asdict(schema).items()}
        rows.append({key: value for key, value in row.items() if value or key in _REQUIRED})
    return dump_yaml(rows)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [_quoted(entry) for entry in value]
    return value and _quoted(value)


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
