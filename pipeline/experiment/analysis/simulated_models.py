"""Simulated models with known parameters, whose scores have the form that `evaluate cloze` writes."""

import math
from collections.abc import Mapping, Sequence

from ...evaluation.cloze.items import PLACES, ClozeItem
from ...evaluation.cloze.measures import GapScores, Token
from ...evaluation.cloze.rows import ClozeResult, cloze_result
from ...language.pronoun_classes import GENDERS

#: The models by name: how well they know the right pronoun, how much items that are hard for people are hard for them, and how much
#: they prefer the second antecedent; all in log-odds.
MODELS: Mapping[str, tuple[float, float, float]] = {
    "simulated-large": (0.6, 0.8, 0.3),
    "simulated-base": (0.1, 0.3, 0.8),
}
#: Share of the vocabulary that the variants of pronouns take.
_MASS = 0.8


def simulated_models(items: Sequence[ClozeItem], difficulty: Mapping[str, float], seed: int) -> list[ClozeResult]:
    """Return the results of `MODELS` on the items, with all measures.

    Args:
        items: the items, with antecedents.
        difficulty: of each item, for people.
        seed: of numpy's PCG64.
    """
    import numpy

    draw = numpy.random.default_rng(seed)
    results = []
    for name, (knowledge, shared, second) in MODELS.items():
        for item in items:
            logits: dict[str, float] = {gender: float(draw.normal(0, 0.6)) for gender in GENDERS}
            for place, phrase in zip(PLACES, item.antecedents, strict=False):
                logits[phrase.gender] += 1 + second * (place == PLACES[1])
            logits[item.gender] += knowledge - shared * difficulty[item.id]
            results.append(cloze_result(item, name, "simulated", _scores(item, logits), "pron"))
    return results


def _scores(item: ClozeItem, logits: Mapping[str, float]) -> GapScores:
    """Return scores in which each variant after the pronoun has a tenth of what the one before has."""
    total = sum(math.exp(value) for value in logits.values())
    words = {}
    for gender, variants in item.classes.variants.items():
        share = _MASS * math.exp(logits[gender]) / total
        for rank, word in enumerate(variants):
            words[word] = math.log(share * 0.9) - rank * math.log(10)
    genders = item.classes.words()
    best = sorted(words, key=lambda word: -words[word])[:9]
    tokens = [Token(word, words[word], genders[word]) for word in best] + [Token("man", math.log(0.05), "other")]
    tokens.sort(key=lambda token: -token.log)
    return GapScores(
        words=words,
        pieces=dict.fromkeys(words, 1),
        top=tuple(tokens),
        absolute=True,
        prompt=item.text(),
        prompt_tokens=len(item.text().split()),
    )
