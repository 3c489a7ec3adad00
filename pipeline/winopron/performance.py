"""Performance and consistency of coreference systems on WinoPron (Gautam et al. 2024, section 4)."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..statistics.intervals import clustered_interval, ratio

Entity = Literal["occupation", "participant"]
Choice = Literal["occupation", "participant", "both", "neither"]


@dataclass(frozen=True, slots=True)
class Response:
    """A system's response to one sentence.

    Attributes:
        prompt: the prompt that it was asked with, if a sentence was asked with several.
        first_option: the entity that the prompt lists first; None if it lists none, or nothing is known of it.
        first_mention: the entity that the sentence names first; None if it names one only, or is not known.
    """

    occupation: str
    participant: str
    case: str
    pronouns: str
    antecedent: Entity
    choice: Choice
    prompt: str = ""
    first_option: Entity | None = None
    first_mention: Entity | None = None

    @property
    def correct(self) -> bool:
        """Whether the system named the antecedent and nothing else."""
        return self.choice == self.antecedent

    @property
    def attempted(self) -> bool:
        """Whether the system named exactly one of the two entities."""
        return self.choice in ("occupation", "participant")


@dataclass(frozen=True, slots=True)
class Performance:
    """Performance over a set of sentences, or of answers if a sentence has several (section 4.2; Tables 8 to 10).

    Attributes:
        attempted: sentences for which the system names exactly one entity.
        correct: sentences for which it names the antecedent and nothing else.
        recall: correct over all sentences.
        precision: correct over attempted sentences; undefined without an attempt.
        f1: harmonic mean of precision and recall, 2c / (attempted + sentences); undefined without an attempt.
        accuracy: correct over all sentences as in Figure 3, which equals recall.
        accuracy_interval: its 95 % confidence interval, with the sentences of one pair of templates as a cluster.
    """

    sentences: int
    attempted: int
    correct: int
    recall: float | None
    precision: float | None
    f1: float | None
    accuracy: float | None
    accuracy_interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Consistency:
    """Share of groups of sentences in which every response is correct (section 4.3).

    With several prompts a group holds the answers to all of them, as in the authors' code.

    Attributes:
        consistent: groups in which every response is correct.
        interval: its 95 % confidence interval, with the groups of one pair of templates as a cluster.
        chance: expected share of a system that names one of the two entities at random for each answer; the printed 6.25 % and
            25 % are those of one prompt.
    """

    groups: int
    consistent: int
    share: float | None
    interval: tuple[float, float] | None
    chance: float | None


def performance(responses: Iterable[Response]) -> Performance:
    """Return the performance over all responses."""
    rows = list(responses)
    pairs: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        pairs[row.occupation, row.participant, row.case].append(row.correct)
    sentences, attempted = len(rows), sum(row.attempted for row in rows)
    correct = sum(row.correct for row in rows)
    return Performance(
        sentences=sentences,
        attempted=attempted,
        correct=correct,
        recall=ratio(correct, sentences),
        precision=ratio(correct, attempted),
        f1=ratio(2 * correct, attempted + sentences) if attempted else None,
        accuracy=ratio(correct, sentences),
        accuracy_interval=clustered_interval((sum(marks), len(marks)) for marks in pairs.values()),
    )


def performance_by(responses: Sequence[Response], key: Callable[[Response], str]) -> dict[str, Performance]:
    """Return the performance over the responses of each value of a key, in order of appearance."""
    values = dict.fromkeys(map(key, responses))
    return {value: performance(row for row in responses if key(row) == value) for value in values}


def pronoun_consistency(responses: Iterable[Response], *, by_prompt: bool = False) -> Consistency:
    """Return the share of templates that are correct with every pronoun set; with four sets and one prompt chance is 6.25 %."""
    return _consistency(responses, lambda row: (row.antecedent, row.prompt if by_prompt else ""))


def disambiguation_consistency(responses: Iterable[Response], *, by_prompt: bool = False) -> Consistency:
    """Return the share of pairs of templates of which both are correct with the same pronoun; with one prompt chance is 25 %."""
    return _consistency(responses, lambda row: (row.pronouns, row.prompt if by_prompt else ""))


def _consistency(responses: Iterable[Response], key: Callable[[Response], Hashable]) -> Consistency:
    """Return the consistency of the groups that a key makes within each pair of templates."""
    pairs: dict[Hashable, dict[Hashable, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for response in responses:
        pairs[response.occupation, response.participant, response.case][key(response)].append(response.correct)
    groups = [marks for by_key in pairs.values() for marks in by_key.values()]
    consistent = sum(map(all, groups))
    return Consistency(
        groups=len(groups),
        consistent=consistent,
        share=ratio(consistent, len(groups)),
        interval=clustered_interval((sum(map(all, by_key.values())), len(by_key)) for by_key in pairs.values()),
        chance=sum(0.5 ** len(marks) for marks in groups) / len(groups) if groups else None,
    )
