"""Mentions in a system's tokens, brought back to the text."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.alignment import align, literal_end
from ...core.model import Span

Cluster = tuple[Span, ...]
#: OntoNotes' web texts; systems take the first two letters of a document's name for its genre.
GENRE = "wb"
UNKNOWN = "[UNK]"
_ANY = re.compile(r"\w+|[^\w\s]")


def document_name(name: str) -> str:
    """Return what a system is to call the sentence of an item.

    >>> document_name("en-double-baker-guest-nominative-he-a")
    'wb_en-double-baker-guest-nominative-he-a'
    """
    return f"{GENRE}_{name}"


def token_spans(tokens: Sequence[str], text: str) -> list[Span]:
    """Return the span of each token in the text, in order; an unknown word piece stands for the next word.

    Raises:
        ValueError: the tokens are not those of the text.
    """
    try:
        return align(tokens, text, _piece_end)
    except ValueError as error:
        raise ValueError(f"[tokens] not those of the sentence; {error}") from error


def _piece_end(token: str, text: str, start: int) -> int | None:
    if token != UNKNOWN:
        return literal_end(token, text, start)
    word = _ANY.match(text, start)
    return word.end() if word else None


def pairs_of(value: object, field: str, size: int) -> list[list[tuple[int, int]]]:
    """Return the clusters of a JSON value: lists of [first, last] numbers below `size`.

    Raises:
        ValueError: it is something else, or a mention leaves the sentence.
    """
    expected = f"expected lists of mentions [start, end] up to {size}"
    if not isinstance(value, list):
        raise ValueError(f"[{field}] no clusters; found {value!r}, {expected}")
    clusters = []
    for cluster in value:
        if not isinstance(cluster, list):
            raise ValueError(f"[{field}] no cluster; found {cluster!r}, {expected}")
        pairs = []
        for pair in cluster:
            if not (isinstance(pair, list) and len(pair) == 2 and all(type(number) is int for number in pair)):
                raise ValueError(f"[{field}] no mention; found {pair!r}, {expected}")
            first, last = pair
            if not 0 <= first <= last <= size:
                raise ValueError(f"[{field}] a mention out of the sentence; found {pair!r}, {expected}")
            pairs.append((first, last))
        clusters.append(pairs)
    return clusters


def texts_of(value: Mapping[str, Any], field: str) -> list[str]:
    """Return a field that is a list of texts; raises `ValueError` where it is not."""
    found = value.get(field)
    if not (isinstance(found, list) and all(isinstance(text, str) for text in found)):
        raise ValueError(f"[{field}] wrong kind; found {found!r}, expected a list of texts")
    return found


def named(value: Mapping[str, Any], field: str, name: str) -> None:
    """Check that a document is the one of an item; raises `ValueError` where it is not."""
    if value.get(field) != document_name(name):
        raise ValueError(f"[{field}] another document; found {value.get(field)!r}, expected {document_name(name)!r}")
