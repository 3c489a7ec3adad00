"""What an author says of an item beside its text: gloss, kind of common sense, role of the target, terms to count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, read_text, write_jsonl
from ..core.model import ExclusionClass, PmiTerms, is_exclusion_class
from ..core.notation import FactorError, expand, unbracket
from ..core.rules import RULES
from ..core.yamlfile import line_of, load_yaml, parse_yaml, require_mapping
from .readers.draft import member
from .readers.schema_yaml import Schema, schemas_of

KEEP = "keep"
_TEXTS = ("id", "schema", "gloss", "kind", "role")


@dataclass(frozen=True, slots=True)
class Analysis:
    """The author's analysis of one item; an empty text, or None, where the author says nothing."""

    id: str
    schema: str
    gloss: str
    kind: str
    role: str
    pmi: PmiTerms | None


@dataclass(frozen=True, slots=True)
class AnalysisTable:
    """The words of the analysis in one language, as rules/analysis has them.

    `kinds` and `roles` explain each word; `expected` says for each role what becomes of the item: the class under which
    it is rejected, or None where the zero is licensed.
    """

    kinds: Mapping[str, str]
    roles: Mapping[str, str]
    expected: Mapping[str, ExclusionClass | None]


@cache
def analysis_table(lang: str) -> AnalysisTable:
    """Return the table of a language; a language without one has no kinds and no roles."""
    path = RULES / "analysis" / f"{lang}.yaml"
    if not path.exists():
        return AnalysisTable({}, {}, {})
    node = require_mapping(load_yaml(path), path, required=frozenset({"kinds", "roles"}))
    expected: dict[str, ExclusionClass | None] = {}
    for role in node["roles"]:
        entry = require_mapping(node["roles"][role], path, required=frozenset({"expected", "what"}))
        name = entry["expected"]
        if name != KEEP and not is_exclusion_class(name):
            reason = f"[expected] unknown class; found {name!r}, expected keep or a class of exclusion"
            raise PipelineError(path, line_of(entry, "expected"), reason)
        expected[role] = None if name == KEEP else name
    return AnalysisTable(dict(node["kinds"]), {role: node["roles"][role]["what"] for role in expected}, expected)


def analysis_to_json(analysis: Analysis) -> dict[str, Any]:
    """Return the JSON object of one line."""
    terms = analysis.pmi
    pmi = None if terms is None else {"candidates": list(terms.candidates), "reference": terms.reference}
    return {name: getattr(analysis, name) for name in _TEXTS} | {"pmi": pmi}


def write_analyses(path: Path, analyses: Iterable[Analysis]) -> None:
    """Write analyses as JSON Lines, atomically."""
    write_jsonl(path, map(analysis_to_json, analyses))


def read_analyses(path: Path) -> dict[str, Analysis]:
    """Return the analyses of a JSON Lines file by item id.

    Raises:
        PipelineError: a line is no analysis, or an id stands twice.
    """
    analyses: dict[str, Analysis] = {}
    for line, value in parse_jsonl(read_text(path), path):
        try:
            terms = value["pmi"]
            pmi = None if terms is None else PmiTerms(tuple(terms["candidates"]), terms["reference"])
            analysis = Analysis(**{name: value[name] for name in _TEXTS}, pmi=pmi)
        except (KeyError, TypeError) as error:
            raise PipelineError(path, line, f"[analysis] malformed; {error!r}") from error
        if analysis.id in analyses:
            raise PipelineError(path, line, f"[id] not unique; found {analysis.id!r} again, expected each id once")
        analyses[analysis.id] = analysis
    return analyses


def analyse(text: str, path: Path, lang: str) -> list[Analysis]:
    """Return the analysis of every item of a schema-yaml file, in its order.

    Args:
        text: the content of the file.
        path: its name, for messages.
        lang: the language of its texts, which has its own words for roles.

    Raises:
        PipelineError: no schema-yaml, or a kind or role that rules/analysis does not know.
    """
    document, table = parse_yaml(text, path), analysis_table(lang)
    analyses = []
    for schema, node in zip(schemas_of(document, path), document, strict=True):
        for field, known in (("kind", table.kinds), ("role", table.roles)):
            found = getattr(schema, field)
            if found and found not in known:
                reason = f"[{field}] unknown {field}; found {found!r}, expected one of {', '.join(known) or 'none'}"
                raise PipelineError(path, line_of(node, field), reason)
        try:
            analyses += _members(schema)
        except FactorError as error:
            raise PipelineError(path, line_of(node, "gloss"), f"[gloss] {error}") from error
    return analyses


def _members(schema: Schema) -> list[Analysis]:
    return [
        Analysis(
            id=f"{schema.id}-{member(index)}",
            schema=schema.id,
            gloss=unbracket(gloss)[0],
            kind=schema.kind,
            role=schema.role,
            pmi=None if schema.pmi is None else PmiTerms(schema.pmi.candidates, schema.pmi.references[index]),
        )
        for index, gloss in enumerate(expand(schema.gloss))
    ]


def spread(analyses: list[Analysis], table: AnalysisTable) -> str:
    """Return how many items have each kind of common sense, in the order of the table."""
    counts = {kind: sum(analysis.kind == kind for analysis in analyses) for kind in table.kinds}
    counts["no kind"] = sum(not analysis.kind for analysis in analyses)
    return ", ".join(f"{kind} {count}" for kind, count in counts.items() if count)
