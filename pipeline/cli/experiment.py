"""Commands of the cloze experiment with people: build, serve, import, analyse."""

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..core.drawings import figure_files
from ..core.errors import PipelineError, plural
from ..core.files import read_text, write_json, write_text
from ..core.outputs import remove, require_writable, write_bytes
from ..core.packages import require_packages
from ..core.pages import decimal, write_page
from ..core.servers import server_address
from ..evaluation.cloze.items import read_cloze_items
from ..evaluation.cloze.results import read_results as read_models
from ..experiment.analysis.analysis import Criteria, Figures, analyse, read_criteria, read_filler_answers
from ..experiment.analysis.drawings import draw
from ..experiment.analysis.page import (
    ERRORS,
    ITEMS,
    PEOPLE,
    SCRIPT,
    errors_table,
    items_table,
    page,
    people_table,
    read_causes,
    sentences,
)
from ..experiment.analysis.relations import LABELS
from ..experiment.browser.files import KEY, OPTIONS, PAGE, PSYCHOPY, Inputs, Setting, build_experiment, study_archive
from ..experiment.browser.records import TRIALS, read_experiment
from ..experiment.browser.results.psychopy import COLUMNS, read_psychopy
from ..experiment.browser.results.sessions import Sessions, read_results, sessions_of
from ..experiment.browser.results.tables import CODEBOOK, PARTICIPANTS, RESPONSES, offered_codes, pseudonyms, tables
from ..experiment.browser.results.tables import read_results as read_responses
from ..experiment.browser.store import DATABASE, Store
from .parameters import arg, opt, output
from .report import Report, Updates, Writes

_CONDITIONS = f"{PSYCHOPY}/list-*.csv"
#: The files of an experiment.
PATTERNS = (PAGE, TRIALS, KEY, OPTIONS, "README.md", _CONDITIONS)


def build_command(
    items: Annotated[Path, arg("CLOZE", "Cloze items with registers (JSON Lines).")],
    fillers: Annotated[Path, opt("Sentences with one antecedent (YAML).")],
    design: Annotated[Path, opt("Length of the lists, practice and attention trials, texts of the page (YAML).")],
    out: Annotated[Path, output("folder of the experiment."), Writes(PATTERNS)],
    seed: Annotated[int, opt("Seed of lists and orders.", min=0)] = 0,
    responsible: Annotated[
        str, opt("Who answers for the experiment; without it, the page is a demonstration.", metavar="NAME")
    ] = "",
    contact: Annotated[str, opt("Whom participants can ask: name and address.", metavar="TEXT")] = "",
    leave: Annotated[str, opt("Address that the last screen links to, as of a platform.", metavar="URL")] = "",
    jatos: Annotated[Path | None, output("the page as a study that JATOS imports (.jzip).")] = None,
    jspsych: Annotated[Path, opt("Folder of the npm package jspsych.")] = Path("tools/jspsych/node_modules/jspsych"),
) -> Report:
    """Build an experiment: lists of items and fillers, a page with jsPsych, conditions for PsychoPy.

    Each item is in one list, and a list has no two members of a pair. The page
    is one file without requests to other hosts.
    """
    if leave and not leave.startswith("https://"):
        raise PipelineError(None, None, f"[leave] not an address; found {leave[:60]}, expected one with https://")
    require_writable(out, folder=True)
    setting = Setting(seed, responsible.strip(), contact.strip(), leave)
    layout, texts = build_experiment(Inputs(items, fillers, design, jspsych), setting)
    for name, data in texts.items():
        write_bytes(out / name, data)
    for path in sorted(out.glob(_CONDITIONS)):
        if str(path.relative_to(out)) not in texts:
            remove(path)
    if jatos is not None:
        digest = hashlib.sha256(texts[TRIALS]).hexdigest()
        write_bytes(jatos, study_archive(layout.design.texts["title"], texts[PAGE], digest))
    counts = layout.counts()
    report = Report(figures=counts)
    report.add(f"{items}: {plural(counts['item'], 'item')} in {plural(counts['lists'], 'list')}")
    report.add(
        f"{out}: {plural(counts['trials'], 'trial')}; {plural(counts['filler'], 'filler')}, {counts.get('attention', 0)} attention "
        f"and {counts['practice']} practice sentences"
    )
    if setting.demonstration:
        report.notes.append(
            "a demonstration: --responsible and --contact make an experiment that people may take part in"
        )
    return report


