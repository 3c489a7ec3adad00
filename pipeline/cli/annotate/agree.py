"""Say how far the raters of a study agree, in figures and on a page."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ...core.files import write_text
from ...studies.agreement.coefficients import Bootstrap
from ...studies.agreement.figures import figures
from ...studies.answers import read_answers
from ...studies.study import read_study
from ..output import decimal


def summary(told: dict[str, Any]) -> list[str]:
    """Return the figures in a few lines; undefined is n/a."""
    counts = told["counts"]
    lines = [
        f"{told['study']}: {counts['judgements']} judgements of {counts['items']} items by {counts['raters']} raters, "
        f"{counts['skipped']} pass an item over; {told['practice']['judgements']} of practice apart"
    ]
    for name, control in told["controls"].items():
        parts = [f"{control['judgements']} answers"]
        for group, wanted in (("agreement", ("fleiss", "alpha", "alpha_ordinal")), ("accuracy", ("micro", "majority"))):
            parts += [
                f"{one.replace('_', ' ')} {decimal(control[group][one]['value'])}"
                for one in wanted
                if one in control.get(group, {})
            ]
        lines.append(f"{name}: {', '.join(parts)}")
    lines.append(f"{len(told['look_first'])} items to look at first")
    return lines


def command(
    study_folder: Annotated[Path, typer.Argument(metavar="STUDY", help="The folder of `annotate design`.")],
    judgements: Annotated[Path, typer.Option(help="What `annotate pull` wrote (JSON Lines).", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder for figures.json and index.html.", show_default=False)],
    seed: Annotated[int, typer.Option(help="The seed of the intervals' resamples.", min=0)] = 0,
    resamples: Annotated[int, typer.Option(help="How many resamples an interval takes.", min=1)] = 2000,
) -> None:
    """Say how far the raters of a study agree and how often they are right, in figures and on a page."""
    from rich.console import Console

    from ...studies.agreement.page import page

    study, tasks = read_study(study_folder)
    answers = read_answers(judgements, study, tasks)
    with Console(stderr=True).status(f"{resamples} resamples for each interval"):  # seen on a terminal only
        told = figures(study, tasks, answers, Bootstrap(seed, resamples))
    write_text(
        out / "figures.json",
        json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n",
    )
    write_text(out / "index.html", page(study, answers, told))
    for line in summary(told):
        typer.echo(line)
