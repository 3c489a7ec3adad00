"""Apply the decisions of people, after the modifications and before the zero form."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.records import read_collection, write_items, write_rejected
from ...winograd.adjudication.apply import adjudicate, is_unpaired
from ...winograd.adjudication.ledger import write_changes
from ...winograd.adjudication.table import ACTIONS, KEPT, read_adjudications
from ..output import balance
from ..parameters import arg, opt, output
from ..report import Report


def command(
    kept: Annotated[Path, arg("ITEMS", "Items that `modify` kept (JSON Lines).")],
    rejected: Annotated[Path, opt("Records that are still rejected after `modify`.")],
    out: Annotated[Path, output("the kept items.")],
    rejected_out: Annotated[Path, output("the rejected records.")],
    ledger: Annotated[Path, output("ledger of the changes.")],
    decisions: Annotated[
        Path | None, opt("Decisions of people: annotation/decisions.tsv; without this option nothing changes.")
    ] = None,
    by_sentence: Annotated[
        bool, opt("Keep an item even if the other member of its pair is rejected.", "--by-sentence")
    ] = False,
) -> Report:
    """Apply decisions of people to items: keep, drop, relabel, modify.

    The command stops if a decision no longer applies because its item changed.
    """
    report = Report()
    items, rejections = read_collection(kept, rejected, "modified.jsonl, which modify writes")
    rows = read_adjudications(decisions) if decisions else []
    result = adjudicate(items, rejections, rows, decisions, by_sentence=by_sentence)
    write_items(out, result.kept)
    write_rejected(rejected_out, result.rejected)
    write_changes(ledger, result.ledger)
    lost = sum(change.before == KEPT != change.after for change in result.ledger)
    restored = sum(change.before != KEPT == change.after for change in result.ledger)
    report.add(
        f"{out}: {len(items)} in + {restored} restored - {lost} rejected = {len(result.kept)} items; "
        f"{balance(result.kept)}",
        items=len(result.kept),
        restored=restored,
        lost=lost,
    )
    report.add(
        f"{rejected_out}: {len(rejections)} in - {restored} restored + {lost} rejected = {len(result.rejected)} records",
        rejected=len(result.rejected),
    )
    actions = Counter(row.action for row in rows)
    alone = sum(map(is_unpaired, result.ledger))
    report.add(
        f"{ledger}: {plural(len(rows), 'decision')}: {', '.join(f'{action} {actions[action]}' for action in ACTIONS)}"
        f"{f' ({alone} relabelled alone, whose pairs are rejected)' if alone else ''}; "
        f"{plural(len(result.ledger) - len(rows), 'record')} followed their pair-mates",
        decisions=len(rows),
        actions=dict(actions),
        unpaired=alone,
        followed=len(result.ledger) - len(rows),
    )
    return report
