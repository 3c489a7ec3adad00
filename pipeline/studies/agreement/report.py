"""The report of a study: its HTML page, and its main figures in a few lines."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element, ParseError  # no parser: defusedxml parses

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ...core.errors import plural
from ...core.pages import decimal, page_environment, percent
from ...evaluation.measures.accuracy import Estimate
from ...language.answers.mentions import letter
from ..model.answers import TaskJudgement, shown_fields
from ..model.study import Study
from .items import REASONS
from .measures import Agreement
from .raters import BackgroundFigures, RightAnswers
from .records import ControlFigures, Figures, RatersFigures, Without
from .single_studies import AllSides, Reconsideration

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
#: What follows from agreement, by the lower limit of the interval of Krippendorff's α.
RELIABILITY: Mapping[float, str] = {0.8: "enough to rely on", 0.667: "enough for tentative conclusions"}
UNRELIABLE = "too little, or too few items, to conclude from single answers"
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
    """What the page shows of one item: its texts by field, its candidates by control, other answers; rater, control and text of remarks."""

    item: str
    reasons: tuple[str, ...]  # why a person should review it
    texts: Mapping[str, str]
    candidates: Mapping[str, Sequence[Candidate]]
    answers: Mapping[str, Mapping[str, int]]  # the number of each answer, by the other controls that expect one
    remarks: Sequence[tuple[str, str, str]]
    skipped: Sequence[str]  # the raters who skipped it


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
        .get_template("studies/agreement/page.html.j2")
        .render(
            study=study,
            figures=figures,
            outcomes=outcomes(study, figures),
            questions=questions(study),
            several_raters=several_raters,
            numeric=lambda columns, unit="": [f">{unit}{column}" for column in columns],
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


# --- the words of a question ------------------------------------------------------------------------------------------

#: A field of the task's data in the words of a config.
_FIELD = re.compile(r"\$\w+")


def questions(study: Study) -> dict[str, str]:
    """Return the words above each control on the screen, by the control's name: of a screen of several records, those above the first.

    A field of the data is an ellipsis. A control that has no words of its own, and one of a config that cannot be read, has none.
    """
    try:
        root: Element = fromstring(study.config, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        return {}
    names = {study.control_name(control, 0): control.name for control in study.controls}
    words = {}
    header = ""
    for element in root.iter():
        if element.tag == "Header":
            header = _FIELD.sub("…", element.get("value", "")).strip()
        elif (name := element.get("name", "")) in names:
            if header:
                words[names[name]] = header
            header = ""
    return words


# --- what came out ----------------------------------------------------------------------------------------------------

#: The number of different answers that a sentence lists.
MOST = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question of a study in its words on the screen, otherwise its name, with what raters answered, in sentences."""

    question: str
    answer: str
    worded: bool  # whether the question has words on the screen


def outcomes(study: Study, figures: Figures) -> list[Outcome]:
    """Return what raters answered to each question that has figures, in the order of the screen."""
    words = questions(study)
    return [
        Outcome(words.get(name, name), " ".join(_sentences(control)), name in words)
        for name, control in figures.controls.items()
        if control.agreement and control.judgements
    ]


def several_raters(control: ControlFigures) -> bool:
    """Return whether two raters answered the same item, without which agreement is undefined."""
    return bool(control.agreement and control.agreement.pairs)


def _sentences(control: ControlFigures) -> list[str]:
    """Return sentences on the answers to a control, and on the agreement of its raters."""
    sentences = [_answers(control)]
    if not (several_raters(control) and control.agreement):
        return sentences
    if control.accuracy and (vote := control.accuracy.majority).n:
        sentences.append(f"The majority of raters is right for {vote.right} of {plural(vote.n, 'item')}.")
    if (same := control.agreement.percent.value) is not None:
        sentences.append(f"Of the pairs of raters of an item, {same:.0%} give the same answer.")
    return [*sentences, *_reliability(control.agreement)]


def _reliability(agreement: Agreement) -> Iterator[str]:
    """Yield what Krippendorff's α says (Content Analysis, 2004, p. 241), by its lower limit: few items prove little."""
    alpha = agreement.alpha_ordinal or agreement.alpha_masi or agreement.alpha
    if not alpha or alpha.value is None:
        return
    low, high = alpha.interval or (None, None)
    words = next((text for limit, text in RELIABILITY.items() if low is not None and low >= limit), UNRELIABLE)
    between = f"{decimal(low, 2)} to {decimal(high, 2)}" if alpha.interval else "no interval"
    yield f"Krippendorff’s α {decimal(alpha.value, 2)} ({between}): {words}.".replace("-", "−")


def _answers(control: ControlFigures) -> str:
    """Return a sentence on the answers to a control, at least one: how many are right, their mean, or the most frequent."""
    if control.accuracy and (every := control.accuracy.micro).n:
        return f"{every.right} of {plural(every.n, 'answer')} right ({every.value:.0%})."
    if control.histogram and control.ratings:
        lowest, *_, highest = control.histogram
        ratings = f"{plural(control.ratings.n, 'rating')} on the scale from {lowest} to {highest}"
        mean = f"{ratings}, on average {control.ratings.mean:.2f}"
        return f"{mean}; {plural(control.difficulty['hard'].n, 'item')} below 3." if control.difficulty else f"{mean}."
    if control.kind == "labelled":
        return f"{plural(control.judgements, 'sentence')} labelled."
    given = sorted((control.answers or {}).items(), key=lambda entry: (-entry[1], entry[0]))
    shown = (f"{letter(int(answer)) if control.kind == 'candidate' else answer}: {count}" for answer, count in given)
    return "; ".join(islice(shown, MOST)) + (f"; {len(given) - MOST} others." if len(given) > MOST else ".")


