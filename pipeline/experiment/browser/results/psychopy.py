"""Read the tables that PsychoPy writes, one file (CSV) for each run of the conditions of a list."""

import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from ....core.errors import PipelineError, shown
from ....core.files import read_bytes, to_json
from ....core.tables import parse_table, table_text
from ..records import Experiment, Trial
from .sessions import ReadResults, files_in, read_record

#: Columns of the conditions file, which PsychoPy repeats.
CONDITIONS = ("list_number", "trial_position", "trial_id")
#: The keyboard components of the two screens, with the names that the Builder gives the first and the second one.
ANSWER, CONFIDENCE = "key_resp", "key_resp_2"
#: Columns of a keyboard component: the key, and the seconds until it was pressed.
COLUMNS = (*CONDITIONS, *(f"{component}.{column}" for component in (ANSWER, CONFIDENCE) for column in ("keys", "rt")))
#: What tells one run from another; none of it reaches a table.
_RUN = ("participant", "session", "date", "expStart")
#: What PsychoPy writes where no key was pressed.
_NO_KEY = ("", "None", "[]")
#: Milliseconds that an answer hardly takes: a table with such times has them in milliseconds.
_LONG = 120_000
#: A list of one key or time, as a component writes it that stores all keys.
_LIST_OF_ONE = re.compile(r"""\[\s*(["']?)([^\[\],"']+)\1\s*\]""")


@dataclass(frozen=True, slots=True)
class _Run:
    """The answered trials of a file as records without their session, each with its line."""

    path: Path
    lines: list[int]
    values: list[dict[str, Any]]


def read_psychopy(paths: Iterable[Path], experiment: Experiment) -> ReadResults:
    """Return the trials in tables of PsychoPy as records of sessions, one session for each file, but one for copies of a run.

    A key is the number of the answer or of the confidence, on any part of the keyboard (``1``, ``num_1``). Times are seconds in the
    table and milliseconds in a record. A session is completed if it has all trials of its list. Rows of other screens, and of trials
    that ended without an answer, are skipped.

    Raises:
        PipelineError: a file is no such table, or a row does not fit the experiment; with its line.
    """
    results = ReadResults()
    runs: dict[str, list[_Run]] = {}
    for path in files_in(paths, (".csv", ".tsv"), results):
        results.files += 1
        text = table_text(read_bytes(path), path)
        if text.lstrip().startswith(("{", "[")):
            reason = "JSON, as jsPsych and JATOS export it; expected a table of PsychoPy, or --format records"
            raise PipelineError(path, 1, f"[format] {reason}")
        rows = list(parse_table(text, path, COLUMNS, has_comments=False, by_program=True))
        identity = "\0".join(rows[0][1].get(column) or "" for column in _RUN) if rows else ""
        answered = [(line, row) for line, row in rows if row["trial_position"].strip() and _is_answered(row)]
        results.skipped += len(rows) - len(answered)
        values = [_value(row, experiment, path, line) for line, row in answered]
        if values and median(value["data"]["rt_answer_ms"] for value in values) >= _LONG:
            results.notes.append(
                f"{path}: most answers took more than two minutes; are these milliseconds? Expected seconds"
            )
        runs.setdefault(identity, []).append(_Run(path, [line for line, _ in answered], values))
    for identity, group in runs.items():
        _add_runs(results, identity, group, experiment)
    return results


