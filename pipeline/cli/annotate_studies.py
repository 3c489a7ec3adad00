"""Commands that design a study, hand it out to raters and fetch their judgements."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Annotated

from ..core.errors import PipelineError, errors_at, plural
from ..core.files import parse_jsonl, read_text
from ..core.model import label_counts
from ..core.pages import decimal, percent, write_page
from ..core.servers import access_token, pseudonym_key
from ..core.tables import write_tsv
from ..experiment.cloze_study import read_cloze_lists
from ..studies.agreement.plan import INTERVALS, PlanCell, Truth, lists_for, plan_cell
from ..studies.design.build import make_study
from ..studies.design.layout import Layout
from ..studies.design.selection import MisfitError, select_records
from ..studies.labelstudio.client import connected
from ..studies.labelstudio.exported import counts_line, read_exports
from ..studies.labelstudio.pull import PullResult, pseudonyms, pull
from ..studies.labelstudio.push import PushReport, exposure_warnings, push_study, stray_projects
from ..studies.model.answers import contact_warnings
from ..studies.model.design import BY_WORDING, read_design
from ..studies.model.judgements import (
    REMARKS,
    Judgement,
    changes_since,
    clear_remarks,
    left_out,
    numbered_judgements,
    read_judgements,
    read_remarks,
    require_same_key,
    require_same_study,
    require_same_tasks,
    with_vanished,
    write_judgements,
    write_remarks,
)
from ..studies.model.study import PHASES, Study, Task, list_title, read_study, write_study
from ..winograd.audit.causes import COLUMNS, page, table
from ..winograd.validation.cloze import CLOZE
from .parameters import arg, counted, opt, output, server_progress
from .report import Quiet, Report, Writes


def layout_lines(layout: Layout) -> list[str]:
    """Return what became of the records: one line for all, and one for each list."""
    left_over = len(layout.left_over)
    total = f"{plural(layout.laid_out + left_over, 'record')}"
    lines = [f"{total} = {layout.laid_out} laid out in {plural(len(layout.lists), 'list')} + {left_over} left over"]
    for name, records in layout.lists.items():
        tasks = [task for task in layout.tasks if task.list == name]
        practice = sum(task.phase == "practice" for task in tasks)
        attention = sum(task.phase == "filler" for task in tasks) if layout.study.layout.scheme != "experiment" else 0
        members = Counter(record.passage.genre if record.passage else record.item.version for record in records)
        answers = any(record.item.answer is not None for record in records)
        labels = label_counts(record.item for record in records) if answers else {}
        shares = "; ".join(
            ", ".join(f"{key} {number}" for key, number in counts.items())
            for counts in (dict(sorted(members.items())), labels)
            if counts
        )
        lines.append(
            f"list {name}: {plural(len(records), 'record')} ({shares}) in {plural(len(tasks), 'task')}, {practice} of them practice"
            + (f", {plural(attention, 'attention item')}" if attention else "")
        )
    return lines


def design_command(
    design: Annotated[Path, arg("DESIGN", "Design of the study (YAML).")],
    out: Annotated[Path, output("folder of study.json and tasks.jsonl."), Writes(("study.json", "tasks.jsonl"))],
    judgements: Annotated[
        Path | None, opt("Judgements of an earlier study in its export, for designs that select records by them.")
    ] = None,
) -> Report:
    """Create a study from its design: divide the records into lists of tasks."""
    numbered = [] if judgements is None else numbered_judgements(judgements)
    plan = read_design(design)
    asked = read_study(judgements.parent) if judgements and plan.select in BY_WORDING else None
    try:
        layout = make_study(
            plan, None if judgements is None else [judgement for _, judgement in numbered], asked, read_cloze_lists
        )
    except MisfitError as error:
        line = next(line for line, judgement in numbered if judgement is error.judgement)
        raise PipelineError(judgements, line, str(error)) from error
    write_study(out, layout.study, layout.tasks)
    missing = [
        f"{plural(len(layout.missing), 'item')} left out, rejected or reworded since: {', '.join(layout.missing)}"
        for _ in layout.missing[:1]
    ]
    return Report(
        notes=contact_warnings(layout.study, layout.tasks),
        lines=[*layout_lines(layout), *missing, f"{out}: {plural(len(layout.tasks), 'task')}"],
        figures={
            "records": layout.laid_out,
            "left_over": len(layout.left_over),
            "missing": list(layout.missing),
            "tasks": len(layout.tasks),
            "lists": {name: len(records) for name, records in layout.lists.items()},
        },
    )


#: What is true of the simulated answers by default.
DEFAULT = Truth()
#: The intervals as the lines of the command name them.
NAMES = dict(zip(INTERVALS, ("all answers", "mean over raters", "mean over items"), strict=True))


def line(cell: PlanCell) -> str:
    """Return what studies of one size give, in a line."""
    widths = [
        f"{name} {decimal(cell.widths[key])} ({percent(cell.reached[key])} narrow enough)"
        for key, name in NAMES.items()
    ]
    alpha = f"{decimal(cell.alpha[0])} to {decimal(cell.alpha[1])}" if cell.alpha else "n/a"
    size = f"{plural(cell.raters, 'rater')}, {plural(cell.items, 'item')}, {plural(cell.answers, 'answer')}"
    return f"{size}: {', '.join(widths)}; Krippendorff's alpha {alpha} in 95 % of the studies"


def smallest(cells: list[PlanCell], interval: str, assurance: float) -> str:
    """Return the size with the fewest answers whose interval is narrow enough in a share `assurance` of the studies."""
    enough = [cell for cell in cells if cell.reached[interval] >= assurance]
    if not enough:
        return f"{NAMES[interval]}: none of these sizes is enough"
    best = min(enough, key=lambda cell: (cell.answers, cell.raters))
    return f"{NAMES[interval]}: {plural(best.raters, 'rater')} with {plural(best.items, 'item')}"


def plan_command(
    design: Annotated[Path, arg("DESIGN", "Design of the study (YAML).")],
    raters: Annotated[
        list[int] | None, opt("Number of raters; may be repeated. [default: 12, 24, 48]", min=2, max=2000)
    ] = None,
    items: Annotated[
        list[int] | None, opt("Number of items; may be repeated. [default: that of the design]", min=2, max=5000)
    ] = None,
    width: Annotated[
        float, opt("Wanted width of an interval, from its lower to its upper limit.", min=0.0001, max=1)
    ] = 0.05,
    accuracy: Annotated[float, opt("Expected share of right answers.", min=0.001, max=0.999)] = DEFAULT.accuracy,
    rater_sd: Annotated[
        float, opt("Standard deviation of raters in log-odds; the default is close to WSC-ZA's.", min=0, max=10)
    ] = DEFAULT.rater_sd,
    item_sd: Annotated[
        float, opt("Standard deviation of items in log-odds; the default is close to WSC-ZA's.", min=0, max=10)
    ] = DEFAULT.item_sd,
    assurance: Annotated[
        float, opt("Least share of the studies whose interval must be narrow enough.", min=0, max=1)
    ] = 0.8,
    runs: Annotated[int, opt("Simulated studies of each size.", min=1, max=10_000)] = 50,
    seed: Annotated[int, opt("Seed of all that is drawn.", min=0)] = 0,
    quiet: Quiet = False,
) -> Report:
    """Count how many raters and items an interval of a wanted width takes, by simulation with the design's own lists."""
    study = read_design(design)
    records = [
        record
        for part in select_records(study, None, cloze_lists=read_cloze_lists).selected.values()
        for record in part
    ]
    if any(record.item.answer is None or len(record.item.candidates) < 2 for record in records):
        raise PipelineError(study.records, None, "[answer] records without a right candidate; expected one in each")
    truth = Truth(accuracy, rater_sd, item_sd)
    sizes = [(number, count) for count in items or [len(records)] for number in raters or [12, 24, 48]]
    cells: list[PlanCell] = []
    with counted("sizes", quiet=quiet) as show:
        for number, count in sizes:
            rng = Random(f"{seed}/{number}/{count}")  # noqa: S311 - no secret depends on it
            with errors_at(design, study.lines.get("lists")):
                parts = lists_for(study.lists, records, number, count, rng)
            cells.append(plan_cell(parts, truth, width, runs, rng))
            show(len(cells), len(sizes))
    head = f"95 % intervals in simulated studies of each size ({runs}): mean width"
    report = Report(lines=[f"{head}, and how many are at most {width:g} wide", *map(line, cells)])
    enough = f"fewest answers, narrow enough in {percent(assurance)} of the studies or more"
    report.lines += [f"{enough}: {smallest(cells, interval, assurance)}" for interval in INTERVALS]
    report.figures = {
        "width": width,
        "runs": runs,
        "seed": seed,
        "truth": asdict(truth),
        "cells": list(map(asdict, cells)),
    }
    return report


