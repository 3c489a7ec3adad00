"""The measures of a gap: prediction, correctness, confidence in the given and in the gold answer."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ...language.pronoun_classes import GENDERS, Gender, PronounClasses

#: The measures: three of the paper, and ours (`mass`).
Measure = Literal["pron", "top10", "top1", "mass"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
#: The class of a token that is no listed variant.
OTHER = "other"
#: How many of the most probable tokens a measure takes.
TOP: Mapping[Measure, int] = {"top10": 10, "top1": 1}
#: A log-probability below this is written as this: JSON has no infinity.
LEAST_LOG = -1000.0


@dataclass(frozen=True, slots=True)
class Token:
    """One of the most probable tokens: as text, its log-probability, and its class (`OTHER` if it is no whole variant)."""

    text: str
    log: float
    gender: str


@dataclass(frozen=True, slots=True)
class GapScores:
    """What a model gives to the words that may fill a gap."""

    #: Log-probability of each variant, as rules/cloze writes it; a word that the model's vocabulary cannot write is missing.
    words: Mapping[str, float]
    pieces: Mapping[str, int]  # the number of tokens of each of these words
    #: The ten most probable tokens, best first, of equal ones that with the lower number in the vocabulary; none if unknown.
    top: tuple[Token, ...]
    #: Whether the log-probabilities are shares of what may stand in the gap; otherwise they are of whole texts, and only their
    #: differences mean something.
    absolute: bool
    prompt: str
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class ClozeAnswer:
    """The answer of a model to one item by one measure."""

    prediction: str  # the class with the greatest score: a gender, or `OTHER`; empty if several classes share it
    confidence: float  # the score of this class
    target: float  # the score of the gold class (the paper's target confidence)
    classes: Mapping[str, float]  # the score of each class that the measure considers


def measured(scores: GapScores, table: PronounClasses, gold: Gender) -> dict[Measure, ClozeAnswer]:
    """Return the answers by all measures (Petersen and Spalek, section 2.3).

    - ``pron``: only the pronoun of each gender is considered. The paper takes the softmax score over the vocabulary as it is; so do we
      where there is one. (`shares` gives the same renormalised over the pronouns.)
    - ``top10``, ``top1``: the scores of the ten tokens, or the one token, that are most probable, summed by class. `OTHER` may be
      greatest, and the answer is then wrong: the paper has the class, and speaks of generation over the whole vocabulary. The target
      confidence of ``top1`` is 0 where the token is of another class. The paper's words, "the top-scoring gold-class token", could also
      mean the best such token of any rank; but that one's score is never below the gold pronoun's, and in Table 1 all three models have
      a lower mean for top1 than for pron.
    - ``mass``, which is ours: all variants of each gender, whatever their rank, those of several tokens too. `OTHER` is what is left,
      and is no answer.

    Where only whole texts have a probability (`GapScores.absolute` is false), ``pron`` and ``mass`` are renormalised over the pronouns,
    or over all variants. Without `GapScores.top`, ``top10`` and ``top1`` are missing.
    """
    pronouns: dict[str, float] = {gender: scores.words[word] for gender, word in table.pronouns.items()}
    logs: dict[str, float] = {
        gender: log_sum(scores.words[word] for word in table.variants[gender] if word in scores.words)
        for gender in GENDERS
    }
    whole = [0.0, 0.0] if scores.absolute else [log_sum(pronouns.values()), log_sum(logs.values())]
    answers: dict[Measure, ClozeAnswer] = {
        "pron": _answer({gender: math.exp(log - whole[0]) for gender, log in pronouns.items()}, pronouns, gold),
        "mass": _answer({gender: math.exp(log - whole[1]) for gender, log in logs.items()}, logs, gold),
    }
    for measure, count in TOP.items() if scores.top else ():
        classes: dict[str, float] = dict.fromkeys((*GENDERS, OTHER), 0.0)
        for token in scores.top[:count]:
            classes[token.gender] += math.exp(token.log)
        answers[measure] = _answer(classes, classes, gold)
    return {measure: answers[measure] for measure in MEASURES if measure in answers}


def _answer(classes: Mapping[str, float], ranks: Mapping[str, float], gold: Gender) -> ClozeAnswer:
    """Return the answer of the class whose rank is greatest."""
    best = max(ranks.values())
    winners = [name for name, rank in ranks.items() if rank == best]
    return ClozeAnswer(winners[0] if len(winners) == 1 else "", classes[winners[0]], classes[gold], classes)


def shares(classes: Mapping[str, float]) -> dict[str, float]:
    """Return scores as shares of their sum; all 0 if it is 0.

    >>> shares({"masc": 0.375, "fem": 0.125})["masc"]
    0.75
    """
    total = math.fsum(classes.values())
    return {name: score / total if total else 0.0 for name, score in classes.items()}


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of a sum of probabilities that are given as logarithms; minus infinity of none.

    >>> log_sum([-1000.0, -1000.0]) == -1000 + math.log(2)
    True
    """
    values: Sequence[float] = list(logs)
    best = max(values, default=-math.inf)
    return best if math.isinf(best) else best + math.log(math.fsum(math.exp(value - best) for value in values))
