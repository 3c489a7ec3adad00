"""The raters of a study: how each answered (practice, attention, guessing, places, times), and how groups of them did."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ...statistics.agreement import krippendorff_alpha
from ...statistics.human_accuracy import mark, mean_ratings
from ...statistics.intervals import summarise
from ...statistics.ratings import Category
from ..model.answers import Background, TaskJudgement, answers_by_item, expected_answers, first_answers, marks
from ..model.design import Criteria
from ..model.study import Study, Task
from .measures import MeanEstimate, ShareEstimate, mean_estimate, share_of_right, with_gold

#: Least number of raters of a group whose figures are shown: of fewer, somebody who knows them could recognise them.
LEAST = 3
#: Least number of answers of which the share at one place is judged; of fewer, the right answers may be at one place by chance.
_LEAST = 20


@dataclass(frozen=True, slots=True)
class Marks:
    """Right answers of `n` to questions that have a right candidate."""

    right: int
    n: int

    @property
    def share(self) -> float | None:
        """The share of right answers; None without answers."""
        return self.right / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a rater answered.

    Attributes:
        practice: expected answers in practice.
        attention: expected answers to attention items and fillers.
        main: expected answers to main items.
        guessing: the probability that somebody who guesses has at least as many main answers right; None where guessing cannot be
            refuted with so few answers, see `guessing_probability`.
        place: the greatest share of main answers at one place on the screen, None for fewer than 20 answers.
        fast: the share of main items judged too fast; None where no time is known.
        seconds: the median time of a main item in seconds. A screen has one time, which its items share equally.
        reasons: the criteria that the rater does not satisfy, with what was found.
    """

    practice: Marks
    attention: Marks
    main: Marks
    guessing: float | None
    place: float | None
    fast: float | None
    seconds: float | None
    reasons: Mapping[str, str]


def conduct_of_raters(
    study: Study, tasks: Sequence[Task], judgements: Iterable[TaskJudgement], criteria: Criteria
) -> dict[str, Conduct]:
    """Return how each rater answered, by name. Skipped tasks count nowhere."""
    expected = {control.name: expected_answers(study, tasks, control) for control in study.controls}
    by_rater: dict[str, list[TaskJudgement]] = {}
    for judgement in judgements:
        if not judgement.skipped:
            by_rater.setdefault(judgement.rater, []).append(judgement)
    return {rater: _conduct(study, answered, expected, criteria) for rater, answered in sorted(by_rater.items())}


def guessing_probability(right: int, places: Sequence[int], level: float) -> float | None:
    """Return the probability that guessing gives at least `right` right answers, each with equal odds for all candidates.

    It is the upper tail of the Poisson binomial distribution, for items of two candidates that of the binomial; None if even answers
    that are all right could be guessed with a probability above `level`. `places` has the number of candidates of each question.

    >>> guessing_probability(4, [2, 2, 2, 2, 2], 0.05)
    0.1875
    >>> guessing_probability(4, [2, 2, 2, 2], 0.05) is None
    True
    """
    distribution = [1.0]
    for count in places:
        share = 1 / count
        wrong = [(1 - share) * probability for probability in distribution] + [0.0]
        distribution = [stays + share * before for stays, before in zip(wrong, [0.0, *distribution], strict=True)]
    return None if distribution[-1] > level else min(1.0, sum(distribution[right:]))


def _conduct(
    study: Study, answered: Sequence[TaskJudgement], expected: Mapping[str, Mapping[str, Category]], criteria: Criteria
) -> Conduct:
    phases: dict[str, list[TaskJudgement]] = {"practice": [], "filler": [], "main": []}
    for judgement in answered:
        phases[judgement.task.phase].append(judgement)
    practice, attention, main = (
        Marks(sum(right for right, _ in scored), len(scored))
        for phase in ("practice", "filler", "main")
        for scored in [_scored(study, phases[phase], expected)]
    )
    places = [count for _, count in _scored(study, phases["main"], expected) if count]
    guessing = guessing_probability(main.right, places, criteria.chance) if len(places) == main.n > 0 else None
    times = list(_seconds(phases["main"]))
    place = _place_share(study, phases["main"])
    fast = sum(time < criteria.fast_s for time in times) / len(times) if times else None
    reasons = {
        "practice": _too_few("practice", practice, criteria.practice),
        "attention": _too_few("attention items", attention, criteria.attention),
        "chance": ""
        if guessing is None or guessing <= criteria.chance
        else f"not above chance: {main.right} of {main.n} right, p = {guessing:.3f}",
        "place": "" if place is None or place <= criteria.place else f"{place:.0%} of the answers at one place",
        "fast": ""
        if fast is None or fast <= criteria.fast_share
        else f"{fast:.0%} of the items in less than {criteria.fast_s:g} s",
    }
    return Conduct(
        practice=practice,
        attention=attention,
        main=main,
        guessing=guessing,
        place=place,
        fast=fast,
        seconds=median(times) if times else None,
        reasons={name: reason for name, reason in reasons.items() if reason},
    )


