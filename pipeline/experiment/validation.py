"""The suites of an experiment's folder before it is served, and of the responses that come back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..core.convert import to_object
from ..core.errors import PipelineError, plural, shown
from ..core.files import read_bytes, read_text
from ..core.validation.derivation import Derived, checks_of, compare, fault, fault_of, reader_of, table_of
from ..core.validation.suite import Check, Row, Suite, Value, rows_with
from .browser.files import KEY, KEY_COLUMNS, OPTIONS, PSYCHOPY, build_again, key_row, trial_of
from .browser.records import ATTENTION, BACKGROUND, INPUTS, TRIALS, read_experiment
from .browser.results.sessions import is_code
from .browser.results.tables import (
    CODEBOOK,
    PARTICIPANT,
    PARTICIPANTS,
    RESPONSE,
    RESPONSES,
    YES,
    codebook_text,
    codes_in,
    participant_of,
    read_cells,
    response_of,
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
            yield _compare_file(folder, name, data)
    for path in sorted({*folder.glob("*"), *folder.glob(f"{PSYCHOPY}/**/*")}):
        is_ours = path.is_dir() or path.name.startswith(".") or path.suffix in _BESIDE
        if not is_ours and (name := path.relative_to(folder).as_posix()) not in files:
            yield fault("files", path, 1, name, "unknown file; found one, expected none")


def _place(row: Value) -> str:
    return f"list {row.get('list')}, position {row.get('position')}"


def _compare_file(folder: Path, name: str, expected: bytes) -> Row:
    """Return the row of a file, which has the first line that differs."""
    path = folder / name
    try:
        actual = read_bytes(path)
    except PipelineError as error:
        return fault_of("files", path, error)
    lines = zip_longest(actual.splitlines(keepends=True), expected.splitlines(keepends=True), fillvalue=b"")
    for line, (found, wanted) in enumerate(lines, 1):
        if found != wanted:
            sides = {"found": {"line": found.decode(errors="replace")}, "expected": {"line": wanted.decode()}}
            return Row(name, path, line, {"artifact": "files"} | sides)
    return Row(name, path, 1, {"artifact": "files"})


EXPERIMENT = Suite(
    "experiment",
    "experiments with people (build/experiment)",
    experiments,
    checks_of(_EXPECTATIONS),
    unique=False,
    may_be_empty=True,
)


#: A pseudonym of `pseudonyms`.
_PSEUDONYM = re.compile(r"p[0-9]{3,6}")


def responses(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of folders that `experiment import` wrote.

    - The row of a response has its cells as ``response``, those of its participant as ``owner``, and its ``trial`` if there is one.
    - The row of a participant has its cells as ``participant``, those of its ``responses``, its ``number`` in the file, the
      ``trials`` of its list by position, the ``codes`` that the codebook lists, and the first participant with the ``same`` responses.
    - The row of the codebook has its text as ``codebook``.
    """
    return [row for folder in paths for row in _response_rows(folder)]


def _response_rows(folder: Path) -> Iterator[Row]:
    lists = {
        str(number): {str(position): trial for position, trial in trials.items()}
        for number, trials in read_experiment(folder).lists.items()
    }
    before: dict[str, int] = {}
    people = list(read_cells(folder / PARTICIPANTS, PARTICIPANT))
    owners = {cells["participant"]: cells for _, cells in people}
    of_person: dict[str, list[Mapping[str, str]]] = {}
    for line, cells in read_cells(folder / RESPONSES, RESPONSE):
        pseudonym, position = cells["participant"], cells["position"]
        of_person.setdefault(pseudonym, []).append(cells)
        trial = lists.get(cells["list"], {}).get(position)
        last = before.get(pseudonym, 0)
        before[pseudonym] = int(position) if position.isdecimal() else last
        value: dict[str, Any] = {"response": cells, "owner": owners.get(pseudonym), "trial": trial, "last": last}
        yield Row(f"{pseudonym}/{position}", folder / RESPONSES, line, value)
    codebook = read_text(folder / CODEBOOK)
    codes = codes_in(codebook)
    first: dict[str, str] = {}
    for number, (line, cells) in enumerate(people, 1):
        pseudonym = cells["participant"]
        answers = of_person.get(pseudonym, [])
        same = repr([[cell for column, cell in row.items() if column != "participant"] for row in answers])
        value = {"participant": cells, "responses": answers, "number": number, "codes": codes}
        value |= {"same": first.setdefault(same, pseudonym) if answers else pseudonym}
        yield Row(pseudonym, folder / PARTICIPANTS, line, value | {"trials": lists.get(cells["list"], {})})
    yield Row(CODEBOOK, folder / CODEBOOK, 1, {"codebook": codebook})
    yield from _folder_rows(folder)


def _folder_rows(folder: Path) -> Iterator[Row]:
    """Yield a row for each file of a folder of responses, with what is wrong with its columns, or with it."""
    columns = {RESPONSES: RESPONSE, PARTICIPANTS: PARTICIPANT}
    for path in sorted(folder.glob("*")):
        if path.is_dir() or path.name.startswith("."):
            continue
        wrong = "" if path.name in (*columns, CODEBOOK, TRIALS) else "found an unknown file, expected none"
        if path.name in columns:
            header = read_text(path).split("\n", 1)[0].rstrip("\r").split("\t")
            expected = columns[path.name]
            wrong = (
                ""
                if header == [*expected]
                else f"found the columns {', '.join(header)}, expected {', '.join(expected)}"
            )
        elif path.name == TRIALS:
            wrong = _different_trials(folder)
        yield Row(f"{path.name} as a file", path, 1, {"file": wrong})


