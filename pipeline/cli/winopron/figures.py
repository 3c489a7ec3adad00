"""Draw the accuracy and the pronominal bias of systems."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.files import write_bytes
from ...language.pronouns import pronoun_table
from ...winopron.figures import draw_figures
from ...winopron.predictions import read_systems


def command(
    predictions: Annotated[
        list[Path],
        typer.Argument(help="One file per system, as for score; its name is the system's.", show_default=False),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the figures.", show_default=False)],
    items: Annotated[
        Path | None, typer.Option(help="Sentences (double.jsonl), for answers by id.", show_default=False)
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the pronoun table.")] = "en",
) -> None:
    """Draw accuracy and pronominal bias by case and pronoun set, as SVG and PNG.

    Error bars are 95 % confidence intervals, with the sentences of one pair of templates as a cluster.
    """
    table = pronoun_table(lang)
    for name, data in draw_figures(read_systems(predictions, table, items), table).items():
        write_bytes(out / name, data)
        typer.echo(out / name)
