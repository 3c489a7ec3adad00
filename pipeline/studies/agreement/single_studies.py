"""The figures of single studies: expected answers, sentences of templates, rules, systems, reconsideration."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import msgspec

from ...evaluation.measures.accuracy import Estimate, accuracy
from ...statistics.human_accuracy import majority_vote
from ...statistics.intervals import summarise
from ...statistics.ratings import Category, Judgements, Row
from ..design.selection import EXPLAIN
from ..model.answers import YES, TaskJudgement, first_answers, schema_of, shown_fields
from ..model.study import Study, Task
from .measures import MeanEstimate, ShareEstimate, clustered_share, mean_estimate

#: The controls of a study of templates: is the sentence grammatical, does the pronoun refer to this entity?
GRAMMATICAL, REFERS = "grammatical", "refers"
#: The control of an exclusion audit, its answer that confirms the rule, and the control that names another class; a verification has a
#: verdict too, with which the rater takes the answer back, or explains it (`EXPLAIN`).
VERDICT, AGREE, OTHER_CLASS, WITHDRAW = "verdict", "agree", "class", "withdraw"
#: The middle of the scale of 1 to 5: a better translation is good, a worse one bad.
MIDDLE = 3


# --- expected answers, sentences of templates, rules ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """An expected answer: its items, the right ones of its answers, items whose majority is right, and the number of each answer."""

    expected: str
    items: int
    answers: int
    right: int
    majority: int
    given: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SentenceShares:
    """The shares of sentences that are grammatical, and that have a unique and correct reference."""

    sentences: int
    grammatical: ShareEstimate
    unique: ShareEstimate


@dataclass(frozen=True, slots=True)
class SentenceFigures(SentenceShares):
    """The shares of all sentences, of those with one question and with several, and of those of each rater."""

    kinds: Mapping[str, SentenceShares]
    raters: Mapping[str, SentenceShares]


class RuleFigures(msgspec.Struct, frozen=True, kw_only=True, rename={"exclusion": "class"}):
    """How far raters confirm a rule.

    Attributes:
        rule: the rule, empty for kept sentences on which the parsers disagree.
        exclusion: its class.
        items: the number of sentences with a verdict, `majority` of which most raters confirm.
        confirmed: the share of answers that agree.
        other_classes: the classes that raters would give instead.
    """

    rule: str
    exclusion: str
    items: int
    verdicts: Mapping[str, int]
    confirmed: ShareEstimate
    majority: int
    other_classes: Mapping[str, int]


def crosstab(table: Judgements, expected: Mapping[str, Category]) -> list[ExpectedAnswer]:
    """Return the answers by expected answer, ordered by it; the most frequent answer comes first."""
    of_answer: dict[Category, list[str]] = defaultdict(list)
    for item in table:
        if item in expected:
            of_answer[expected[item]].append(item)
    rows = []
    for answer, items in sorted(of_answer.items(), key=lambda entry: str(entry[0])):
        given = Counter(str(given) for item in items for given in table[item].values())
        rows.append(
            ExpectedAnswer(
                expected=str(answer),
                items=len(items),
                answers=given.total(),
                right=given[str(answer)],
                majority=sum(majority_vote(table[item].values()).winner == answer for item in items),
                given=dict(sorted(given.items(), key=lambda entry: (-entry[1], entry[0]))),
            )
        )
    return rows


def sentence_figures(
    study: Study, tasks: Iterable[Task], answered: Iterable[TaskJudgement], expected: Mapping[str, Category]
) -> SentenceFigures | None:
    """Return how many sentences are grammatical, and how many have a unique and correct reference (WinoPron, section 3.3).

    A rater finds a sentence grammatical if they say so each time they are asked. They find its reference unique and correct if the pronoun
    refers to the right entity and to no other that the sentence names; *not sure* is neither. Counted are the sentences of which a rater
    answered every question. Shares are over raters and sentences, with schemas as clusters; the paper prints those of each rater. A study
    that does not ask both questions has none.
    """
    if not {GRAMMATICAL, REFERS} <= {control.name for control in study.controls} or not expected:
        return None
    questions: dict[str, set[str]] = defaultdict(set)
    for task in tasks:
        for item in task.items if task.phase == "main" else ():
            questions[_sentence(item)].add(item)
    answers: dict[tuple[str, str], dict[str, Mapping[str, Category]]] = defaultdict(dict)
    for judgement in answered:
        answers[_sentence(judgement.item), judgement.rater][judgement.item] = judgement.answers
    marks = [
        (
            sentence,
            rater,
            all(given.get(GRAMMATICAL) == YES for given in of_sentence.values()),
            all(given.get(REFERS) == expected[item] for item, given in of_sentence.items()),
        )
        for (sentence, rater), of_sentence in sorted(answers.items())
        if set(of_sentence) == questions[sentence]
    ]
    kinds = {"one entity": 1, "two entities": 2}
    every = _shares(marks)
    return SentenceFigures(
        sentences=every.sentences,
        grammatical=every.grammatical,
        unique=every.unique,
        kinds={
            kind: _shares([mark for mark in marks if len(questions[mark[0]]) == number])
            for kind, number in kinds.items()
        },
        raters={
            rater: _shares([mark for mark in marks if mark[1] == rater])
            for rater in sorted({mark[1] for mark in marks})
        },
    )


def _sentence(item: str) -> str:
    return item.rpartition("/")[0]


def _shares(marks: Sequence[tuple[str, str, bool, bool]]) -> SentenceShares:
    def share(place: int) -> ShareEstimate:
        by_sentence: dict[str, list[bool]] = defaultdict(list)
        for mark in marks:
            by_sentence[mark[0]].append(bool(mark[place]))
        return clustered_share(by_sentence, "no rater answered all questions about a sentence")

    return SentenceShares(len({mark[0] for mark in marks}), share(2), share(3))


def rule_figures(study: Study, answered: Iterable[TaskJudgement]) -> list[RuleFigures] | None:
    """Return how far raters confirm each rule that excluded a sentence, ordered by rule (WSC-ZA, section 3.1, has no such figure).

    None for a study that shows no rules, or asks for no verdict.
    """
    show: Mapping[str, str] = (study.design or {}).get("show", {})
    names = {field: name for name, field in show.items()}
    if "rule" not in names or VERDICT not in {control.name for control in study.controls}:
        return None
    by_rule: dict[tuple[str, str], list[TaskJudgement]] = defaultdict(list)
    for judgement in answered:
        fields = shown_fields(study, judgement.task, judgement.place)
        rule, exclusion = (str(fields.get(names.get(field, ""), "")) for field in ("rule", "class"))
        by_rule[rule, exclusion].append(judgement)
    return [_rule_row(rule, exclusion, rows) for (rule, exclusion), rows in sorted(by_rule.items())]


def _rule_row(rule: str, exclusion: str, judgements: Sequence[TaskJudgement]) -> RuleFigures:
    verdicts: dict[str, list[Category]] = defaultdict(list)
    for judgement in judgements:
        if VERDICT in judgement.answers:
            verdicts[judgement.item].append(judgement.answers[VERDICT])
    agreed = {item: [verdict == AGREE for verdict in given] for item, given in verdicts.items()}
    classes = Counter(str(row.answers[OTHER_CLASS]) for row in judgements if OTHER_CLASS in row.answers)
    return RuleFigures(
        rule=rule,
        exclusion=exclusion,
        items=len(verdicts),
        verdicts=dict(sorted(Counter(str(verdict) for given in verdicts.values() for verdict in given).items())),
        confirmed=clustered_share(agreed, "no answers"),
        majority=sum(majority_vote(given).winner == AGREE for given in verdicts.values()),
        other_classes=dict(sorted(classes.items())),
    )


# --- systems ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """The score of a system, the mean over sentences; its ratings, and how often each was given: it is the number of an error type."""

    score: MeanEstimate
    ratings: int
    types: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sides:
    """On how many translations with two raters all are on one side of `MIDDLE`."""

    translations: int
    agreed: int
    share: float | None


@dataclass(frozen=True, slots=True)
class AllSides(Sides):
    """The same with the translations that nobody rated with the middle, alone."""

    without_middle: Sides


def system_figures(table: Judgements, low: int, high: int) -> dict[str, Any]:
    """Return the fields of `ControlFigures` on systems: figures, scores by genre, the paper's agreement (EMNLP 2022, appendix A.2).

    The score of a system is the mean over sentences, of each the mean over raters. Items are ``GENRE-DOCUMENT-LINE/SYSTEM``.
    """
    by_system: dict[str, dict[str, Row]] = defaultdict(dict)
    by_genre: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for item, row in table.items():
        system = item.partition("/")[2]
        by_system[system][item] = row
        by_genre[schema_of(schema_of(item))][system].append(_mean(row))
    return {
        "systems": {name: _system(rows, low, high) for name, rows in sorted(by_system.items())},
        "genres": {
            genre: {name: fmean(means) for name, means in sorted(systems.items())}
            for genre, systems in sorted(by_genre.items())
        },
        "sides": _sides(table),
    }


def _system(rows: Mapping[str, Row], low: int, high: int) -> SystemFigures:
    given = Counter(int(rating) for row in rows.values() for rating in row.values())
    return SystemFigures(
        score=mean_estimate(summarise([_mean(row) for row in rows.values()]), "no answers"),
        ratings=given.total(),
        types={str(rating): given[rating] for rating in range(low, high + 1)},
    )


def _sides(table: Judgements) -> AllSides:
    """Return on how many translations all raters are on one side: over 3 good, under 3 bad.

    The paper does not say what 3 is. Here it is neither: raters agree if all of them give it, and translations that anybody gave it
    are counted apart as well.
    """
    ratings = [map(int, row.values()) for row in table.values() if len(row) > 1]
    rows = [[(rating > MIDDLE) - (rating < MIDDLE) for rating in row] for row in ratings]
    agreed, without = _agreed(rows), _agreed([sides for sides in rows if 0 not in sides])
    return AllSides(agreed.translations, agreed.agreed, agreed.share, without)


def _agreed(rows: Sequence[Sequence[int]]) -> Sides:
    agreed = sum(len(set(sides)) == 1 for sides in rows)
    return Sides(len(rows), agreed, agreed / len(rows) if rows else None)


def _mean(row: Row) -> float:
    return fmean(int(rating) for rating in row.values())


# --- reconsideration --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reconsideration:
    """The agreement with the expected answers before and after raters reconsider.

    Attributes:
        before: the answers as they were given.
        after: the same where a rater who withdraws an answer agrees with the expected one.
        disagreements: the number of answers that are not expected: the sum of the next three.
        withdrawn: the number that were withdrawn.
        explained: the number that were explained.
        open: the number that were not reconsidered.
        explained_items: the ids of the items that were explained.
    """

    before: Estimate
    after: Estimate
    disagreements: int
    withdrawn: int
    explained: int
    open: int
    explained_items: list[str]


def reconsidered(
    study: Study, questionnaire: Iterable[TaskJudgement], verification: Iterable[TaskJudgement]
) -> Reconsideration:
    """Return the agreement with the expected answers before and after reconsideration (Mandarinograd, LREC 2020, section 3.3).

    A rater who withdraws an answer then agrees with the expected one. An answer that is explained, or that was not reconsidered,
    stays as it is. `verification` is what the same raters say of their answers that are not the expected ones.

    Raises:
        ValueError: a rater verifies an answer that the questionnaire does not have, or has as the expected one; or the questionnaire
            asks for no candidate.
    """
    controls = [control.name for control in study.controls if control.asks_for_candidate]
    if not controls:
        raise ValueError(f"[controls] {study.id} asks for no candidate; expected a questionnaire")
    main = first_answers([answer for answer in questionnaire if answer.task.phase == "main"])
    before = {
        (answer.item, answer.rater): answer.answers[controls[0]] == answer.gold
        for answer in main
        if answer.gold is not None and controls[0] in answer.answers
    }
    verdicts: dict[tuple[str, str], object] = {}
    for answer in verification:
        if answer.task.phase != "main" or answer.skipped:
            continue
        if before.get((answer.item, answer.rater), True):
            reason = f"[rater] no answer to reconsider; found {answer.rater} with {answer.item} in the verification"
            raise ValueError(
                f"{reason}, expected an unexpected answer of theirs in {study.id}: is it pulled with another key?"
            )
        verdicts[answer.item, answer.rater] = answer.answers.get(VERDICT)
    after = {key: right or verdicts.get(key) == WITHDRAW for key, right in before.items()}
    wrong = [key for key, right in before.items() if not right]
    schemas = {item: schema_of(item) for item, _ in before}
    withdrawn, explained = ([key for key in wrong if verdicts.get(key) == code] for code in (WITHDRAW, EXPLAIN))
    return Reconsideration(
        before=accuracy(((item, right) for (item, _), right in before.items()), schemas),
        after=accuracy(((item, right) for (item, _), right in after.items()), schemas),
        disagreements=len(wrong),
        withdrawn=len(withdrawn),
        explained=len(explained),
        open=len(wrong) - len(withdrawn) - len(explained),
        explained_items=sorted({item for item, _ in explained}),
    )
