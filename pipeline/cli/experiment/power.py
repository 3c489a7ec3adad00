"""Count how many people an effect takes."""

import json
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError
from ...core.files import write_text
from ...core.packages import require_packages
from ...evaluation.cloze.items import read_cloze_items
from ...experiment.analysis.power import EffectName, Power, power_cell
from ...experiment.analysis.responses import read_key
from ...experiment.analysis.simulation import Truth, lists_of
from ..output import counted, decimal, percent
from ..parameters import arg, opt, output
from ..report import Quiet, Report


def command(
    items: Annotated[Path, arg("ITEMS", "Cloze items with antecedents (JSON Lines).")],
    experiment: Annotated[Path | None, opt("Folder of the experiment, for its own lists.")] = None,
    people: Annotated[
        list[int] | None, opt("Number of people; may be repeated. [default: 50, 100, 200]", min=2, max=5000)
    ] = None,
    size: Annotated[
        list[float] | None,
        opt("Size of the effect in log-odds; may be repeated. [default: 0, 0.4, 0.8]", min=-5, max=5),
    ] = None,
    effect: Annotated[EffectName, opt("The effect: place of the antecedent, or *es* against *er*.")] = "place",
    runs: Annotated[int, opt("Simulated experiments in each cell.", min=1, max=10_000)] = 10,
    seed: Annotated[int, opt("Seed of all that is drawn.", min=0)] = 1,
    out: Annotated[Path | None, output("the table (JSON).")] = None,
    quiet: Quiet = False,
) -> Report:
    """Count how many people an effect takes: power of the mixed model in simulated experiments.

    With size 0, power is the rate of false alarms, about 5 %. Give more
    runs for narrower intervals.
    """
    require_packages("experiment", "gpboost")
    cloze = read_cloze_items(items).items
    numbers, sizes = people or [50, 100, 200], [0.0, 0.4, 0.8] if size is None else size
    if any(not item.antecedents for item in cloze):
        raise PipelineError(items, None, "[antecedents] items without antecedents; expected cloze items that have them")
    lists, cells = read_key(experiment) if experiment else lists_of(cloze), list[Power]()
    done = 0
    with counted("experiments", quiet=quiet) as show:

        def advance() -> None:
            nonlocal done
            done += 1
            show(done, len(numbers) * len(sizes) * runs)

        for row, number in enumerate(numbers):
            for column, value in enumerate(sizes):
                first = seed + runs * (row * len(sizes) + column)
                cells.append(
                    power_cell(
                        cloze, lists, Truth(), name=effect, effect=value, people=number, seeds=range(first, first + runs),
                        done=advance,
                    )
                )  # fmt: skip
    report = Report()
    table = [
        {"people": cell.people, "effect": cell.effect, "runs": cell.runs, "found": cell.detected, "failed": cell.failed,
         "power": cell.power, "interval": cell.interval, "mean": cell.mean}
        for cell in cells
    ]  # fmt: skip
    report.figures |= {"effect": effect, "seed": seed, "runs": runs, "cells": table}
    for cell in cells:
        low, high = map(percent, cell.interval or (None, None))
        report.lines.append(
            f"{cell.people} people, {effect} {cell.effect:g}: power {percent(cell.power)} ({low} to {high}), "
            f"mean estimate {decimal(cell.mean)}, {cell.failed} of {cell.runs + cell.failed} without a fit"
        )
    if out:
        write_text(out, json.dumps(report.figures, indent=1) + "\n")
    return report
