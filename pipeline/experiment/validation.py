"""The suites of an experiment's folder before it is served, and of the responses that come back."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..core.convert import keys_of, to_object
from ..core.errors import PipelineError, plural, shown
from ..core.files import read_bytes, read_text
from ..core.validation.derivation import Derived, checks_of, compare, fault, fault_of, reader_of, table_of
from ..core.validation.suite import Row, Suite, Value
from .browser.files import KEY, KEY_COLUMNS, OPTIONS, PSYCHOPY, build_again, key_row, trial_of
from .browser.records import BACKGROUND, TRIALS, Experiment, TrialData, read_experiment, session_record
from .browser.results.sessions import Session, is_code
from .browser.results.tables import (
    CODEBOOK,
    PARTICIPANT,
    PARTICIPANTS,
    RESPONSE,
    RESPONSES,
    Results,
    codes_in,
    participant_of,
    read_cells,
    read_results,
    response_of,
    tables,
)

#: What people keep beside an experiment: the results of its server, and the study for JATOS.
_BESIDE = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".jzip")
_EXPECTATIONS = {
    "built-again": "The inputs in options.json are there as they were, and give an experiment.",
    "trials": "Each list shows the trials that its layout has, in their order.",
    "key": "The key has the right answer, the pair, the place and the register of each trial.",
    "files": "The page, the conditions for PsychoPy, options.json and README.md are those of the layout; there is no other file.",
}


def experiments(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of folders that `experiment build` wrote: one for each trial, each key and each other file."""
    return [row for path in paths for row in _experiment_rows(path)]


def _experiment_rows(folder: Path) -> Iterator[Row]:
    try:
        layout, files = build_again(folder)
    except PipelineError as error:
        yield fault_of("built-again", folder / OPTIONS, error)
        return
    trials = [to_object(trial_of(placed, layout.options)) for placed in layout.placed]
    keys = table_of(KEY_COLUMNS, map(key_row, layout.placed))
    derived = [
        Derived("trials", folder / TRIALS, trials, _place),
        Derived("key", folder / KEY, keys, _place, reader_of(KEY_COLUMNS)),
    ]
    for entry in derived:
        try:
            yield from compare(entry)
        except PipelineError as error:
            yield fault_of(entry.expectation, entry.path, error)
    for name, data in files.items():
        if name not in (TRIALS, KEY):
            yield _compare_file("files", folder, name, data)
    for path in sorted({*folder.glob("*"), *folder.glob(f"{PSYCHOPY}/**/*")}):
        is_ours = path.is_dir() or path.name.startswith(".") or path.suffix in _BESIDE
        if not is_ours and (name := path.relative_to(folder).as_posix()) not in files:
            yield fault("files", path, 1, name, "unknown file; found one, expected none")


def _place(row: Value) -> str:
    return f"list {row.get('list')}, position {row.get('position')}"


def _compare_file(expectation: str, folder: Path, name: str, expected: bytes) -> Row:
    """Return the row of a file, which has the first line that differs."""
    path = folder / name
    try:
        actual = read_bytes(path)
    except PipelineError as error:
        return fault_of(expectation, path, error)
    lines = zip_longest(actual.splitlines(keepends=True), expected.splitlines(keepends=True), fillvalue=b"")
    for line, (found, wanted) in enumerate(lines, 1):
        if found != wanted:
            sides = {"found": {"line": found.decode(errors="replace")}, "expected": {"line": wanted.decode()}}
            return Row(name, path, line, {"artifact": expectation} | sides)
    return fault(expectation, path, 1, name, "")


EXPERIMENT = Suite(
    "experiment",
    "experiments with people (build/experiment)",
    experiments,
    checks_of(_EXPECTATIONS),
    unique=False,
    may_be_empty=True,
)


#: What an import writes.
_FILES = (RESPONSES, PARTICIPANTS, CODEBOOK, TRIALS)
#: A pseudonym of `pseudonyms`.
_PSEUDONYM = re.compile(r"p[0-9]{3,6}")
_EXPECTED_OF_RESPONSES = {
    "contract": "A response answers a trial of its list with an answer offered there; a participant has codes that the codebook "
    "lists; each cell is of its type and in its range.",
    "all-answered": "A participant who completed the session answered every trial of the list.",
    "once": "No participant has the answers and times of another.",
    "tables": "Tables and codebook are what an import writes of the same sessions: participants by number, their responses by "
    "position, attention trials counted, each column explained.",
    "known-files": "There are the two tables, the codebook, the trials, each the same in all lists, and nothing else.",
}