def checklist_command(
    cloze: Annotated[Path, arg("CLOZE", "Cloze items that `ingest` wrote (JSON Lines).")],
    out: Annotated[Path, output("folder of index.html and checklist.tsv."), Writes(("index.html", "checklist.tsv"))],
    name: Annotated[str | None, opt("Name of the collection; default: name of the folder of the items.")] = None,
) -> Report:
    """List for each cloze item the causes for which people may fail it, as a page and a table that people fill in.

    A program marks signs of a situational *es*, of a doubtful gender and of
    other noun phrases; a change of perspective is left to people.
    """
    report = Report()
    rows = [row for _, row in parse_jsonl(read_text(cloze), cloze)]
    if not rows:
        raise PipelineError(cloze, None, "[file] no cloze item; found an empty file, expected cloze.jsonl of ingest")
    report.findings = list(CLOZE.check([cloze]).lines())
    if report.findings:
        return report
    html = page(name or cloze.resolve().parent.name, rows)
    cells = table(rows)
    write_page(out / "index.html", html)
    write_tsv(out / "checklist.tsv", COLUMNS, cells)
    states = {state: sum(row[2] == state for row in cells) for state in ("seen", "not seen", "open")}
    counts = ", ".join(f"{number} {state}" for state, number in states.items())
    report.add(f"{len(rows)} items with {len(cells)} causes: {counts}", items=len(rows), **states)
    return report


