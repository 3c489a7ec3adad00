"""Report the agreement and accuracy of the raters of a study."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.files import write_text, write_tsv
from ...experiment.browser.results.tables import PARTICIPANTS, RESPONSES, participants_text, responses_text
from ...experiment.cloze_responses import cloze_results
from ...studies.agreement.figures import rater_figures, with_reconsideration
from ...studies.agreement.items import COLUMNS, item_cells, item_rows
from ...studies.agreement.measures import Bootstrap
from ...studies.agreement.records import to_json
from ...studies.agreement.report import summary
from ...studies.agreement.single_studies import Reconsideration, reconsidered
from ...studies.model.answers import TaskJudgement, read_answers, read_background
from ...studies.model.study import Study, read_study
from ..parameters import arg, opt, output
from ..report import Report, Writes

#: Name of the table with a row for each item.
ITEMS = "items.tsv"


def _reconsidered(
    study: Study, answers: Sequence[TaskJudgement], verification: Path, declined: Collection[str]
) -> Reconsideration:
    """Return the agreement before and after the verification, whose judgements are in its export, without who declined."""
    path = verification / "judgements.jsonl"
    verdicts = [row for row in read_answers(path, *read_study(verification)) if row.rater not in declined]
    try:
        return reconsidered(study, answers, verdicts)
    except ValueError as error:
        raise PipelineError(path, None, str(error)) from error


def command(
    folder: Annotated[Path, arg("STUDY", "Folder of the study that `annotate design` wrote.")],
    judgements: Annotated[Path, opt("Judgements that `annotate pull` wrote (JSON Lines).")],
    out: Annotated[
        Path, output("folder of figures.json, items.tsv and index.html."), Writes(("figures.json", ITEMS, "index.html"))
    ],
    responses: Annotated[
        Path | None,
        output("folder of responses.tsv and participants.tsv of a cloze study, for `experiment analyse`."),
        Writes((RESPONSES, PARTICIPANTS)),
    ] = None,
    background: Annotated[
        Path | None,
        opt(
            "Folder of the export of the study `background`: leave out who declined, break figures down by group.",
            metavar="EXPORT",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        opt(
            "Rater to leave out of the second set of figures, besides those who miss a criterion; repeat it for several.",
            metavar="RATER",
        ),
    ] = None,
    verification: Annotated[
        Path | None,
        opt(
            "Folder of the export of the study `verification`: agreement before and after reconsideration.",
            metavar="EXPORT",
        ),
    ] = None,
    seed: Annotated[int, opt("Seed for the bootstrap resamples.", min=0)] = 0,
    resamples: Annotated[int, opt("Number of bootstrap resamples per interval.", min=1)] = 2000,
) -> Report:
    """Report the agreement and the accuracy of the raters of a study; exit 1 if a labelled sentence is malformed."""
    from rich.console import Console

    from ...studies.agreement.report import page

    study, tasks = read_study(folder)
    answers = read_answers(judgements, study, tasks)
    people = read_background(background) if background else None
    declined = sorted({answer.rater for answer in answers} & people.declined) if people else []
    answers = [answer for answer in answers if answer.rater not in declined]
    results = cloze_results(study, tasks, answers) if responses else None
    with Console(stderr=True).status(f"{resamples} resamples for each interval"):  # shown on a terminal only
        measured = rater_figures(study, tasks, answers, Bootstrap(seed, resamples), without or (), people)
    if verification:
        measured = with_reconsideration(measured, _reconsidered(study, answers, verification, declined))
    figures = to_json(measured)
    text = json.dumps(figures, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"
    html = page(study, answers, measured)
    rows = item_rows(study, tasks, answers)
    write_text(out / "figures.json", text)
    write_tsv(out / ITEMS, COLUMNS, map(item_cells, rows))
    write_text(out / "index.html", html)
    written = [f"{out / ITEMS}: {plural(len(rows), 'item')}, {sum(row.raters > 0 for row in rows)} of them judged"]
    if results and responses:
        write_text(responses / RESPONSES, responses_text(results.responses))
        write_text(responses / PARTICIPANTS, participants_text(results.participants))
        written.append(
            f"{responses}: {plural(len(results.responses), 'response')} of {plural(len(results.participants), 'participant')} + "
            f"{results.left_out} left out = {plural(len(answers), 'judgement')}"
        )
    empty = (
        []
        if answers
        else [f"{judgements}: [file] no judgement; run winoforge annotate pull again once people have judged"]
    )
    refused = [
        f"{judgements}: [consent] {rater} declined to take part and is in no figure; delete their judgements"
        for rater in declined
    ]
    malformed = [f"{judgements}: {line}" for control in measured.controls.values() for line in control.malformed or ()]
    return Report(findings=[*empty, *refused, *malformed], lines=[*summary(measured), *written], figures=figures)
