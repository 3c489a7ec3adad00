"""All figures of an experiment: people with and without those left out, models beside them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ...core.convert import read_yaml, to_object
from ...core.errors import PipelineError
from ...core.tables import read_table
from ...evaluation.cloze.items import ClozeItem
from ...evaluation.cloze.results import ClozeResult
from ...statistics.intervals import ratio
from ...winograd.cloze import OR
from ..browser.files import KEY, KEY_COLUMNS
from ..browser.results.tables import RESPONSES, Results
from .models import ModelFigures, model_figures
from .people import ItemFigures, Judgement, PeopleFigures, item_figures, judgements, people_figures
from .relations import Regression, Relation, regression, relations

#: Digits of a figure: the last ones of a fit differ from machine to machine.
DIGITS = 6


# --- who is left out, by criteria written before the data were seen ---------------------------------------------------

Share = Annotated[float, Meta(ge=0, le=1, description="a share from 0 to 1")]


@dataclass(frozen=True, slots=True)
class Criteria:
    """What a person must satisfy; the defaults are ours, the paper prints none.

    Attributes:
        attention: least share of attention items right, from 0 to 1; a person who was asked none satisfies it.
        fillers: least share of fillers right; a person without scored fillers satisfies it.
        fast_ms: an answer sooner than this, in milliseconds, is too fast to have read the text.
        fast_share: greatest share of answers to items and fillers that are too fast.
    """

    completed: bool = True
    attention: Share = 0.75
    fillers: Share = 0.75
    fast_ms: Annotated[int, Meta(ge=0, le=60000, description="milliseconds from 0 to 60000")] = 700
    fast_share: Share = 0.25


def read_criteria(path: Path) -> Criteria:
    """Return the criteria of a YAML file, a mapping; a field that is not given keeps its default."""
    return read_yaml(path, Criteria)


def read_filler_answers(folder: Path) -> dict[str, str]:
    """Return the right pronoun of each filler, or several with `OR` between them, from the key in the folder of an experiment."""
    rows = read_table(folder / KEY, KEY_COLUMNS)
    return {row["id"]: row["pronoun"] for _, row in rows if row["part"] == "filler"}


@dataclass(frozen=True, slots=True)
class Person:
    """What the criteria look at: a person's shares of attention items and fillers right and of answers that are too fast, and the reasons.

    A share is None where nothing is counted. Without reasons the person is kept.
    """

    attention: float | None
    fillers: float | None
    fast: float | None
    answers: int
    reasons: tuple[str, ...]


def people(results: Results, criteria: Criteria, fillers: Mapping[str, str]) -> dict[str, Person]:
    """Return each participant with the reasons for leaving out, by name, in the order of the file.

    `fillers` has the right pronoun of each filler, of several with `OR` between them each is right; those not in it are not scored.
    """
    marks: dict[str, list[bool]] = defaultdict(list)
    times: dict[str, list[int]] = defaultdict(list)
    for row in results.responses:
        if row.part == "filler" and row.id in fillers:
            marks[row.participant].append(row.answer.casefold() in fillers[row.id].casefold().split(OR))
        if row.part in ("item", "filler"):
            times[row.participant].append(row.rt_answer_ms)
    judged = {}
    for name, person in results.participants.items():
        attention = ratio(person.attention_right, person.attention_asked)
        right = ratio(sum(marks[name]), len(marks[name]))
        fast = ratio(sum(time < criteria.fast_ms for time in times[name]), len(times[name]))
        reasons = {
            "not completed": criteria.completed and not person.completed,
            "attention": attention is not None and attention < criteria.attention,
            "fillers": right is not None and right < criteria.fillers,
            "too fast": fast is not None and fast > criteria.fast_share,
        }
        judged[name] = Person(
            attention, right, fast, len(times[name]), tuple(reason for reason, holds in reasons.items() if holds)
        )
    return judged


# --- the figures ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GroupFigures(PeopleFigures):
    """The figures of a group of people, and of models on the items that they answered."""

    relations: Sequence[Relation]
    regression: Regression
    models: Sequence[ModelFigures]


@dataclass(frozen=True, slots=True)
class PeopleCounts:
    """How many people there are, are kept, are left out, and why; how many fillers were scored."""

    all: int
    kept: int
    excluded: int
    reasons: Mapping[str, int]
    fillers_scored: int


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures: `kept` those of the people who satisfy the criteria; `everyone` those of all, None if nobody is left out."""

    seed: int
    items: int
    criteria: Criteria
    people: PeopleCounts
    responses: Mapping[str, int]  # number of responses by part of the lists
    kept: GroupFigures
    everyone: GroupFigures | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis: items and answers are those of the people who are kept; `people` has all, with the reasons for leaving out."""

    figures: Figures
    items: Sequence[ItemFigures]
    people: Mapping[str, Person]
    answers: Sequence[Judgement]
    results: Sequence[ClozeResult]  # rows of the models, of ``evaluate cloze``

    @property
    def report(self) -> dict[str, Any]:
        """The figures as JSON values, rounded to six significant digits."""
        report: dict[str, Any] = rounded(to_object(self.figures))
        return report


def analyse(
    results: Results,
    items: Sequence[ClozeItem],
    models: Sequence[ClozeResult],
    criteria: Criteria,
    fillers: Mapping[str, str],
    *,
    seed: int,
    folder: Path,
) -> Analysis:
    """Return the analysis of an experiment; models and the right pronouns of `fillers` may be empty, `folder` is for errors.

    Raises:
        PipelineError: an answer fits no item, or nobody who answered satisfies the criteria.
    """
    judged = people(results, criteria, fillers)
    everyone = judgements(results.responses, items, folder / RESPONSES)
    kept = [judgement for judgement in everyone if not judged[judgement.participant].reasons]
    reasons = Counter(reason for person in judged.values() for reason in person.reasons)
    if not kept:
        counts = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        reason = (
            f"[criteria] nobody is left; found {len(judged)} left out ({counts}), expected criteria that some satisfy"
        )
        raise PipelineError(folder, None, reason)
    of_kept = item_figures(kept)
    excluded = sum(bool(person.reasons) for person in judged.values())
    figures = Figures(
        seed=seed,
        items=len(items),
        criteria=criteria,
        people=PeopleCounts(
            all=len(judged),
            kept=len(judged) - excluded,
            excluded=excluded,
            reasons=dict(sorted(reasons.items())),
            fillers_scored=len(fillers),
        ),
        responses=dict(sorted(Counter(response.part for response in results.responses).items())),
        kept=_group_figures(kept, of_kept, models, seed),
        everyone=_group_figures(everyone, item_figures(everyone), (), seed) if len(kept) < len(everyone) else None,
    )
    return Analysis(figures, of_kept, judged, kept, models)


def _group_figures(
    answers: Sequence[Judgement], items: Sequence[ItemFigures], models: Sequence[ClozeResult], seed: int
) -> GroupFigures:
    of_people = people_figures(answers, items, seed)
    return GroupFigures(
        **{field.name: getattr(of_people, field.name) for field in fields(of_people)},
        relations=relations(answers, items, seed),
        regression=regression(answers),
        models=model_figures(models, answers, items, seed),
    )


def rounded(value: Any) -> Any:
    """Return JSON values with their numbers rounded to six significant digits.

    >>> rounded({"a": [0.12345678, 1.234567e-9, 7]})
    {'a': [0.123457, 1.23457e-09, 7]}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list | tuple) else value
