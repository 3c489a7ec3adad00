"""Apply the modifications made by hand, after exclusion and before the zero form; some rescue what the rules rejected.

A modified item is judged by the same rules: one whose target still licenses no zero stops the run. So does a pair whose
members differ in more than they did, or half a pair.
"""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ..core.files import require_apart
from ..core.records import read_items, read_rejected, write_items
from ..language.parsing.lock import read_lock
from ..winograd.modifications import (
    TYPES,
    read_modifications,
    write_applied,
)
from ..winograd.modify import judge, modify
from .output import balance


def command(
    kept: Annotated[Path, typer.Argument(help="The kept items (JSON Lines).", show_default=False)],
    rejected: Annotated[Path, typer.Option(help="What `exclude` rejected.", show_default=False)],
    modifications: Annotated[Path, typer.Option(help="The modifications (YAML).", show_default=False)],
    parses: Annotated[
        list[Path],
        typer.Option(help="A parse lock with the modified sentences; the first decides.", show_default=False),
    ],
    out: Annotated[Path, typer.Option(help="Where the items to convert go.", show_default=False)],
    ledger: Annotated[Path, typer.Option(help="Where the ledger of what was modified goes.", show_default=False)],
) -> None:
    """Apply the modifications made by hand; some rescue what the rules rejected."""
    from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

    require_apart({"--out": out, "--ledger": ledger})
    before = read_items(kept)
    result = modify(before, read_rejected(rejected), read_modifications(modifications), modifications)
    judge(result, [read_lock(path) for path in parses], load_rules(before[0].lang if before else "zh"), modifications)
    write_items(out, result.items)
    write_applied(ledger, result.ledger)
    rescued, counts = result.rescued, Counter(applied.modification.type for applied in result.ledger)
    typer.echo(f"{out}: {len(before)} kept + {rescued} rescued = {len(result.items)} items; {balance(result.items)}")
    types = ", ".join(f"{name} {counts[name]}" for name in TYPES)
    typer.echo(f"{ledger}: {len(result.ledger)} items modified: {types}")
