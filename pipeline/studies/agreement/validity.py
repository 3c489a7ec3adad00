"""Whether judged sentences are what they should be: sentences of templates, hypotheses, exclusions by rule."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...statistics.human_accuracy import majority_vote
from ...statistics.ratings import Category, Judgements
from ..model.answers import TaskJudgement, shown_fields
from ..model.study import Study, Task
from .expected import YES
from .measures import clustered_share

#: The controls of a study of templates: is the sentence grammatical, does the pronoun refer to this entity?
GRAMMATICAL, REFERS = "grammatical", "refers"
#: The control of an exclusion audit, its answer that confirms the rule, and the control that names another class.
VERDICT, AGREE, OTHER_CLASS = "verdict", "agree", "class"


def crosstab(table: Judgements, expected: Mapping[str, Category]) -> list[dict[str, Any]]:
    """Return the answers by expected answer, ordered by it: its ``items``, the ``right`` among its ``answers``, and ``given``.

    ``given`` has the number of each answer, the most frequent first; ``majority`` is the number of items whose majority answer is the
    expected one.
    """
    of_answer: dict[Category, list[str]] = defaultdict(list)
    for item in table:
        if item in expected:
            of_answer[expected[item]].append(item)
    rows = []
    for answer, items in sorted(of_answer.items(), key=lambda entry: str(entry[0])):
        given = Counter(str(given) for item in items for given in table[item].values())
        rows.append(
            {
                "expected": str(answer),
                "items": len(items),
                "answers": given.total(),
                "right": given[str(answer)],
                "majority": sum(majority_vote(table[item].values()).winner == answer for item in items),
                "given": dict(sorted(given.items(), key=lambda entry: (-entry[1], entry[0]))),
            }
        )
    return rows


def sentence_figures(
    study: Study, tasks: Iterable[Task], answered: Iterable[TaskJudgement], expected: Mapping[str, Category]
) -> dict[str, Any] | None:
    """Return how many sentences are grammatical, and how many have a unique and correct reference (WinoPron, section 3.3).

    A rater finds a sentence grammatical if they say so each time they are asked. They find its reference unique and correct if the pronoun
    refers to the right entity and to no other that the sentence names; *not sure* is neither. Counted are the sentences of which a rater
    answered every question. Shares are over raters and sentences, with schemas as clusters; ``raters`` has those of each rater, which the
    paper prints, and ``kinds`` those of sentences with one question (single-entity sentences) and with several.

    Args:
        study: the study.
        tasks: its tasks.
        answered: the judgements that count.
        expected: the expected answers to `REFERS`.

    Returns:
        None for a study that does not ask both questions.
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
    return {
        **_shares(marks),
        "kinds": {
            kind: _shares([mark for mark in marks if len(questions[mark[0]]) == number])
            for kind, number in kinds.items()
        },
        "raters": {
            rater: _shares([mark for mark in marks if mark[1] == rater])
            for rater in sorted({mark[1] for mark in marks})
        },
    }


def _sentence(item: str) -> str:
    return item.rpartition("/")[0]


def _shares(marks: Sequence[tuple[str, str, bool, bool]]) -> dict[str, Any]:
    shares: dict[str, Any] = {"sentences": len({mark[0] for mark in marks})}
    for place, name in ((2, "grammatical"), (3, "unique")):
        by_sentence: dict[str, list[bool]] = defaultdict(list)
        for mark in marks:
            by_sentence[mark[0]].append(bool(mark[place]))
        shares[name] = clustered_share(by_sentence, "no rater answered all questions about a sentence")
    return shares


def rule_figures(study: Study, answered: Iterable[TaskJudgement]) -> list[dict[str, Any]] | None:
    """Return how far raters confirm each rule that excluded a sentence, ordered by rule (WSC-ZA, section 3.1, has no such figure).

    A row has ``rule`` (empty for kept sentences on which the parsers disagree), ``class``, ``items``, the number of each answer in
    ``verdicts``, ``confirmed`` (the share of answers that agree, with schemas as clusters), ``majority`` (items whose majority answer
    agrees) and ``other_classes`` (the classes that raters would give instead).

    Args:
        study: the study.
        answered: the judgements that count.

    Returns:
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
    return [
        {"rule": rule, "class": exclusion, **_rule_row(judgements)}
        for (rule, exclusion), judgements in sorted(by_rule.items())
    ]


def _rule_row(judgements: Sequence[TaskJudgement]) -> dict[str, Any]:
    verdicts: dict[str, list[Category]] = defaultdict(list)
    for judgement in judgements:
        if VERDICT in judgement.answers:
            verdicts[judgement.item].append(judgement.answers[VERDICT])
    agreed = {item: [verdict == AGREE for verdict in given] for item, given in verdicts.items()}
    classes = Counter(str(row.answers[OTHER_CLASS]) for row in judgements if OTHER_CLASS in row.answers)
    return {
        "items": len(verdicts),
        "verdicts": dict(sorted(Counter(str(verdict) for given in verdicts.values() for verdict in given).items())),
        "confirmed": clustered_share(agreed, "no answers"),
        "majority": sum(majority_vote(given).winner == AGREE for given in verdicts.values()),
        "other_classes": dict(sorted(classes.items())),
    }
