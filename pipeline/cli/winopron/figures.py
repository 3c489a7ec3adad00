"""Draw the accuracy and the pronominal bias of systems."""

from pathlib import Path
from typing import Annotated

from ...core.drawings import figure_files
from ...core.outputs import write_bytes
from ...language.pronouns import pronoun_table
from ...winopron.drawings import draw
from ...winopron.predictions import read_systems
from ..parameters import arg, opt, output
from ..report import Report, Writes


def command(
    predictions: Annotated[
        list[Path], arg("PREDICTIONS", "One file per system, in a format of `winopron score`; named after the system.")
    ],
    out: Annotated[Path, output("folder of the figures."), Writes(("*.svg", "*.png"))],
    items: Annotated[Path | None, opt("Sentences (double.jsonl); required for answers by id.")] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Draw accuracy and pronominal bias by case and pronoun set, as SVG and PNG.

    Error bars are 95 % confidence intervals; the sentences of one pair of
    templates form a cluster.
    """
    report = Report()
    table = pronoun_table(lang)
    for name, data in figure_files(draw(read_systems(predictions, table, items), table)).items():
        write_bytes(out / name, data)
        report.add(str(out / name))
    return report
