"""The texts of a release: card, tasks and metadata follow from its data, and all are as a release writes them, without personal data."""

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import from_json, json_lines, parse_jsonl, read_bytes, read_text
from ...core.records import item_from_json, rejected_from_json
from ...core.validation.derivation import excerpt, fault, id_of, odd_bytes
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Row
from ...evaluation.folder import CARD, Lines
from ...language.personal_data import HOME
from ...language.text_checks import check_personal_data
from ...winograd.build import FOLLOW
from ...winograd.forms.form import OPTIONS
from ...winopron.instances import VERSIONS, Instance, Version
from .. import cloze, documents, winograd, winopron
from ..changes import CHANGES, ERRATA, changes_text
from ..manifest import PROVENANCE
from ..people import STUDIES, studies_from_json
from ..systems import PREDICTIONS, difficulty_files, system_accuracies
from ..tables import metadata_files
from .folder import REJECTED, Release

_PLAIN, _PERSONAL = "written-plainly", "no-personal-data"
_CARD, _TASKS, _METADATA = "card-follows-data", "tasks-follow-data", "metadata-follow-data"
_DIFFICULTY = "difficulty-follows-answers"
#: What each text must be, by expectation.
TEXTS: Mapping[str, str] = {
    _PLAIN: "A file has no byte order mark, no carriage return and no path of a home, and its JSON is as a release writes it.",
    _PERSONAL: "No remark, gloss, source or reason of a row has an address, telephone number or identity number of a person.",
    _CARD: "Each line of the card is as a release of the same data and source has it: numbers, tables, fields, example.",
    _TASKS: "The tasks for lm-evaluation-harness, with their Python file, are those that a release of the same data has.",
    _METADATA: "Citation and Croissant metadata are those of the source and the files of the release: version, columns, sizes, checksums.",
    _DIFFICULTY: "The tables of difficulty are those that the answers of systems and people in the release give.",
}
#: Fields of a row that somebody has written besides the texts themselves.
_REMARKS = frozenset(["source", "note", "gloss", "remark", "reader", "message", "reason", "study"])
_STUDIES = re.compile(r"^People decided about some items in studies \((.*)\)\.", re.MULTILINE)
_DECISION = re.compile(r"^\| (keep|drop|relabel|modify) \| ([0-9]{1,6}) \|$", re.MULTILINE)


