"""Answers with several codes at once, such as the error types of an explanation."""

from collections.abc import Sequence

from ...core.errors import shown
from ...statistics.ratings import Category

#: The code that says that no other applies; it stands alone.
NONE = "none"


def codes_of(answer: Category) -> frozenset[str]:
    """Return the codes of an answer, which has them with blanks between.

    >>> sorted(codes_of("surface-cue topic-chain"))
    ['surface-cue', 'topic-chain']
    """
    return frozenset(str(answer).split(" "))


def joined_codes(codes: Sequence[str], choices: Sequence[str]) -> str:
    """Return the answer with these codes, in the order of the design.

    Raises:
        ValueError: there is none, one is unknown or there twice, or `NONE` has company.
    """
    if not codes or not set(codes) <= set(choices) or len(set(codes)) < len(codes):
        raise ValueError(f"unknown choices; found {shown(list(codes))}, expected some of {', '.join(choices)}")
    if NONE in codes and len(codes) > 1:
        raise ValueError(f"contradiction; found {shown(list(codes))}, expected {NONE} alone or codes without it")
    return " ".join(choice for choice in choices if choice in codes)


def are_codes(answer: object, choices: Sequence[str]) -> bool:
    """Return whether an answer is one that `joined_codes` gives."""
    try:
        return isinstance(answer, str) and joined_codes(answer.split(" "), choices) == answer
    except ValueError:
        return False
