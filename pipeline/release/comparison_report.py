"""How `winoforge diff` tells what changed: lines for people, an object for programs, a page."""

from collections.abc import Iterator
from typing import Any

from ..core.errors import plural, shown
from ..core.files import to_json
from ..core.pages import page_environment
from .comparison import Comparison, Edition, FieldChange, ItemChange, next_version


def item_lines(result: Comparison) -> Iterator[str]:
    """Yield a line for each item that was dropped (``-``), added (``+``) or changed (``~``), with the reason."""
    for sign, changes in (("-", result.dropped), ("+", result.added), ("~", result.changed)):
        for change in changes:
            name = f"{change.old} -> {change.new}" if change.renamed else change.old or change.new
            what = (
                f" ({', '.join(change.classes)}): {'; '.join(map(_field_line, change.fields))}" if change.fields else ""
            )
            yield f"{sign} {name}{what}; because: {'; '.join(change.because)}"


def _field_line(entry: FieldChange) -> str:
    return f"{entry.name} {shown(entry.old)} -> {shown(entry.new)}" if entry.shown else entry.name


def summary_lines(result: Comparison) -> list[str]:
    """Return the counts of both editions, the classes of the changes, the fields and forms of one edition only, the version."""
    counts = [f"{result.same} same", f"{len(result.changed)} changed"]
    old, new = (plural(len(edition.rows), "item") for edition in (result.old, result.new))
    lines = [
        f"{result.old.path}: {old} = {' + '.join([*counts, f'{len(result.dropped)} dropped'])}",
        f"{result.new.path}: {new} = {' + '.join([*counts, f'{len(result.added)} added'])}",
    ]
    if result.old.read != result.new.read:
        lines.append(f"different stages: {result.old.read} of the old build, {result.new.read} of the new one")
    if result.changed:
        classes = [f"{name} {count}" for name, count in result.classes.items()]
        renamed = [f"another id {result.renamed}"] if result.renamed else []
        lines.append(f"changed: {', '.join(classes + renamed)}")
    for what in ("fields", "forms"):
        gone, more = result.differences(what)
        lines += [f"{what} gone: {', '.join(gone)}"] * bool(gone) + [f"{what} added: {', '.join(more)}"] * bool(more)
    version = next_version(result.old.version, result.step)
    return [
        *lines,
        f"version: {result.step}" + (f", {result.old.version} -> {version}" if version != result.old.version else ""),
    ]


def version_fault(result: Comparison) -> str:
    """Return what is wrong with the version that the new edition states; empty if it asks for no more, or states none."""
    wanted, stated = next_version(result.old.version, result.step), result.new.version
    if not wanted or not stated or _numbers(stated) >= _numbers(wanted):
        return ""
    return f"{result.new.path}: [version] too low; found {stated} after {result.old.version}, expected at least {wanted} ({result.step})"


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdecimal() and len(part) < 10 else 0 for part in version.split(".")]


def comparison_to_json(result: Comparison) -> dict[str, Any]:
    """Return a comparison as an object; the items of each list have their ids, classes, fields and reasons."""
    return {
        **{name: _edition(edition) for name, edition in (("old", result.old), ("new", result.new))},
        "same": result.same,
        "classes": result.classes,
        "renamed": result.renamed,
        **{name: list(map(_change, changes)) for name, changes in _groups(result)},
        **{what: dict(zip(("gone", "added"), result.differences(what), strict=True)) for what in ("fields", "forms")},
        "step": result.step,
        "version": next_version(result.old.version, result.step) or None,
    }


def _groups(result: Comparison) -> tuple[tuple[str, Any], ...]:
    return ("changed", result.changed), ("dropped", result.dropped), ("added", result.added)


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "path": str(edition.path),
        "kind": edition.kind,
        "items": len(edition.rows),
        "version": edition.version or None,
    }


def _change(change: ItemChange) -> dict[str, Any]:
    fields = {
        entry.name: {"class": entry.change} | ({"old": entry.old, "new": entry.new} if entry.shown else {})
        for entry in change.fields
    }
    return {
        "old": change.old,
        "new": change.new,
        "classes": change.classes,
        "fields": fields,
        "because": list(change.because),
    }


def comparison_page(result: Comparison) -> str:
    """Return the comparison as a page (HTML): the summary, then each item with its old and its new words."""
    template = page_environment().get_template("release/comparison.html.j2")
    return template.render(
        result=result,
        summary=summary_lines(result),
        groups=[(name.capitalize(), changes) for name, changes in _groups(result) if changes],
        as_json=to_json,
        row_of=lambda change: result.old.rows.get(change.old) or result.new.rows[change.new],
    )
