"""Divide the records of a study into lists of tasks."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.model import label_counts
from ...experiment.cloze_lists import read_cloze_lists
from ...studies.design.build import StudyLayout, make_study
from ...studies.design.selection import MisfitError
from ...studies.model.design import BY_WORDING, read_design
from ...studies.model.judgements import numbered_judgements
from ...studies.model.study import read_study, write_study
from ..parameters import arg, opt, output
from ..report import Report, Writes


def summary(layout: StudyLayout) -> list[str]:
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


def command(
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
        lines=[*summary(layout), *missing, f"{out}: {plural(len(layout.tasks), 'task')}"],
        figures={
            "records": layout.laid_out,
            "left_over": len(layout.left_over),
            "missing": list(layout.missing),
            "tasks": len(layout.tasks),
            "lists": {name: len(records) for name, records in layout.lists.items()},
        },
    )
