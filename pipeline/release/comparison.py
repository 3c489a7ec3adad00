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
