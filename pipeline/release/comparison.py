"""Compare two editions of a collection item by item, and say which version the new one asks for.

The version follows semver.org, read for data: **major** if a result on the old edition cannot be set beside one on the new (an answer
changed; an item, its id, a field or a form is gone), **minor** if there is more (items, fields, forms), **patch** if only words changed.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ..core.errors import plural, shown
from ..core.files import to_json
from ..core.pages import page_environment
from ..core.validation.rows import candidates_of

Row = dict[str, Any]
#: What an edition is read from.
Kind = Literal["file of items", "build", "release"]
#: What changed of an item, the gravest first.
ChangeClass = Literal["answer", "candidates", "text", "question", "form", "metadata"]
CLASSES: tuple[ChangeClass, ...] = get_args(ChangeClass)
#: How much of a version number changes, the most first; ``none`` for two equal editions.
Step = Literal["major", "minor", "patch", "none"]
#: The class of a changed field; every other one is metadata.
_CLASS_OF: Mapping[str, ChangeClass] = {
    **dict.fromkeys(("answer", "gold", "pronoun", "labelled", "zeros"), "answer"),
    **dict.fromkeys(("candidates", "antecedents", "antecedent"), "candidates"),
    **dict.fromkeys(("text", "target"), "text"),
    "question": "question",
    **dict.fromkeys(("text_zero", "zero", "text_dropped", "dropped", "mentions", "oracle"), "form"),
}
#: The fields of a row that say which release it is from, and nothing of its item.
_OF_RELEASE = frozenset(("release", "canary"))
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
#: The reason of what no file of an edition explains.
UNEXPLAINED = "no file says why"


@dataclass(frozen=True)
class Edition:
    """An edition of a collection.

    Attributes:
        path: the file or folder that it was read from.
        read: the file of that folder that has the items; empty for a file of items.
        rows: its items by id, in their order.
        forms: the rows of each derived form by the id of their item.
        absences: why a record is not among the items, by its id.
        events: what was done to an item by its id: a modification, a decision of people, an erratum.
        made_from: the checksums of what it was made from (``source``, ``rules``); empty if it does not say.
        version: its version; empty if it does not say.
    """

    path: Path
    kind: Kind
    rows: Mapping[str, Row]
    read: str = ""
    forms: Mapping[str, Mapping[str, Sequence[Row]]] = field(default_factory=dict)
    absences: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, Sequence[str]] = field(default_factory=dict)
    made_from: Mapping[str, str] = field(default_factory=dict)
    version: str = ""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that differs; `old` or `new` is None where the row lacks it. Of the rows of a derived form only the name is `shown`."""

    name: str
    change: ChangeClass
    old: Any = None
    new: Any = None
    shown: bool = True


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item that was added (`old` is None), dropped (`new` is None) or changed; `old` and `new` are its ids, which differ in a rename."""

    old: str | None
    new: str | None
    fields: tuple[FieldChange, ...]
    because: tuple[str, ...]

    @property
    def classes(self) -> list[ChangeClass]:
        """The classes of its changed fields, the gravest first."""
        return [name for name in CLASSES if any(entry.change == name for entry in self.fields)]

    @property
    def renamed(self) -> bool:
        """Whether the item has another id now."""
        return None not in (self.old, self.new) and self.old != self.new


@dataclass(frozen=True)
class Comparison:
    """Two editions beside each other; each item of either is in one of `same`, `changed`, `dropped` and `added`."""

    old: Edition
    new: Edition
    same: int
    changed: Sequence[ItemChange]
    dropped: Sequence[ItemChange]
    added: Sequence[ItemChange]

    @property
    def classes(self) -> dict[str, int]:
        """The number of changed items by class; an item can be in several."""
        counts = Counter(name for change in self.changed for name in change.classes)
        return {name: counts[name] for name in CLASSES if counts[name]}

    @property
    def renamed(self) -> int:
        """The number of changed items that have another id."""
        return sum(change.renamed for change in self.changed)

    def differences(self, what: Literal["fields", "forms"]) -> tuple[list[str], list[str]]:
        """Return the fields, or the derived forms, that only the old edition has, and those that only the new one has."""
        old, new = (_fields(edition) if what == "fields" else edition.forms.keys() for edition in (self.old, self.new))
        return sorted(old - new), sorted(new - old)

    @property
    def step(self) -> Step:
        """How much of the version number the new edition must change; see the head of this module."""
        gone, more = (any(self.differences(what)[place] for what in ("fields", "forms")) for place in (0, 1))
        if self.dropped or self.renamed or "answer" in self.classes or gone:
            return "major"
        return "minor" if self.added or more else "patch" if self.changed else "none"


def _fields(edition: Edition) -> set[str]:
    return {name for row in edition.rows.values() for name in row}


def next_version(version: str, step: Step) -> str:
    """Return the version after a step; below 1.0.0 a major one raises the second number, and all others the third.

    >>> next_version("1.2.3", "major"), next_version("1.2.3", "minor"), next_version("0.2.3", "major"), next_version("", "patch")
    ('2.0.0', '1.3.0', '0.3.0', '')
    """
    match = _VERSION.fullmatch(version)
    if match is None or step == "none":
        return version
    major, minor, patch = map(int, match.groups())
    if step == "major" and major:
        return f"{major + 1}.0.0"
    if step == "major" or (step == "minor" and major):
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def compare(old: Edition, new: Edition, reasons: Mapping[str, str] | None = None) -> Comparison:
    """Compare two editions.

    Items are aligned by id. One whose text is under another id in the new edition, and under no other, has been renamed; then the id
    under which it was may be another item's. A field that no row of one edition has is no change of each item, and neither is the
    version or the canary in a row.

    Args:
        reasons: why items left or changed, by the id of the item, or of the schema that left, from files beside the editions.
    """
    mates = _alignment(old, new)
    shared = _fields(old) & _fields(new)
    forms = sorted(old.forms.keys() & new.forms.keys())
    changed, same = [], 0
    for old_id, new_id in mates.items():
        fields = (
            *_field_changes(old.rows[old_id], new.rows[new_id], shared),
            *_form_changes(old, new, old_id, new_id, forms),
        )
        if fields:
            changed.append(ItemChange(old_id, new_id, fields, _why_changed(old, new, old_id, new_id, reasons or {})))
        same += not fields
    dropped = [
        ItemChange(name, None, (), (_why_absent(new, name, row, reasons or {}),))
        for name, row in old.rows.items()
        if name not in mates
    ]
    arrived = set(mates.values())
    added = [ItemChange(None, name, (), _why_added(old, new, name)) for name in new.rows if name not in arrived]
    return Comparison(old, new, same, changed, dropped, added)


# --- alignment --------------------------------------------------------------------------------------------------------


def _alignment(old: Edition, new: Edition) -> dict[str, str]:
    """Return the new id of each old one that is in both editions, in the order of the old ones."""
    unmoved = {name for name, row in old.rows.items() if name in new.rows and _marked(row) == _marked(new.rows[name])}
    before, after = (
        {name: _marked(row) for name, row in edition.rows.items() if name not in unmoved} for edition in (old, new)
    )
    # A text that several items share does not tell which of them is which.
    once_before, once_after = (
        {text for text, count in Counter(texts.values()).items() if count == 1} for texts in (before, after)
    )
    places = {text: name for name, text in after.items()}
    moved = {name: places[text] for name, text in before.items() if text in once_before & once_after}
    taken = set(moved.values())
    stayed = {name for name in before.keys() & after.keys() if name not in moved and name not in taken}
    return {name: moved.get(name, name) for name in old.rows if name in unmoved or name in moved or name in stayed}


def _marked(row: Row) -> str:
    return _json([row.get("text"), row.get("target")])


def _json(value: Any) -> str:
    """Return a value as a key that tells 1 from true, as Python's equality does not."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


