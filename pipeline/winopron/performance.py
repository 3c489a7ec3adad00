"""Performance of coreference systems on WinoPron, of single answers and of consistent ones (Gautam et al. 2024, section 4)."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

from ..statistics.intervals import clustered_interval
from ..statistics.ratios import ratio

Said = Literal["occupation", "participant", "both", "neither"]


@dataclass(frozen=True, slots=True)
class Response:
    """What a system said of one sentence: `right` is the entity that the pronoun means, `said` the one it named.

    `case` and `pronouns` (the name of the set, such as xe) tell the sentence's pronoun.
    """

    occupation: str
    participant: str
    case: str
    pronouns: str
    right: Literal["occupation", "participant"]
    said: Said

    @property
    def correct(self) -> bool:
        """Whether just the right entity was named."""
        return self.said == self.right

    @property
    def attempted(self) -> bool:
        """Whether one of the two entities was named, rightly or not."""
        return self.said in ("occupation", "participant")


@dataclass(frozen=True, slots=True)
class Performance:
    """How often a system was right (section 4.2; Tables 8 to 10).

    Recall counts the right answers of all sentences, precision of those answered with one of the two entities. Accuracy is
    what Figure 3 calls so, the share of all sentences, and equals recall; `interval` holds it with 95 % confidence, the
    sentences of a pair of templates taken as one cluster.
    """

    sentences: int
    attempted: int
    correct: int
    interval: tuple[float, float] | None = None

    @property
    def recall(self) -> float | None:
        """Correct of all sentences."""
        return ratio(self.correct, self.sentences)

    @property
    def precision(self) -> float | None:
        """Correct of the attempted ones; undefined where none was."""
        return ratio(self.correct, self.attempted)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, 2c / (attempted + sentences); undefined where precision is."""
        return ratio(2 * self.correct, self.attempted + self.sentences) if self.attempted else None

    @property
    def accuracy(self) -> float | None:
        """Correct of all sentences."""
        return self.recall


def performance(responses: Iterable[Response]) -> Performance:
    """Return the performance over some responses."""
    rows = list(responses)
    pairs: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        pairs[row.occupation, row.participant, row.case].append(row.correct)
    return Performance(
        sentences=len(rows),
        attempted=sum(row.attempted for row in rows),
        correct=sum(row.correct for row in rows),
        interval=clustered_interval((sum(answers), len(answers)) for answers in pairs.values()),
    )


@dataclass(frozen=True, slots=True)
class Consistency:
    """Groups of sentences answered rightly throughout (section 4.3): a group scores as its worst member.

    `chance` is the expected share of a system that names one of the two entities at random.
    """

    groups: int
    consistent: int
    chance: float | None

    @property
    def share(self) -> float | None:
        """Consistent of all groups."""
        return ratio(self.consistent, self.groups)


def _consistency(responses: Iterable[Response], key: Callable[[Response], Hashable]) -> Consistency:
    groups: dict[Hashable, list[Response]] = defaultdict(list)
    for response in responses:
        groups[key(response)].append(response)
    chances = [0.5 ** len(group) for group in groups.values()]
    return Consistency(
        len(groups),
        sum(all(response.correct for response in group) for group in groups.values()),
        sum(chances) / len(chances) if chances else None,
    )


def pronoun_consistency(responses: Iterable[Response]) -> Consistency:
    """Return how many templates are answered rightly with every pronoun set; chance is 6.25 % with four sets."""
    return _consistency(responses, lambda row: (row.occupation, row.participant, row.case, row.right))


def disambiguation_consistency(responses: Iterable[Response]) -> Consistency:
    """Return how many pairs of templates are both answered rightly with the same pronoun; chance is 25 %."""
    return _consistency(responses, lambda row: (row.occupation, row.participant, row.case, row.pronouns))
