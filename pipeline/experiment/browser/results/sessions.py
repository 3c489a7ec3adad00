"""From records to sessions: each record once, each trial once, without those that were withdrawn."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....core.errors import PipelineError
from ..records import BACKGROUND, SessionRecord
from ..trials import Experiment
from .reading import ReadRecord, ReadResults, session_digest


@dataclass(frozen=True, slots=True)
class Session:
    """What a person has answered."""

    session: str
    list: int
    background: Mapping[str, str]
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
