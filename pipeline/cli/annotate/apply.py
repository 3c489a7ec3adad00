"""Apply what people decided of items, after the modifications and before the zero form."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ...core.files import require_apart
from ...core.records import read_items, read_rejected, write_items, write_rejected
from ...winograd.adjudication.apply import adjudicate
from ...winograd.adjudication.ledger import write_changes
from ...winograd.adjudication.table import ACTIONS, KEPT, read_adjudications
from ..output import balance


def command(
    kept: Annotated[Path, typer.Argument(help="The items, modified (JSON Lines).", show_default=False)],
    rejected: Annotated[Path, typer.Option(help="What `exclude` rejected.", show_default=False)],
    decisions: Annotated[Path, typer.Option(help="What people decided: annotation/decisions.tsv.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the items to convert go.", show_default=False)],
    rejected_out: Annotated[Path, typer.Option(help="Where the rejected records go.", show_default=False)],
    ledger: Annotated[Path, typer.Option(help="Where the ledger of what was decided goes.", show_default=False)],
    by_sentence: Annotated[
        bool, typer.Option("--by-sentence", help="Keep an item whose pair-mate is rejected.")
    ] = False,
) -> None:
    """Apply what people decided: keep, drop, relabel, modify; a decision that no longer applies stops the run."""
    require_apart({"--out": out, "--rejected-out": rejected_out, "--ledger": ledger})
    items, fallen, rows = read_items(kept), read_rejected(rejected), read_adjudications(decisions)
    result = adjudicate(items, fallen, rows, decisions, by_sentence=by_sentence)
    write_items(out, result.kept)
    write_rejected(rejected_out, result.rejected)
    write_changes(ledger, result.ledger)
    lost = sum(change.before == KEPT != change.after for change in result.ledger)
    gained = sum(change.before != KEPT == change.after for change in result.ledger)
    typer.echo(
        f"{out}: {len(items)} in + {gained} restored - {lost} rejected = {len(result.kept)} items; "
        f"{balance(result.kept)}"
    )
    actions = Counter(row.action for row in rows)
    typer.echo(
        f"{ledger}: {len(rows)} decisions: {', '.join(f'{action} {actions[action]}' for action in ACTIONS)}; "
        f"{len(result.ledger) - len(rows)} records followed their pair-mates"
    )
