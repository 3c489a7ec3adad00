"""Answers of people joined with their items, and the figures of each item: votes, majority, accuracy, confidence, response time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from ...core.errors import PipelineError, shown
from ...evaluation.cloze.items import PLACES, ClozeItem
from ...language.pronoun_classes import GENDERS, Gender, is_gender
from ...statistics.human_accuracy import MajorityVote, majority_vote
from ..browser.results.tables import Response

#: The place of an answer that takes up no antecedent.
NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of a person to an item, with the gender of the pronoun that was chosen."""

    item: ClozeItem
    response: Response
    gender: Gender

    @property
    def participant(self) -> str:
        """The person."""
        return self.response.participant

    @property
    def right(self) -> bool:
        """Whether the pronoun is that of the right antecedent."""
        return self.gender == self.item.gender

    @property
    def place(self) -> str:
        """Place of the antecedent that the pronoun takes up: first or second; or `NEITHER`."""
        return place_of(self.item, self.gender)


def place_of(item: ClozeItem, gender: str) -> str:
    """Return the place of the antecedent with a gender, or `NEITHER`."""
    return next(
        (place for place, phrase in zip(PLACES, item.antecedents, strict=False) if phrase.gender == gender), NEITHER
    )


def judgements(responses: Iterable[Response], items: Sequence[ClozeItem], path: Path) -> list[Judgement]:
    """Return the answers to items, without fillers, practice and attention items.

    Raises:
        PipelineError: an answer is to an unknown item, or no pronoun of its language.
    """
    by_id = {item.id: item for item in items}
    joined = []
    for response in responses:
        if response.part != "item":
            continue
        if response.id not in by_id:
            reason = (
                f"found {shown(response.id)} of {response.participant}, expected one of the {len(by_id)} cloze items"
            )
            raise PipelineError(path, None, f"[id] unknown item; {reason}")
        item = by_id[response.id]
        gender = item.classes.gender_of(response.answer)
        if gender is None:
            pronouns = ", ".join(item.classes.pronouns.values())
            reason = f"found {shown(response.answer)} of {response.participant} to {item.id}, expected {pronouns}"
            raise PipelineError(path, None, f"[answer] no pronoun; {reason}")
        joined.append(Judgement(item, response, gender))
    if not joined:
        raise PipelineError(path, None, "[part] no answer to an item; expected rows with part item")
    return joined


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """An item with at least one answer: votes by gender, mean confidence from 1 to 5, times of the answer in milliseconds."""

    item: ClozeItem
    votes: Mapping[Gender, int]
    vote: MajorityVote
    confidence: float
    rt_mean: float
    rt_median: float

    @property
    def majority(self) -> Gender | None:
        """The gender with the most votes; None for a tie."""
        winner = self.vote.winner
        return winner if is_gender(winner) else None

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.votes[self.item.gender] / self.vote.raters

    @property
    def agreement(self) -> float:
        """The share of the most frequent answer, the paper's human agreement; of a tie too."""
        return self.vote.votes / self.vote.raters

    @property
    def right(self) -> bool | None:
        """Whether the majority is right; None for a tie."""
        return None if self.majority is None else self.majority == self.item.gender


def item_figures(judgements: Iterable[Judgement]) -> list[ItemFigures]:
    """Return the figures of each item with an answer, sorted by id."""
    by_item: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_item[judgement.item.id].append(judgement)
    figures = []
    for _, given in sorted(by_item.items()):
        counts = Counter(judgement.gender for judgement in given)
        times = [judgement.response.rt_answer_ms for judgement in given]
        figures.append(
            ItemFigures(
                given[0].item,
                {gender: counts[gender] for gender in GENDERS},
                majority_vote(judgement.gender for judgement in given),
                fmean(judgement.response.confidence for judgement in given),
                fmean(times),
                median(times),
            )
        )
    return figures
