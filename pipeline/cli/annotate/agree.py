"""Report the agreement and accuracy of the raters of a study."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural
from ...core.files import write_text, write_tsv
from ...experiment.browser.results.tables import PARTICIPANTS, RESPONSES, participants_text, responses_text
from ...experiment.cloze_responses import cloze_results
from ...studies.agreement.item_rows import COLUMNS, item_cells, item_rows
from ...studies.agreement.measures import Bootstrap
from ...studies.agreement.published import beside_published
from ...studies.agreement.raters import rater_figures
from ...studies.agreement.reconsideration import reconsidered, reconsidered_lines
from ...studies.model.answers import TaskJudgement, read_answers
from ...studies.model.background import read_background
from ...studies.model.study import Study, read_study
from ..output import decimal, percent
from ..parameters import arg, opt, output
from ..report import Report, Writes

#: Name of the table with a row for each item.
ITEMS = "items.tsv"
#: The figures of a control that the command prints, by group.
PRINTED = {"agreement": ("fleiss", "alpha", "alpha_ordinal"), "accuracy": ("micro", "majority")}


def summary(measured: dict[str, Any]) -> list[str]:
    """Return the main figures in a few lines; undefined is n/a."""
    counts = measured["counts"]
    judgements, items, raters = (plural(counts[f"{noun}s"], noun) for noun in ("judgement", "item", "rater"))
    practice = plural(measured["practice"]["judgements"], "practice judgement")
    lines = [
        f"{measured['study']}: {judgements} of {items} by {raters}, {counts['skipped']} skipped; {practice} excluded"
    ]
    for control, entry in measured["controls"].items():
        lines.append(control_line(control, entry))
        lines += system_lines(entry) if "systems" in entry else []
        lines += [
            f"  {part['unit']}, {part['question']}: mean pairwise cohen {decimal(part['cohen'])} over {part['units']}"
            for part in entry.get("units", ())
        ]
    if "fillers" in measured:
        lines.append(fillers_line(measured["fillers"]))
    lines += rater_lines(measured)
    if measured["background"]:
        lines += background_lines(measured["background"])
    lines += validity_lines(measured)
    if "reconsidered" in measured:
        lines += reconsidered_lines(measured["reconsidered"])
    if measured["published"]:
        lines.append(f"{plural(len(measured['published']), 'figure')} beside those of the paper: index.html#published")
    lines.append(f"{plural(len(measured['look_first']), 'item')} to review first")
    return lines


def control_line(control: str, entry: dict[str, Any]) -> str:
    """Return the number of answers to a control with its main figures; undefined is n/a."""
    estimates = [
        f"{name.replace('_', ' ')} {decimal(entry[group][name]['value'])}"
        for group, names in PRINTED.items()
        for name in names
        if name in entry.get(group, {})
    ]
    return ", ".join([f"{control}: {plural(entry['judgements'], 'answer')}", *estimates])


def rater_lines(measured: dict[str, Any]) -> list[str]:
    """Return a line for each rater who misses a criterion or is left out by hand, and the main figures without them."""
    criteria = "criteria of the design" if measured["raters"]["stated"] else "default criteria, the design states none"
    without = measured["without"]
    number = len(without["raters"]) if without else 0
    lines = [f"{plural(number, 'rater')} of {len(measured['raters']['raters'])} to look at ({criteria})"]
    if not without:
        return lines
    lines += [f"  {rater}: {'; '.join(reasons)}" for rater, reasons in without["raters"].items()]
    whom = "that rater" if number == 1 else "those raters"
    return [*lines, *(f"  without {whom}: {control_line(name, entry)}" for name, entry in without["controls"].items())]


def background_lines(background: dict[str, Any]) -> list[str]:
    """Return a line for each group of raters, and one for the raters without a form."""
    lines = []
    for trait, groups in background["traits"].items():
        for code, group in groups.items():
            figures = [
                f"{name} {decimal(entry[value]['value'])}"
                for name, entry in (group["controls"] or {}).items()
                for value in ("right", "mean")
                if value in entry
            ]
            shown = ", ".join(figures) if group["controls"] is not None else "too few raters to show figures"
            lines.append(f"{trait} {code}: {plural(group['raters'], 'rater')}" + (f": {shown}" if shown else ""))
    missing = background["missing"]
    return [*lines, f"no form of {plural(len(missing), 'rater')}" + (f": {', '.join(missing)}" if missing else "")]


def validity_lines(measured: dict[str, Any]) -> list[str]:
    """Return a line for sentences of templates, and one for each rule of an exclusion audit."""
    lines = []
    if sentences := measured.get("sentences"):
        grammatical, unique = sentences["grammatical"]["value"], sentences["unique"]["value"]
        number = plural(sentences["sentences"], "sentence")
        lines.append(
            f"{number}: {percent(grammatical)} grammatical, {percent(unique)} with a unique and correct reference"
        )
    for row in measured.get("rules", ()):
        share = f"{percent(row['confirmed']['value'])} of {plural(row['confirmed']['n'], 'answer')} agree"
        lines.append(f"  {row['rule'] or 'no rule'}: {plural(row['items'], 'item')}, {share}")
    return lines


def fillers_line(fillers: dict[str, Any]) -> str:
    """Return how many fillers and attention trials were answered rightly."""
    counts = [count for by_rater in fillers["right"].values() for count in by_rater.values()]
    right, asked = sum(count["right"] for count in counts), sum(count["n"] for count in counts)
    return f"fillers and attention trials, in no other figure: {right} of {asked} right"


def system_lines(entry: dict[str, Any]) -> list[str]:
    """Return a line for each system, with its score and the number of each error type, and one for the raters' agreement."""
    lines = []
    for name, system in entry["systems"].items():
        types = ", ".join(f"{number} × {count}" for number, count in system["types"].items())
        lines.append(
            f"  {name}: {decimal(system['score']['value'])} over {plural(system['score']['n'], 'sentence')} ({types})"
        )
    parts = entry["sides"], entry["sides"]["without_middle"]
    shares = [f"{percent(part['share'])} of {plural(part['translations'], 'translation')}" for part in parts]
    return [*lines, f"  raters on one side of 3: {shares[0]}; without ratings of 3: {shares[1]}"]


