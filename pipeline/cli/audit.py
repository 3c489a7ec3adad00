"""Show why each record was kept or rejected: a page for people, a table for programs, the score against a gold."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_text, write_tsv
from ..core.records import read_items, read_rejected
from ..core.rules import rules_digest
from ..language.parsing.lock import read_lock
from ..winograd.adjudication.ledger import read_changes
from ..winograd.adjudication.table import KEPT
from ..winograd.analysis import analysis_table, read_analyses
from ..winograd.exclusion.ledger import read_decisions
from ..winograd.modifications import read_applied


def command(
    items: Annotated[Path, typer.Option(help="What `ingest` read (JSON Lines).", show_default=False)],
    skipped: Annotated[Path, typer.Option(help="What `ingest` skipped.", show_default=False)],
    rejected: Annotated[Path, typer.Option(help="What `exclude` rejected.", show_default=False)],
    decisions: Annotated[Path, typer.Option(help="The ledger of `exclude`.", show_default=False)],
    parses: Annotated[list[Path], typer.Option(help="The parse locks of `exclude`, in its order.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder for index.html and audit.tsv.", show_default=False)],
    gold: Annotated[Path | None, typer.Option(help="What should be: id, class, start, end (TSV).")] = None,
    analysis: Annotated[
        Path | None, typer.Option(help="The authors' analyses; their roles are the gold if no other is given.")
    ] = None,
    modifications: Annotated[Path | None, typer.Option(help="The ledger of `modify`.")] = None,
    adjudications: Annotated[Path | None, typer.Option(help="The ledger of `annotate apply`.")] = None,
    name: Annotated[str | None, typer.Option(help="The collection; the items' folder if not given.")] = None,
) -> None:
    """Show why each record was kept or rejected: a page, a table, and the score against a gold."""
    # spaCy, which draws the trees, takes a second to import.
    from ..winograd.audit.entries import TABLE_HEADER, join, table
    from ..winograd.audit.gold import confusion_rows, gold_of, read_gold, score, share
    from ..winograd.audit.page import draw, page

    analyses = read_analyses(analysis) if analysis else {}
    applied = read_applied(modifications) if modifications else {}
    parts = read_items(items), read_rejected(skipped), read_rejected(rejected), read_decisions(decisions)
    changes = read_changes(adjudications) if adjudications else {}
    entries = join(*parts, analyses, applied, changes)
    locks = [read_lock(path) for path in parses]
    lang = entries[0].record.lang if entries else "zh"
    wanted = read_gold(gold) if gold else gold_of(analyses.values(), analysis_table(lang))
    ledger = {entry.record.id: entry.decision for entry in entries}
    result = score(wanted, [entry.record for entry in entries], ledger) if wanted else None
    html = page(
        name or items.parent.name or "collection",
        entries,
        draw(entries, locks),
        parsers=[parser for lock in locks for parser in lock.parsers],
        rules=rules_digest(),
        score=result,
    )
    write_text(out / "index.html", html)
    write_tsv(out / "audit.tsv", TABLE_HEADER, table(entries))
    kept = sum(entry.label == KEPT for entry in entries)
    disputed = sum(entry.decision.disputed for entry in entries)
    typer.echo(f"{len(entries)} records: {kept} kept + {len(entries) - kept} rejected, {disputed} disputed")
    if applied:
        typer.echo(f"{len(applied)} modified, {sum(entry.rescued for entry in entries)} of them rescued")
    if changes:
        outcomes = Counter((entry.standing == KEPT, entry.outcome == KEPT) for entry in entries)
        typer.echo(
            f"{len(changes)} changed or confirmed by people: {outcomes[False, True]} restored, "
            f"{outcomes[True, False]} rejected; {outcomes[False, True] + outcomes[True, True]} converted"
        )
    if result is None:
        (out / "confusion.tsv").unlink(missing_ok=True)  # of a run with a gold
        return
    write_tsv(out / "confusion.tsv", *confusion_rows(result))
    count = len(result.verdicts)
    shares = (
        f"decisions right: {share(result.decisions_right, count)}",
        f"classes right: {share(result.classes_right, count)}",
        f"targets right: {share(result.targets_right, result.targets)}",
        f"{result.unscored} unscored",
    )
    typer.echo("; ".join(shares))
