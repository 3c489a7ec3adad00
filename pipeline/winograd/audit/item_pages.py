"""The pages of a collection's records: an index that one searches and filters, and a view of each record.

The pages hold no record. What they show is in scripts beside them that they load when they need it, since a page that is opened from
a disk may fetch nothing: `index.js` has what the index filters by, `rows-N.js` what it lists and searches, `records-N.js` all else.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from ...core.files import read_text, write_text
from ...core.invisible import INVISIBLE
from ...core.outputs import remove
from ...core.pages import page_environment, write_page
from ..adjudication.table import KEPT
from .views import RecordView

#: Records in one script: of what the index lists (a multiple), and of all.
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
        facts: what the pages say of all records: the parsers, the rules.
        up: title and address of the page that leads to these.
        lead: what the index says first.
    """
    ids: list[str] = []
    # The values of each facet, by the number of their set; and the number of each record's set.
    sets: dict[str, dict[tuple[str, ...], int]] = {facet: {} for facet in _FACETS}
    codes: dict[str, list[int]] = {facet: [] for facet in _FACETS}
    rows: list[Any] = []
    written = set()

    def write(kind: str, number: int, values: list[Any]) -> None:
        _write(folder / DATA / f"{kind}-{number}.js", kind, number, values)
        written.add(f"{kind}-{number}.js")

    for number, group in groupby(enumerate(views), lambda place: place[0] // _RECORDS):
        records = [view for _, view in group]
        for view in records:
            for facet, values in _values(view).items():
                codes[facet].append(sets[facet].setdefault(tuple(values), len(sets[facet])))
        write("records", number, records)
        ids += [view.id for view in records]
        rows += map(_row, records)
        if len(rows) == _ROWS:
            write("rows", len(ids) // _ROWS - 1, rows)
            rows.clear()
    if rows:
        write("rows", len(ids) // _ROWS, rows)
    index = {
        "ids": ids,
        "sizes": {"rows": _ROWS, "records": _RECORDS},
        "facets": [[facet, list(sets[facet]), codes[facet]] for facet in _FACETS if any(sets[facet])],
        "facts": dict(facts or {}),
        "invisible": "".join(c if c in "[]-" else f"\\u{{{ord(c):x}}}" for c in INVISIBLE.pattern),
    }
    _write(folder / DATA / "index.js", "index", 0, index)
    for path in (folder / DATA).iterdir():
        if _PART.fullmatch(path.name) and path.name not in written:
            remove(path)
    write_text(folder / SCRIPT, read_text(Path(__file__).with_name("view.js")))
    last_column = "State" if any(sets["state"]) else "Marks" if any(sets["mark"]) else ""
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


def _row(view: RecordView) -> list[Any]:
    """Return what the index shows of a record, and searches: text, target, candidates, answer, gloss, and the text as it was read."""
    first = view.wordings[0].text
    text, target = view.final.text, view.final.target
    return [view.lang, text, target, view.candidates, view.answer, view.gloss, "" if first == text else first]