def _reconsidered(
    study: Study, answers: Sequence[TaskJudgement], verification: Path, declined: Collection[str]
) -> dict[str, Any]:
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

    from ...studies.agreement.report.page import page

    study, tasks = read_study(folder)
    answers = read_answers(judgements, study, tasks)
    people = read_background(background) if background else None
    declined = sorted({answer.rater for answer in answers} & people.declined) if people else []
    answers = [answer for answer in answers if answer.rater not in declined]
    results = cloze_results(study, tasks, answers) if responses else None
    with Console(stderr=True).status(f"{resamples} resamples for each interval"):  # shown on a terminal only
        measured = rater_figures(study, tasks, answers, Bootstrap(seed, resamples), without or (), people)
    if verification:
        measured |= {"reconsidered": _reconsidered(study, answers, verification, declined)}
        measured |= {"published": beside_published(measured)}
    text = json.dumps(measured, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"
    html = page(study, answers, measured)
    rows = item_rows(study, tasks, answers)
    write_text(out / "figures.json", text)
    write_tsv(out / ITEMS, COLUMNS, map(item_cells, rows))
    write_text(out / "index.html", html)
    written = [f"{out / ITEMS}: {plural(len(rows), 'item')}, {sum(row['raters'] > 0 for row in rows)} of them judged"]
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
    malformed = [
        f"{judgements}: {line}" for entry in measured["controls"].values() for line in entry.get("malformed", ())
    ]
    return Report(findings=[*empty, *refused, *malformed], lines=[*summary(measured), *written], figures=measured)