def push_line(pushed: PushReport) -> str:
    """Return one line on what a push changed in the project of a list."""
    plan = pushed.plan
    if plan.refused:
        return f"{pushed.title}: nothing changed"
    counts = {"added": plan.add, "updated": plan.update, "opened": plan.open, "copies removed": plan.remove}
    changes = ["project made"] if pushed.created else []
    changes += [f"{len(tasks)} {change}" for change, tasks in counts.items() if tasks]
    changes += [f"set {', '.join(plan.settings)}"] if plan.settings else []
    return f"{pushed.title}: {plural(pushed.there, 'task')} there, {', '.join(changes) or 'nothing to do'}"


def push_command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    url: Annotated[str, opt("Address of the server.")] = "http://127.0.0.1:8080",
    quiet: Quiet = False,
) -> Report:
    """Create or update the Label Studio project of each list; exit 1 if a project still differs.

    Reads the API token from WINOFORGE_LABEL_STUDIO_TOKEN or the keyring.
    Warns if its raters could see answers that another study on the server shows,
    or raters of another study those that it shows.
    Never changes a task that somebody has worked on. Changes nothing at all if
    raters have worked on another layout of the study.
    """
    report = Report()
    study, tasks = read_study(folder)
    with errors_at(folder / "study.json"):
        for name in study.lists:
            list_title(study.title, name)  # before anything is sent
    with server_progress(quiet=quiet) as progress, connected(url, access_token(), progress) as client:
        for line in (*contact_warnings(study, tasks), *exposure_warnings(study, client)):
            progress.tell(line)
        pushed = push_study(study, tasks, client)
        strays = stray_projects(study, client)
    projects = report.figures["projects"] = {}
    for entry in pushed:
        plan = entry.plan
        report.findings += plan.findings
        report.add(push_line(entry))
        projects[entry.name] = {
            "tasks": entry.there,
            "added": len(plan.add),
            "updated": len(plan.update),
            "opened": len(plan.open),
            "refused": plan.refused,
        }
    report.findings += strays
    return report


EXPORT = "judgements.jsonl"


