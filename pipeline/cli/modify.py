"""Apply the modifications made by hand, after exclusion and before the decisions of people; some rescue rejected items.

The exclusion rules judge each modified item again: a target that still licenses no zero stops the run. So does a pair whose
members differ in more than before, and a rescue of half a pair.
"""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import plural
from ..core.records import read_collection, write_items, write_rejected
from ..language.parsing.lock import read_locks
from ..winograd.modifications import TYPES, read_modifications, write_applied
from ..winograd.modify import judge, modify
from .output import balance
from .report import Report


def command(
    kept: Annotated[
        Path, typer.Argument(metavar="ITEMS", help="Items that `exclude` kept (JSON Lines).", show_default=False)
    ],
    rejected: Annotated[Path, typer.Option(help="Records that `exclude` rejected.", show_default=False)],
    parses: Annotated[
        list[Path],
        typer.Option(
            help="Parse lock with the modified sentences; repeat for several. The first one decides.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="Output: the kept and the rescued items.", show_default=False)],
    rejected_out: Annotated[
        Path, typer.Option(help="Output: the records that are still rejected.", show_default=False)
    ],
    ledger: Annotated[Path, typer.Option(help="Output: ledger of the applied modifications.", show_default=False)],
    modifications: Annotated[
        Path | None, typer.Option(help="Modifications (YAML); without this option nothing changes.", show_default=False)
    ] = None,
) -> Report:
    """Apply changes made by hand so that targets can be left out; some rescue rejected items.

    The exclusion rules judge each modified item again.
    The command stops if they still reject one.
    """
    report = Report()
    items, rejections = read_collection(kept, rejected, "kept.jsonl, which exclude writes")
    locks = read_locks(parses)  # also where no modification needs a tree: the paths may be wrong
    result = modify(items, rejections, read_modifications(modifications) if modifications else [], modifications)
    if result.ledger:
        from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

        judge(result, locks, load_rules(result.kept[0].lang), modifications)
    write_items(out, result.kept)
    write_rejected(rejected_out, result.rejected)
    write_applied(ledger, result.ledger)
    counts = Counter(applied.modification.type for applied in result.ledger)
    report.add(
        f"{out}: {len(items)} kept + {result.rescued} rescued = {len(result.kept)} items; {balance(result.kept)}",
        items=len(result.kept),
        rescued=result.rescued,
    )
    report.add(
        f"{rejected_out}: {len(rejections)} rejected - {result.rescued} rescued = {len(result.rejected)} records",
        rejected=len(result.rejected),
    )
    report.add(
        f"{ledger}: {plural(len(result.ledger), 'item')} modified: {', '.join(f'{name} {counts[name]}' for name in TYPES)}",
        modified=len(result.ledger),
        types=dict(counts),
    )
    return report
