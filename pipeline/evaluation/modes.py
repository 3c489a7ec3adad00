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
#: The modes that show no options, so that no place is chosen.
_WITHOUT_OPTIONS = (*SCORED, "cloze")


def kind_of(mode: str) -> Kind:
    """Return how a mode obtains its answers.

    >>> kind_of("zero-shot-zh"), kind_of("partial-score"), kind_of("clause-only-zh")
    ('asked', 'scored', 'partial')
    """
    if any(_is_variant(mode, name) for name in PARTIAL):
        return "partial"
    return "scored" if any(_is_variant(mode, name) for name in SCORED) else "asked"


def description(mode: str) -> str:
    """Return what a mode that is not asked sees or chooses; empty for other modes. A variant is named after its mode: clause-only-zh.

    >>> description("candidates-only-zh")
    'sees the candidates and the question alone'
    """
    texts = {name: f"sees {text}" for name, text in PARTIAL.items()} | dict(SCORED)
    return next((text for name, text in texts.items() if _is_variant(mode, name)), "")


def part_of(mode: str) -> str:
    """Return the mode of `PARTIAL` that a mode is a variant of; empty if the system sees whole items.

    >>> part_of("clause-only-zh"), part_of("few-shot-zh")
    ('clause-only', '')
    """
    return next((name for name in PARTIAL if _is_variant(mode, name)), "")


def has_options(mode: str) -> bool:
    """Return whether a mode shows options, so that a system may go by their place."""
    return not any(_is_variant(mode, name) for name in _WITHOUT_OPTIONS)


def own_kind(modes: Iterable[str]) -> Kind:
    """Return the kind of the modes that count as a system's own answers: asked, else scored, else partial.

    >>> own_kind(["clause-only", "full-score", "one-shot"]), own_kind(["full-score", "clause-only"])
    ('asked', 'scored')
    """
    kinds = {kind_of(mode) for mode in modes}
    return next((kind for kind in KINDS if kind in kinds), KINDS[0])


def _is_variant(mode: str, name: str) -> bool:
    return mode == name or mode.startswith(f"{name}-")
