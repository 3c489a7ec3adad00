"""Report how systems answered the items of a release."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from ...core.convert import to_object
from ...core.drawings import figure_files
from ...core.errors import PipelineError, plural, shown
from ...core.files import write_text
from ...core.outputs import write_bytes
from ...core.pages import percent
from ...evaluation.folder import read_folder
from ...evaluation.measures.baselines import read_associations
from ...evaluation.measures.people import read_people
from ...evaluation.predictions import answered_items, read_predictions
from ...evaluation.report.evaluation import Evaluation
from ...evaluation.report.figures import Figures, figures
from ...evaluation.report.tables import latex_tables
from ...evaluation.report.words import chance_words, items_words, order_words, place_words
from ..output import Association, People, Release, Sample
from ..parameters import opt, output
from ..report import Report, Writes

#: The files that the command writes.
FILES = ("figures.json", "tables.tex", "index.html")


def command(
    release: Release,
    predictions: Annotated[
        list[Path],
        opt(
            'Predictions (JSON Lines): a line has id, model, mode, answer, and form ("zero", "overt") and order '
            '("as written", "swapped") where they vary. Give it several times for several files.'
        ),
    ],
    out: Annotated[Path, output("folder of index.html, figures.json and tables.tex."), Writes(FILES)],
    drawings: Annotated[
        Path | None, output("folder of the figures as SVG and PNG.", "--figures"), Writes(("*.svg", "*.png"))
    ] = None,
    people: People = None,
    pmi: Association = None,
    codes: Annotated[
        Path | None, opt("figures.json that `evaluate codes` wrote: Table 8 stands on the page too.")
    ] = None,
    sample: Sample = False,
    seed: Annotated[int, opt("Seed for random answers and for permutations.", min=0)] = 0,
    permutations: Annotated[int, opt("Number of permutations drawn for a test.", min=1, max=1_000_000)] = 9999,
) -> Report:
    """Report how systems answered the items of a release: accuracy, bias, comparisons; exit 1 if answers are missing.

    The systems' answers come from files, so that no model is needed. An
    answer without one clear choice counts as wrong, and is counted apart.
    An item without an answer is not scored. With --sample, the items that no
    run answered are left out of everything, the baselines included.
    """
    from ...evaluation.diagnosis.table8 import error_table
    from ...evaluation.report.drawings import draw
    from ...evaluation.report.page import element_ids, page

    errors = error_table(codes) if codes else None
    folder = read_folder(release)
    items = folder.items
    runs = read_predictions(predictions, items)
    asked = answered_items(items, runs) if sample else items
    evaluation = Evaluation(
        folder.name,
        asked,
        runs,
        read_people(people) if people else {},
        read_associations(pmi) if pmi else {},
        seed,
        permutations,
        len(items) if len(asked) < len(items) else None,
    )
    known = {entry.item.id for entry in items}
    for path, column, given in ((people, "item", evaluation.people), (pmi, "id", evaluation.associations)):
        if path and not given.keys() & known:
            expected = f"found {shown(next(iter(given)))}, expected ids such as {items[0].item.id}"
            raise PipelineError(path, None, f"[{column}] no item of the release; {expected}")
    measured = figures(evaluation)
    drawn = draw(evaluation, measured, element_ids(evaluation))
    html = page(evaluation, measured, drawn, errors)
    write_text(
        out / "figures.json", json.dumps(to_object(measured), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    )
    write_text(out / "tables.tex", latex_tables(measured))
    write_text(out / "index.html", html)
    if drawings:  # last: the page needs no font
        for name, data in figure_files(drawn).items():
            write_bytes(drawings / name, data)
    return _report(measured, predictions, out)


def _report(measured: Figures, predictions: Sequence[Path], out: Path) -> Report:
    report = Report(figures=to_object(measured))
    files = ", ".join(map(str, predictions))
    responses = sum(run.accuracy.n for run in measured.runs)
    report.add(f"{measured.release}: {items_words(measured)}, {plural(len(measured.runs), 'run')}, {responses} answers")
    for run in [*measured.runs, *measured.baselines]:
        name = run.label
        words = [chance_words(run), f"pairs {percent(run.pairs.value)}"]
        report.add(f"{name}: {'; '.join([*words, place_words(run)] if run.options else words)}")
        if run.missing:
            answered = f"found {run.accuracy.n}, expected {measured.items}"
            report.findings.append(
                f"{files}: [predictions] {name}: {plural(run.missing, 'item')} not answered; {answered}"
            )
        if run.disagreements:
            differ = f"differ in {plural(len(run.disagreements), 'item')}, such as {run.disagreements[0]}"
            expected = "expected the candidate with the greatest score as the answer"
            report.findings.append(f"{files}: [scores] {name}: answers and scores {differ}; {expected}")
    for row in measured.order:
        report.add(order_words(row))
    by_people = measured.people.items
    of_items = f", {by_people} of {plural(measured.items, 'item')}" if by_people else ""
    report.add(f"people: {percent(measured.people.value)} ({measured.people.source}{of_items})")
    if association := measured.association:
        report.add(f"association: decided {association.decided} of {plural(measured.items, 'item')}")
    report.add(str(out / "index.html"))
    return report
