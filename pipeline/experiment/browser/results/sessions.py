"""From files to sessions: read the records of the server, of the page and of JATOS; each counts once, without those that were withdrawn."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ....core.archives import archived_files, of_file_manager
from ....core.errors import PipelineError, errors_at, plural, shown
from ....core.files import decode, from_json, json_values, read_bytes
from ..records import BACKGROUND, Experiment, SessionRecord, session_record
from ..store import APPLICATION, session_digest

#: Names of files with records; `.txt` is what JATOS exports.
SUFFIXES = (".jsonl", ".json", ".txt")
#: Files of a folder or an archive that have these names too, but no records: what JATOS says of the runs.
NO_RECORDS = ("metadata.json",)
_ARCHIVES, _DATABASES = (".zip", ".jrzip"), (".sqlite",)
_TABLES = "; --format psychopy reads tables"
_MAGIC = b"SQLite format 3\0"
#: Maximum length in bytes of a text in a database; a record has 4096 at most.
_MAX_TEXT = 1 << 16


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record with its place: a file, or a member of an archive as a path, and the line."""

    path: Path
    line: int | None
    record: SessionRecord


@dataclass(slots=True)
class ReadResults:
    """What was read.

    Attributes:
        records: the records, in the order of the files.
        silent: ids of sessions that got a list and sent nothing.
        withdrawn: digests of the ids of sessions of which nothing but these is left.
        skipped: number of rows of a table that are no trial, or have no answer.
        files: number of files read, members of archives included.
        notes: a line for each file that repeats another one, and for files whose sessions only their answers tell apart.
    """

    records: list[ReadRecord] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    skipped: int = 0
    files: int = 0
    notes: list[str] = field(default_factory=list)


