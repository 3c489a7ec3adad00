"""Show why each record was kept or rejected: a page for people, a table for programs, the score against a gold."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ..core.files import write_text, write_tsv
from ..core.outputs import remove
from ..core.records import read_collection, read_rejected
from ..core.rules import rules_digest
from ..language.parsing.lock import read_locks
from ..winograd.adjudication.ledger import read_changes
from ..winograd.adjudication.table import KEPT
from ..winograd.analysis import analysis_table, read_analyses
from ..winograd.exclusion.ledger import count_disputed, disputed_line, read_decisions, require_parsers
from ..winograd.modifications import read_applied
from ..winograd.provenance import join
from .parameters import opt, output
from .report import Report, Writes


def command(
    items: Annotated[Path, opt("Items that `ingest` read (JSON Lines).")],
    skipped: Annotated[Path, opt("Records that `ingest` skipped.")],
    rejected: Annotated[Path, opt("Records that `exclude` rejected.")],
    decisions: Annotated[Path, opt("Ledger of decisions that `exclude` wrote.")],
    parses: Annotated[list[Path], opt("Parse lock; repeat in the order given to `exclude`.", metavar="<path>")],
    out: Annotated[
        Path, output("folder of index.html and audit.tsv."), Writes(("index.html", "audit.tsv", "confusion.tsv"))
    ],
    gold: Annotated[
        list[Path] | None,
        opt(
            "Answer key with id, class, start, end (TSV); repeat for a table that replaces rows of those before it.",
            metavar="<path>",
        ),
    ] = None,
    analysis: Annotated[
        Path | None, opt("The authors' analyses; without --gold, their roles are the answer key.")
    ] = None,
    modifications: Annotated[Path | None, opt("Ledger that `modify` wrote.")] = None,
    adjudications: Annotated[Path | None, opt("Ledger that `annotate apply` wrote.")] = None,
    people: Annotated[
        list[Path] | None,
        opt("items.tsv that `annotate agree` wrote of a study; repeat it for several.", metavar="<path>"),
    ] = None,
    name: Annotated[str | None, opt("Name of the collection; default: name of the folder of the items.")] = None,
) -> Report:
    """Report why each record was kept or rejected, as a page and a table.

    With an answer key, prints how many decisions of the rules are right.
    """
    report = Report()
    # spaCy, which draws the trees, takes a second to import.
    from ..winograd.audit.entries import JUDGED, TABLE_HEADER, table
    from ..winograd.audit.gold import confusion_rows, gold_of, read_gold, score, share
    from ..winograd.audit.judged import read_judged
    from ..winograd.audit.page import draw, page

    analyses = read_analyses(analysis) if analysis else {}
    applied = read_applied(modifications) if modifications else {}
    changes = read_changes(adjudications) if adjudications else {}
    judged = read_judged(people) if people else None
    ledger = read_decisions(decisions)
    joined = join(*read_collection(items, skipped), read_rejected(rejected), ledger, analyses, applied, changes)
    histories = list(joined.values())
    locks = read_locks(parses)
    require_parsers(ledger, [parser for lock in locks for parser in lock.parsers], decisions)
    lang = histories[0].record.lang if histories else "zh"
    expected = read_gold(*gold) if gold else gold_of(analyses.values(), analysis_table(lang))
    records = [history.record for history in histories]
    result = score(expected, records, {key: joined[key].decision for key in joined}) if expected else None
    html = page(
        name or items.parent.name or "collection",
        histories,
        draw(histories, locks),
        parsers=[parser for lock in locks for parser in lock.parsers],
        rules=rules_digest(),
        score=result,
        judged=judged,
    )
    write_text(out / "index.html", html)
    header = TABLE_HEADER if judged is None else (*TABLE_HEADER, JUDGED)
    write_tsv(out / "audit.tsv", header, table(histories, judged))
    kept = sum(history.label == KEPT for history in histories)
    disputed = count_disputed((history.decision for history in histories), len(locks))
    separator = "," if disputed is not None else ";"
    report.add(
        f"{len(histories)} records: {kept} kept + {len(histories) - kept} rejected{separator} {disputed_line(disputed)}",
        records=len(histories),
        kept=kept,
        rejected=len(histories) - kept,
        disputed=disputed,
    )
    if applied:
        report.add(
            f"{len(applied)} modified, {sum(history.rescued for history in histories)} of them rescued",
            modified=len(applied),
            rescued=sum(history.rescued for history in histories),
        )
    if judged is not None:
        known = sum(history.record.id in judged for history in histories)
        report.add(f"{known} of {len(histories)} judged by raters", judged=known)
    if changes:
        moves = Counter((change.before == KEPT, change.after == KEPT) for change in changes.values())
        report.add(
            f"{len(changes)} changed or confirmed by people: {moves[False, True]} restored, "
            f"{moves[True, False]} rejected; {moves[False, True] + moves[True, True]} converted",
            decided_by_people=len(changes),
        )
    if result is None:
        remove(out / "confusion.tsv")  # of a run with a gold
        return report
    write_tsv(out / "confusion.tsv", *confusion_rows(result))
    count = len(result.verdicts)
    shares = (
        f"decisions right: {share(result.decisions_right, count)}",
        f"classes right: {share(result.classes_right, count)}",
        f"targets right: {share(result.targets_right, result.targets)}",
        f"{result.unscored} unscored",
    )
    report.add(
        "; ".join(shares),
        scored=count,
        decisions_right=result.decisions_right,
        classes_right=result.classes_right,
        targets=result.targets,
        targets_right=result.targets_right,
        unscored=result.unscored,
    )
    return report
