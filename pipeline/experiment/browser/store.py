"""The database of the server: which list each session got, what it has sent."""

import hashlib
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from .records import Experiment, SessionRecord

#: The file in the folder of the data.
DATABASE = "results.sqlite"
#: Marks a database as one of this module, in the header of the file: "WFEX".
APPLICATION = 0x57464558
#: Version of the tables.
VERSION = 1
#: Maximum number of sessions, of records of one session, and of bytes of the database: a flood must not fill the disk.
MAX_SESSIONS = 5_000
MAX_RECORDS = 400
MAX_SIZE = 512 << 20
#: Seconds after its last sign within which a session counts as running.
RUNNING = 3600.0
_PAGE = 4096
#: HTTP status for a record that contradicts what is stored, and for one that a limit of the database keeps out.
_CONFLICT, _FULL = 409, 507
_TABLES = """
CREATE TABLE IF NOT EXISTS experiment (digest TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sessions (session TEXT PRIMARY KEY, list INTEGER NOT NULL, completed INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE IF NOT EXISTS records (
    session TEXT NOT NULL REFERENCES sessions, sequence INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (session, sequence)
) STRICT;
CREATE TABLE IF NOT EXISTS withdrawn (digest TEXT PRIMARY KEY) STRICT;
"""


class RefusedError(Exception):
    """A request that is answered with an error: an HTTP status, and ``[field] reason``."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class Counts:
    """What a database holds: sessions `begun`, of which others are completed or withdrawn; completed ones by list."""

    begun: int
    completed: int
    withdrawn: int
    records: int
    lists: Mapping[int, int]


class Store:
    """The sessions of an experiment in a SQLite database; every change is on the disk when its method returns.

    Neither addresses nor times are stored. Which sessions are running is known from what they sent while the program ran.
    """

    def __init__(self, folder: Path, experiment: Experiment, clock: Callable[[], float] = time.monotonic) -> None:
        """Open the database in a folder; both are made if they are missing. `clock` returns seconds.

        Raises:
            PipelineError: the folder cannot be written, or the file in it is no database of this experiment.
        """
        self.path = folder / DATABASE
        self._experiment = experiment
        self._clock = clock
        self._seen: dict[str, float] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self._database = sqlite3.connect(self.path, isolation_level=None)
        except OSError as error:
            raise PipelineError(self.path, None, f"[data] cannot be written; {error.strerror or error}") from error
        try:
            self._prepare(experiment.digest)
            _sync(folder)
        except BaseException as error:
            self._database.close()
            if isinstance(error, (sqlite3.Error, UnicodeError)):
                raise PipelineError(self.path, None, f"[data] not a database of an experiment; {error}") from error
            raise

    def _prepare(self, digest: str) -> None:
        run = self._database.execute
        (application,), (tables,) = run("PRAGMA application_id"), run("SELECT count(*) FROM sqlite_schema")
        if tables[0] and application[0] != APPLICATION:
            raise sqlite3.DatabaseError("found other tables, expected those that `experiment serve` makes")
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA foreign_keys = ON")
        run("PRAGMA secure_delete = ON")  # what a person withdraws is overwritten, not only forgotten
        run("PRAGMA busy_timeout = 5000")
        run(f"PRAGMA max_page_count = {MAX_SIZE // _PAGE}")
        run(f"PRAGMA application_id = {APPLICATION}")
        run(f"PRAGMA user_version = {VERSION}")
        self._database.executescript(_TABLES)
        if (fault := run("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(f"damaged: {fault}")
        with self._transaction():
            stored = run("SELECT digest FROM experiment").fetchone()
            if stored is None:
                run("INSERT INTO experiment VALUES (?)", (digest,))
            elif stored[0] != digest:
                reason = "[data] results of another experiment, or of other trials; expected a folder of its own for each experiment"
                raise PipelineError(self.path, None, reason)
        if unknown := self.counts().lists.keys() - self._experiment.lists.keys():
            raise sqlite3.DatabaseError(f"found list {min(unknown)}, expected those of the experiment")

    def close(self) -> None:
        """Close the database; all of it is then in one file."""
        self._database.close()

    def list_of(self, session: str) -> int | None:
        """Return the list of a session: the one it has, or the one that needs it most; None if the session was withdrawn.

        The list with the fewest completed sessions needs it most, then that with the fewest running ones, then the first.
        Raises `RefusedError` for more than `MAX_SESSIONS` sessions.
        """
        with self._transaction():
            number = self._stored_list(session)
            if number is None and not self._is_withdrawn(session):
                number = self._needed_list()
                self._add_session(session, number)
        if number is not None:
            self._seen[session] = self._clock()
        return number

    def add(self, record: SessionRecord) -> bool:
        """Store a record, or withdraw the session; return whether the record is stored, now or before: not if the session was withdrawn.

        Raises:
            RefusedError: the session has another list, or another record of the same number; or a limit of the database is reached.
        """
        if record.kind == "withdrawn":
            self._withdraw(record.session)
            return False
        with self._transaction():
            if self._is_withdrawn(record.session):
                return False
            self._add_record(record)
        self._seen[record.session] = self._clock()
        return True

    def counts(self) -> Counts:
        """Return what the database holds."""
        count = Counter(dict.fromkeys(self._experiment.lists, 0))
        rows = self._database.execute(
            "SELECT list, completed, count(*) FROM sessions GROUP BY list, completed"
        ).fetchall()
        for number, completed, sessions in rows:
            count[number] += sessions if completed else 0
        withdrawn = self._number("SELECT count(*) FROM withdrawn")
        return Counts(
            sum(sessions for *_, sessions in rows) + withdrawn,
            count.total(),
            withdrawn,
            self._number("SELECT count(*) FROM records"),
            dict(sorted(count.items())),
        )

    def running(self) -> Mapping[int, int]:
        """Return the number of running sessions by list: those that are not completed and gave a sign within `RUNNING` seconds."""
        now = self._clock()
        self._seen = {session: moment for session, moment in self._seen.items() if now - moment < RUNNING}
        rows = self._database.execute("SELECT session, list FROM sessions WHERE NOT completed")
        return Counter(number for session, number in rows if session in self._seen)

    def _needed_list(self) -> int:
        completed, running = self.counts().lists, self.running()
        return min(self._experiment.lists, key=lambda number: (completed[number], running.get(number, 0), number))

    def _stored_list(self, session: str) -> int | None:
        row = self._database.execute("SELECT list FROM sessions WHERE session = ?", (session,)).fetchone()
        return row and int(row[0])

    def _add_session(self, session: str, number: int) -> None:
        self._require_place()
        self._database.execute("INSERT INTO sessions (session, list) VALUES (?, ?)", (session, number))

    def _require_place(self) -> None:
        if self._number("SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM withdrawn)") >= MAX_SESSIONS:
            raise RefusedError(
                _FULL, f"[session] too many; found {MAX_SESSIONS}, expected a new folder of data for more"
            )

    def _add_record(self, record: SessionRecord) -> None:
        number, key = self._stored_list(record.session), (record.session, record.sequence)
        if number is None:
            self._add_session(record.session, record.list)
        elif number != record.list:
            raise RefusedError(_CONFLICT, f"[list] found {record.list}, expected {number}, the list of the session")
        stored = self._database.execute("SELECT record FROM records WHERE session = ? AND sequence = ?", key).fetchone()
        if stored is not None and stored[0] != record.text:
            raise RefusedError(
                _CONFLICT, f"[sequence] found another record with the number {record.sequence}, expected it once"
            )
        if stored is not None:
            return
        if self._number("SELECT count(*) FROM records WHERE session = ?", record.session) >= MAX_RECORDS:
            raise RefusedError(_FULL, f"[record] too many in a session; found {MAX_RECORDS}, expected no more")
        self._database.execute("INSERT INTO records VALUES (?, ?, ?)", (*key, record.text))
        if record.kind == "end":
            self._database.execute("UPDATE sessions SET completed = 1 WHERE session = ?", (record.session,))

    def _withdraw(self, session: str) -> None:
        """Delete all of a session. A digest of its random id stays, so that a record which comes late is not stored."""
        with self._transaction():
            if self._is_withdrawn(session):
                return
            if self._stored_list(session) is None:
                self._require_place()
            self._database.execute("DELETE FROM records WHERE session = ?", (session,))
            self._database.execute("DELETE FROM sessions WHERE session = ?", (session,))
            self._database.execute("INSERT INTO withdrawn VALUES (?)", (session_digest(session),))
        self._seen.pop(session, None)
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # nothing of it is left in the log either

    def _is_withdrawn(self, session: str) -> bool:
        return self._number("SELECT count(*) FROM withdrawn WHERE digest = ?", session_digest(session)) > 0

    def _number(self, query: str, *values: str) -> int:
        return int(self._database.execute(query, values).fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit what happens inside, or nothing of it."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except BaseException as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError) and "full" in str(error):
                raise RefusedError(_FULL, f"[data] {error}; expected space for the record") from error
            raise


def _sync(folder: Path) -> None:
    """Bring the names of the files in a folder to the disk: SQLite does so for their content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def session_digest(session: str) -> str:
    """Return the digest of a session's id, which gives the order of the pseudonyms and marks what was withdrawn."""
    return hashlib.sha256(session.encode()).hexdigest()
