"""Align tokens with the text they come from."""

from collections.abc import Callable, Iterable

from .errors import shown
from .model import Span

#: Returns where a token that starts at an offset of a text ends, or None if the token is not there: (token, text, start).
Matcher = Callable[[str, str, int], int | None]
#: Length of the excerpt of the text in a message.
_EXCERPT = 20


def literal_end(token: str, text: str, start: int) -> int | None:
    """Return the end of `token` if it is in `text` at `start`; an empty token is nowhere.

    >>> literal_end("is", "it is", 3), literal_end("is", "it is", 0), literal_end("", "it is", 0)
    (5, None, None)
    """
    return start + len(token) if token and text.startswith(token, start) else None


def align(tokens: Iterable[str], text: str, end_of: Matcher = literal_end) -> list[Span]:
    """Return the span of each token in the text. The tokens are the whole text, in order, except blanks between them.

    >>> align(["it", "'s"], "it's ")
    [Span(start=0, end=2), Span(start=2, end=4)]

    Args:
        end_of: decides whether a token is at a place; for tokens that are written in another way than the text.

    Raises:
        ValueError: the tokens are not those of the text; the message is ``found (text), expected (token or its end)``.
    """
    spans: list[Span] = []
    place = _skip_blanks(text, 0)
    for token in tokens:
        end = end_of(token, text, place)
        if end is None:
            raise ValueError(f"found {text[place : place + _EXCERPT]!r}, expected {shown(token)}")
        spans.append(Span(place, end))
        place = _skip_blanks(text, end)
    if place < len(text):
        raise ValueError(f"found {text[place : place + _EXCERPT]!r}, expected its end")
    return spans


def _skip_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