def _add_runs(results: ReadResults, identity: str, group: Iterable[_Run], experiment: Experiment) -> None:
    """Add the runs that have one identity: one session, or one for each run with other answers if the identity was removed or is shared."""
    sessions: list[list[_Run]] = []
    for run in sorted(group, key=lambda run: -len(run.values)):
        same = next((runs for runs in sessions if runs[0].values[: len(run.values)] == run.values), None)
        if same is None:
            sessions.append([run])
        else:
            same.append(run)
            if run.values:
                results.notes.append(f"{run.path}: the run of {same[0].path} again, counted once")
    named = bool(identity.strip("\0"))
    if named and len(sessions) > 1:
        names = ", ".join(str(runs[0].path) for runs in sessions)
        columns = f"{', '.join(_RUN[:-1])} and {_RUN[-1]}"
        results.notes.append(
            f"{names}: equal in {columns}, but not in their answers; counted as {len(sessions)} sessions"
        )
    for runs in sessions:
        content = "" if named and len(sessions) == 1 else to_json(runs[0].values)
        session = hashlib.sha256(f"{identity}{content}".encode()).hexdigest()[:32]
        for run in runs:
            for sequence, (line, value) in enumerate(zip(run.lines, run.values, strict=True)):
                place = {"session": session, "sequence": sequence}
                results.records.append(read_record(value | place, run.path, line, experiment))
            number = run.values[-1]["list"] if run.values else 0
            if number and len({value["data"]["position"] for value in run.values}) == len(experiment.lists[number]):
                end: dict[str, Any] = {
                    "session": session,
                    "list": number,
                    "record": "end",
                    "sequence": len(run.values),
                    "data": {},
                }
                results.records.append(read_record(end, run.path, None, experiment))


def _is_answered(row: Mapping[str, str]) -> bool:
    return all(row[f"{screen}.keys"].strip() not in _NO_KEY for screen in (ANSWER, CONFIDENCE))


def _value(row: Mapping[str, str], experiment: Experiment, path: Path, line: int) -> dict[str, Any]:
    """Return the kind, list and data of the record of a row."""
    number, position = _number(row, "list_number", path, line), _number(row, "trial_position", path, line)
    trial = experiment.lists.get(number, {}).get(position)
    if trial is None:
        reason = f"[trial_position] not in the experiment; found list {number}, position {position}"
        raise PipelineError(path, line, reason)
    data = {
        "position": position,
        "id": row["trial_id"].strip(),
        "part": trial.part,
        "answer": _answer(row, trial, path, line),
        "confidence": _key(row, CONFIDENCE, path, line),
        "rt_answer_ms": _milliseconds(row, ANSWER, path, line),
        "rt_confidence_ms": _milliseconds(row, CONFIDENCE, path, line),
        "input": "keyboard",
    }
    return {"record": "trial", "list": number, "data": data}


def _answer(row: Mapping[str, str], trial: Trial, path: Path, line: int) -> str:
    key = _key(row, ANSWER, path, line)
    if not 1 <= key <= len(trial.options):
        reason = f"[{ANSWER}.keys] found {key}, expected the number of an answer, 1 to {len(trial.options)}"
        raise PipelineError(path, line, reason)
    return trial.options[key - 1]


def _key(row: Mapping[str, str], component: str, path: Path, line: int) -> int:
    cell = _single(row[f"{component}.keys"])
    digit = _whole(cell.removeprefix("num_"))
    if len(digit) != 1 or digit not in "0123456789":
        reason = f"[{component}.keys] found {shown(cell)}, expected one number key; let the component store the last key only"
        raise PipelineError(path, line, reason)
    return int(digit)


def _milliseconds(row: Mapping[str, str], component: str, path: Path, line: int) -> float:
    cell = _single(row[f"{component}.rt"])
    try:
        seconds = float(cell.replace(",", "."))  # German spreadsheets write 0,9
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise PipelineError(path, line, f"[{component}.rt] found {shown(cell)}, expected seconds")
    return round(1000 * seconds, 3)


def _single(cell: str) -> str:
    match = _LIST_OF_ONE.fullmatch(cell.strip())
    return match[2].strip() if match else cell.strip()


def _whole(cell: str) -> str:
    """Return a cell without the decimal places that a program or a spreadsheet gives whole numbers."""
    return re.sub("[.,]0+$", "", cell)


def _number(row: Mapping[str, str], column: str, path: Path, line: int) -> int:
    cell = row[column].strip()
    whole = _whole(cell)
    if not (whole.isascii() and whole.isdecimal() and len(whole) <= 4):
        raise PipelineError(path, line, f"[{column}] found {shown(cell)}, expected a whole number")
    return int(whole)
