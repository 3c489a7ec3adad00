"""Record the decisions of a consensus study or an exclusion audit in decisions.tsv."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.records import read_collection
from ...studies.adjudication import UNJUDGED, decide, reopen, update_table
from ...studies.model.answers import read_answers
from ...studies.model.study import read_study
from ...winograd.adjudication.record import originals, record_states
from ...winograd.adjudication.refusals import refused_decisions, unpaired
from ...winograd.adjudication.table import ACTIONS, read_adjudications, write_adjudications
from ...winograd.modifications import read_applied
from ..parameters import arg, opt
from ..report import Report


def command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    judgements: Annotated[Path, opt("Judgements that `annotate pull` wrote (JSON Lines).")],
    records: Annotated[Path, opt("Items before decisions of people are applied: modified.jsonl.")],
    decisions: Annotated[Path, opt("Table of decisions to update: annotation/decisions.tsv.")],
    rejected: Annotated[Path | None, opt("Rejected records, if the study judged them too.")] = None,
    modifications: Annotated[
        Path | None, opt("Ledger that `modify` wrote; rejected items that were modified later need no decision.")
    ] = None,
    least: Annotated[int, opt("Minimum number of raters per item.", min=1)] = 2,
) -> Report:
    """Record majority decisions; exit 1 if items are undecided."""
    report = Report()
    study, tasks = read_study(folder)
    kept, excluded = read_collection(records, rejected)
    before = record_states(kept, excluded)
    rescued = originals(before, read_applied(modifications)) if modifications else {}
    answers = read_answers(judgements, study, tasks)
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
