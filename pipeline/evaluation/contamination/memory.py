"""What a model seems to remember: the canary, items rather than their paraphrases, the second half of items."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

from ...statistics.intervals import clustered_mean_interval
from ...statistics.significance import cluster_permutation
from ..scoring.model import LanguageModel, TextScore, Token
from .search import UNIQUE
from .texts import ProbeText


def canary_rank(canary: str, model: LanguageModel, *, permutations: int = 99, seed: int = 0) -> dict[str, Any] | None:
    """Return the rank of a canary among lines that differ in their UUID only (Carlini et al. 2019, The Secret Sharer, section 4).

    The p value is exact for a random UUID (version 4), as the others are: any of the lines is then as likely to be the canary.

    Args:
        canary: the line of the release.
        model: the model.
        permutations: number of random UUIDs.
        seed: their seed.

    Returns:
        ``rank`` of the canary by log-probability, 1 for the most probable; ``lines``, the number of lines; ``p``, the rank over
        this number; ``exposure`` in bits, log2(lines / rank); None if the canary has no UUID.
    """
    match = UNIQUE.search(canary)
    if match is None:
        return None
    random = Random(seed)  # noqa: S311 - a permutation test, not a secret
    others = [str(UUID(int=random.getrandbits(128), version=4)) for _ in range(permutations)]
    if match[0].isupper():  # else the letters' case alone would tell the canary from the others
        others = [other.upper() for other in others]
    lines = [canary, *(canary[: match.start()] + other + canary[match.end() :] for other in others)]
    scores = [score.total for score in model.score(lines)]
    rank = 1 + sum(score >= scores[0] for score in scores[1:])
    count = permutations + 1
    return {"rank": rank, "lines": count, "p": rank / count, "exposure": math.log2(count / rank), "seed": seed}


def recall(
    texts: Sequence[ProbeText],
    model: LanguageModel,
    reference: LanguageModel | None = None,
    *,
    permutations: int = 9999,
    seed: int = 0,
) -> dict[str, Any]:
    """Return whether a model finds items more probable than their paraphrases, and whether it completes them.

    Args:
        texts: the items.
        model: the model.
        reference: a model that cannot have read the release; None without one.
        permutations: number of sign changes drawn for the test against the reference.
        seed: their seed.

    Returns:
        ``completion`` (see `completion`), and ``paraphrase`` if an item has one (see `paraphrase_gap`).
    """
    scores = model.score([text.text for text in texts])
    with_paraphrase = [number for number, text in enumerate(texts) if text.paraphrase]
    others = model.score([texts[number].paraphrase for number in with_paraphrase])
    figures: dict[str, Any] = {
        "completion": {
            "items": completion(scores, model),
            "paraphrases": completion(others, model),
        }
    }
    if with_paraphrase:
        pairs = [(scores[number], other) for number, other in zip(with_paraphrase, others, strict=True)]
        units = [texts[number].unit for number in with_paraphrase]
        known = None
        if reference is not None:
            own = reference.score([texts[number].text for number in with_paraphrase])
            known = list(zip(own, reference.score([pair[1].text for pair in pairs]), strict=True))
        figures["paraphrase"] = paraphrase_gap(pairs, units, known, permutations=permutations, seed=seed)
    return figures


def paraphrase_gap(
    pairs: Sequence[tuple[TextScore, TextScore]],
    units: Sequence[str],
    reference: Sequence[tuple[TextScore, TextScore]] | None = None,
    *,
    permutations: int = 9999,
    seed: int = 0,
) -> dict[str, Any]:
    """Return by how much items are more probable than their paraphrases.

    The gap of an item is its log-probability per character less that of its paraphrase. A paraphrase may be the harder text for
    every model, so that a gap alone shows nothing; only a greater gap than that of a reference does.

    Args:
        pairs: the scores of each item and of its paraphrase.
        units: the schema of each item; items of a schema depend on each other and stand together.
        reference: the scores under a model that cannot have read the release; None without one.
        permutations: number of sign changes drawn.
        seed: their seed.

    Returns:
        ``pairs``, their number; ``perplexity`` and ``paraphrase_perplexity`` per character; ``gap`` (mean, in nats a character) with
        its ``interval`` (95 %, clusters are schemas); ``preferred``, the share of items that are the more probable text; and, with a
        reference, ``reference_gap``, ``difference`` of the gaps, and ``p``, one-sided, by sign changes of schemas.
    """
    gaps = [_per_character(own) - _per_character(other) for own, other in pairs]
    figures: dict[str, Any] = {
        "pairs": len(pairs),
        "perplexity": _perplexity([own for own, _ in pairs]),
        "paraphrase_perplexity": _perplexity([other for _, other in pairs]),
        "gap": sum(gaps) / len(gaps),
        "interval": clustered_mean_interval(_by_unit(gaps, units)),
        "preferred": sum(gap > 0 for gap in gaps) / len(gaps),
    }
    if reference is None:
        return figures
    known = [_per_character(own) - _per_character(other) for own, other in reference]
    differences = [gap - other for gap, other in zip(gaps, known, strict=True)]
    test = cluster_permutation(_by_unit(differences, units), seed=seed, permutations=permutations)
    mean = sum(differences) / len(differences)
    two_sided = test.p if test else 1.0
    return figures | {
        "reference_gap": sum(known) / len(known),
        "difference": mean,
        "p": two_sided / 2 if mean > 0 else 1 - two_sided / 2,
        "seed": seed,
    }


def completion(scores: Sequence[TextScore], model: LanguageModel) -> dict[str, Any] | None:
    """Return how many texts a model completes word for word from their first half (Carlini et al. 2023, Quantifying Memorization).

    Choosing the most probable token each time writes the second half exactly if each of its tokens is the most probable one after
    those before it, which the scores tell without generating a text.

    Args:
        scores: the scores of the texts.
        model: the model, for the tokens of the first halves where the places of tokens are not known.

    Returns:
        ``texts``; ``completed``, the number of those whose second half, by characters, is written exactly; ``tokens``, the mean share of
        its tokens that are the most probable one; None if the model does not tell which token is the most probable.
    """
    halves = [score.text[: (len(score.text) + 1) // 2] for score in scores]
    unknown = [half for half, score in zip(halves, scores, strict=True) if score.ends is None]
    tokens = dict(zip(unknown, model.tokenise(unknown), strict=True)) if unknown else {}
    rests = [_rest(score, half, tokens) for score, half in zip(scores, halves, strict=True)]
    known = [rest for rest in rests if rest and None not in rest]
    if not known:
        return None
    shares = [sum(map(bool, rest)) / len(rest) for rest in known]
    return {
        "texts": len(known),
        "completed": sum(all(rest) for rest in known),
        "tokens": sum(shares) / len(shares),
    }


def _rest(score: TextScore, half: str, tokens: dict[str, tuple[Token, ...]]) -> list[bool | None]:
    """Return which tokens behind the first half are the most probable ones."""
    if score.ends is not None:
        return [best for best, end in zip(score.greedy, score.ends, strict=True) if end > len(half)]
    return list(score.greedy[len(tokens[half]) :])


def _by_unit(values: Sequence[float], units: Sequence[str]) -> list[list[float]]:
    groups: dict[str, list[float]] = {}
    for unit, value in zip(units, values, strict=True):
        groups.setdefault(unit, []).append(value)
    return list(groups.values())


def _per_character(score: TextScore) -> float:
    return score.total / max(len(score.text), 1)


def _perplexity(scores: Sequence[TextScore]) -> float:
    mean = sum(score.total for score in scores) / max(sum(len(score.text) for score in scores), 1)
    return math.exp(min(-mean, 700.0))
