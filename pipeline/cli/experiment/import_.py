"""Import the results of an experiment."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.files import read_text, write_text
from ...experiment.browser.results.psychopy import COLUMNS, read_psychopy
from ...experiment.browser.results.reading import read_results
from ...experiment.browser.results.sessions import Sessions, sessions_of
from ...experiment.browser.results.tables import CODEBOOK, PARTICIPANTS, RESPONSES, pseudonyms, tables
from ...experiment.browser.trials import TRIALS, read_experiment
from ..parameters import arg, opt, output
from ..report import Report, Writes


class Format(StrEnum):
    """What wrote the results."""

    RECORDS = "records"
    PSYCHOPY = "psychopy"


def command(
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
    for path in results:
        if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
            raise PipelineError(out, None, f"[out] inside the results; found {path}, expected a folder outside of it")
    trials = read_experiment(experiment)
    read = read_psychopy(results, trials) if form is Format.PSYCHOPY else read_results(results, trials)
    if not (read.records or read.silent or read.withdrawn or read.skipped):
        raise PipelineError(
            results[0], None, "[results] no record; found nothing to import, expected results of a session"
        )
    sessions = sessions_of(read, trials)
    for name, text in tables(sessions.sessions, trials).items():
        write_text(out / name, text)
    write_text(out / TRIALS, read_text(experiment / TRIALS))
    report = Report()
    _add(report, sessions)
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


def _add(report: Report, sessions: Sessions) -> None:
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
