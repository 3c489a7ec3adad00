"""Answers of people joined with their items, the figures of each item and of all (Petersen and Spalek, section 3 and appendix B)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from ...core.errors import PipelineError, shown
from ...evaluation.cloze.items import PLACES, ClozeItem
from ...evaluation.measures.accuracy import Estimate, accuracy
from ...language.pronoun_classes import GENDERS, Gender, is_gender
from ...statistics.agreement import agreement_interval, fleiss_kappa, krippendorff_alpha
from ...statistics.association import Decile, deciles
from ...statistics.human_accuracy import MajorityVote, majority_vote
from ...statistics.intervals import Summary, ratio, summarise_shares
from ...statistics.ratings import clusters
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


# --- the figures of all answers ---------------------------------------------------------------------------------------

#: Least share of answers of an item of high agreement (section 3: 7 of 10).
HIGH = 0.7
#: The gender of *es*, which people choose for a situation too (appendix B).
SITUATION: Gender = "neut"
#: What accuracy is broken down by.
TRAITS: Mapping[str, Callable[[ClozeItem], str]] = {
    "source": lambda item: item.source,
    "register": lambda item: item.register,
    "pronoun": lambda item: item.pronoun.casefold(),
    "place": lambda item: item.place,
}
#: Resamples of the intervals of coefficients of agreement.
_RESAMPLES = 300
Interval = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of answers, people and items; fewest and most answers of an item; answers given and right, by gender of the pronoun."""

    answers: int
    people: int
    items: int
    answers_of_an_item: tuple[int, int] | None
    given: Mapping[Gender, int]
    gold: Mapping[Gender, int]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement, with an interval that resamples pairs of items."""

    value: float | None
    interval: Interval


@dataclass(frozen=True, slots=True)
class Agreement:
    """Coefficients, and of the items with several answers how many are unanimous, of high agreement, with all pronouns, tied."""

    fleiss: Coefficient
    alpha: Coefficient
    items: int
    unanimous: int
    high: int
    all_three: int
    tied: int


@dataclass(frozen=True, slots=True)
class RightShare:
    """How many of `n` are right."""

    right: int
    n: int
    value: float | None


@dataclass(frozen=True, slots=True)
class Accuracies:
    """Accuracy of answers, of the majority among decided items, and among all; number of tied items."""

    individual: Estimate
    majority: Estimate
    majority_of_all: RightShare
    tied: int


@dataclass(frozen=True, slots=True)
class WithoutWrongEs:
    """The number of items whose wrong majority is *es*, and `Accuracies` without them."""

    items: int
    individual: Estimate
    majority: Estimate
    majority_of_all: RightShare
    tied: int


@dataclass(frozen=True, slots=True)
class Situation:
    """How many of the wrong answers to items without a neuter antecedent are *es*."""

    es: int
    wrong: int
    share: float | None
    interval: Interval


@dataclass(frozen=True, slots=True)
class Neither:
    """Answers that take up no antecedent, and their share, also by gender of the pronoun."""

    answers: int
    share: float | None
    by: Mapping[Gender, int]
    situation: Situation


@dataclass(frozen=True, slots=True)
class PlaceChoice:
    """How often an antecedent was chosen, how often it was right, and the share of right answers among each."""

    chosen: int
    right_when_chosen: float | None
    gold: int
    right_when_gold: float | None


@dataclass(frozen=True, slots=True)
class PairAnswers:
    """Pairs without a tie, how many have the same majority answer to both items, how many both wrong; pairs with a tie."""

    n: int
    same: int
    share: float | None
    undefined: int
    both_wrong: int


@dataclass(frozen=True, slots=True)
class WrongMajority:
    """An item whose majority is wrong."""

    item: str
    expected: Gender
    majority: Gender
    votes: Mapping[Gender, int]


@dataclass(frozen=True, slots=True)
class PeopleFigures:
    """The figures of people's answers; `by` has them by trait and value."""

    counts: Counts
    agreement: Agreement
    accuracy: Accuracies
    by_person: Summary | None
    by: Mapping[str, Mapping[str, Accuracies]]
    without_wrong_es: WithoutWrongEs
    neither: Neither
    places: Mapping[str, PlaceChoice]
    pairs: PairAnswers
    deciles: Mapping[str, Sequence[Decile]]
    errors: Sequence[WrongMajority]


def people_figures(judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int) -> PeopleFigures:
    """Return the figures of answers and of the majority vote.

    A tied majority is undefined: it is neither right nor wrong, ``tied`` counts it, and ``majority`` has the share of right votes among
    decided items; ``majority_of_all`` takes all items, where a tie is not right. The paper does not say whether it had ties.
    """
    wrong_es = {entry.item.id for entry in items if entry.right is False and entry.majority == SITUATION}
    marks = [float(judgement.right) for judgement in judgements]
    return PeopleFigures(
        counts=_counts(judgements, items),
        agreement=_agreement(judgements, items, seed),
        accuracy=Accuracies(**_accuracies(judgements, items)),
        by_person=summarise_shares(accuracy_by_person(judgements).values()),
        by={
            name: {
                value: Accuracies(
                    **_accuracies(
                        [judgement for judgement in judgements if trait(judgement.item) == value],
                        [entry for entry in items if trait(entry.item) == value],
                    )
                )
                for value in sorted({trait(entry.item) for entry in items})
                if value
            }
            for name, trait in TRAITS.items()
        },
        without_wrong_es=WithoutWrongEs(
            items=len(wrong_es),
            **_accuracies(
                [judgement for judgement in judgements if judgement.item.id not in wrong_es],
                [entry for entry in items if entry.item.id not in wrong_es],
            ),
        ),
        neither=_neither(judgements),
        places=_places(judgements),
        pairs=_pairs(items),
        deciles={
            "rt": deciles([judgement.response.rt_answer_ms for judgement in judgements], marks),
            "confidence": deciles([judgement.response.confidence for judgement in judgements], marks),
        },
        errors=[
            WrongMajority(entry.item.id, entry.item.gender, entry.majority, dict(entry.votes))
            for entry in items
            if entry.right is False and entry.majority
        ],
    )


