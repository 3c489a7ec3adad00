"""Answer items by word association: the candidate whose term has the greater PMI with the reference."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_jsonl, write_text
from ..core.records import read_items
from ..corpus.baseline import _NAMED, curve, decisions, read_terms, rows, solved_pairs, uncounted
from ..corpus.counting.counts import read_counts
from ..corpus.page import page
from ..corpus.pmi import baseline, decide
from ..statistics.intervals import clustered_interval
from .output import percent


def command(
    items_path: Annotated[Path, typer.Argument(metavar="ITEMS", help="The items (JSON Lines).", show_default=False)],
    terms: Annotated[Path, typer.Option(help="Their terms, or their analysis (JSON Lines).", show_default=False)],
    counts: Annotated[Path, typer.Option(help="The counts of a corpus (JSON Lines).", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the answers go (JSON Lines).", show_default=False)],
    threshold: Annotated[float, typer.Option(help="The difference that a decision must exceed.", min=0.0)] = 0.0,
    seed: Annotated[int, typer.Option(help="The seed of the coins that answer the others.")] = 0,
    report: Annotated[Path | None, typer.Option(help="A page on it (HTML).", show_default=False)] = None,
    corpus: Annotated[str, typer.Option(help="What the corpus is, for the page.")] = "",
) -> None:
    """Answer items by word association, and say how often that is right."""
    items = read_items(items_path)
    told, counted = read_terms(terms), read_counts(counts)
    missing, asked = uncounted((told[item.id] for item in items if item.id in told), counted, counts)
    if missing:
        typer.echo(
            f"{counts}: [terms] not in these counts: {len(missing)} of the {asked} terms asked; "
            f"they do not occur or were not counted: {', '.join(missing[:_NAMED])}{', …' * (len(missing) > _NAMED)}",
            err=True,
        )
    made = decisions(items, told, counted, threshold=threshold, seed=seed)
    answers = {item.id: item.answer for item in items}
    found = baseline(made, answers, seed)
    table = rows(items, told, counted, made)
    write_jsonl(out, table)
    by_schema: dict[str, list[bool]] = {}
    for row, item in zip(table, items, strict=True):
        right = row["right"] if "right" in row else decide((None, None), item.id, seed=seed).choice == item.answer
        by_schema.setdefault(item.schema, []).append(right)
    interval = clustered_interval((sum(one), len(one)) for one in by_schema.values())
    low, high = map(percent, interval or (None, None))
    typer.echo(
        f"{out}: {found.items} items, {found.with_terms} with terms, {found.decided} decided ({percent(found.coverage)}); "
        f"right: {percent(found.precision)} of the decided, {percent(found.accuracy)} of all (between {low} and {high})"
    )
    typer.echo("Mandarinograd (LREC 2020): 308 items, 153 decided (49.7 %); right: 61 % of the decided, 55 % of all")
    if report is not None:
        solved = solved_pairs(items, made)
        steps = curve(items, told, counted, seed)
        text = page(corpus, counted, table, found, interval, steps, solved, threshold=threshold, seed=seed)
        write_text(report, text)
        typer.echo(f"{report}: {len(solved)} schemas that association solves in both members")
