"""Compare the pronominal bias of systems."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError
from ...core.pages import decimal
from ...language.pronouns import pronoun_table
from ...winopron.measures import bias_by_form, comparison_report
from ...winopron.predictions import read_systems
from ..parameters import arg, opt
from ..report import Report


def command(
    predictions: Annotated[
        list[Path], arg("PREDICTIONS", "One file per system, in a format of `winopron score`; named after the system.")
    ],
    items: Annotated[Path | None, opt("Sentences (double.jsonl); required for answers by id.")] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Compare the pronominal bias of systems: Jaccard indices of their biased occupations."""
    if len(predictions) < 2:
        raise PipelineError(
            None, None, f"[predictions] too few systems; found {len(predictions)}, expected two or more"
        )
    systems = read_systems(predictions, pronoun_table(lang), items)
    compared = comparison_report({name: bias_by_form(responses) for name, responses in systems.items()})
    report = Report(figures=compared)
    for pair, overlap in compared.items():
        for case, by_set in overlap.items():
            report.add(f"{pair}, {case}: {', '.join(f'{name} {decimal(value, 2)}' for name, value in by_set.items())}")
    return report
