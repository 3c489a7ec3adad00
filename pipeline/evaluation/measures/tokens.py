"""Lengths of prompts and answers in tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ..predictions import Run, Runs


@dataclass(frozen=True, slots=True)
class Lengths:
    """Number of texts whose length is known, and their least, median and greatest length in tokens by the system's own tokenizer."""

    n: int
    least: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The lengths of prompts and answers of a system in one mode and form, over both orders; None where no length is known."""

    model: str
    mode: str
    form: str
    prompt: Lengths | None
    answer: Lengths | None


def token_counts(runs: Runs) -> list[TokenCounts]:
    """Return the lengths by model, mode and form, in the order of the runs; rows that know neither are left out."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.model, run.mode, run.form), []).append(run)
    rows = []
    for (model, mode, form), members in groups.items():
        responses = [given for run in members for given in runs[run].values()]
        prompt = _lengths([given.prompt_tokens for given in responses])
        answer = _lengths([given.answer_tokens for given in responses])
        if prompt or answer:
            rows.append(TokenCounts(model, mode, form, prompt, answer))
    return rows


def _lengths(counts: Sequence[int | None]) -> Lengths | None:
    known = [count for count in counts if count is not None]
    if not known:
        return None
    return Lengths(len(known), min(known), median(known), max(known))
