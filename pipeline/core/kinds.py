"""What a line of JSON Lines is, by its keys, so that a command can say what it was given instead of which field is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import shown


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of line.

    Attributes:
        name: what such a line is, with its article.
        keys: the keys that tell it from the kinds after it.
        suites: the suites that check it; none if no suite does.
    """

    name: str
    keys: frozenset[str]
    suites: tuple[str, ...] = ()


#: The kinds of lines, special ones first: a rejected record and a zero form are items with more keys.
KINDS = tuple(
    Kind(name, frozenset(keys.split()), suites)
    for name, keys, suites in (
        ("a rejected record", "findings", ("skipped",)),
        ("a zero form", "text_zero text", ("zero", "items", "pairs", "labels")),
        ("an item with other names", "item names text", ("names",)),
        ("an item in traditional script", "item back text", ("traditional",)),
        ("a sentence of a template", "case pronouns text", ("items", "pairs", "labels", "sentences")),
        ("an item", "schema text target candidates answer", ("items", "pairs", "labels")),
        ("a row of nli", "item premise hypothesis", ("nli",)),
        ("a row of disambiguated", "item correct changes", ("disambiguated",)),
        ("a row of scoring", "item context continuation", ("scoring",)),
        ("a row of winogrande", "item sentence option1", ("winogrande",)),
        ("a row of tokens", "item tokens offsets", ("tokens",)),
        ("an item that a form cannot be made of", "form item reason", ()),
        ("an author's analysis", "schema kind role pmi", ("analyses",)),
        ("a decision of the rules", "decision votes", ()),
        ("a modification", "original modified", ()),
        ("an adjudication", "before after decision", ()),
        ("a line of provenance", "file sha256 rules", ()),
        ("a line of counts", "windows", ("counts",)),
        ("a line of counts", "terms count", ("counts",)),
        ("an answer by association", "id answer pmi", ("pmi",)),
    )
)


def shown_kind(line: Mapping[str, Any]) -> str:
    """Return what a line is, for a message: the name of its kind, or else its beginning."""
    kind = kind_of(line)
    return kind.name if kind else shown(dict(line))


def kind_of(line: Mapping[str, Any]) -> Kind | None:
    """Return the kind of a line; None if its keys are those of no kind."""
    return next((kind for kind in KINDS if kind.keys <= line.keys()), None)
