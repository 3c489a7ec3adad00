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
from .parameters import arg, opt, output
from .report import Quiet, Report


def command(
    items: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    parses: Annotated[list[Path], opt("Parse lock; repeat for several. The first one decides.")],
    kept: Annotated[Path, output("the kept items.")],
    rejected: Annotated[Path, output("the rejected records with the reasons.")],
    skipped: Annotated[Path | None, opt("Records that `ingest` skipped; they count as rejected.")] = None,
    decisions: Annotated[Path | None, output("ledger with the decision on each record.")] = None,
    by_sentence: Annotated[
        bool, opt("Keep an item even if the other member of its pair is rejected.", "--by-sentence")
    ] = False,
    already_zero: Annotated[AlreadyZero, opt("What to do with items whose target is already left out.")] = "keep",
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