def files_in(paths: Iterable[Path], suffixes: Sequence[str], results: ReadResults) -> list[Path]:
    """Return the files among paths, and those with certain suffixes in folders, sorted; each once.

    Files that macOS and Windows put into a folder are left out, and counted in the notes.

    Raises:
        PipelineError: a folder has no such file.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        there = _left_by_people(path, [file for file in path.rglob("*") if file.is_file()], results)
        inside = sorted(file for file in there if file.suffix.lower() in suffixes and file.name not in NO_RECORDS)
        if not inside:
            hint = _TABLES if ".csv" not in suffixes and any(file.suffix.lower() == ".csv" for file in there) else ""
            expected = f"expected files {', '.join(suffixes)} in the folder{hint}"
            raise PipelineError(path, None, f"[results] no results; {expected}")
        files += inside
    return list(dict.fromkeys(files))


def _left_by_people(path: Path, files: Sequence[Path], results: ReadResults) -> list[Path]:
    """Return the files of a folder or archive that are not of macOS or Windows; note how many are."""
    left = [file for file in files if not of_file_manager(file)]
    if count := len(files) - len(left):
        results.notes.append(f"{path}: {plural(count, 'file')} of macOS or Windows left out")
    return left


def read_results(paths: Iterable[Path], experiment: Experiment) -> ReadResults:
    """Return the records of an experiment.

    A file is the database of the server, text with records as JSON (an object or a list of objects in each line, or one list), or a zip
    archive of such texts, as JATOS exports results. A folder stands for its files.

    Raises:
        PipelineError: a file is unreadable or of another experiment, or a record is malformed; with its line.
    """
    results = ReadResults()
    for path in files_in(paths, (*SUFFIXES, *_ARCHIVES, *_DATABASES), results):
        if path.suffix.lower() in _ARCHIVES:
            members = {path / name: content for name, content in archived_files(path, SUFFIXES).items()}
            for member in _left_by_people(path, list(members), results):
                if member.name not in NO_RECORDS:
                    _add_text(results, decode(members[member], member), member, experiment)
            continue
        data = read_bytes(path)
        if data.startswith(_MAGIC):
            _add_database(results, path, experiment)
        else:
            _add_text(results, decode(data, path), path, experiment)
    return results


def _add_text(results: ReadResults, text: str, path: Path, experiment: Experiment) -> None:
    results.files += 1
    hint = _TABLES if path.suffix.lower() == ".csv" else ""
    values = json_values(text, path, f"a record, or a list of records{hint}")
    only = None if "\n" in text.strip() else 1
    results.records += [read_record(value, path, line or only, experiment) for line, value in values]


def read_record(value: object, path: Path, line: int | None, experiment: Experiment) -> ReadRecord:
    """Return the record that a JSON value holds; raises `PipelineError` at its place if it holds none of this experiment."""
    if not isinstance(value, dict):
        raise PipelineError(path, line, f"[json] wrong kind; found {shown(value)}, expected a record")
    with errors_at(path, line):
        return ReadRecord(path, line, session_record(value, experiment))


def _add_database(results: ReadResults, path: Path, experiment: Experiment) -> None:
    """Add what a database holds; it is only read, also while a server writes to it."""
    results.files += 1
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_TEXT)
            _require_ours(database, path, experiment.digest)
            for session in database.execute(
                "SELECT session FROM sessions WHERE session NOT IN (SELECT session FROM records)"
            ):
                results.silent.add(str(session[0]))
            results.withdrawn |= {str(row[0]) for row in database.execute("SELECT digest FROM withdrawn")}
            rows = database.execute("SELECT rowid, session, sequence, record FROM records ORDER BY session, sequence")
            for row, session, sequence, text in rows:
                try:
                    entry = read_record(from_json(str(text)), path, row, experiment)
                except ValueError as error:
                    raise PipelineError(path, row, f"[json] not JSON; {error}") from error
                if (record := entry.record) and (record.session, record.sequence) != (session, sequence):
                    reason = f"[sequence] found a record of {shown(record.session)}, number {record.sequence}, under another key"
                    raise PipelineError(path, row, reason)
                results.records.append(entry)
    except (sqlite3.Error, UnicodeError) as error:
        raise PipelineError(path, None, f"[data] not a database of an experiment; {error}") from error


def _require_ours(database: sqlite3.Connection, path: Path, digest: str) -> None:
    """Refuse a database of another program, with views in the place of tables, or of another experiment."""
    tables = {str(name) for name, kind in database.execute("SELECT name, type FROM sqlite_schema") if kind == "table"}
    application = database.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION or not tables >= {"experiment", "sessions", "records", "withdrawn"}:
        raise PipelineError(
            path, None, "[data] not a database of an experiment; expected one that `experiment serve` made"
        )
    stored = database.execute("SELECT digest FROM experiment").fetchone()
    if stored is None or stored[0] != digest:
        raise PipelineError(
            path, None, "[data] results of another experiment; expected the folder of its trials for --experiment"
        )


@dataclass(frozen=True, slots=True)
class Session:
    """What a person has answered: the background by question, the trials by position; `missing` positions have no answer."""

    session: str  # the id that the browser has drawn; it reaches no table
    list: int
    background: Mapping[str, str]  # empty if the answers were not given
    trials: Mapping[int, Mapping[str, Any]]
    completed: bool
    reloads: int
    missing: int


@dataclass(slots=True)
class Sessions:
    """The sessions of an experiment, and what became of every record.

    Attributes:
        sessions: those that count, in the order of the digest of their ids.
        read: number of records read: `trials` + `others` + `duplicates` + `repeated` + `withdrawn_records`.
        trials: number of records that became responses.
        others: number of records on start, background and end.
        duplicates: number of records that were read twice.
        repeated: number of answers to a trial that had been answered; the first one counts.
        withdrawn_records: number of records of withdrawn sessions.
        withdrawn: number of withdrawn sessions.
        silent: number of sessions that got a list and sent nothing.
        private: number of answers on the background that were left out, since they could name a person.
    """

    sessions: list[Session] = field(default_factory=list)
    read: int = 0
    trials: int = 0
    others: int = 0
    duplicates: int = 0
    repeated: int = 0
    withdrawn_records: int = 0
    withdrawn: int = 0
    silent: int = 0
    private: int = 0


def sessions_of(results: ReadResults, experiment: Experiment) -> Sessions:
    """Return the sessions in what was read.

    A record is known by session and number, and counts once. Of several answers to a trial the first counts: whoever sees a text again
    has read it before. A session that was withdrawn anywhere is left out everywhere.

    Raises:
        PipelineError: two records of a session have the same number and differ, or the session has two lists.
    """
    grouped: dict[str, dict[int, ReadRecord]] = {}
    sessions = Sessions(read=len(results.records))
    for entry in results.records:
        own = grouped.setdefault(entry.record.session, {})
        before = own.setdefault(entry.record.sequence, entry)
        if before is not entry:
            _require_same(entry, before)
            sessions.duplicates += 1
        _require_list(entry, next(iter(own.values())))
    digests = {session: session_digest(session) for session in grouped}
    gone = {
        session
        for session, own in grouped.items()
        if digests[session] in results.withdrawn or any(entry.record.kind == "withdrawn" for entry in own.values())
    }
    for session in sorted(grouped, key=digests.__getitem__):
        records = [entry.record for _, entry in sorted(grouped[session].items())]
        if session in gone:
            sessions.withdrawn_records += len(records)
        else:
            _add(sessions, session, records, experiment)
    sessions.withdrawn = len(results.withdrawn | {digests[session] for session in gone})
    sessions.silent = len(results.silent - grouped.keys())
    return sessions


def _add(sessions: Sessions, session: str, records: Iterable[SessionRecord], experiment: Experiment) -> None:
    """Add a session, its records being in the order of their numbers."""
    trials: dict[int, Mapping[str, Any]] = {}
    background: Mapping[str, Any] = {}
    number, reloads, completed = 0, 0, False
    for record in records:
        number = record.list
        reloads = max(reloads, record.data.get("reloads", 0))
        completed = completed or record.kind == "end"
        if record.kind != "trial":
            sessions.others += 1
            background = background or (record.data if record.kind == "background" else {})
        elif record.data["position"] in trials:
            sessions.repeated += 1
        else:
            sessions.trials += 1
            trials[record.data["position"]] = record.data
    codes = {name: str(background[name]) for name in BACKGROUND if name in background}
    private = {name for name, code in codes.items() if not is_code(code)}
    sessions.private += len(private)
    sessions.sessions.append(
        Session(
            session,
            number,
            {name: code for name, code in codes.items() if name not in private},
            dict(sorted(trials.items())),
            completed,
            reloads,
            len(experiment.lists[number]) - len(trials),
        )
    )


def is_code(answer: str) -> bool:
    """Return whether an answer on the background is a code, as the page's choices have, and no free text that could name a person.

    >>> is_code("25-34"), is_code("germany-north"), is_code("a.b@example.org"), is_code("Anna Muster"), is_code("0211123456")
    (True, True, False, False, False)
    """
    digits = sum(character.isdigit() for character in answer)
    return len(answer) <= 40 and digits <= 5 and all(part.isalnum() for part in answer.rstrip("-").split("-") if answer)


def _require_same(entry: ReadRecord, before: ReadRecord) -> None:
    if entry.record.text != before.record.text:
        place = f"{before.path}:{before.line}" if before.line else str(before.path)
        reason = f"[sequence] found another record with the number {entry.record.sequence} in {place}, expected it once in a session"
        raise PipelineError(entry.path, entry.line, reason)


def _require_list(entry: ReadRecord, before: ReadRecord) -> None:
    if entry.record.list != before.record.list:
        reason = (
            f"[list] found {entry.record.list}, expected {before.record.list}, which other records of the session have"
        )
        raise PipelineError(entry.path, entry.line, reason)
