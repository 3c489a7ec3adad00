"""Turn the judgements of a consensus study, or of an exclusion audit, into rows of decisions.tsv."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError
from ...core.records import read_collection
from ...studies.adjudication.outcomes import merged, outcomes
from ...studies.answers import read_answers
from ...studies.study import read_study
from ...winograd.adjudication.record import originals, record_states
from ...winograd.adjudication.table import ACTIONS, read_adjudications, write_adjudications
from ...winograd.modifications import read_applied


def command(
    folder: Annotated[Path, typer.Argument(help="The study: build/annotation/STUDY.", show_default=False)],
    judgements: Annotated[Path, typer.Option(help="What `pull` wrote.", show_default=False)],
    records: Annotated[Path, typer.Option(help="The items that `apply` reads: modified.jsonl.", show_default=False)],
    decisions: Annotated[
        Path, typer.Option(help="The table that is brought up to date: annotation/decisions.tsv.", show_default=False)
    ],
    rejected: Annotated[
        Path | None,
        typer.Option(help="The rejected records that `apply` reads, if they were judged too.", show_default=False),
    ] = None,
    modifications: Annotated[
        Path | None,
        typer.Option(
            help="The ledger of `modify`; a rejected text that was modified since needs no decision.",
            show_default=False,
        ),
    ] = None,
    least: Annotated[int, typer.Option(min=1, help="So many raters an item needs.")] = 2,
) -> None:
    """Write what most raters decided of each item; the others are listed as open, then exit 1."""
    study, tasks = read_study(folder)
    before = record_states(*read_collection(records, rejected))
    rescued = originals(before, read_applied(modifications)) if modifications else {}
    answers = read_answers(judgements, study, tasks)
    if not any(one.task.phase == "main" for one in answers):
        reason = f"[phase] nobody judged an item of {study.id}; to take back its decisions, delete their rows"
        raise PipelineError(judgements, None, reason)
    found = outcomes(study, tasks, answers, before, originals=rescued, least=least, path=folder / "tasks.jsonl")
    result = merged(read_adjudications(decisions) if decisions.exists() else [], study.id, found.decided)
    write_adjudications(decisions, result.rows)
    for one in (*found.open, *result.conflicts):
        typer.echo(f"{one.item}: open; {one.why}", err=True)
    total = len(found.decided) + len(found.open) + len(found.settled)
    typer.echo(
        f"{study.id}: {total} items: {len(found.decided)} decided + {len(found.open)} open"
        f" + {len(found.settled)} settled otherwise"
    )
    actions = Counter(row.action for row in found.decided)
    typer.echo(f"{study.id}: {', '.join(f'{action} {actions[action]}' for action in ACTIONS)}")
    typer.echo(
        f"{decisions}: {len(result.rows)} rows; {result.added} added, {result.changed} changed,"
        f" {result.withdrawn} withdrawn, {len(result.conflicts)} in conflict with another study"
    )
    if found.open or result.conflicts:
        raise typer.Exit(1)
