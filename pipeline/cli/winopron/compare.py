"""Compare the pronominal biases of systems on WinoPron's sentences."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError
from ...language.pronouns import pronoun_table
from ...winopron.bias import bias
from ...winopron.predictions import read_predictions
from ...winopron.report import compare


def command(
    predictions: Annotated[
        list[Path], typer.Argument(help="A file for each system, as score reads them.", show_default=False)
    ],
    items: Annotated[
        Path | None, typer.Option(help="The sentences (double.jsonl), for answers by id.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the indices as JSON.")] = False,
    lang: Annotated[str, typer.Option(help="The language of the pronoun table.")] = "en",
) -> None:
    """Compare the pronominal biases of systems: Jaccard indices of their biased occupations."""
    names = [path.stem for path in predictions]
    if len(set(names)) < max(2, len(names)):
        raise PipelineError(None, None, f"[predictions] found {', '.join(names)}, expected two systems or more by name")
    table = pronoun_table(lang)
    found = compare({path.stem: bias(read_predictions(path, table, items).responses) for path in predictions})
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2))
        return
    for pair, overlap in found.items():
        for case, by_set in overlap.items():
            values = ", ".join(f"{name} {'n/a' if value is None else f'{value:.2f}'}" for name, value in by_set.items())
            typer.echo(f"{pair}, {case}: {values}")
