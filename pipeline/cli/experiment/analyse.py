"""Analyse what people answered in an experiment, beside models on the same items."""

import json
from pathlib import Path
from typing import Annotated

from ...core.drawings import figure_files
from ...core.errors import plural
from ...core.files import read_text, write_text
from ...core.outputs import write_bytes
from ...core.packages import require_packages
from ...core.pages import decimal, percent
from ...evaluation.cloze.items import read_cloze_items
from ...evaluation.cloze.rows import read_results as read_models
from ...experiment.analysis.analysis import Figures, analyse
from ...experiment.analysis.drawings import draw
from ...experiment.analysis.exclusion import Criteria, read_criteria, read_filler_answers
from ...experiment.analysis.page import SCRIPT, page
from ...experiment.analysis.relations import LABELS
from ...experiment.analysis.tables import ERRORS, ITEMS, PEOPLE, errors_table, items_table, people_table, read_causes
from ...experiment.browser.results.tables import read_results
from ..parameters import arg, opt, output
from ..report import Report, Writes


def command(
    responses: Annotated[
        Path, arg("RESPONSES_DIR", "Folder of responses.tsv and participants.tsv, which `experiment import` writes.")
    ],
    items: Annotated[Path, opt("Cloze items (JSON Lines).")],
    out: Annotated[
        Path,
        output("folder of the analysis."),
        Writes(("report.json", ITEMS, PEOPLE, "index.html", "analysis.R", "*.svg", "*.png")),
    ],
    models: Annotated[list[Path] | None, opt("Rows that `evaluate cloze` wrote (JSON Lines); may be repeated.")] = None,
    experiment: Annotated[Path | None, opt("Folder of the experiment, for the right answers of its fillers.")] = None,
    criteria: Annotated[Path | None, opt("Criteria of exclusion, written before the data were seen (YAML).")] = None,
    figures: Annotated[bool, opt("Draw the figures as SVG and PNG too.")] = False,
    seed: Annotated[int, opt("Seed of the resamples.")] = 1,
) -> Report:
    """Analyse the results of an experiment: agreement, accuracy, correlations, a mixed model, models beside people.

    errors.tsv has a column for the causes that people find; it keeps them
    when the analysis runs again.
    """
    require_packages("experiment", "gpboost", "matplotlib")
    read = read_cloze_items(items)
    causes = read_causes(out / ERRORS)
    analysis = analyse(
        read_results(responses),
        read.items,
        read_models(models, read.items) if models else [],
        read_criteria(criteria) if criteria else Criteria(),
        read_filler_answers(experiment) if experiment else {},
        seed=seed,
        folder=responses,
    )
    drawings = draw(analysis)
    files = figure_files(drawings) if figures else {}
    text = json.dumps(analysis.report, ensure_ascii=False, allow_nan=False, indent=1)
    write_text(out / "report.json", f"{text}\n")
    for name, table in {
        ITEMS: items_table(analysis),
        PEOPLE: people_table(analysis),
        ERRORS: errors_table(analysis.items, causes),
    }.items():
        write_text(out / name, table)
    write_text(out / "analysis.R", read_text(SCRIPT))
    for name, data in files.items():
        write_bytes(out / name, data)
    write_text(out / "index.html", page(analysis, drawings, causes))
    report = Report(figures=analysis.report)
    _add(report, analysis.figures, responses, out)
    return report


def _add(report: Report, figures: Figures, responses: Path, out: Path) -> None:
    people, kept = figures.people, figures.kept
    report.lines.append(
        f"{responses}: {people.all} people = {people.kept} kept + {people.excluded} left out"
        + "".join(f", {reason} {count}" for reason, count in people.reasons.items())
    )
    counts, agreement, accuracy = kept.counts, kept.agreement, kept.accuracy
    report.lines.append(
        f"{counts.answers} answers to {counts.items} of {plural(figures.items, 'item')}; "
        f"κ {decimal(agreement.fleiss.value)}, α {decimal(agreement.alpha.value)}; {agreement.unanimous} unanimous, "
        f"{agreement.high} with 7 of 10, {agreement.all_three} with all three, {agreement.tied} tied"
    )
    report.lines.append(
        f"individual accuracy {percent(accuracy.individual.value)}, majority {percent(accuracy.majority.value)} "
        f"of {accuracy.majority.n} decided; {kept.neither.answers} answers take up neither antecedent"
    )
    if kept.regression.why:
        report.notes.append(f"{responses}: [regression] no fit; {kept.regression.why}")
    for effect in kept.regression.effects:
        low, high = effect.interval
        name = LABELS.get(effect.name, effect.name)
        report.lines.append(
            f"mixed model, log-odds, {name}: {decimal(effect.estimate)} ({decimal(low)} to {decimal(high)})"
        )
    report.lines.append(str(out))
