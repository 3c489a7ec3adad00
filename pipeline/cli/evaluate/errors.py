"""Extract the items that systems answer wrong, with controls."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.files import write_jsonl
from ...evaluation.diagnosis.errors import MEANINGS, Rule, case_to_json, cases, chosen_runs, missing
from ...evaluation.folder import read_folder
from ...evaluation.predictions import answered_items, read_predictions
from ..output import Modes, Predictions, Release, Sample
from ..parameters import opt, output
from ..report import Report


def command(
    release: Release,
    predictions: Predictions,
    rule: Annotated[Rule, opt("In how many runs (mode, order) of a system an error is wrong.")],
    out: Annotated[Path, output("errors and controls (JSON Lines).")],
    mode: Modes = None,
    sample: Sample = False,
    seed: Annotated[int, opt("Seed of the draw of controls.", min=0)] = 0,
) -> Report:
    """Extract the items that systems answer wrong, with as many that they answer right; exit 1 if answers are missing."""
    folder = read_folder(release)
    items = folder.items
    runs = read_predictions(predictions, items)
    items = answered_items(items, runs) if sample else items
    modes = mode or ()
    try:
        systems = chosen_runs(runs, modes)
        extracted = cases(items, runs, rule, modes=modes, seed=seed)
        unanswered = missing(items, runs, modes)
    except ValueError as error:
        raise PipelineError(None, None, str(error)) from error
    write_jsonl(out, map(case_to_json, extracted))
    counts = Counter((case.model, case.form, case.condition) for case in extracted)
    report = Report(figures={"rule": rule, "items": len(items), "unanswered": unanswered, "systems": []})
    report.add(f"rule {rule}: {MEANINGS[rule]}")
    for (model, form), chosen in systems.items():
        errors, controls = (counts[model, form, condition] for condition in ("error", "control"))
        answered = len({name for run in chosen for name in runs[run]})
        report.figures["systems"].append(
            {
                "model": model,
                "form": form,
                "runs": len(chosen),
                "answered": answered,
                "errors": errors,
                "controls": controls,
            }
        )
        share = f"{errors} of {plural(answered, 'item')} wrong ({rule} of {plural(len(chosen), 'run')})"
        report.add(f"{model}, {form}: {share}; {plural(controls, 'control')}")
    report.add(f"{out}: {plural(len(extracted), 'case')}")
    if unanswered:
        files = ", ".join(map(str, predictions))
        counted = "an item counts by the runs that answered it"
        report.findings.append(f"{files}: [predictions] {plural(unanswered, 'answer')} missing; {counted}")
    return report
