"""Profiles: what a published collection is by design, so that suites expect of it what it promises, and no more."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

import msgspec

from ..convert import UNIQUE, Text, Words, convert_node, error_at
from ..errors import PipelineError, shown
from ..rules import RULES
from ..yamlfile import expression_at, line_of, load_yaml
from .rows import members_of, text_of
from .suite import Row, Value

#: What a profile can allow; rules/validation/profiles.yaml explains each.
Allowance = Literal[
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
    "more-candidates",
    "lone-candidate",
]
_SOME = msgspec.Meta(min_length=1, extra=UNIQUE)


class Profile(msgspec.Struct, frozen=True):
    """What the suites accept in a collection: `what` it is, in a few words; `source` and `format` tell it, see the rules.

    `members` says how many members a schema may have.
    """

    what: Text
    allow: Annotated[frozenset[Allowance], _SOME]
    source: Text = ""  # a regular expression for the field `source` of its items
    format: Literal["winogender", "none"] = "none"  # of its templates
    members: Annotated[tuple[Literal[1, 2, 3], ...], _SOME] = (2,)

    def allows(self, allowance: Allowance) -> bool:
        """Return whether the profile has an allowance."""
        return allowance in self.allow


STRICT = Profile("pairs that differ in a word or two, as in our own collections", frozenset())
#: The name of the strict profile, which the rules do not have.
_STRICT = "strict"


class _Tables(msgspec.Struct, frozen=True):
    profiles: dict[Text, Profile]
    forms: dict[Text, Words]


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
    node = load_yaml(path)
    read = convert_node(node, _Tables, path)
    for name, profile in read.profiles.items():
        if name == _STRICT:
            raise error_at(node, path, ("profiles", name), f"wrong name; expected another one than {name}")
        if not profile.source and profile.format == "none":
            raise error_at(node, path, ("profiles", name), "missing field; expected source, format or both")
        expression_at(profile.source, path, line_of(node["profiles"][name], "source"), "source")
    forms = {lang: tuple(frozenset(group.split()) for group in groups) for lang, groups in read.forms.items()}
    return {_STRICT: STRICT, **read.profiles}, forms


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
    source = text_of(next(iter(members_of(value)), value), "source")
    return next((entry for entry in profiles().values() if entry.source and re.search(entry.source, source)), STRICT)


def profile_of_format(name: str) -> Profile:
    """Return the profile of templates in a format."""
    return next((entry for entry in profiles().values() if entry.format == name), STRICT)


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
