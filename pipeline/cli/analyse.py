"""Write what the authors of a schema-yaml file say of each item: gloss, kind of common sense, role, terms to count."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.files import read_text, require_distinct, write_text
from ..winograd.analysis import analyse, analysis_table, spread, write_analyses


def command(
    file: Annotated[Path, typer.Argument(help="Schemas in our own format, schema-yaml.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the analyses go (JSON Lines).", show_default=False)],
    lang: Annotated[str, typer.Option(help="The language of the schemas.")] = "zh",
    terms: Annotated[
        Path | None, typer.Option(help="Where the words to count go, one a line, for corpus count.", show_default=False)
    ] = None,
) -> None:
    """Write what the authors say of each item: gloss, kind of common sense, role of the target, terms to count."""
    require_distinct({"--out": out, "--terms": terms})
    analyses = analyse(read_text(file), file, lang)
    write_analyses(out, analyses)
    if terms is not None:
        words = {word for one in analyses if one.pmi for word in (*one.pmi.candidates, one.pmi.reference)}
        write_text(terms, "".join(f"{word}\n" for word in sorted(words)))
    typer.echo(f"{out}: {len(analyses)} items; {spread(analyses, analysis_table(lang))}")
