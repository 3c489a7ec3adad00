"""Pull the judgements of a study from Label Studio."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import plural
from ...core.invisible import one_line
from ...core.servers.retry import Progress
from ...core.servers.secrets import access_token, pseudonym_key
from ...studies.judgements import Judgement, read_judgements, write_judgements
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.pull import missing_judgements, pseudonyms, pull
from ...studies.study import read_study, write_study
from ..report import Report, Writes

EXPORT = "judgements.jsonl"


def summary(judgements: Iterable[Judgement]) -> list[str]:
    """Return a line for each list and rater: number of items judged in each phase, number skipped."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for judgement in judgements:
        counts[judgement.list, judgement.rater, "skipped" if judgement.skipped else judgement.phase] += 1
    return [
        f"  list {name}: {rater}: "
        + ", ".join(f"{counts[name, rater, state]} {state}" for state in ("practice", "main", "skipped"))
        for name, rater in sorted({(name, rater) for name, rater, _ in counts})
    ]


def command(
    folder: Annotated[Path, typer.Argument(metavar="STUDY", help="Folder of the study that `annotate design` wrote.")],
    out: Annotated[
        Path,
        typer.Option(help="Output: folder of the export, such as annotation/exports/STUDY.", show_default=False),
        Writes((EXPORT, "study.json", "tasks.jsonl")),
    ],
    url: Annotated[str, typer.Option(help="Address of the server.")] = "http://127.0.0.1:8080",
    forget: Annotated[
        bool, typer.Option("--forget", help="Write the export even if judgements of an earlier export are missing.")
    ] = False,
) -> Report:
    """Download submitted judgements under pseudonyms, with a copy of the study; exit 1 if one is refused or missing.

    Reads the API token from WINOFORGE_LABEL_STUDIO_TOKEN and the pseudonym key
    from WINOFORGE_PSEUDONYM_KEY, or both from the keyring.
    """
    report = Report()
    study, tasks = read_study(folder)
    path = out / EXPORT
    before = read_judgements(path) if path.exists() else []
    token, key = access_token(), pseudonym_key()
    with connected(url, token, Progress(lambda line: typer.echo(one_line(line), err=True))) as client:
        result = pull(study, tasks, client, pseudonyms(key, client.accounts()))
    missing = missing_judgements(before, result.judgements)
    report.notes += [*result.notes, *(missing if forget else [])]
    report.findings += [*result.findings, *([] if forget else missing)]
    if missing and not forget:
        report.add(f"{path}: not written; {len(missing)} judgements are missing (--forget writes it without them)")
    else:
        write_judgements(path, result.judgements)
        write_study(out, study, tasks)
        report.add(f"{path}: {plural(len(result.judgements), 'judgement')}")
    report.lines += summary(result.judgements)
    report.add(
        f"{result.read} read: {result.judged} taken, {result.superseded} superseded, {result.refused} refused, "
        f"{result.drafts} begun and not submitted",
        judgements=len(result.judgements),
        missing=len(missing),
        read=result.read,
        taken=result.judged,
        superseded=result.superseded,
        refused=result.refused,
        drafts=result.drafts,
    )
    return report
