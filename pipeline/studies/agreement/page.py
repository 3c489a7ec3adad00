"""The page on a study: progress, agreement, what the answers tell, the items to look at first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.pages import page_environment
from ..answers import TaskJudgement, shown
from .controls import asked_for, letter
from .review import REASONS

if TYPE_CHECKING:
    from ..study import Study

#: The coefficients that a control's figures may have, as readers call them.
COEFFICIENTS: Mapping[str, str] = {
    "percent": "agreeing pairs of raters",
    "cohen": "mean Cohen’s κ",
    "cohen_linear": "mean Cohen’s κ, linear weights",
    "cohen_quadratic": "mean Cohen’s κ, quadratic weights",
    "fleiss": "Fleiss’ κ",
    "alpha": "Krippendorff’s α",
    "alpha_ordinal": "Krippendorff’s α, ordinal",
    "alpha_interval": "Krippendorff’s α, interval",
}
ACCURACIES: Mapping[str, str] = {
    "subjects": "mean of raters",
    "items": "mean of items",
    "micro": "all answers",
    "majority": "majority vote (a tie is not right)",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate of an item with the votes that it got."""

    letter: str
    text: str
    votes: int
    right: bool


@dataclass(frozen=True, slots=True)
class Card:
    """All that is known of one item.

    Attributes:
        item: its id.
        reasons: why to look at it.
        texts: what was shown, by field, without the candidates.
        candidates: by candidate control.
        answers: by other control that asks for an answer, how many gave each.
        remarks: rater, control and text.
        skipped: who passed it over.
    """

    item: str
    reasons: tuple[str, ...]
    texts: Mapping[str, str]
    candidates: Mapping[str, Sequence[Candidate]]
    answers: Mapping[str, Mapping[str, int]]
    remarks: Sequence[tuple[str, str, str]]
    skipped: Sequence[str]


def page(study: "Study", answers: Sequence[TaskJudgement], figures: Mapping[str, Any]) -> str:
    """Return the page as HTML that needs no script, no other file and no network.

    Args:
        study: what its tasks share.
        answers: the judgements with their tasks.
        figures: what `annotation.figures.figures` made of them.
    """
    by_item: dict[str, list[TaskJudgement]] = {}
    for one in sorted(answers, key=lambda one: (one.task.key, one.judgement.rater)):
        if one.task.phase == "main":
            by_item.setdefault(one.item, []).append(one)
    cards = [
        card(study, by_item[doubt["item"]], tuple(REASONS[name] for name in doubt["reasons"]))
        for doubt in figures["look_first"]
    ]
    listed = {one.item for one in cards}
    others = (card(study, told, ()) for item, told in sorted(by_item.items()) if item not in listed)
    return (
        page_environment()
        .get_template("studies/agreement/page.html.j2")
        .render(
            study=study,
            figures=figures,
            cards=cards,
            remarked=[one for one in others if one.remarks],
            reasons=REASONS,
            coefficients=COEFFICIENTS,
            accuracies=ACCURACIES,
        )
    )


def card(study: "Study", answers: Sequence[TaskJudgement], reasons: tuple[str, ...]) -> Card:
    """Return the card of the item that the answers, at least one, are all about."""
    first = answers[0]
    fields = shown(study, first.task, first.place)
    options = first.task.options[first.place]
    said: dict[str, Counter[str | int]] = {control.name: Counter() for control in study.controls if asked_for(control)}
    remarks = []
    for one in answers:
        for name, answer in one.judgement.answers.items():
            if name in said:
                said[name][answer] += 1
            elif str(answer).strip():
                remarks.append((one.judgement.rater, name, str(answer)))
    texts = candidate_texts(fields, options)
    chosen = [control.name for control in study.controls if control.kind == "candidate"]
    return Card(
        item=first.item,
        reasons=reasons,
        texts={name: value for name, value in fields.items() if isinstance(value, str) and value},
        candidates={
            name: [
                Candidate(letter(number), texts.get(number, ""), said[name][number], number == first.gold)
                for number in sorted(options)
            ]
            for name in chosen
        },
        answers={
            name: {str(answer): told[answer] for answer in sorted(told, key=str)}
            for name, told in said.items()
            if name not in chosen and told
        },
        remarks=remarks,
        skipped=[one.judgement.rater for one in answers if one.judgement.skipped],
    )


def candidate_texts(fields: Mapping[str, Any], options: Sequence[int]) -> dict[int, str]:
    """Return the texts of the candidates by their numbers: the field of a task that lists as many values as there are options."""
    for value in fields.values():
        if isinstance(value, list | tuple) and len(value) == len(options):
            return {
                number: str(one["value"] if isinstance(one, dict) and "value" in one else one)
                for number, one in zip(options, value, strict=True)
            }
    return {}