def _too_few(name: str, answers: Marks, least: float) -> str:
    few = answers.share is not None and answers.share < least
    return f"{name}: {answers.right} of {answers.n} right" if few else ""


def _scored(
    study: Study, judgements: Iterable[TaskJudgement], expected: Mapping[str, Mapping[str, Category]]
) -> list[tuple[bool, int]]:
    """Return for each answer to a question with an expected answer whether it is right, and among how many somebody could guess.

    They are the candidates; of codes those that are expected somewhere; 0 for a text, which nobody guesses.
    """
    scored = []
    for judgement in judgements:
        for control in study.controls:
            right = marks(judgement, control, expected[control.name])
            if right is None:
                continue
            codes = 0 if control.kind == "text" else max(2, len(set(expected[control.name].values())))
            options = len(judgement.task.options[judgement.place]) if control.kind == "candidate" else codes
            scored.append((right, options))
    return scored


def _place_share(study: Study, judgements: Iterable[TaskJudgement]) -> float | None:
    """Return the greatest share of answers at one place, of questions that show two places or more."""
    places = [
        options.index(judgement.answers[control.name])
        for judgement in judgements
        for options in [judgement.task.options[judgement.place]]
        for control in study.controls
        if control.asks_for_candidate and control.name in judgement.answers and len(options) > 1
    ]
    return max(Counter(places).values()) / len(places) if len(places) >= _LEAST else None


def _seconds(judgements: Iterable[TaskJudgement]) -> Iterable[float]:
    """Yield the time of each item: an equal part of that of its screen."""
    for judgement in judgements:
        if judgement.judgement.lead_time is not None:
            yield judgement.judgement.lead_time / len(judgement.task.items)


# --- groups -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RightAnswers:
    """The answers of a group to a control with expected ones: the share of right ones, and Krippendorff's nominal alpha."""

    answers: int
    right: ShareEstimate
    alpha: float | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a group: their mean over items, and Krippendorff's ordinal alpha."""

    answers: int
    mean: MeanEstimate
    alpha: float | None


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """The number of raters of a group and their figures by control; None for fewer than `LEAST` raters."""

    raters: int
    controls: Mapping[str, RightAnswers | Ratings] | None


@dataclass(frozen=True, slots=True)
class BackgroundFigures:
    """The raters without a form, and the groups by question and code."""

    missing: list[str]
    traits: Mapping[str, Mapping[str, GroupFigures]]


def group_figures(
    study: Study, tasks: Sequence[Task], judgements: Sequence[TaskJudgement], background: Background
) -> BackgroundFigures:
    """Return the figures of the main tasks for each group of raters."""
    answered = first_answers(judgements)
    raters = {judgement.rater for judgement in answered}
    expected = {control.name: expected_answers(study, tasks, control) for control in study.controls}
    return BackgroundFigures(
        missing=sorted(raters - background.agreed - background.declined),
        traits={
            trait: {
                code: _group(study, answered, expected, {rater for rater in raters if codes.get(rater) == code})
                for code in sorted({code for rater, code in codes.items() if rater in raters})
            }
            for trait, codes in background.traits.items()
        },
    )


def _group(
    study: Study, answered: Iterable[TaskJudgement], expected: Mapping[str, Mapping[str, Category]], raters: set[str]
) -> GroupFigures:
    if len(raters) < LEAST:
        return GroupFigures(len(raters), None)
    own = [judgement for judgement in answered if judgement.rater in raters]
    controls: dict[str, RightAnswers | Ratings] = {}
    for control in study.controls:
        table, gold = answers_by_item(own, control.name), expected[control.name]
        rows, answers = list(table.values()), sum(map(len, table.values()))
        if gold and control.kind != "text":
            right = share_of_right(mark(with_gold(table, gold), gold))
            controls[control.name] = RightAnswers(answers, right, krippendorff_alpha(rows))
        elif control.kind == "rating":
            mean = mean_estimate(summarise(mean_ratings(table).values()), "no answers")
            controls[control.name] = Ratings(answers, mean, krippendorff_alpha(rows, "ordinal"))
    return GroupFigures(len(raters), controls)
