"""Lay out a study: its design and its records become tasks in lists."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ...core.model import label_counts
from ...studies.design.build import StudyLayout, make_study
from ...studies.design.design import read_design
from ...studies.judgements import read_judgements
from ...studies.study import write_study
from ..output import plural


def summary(made: StudyLayout) -> list[str]:
    """Return what became of the records, a line for all and one for each list."""
    left = len(made.left_over)
    lines = [
        f"{made.laid_out + left} records = {made.laid_out} laid out in {plural(len(made.lists), 'list')} + {left} left over"
    ]
    for name, records in made.lists.items():
        practice = sum(task.phase == "practice" for task in made.tasks if task.list == name)
        tasks = sum(task.list == name for task in made.tasks)
        members = sorted(Counter(asked.record.version for asked in records).items())
        labels = label_counts(asked.record for asked in records).items()
        told = "; ".join(", ".join(f"{key} {value}" for key, value in pairs) for pairs in (members, labels))
        lines.append(f"list {name}: {len(records)} records ({told}) in {tasks} tasks, {practice} of them practice")
    return lines


def command(
    design: Annotated[Path, typer.Argument(help="The design of the study (YAML).", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder for study.json and tasks.jsonl.", show_default=False)],
    judgements: Annotated[
        Path | None, typer.Option(help="The judgements of the study before, for designs that select by them.")
    ] = None,
) -> None:
    """Lay out the records of a design in lists of tasks, ready to push."""
    made = make_study(read_design(design), None if judgements is None else read_judgements(judgements))
    write_study(out, made.study, made.tasks)
    for line in summary(made):
        typer.echo(line)
    typer.echo(f"{out}: {len(made.tasks)} tasks")