def responses(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of folders that `experiment import` wrote: one for each response, participant, session and file.

    Sessions and tables have rows if all responses and participants fit the experiment.
    """
    return [row for folder in paths for row in _response_rows(folder)]


def _response_rows(folder: Path) -> Iterator[Row]:
    experiment, codes = read_experiment(folder), codes_in(read_text(folder / CODEBOOK))
    table, lines, fits = folder / PARTICIPANTS, {}, True
    for line, cells in read_cells(folder / RESPONSES, RESPONSE):
        reason = _misfit(cells, experiment)
        fits = fits and not reason
        yield fault("contract", folder / RESPONSES, line, f"{cells['participant']}/{cells['position']}", reason)
    for line, cells in read_cells(table, PARTICIPANT):
        reason = _misfit_person(cells, experiment, codes)
        fits = fits and not reason
        lines[cells["participant"]] = line
        yield fault("contract", table, line, cells["participant"], reason)
    for path in sorted(folder.glob("*")):
        if path.is_file() and path.name not in _FILES and not path.name.startswith("."):
            yield fault("known-files", path, 1, f"{path.name} as a file", "unknown file; found one, expected none")
    yield fault("known-files", folder / TRIALS, 1, TRIALS, _different_trials(experiment))
    if not fits:
        return
    try:
        sessions = list(_sessions(read_results(folder, may_be_empty=True), experiment))
    except PipelineError as error:
        yield fault_of("tables", folder, error)
        return
    first: dict[str, str] = {}
    for name, session in ((session.session, session) for session in sessions):
        missing = f"found {plural(session.missing, 'trial')} without an answer, expected none"
        yield fault(
            "all-answered",
            table,
            lines[name],
            f"{name} to the end",
            missing if session.completed and session.missing else "",
        )
        before = first.setdefault(repr(session.trials), name) if session.trials else name
        again = f"found the answers and times of {before} again, expected each participant once"
        yield fault("once", table, lines[name], f"{name} once", again if before != name else "")
    for name, text in tables(sessions, experiment, codes).items():
        yield _compare_file("tables", folder, name, text.encode())


def _misfit(cells: Mapping[str, str], experiment: Experiment) -> str:
    """Return why the cells of a response are none that a session of the experiment sends; empty if they are."""
    try:
        response = response_of(cells)
        data = {key: getattr(response, key) for key in keys_of(TrialData)}
        record = {"session": "0" * 32, "list": response.list, "record": "trial", "sequence": 0, "data": data}
        session_record(record, experiment)
    except ValueError as error:
        return str(error)
    return _misfit_pseudonym(cells)


def _misfit_person(cells: Mapping[str, str], experiment: Experiment, codes: Mapping[str, Collection[str]]) -> str:
    try:
        person = participant_of(cells)
    except ValueError as error:
        return str(error)
    if person.list not in experiment.lists:
        return f"[list] found {person.list}, expected one of the {len(experiment.lists)} lists of the experiment"
    if question := next((question for question in BACKGROUND if not is_code(cells[question])), ""):
        return f"[{question}] found {shown(cells[question])}, expected a code: letters, digits and hyphens; or nothing"
    for question, known in codes.items():
        if cells[question] and cells[question] not in known:
            return f"[{question}] found {shown(cells[question])}, expected one of {', '.join(known)}"
    return _misfit_pseudonym(cells) if cells["reloads"] else "[reloads] found nothing, expected a whole number"


def _misfit_pseudonym(cells: Mapping[str, str]) -> str:
    name = cells["participant"]
    fits = _PSEUDONYM.fullmatch(name)
    return "" if fits else f"[participant] found {shown(name)}, expected a pseudonym, p and digits"


def _different_trials(experiment: Experiment) -> str:
    """Return which trial is not the same in all lists, empty if each is."""
    first: dict[str, tuple[str, tuple[str, ...]]] = {}
    for trials in experiment.lists.values():
        for trial in trials.values():
            text, _ = first.setdefault(trial.id, (trial.text, trial.options))
            if first[trial.id] != (trial.text, trial.options):
                return f"found {trial.id} as {shown(trial.text)}, expected {shown(text)} as in another list"
    return ""


def _sessions(results: Results, experiment: Experiment) -> Iterator[Session]:
    """Yield the session of each participant, by the pseudonym."""
    trials: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in results.participants}
    for row in results.responses:
        trials[row.participant][row.position] = {key: getattr(row, key) for key in keys_of(TrialData)}
    for name, person in results.participants.items():
        background = {question: getattr(person, question) for question in BACKGROUND}
        answered = dict(sorted(trials[name].items()))
        missing = len(experiment.lists[person.list].keys() - answered.keys())
        yield Session(name, person.list, background, answered, person.completed, person.reloads or 0, missing)


RESPONSES_SUITE = Suite(
    "responses",
    "folders of responses and participants that `experiment import` wrote",
    responses,
    checks_of(_EXPECTED_OF_RESPONSES),
    may_be_empty=True,
)
