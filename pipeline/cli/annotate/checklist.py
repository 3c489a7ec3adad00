"""Write the checklist of causes for which people may fail a cloze item."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, write_text, write_tsv
from ...winograd.audit.causes import COLUMNS, page, table
from ...winograd.validation.cloze import CLOZE
from ..parameters import arg, opt, output
from ..report import Report, Writes


def command(
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
    write_text(out / "index.html", html)
    write_tsv(out / "checklist.tsv", COLUMNS, cells)
    states = {state: sum(row[2] == state for row in cells) for state in ("seen", "not seen", "open")}
    counts = ", ".join(f"{number} {state}" for state, number in states.items())
    report.add(f"{len(rows)} items with {len(cells)} causes: {counts}", items=len(rows), **states)
    return report