def _counts(judgements: Sequence[Judgement], items: Sequence[ItemFigures]) -> Counts:
    sizes = [entry.vote.raters for entry in items]
    return Counts(
        answers=len(judgements),
        people=len({judgement.participant for judgement in judgements}),
        items=len(items),
        answers_of_an_item=(min(sizes), max(sizes)) if sizes else None,
        given={gender: sum(entry.votes[gender] for entry in items) for gender in GENDERS},
        gold={gender: sum(entry.item.gender == gender for entry in items) for gender in GENDERS},
    )


def _agreement(judgements: Sequence[Judgement], items: Sequence[ItemFigures], seed: int) -> Agreement:
    rows: dict[str, dict[str, str]] = {entry.item.id: {} for entry in items}
    for judgement in judgements:
        rows[judgement.item.id][judgement.participant] = judgement.gender
    schemas = clusters(rows, {entry.item.id: entry.item.schema for entry in items})
    several = [entry for entry in items if entry.vote.raters > 1]
    kappa = fleiss_kappa(rows.values())
    # one interval, of the coefficient that counts
    limits = agreement_interval(schemas, "nominal" if kappa is None else "fleiss", seed=seed, resamples=_RESAMPLES)
    interval = (limits.low, limits.high) if limits else None
    return Agreement(
        fleiss=Coefficient(kappa, None if kappa is None else interval),
        alpha=Coefficient(krippendorff_alpha(rows.values()), interval if kappa is None else None),
        items=len(several),
        unanimous=sum(entry.vote.unanimous for entry in several),
        high=sum(entry.agreement >= HIGH for entry in several),
        all_three=sum(min(entry.votes.values()) > 0 for entry in items),
        tied=sum(entry.vote.tied for entry in items),
    )


def _accuracies(judgements: Sequence[Judgement], items: Sequence[ItemFigures]) -> dict[str, Any]:
    """Return the fields of `Accuracies`, with intervals whose clusters are the schemas."""
    schemas = {entry.item.id: entry.item.schema for entry in items}
    decided = [(entry.item.id, entry.right) for entry in items if entry.right is not None]
    right = sum(mark for _, mark in decided)
    return {
        "individual": accuracy(((judgement.item.id, judgement.right) for judgement in judgements), schemas),
        "majority": accuracy(decided, schemas),
        "majority_of_all": RightShare(right, len(items), ratio(right, len(items))),
        "tied": len(items) - len(decided),
    }


def accuracy_by_person(judgements: Iterable[Judgement]) -> dict[str, float]:
    """Return the share of right answers of each person, by name."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for judgement in judgements:
        marks[judgement.participant].append(judgement.right)
    return {name: sum(given) / len(given) for name, given in sorted(marks.items())}


def _neither(judgements: Sequence[Judgement]) -> Neither:
    """Return how many answers take up no antecedent (1,000 - 515 - 424 = 61 in the paper), by gender of the pronoun (*es*: 50).

    *es* among the wrong answers to items without a neuter antecedent is what people choose for a whole situation.
    """
    counts = Counter(judgement.gender for judgement in judgements if judgement.place == NEITHER)
    without = [entry for entry in judgements if SITUATION not in {phrase.gender for phrase in entry.item.antecedents}]
    schemas = {entry.item.id: entry.item.schema for entry in without}
    wrong = accuracy(((entry.item.id, entry.gender == SITUATION) for entry in without if not entry.right), schemas)
    return Neither(
        answers=counts.total(),
        share=ratio(counts.total(), len(judgements)),
        by={gender: counts[gender] for gender in GENDERS},
        situation=Situation(wrong.right, wrong.n, wrong.value, wrong.interval),
    )


def _places(judgements: Sequence[Judgement]) -> dict[str, PlaceChoice]:
    """Return by place how often its antecedent was chosen, and two accuracies that are easily confused.

    ``right_when_chosen`` is the share of right answers among those that choose this place; ``right_when_gold`` among those to items
    whose right antecedent stands there. The paper's 0.74 and 0.81 of people, and 0.59 and 0.54 of a model, have a mean above the
    accuracy over all items, as the second kind cannot have where both places are right equally often.
    """
    return {
        place: PlaceChoice(
            chosen=len(chosen := [entry for entry in judgements if entry.place == place]),
            right_when_chosen=ratio(sum(entry.right for entry in chosen), len(chosen)),
            gold=len(gold := [entry for entry in judgements if entry.item.place == place]),
            right_when_gold=ratio(sum(entry.right for entry in gold), len(gold)),
        )
        for place in PLACES
    }


def _pairs(items: Sequence[ItemFigures]) -> PairAnswers:
    """Return how many pairs have the same majority answer to both items; a pair with a tie is undefined."""
    schemas: dict[str, list[ItemFigures]] = defaultdict(list)
    for entry in items:
        schemas[entry.item.schema].append(entry)
    pairs = [members for members in schemas.values() if len(members) > 1]
    decided = [members for members in pairs if all(entry.majority for entry in members)]
    same = sum(len({entry.majority for entry in members}) == 1 for members in decided)
    return PairAnswers(
        n=len(decided),
        same=same,
        share=ratio(same, len(decided)),
        undefined=len(pairs) - len(decided),
        both_wrong=sum(not any(entry.right for entry in members) for members in decided),
    )
