"""Fill the tables of WinoPron's paper for systems."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError
from ...core.files import write_text
from ...language.pronouns import pronoun_table
from ...winopron.measures import Response
from ...winopron.predictions import READINGS, read_systems
from ...winopron.tables import System, figures_to_json, markdown_tables, system_figures
from ..parameters import arg, opt, output
from ..report import Report, Writes

#: The files that the command writes.
FILES = ("tables.md", "figures.json")


def command(
    predictions: Annotated[
        list[Path],
        arg("PREDICTIONS", "One table of answers per system, to sentences with two people; named after the system."),
    ],
    out: Annotated[Path, output("folder of tables.md and figures.json."), Writes(FILES)],
    single: Annotated[
        list[Path] | None, opt("Answers to sentences with one person; same name as the system's.")
    ] = None,
    winogender: Annotated[
        list[Path] | None, opt("Answers to Winogender's sentences; same name as the system's.")
    ] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Fill the tables of WinoPron's paper for systems: performance, consistency, and how answers follow the order of the options.

    The values that the paper prints stand beside them; they are of other
    systems on other sentences.
    """
    table = pronoun_table(lang)
    double, published, first = (read_systems(predictions, table, reading=reading) for reading in READINGS.values())
    singles, winogenders = read_systems(single or [], table), read_systems(winogender or [], table)
    _require_known(singles, double, "single")
    _require_known(winogenders, double, "winogender")
    systems = {
        name: system_figures(
            System(rows, published[name], first[name], singles.get(name, ()), winogenders.get(name, ()))
        )
        for name, rows in double.items()
    }
    figures, text = figures_to_json(systems), markdown_tables(systems)
    write_text(out / "figures.json", json.dumps(figures, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    write_text(out / "tables.md", text)
    report = Report(figures=figures)
    report.lines += text.partition("## Table 8")[0].splitlines()
    report.add(str(out / "tables.md"))
    return report


def _require_known(answers: Mapping[str, tuple[Response, ...]], systems: Mapping[str, object], option: str) -> None:
    for name in answers:
        if name not in systems:
            reason = f"[{option}] no such system; found {name}, expected one of {', '.join(systems)}"
            raise PipelineError(None, None, reason)
