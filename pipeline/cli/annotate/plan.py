"""Count how many raters and items an interval of a wanted width takes."""

from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.pages import decimal, percent
from ...experiment.cloze_lists import read_cloze_lists
from ...studies.agreement.plan import INTERVALS, PlanCell, Truth, lists_for, plan_cell
from ...studies.design.selection import select_records
from ...studies.model.design import read_design
from ..output import counted
from ..parameters import arg, opt
from ..report import Quiet, Report

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
    return f"{size}: {', '.join(widths)}; alpha {alpha}"


def smallest(cells: list[PlanCell], interval: str, assurance: float) -> str:
    """Return the size with the fewest answers whose interval is narrow enough in a share `assurance` of the studies."""
    enough = [cell for cell in cells if cell.reached[interval] >= assurance]
    if not enough:
        return f"{NAMES[interval]}: none of these sizes is enough"
    best = min(enough, key=lambda cell: (cell.answers, cell.raters))
    return f"{NAMES[interval]}: {plural(best.raters, 'rater')} with {plural(best.items, 'item')}"


def command(
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
            try:
                parts = lists_for(study.lists, records, number, count, rng)
            except ValueError as error:
                raise PipelineError(design, study.lines.get("lists"), str(error)) from error
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
