"""Pull the judgements of a study from Label Studio."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.servers.secrets import access_token, pseudonym_key
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.export import (
    changes_since,
    left_out,
    require_same_key,
    require_same_study,
    require_same_tasks,
    with_vanished,
)
from ...studies.labelstudio.pull import pseudonyms, pull
from ...studies.model.judgements import (
    REMARKS,
    Judgement,
    clear_remarks,
    read_judgements,
    read_remarks,
    write_judgements,
    write_remarks,
)
from ...studies.model.study import PHASES, Task, read_study, write_study
from ..output import server_progress
from ..parameters import arg, opt, output
from ..report import Quiet, Report, Writes

EXPORT = "judgements.jsonl"


def summary(judgements: Iterable[Judgement], tasks: Iterable[Task]) -> list[str]:
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


def command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    out: Annotated[
        Path,
        output("folder of the export, such as annotation/exports/STUDY."),
        Writes((EXPORT, REMARKS, "study.json", "tasks.jsonl")),
    ],
    url: Annotated[str, opt("Address of the server.")] = "http://127.0.0.1:8080",
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
    token, key = access_token(), pseudonym_key()
    if not forget:
        require_same_tasks(out, tasks, before)
    with server_progress(quiet=quiet) as progress, connected(url, token, progress) as client:
        raters = pseudonyms(key, client.accounts())
        if not forget:
            require_same_key(out, before, raters.values())
        result = pull(study, tasks, client, raters)
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
    report.lines += summary(kept, tasks)
    report.add(
        f"{result.read} read: {result.judged} taken, {result.superseded} superseded, {result.refused} refused, "
        f"{result.drafts} begun and not submitted",
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