# --- the lines of the command -----------------------------------------------------------------------------------------


def summary(figures: Figures) -> Iterator[str]:
    """Yield the main figures of a study, a line for each."""
    counts = figures.counts
    answered = f"{plural(counts.judgements, 'judgement')} of {plural(counts.items, 'item')} by {plural(counts.raters, 'rater')}"
    practice = plural(figures.practice.judgements, "practice judgement")
    yield f"{figures.study}: {answered}, {counts.skipped} skipped; {practice} excluded"
    for name, control in figures.controls.items():
        yield control_line(name, control)
        if control.systems and control.sides:
            yield from _system_lines(control, control.sides)
        for part in control.units or ():
            yield f"  {part.unit}, {part.question}: mean pairwise cohen {decimal(part.cohen)} over {part.units}"
    if figures.fillers:
        marks = [marks for by_rater in figures.fillers.right.values() for marks in by_rater.values()]
        right, asked = sum(entry.right for entry in marks), sum(entry.n for entry in marks)
        yield f"fillers and attention trials, in no other figure: {right} of {asked} right"
    if figures.raters:
        yield from _rater_lines(figures.raters, figures.without or None)
    if figures.background:
        yield from _background_lines(figures.background)
    yield from _validity_lines(figures)
    if figures.reconsidered:
        yield from reconsidered_lines(figures.reconsidered)
    if figures.published:
        yield f"{plural(len(figures.published), 'figure')} beside those of the paper: index.html#published"
    yield f"{plural(len(figures.look_first), 'item')} to review first"


def control_line(name: str, control: ControlFigures) -> str:
    """Return the number of answers to a control with its main figures."""
    estimates = {}
    if agreement := control.agreement:
        estimates = {"fleiss": agreement.fleiss, "alpha": agreement.alpha, "alpha ordinal": agreement.alpha_ordinal}
    if accuracy := control.accuracy:
        estimates |= {"micro": accuracy.micro, "majority": accuracy.majority}
    texts = [f"{title} {decimal(estimate.value)}" for title, estimate in estimates.items() if estimate]
    return ", ".join([f"{name}: {plural(control.judgements, 'answer')}", *texts])


def _system_lines(control: ControlFigures, sides: AllSides) -> Iterator[str]:
    """Yield a line for each system, with its score and the number of each error type, and one for the raters' agreement."""
    for name, system in (control.systems or {}).items():
        types = ", ".join(f"{number} × {count}" for number, count in system.types.items())
        yield f"  {name}: {decimal(system.score.value)} over {plural(system.score.n, 'sentence')} ({types})"
    shares = [
        f"{percent(part.share)} of {plural(part.translations, 'translation')}" for part in (sides, sides.without_middle)
    ]
    yield f"  raters on one side of 3: {shares[0]}; without ratings of 3: {shares[1]}"


def _validity_lines(figures: Figures) -> Iterator[str]:
    """Yield a line for sentences of templates, and one for each rule of an exclusion audit."""
    if sentences := figures.sentences:
        shares = f"{percent(sentences.grammatical.value)} grammatical, {percent(sentences.unique.value)} with a unique"
        yield f"{plural(sentences.sentences, 'sentence')}: {shares} and correct reference"
    for rule in figures.rules or ():
        share = f"{percent(rule.confirmed.value)} of {plural(rule.confirmed.n, 'answer')} agree"
        yield f"  {rule.rule or 'no rule'}: {plural(rule.items, 'item')}, {share}"


def _rater_lines(raters: RatersFigures, without: Without | None) -> Iterator[str]:
    """Yield a line for each rater who misses a criterion or is left out by hand, and the main figures without them."""
    criteria = "criteria of the design" if raters.stated else "default criteria, the design states none"
    number = len(without.raters) if without else 0
    yield f"{plural(number, 'rater')} of {len(raters.raters)} to look at ({criteria})"
    if without:
        yield from (f"  {rater}: {'; '.join(reasons)}" for rater, reasons in without.raters.items())
        whom = "that rater" if number == 1 else "those raters"
        yield from (f"  without {whom}: {control_line(name, control)}" for name, control in without.controls.items())


def _background_lines(background: BackgroundFigures) -> Iterator[str]:
    """Yield a line for each group of raters, and one for the raters without a form."""
    for trait, groups in background.traits.items():
        for code, group in groups.items():
            shown = "too few raters to show figures"
            if group.controls is not None:
                estimates = {
                    name: entry.right if isinstance(entry, RightAnswers) else entry.mean
                    for name, entry in group.controls.items()
                }
                shown = ", ".join(f"{name} {decimal(estimate.value)}" for name, estimate in estimates.items())
            yield f"{trait} {code}: {plural(group.raters, 'rater')}" + (f": {shown}" if shown else "")
    missing = background.missing
    yield f"no form of {plural(len(missing), 'rater')}" + (f": {', '.join(missing)}" if missing else "")


def reconsidered_lines(figures: Reconsideration) -> list[str]:
    """Return the agreement before and after reconsideration in two lines."""

    def text(share: Estimate) -> str:
        return f"{share.right} of {share.n} ({'n/a' if share.value is None else f'{100 * share.value:.1f} %'})"

    parts = f"{figures.withdrawn} withdrawn + {figures.explained} explained + {figures.open} open"
    return [
        f"expected answers: {text(figures.before)} before and {text(figures.after)} after reconsideration",
        f"{plural(figures.disagreements, 'disagreement')} = {parts}",
    ]
