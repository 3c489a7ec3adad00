"""Read an edition of a collection: a release, a build, or a file of items, also as earlier versions of winoforge wrote them.

A row needs an id and a text. Its other fields are compared as they stand, whether or not today's readers know them.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ..core.checksums import CHECKSUMS
from ..core.convert import to_object
from ..core.errors import PipelineError, errors_at, shown
from ..core.files import parse_jsonl, read_text, require_unique
from ..core.hints import near_name
from ..core.outputs import is_stdin
from ..core.records import text_field
from ..core.tables import read_table
from ..core.validation.rows import list_of, text_of
from ..evaluation.folder import CARD, NO_FORMS, read_folder
from ..winograd.errata import read_errata
from ..winopron.instances import VERSIONS
from .changes import ERRATA
from .cloze import FILLERS
from .comparison import Edition, Row
from .manifest import PROVENANCE
from .validation.folder import REJECTED

#: The files of a build that hold its items, by its last stage; the sentences of templates are in two.
_ITEMS = (
    ("zero.jsonl",),
    tuple(f"{version}.jsonl" for version in VERSIONS),
    *((f"{stage}.jsonl",) for stage in ("adjudicated", "modified", "kept", "items")),
)
#: The files of a build that hold the records it does not release, the last stage first.
_ABSENT = ("adjudicated-rejected.jsonl", "modified-rejected.jsonl", "rejected.jsonl", "skipped.jsonl")
_EXPECTED = "two releases, two builds or two files of items"
#: Files that are beside the forms and are none: what readers said, and what no form is made of.
_NO_FORMS = frozenset((*NO_FORMS, "unmade"))


def read_edition(path: Path) -> Edition:
    """Return the edition in a release folder, a build folder or a file of items (JSON Lines).

    Raises:
        PipelineError: it is none of them; a file in it is malformed; a row has no id or no text, or an id is used twice.
    """
    if is_stdin(path) or path.is_file():
        return Edition(path, "file of items", _items([path]))
    if not path.is_dir():
        reason = f"no such file or folder{near_name(path)}; expected a release, a build or a file of items"
        raise PipelineError(path, None, f"[edition] {reason}")
    if (path / CHECKSUMS).is_file() or (path / "data").is_dir():
        return _release(path)
    for names in _ITEMS:
        if files := [path / name for name in names if (path / name).is_file()]:
            return _build(path, files)
    inside = sorted(entry.parent for pattern in (CARD, "items.jsonl") for entry in path.glob(f"*/{pattern}"))
    hint = f", such as {inside[0]}" if inside else ""
    raise PipelineError(path, None, f"[edition] no release, build or file of items; expected one{hint}")


def require_one_kind(old: Edition, new: Edition) -> None:
    """Raise `PipelineError` unless both editions are read from things of one kind."""
    if old.kind != new.kind:
        reason = f"found a {old.kind} ({old.path}) and a {new.kind} ({new.path}), expected {_EXPECTED}"
        raise PipelineError(None, None, f"[edition] two kinds; {reason}")


def read_reasons(paths: Iterable[Path]) -> dict[str, str]:
    """Return why items left or changed, by item or schema, from tables with the columns id and why (TSV), and from errata (YAML).

    Raises:
        PipelineError: a file is malformed, or has no reason for an id.
    """
    reasons: dict[str, str] = {}
    for path in paths:
        if path.suffix in (".yaml", ".yml"):
            for entry in read_errata(path):
                row = to_object(entry) | {"erratum": entry.id}
                reasons |= dict(_errata((0, row | {"item": item_id}) for item_id in entry.before))
            continue
        for line, row in read_table(path, ("id", "why")):
            if not row["id"] or not row["why"]:
                raise PipelineError(path, line, "[why] empty cell; expected an id and the reason why it left")
            reasons[row["id"]] = f"{path.name}: {row['why']}"
    return reasons


def _rows(path: Path) -> list[tuple[int, Row]]:
    return list(parse_jsonl(read_text(path), path)) if is_stdin(path) or path.is_file() else []


def _items(paths: Iterable[Path]) -> dict[str, Row]:
    items: dict[str, Row] = {}
    for path in paths:
        lines: dict[str, int | None] = {}
        for line, row in _rows(path):
            with errors_at(path, line):
                item_id, _ = text_field(row, "id"), text_field(row, "text")
            if "findings" in row:
                raise PipelineError(
                    path, line, f"[findings] a rejected record; found {shown(item_id)}, expected an item"
                )
            require_unique(lines, item_id, path, line)
            items[item_id] = row
    if not items:
        names = ", ".join(map(str, paths))
        raise PipelineError(None, None, f"[edition] no item; found no row in {names}, expected items (JSON Lines)")
    return items


# --- builds and releases ----------------------------------------------------------------------------------------------


def _build(path: Path, files: list[Path]) -> Edition:
    absences: dict[str, str] = {}
    for name in _ABSENT:
        absences |= {key: reason for key, reason in _absences(_rows(path / name)) if key not in absences}
    events = chain(
        _modifications(_rows(path / "modifications.jsonl")), _adjudications(_rows(path / "adjudications.jsonl"))
    )
    others = [path / "cloze.jsonl", *sorted(path.glob("variants/*.jsonl"))]
    forms = {file.stem: _rows(file) for file in others if file.is_file()}
    read = " and ".join(file.name for file in files)
    return Edition(path, "build", _items(files), read, _by_item(forms), absences, _listed(events))


def _release(path: Path) -> Edition:
    release = read_folder(path)
    main = VERSIONS if release.kind == "templates" else (release.main,)
    items = _items([path / "data" / f"{name}.jsonl" for name in main])
    if release.kind == "cloze" and FILLERS in release.stems:
        items |= _items([path / "data" / f"{FILLERS}.jsonl"])
    forms = {name: release.lines(name) for name in sorted(release.stems - {*main, FILLERS})}
    provenance = release.rows(PROVENANCE)
    events = chain(
        (
            (str(row.get("id")), f"modified ({row['modification']})")
            for row in items.values()
            if row.get("modification")
        ),
        _adjudications(
            [(0, row | row["adjudication"]) for row in provenance if isinstance(row.get("adjudication"), dict)]
        ),
        _errata(release.lines(ERRATA)),
    )
    first: Mapping[str, Any] = provenance[0] if provenance else {}
    made_from = {what: str(first[name]) for what, name in (("source", "sha256"), ("rules", "rules")) if name in first}
    absences = dict(_absences(release.lines(REJECTED)))
    read, version = "", text_of(release.metadata, "version")
    return Edition(path, "release", items, read, _by_item(forms), absences, _listed(events), made_from, version)


def _by_item(forms: Mapping[str, Iterable[tuple[int, Row]]]) -> dict[str, dict[str, list[Row]]]:
    tables: dict[str, dict[str, list[Row]]] = {}
    for name, rows in forms.items():
        if name not in _NO_FORMS:
            table = tables.setdefault(name, {})
            for _, row in rows:
                table.setdefault(str(row.get("item", row.get("id"))), []).append(row)
    return tables


def _listed(events: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for item_id, event in events:
        lists.setdefault(item_id, []).append(event)
    return lists


def _absences(rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[str, str]]:
    """Yield the id of each rejected record and its first finding: the rule, its class, what it says."""
    for _, row in rows:
        finding = next(iter(list_of(row, "findings", dict)), {})
        said = f": {finding['message']}" if finding.get("message") else ""
        yield str(row.get("id")), f"rejected by {finding.get('rule')} ({finding.get('class')}){said}"


def _modifications(rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[str, str]]:
    for _, row in rows:
        words = f"{row.get('from')} -> {row.get('to')}"
        yield str(row.get("id")), f"modified ({row.get('type')}, {words}): {row.get('reason')}"


def _errata(rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[str, str]]:
    for _, row in rows:
        words = f"erratum {row.get('erratum')}, {row.get('action')} (found by: {row.get('by')}): {row.get('found')}"
        yield str(row.get("item")), words


def _adjudications(rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[str, str]]:
    """Yield what people decided, from the ledger of `annotate apply` or from the provenance of a release."""
    for _, row in rows:
        decision = row["decision"] if isinstance(row.get("decision"), dict) else row
        study = f" in {decision['study']}" if decision.get("study") else ""
        reason = f": {decision['reason']}" if decision.get("reason") else ""
        yield str(row.get("id")), f"decided by people ({decision.get('action') or 'with its pair-mate'}{study}){reason}"
