"""Pull the judgements of a study from Label Studio."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ...core.retry import Progress
from ...core.secrets import access_token, pseudonym_key
from ...studies.judgements import Judgement, read_judgements, write_judgements
from ...studies.labelstudio.client import connected
from ...studies.labelstudio.pseudonyms import pseudonyms
from ...studies.labelstudio.pull import lost, pull
from ...studies.study import read_study, write_study

EXPORT = "judgements.jsonl"


def table(judgements: Iterable[Judgement]) -> list[str]:
    """Return a line for each list and rater: how many items of each phase they judged, how many they passed over."""
    judged: Counter[tuple[str, str, str]] = Counter()
    for one in judgements:
        judged[one.list, one.rater, "skipped" if one.skipped else one.phase] += 1
    return [
        f"  list {name}: {rater}: "
        + ", ".join(f"{judged[name, rater, what]} {what}" for what in ("practice", "main", "skipped"))
        for name, rater in sorted({(name, rater) for name, rater, _ in judged})
    ]


def command(
    study: Annotated[Path, typer.Argument(help="The folder of a study (build/annotation/STUDY).", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder of the export (annotation/exports/STUDY).", show_default=False)],
    url: Annotated[str, typer.Option(help="The server.")] = "http://127.0.0.1:8080",
    forget: Annotated[
        bool, typer.Option("--forget", help="Write the export although it lacks judgements that the earlier one has.")
    ] = False,
) -> None:
    """Write what raters submitted, under pseudonyms, with the study beside it; exit 1 if something of it cannot be taken.

    The API token stands in WINOFORGE_LABEL_STUDIO_TOKEN, the key of the pseudonyms in WINOFORGE_PSEUDONYM_KEY, or both in a keyring.
    """
    read, tasks = read_study(study)
    path = out / EXPORT
    before = read_judgements(path) if path.exists() else []
    token, key = access_token(), pseudonym_key()
    with connected(url, token, Progress(lambda line: typer.echo(line, err=True))) as client:
        pulled = pull(read, tasks, client, pseudonyms(key, client.accounts()))
    gone = lost(before, pulled.judgements)
    for line in (*pulled.notes, *pulled.findings, *gone):
        typer.echo(line, err=True)
    if gone and not forget:
        typer.echo(f"{path}: left as it was; --forget writes it without {len(gone)} judgements")
    else:
        write_judgements(path, pulled.judgements)
        write_study(out, read, tasks)
        typer.echo(f"{path}: {len(pulled.judgements)} judgements")
    for line in table(pulled.judgements):
        typer.echo(line)
    typer.echo(
        f"{pulled.read} read: {pulled.judged} taken, {pulled.superseded} superseded, {pulled.refused} refused, "
        f"{pulled.drafts} begun and not submitted"
    )
    if pulled.findings or (gone and not forget):
        raise typer.Exit(1)
