"""Commands on the judgements of a study: agreement, decisions, and their effect on the items."""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from ..core.errors import PipelineError, errors_at, plural
from ..core.files import write_text
from ..core.pages import write_page
from ..core.records import read_collection, write_items, write_rejected
from ..core.servers import pseudonym_key
from ..core.tables import write_tsv
from ..experiment.browser.results.tables import PARTICIPANT, PARTICIPANTS, RESPONSE, RESPONSES, table_text
from ..experiment.cloze_study import cloze_results
from ..studies.adjudication import UNJUDGED, decide, reopen, update_table
from ..studies.agreement.figures import rater_figures, with_reconsideration
from ..studies.agreement.items import COLUMNS, item_cells, item_rows
from ..studies.agreement.measures import Bootstrap
from ..studies.agreement.records import to_json
from ..studies.agreement.report import summary
from ..studies.agreement.single_studies import Reconsideration, reconsidered
from ..studies.labelstudio.exported import counts_line, read_task_judgements
from ..studies.model.answers import TaskJudgement, read_answers, read_background
from ..studies.model.study import Study, read_study
from ..winograd.adjudication.apply import (
    adjudicate,
    is_unpaired,
    originals,
    record_states,
    refused_decisions,
    unpaired,
    write_changes,
)
from ..winograd.adjudication.table import ACTIONS, KEPT, read_adjudications, write_adjudications
from ..winograd.modifications import read_applied
from .parameters import arg, balance, opt, output
from .report import Report, Updates, Writes

JUDGEMENTS = (
    "Judgements that `annotate pull` wrote (JSON Lines), or an export of Label Studio (JSON, JSON-MIN, CSV, TSV)."
)
#: Name of the table with a row for each item.
ITEMS = "items.tsv"


def _reconsidered(
    study: Study, answers: Sequence[TaskJudgement], verification: Path, declined: Collection[str]
) -> Reconsideration:
    """Return the agreement before and after the verification, whose judgements are in its export, without who declined."""
    path = verification / "judgements.jsonl"
    verdicts = [row for row in read_answers(path, *read_study(verification)) if row.rater not in declined]
    with errors_at(path):
        return reconsidered(study, answers, verdicts)