# --- changes ----------------------------------------------------------------------------------------------------------


def _field_changes(old: Row, new: Row, shared: set[str]) -> Iterator[FieldChange]:
    if old.get("id") != new.get("id"):
        yield FieldChange("id", "metadata", old.get("id"), new.get("id"))
    names = [
        name
        for name in {**old, **new}
        if name in shared - {"id", *_OF_RELEASE} and _json(old.get(name)) != _json(new.get(name))
    ]
    if "answer" not in names and _is_other_answer(old, new):
        yield FieldChange("answer", "answer", _right(old), _right(new))
    for name in names:
        yield FieldChange(name, _CLASS_OF.get(name, "metadata"), old.get(name), new.get(name))


def _is_other_answer(old: Row, new: Row) -> bool:
    """Tell whether the same index is another answer now: what was right is wrong, or what was wrong is right."""
    before, after = _right(old), _right(new)
    return before != after and (after in candidates_of(old) or before in candidates_of(new))


def _right(row: Row) -> str | None:
    answer, candidates = row.get("answer"), candidates_of(row)
    return candidates[answer] if isinstance(answer, int) and 0 <= answer < len(candidates) else None


def _form_changes(old: Edition, new: Edition, old_id: str, new_id: str, forms: Sequence[str]) -> Iterator[FieldChange]:
    for form in forms:
        before, after = (
            _json([_without_ids(row) for row in edition.forms[form].get(name, ())])
            for edition, name in ((old, old_id), (new, new_id))
        )
        if before != after:
            yield FieldChange(form, "form", shown=False)


def _without_ids(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in {"id", "item", "schema", *_OF_RELEASE}}


# --- reasons ----------------------------------------------------------------------------------------------------------


def _why_changed(old: Edition, new: Edition, old_id: str, new_id: str, reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return what was done to an item in the new edition and not in the old one; else that what it was made from changed."""
    before, after = old.events.get(old_id, ()), new.events.get(new_id, ())
    events = [event for event in after if event not in before] + [
        f"no longer {event}" for event in before if event not in after
    ]
    events += [reasons[new_id]] if new_id in reasons and not events else []
    made = [
        f"{what} changed from {_short(old.made_from[what])} to {_short(new.made_from[what])}"
        for what in old.made_from
        if new.made_from.get(what, old.made_from[what]) != old.made_from[what]
    ]
    return tuple(events or made or [UNEXPLAINED])


def _short(checksum: str) -> str:
    return checksum.rpartition(":")[2][:12]


def _why_added(old: Edition, new: Edition, name: str) -> tuple[str, ...]:
    if name in old.rows:
        return ("new under an id that another item had",)
    before = f"was {old.absences[name]}" if name in old.absences else f"no record of this id in {old.path}"
    return (before, *new.events.get(name, ()))


def _why_absent(new: Edition, name: str, row: Row, reasons: Mapping[str, str]) -> str:
    if name in new.rows:
        return "gone; its id is another item's now"
    named = (reasons[key] for key in (name, str(row.get("schema"))) if key in reasons)
    return new.absences.get(name) or next(named, f"no record of this id in {new.path}; {UNEXPLAINED}")


# --- how it is told ---------------------------------------------------------------------------------------------------


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
