"""Classifiers that see a part of each item, and the filter AFLite.

A classifier is a logistic regression over character n-grams. It learns from the items of nine tenths of the schemas and answers those of
the rest. Where it sees candidates, it compares the two texts that each of them makes; else it guesses whether the candidate that the
text mentions first is right.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...core.model import Item
from ...statistics.intervals import clustered_interval
from .cues import ALPHA, first_mention

#: Fewer schemas than this give no classifier enough to learn.
LEAST_SCHEMAS = 20
#: Parts of the schemas, of which each is answered by a classifier that learnt from the others.
_FOLDS = 10
_MARK = re.compile("[，。；：！？,.;:!?]")
#: Features of the classifier that are told: those with the greatest weights.
_TOLD = 8


def _clause(item: Item) -> tuple[str, str]:
    """Return the target's clause, from mark to mark, before and after the target."""
    start = max((match.end() for match in _MARK.finditer(item.text, 0, item.target.start)), default=0)
    end = _MARK.search(item.text, item.target.end)
    return item.text[start : item.target.start], item.text[item.target.end : end.end() if end else len(item.text)]


#: What each classifier sees of an item if a candidate is the answer.
_WITH_CANDIDATES: Mapping[str, Callable[[Item, str], str]] = {
    "candidates": lambda _, candidate: candidate,
    "clause and candidates": lambda item, candidate: candidate.join(_clause(item)),
    "question and candidates": lambda item, candidate: f"{item.question}|{candidate}",
}
#: The names of all parts.
PARTS = (*_WITH_CANDIDATES, "clause")


@dataclass(frozen=True, slots=True)
class Part:
    """What a classifier that sees one part of the items gets right.

    Attributes:
        solved: the ids of the items that it answers right.
        items: how many it answers.
        chance: what a classifier gets right that knows nothing of the items: 0.5, or where it sees no candidates the share of the more
            frequent of its two answers, which it may learn.
        interval: of the share of right answers, over schemas; all parts together hold their shares with a probability of 1 - `ALPHA`.
        features: the n-grams with the greatest weights; + speaks for a candidate (or for the first mention), - against it.
    """

    name: str
    solved: tuple[str, ...]
    items: int
    chance: float
    interval: tuple[float, float]
    features: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of its answers that are right."""
        return len(self.solved) / self.items

    @property
    def tells(self) -> bool:
        """Whether the part gives answers away: chance lies under the interval."""
        return self.interval[0] > self.chance


@cache  # the suite, the card and the page of one build ask for the same
def parts(items: tuple[Item, ...], *, seed: int = 0) -> tuple[Part, ...]:
    """Return what each of `PARTS` gives away of items with two candidates; nothing of fewer schemas than `LEAST_SCHEMAS`.

    Args:
        seed: of the division of the schemas into folds.
    """
    if len({item.schema for item in items}) < LEAST_SCHEMAS:
        return ()
    return tuple(_part(name, items, seed) for name in PARTS)


def _part(name: str, items: Sequence[Item], seed: int) -> Part:
    from sklearn.model_selection import GroupKFold

    features, names = _features(name, items)
    labels, schemas = _labels(name, items), [item.schema for item in items]
    hits: Counter[str] = Counter()
    solved: set[str] = set()
    for known, asked in GroupKFold(_FOLDS, shuffle=True, random_state=seed).split(features, labels, schemas):
        answers = _answers(_fitted(features[known], labels[known]), features[asked])
        right = [items[at] for at, answer in zip(asked, answers, strict=True) if answer == labels[at]]
        solved |= {item.id for item in right}
        hits.update(item.schema for item in right)
    clusters = ((hits[schema], size) for schema, size in Counter(schemas).items())
    weights = _fitted(features, labels).coef_[0].round(6)
    strongest = sorted(range(len(names)), key=lambda at: (-abs(weights[at]), names[at]))[:_TOLD]
    return Part(
        name,
        tuple(item.id for item in items if item.id in solved),
        len(items),
        0.5 if name in _WITH_CANDIDATES else float(max((labels == 1).mean(), (labels == -1).mean())),
        clustered_interval(clusters, 1 - ALPHA / len(PARTS)) or (0.0, 1.0),
        tuple(f"{'+' if weights[at] > 0 else '-'}{names[at]}" for at in strongest if weights[at]),
    )


def _features(name: str, items: Sequence[Item]) -> tuple[Any, list[str]]:
    """Return the matrix of items by n-grams, and the n-grams; of parts with candidates, the second's n-grams less the first's."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(analyzer="char", ngram_range=(1, 4), binary=True, dtype=float)
    see = _WITH_CANDIDATES.get(name)
    if see is None:
        matrix = counter.fit_transform(["_".join(_clause(item)) for item in items])
    else:
        texts = counter.fit_transform([see(item, candidate) for item in items for candidate in item.candidates])
        matrix = (texts[1::2] - texts[::2]).tocsr()
    return matrix, counter.get_feature_names_out().tolist()


def _labels(name: str, items: Sequence[Item]) -> Any:
    """Return 1 where the second candidate is right, or for a part without candidates the one mentioned first; else -1."""
    import numpy

    label = [item.answer == (1 if name in _WITH_CANDIDATES else first_mention(item)) for item in items]
    return numpy.where(label, 1, -1)


def _fitted(features: Any, labels: Any) -> Any:
    """Return a logistic regression; without an intercept it treats two candidates alike, whose n-grams count with opposite signs."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear", fit_intercept=False).fit(features, labels)


def _answers(model: Any, features: Any) -> Any:
    """Return 1 or -1 for each row; what rounding errors would decide is 1, on every machine."""
    import numpy

    return numpy.where(model.decision_function(features).round(6) >= 0, 1, -1)


def filter_easy(items: Sequence[Item], *, seed: int, rounds: int = 64, threshold: float = 0.75) -> list[str]:
    """Return the ids of the items that AFLite leaves out, in the order in which it does (Sakaguchi et al. 2020, Algorithm 1).

    Again and again, classifiers that learn from a random half of the schemas answer the other half; of the items whose share of right
    answers is `threshold` or more, the easiest twentieth of all goes, until fewer are so easy. The original takes embeddings of RoBERTa and
    of whole sentences; this one sees the n-grams of the target's clause with each candidate in it.

    Args:
        seed: of the random halves.
        rounds: how many halves each step takes.
    """
    import numpy

    features, _ = _features("clause and candidates", items)
    labels = _labels("clause and candidates", items)
    schemas = numpy.unique([item.schema for item in items], return_inverse=True)[1]
    random = numpy.random.default_rng(seed)
    step = max(1, len(items) // 20)
    left, gone = numpy.arange(len(items)), list[str]()
    while len(set(schemas[left])) >= LEAST_SCHEMAS:
        right, asked = numpy.zeros(len(items)), numpy.zeros(len(items))
        for _ in range(rounds):
            known = random.permutation(schemas.max() + 1)[schemas[left]] % 2 == 0
            learnt, rest = left[known], left[~known]
            right[rest] += _answers(_fitted(features[learnt], labels[learnt]), features[rest]) == labels[rest]
            asked[rest] += 1
        shares = right[left] / numpy.maximum(asked[left], 1)
        order = numpy.argsort(-shares, kind="stable")
        easy = [at for at in order[:step] if shares[at] >= threshold]
        gone += [items[left[at]].id for at in easy]
        left = numpy.delete(left, easy)
        if len(easy) < step:
            break
    return gone
