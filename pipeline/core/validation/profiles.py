"""Profiles: what a published collection is by design, so that suites expect of it what it promises, and no more."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import PipelineError, shown
from ..rules import RULES
from ..yamlfile import expression_at, line_of, load_yaml, mapping_of, require_mapping, text_of, texts_of
from .rows import members_of
from .rows import text_of as value_text
from .suite import Row, Value

#: What a profile can allow; rules/validation/profiles.yaml explains each.
ALLOWANCES = (
    "skipped-member",
    "lone-member",
    "special-word-in-candidate",
    "inflected-candidate",
    "inflected-anaphor",
    "zero-anaphor",
    "clause-ending",
    "early-difference",
    "several-pronouns",
    "one-sided-members",
    "two-templates",
    "agreeing-verb",
)
#: The formats of templates that a profile can name.
FORMATS = ("winogender",)
#: How many members a schema may have, by name.
MEMBERS = {"single": 1, "pair": 2, "triple": 3}


@dataclass(frozen=True, slots=True)
class Profile:
    """What the suites accept in a collection.

    Attributes:
        name: its name in the rules, or ``strict``.
        what: the collection in a few words.
        source: the field `source` of its items; None for the strict profile.
        format: the format of its templates, if it has templates.
        members: how many members a schema may have.
        allow: entries of `ALLOWANCES`.
    """

    name: str
    what: str
    source: re.Pattern[str] | None = None
    format: str = ""
    members: tuple[int, ...] = (2,)
    allow: frozenset[str] = field(default=frozenset())

    def allows(self, allowance: str) -> bool:
        """Return whether the profile has an entry of `ALLOWANCES`."""
        return allowance in self.allow


STRICT = Profile("strict", "pairs that differ in a word or two, as in our own collections")


class ProfileName(str):
    """The name of a profile that was chosen for a row; a text of this type comes from no file."""

    __slots__ = ()


@cache
def tables() -> tuple[Mapping[str, Profile], Mapping[str, tuple[frozenset[str], ...]]]:
    """Return all profiles by name, the strict one first, and the groups of forms of one pronoun by language.

    Raises:
        PipelineError: rules/validation/profiles.yaml is malformed.
    """
    path = RULES / "validation" / "profiles.yaml"
    document = require_mapping(load_yaml(path), path, required=frozenset({"profiles", "forms"}))
    node = _entries(document, "profiles", path)
    read = (_profile(node, name, path) for name in node)
    by_name = {STRICT.name: STRICT} | {profile.name: profile for profile in read}
    groups = _entries(document, "forms", path)
    forms = {lang: tuple(frozenset(group.split()) for group in texts_of(groups, lang, path)) for lang in groups}
    return by_name, forms


def _entries(document: Any, key: str, path: Path) -> Any:
    """Return an entry of the document, a mapping with texts as keys."""
    node = document[key]
    if not isinstance(node, dict) or not node:
        reason = f"[{key}] wrong kind; found {shown(node)}, expected entries by name"
        raise PipelineError(path, line_of(document, key), reason)
    for name in node:
        if not isinstance(name, str) or name == STRICT.name:
            reason = f"[{key}] wrong name; found {shown(name)}, expected a text other than {STRICT.name}"
            raise PipelineError(path, line_of(node, name), reason)
    return node


def _profile(node: Any, name: str, path: Path) -> Profile:
    optional = frozenset({"source", "format", "members"})
    entry = mapping_of(node, name, path, required=frozenset({"what", "allow"}), optional=optional)
    if not {"source", "format"} & set(entry):
        reason = f"[{name}] missing field; found {', '.join(entry)}, expected source, format or both"
        raise PipelineError(path, line_of(node, name), reason)
    source = text_of(entry, "source", path) if "source" in entry else None
    form = text_of(entry, "format", path) if "format" in entry else ""
    allow = texts_of(entry, "allow", path)
    members = texts_of(entry, "members", path) if "members" in entry else ["pair"]
    choices = (
        ("format", [form] if form else [], FORMATS),
        ("allow", allow, ALLOWANCES),
        ("members", members, tuple(MEMBERS)),
    )
    for key, names, known in choices:
        for unknown in (name for name in names if name not in known):
            reason = f"[{key}] unknown value; found {shown(unknown)}, expected one of {', '.join(known)}"
            raise PipelineError(path, line_of(entry, key), reason)
    return Profile(
        name,
        text_of(entry, "what", path),
        None if source is None else expression_at(source, path, line_of(entry, "source"), "source"),
        form,
        tuple(MEMBERS[number] for number in members),
        frozenset(allow),
    )


def profiles() -> Mapping[str, Profile]:
    """Return all profiles by name, the strict one first."""
    return tables()[0]


def same_pronoun(first: str, second: str, lang: str) -> bool:
    """Return whether two words are forms of one pronoun.

    >>> same_pronoun("она", "Ей", "ru"), same_pronoun("она", "его", "ru")
    (True, False)
    """
    forms = {first.lower(), second.lower()}
    return len(forms) == 1 or any(forms <= group for group in tables()[1].get(lang, ()))


def profile_of(value: Value) -> Profile:
    """Return the profile of an item or of a group of members: the chosen one, or the one that the source tells."""
    name = value.get("profile")
    if isinstance(name, ProfileName):
        return profiles()[name]
    source = value_text(next(iter(members_of(value)), value), "source")
    return next((entry for entry in profiles().values() if entry.source and entry.source.search(source)), STRICT)


def profile_of_format(name: str) -> Profile:
    """Return the profile of templates in a format."""
    return next((entry for entry in profiles().values() if name and entry.format == name), STRICT)


def with_profile(rows: list[Row], name: str) -> list[Row]:
    """Return rows whose values name the chosen profile; unchanged without a name."""
    return [
        Row(row.id, row.path, row.line, {**row.value, "profile": ProfileName(name)}) if name else row for row in rows
    ]


def known_profile(name: str) -> str:
    """Return the name of a profile; raises `PipelineError` for an unknown one."""
    if name not in profiles():
        reason = f"[profile] unknown profile; found {shown(name)}, expected one of {', '.join(profiles())}"
        raise PipelineError(None, None, reason)
    return name
