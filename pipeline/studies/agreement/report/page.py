"""The HTML report of a study: what came out, progress, agreement, answers, and the items."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....core.pages import page_environment
from ...model.answers import TaskJudgement, shown_fields
from ...model.study import Study
from ..measures import letter
from ..records import Figures
from ..review import REASONS
from .outcome import outcomes, questions, several_raters

#: The coefficients of agreement in the order of the page, with the names that readers know.
COEFFICIENTS: Mapping[str, str] = {
    "percent": "agreeing pairs of raters",
    "cohen": "mean Cohen’s κ",
    "cohen_linear": "mean Cohen’s κ, linear weights",
    "cohen_quadratic": "mean Cohen’s κ, quadratic weights",
    "fleiss": "Fleiss’ κ",
    "alpha": "Krippendorff’s α",
    "alpha_masi": "Krippendorff’s α of sets, MASI distance",
    "alpha_ordinal": "Krippendorff’s α, ordinal",
    "alpha_interval": "Krippendorff’s α, interval",
}
#: The accuracies in the order of the page.
ACCURACIES: Mapping[str, str] = {
    "subjects": "mean over raters",
    "items": "mean over items",
    "micro": "all answers",
    "majority": "majority vote (a tie counts as wrong)",
}
#: Up to so many items, the page shows all of them with their answers, before the figures.
FEW = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate of an item with its votes."""

    letter: str
    text: str
    votes: int
    right: bool


@dataclass(frozen=True, slots=True)
class Card:
    """What the page shows of one item.

    Attributes:
        item: the id of the item.
        reasons: why to review it.
        texts: the texts that raters saw, by field, without the candidates.
        candidates: the candidates with their votes, by control.
        answers: the number of each answer, by the other controls that expect one.
        remarks: rater, control and text of each remark.
        skipped: the raters who skipped it.
    """

    item: str
    reasons: tuple[str, ...]
    texts: Mapping[str, str]
    candidates: Mapping[str, Sequence[Candidate]]
    answers: Mapping[str, Mapping[str, int]]
    remarks: Sequence[tuple[str, str, str]]
    skipped: Sequence[str]


def page(study: Study, judgements: Sequence[TaskJudgement], figures: Figures) -> str:
    """Return the page as HTML that needs no script, no other file and no network."""
    by_item: dict[str, list[TaskJudgement]] = {}
    for judgement in sorted(judgements, key=lambda judgement: (judgement.task.key, judgement.rater)):
        if judgement.task.phase == "main":
            by_item.setdefault(judgement.item, []).append(judgement)
    cards = [
        card(study, by_item.pop(doubt.item), tuple(REASONS[name] for name in doubt.reasons))
        for doubt in figures.look_first
    ]
    others = [card(study, of_item, ()) for _, of_item in sorted(by_item.items())]
    return (
        page_environment()
        .get_template("studies/agreement/report/page.html.j2")
        .render(
            study=study,
            figures=figures,
            outcomes=outcomes(study, figures),
            questions=questions(study),
            several_raters=several_raters,
            few=len(cards) + len(others) <= FEW,
            cards=cards,
            doubts=Counter(card.reasons[0] for card in cards),
            others=others,
            remarked=[other for other in others if other.remarks],
            reasons=REASONS,
            coefficients=COEFFICIENTS,
            accuracies=ACCURACIES,
        )
    )


def card(study: Study, judgements: Sequence[TaskJudgement], reasons: tuple[str, ...]) -> Card:
    """Return the card of one item from all its judgements, at least one."""
    first = judgements[0]
    fields = shown_fields(study, first.task, first.place)
    options = first.task.options[first.place]
    given: dict[str, Counter[str | int]] = {
        control.name: Counter() for control in study.controls if control.expects_answer
    }
    remarks = []
    for judgement in judgements:
        for name, answer in judgement.answers.items():
            if name in given:
                given[name][answer] += 1
            elif str(answer).strip():
                remarks.append((judgement.rater, name, str(answer)))
    texts = candidate_texts(fields, options)
    chosen = [control.name for control in study.controls if control.kind == "candidate"]
    return Card(
        item=first.item,
        reasons=reasons,
        texts={name: value for name, value in fields.items() if isinstance(value, str) and value},
        candidates={
            name: [
                Candidate(letter(number), texts.get(number, ""), given[name][number], number == first.gold)
                for number in sorted(options)
            ]
            for name in chosen
        },
        answers={
            name: {str(answer): counts[answer] for answer in sorted(counts, key=str)}
            for name, counts in given.items()
            if name not in chosen and counts
        },
        remarks=remarks,
        skipped=[judgement.rater for judgement in judgements if judgement.skipped],
    )


def candidate_texts(fields: Mapping[str, Any], options: Sequence[int]) -> dict[int, str]:
    """Return the texts of the candidates by number: from the field that lists as many values as there are options."""
    for value in fields.values():
        if isinstance(value, list | tuple) and len(value) == len(options):
            return {
                number: str(option["value"] if isinstance(option, dict) and "value" in option else option)
                for number, option in zip(options, value, strict=True)
            }
    return {}
