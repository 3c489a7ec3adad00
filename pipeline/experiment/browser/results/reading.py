"""Read the records of sessions: from the database of the server, from files of the page, from what JATOS exports."""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ....core.archives import archived_files
from ....core.errors import PipelineError, shown
from ....core.files import decode, from_json, lines_of, read_bytes
from ..records import SessionRecord, session_record
from ..store import APPLICATION
from ..trials import Experiment

#: Names of files with records; `.txt` is what JATOS exports.
SUFFIXES = (".jsonl", ".json", ".txt")
#: Files of a folder or an archive that have these names too, but no records: what JATOS says of the runs.
NO_RECORDS = ("metadata.json",)
_ARCHIVES, _DATABASES = (".zip", ".jrzip"), (".sqlite",)
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
        silent: ids of sessions that got a list and sent nothing.
        withdrawn: digests of the ids of sessions of which nothing but these is left.
        skipped: number of rows of a table that are no trial, or have no answer.
        files: number of files read, members of archives included.
    """

    records: list[ReadRecord] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    skipped: int = 0
    files: int = 0


def session_digest(session: str) -> str:
    """Return the digest of a session's id, which gives the order of the pseudonyms and marks what was withdrawn."""
    return hashlib.sha256(session.encode()).hexdigest()


def files_in(paths: Iterable[Path], suffixes: Sequence[str]) -> list[Path]:
    """Return the files among paths, and those with certain suffixes in folders, sorted; each once.

    Raises:
        PipelineError: a folder has no such file.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(
            file
            for file in path.rglob("*")
            if file.suffix.lower() in suffixes and file.name not in NO_RECORDS and file.is_file()
        )
        if not inside:
            raise PipelineError(path, None, f"[results] no results; expected files {', '.join(suffixes)} in the folder")
        files += inside
    return list(dict.fromkeys(files))


def read_results(paths: Iterable[Path], experiment: Experiment) -> ReadResults:
    """Return the records of an experiment.

    A file is the database of the server, text with records as JSON (an object or a list of objects in each line, or one list), or a zip
    archive of such texts, as JATOS exports results. A folder stands for its files.

    Raises:
        PipelineError: a file is unreadable or of another experiment, or a record is malformed; with its line.
    """
    results = ReadResults()
    for path in files_in(paths, (*SUFFIXES, *_ARCHIVES, *_DATABASES)):
        if path.suffix.lower() in _ARCHIVES:
            for name, content in archived_files(path, SUFFIXES).items():
                if Path(name).name not in NO_RECORDS:
                    _add_text(results, decode(content, path / name), path / name, experiment)
            continue
        data = read_bytes(path)
        if data.startswith(_MAGIC):
            _add_database(results, path, experiment)
        else:
            _add_text(results, decode(data, path), path, experiment)
    return results


def _add_text(results: ReadResults, text: str, path: Path, experiment: Experiment) -> None:
    results.files += 1
    for line, value in _values(text, path):
        results.records.append(ReadRecord(path, line, _record(value, path, line, experiment)))


def _values(text: str, path: Path) -> Iterator[tuple[int | None, Any]]:
    """Yield the values of a text with the line of each: those of a list one by one."""
    if text.lstrip().startswith("["):
        try:
            whole = from_json(text)
        except ValueError:
            whole = None  # a list in each line
        if isinstance(whole, list):
            place = None if "\n" in text.strip() else 1
            yield from ((place, value) for value in whole)
            return
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            value = from_json(line)
        except ValueError as error:
            hint = "; --format psychopy reads tables" if path.suffix.lower() == ".csv" else ""
            reason = f"[json] not JSON ({error}); found {shown(line)}, expected a record, or a list of records{hint}"
            raise PipelineError(path, number, reason) from error
        yield from ((number, entry) for entry in (value if isinstance(value, list) else [value]))


def _record(value: object, path: Path, line: int | None, experiment: Experiment) -> SessionRecord:
    if not isinstance(value, dict):
        raise PipelineError(path, line, f"[json] wrong kind; found {shown(value)}, expected a record")
    try:
        return session_record(value, experiment)
    except ValueError as error:
        raise PipelineError(path, line, str(error)) from error


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
                    record = _record(from_json(str(text)), path, row, experiment)
                except ValueError as error:
                    raise PipelineError(path, row, f"[json] not JSON; {error}") from error
                if (record.session, record.sequence) != (session, sequence):
                    reason = f"[sequence] found a record of {shown(record.session)}, number {record.sequence}, under another key"
                    raise PipelineError(path, row, reason)
                results.records.append(ReadRecord(path, row, record))
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