def text_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each text that a release has and should have, and one for each place where it is not what it should be."""
    yield from _plain(release)
    for name, data in _card_and_tasks(release).items():
        yield from _differences(release, name, data.decode(), _CARD if name == CARD else _TASKS)
    if release.rows(ERRATA):
        with contextlib.suppress(LookupError, ValueError, TypeError, AttributeError):  # errata that others report
            yield from _differences(release, CHANGES, changes_text(release.rows(ERRATA)), _CARD)
    for name, data in _metadata(release).items():
        yield from _differences(release, name, data.decode(), _METADATA)
    for name, data in _difficulty(release).items():
        yield from _differences(release, name, data.decode(), _DIFFICULTY)


def _differences(release: Release, name: str, expected: str, expectation: str) -> Iterator[Row]:
    if name not in release.entries:  # reported as missing
        return
    row_id, path = f"{release.name}/{name}", release.path / name
    yield Row(row_id, path, 1, {"artifact": expectation})
    here, there = release.text(name).split("\n"), expected.split("\n")
    for kind, start, end, first, last in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        if kind != "equal":
            reason = _reason(here[start:end], there[first:last])
            yield fault(expectation, path, min(start + 1, len(here)), row_id, reason)


def _reason(here: Sequence[str], there: Sequence[str]) -> str:
    for actual, expected in zip(here, there, strict=False):
        if actual != expected:
            return f"found {excerpt(actual, expected)}, expected {excerpt(expected, actual)}"
    actual, expected = (shown(lines[0]) if lines else "no line" for lines in (here, there))
    return f"found {actual}, expected {expected}"


def _metadata(release: Release) -> dict[str, bytes]:
    """Return the citation and the Croissant metadata that a release of the same files has; nothing if rows fit no table."""
    tables = {name: [row for _, row in release.stamped_lines(name)] for name in release.data}
    files = {
        name: read_bytes(release.path / name)
        for name, kind in release.entries.items()
        if name in release.files and not kind
    }
    try:
        return metadata_files(release.name, release.origin, tables, files)
    except (ValueError, TypeError, OverflowError):  # those of Arrow are among them
        return {}


def _difficulty(release: Release) -> dict[str, bytes]:
    """Return the tables of difficulty that a release of the same answers has; nothing if they are malformed, which others report."""
    people = studies_from_json(release.text(STUDIES))
    with contextlib.suppress(PipelineError, ValueError, LookupError, TypeError, AttributeError):
        if PREDICTIONS in release.entries:
            return difficulty_files(release.items, release.path / PREDICTIONS, people)
    return {}


def _card_and_tasks(release: Release) -> dict[str, bytes]:
    """Return the card and the tasks that a release of the same data has; nothing if a row is malformed, which others report."""
    name, origin, people = release.name, release.origin, studies_from_json(release.text(STUDIES))
    asked = release.kind == "collection" and PREDICTIONS in release.entries
    systems = system_accuracies(release.path / PREDICTIONS, release.items) if asked else []
    with contextlib.suppress(PipelineError, ValueError, LookupError, TypeError, AttributeError):
        if release.of_templates:
            sentences: dict[Version, list[Instance]] = {
                version: [
                    Instance(item_from_json(row), text_of(row, "case"), text_of(row, "pronouns"))
                    for row in release.rows(version)
                ]
                for version in VERSIONS
            }
            return winopron.texts(name, sentences, origin, next(iter(release.rows("double")), {}), people)
        digests = Counter(text_of(row, "rules") for row in release.rows(PROVENANCE)).most_common(1)
        rules = digests[0][0] if digests else ""
        data: dict[str, Sequence[Mapping[str, Any]]] = {file: release.rows(file) for file in release.data}
        if release.kind == "documents":
            return documents.texts(name, data, origin, rules)
        if release.kind == "cloze":
            return cloze.texts(name, data, origin, rules, people)
        rows = data.pop(release.main)
        rejected = list(map(rejected_from_json, release.rows(REJECTED)))
        return winograd.texts(name, rows, rejected, _decisions(release), origin, rules, data, people, systems)
    return {}


def _decisions(release: Release) -> list[tuple[str, str]]:
    """Return action and study of each decision of people: those of the card, if the release has any at all.

    A decision about a record that was rejected all the same is in no other file of a release.
    """
    adjudications = [row.get("adjudication") for row in release.rows(PROVENANCE)]
    known = [
        (text_of(row, "action"), text_of(row, "study"))
        for row in adjudications
        if isinstance(row, dict) and row.get("action") != FOLLOW
    ]
    findings = [finding for row in release.rows(REJECTED) for finding in list_of(row, "findings", dict)]
    if not known and not any(text_of(finding, "rule").startswith("annotation/") for finding in findings):
        return []
    studies = match[1].split(", ") if (match := _STUDIES.search(release.card)) else [study for _, study in known]
    stated: Counter[str] = Counter({action: int(number) for action, number in _DECISION.findall(release.card)})
    actions = (stated | Counter(action for action, _ in known)).elements()
    return [(action, studies[min(at, len(studies) - 1)]) for at, action in enumerate(actions)] if studies else known


# --- files as bytes ---------------------------------------------------------------------------------------------------


def _plain(release: Release) -> Iterator[Row]:
    """Yield a row for each text file of a release, and one for each fault."""
    for name in release.files:
        if name not in release.entries or name.endswith(".parquet"):
            continue
        path, row_id = release.path / name, f"{release.name}/{name}"
        data = read_bytes(path)
        yield Row(row_id, path, 1, {"artifact": _PLAIN})
        is_rows = name.startswith("data/")  # which `formats-agree` compares byte by byte
        if not is_rows:
            yield from odd_bytes(data, _PLAIN, path, row_id)
        if name in (PROVENANCE, REJECTED):
            yield from written_otherwise(_PLAIN, path, row_id, list(parse_jsonl(read_text(path), path)))
        elif name in (OPTIONS, STUDIES):
            with contextlib.suppress(PipelineError, ValueError):  # another expectation reports what is no JSON
                yield from written_otherwise(_PLAIN, path, row_id, [(1, from_json(read_text(path)))])
        for line, text in enumerate(data.decode(errors="replace").split("\n"), 1):
            if home := HOME.search(text):
                yield fault(_PLAIN, path, line, row_id, f"found {home[0]!r}, expected no path of a machine")
        if name.endswith(".jsonl"):
            yield from _personal(path, release.lines(path.stem if is_rows else name))


def written_otherwise(expectation: str, path: Path, row_id: str, lines: Lines) -> Iterator[Row]:
    """Yield a row for the first line of a file that is not the JSON of its row: a byte order mark, a carriage return, other blanks."""
    here = read_bytes(path).splitlines(keepends=True)
    there = json_lines(row for _, row in lines).splitlines(keepends=True)
    for line, (actual, expected) in enumerate(zip_longest(here, there, fillvalue=b""), 1):
        if actual != expected:
            parts = [part.decode(errors="replace") for part in (actual, expected)]
            found = f"found {excerpt(*parts)}, expected {excerpt(*reversed(parts))}"
            reason = f"not as a release writes it; {found}"
            yield fault(expectation, path, line, row_id, reason)
            return


def _personal(path: Path, lines: Lines) -> Iterator[Row]:
    for line, row in lines:
        if reason := check_personal_data(_remarks(row), ""):
            yield fault(_PERSONAL, path, line, id_of(row) or f"line {line}", reason)


def _remarks(value: Any) -> Iterator[str]:
    """Yield the remarks of a row and of what is in it."""
    if isinstance(value, list):
        for entry in value:
            yield from _remarks(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            if isinstance(entry, str):
                yield from (entry,) if key in _REMARKS else ()
            else:
                yield from _remarks(entry)