def serve_command(
    folder: Annotated[Path, arg("DIR", "Folder of the experiment that `experiment build` wrote.")],
    data: Annotated[Path, opt(f"Folder of the results, {DATABASE}; the server goes on with what is there."), Updates],
    host: Annotated[str, opt("Address to listen on. Default: this machine alone.")] = "127.0.0.1",
    port: Annotated[int, opt("Port to listen on; 0 stands for a free one.", min=0, max=65535)] = 8000,
    origin: Annotated[str, opt("Address under which a proxy publishes the server, such as https://lab.example.")] = "",
    check: Annotated[bool, opt("Check the experiment and the results, print the counts, and exit.", "--check")] = False,
) -> Report:
    """Serve the page of an experiment, assign its lists and store the records, until Ctrl-C or SIGTERM.

    A new session gets the list with the fewest completed sessions. A record
    that was acknowledged survives a crash. No address and no time is stored.
    The page /progress shows the counts, on this machine alone.
    """
    public = _origin(origin)
    experiment, page = read_experiment(folder), read_text(folder / PAGE)
    report = Report()
    if not check:
        require_packages("experiment", "starlette", "uvicorn")
        from ..experiment.browser import server

        listening = server.listen(host, port)
    store = Store(data, experiment)
    if not check:
        private = server.is_loopback(listening.getsockname()[0])
        if not private:
            typer.echo(
                f"warning: {host} can be reached from other machines, without encryption; a laboratory's own network only, "
                "or behind a proxy with HTTPS",
                err=True,
            )
        typer.echo(f"serving {folder} at {server.address_of(listening)}; end with Ctrl-C", err=True)
        server.serve(server.application(page, experiment, store, loopback=private, public=public), listening)
    counts = store.counts()
    store.close()
    report.add(
        f"{store.path}: {plural(counts.begun, 'session')} begun, {counts.completed} completed, {counts.withdrawn} withdrawn, "
        f"{plural(counts.records, 'record')}",
        begun=counts.begun,
        completed=counts.completed,
        withdrawn=counts.withdrawn,
        records=counts.records,
    )
    lists = ", ".join(f"{number}: {done}" for number, done in counts.lists.items())
    report.add(f"completed sessions by list: {lists}", lists=[*counts.lists.values()])
    return report


def _origin(text: str) -> str:
    """Return the origin that browsers give for an address; empty for an empty text."""
    if not text:
        return ""
    address = server_address(text, "origin").lower()
    if address.count("/") != 2:
        raise PipelineError(None, None, f"[origin] found {address}, expected http(s)://host without a path")
    return address


class Format(StrEnum):
    """What wrote the results."""

    RECORDS = "records"
    PSYCHOPY = "psychopy"


def import_command(
    results: Annotated[
        list[Path],
        arg("RESULTS", "Database of the server, files of the page, JATOS's export (text, zip), or folders of these."),
    ],
    experiment: Annotated[Path, opt("Folder of the experiment that `experiment build` wrote.")],
    out: Annotated[
        Path,
        output("folder of responses, participants and their codebook (TSV)."),
        Writes((RESPONSES, PARTICIPANTS, CODEBOOK, TRIALS)),
    ],
    form: Annotated[Format, opt(f"psychopy: tables (CSV) with {', '.join(COLUMNS)}.", "--format")] = Format.RECORDS,
) -> Report:
    """Import the results of an experiment as tables, with pseudonyms and a codebook.

    Each record counts once, wherever it was read. Withdrawn sessions are left
    out. Of two answers to a trial the first counts. Exit 1 if a completed
    session lacks a trial.
    """
    trials = read_experiment(experiment)
    read = read_psychopy(results, trials) if form is Format.PSYCHOPY else read_results(results, trials)
    if not (read.records or read.silent or read.withdrawn or read.skipped):
        raise PipelineError(
            results[0], None, "[results] no record; found nothing to import, expected results of a session"
        )
    sessions = sessions_of(read, trials)
    page = read_text(experiment / PAGE) if (experiment / PAGE).is_file() else ""
    for name, text in tables(sessions.sessions, trials, offered_codes(page)).items():
        write_text(out / name, text)
    write_text(out / TRIALS, read_text(experiment / TRIALS))
    report = Report(notes=read.notes)
    _add_sessions(report, sessions)
    report.add(f"{plural(read.files, 'file')} read", files=read.files)
    if read.skipped:
        report.add(
            f"{plural(read.skipped, 'row')} of other screens, or without an answer, skipped", skipped=read.skipped
        )
    report.findings += [
        f"{out / PARTICIPANTS}: [position] {name} completed without {plural(session.missing, 'trial')} of list {session.list}"
        for name, session in zip(pseudonyms(len(sessions.sessions)), sessions.sessions, strict=True)
        if session.completed and session.missing
    ]
    return report


