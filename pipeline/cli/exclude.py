"""Reject the items whose target stands where Chinese licenses no zero, by the rules over each parser's trees.

Where the parsers lead to different decisions, the parser of the first lock decides, and the item is marked as disputed:
people read it first.
"""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..core.records import read_collection, write_items, write_rejected
from ..language.parsing.lock import read_locks
from ..winograd.exclusion.exclude import AlreadyZero, exclude
from ..winograd.exclusion.ledger import count_disputed, disputed_line, write_decisions
from ..winograd.zero_forms import require_language_with_zeros
from .output import balance, tracked
from .report import Quiet, Report


def command(
    items: Annotated[Path, typer.Argument(metavar="ITEMS", help="The items (JSON Lines).", show_default=False)],
    parses: Annotated[
        list[Path],
        typer.Option(help="Parse lock; repeat for several. The first one decides.", show_default=False),
    ],
    kept: Annotated[Path, typer.Option(help="Output: the kept items.", show_default=False)],
    rejected: Annotated[Path, typer.Option(help="Output: the rejected records with the reasons.", show_default=False)],
    skipped: Annotated[
        Path | None, typer.Option(help="Records that `ingest` skipped; they count as rejected.", show_default=False)
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="Output: ledger with the decision on each record.", show_default=False)
    ] = None,
    by_sentence: Annotated[
        bool, typer.Option("--by-sentence", help="Keep an item even if the other member of its pair is rejected.")
    ] = False,
    already_zero: Annotated[
        AlreadyZero, typer.Option(help="What to do with items whose target is already left out.")
    ] = "keep",
    quiet: Quiet = False,
) -> Report:
    """Reject the items whose target cannot be left out.

    Rules over dependency trees decide. If the trees of two parsers lead to
    different decisions, the item is marked as disputed.
    """
    report = Report()
    from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

    rows, before = read_collection(items, skipped)
    locks = read_locks(parses)
    require_language_with_zeros(rows, items)
    languages = sorted({item.lang for item in rows}) or ["zh"]
    if len(languages) > 1:
        raise typer.BadParameter(f"items of several languages: {', '.join(languages)}", param_hint="ITEMS")
    result = exclude(
        rows,
        locks,
        load_rules(languages[0]),
        skipped=before,
        by_sentence=by_sentence,
        already_zero=already_zero,
        track=partial(tracked, label="judging", quiet=quiet),
    )
    write_items(kept, result.kept)
    write_rejected(rejected, result.rejected)
    if decisions:
        write_decisions(decisions, result.decisions)
    total = len(rows) + len(before)
    report.add(
        f"{items}: {len(result.kept)} kept + {len(result.rejected)} rejected = {total} records",
        kept=len(result.kept),
        rejected=len(result.rejected),
        records=total,
    )
    disputed = count_disputed(result.decisions, len(locks))
    report.add(f"{items}: {disputed_line(disputed)}; {balance(result.kept)}", disputed=disputed)
    uncertain = sum(bool(decision.uncertain) for decision in result.decisions)
    if uncertain:
        report.add(
            f"{items}: {uncertain} uncertain: another part of speech beside the target would change the decision",
            uncertain=uncertain,
        )
    if zeros := sum(decision.already_zero for decision in result.decisions if decision.exclusion is None):
        report.add(f"{items}: {zeros} of the kept are already zero in their source", already_zero=zeros)
    return report
