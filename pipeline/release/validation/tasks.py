"""What must be true of the tasks for lm-evaluation-harness in a release: a release of the same data has the same."""

from collections.abc import Iterator

from ...core.errors import shown
from ...core.validation.rows import text_of
from ...core.validation.suite import Check, Row, Value
from ...winograd.cloze import CLOZE
from ..harness.tasks import files_of_cloze, files_of_collection, files_of_templates
from .card import source_of
from .folder import Release, well_formed_cloze_items, well_formed_items


def task_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each file for lm-evaluation-harness that a release has and should have."""
    for name, data in _expected(release).items():
        if name not in release.entries:
            continue
        actual, expected = release.text(name).split("\n"), data.decode().split("\n")
        place = next((at for at, lines in enumerate(zip(actual, expected, strict=False)) if lines[0] != lines[1]), None)
        at = min(len(actual), len(expected)) if place is None else place
        value = {"artifact": "task", "found": actual[at : at + 1], "expected": expected[at : at + 1]}
        yield Row(f"{release.name}/{name}", release.path / name, at + 1, value)


def _expected(release: Release) -> dict[str, bytes]:
    rows = release.rows(release.main)
    if release.kind == "cloze":
        return files_of_cloze(release.name, well_formed_cloze_items(release.rows(CLOZE)))
    if release.kind == "collection":
        return files_of_collection(release.name, text_of(rows[0], "lang") if rows else "zh")
    canary = (release.source or source_of(release)).canary
    return files_of_templates(release.name, well_formed_items(rows), canary)


def tasks_follow_data(value: Value) -> str:
    """The tasks for lm-evaluation-harness, with their Python file, are those that a release of the same data has."""
    actual, expected = (shown(lines[0]) if lines else "no line" for lines in (value["found"], value["expected"]))
    return "" if value["found"] == value["expected"] else f"found {actual}, expected {expected}"


TASKS: dict[str, Check] = {"tasks-follow-data": tasks_follow_data}
