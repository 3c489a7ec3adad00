"""Apply the modifications made by hand, after exclusion and before the decisions of people; some rescue rejected items.

The exclusion rules judge each modified item again: a target that still licenses no zero stops the run. So does a pair whose
members differ in more than before, and a rescue of half a pair.
"""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ..core.errors import plural
from ..core.records import read_collection, write_items, write_rejected
from ..language.parsing.lock import read_locks
from ..winograd.modifications import TYPES, read_modifications, write_applied
from ..winograd.modify import judge, modify
from .output import balance
from .parameters import arg, opt, output
from .report import Report


def command(
    kept: Annotated[Path, arg("ITEMS", "Items that `exclude` kept (JSON Lines).")],
    rejected: Annotated[Path, opt("Records that `exclude` rejected.")],
    parses: Annotated[
        list[Path], opt("Parse lock with the modified sentences; repeat for several. The first one decides.")
    ],
    out: Annotated[Path, output("the kept and the rescued items.")],
    rejected_out: Annotated[Path, output("the records that are still rejected.")],
    ledger: Annotated[Path, output("ledger of the applied modifications.")],
    modifications: Annotated[Path | None, opt("Modifications (YAML); without this option nothing changes.")] = None,
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