def agree_command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    judgements: Annotated[Path, opt(JUDGEMENTS)],
    out: Annotated[
        Path,
        output("folder of figures.json, items.tsv and index.html."),
        Writes(("figures.json", ITEMS, "index.html"), home="folder"),
    ],
    responses: Annotated[
        Path | None,
        output("folder of responses.tsv and participants.tsv of a cloze study, for `experiment analyse`."),
        Writes((RESPONSES, PARTICIPANTS)),
    ] = None,
    background: Annotated[
        Path | None,
        opt(
            "Folder of the export of the study `background`: leave out who declined, break figures down by group.",
            metavar="EXPORT",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        opt(
            "Rater to leave out of the second set of figures, besides those who miss a criterion; repeat it for several.",
            metavar="RATER",
        ),
    ] = None,
    verification: Annotated[
        Path | None,
        opt(
            "Folder of the export of the study `verification`: agreement before and after reconsideration.",
            metavar="EXPORT",
        ),
    ] = None,
    seed: Annotated[int, opt("Seed for the bootstrap resamples.", min=0)] = 0,
    resamples: Annotated[int, opt("Number of bootstrap resamples per interval.", min=1)] = 2000,
) -> Report:
    """Report the agreement and the accuracy of the raters of a study; exit 1 if a labelled sentence is malformed."""
    from rich.console import Console

    from ..studies.agreement.report import page

    study, tasks = read_study(folder)
    answers, pulled = read_task_judgements(judgements, study, tasks, pseudonym_key)
    read = [f"{judgements}: {counts_line(pulled)}"] if pulled.read else []
    people = read_background(background) if background else None
    declined = sorted({answer.rater for answer in answers} & people.declined) if people else []
    answers = [answer for answer in answers if answer.rater not in declined]
    results = cloze_results(study, tasks, answers) if responses else None
    with Console(stderr=True).status(f"{resamples} resamples for each interval"):  # shown on a terminal only
        measured = rater_figures(study, tasks, answers, Bootstrap(seed, resamples), without or (), people)
    if verification:
        measured = with_reconsideration(measured, _reconsidered(study, answers, verification, declined))
    figures = to_json(measured)
    text = json.dumps(figures, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"
    html = page(study, answers, measured)
    rows = item_rows(study, tasks, answers)
    write_text(out / "figures.json", text)
    write_tsv(out / ITEMS, COLUMNS, map(item_cells, rows))
    write_page(out / "index.html", html)
    written = [f"{out / ITEMS}: {plural(len(rows), 'item')}, {sum(row.raters > 0 for row in rows)} of them judged"]
    if results and responses:
        write_text(responses / RESPONSES, table_text(RESPONSE, results.responses))
        write_text(responses / PARTICIPANTS, table_text(PARTICIPANT, results.participants))
        written.append(
            f"{responses}: {plural(len(results.responses), 'response')} of {plural(len(results.participants), 'participant')} + "
            f"{results.left_out} left out = {plural(len(answers), 'judgement')}"
        )
    empty = (
        []
        if answers
        else [f"{judgements}: [file] no judgement; run winoforge annotate pull again once people have judged"]
    )
    refused = [
        f"{judgements}: [consent] {rater} declined to take part and is in no figure; delete their judgements"
        for rater in declined
    ]
    malformed = [f"{judgements}: {line}" for control in measured.controls.values() for line in control.malformed or ()]
    return Report(
        findings=[*pulled.findings, *empty, *refused, *malformed],
        lines=[*read, *summary(measured), *written],
        figures=figures,
        notes=pulled.notes,
    )


def adjudicate_command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    judgements: Annotated[Path, opt(JUDGEMENTS)],
    records: Annotated[Path, opt("Items before decisions of people are applied: modified.jsonl, not zero forms.")],
    decisions: Annotated[Path, opt("Table of decisions to update: annotation/decisions.tsv."), Updates],
    rejected: Annotated[Path | None, opt("Rejected records, if the study judged them too.")] = None,
    modifications: Annotated[
        Path | None, opt("Ledger that `modify` wrote; rejected items that were modified later need no decision.")
    ] = None,
    least: Annotated[
        int, opt("Minimum number of raters per item; 1 if they decided together, in one record.", min=1)
    ] = 2,
) -> Report:
    """Record majority decisions; exit 1 if items are undecided."""
    study, tasks = read_study(folder)
    kept, excluded = read_collection(records, rejected)
    before = record_states(kept, excluded)
    rescued = originals(before, read_applied(modifications)) if modifications else {}
    answers, pulled = read_task_judgements(judgements, study, tasks, pseudonym_key)
    report = Report(findings=pulled.findings, notes=pulled.notes)
    if pulled.read:
        report.add(f"{judgements}: {counts_line(pulled)}")
    if not any(judgement.task.phase == "main" for judgement in answers):
        reason = f"[phase] no judgements of items of {study.id}; to withdraw its decisions, delete their rows"
        raise PipelineError(judgements, None, reason)
    result = decide(study, tasks, answers, before, originals=rescued, least=least, path=folder / "tasks.jsonl")
    rows = read_adjudications(decisions) if decisions.exists() else []
    applied = update_table(rows, study.id, result.decided).rows
    own = {row.item for row in applied if row.study == study.id}
    result = reopen(result, refused_decisions(kept, excluded, applied, own))
    update = update_table(rows, study.id, result.decided)
    write_adjudications(decisions, update.rows)
    judged = [item for item in result.open if item.why != UNJUDGED]
    report.findings += [f"{item.item}: open; {item.why}" for item in (*judged, *update.conflicts)]
    if unjudged := [item.item for item in result.open if item.why == UNJUDGED]:
        report.findings.append(f"{plural(len(unjudged), 'item')} open that nobody has judged: {', '.join(unjudged)}")
    total = len(result.decided) + len(result.open) + len(result.settled)
    report.add(
        f"{study.id}: {plural(total, 'item')}: {len(result.decided)} decided + {len(result.open)} open"
        f" + {len(result.settled)} settled otherwise",
        study=study.id,
        items=total,
        decided=len(result.decided),
        open=len(result.open),
        settled=len(result.settled),
    )
    actions = Counter(row.action for row in result.decided)
    report.add(f"{study.id}: {', '.join(f'{action} {actions[action]}' for action in ACTIONS)}", actions=dict(actions))
    if alone := unpaired(kept, excluded, update.rows, {row.item for row in result.decided}):
        report.add(
            f"{study.id}: relabelled, but the other member keeps the same answer, so that the build rejects the pair: {', '.join(alone)}",
            unpaired=alone,
        )
    report.add(
        f"{decisions}: {plural(len(update.rows), 'row')}; {update.added} added, {update.changed} changed,"
        f" {update.withdrawn} withdrawn, {len(update.conflicts)} in conflict with another study",
        rows=len(update.rows),
        added=update.added,
        changed=update.changed,
        withdrawn=update.withdrawn,
        conflicts=len(update.conflicts),
    )
    return report


def apply_command(
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
