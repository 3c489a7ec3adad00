"""The pages of a collection's records: an index that one searches and filters, and a view of each record.

The pages hold no record. What they show is in scripts beside them that they load when they need it, since a page that is opened from
a disk may fetch nothing: `index.js` has what the index filters by, `rows-N.js` what it lists and searches, `records-N.js` all else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...core.files import read_text, write_text
from ...core.invisible import INVISIBLE
from ...core.outputs import remove
from ...core.pages import page_environment, write_page
from ..adjudication.table import KEPT
from .views import RecordView

#: Records in one script: of what the index lists, and of all.
_ROWS, _RECORDS = 500, 50
#: The scripts beside the pages.
SCRIPT, DATA = "view.js", "data"
_PART = re.compile(r"(?:rows|records)-[0-9]+\.js")
#: What the command writes into its folder, as patterns.
FILES = ("index.html", "record.html", SCRIPT, f"{DATA}/*.js")


def write_item_pages(
    folder: Path,
    name: str,
    views: Iterable[RecordView],
    facts: Mapping[str, str] | None = None,
    up: tuple[str, str] | None = None,
    lead: str = "",
) -> None:
    """Write the pages of records into a folder, and remove scripts of more records that an earlier run left there.

    The records are written as they come, so that memory holds some hundred of them.

    Args:
        name: the name of the collection.
        views: the records.
        facts: what the pages say of all records: the parsers, the rules.
        up: title and address of the page that leads to these.
        lead: what the index says first.
    """
    ids: list[str] = []
    facets = {facet: _Facet() for facet in _FACETS}
    rows: list[Any] = []
    records: list[RecordView] = []
    written = set()

    def flush(kind: str, batch: list[Any], size: int, least: int) -> None:
        if len(batch) >= least:
            file = f"{kind}-{(len(ids) - 1) // size}.js"
            _write(folder / DATA / file, kind, (len(ids) - 1) // size, batch)
            written.add(file)
            batch.clear()

    for view in views:
        ids.append(view.id)
        for facet, values in _values(view).items():
            facets[facet].add(tuple(values))
        rows.append(_row(view))
        records.append(view)
        flush("rows", rows, _ROWS, _ROWS)
        flush("records", records, _RECORDS, _RECORDS)
    flush("rows", rows, _ROWS, 1)
    flush("records", records, _RECORDS, 1)
    index = {
        "ids": ids,
        "sizes": {"rows": _ROWS, "records": _RECORDS},
        "facets": [[facet, *entry.table()] for facet, entry in facets.items() if any(entry.sets)],
        "facts": dict(facts or {}),
        "invisible": "".join(c if c in "[]-" else f"\\u{{{ord(c):x}}}" for c in INVISIBLE.pattern),
    }
    _write(folder / DATA / "index.js", "index", 0, index)
    for path in (folder / DATA).iterdir():
        if _PART.fullmatch(path.name) and path.name not in written:
            remove(path)
    write_text(folder / SCRIPT, read_text(Path(__file__).with_name("view.js")))
    last_column = "State" if any(facets["state"].sets) else "Marks" if any(facets["mark"].sets) else ""
    for page in ("index", "record"):
        template = page_environment().get_template(f"winograd/audit/{page}.html.j2")
        write_page(
            folder / f"{page}.html",
            template.render(name=name, total=len(ids), up=up, lead=lead, last_column=last_column),
        )


def _write(path: Path, kind: str, number: int, value: object) -> None:
    """Write a value as a script that hands it to the page; line separators are escaped, which older browsers take for line ends."""
    text = msgspec.json.encode(value).decode().replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    write_text(path, f'"use strict";\nwinoforge("{kind}", {number}, {text});\n')


#: What the index filters by, in the order of its form.
_FACETS = ("state", "change", "class", "mark", "rule", "near", "kind", "role", "register", "unmade", "answered")


def _values(view: RecordView) -> dict[str, Iterable[str]]:
    """Return the values of a record by facet; a record may have several of one."""
    return {
        "state": [KEPT if view.outcome == KEPT else "rejected"] if view.outcome else [],
        "change": [view.change[0]] if view.change else [],
        "class": [view.label] if view.label else [],
        "mark": view.marks,
        "rule": dict.fromkeys(view.rules),
        "near": [rule for rule, _ in view.near],
        "kind": [view.kind] if view.kind else [],
        "role": [view.role] if view.role else [],
        "register": [view.register] if view.register else [],
        "unmade": sorted(view.unmade),
        "answered": [f"{run}: {'right' if right else 'wrong'}" for run, _, right in view.answers],
    }


class _Facet:
    """The values of one facet for all records: each record has the number of a set of values."""

    def __init__(self) -> None:
        self.sets: dict[tuple[str, ...], int] = {}
        self.codes: list[int] = []

    def add(self, values: tuple[str, ...]) -> None:
        self.codes.append(self.sets.setdefault(values, len(self.sets)))

    def table(self) -> tuple[Sequence[Sequence[str]], Sequence[int]]:
        """Return the sets of values, and the number of each record's set."""
        return list(self.sets), self.codes


def _row(view: RecordView) -> list[Any]:
    """Return what the index shows of a record, and searches: text, target, candidates, answer, gloss, and the text as it was read."""
    first = view.wordings[0].text
    text, target = view.final.text, view.final.target
    return [view.lang, text, target, view.candidates, view.answer, view.gloss, "" if first == text else first]
