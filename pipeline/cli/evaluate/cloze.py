"""Measure which pronoun models expect in the gap of cloze items."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural, shown
from ...core.files import write_jsonl, write_text
from ...core.pages import decimal, percent
from ...evaluation.cloze.items import read_cloze_items
from ...evaluation.cloze.measures import Measure
from ...evaluation.cloze.models import load_model
from ...evaluation.cloze.rows import ClozeResult, cloze_result, read_results
from ...evaluation.cloze.summary import summary
from ..output import tracked
from ..parameters import arg, opt, output
from ..report import Quiet, Report


def command(
    items: Annotated[
        Path, arg("ITEMS", "Cloze items (JSON Lines), or the items of a release whose pronoun becomes the gap.")
    ],
    out: Annotated[Path, output("results (JSON Lines), a row for each item and model.")],
    model: Annotated[
        list[str] | None,
        opt(
            "Folder of a masked or causal model of transformers, or gguf:PATH. Give it several times for several models."
        ),
    ] = None,
    results: Annotated[list[Path] | None, opt("Results of an earlier run (JSON Lines), which join the others.")] = None,
    figures: Annotated[Path | None, output("accuracy and confidence (JSON).")] = None,
    measure: Annotated[Measure, opt("Measure that gives the answer of a row.")] = "pron",
    quiet: Quiet = False,
) -> Report:
    """Measure which pronoun models expect in a gap: prediction and confidence; exit 1 if items have no answer.

    Every row has all measures: pron, top10 and top1 as Petersen and Spalek
    define them, and mass, over all variants of each gender.
    """
    if not model and not results:
        raise PipelineError(None, None, "[model] nothing to measure; expected --model, --results, or both")
    read = read_cloze_items(items)
    answered = read_results(results or (), read.items)
    report = Report()
    for source in model or ():
        loaded = load_model(source)
        _require_new(loaded.name, answered)
        for item in tracked(read.items, loaded.name, quiet=quiet):
            try:
                answered.append(cloze_result(item, loaded.name, loaded.kind, loaded.scores(item), measure))
            except (ValueError, PipelineError) as error:
                report.findings.append(f"{items}: {item.id}: {loaded.name}: {error}")
    if not answered:
        raise PipelineError(items, None, f"[model] no item could be scored; {report.findings[0]}")
    measured = summary(read.items, answered)
    write_jsonl(out, (result.row for result in answered))
    if figures:
        write_text(figures, json.dumps(measured, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    _add(report, measured, items, len(read.skipped))
    report.lines.append(f"{out}: {plural(len(answered), 'row')}")
    return report


def _require_new(name: str, answered: Sequence[ClozeResult]) -> None:
    """Raise `PipelineError` if a model has the name of another one."""
    if any(result.model == name for result in answered):
        raise PipelineError(
            None, None, f"[model] name not unique; found {shown(name)} twice, expected other names of folders"
        )


def _add(report: Report, measured: dict[str, Any], items: Path, skipped: int) -> None:
    """Add what was read and the figures of each run."""
    report.figures |= measured | {"skipped": skipped}
    counts = ", ".join(f"{pronoun} {count}" for pronoun, count in measured["pronouns"].items())
    report.lines.append(
        f"{items}: {measured['items'] + skipped} items in, {measured['items']} with a gap ({counts}), {skipped} with another target"
    )
    for run in measured["runs"]:
        name = f"{run['model']}, {run['measure']}"
        low, high = map(percent, run["accuracy"]["interval"] or (None, None))
        report.lines.append(
            f"{name}: {percent(run['accuracy']['value'])} ({low} to {high}), confidence {decimal(run['confidence']['value'])}, "
            f"target confidence {decimal(run['target']['value'])}, other {run['predictions']['other']}, "
            f"neither antecedent {run['neither']}, undecided {run['undecided']}"
        )
        if run["missing"]:
            mismatch = f"found {run['accuracy']['n']}, expected {measured['items']}"
            report.findings.append(
                f"{items}: [model] {name}: {plural(run['missing'], 'item')} not answered; {mismatch}"
            )
