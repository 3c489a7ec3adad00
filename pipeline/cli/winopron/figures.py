"""Draw the accuracy and the pronominal bias of systems."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.outputs import write_bytes
from ...language.pronouns import pronoun_table
from ...winopron.figures import draw_figures
from ...winopron.predictions import read_systems
from ..report import Report, Writes


def command(
    predictions: Annotated[
        list[Path],
        typer.Argument(
            metavar="PREDICTIONS",
            help="One file per system, in a format of `winopron score`; named after the system.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="Output: folder of the figures.", show_default=False), Writes(("*.svg", "*.png"))
    ],
    items: Annotated[
        Path | None, typer.Option(help="Sentences (double.jsonl); required for answers by id.", show_default=False)
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the pronoun table.")] = "en",
) -> Report:
    """Draw accuracy and pronominal bias by case and pronoun set, as SVG and PNG.

    Error bars are 95 % confidence intervals; the sentences of one pair of
    templates form a cluster.
    """
    report = Report()
    table = pronoun_table(lang)
    for name, data in draw_figures(read_systems(predictions, table, items), table).items():
        write_bytes(out / name, data)
        report.add(str(out / name))
    return report
