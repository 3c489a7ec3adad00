"""Sentences that raters labelled: the zeros of an answer, or what is wrong with it."""

from collections.abc import Iterable, Mapping

from ..core.errors import shown
from ..statistics.ratings import Category
from ..zero_pronouns.sentence import Sentence, parse_sentence
from .answers import TaskJudgement, shown_fields
from .design.design import Control
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


def labelled_places(sentences: Mapping[str, Mapping[str, Sentence]]) -> dict[str, dict[str, Category]]:
    """Return the labels at each place of sentences that two raters labelled at least: the table for measures of agreement.

    A place is before a character or at the end of the sentence; its label is empty where a rater sees no zero. The key of a row is
    the item with ``@`` and the offset of the place.

    Args:
        sentences: the labelled sentences by item and rater.
    """
    table: dict[str, dict[str, Category]] = {}
    for item, by_rater in sentences.items():
        if len(by_rater) < 2:
            continue
        labels = {rater: _labels(sentence) for rater, sentence in by_rater.items()}
        text = next(iter(by_rater.values())).text
        for place in range(len(text) + 1):
            table[f"{item}@{place}"] = {rater: of_rater.get(place, "") for rater, of_rater in labels.items()}
    return table


def _labels(sentence: Sentence) -> dict[int, str]:
    """Return the labels of a sentence by place; zeros at the same place make one label."""
    labels: dict[int, str] = {}
    for zero in sentence.zeros:
        labels[zero.place] = labels.get(zero.place, "") + zero.label
    return labels
