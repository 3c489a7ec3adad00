"""Draw the accuracy and the pronominal bias of systems on WinoPron's sentences."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError
from ...core.files import write_bytes
from ...language.pronouns import pronoun_table
from ...winopron.figures import figures
from ...winopron.predictions import read_predictions


def command(
    predictions: Annotated[
        list[Path], typer.Argument(help="A file for each system, as score reads them.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="The folder for the figures.", show_default=False)],
    items: Annotated[
        Path | None, typer.Option(help="The sentences (double.jsonl), for answers by id.", show_default=False)
    ] = None,
    lang: Annotated[str, typer.Option(help="The language of the pronoun table.")] = "en",
) -> None:
    """Draw accuracy and pronominal bias by case and pronoun set, as SVG and PNG.

    The intervals of accuracy hold 95 %, the sentences of a pair of templates taken as one cluster.
    """
    names = [path.stem for path in predictions]
    if len(set(names)) < len(names):
        raise PipelineError(None, None, f"[predictions] found {', '.join(names)}, expected each system's name once")
    table = pronoun_table(lang)
    systems = {path.stem: read_predictions(path, table, items).responses for path in predictions}
    for name, data in figures(systems, table).items():
        write_bytes(out / name, data)
        typer.echo(out / name)
