"""Write what the authors of a schema-yaml file say of each item: gloss, kind of common sense, role, terms to count."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PipelineError
from ..core.files import read_text, require_apart, write_text
from ..core.notation import FactorError, expand, unbracket
from ..core.yamlfile import line_of, parse_yaml
from ..winograd.analysis import Analysis, AnalysisTable, PmiTerms, analysis_table, write_analyses
from ..winograd.readers.draft import member
from ..winograd.readers.schema_yaml import Schema, schemas_of


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


def command(
    file: Annotated[Path, typer.Argument(help="Schemas in our own format, schema-yaml.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the analyses go (JSON Lines).", show_default=False)],
    lang: Annotated[str, typer.Option(help="The language of the schemas.")] = "zh",
    terms: Annotated[
        Path | None, typer.Option(help="Where the words to count go, one a line, for corpus count.", show_default=False)
    ] = None,
) -> None:
    """Write what the authors say of each item: gloss, kind of common sense, role of the target, terms to count."""
    require_apart({"--out": out, "--terms": terms})
    analyses = analyse(read_text(file), file, lang)
    write_analyses(out, analyses)
    if terms is not None:
        words = {word for one in analyses if one.pmi for word in (*one.pmi.candidates, one.pmi.reference)}
        write_text(terms, "".join(f"{word}\n" for word in sorted(words)))
    typer.echo(f"{out}: {len(analyses)} items; {spread(analyses, analysis_table(lang))}")
