"""Sentences that raters labelled: the zeros of an answer, or what is wrong with it."""

from collections.abc import Iterable, Mapping

from ...core.errors import shown
from ...statistics.ratings import Category
from ...zero_pronouns.agreement import Question, Unit, unit_answers
from ...zero_pronouns.sentence import Sentence, parse_sentence
from .answers import TaskJudgement, shown_fields
from .design import Control
from .judgements import Judgement
from .study import Study, Task


def labelled_sentence(study: Study, task: Task, judgement: Judgement, control: Control) -> Sentence:
    """Return the sentence that a judgement labels; a control left open says that it has no zero.

    Raises:
        ValueError: a label is malformed or missing, or the text without labels is not the one that the task shows.
    """
    text = shown_fields(study, task, task.items.index(judgement.item)).get("text")
    if not isinstance(text, str):
        raise ValueError(f"[{control.name}] no text to label; found {shown(text)} in the data, expected text")
    if control.name not in judgement.answers:
        return Sentence(text)
    sentence, faults = parse_sentence(str(judgement.answers[control.name]).strip())
    if faults:
        raise ValueError(f"[{control.name}] malformed label; {faults[0]}")
    if sentence.text != text:
        reason = f"found {shown(sentence.text)} without its labels, expected {shown(text)}"
        raise ValueError(f"[{control.name}] the sentence was changed; {reason}")
    if not sentence.zeros:
        reason = "found the sentence as it was, expected a label such as <他>_S, or no answer"
        raise ValueError(f"[{control.name}] no label; {reason}")
    return sentence


def label_faults(study: Study, task: Task, judgements: Iterable[Judgement]) -> list[str]:
    """Return what is wrong with the labelled sentences of a task, a line for each."""
    faults = []
    for judgement in judgements:
        for control in study.controls:
            if control.kind == "labelled" and not judgement.skipped:
                try:
                    labelled_sentence(study, task, judgement, control)
                except ValueError as error:
                    faults.append(f"{judgement.item}: {error}")
    return faults


def labelled_sentences(
    study: Study, answered: Iterable[TaskJudgement], control: Control
) -> tuple[dict[str, dict[str, Sentence]], list[str]]:
    """Return the labelled sentences by item and rater, and a line for each answer that is malformed.

    Where a rater answered an item several times, the last of `answered` counts.
    """
    sentences: dict[str, dict[str, Sentence]] = {}
    faults = []
    for row in sorted(answered, key=lambda row: (row.item, row.rater)):
        try:
            sentence = labelled_sentence(study, row.task, row.judgement, control)
        except ValueError as error:
            faults.append(f"{row.task.key}: {row.item}: {row.rater}: {error}")
        else:
            sentences.setdefault(row.item, {})[row.rater] = sentence
    return sentences, faults


def labelled_units(
    sentences: Mapping[str, Mapping[str, Sentence]], unit: Unit, question: Question
) -> dict[str, dict[str, Category]]:
    """Return the answers to a question about each unit of the sentences that two raters labelled at least.

    It is the table for measures of agreement. The key of a row is the item with ``@`` and the number of the unit in it.
    """
    return {
        f"{item}@{number}": dict(zip(by_rater, answers, strict=True))
        for item, by_rater in sentences.items()
        if len(by_rater) > 1
        for number, answers in enumerate(unit_answers(tuple(by_rater.values()), unit, question))
    }
