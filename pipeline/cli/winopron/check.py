"""Check occupation templates: one line a finding, exit 1 if there are any."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ...language.pronouns import pronoun_table
from ...winopron.template_checks import CHECKS, check_templates
from ...winopron.templates import read_templates


def command(
    templates: Annotated[
        Path, typer.Argument(help="Templates: TSV, our own YAML, or a zip archive of TSV.", show_default=False)
    ],
    lang: Annotated[str, typer.Option(help="The language of the pronoun table.")] = "en",
) -> None:
    """Check occupation templates: completeness, identical prefixes, one pronoun, agreement with singular they and more."""
    table = pronoun_table(lang)
    found = read_templates(templates, table)
    faults = check_templates(found, table)
    for fault in faults:
        typer.echo(f"{templates}:{fault.line}: [{fault.check}] {fault.reason}", err=True)
    cases = Counter(table.placeholders[template.placeholder] for template in found)
    counts = ", ".join(f"{case} {count}" for case, count in cases.items())
    by_check = Counter(fault.check for fault in faults)
    kinds = ", ".join(f"{name} {by_check[name]}" for name in CHECKS if by_check[name]) or "none"
    typer.echo(f"{templates}: {len(found)} templates ({counts}); {len(faults)} findings: {kinds}")
    if faults:
        raise typer.Exit(1)