def pull_lines(judgements: Iterable[Judgement], tasks: Iterable[Task]) -> list[str]:
    """Return a line for each list and rater: how many items of each phase are judged, and how many were skipped."""
    asked: Counter[tuple[str, str]] = Counter()
    for task in tasks:
        asked[task.list, task.phase] += len(task.items)
    counts: Counter[tuple[str, str, str]] = Counter()
    for judgement in judgements:
        counts[judgement.list, judgement.rater, "skipped" if judgement.skipped else judgement.phase] += 1
    return [
        f"  list {name}: {rater}: "
        + "".join(
            f"{counts[name, rater, phase]} of {asked[name, phase]} {phase}, " for phase in PHASES if asked[name, phase]
        )
        + f"{counts[name, rater, 'skipped']} skipped"
        for name, rater in sorted({(name, rater) for name, rater, _ in counts})
    ]


def _pull(study: Study, tasks: Sequence[Task], url: str, *, quiet: bool) -> tuple[PullResult, dict[int, str]]:
    """Return what a server has of a study, and the pseudonym of each of its accounts."""
    token, key = access_token(), pseudonym_key()
    with server_progress(quiet=quiet) as progress, connected(url, token, progress) as client:
        raters = pseudonyms(key, client.accounts())
        return pull(study, tasks, client, raters), raters


def pull_command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    out: Annotated[
        Path,
        output("folder of the export, such as annotation/exports/STUDY."),
        Writes((EXPORT, REMARKS, "study.json", "tasks.jsonl"), home="folder"),
    ],
    url: Annotated[str, opt("Address of the server.")] = "http://127.0.0.1:8080",
    export: Annotated[
        list[Path] | None,
        opt(
            "Read this export of Label Studio's web page (JSON, JSON-MIN, CSV, TSV) instead of a server; repeat it for several."
        ),
    ] = None,
    forget: Annotated[
        bool, opt("Leave out judgements of the earlier export that the server has no more.", "--forget")
    ] = False,
    quiet: Quiet = False,
) -> Report:
    """Download submitted judgements under pseudonyms, with a copy of the study; exit 1 if one is refused or missing.

    Reads the API token from WINOFORGE_LABEL_STUDIO_TOKEN and the pseudonym key
    from WINOFORGE_PSEUDONYM_KEY, or both from the keyring. E-mail addresses and
    other personal data in remarks are left out unless remarks.tsv confirms them.
    """
    report = Report()
    study, tasks = read_study(folder)
    require_same_study(out, study)
    path = out / EXPORT
    before = read_judgements(path) if path.exists() else []
    known = read_remarks(out / REMARKS)
    if not forget:
        require_same_tasks(out, tasks, before)
    result, raters = (
        read_exports(study, tasks, export, pseudonym_key) if export else _pull(study, tasks, url, quiet=quiet)
    )
    if not forget:
        require_same_key(out, before, raters.values())
    everything = with_vanished(before, result.judgements)
    vanished = [judgement for judgement in everything if judgement.vanished]
    kept = result.judgements if forget else everything
    cleared = clear_remarks(study, tasks, kept, known, before)
    changes = changes_since(before, cleared.judgements)
    write_judgements(path, cleared.judgements)
    write_remarks(out / REMARKS, cleared.remarks)
    write_study(out, study, tasks)
    report.notes += [*result.notes, *changes.notes, *(left_out(vanished) if forget else [])]
    report.findings += [*result.findings, *cleared.findings, *changes.findings]
    since = f"; {changes.added} new, {changes.changed} changed, {changes.vanished} vanished since the earlier export"
    report.add(f"{path}: {plural(len(kept), 'judgement')}{since if before else ''}")
    if cleared.remarks:
        report.add(
            f"{out / REMARKS}: {plural(len(cleared.remarks), 'remark')} with personal data, {cleared.withheld} without it in the export"
        )
    report.lines += pull_lines(kept, tasks)
    report.add(
        counts_line(result),
        judgements=len(kept),
        added=changes.added,
        changed=changes.changed,
        vanished=changes.vanished,
        missing=len(vanished) if forget else 0,
        withheld=cleared.withheld,
        read=result.read,
        taken=result.judged,
        superseded=result.superseded,
        refused=result.refused,
        drafts=result.drafts,
    )
    return report
