"""The modes in which systems answer: which are a system's own answers, which are baselines of it."""

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

#: How a mode obtains its answers: the system is asked; its probabilities of each text are compared; it sees only a part of the item.
Kind = Literal["asked", "scored", "partial"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: Modes in which a system sees only a part of the item, so that a right answer comes from something else than understanding.
PARTIAL: Mapping[str, str] = {
    "clause-only": "the target's clause alone",
    "candidates-only": "the candidates and the question alone",
}

#: Modes that compare the probabilities of texts, with the candidate that they choose.
SCORED: Mapping[str, str] = {
    "full-score": "the candidate that makes the whole text more probable",
    "partial-score": "the candidate after which the rest of the text is more probable",
    "answer-score": "the candidate that is the more probable answer to the question after the text",
    "nli-score": "the candidate whose hypothesis is more probable after the text",
}


def kind_of(mode: str) -> Kind:
    """Return how a mode obtains its answers.

    >>> kind_of("zero-shot-zh"), kind_of("partial-score"), kind_of("clause-only-zh")
    ('asked', 'scored', 'partial')
    """
    base = _base(mode)
    return "partial" if base in PARTIAL else "scored" if base in SCORED else "asked"


def description(mode: str) -> str:
    """Return what a mode that is not asked sees or chooses; empty for other modes.

    >>> description("candidates-only-zh")
    'sees the candidates and the question alone'
    """
    base = _base(mode)
    return f"sees {PARTIAL[base]}" if base in PARTIAL else SCORED.get(base, "")


def part_of(mode: str) -> str:
    """Return the mode of `PARTIAL` that a mode is a variant of; empty if the system sees whole items.

    >>> part_of("clause-only-zh"), part_of("few-shot-zh")
    ('clause-only', '')
    """
    return _base(mode) if _base(mode) in PARTIAL else ""


def has_options(mode: str) -> bool:
    """Return whether a mode shows options, so that a system may go by their place."""
    return _base(mode) not in (*SCORED, "cloze")


def own_kind(modes: Iterable[str]) -> Kind:
    """Return the kind of the modes that count as a system's own answers: asked, else scored, else partial.

    >>> own_kind(["clause-only", "full-score", "one-shot"]), own_kind(["full-score", "clause-only"])
    ('asked', 'scored')
    """
    kinds = {kind_of(mode) for mode in modes}
    return next((kind for kind in KINDS if kind in kinds), KINDS[0])


def _base(mode: str) -> str:
    """Return the mode that is not asked of which a mode is a variant, as clause-only of clause-only-zh; empty for other modes."""
    return next((name for name in (*PARTIAL, *SCORED, "cloze") if f"{mode}-".startswith(f"{name}-")), "")