def _different_trials(folder: Path) -> str:
    """Return which trial is not the same in all lists, empty if each is."""
    first: dict[str, tuple[str, tuple[str, ...]]] = {}
    for trials in read_experiment(folder).lists.values():
        for trial in trials.values():
            sides = trial.text, tuple(trial.options)
            if first.setdefault(trial.id, sides) != sides:
                return (
                    f"found {trial.id} as {shown(trial.text)}, expected {shown(first[trial.id][0])} as in another list"
                )
    return ""


def fields(value: Value) -> str:
    """A response and a participant have the columns of the codebook, each of its type and in its range."""
    kind = next((kind for kind in ("response", "participant") if kind in value), None)
    if kind is None:
        return ""
    cells = value[kind]
    try:
        (response_of if kind == "response" else participant_of)(cells)
    except ValueError as error:
        return str(error)
    if not _PSEUDONYM.fullmatch(cells["participant"]):
        return f"[participant] found {shown(cells['participant'])}, expected a pseudonym, p and digits"
    if kind == "response":
        times = (column for column in ("rt_answer_ms", "rt_confidence_ms") if int(cells[column]) == 0)
        if column := next(times, ""):
            return f"[{column}] found 0, expected at least 1 millisecond"
        return (
            "" if cells["input"] in INPUTS else f"[input] found {shown(cells['input'])}, expected {', '.join(INPUTS)}"
        )
    if question := next((question for question in BACKGROUND if not is_code(cells[question])), ""):
        return f"[{question}] found {shown(cells[question])}, expected a code: letters, digits and hyphens; or nothing"
    for question, codes in value["codes"].items():
        if cells[question] and cells[question] not in codes:
            return f"[{question}] found {shown(cells[question])}, expected one of {', '.join(codes)}"
    return "" if cells["reloads"] else "[reloads] found nothing, expected a whole number"


def shown_in_list(value: Value) -> str:
    """The list of the experiment shows this trial at this position."""
    cells, trial = value["response"], value["trial"]
    if trial is None:
        return f"found list {cells['list']}, position {cells['position']}, which the experiment does not have"
    actual = (cells["id"], cells["part"])
    return "" if actual == (trial.id, trial.part) else f"found {', '.join(actual)}, expected {trial.id}, {trial.part}"


def in_order(value: Value) -> str:
    """The responses of a participant are in the order of their positions."""
    cells = value["response"]
    if not cells["position"].isdecimal() or int(cells["position"]) >= value["last"]:
        return ""
    return f"found position {cells['position']} after {value['last']}, expected them in their order"


def answer_offered(value: Value) -> str:
    """The answer is one of those to choose from."""
    answer, trial = value["response"]["answer"], value["trial"]
    if trial is None or answer in trial.options:
        return ""
    return f"found {answer!r}, expected one of {', '.join(trial.options)}"


def participant_known(value: Value) -> str:
    """The participant of a response is in the table of participants, with the same list."""
    owner, cells = value["owner"], value["response"]
    if owner is None:
        return f"found no {cells['participant']} among the participants"
    return (
        ""
        if owner["list"] == cells["list"]
        else f"found list {cells['list']}, expected {owner['list']}, the participant's"
    )


def numbered(value: Value) -> str:
    """The participants are numbered from 1 in the order of the file; none has the answers and the times of another."""
    if value["same"] != value["participant"]["participant"]:
        return f"found the answers and times of {value['same']} again, expected each participant once"
    pseudonym, number = value["participant"]["participant"], value["number"]
    if pseudonym[1:].isdecimal() and int(pseudonym[1:]) == number:
        return ""
    return f"found {pseudonym}, expected number {number}"


def attention_counted(value: Value) -> str:
    """The attention trials asked and answered as expected are those of the responses."""
    cells, trials = value["participant"], value["trials"]
    asked = [row for row in value["responses"] if row["part"] == ATTENTION]
    right = [row for row in asked if (trial := trials.get(row["position"])) and row["answer"] == trial.expected]
    actual = f"{cells['attention_right']} of {cells['attention_asked']}"
    expected = f"{len(right)} of {len(asked)}"
    return "" if actual == expected else f"found {actual}, expected {expected}"


def all_answered(value: Value) -> str:
    """A participant who completed the session answered every trial of the list."""
    if value["participant"]["completed"] != YES:
        return ""
    missing = value["trials"].keys() - {row["position"] for row in value["responses"]}
    return f"found {plural(len(missing), 'trial')} without an answer, expected none" if missing else ""


def columns_explained(value: Value) -> str:
    """The codebook explains each column of both tables once, and no other one, as the import does."""
    expected = codebook_text(codes_in(value["codebook"]))
    pairs = zip_longest(value["codebook"].splitlines(), expected.splitlines(), fillvalue="nothing")
    different = next(((found, expected) for found, expected in pairs if found != expected), None)
    return f"found {shown(different[0])}, expected {shown(different[1])}" if different else ""


def known_files(value: Value) -> str:
    """There are the tables with their columns in order, the codebook, the trials, each the same in all lists, and nothing else."""
    return str(value["file"])


_CHECKS: Mapping[str, tuple[str, Check]] = {
    "shown-in-list": ("response", shown_in_list),
    "in-order": ("response", in_order),
    "answer-offered": ("response", answer_offered),
    "participant-known": ("response", participant_known),
    "numbered": ("participant", numbered),
    "attention-counted": ("participant", attention_counted),
    "all-answered": ("participant", all_answered),
    "columns-explained": ("codebook", columns_explained),
    "known-files": ("file", known_files),
}
RESPONSES_SUITE = Suite(
    "responses",
    "folders of responses and participants that `experiment import` wrote",
    responses,
    {"contract": fields, **{name: rows_with(kind, check) for name, (kind, check) in _CHECKS.items()}},
    may_be_empty=True,
)