def _add_sessions(report: Report, sessions: Sessions) -> None:
    """Add what became of all records and sessions."""
    kept = sessions.sessions
    completed = sum(session.completed for session in kept)
    missing = sum(session.missing for session in kept)
    report.add(
        f"{plural(sessions.read, 'record')} in: {sessions.trials} responses, {sessions.others} on start, background and end, "
        f"{sessions.duplicates} read twice, {sessions.repeated} of trials answered before, {sessions.withdrawn_records} withdrawn",
        records=sessions.read,
        responses=sessions.trials,
        others=sessions.others,
        duplicates=sessions.duplicates,
        repeated=sessions.repeated,
        withdrawn_records=sessions.withdrawn_records,
    )
    report.add(
        f"{plural(len(kept) + sessions.withdrawn + sessions.silent, 'session')} in: {completed} completed, "
        f"{len(kept) - completed} incomplete, {sessions.withdrawn} withdrawn, {sessions.silent} without a record; "
        f"{plural(missing, 'trial')} without an answer",
        completed=completed,
        incomplete=len(kept) - completed,
        withdrawn=sessions.withdrawn,
        silent=sessions.silent,
        missing=missing,
    )
    if sessions.private:
        report.add(
            f"{plural(sessions.private, 'answer')} on the background left out: no code of the page, so it could name a person",
            private=sessions.private,
        )


def analyse_command(
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
        read_responses(responses),
        read.items,
        read_models(models, read.items) if models else [],
        read_criteria(criteria) if criteria else Criteria(),
        read_filler_answers(experiment) if experiment else {},
        seed=seed,
        folder=responses,
    )
    drawings = draw(analysis)
    files = figure_files(drawings) if figures else {}
    write_json(out / "report.json", analysis.report)
    for name, table in {
        ITEMS: items_table(analysis),
        PEOPLE: people_table(analysis),
        ERRORS: errors_table(analysis.items, causes),
    }.items():
        write_text(out / name, table)
    write_text(out / "analysis.R", read_text(SCRIPT))
    for name, data in files.items():
        write_bytes(out / name, data)
    write_page(out / "index.html", page(analysis, drawings, causes))
    report = Report(figures=analysis.report)
    _add_analysis(report, analysis.figures, responses, out)
    return report


def _add_analysis(report: Report, figures: Figures, responses: Path, out: Path) -> None:
    people, kept = figures.people, figures.kept
    report.lines.append(
        f"{responses}: {people.all} people = {people.kept} kept + {people.excluded} left out"
        + "".join(f", {reason} {count}" for reason, count in people.reasons.items())
    )
    counts, agreement = kept.counts, kept.agreement
    report.lines.append(
        f"{counts.answers} answers to {counts.items} of {plural(figures.items, 'item')}; "
        f"κ {decimal(agreement.fleiss.value)}, α {decimal(agreement.alpha.value)}; {agreement.unanimous} unanimous, "
        f"{agreement.high} with 7 of 10, {agreement.all_three} with all three, {agreement.tied} tied"
    )
    report.lines += sentences(kept)
    if kept.regression.why:
        report.notes.append(f"{responses}: [regression] no fit; {kept.regression.why}")
    for effect in kept.regression.effects:
        low, high = effect.interval
        name = LABELS.get(effect.name, effect.name)
        report.lines.append(
            f"mixed model, log-odds, {name}: {decimal(effect.estimate)} ({decimal(low)} to {decimal(high)})"
        )
    report.lines.append(str(out))
