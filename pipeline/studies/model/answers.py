"""The judgements of a study, joined with the tasks that they answer: codes, labelled sentences, what raters say of themselves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, errors_at, shown
from ...language.personal_data import find_personal_data
from ...statistics.ratings import Category
from ...zero_pronouns.agreement import Question, Unit, unit_answers
from ...zero_pronouns.labels import Sentence, parse_sentence
from .design import Control
from .judgements import MAX_LEAD_TIME, Answer, Judgement, numbered_judgements
from .study import Study, Task, read_study

#: The code that says that no other applies; it stands alone.
NONE = "none"


def codes_of(answer: Category) -> frozenset[str]:
    """Return the codes of an answer, which has them with blanks between.

    >>> sorted(codes_of("surface-cue topic-chain"))
    ['surface-cue', 'topic-chain']
    """
    return frozenset(str(answer).split(" "))


def joined_codes(codes: Sequence[str], choices: Sequence[str]) -> str:
    """Return the answer with these codes, in the order of the design.

    Raises:
        ValueError: there is none, one is unknown or there twice, or `NONE` has company.
    """
    if not codes or not set(codes) <= set(choices) or len(set(codes)) < len(codes):
        raise ValueError(f"unknown choices; found {shown(list(codes))}, expected some of {', '.join(choices)}")
    if NONE in codes and len(codes) > 1:
        raise ValueError(f"contradiction; found {shown(list(codes))}, expected {NONE} alone or codes without it")
    return " ".join(choice for choice in choices if choice in codes)


def are_codes(answer: object, choices: Sequence[str]) -> bool:
    """Return whether an answer is one that `joined_codes` gives."""
    try:
        return isinstance(answer, str) and joined_codes(answer.split(" "), choices) == answer
    except ValueError:
        return False


# --- judgements with their tasks --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TaskJudgement:
    """A judgement with its task, and the place of the item on the task's screen, from 0."""

    judgement: Judgement
    task: Task
    place: int

    @property
    def item(self) -> str:
        """The id of the item, the same in all tasks that show it."""
        return self.judgement.item

    @property
    def rater(self) -> str:
        """The rater's pseudonym."""
        return self.judgement.rater

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The answers by control."""
        return self.judgement.answers

    @property
    def skipped(self) -> bool:
        """Whether the rater skipped the task."""
        return self.judgement.skipped

    @property
    def gold(self) -> int | None:
        """The number of the right candidate; None where there is none."""
        return self.task.gold[self.place]


def shown_fields(study: Study, task: Task, place: int) -> dict[str, Any]:
    """Return what a task showed of the item at a place (from 0) on its screen, by the names in the design's ``show``."""
    data = {name: value for name, value in task.data.items() if name not in ("study", "task")}
    if study.screen == 1:
        return data
    end = f"_{place + 1}"
    return {name.removesuffix(end): value for name, value in data.items() if name.endswith(end)}


def read_answers(path: Path, study: Study, tasks: Sequence[Task]) -> list[TaskJudgement]:
    """Return the judgements of an export with their tasks, in the order of the file.

    Raises:
        PipelineError: a judgement is malformed or does not fit a task of the study.
    """
    return join_tasks(numbered_judgements(path), path, study, tasks)


def join_tasks(
    numbered: Iterable[tuple[int | None, Judgement]], path: Path, study: Study, tasks: Sequence[Task]
) -> list[TaskJudgement]:
    """Return judgements, given with their lines in a file, with their tasks; raises `PipelineError` if one does not fit its task."""
    by_key = {task.key: task for task in tasks}
    controls = {control.name: control for control in study.controls}
    joined = []
    for line, judgement in numbered:
        with errors_at(path, line):
            task = _task_of(judgement, study, by_key)
            place = task.items.index(judgement.item)
            for name, answer in judgement.answers.items():
                _check(name, answer, controls, task.options[place])
            _require_answers(judgement, controls)
        joined.append(TaskJudgement(judgement, task, place))
    return joined


def _task_of(judgement: Judgement, study: Study, tasks: Mapping[str, Task]) -> Task:
    if judgement.study != study.id:
        raise ValueError(f"[study] another study; found {shown(judgement.study)}, expected {shown(study.id)}")
    if judgement.task not in tasks:
        raise ValueError(
            f"[task] unknown task; found {shown(judgement.task)}, expected one of the study's {len(tasks)}"
        )
    task = tasks[judgement.task]
    for name in ("list", "phase"):
        if getattr(judgement, name) != getattr(task, name):
            actual, expected = shown(getattr(judgement, name)), shown(getattr(task, name))
            raise ValueError(f"[{name}] not the {name} of task {task.key}; found {actual}, expected {expected}")
    if judgement.item not in task.items:
        raise ValueError(
            f"[item] not in the task; found {shown(judgement.item)}, expected one of {', '.join(task.items)}"
        )
    if judgement.lead_time is not None and not 0 <= judgement.lead_time <= MAX_LEAD_TIME:
        raise ValueError(
            f"[lead_time] impossible time; found {judgement.lead_time!r}, expected 0 to {MAX_LEAD_TIME} seconds"
        )
    return task


def _check(name: str, answer: Answer, controls: Mapping[str, Control], options: Sequence[int]) -> None:
    if name not in controls:
        raise ValueError(f"[answers] unknown control; found {shown(name)}, expected one of {', '.join(controls)}")
    control = controls[name]
    given = shown(answer) + (", a text" if control.kind == "rating" and isinstance(answer, str) else "")
    allowed: Mapping[str, tuple[bool, str]] = {
        "candidate": (answer in options, f"one of {', '.join(map(str, options))}"),
        "choice": (answer in control.choices, f"one of {', '.join(control.choices)}"),
        "choices": (are_codes(answer, control.choices), f"some of {', '.join(control.choices)}"),
        "rating": (
            isinstance(answer, int) and control.low <= answer <= control.high,
            f"a number, {control.low} to {control.high}",
        ),
        "text": (isinstance(answer, str), "text"),
        "labelled": (isinstance(answer, str), "text"),
    }
    fits, expected = allowed[control.kind]
    if not fits:
        raise ValueError(f"[{name}] wrong answer; found {given}, expected {expected}")


def _require_answers(judgement: Judgement, controls: Mapping[str, Control]) -> None:
    """Raise `ValueError` if a judgement lacks a required answer; `annotate pull` refuses such ones."""
    for control in () if judgement.skipped else controls.values():
        if control.required and control.name not in judgement.answers:
            reason = f"answer missing; found {', '.join(sorted(judgement.answers)) or 'none'} of {judgement.rater}"
            raise ValueError(f"[{control.name}] {reason}, expected an answer to each required question")


def first_answers(judgements: Iterable[TaskJudgement]) -> list[TaskJudgement]:
    """Return the judgements that count: of main tasks, not skipped, of each rater the first of an item by the key of its task."""
    first: dict[tuple[str, str], TaskJudgement] = {}
    for judgement in sorted(judgements, key=lambda judgement: (judgement.task.key, judgement.place, judgement.rater)):
        if judgement.task.phase == "main" and not judgement.skipped:
            first.setdefault((judgement.item, judgement.rater), judgement)
    return list(first.values())


def answers_by_item(judgements: Iterable[TaskJudgement], control: str) -> dict[str, dict[str, Category]]:
    """Return the answers to one control by item and rater, ordered by their names: the table for measures of agreement.

    Where a rater answered an item several times, the last of `judgements` counts.
    """
    table: dict[str, dict[str, Category]] = {}
    for judgement in sorted(judgements, key=lambda judgement: (judgement.item, judgement.rater)):
        if control in judgement.answers:
            table.setdefault(judgement.item, {})[judgement.rater] = judgement.answers[control]
    return table


def schema_of(item: str) -> str:
    """Return the schema of an item from its id, which is the schema, a hyphen and the version.

    >>> schema_of("zh-0001-a"), schema_of("zh-0001-b/1"), schema_of("x")
    ('zh-0001', 'zh-0001', 'x')
    """
    head, _, _ = item.rpartition("-")
    return head or item


# --- labelled sentences -----------------------------------------------------------------------------------------------


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


# --- what raters say of themselves ------------------------------------------------------------------------------------

#: The control of a form that asks for consent, and its codes.
CONSENT, AGREE, DECLINE = "consent", "agree", "decline"


def contact_warnings(study: Study, tasks: Iterable[Task]) -> list[str]:
    """Return a line for each form that asks for consent but has no address in its field ``contact``, as those of this project."""
    if not any(control.name == CONSENT for control in study.controls):
        return []
    texts = {str(task.data.get("contact", "")) for task in tasks}
    return [
        f"warning: [contact] no address that participants can write to; found {shown(text)}, expected an e-mail address, a telephone "
        "number or a link: write into `publisher` and `contact` of the form who you are, and design the study again"
        for text in sorted(texts)
        if not find_personal_data(text)
    ]


@dataclass(frozen=True, slots=True)
class Background:
    """The answers to a form: who takes part and who does not, and for each other question the code of each rater who agreed."""

    agreed: frozenset[str]
    declined: frozenset[str]
    traits: Mapping[str, Mapping[str, str]]


def read_background(folder: Path) -> Background:
    """Return what raters answered to the form that `annotate pull` wrote into a folder.

    One who skipped the form, or the question for consent, answered nothing.

    Raises:
        PipelineError: a file is missing or malformed, or the study does not ask for consent.
    """
    study, tasks = read_study(folder)
    asked = {control.name: control for control in study.controls if control.kind == "choice"}
    if CONSENT not in asked or not {AGREE, DECLINE} <= set(asked[CONSENT].choices):
        names = shown(", ".join(control.name for control in study.controls))
        reason = f"[background] study {study.id} asks for no consent; found the controls {names}"
        raise PipelineError(None, None, f"{reason}, expected {CONSENT} with {AGREE} and {DECLINE}")
    consent: dict[str, str] = {}
    traits: dict[str, dict[str, str]] = {name: {} for name in asked if name != CONSENT}
    for judgement in read_answers(folder / "judgements.jsonl", study, tasks):
        if CONSENT not in judgement.answers:
            continue
        consent[judgement.rater] = str(judgement.answers[CONSENT])
        for name, of_trait in traits.items():
            if name in judgement.answers and consent[judgement.rater] == AGREE:
                of_trait[judgement.rater] = str(judgement.answers[name])
    return Background(
        agreed=frozenset(rater for rater, code in consent.items() if code == AGREE),
        declined=frozenset(rater for rater, code in consent.items() if code == DECLINE),
        traits=traits,
    )


# --- expected answers -------------------------------------------------------------------------------------------------

#: Controls that ask with yes and no about one entity, or about the hypothesis on it: yes is right for the right candidate.
ABOUT_ENTITY = ("refers", "follows")
YES, NO = "yes", "no"


def expected_answers(study: Study, tasks: Iterable[Task], control: Control) -> dict[str, Category]:
    """Return the expected answer to a control by item, practice too; empty if the control has none."""
    gold = {
        item: number for task in tasks for item, number in zip(task.items, task.gold, strict=True) if number is not None
    }
    if control.asks_for_candidate:
        return dict(gold)
    if control.name in ABOUT_ENTITY and {YES, NO} <= set(control.choices):
        entities = {item: item.rpartition("/")[2] for item in gold}
        return {
            item: YES if entity == str(gold[item]) else NO for item, entity in entities.items() if entity.isdecimal()
        }
    if control.kind == "text" and control.required:
        return {item: same_text(form) for item, form in _blanks(study)}
    return {}


def _blanks(study: Study) -> Iterable[tuple[str, str]]:
    """Yield each record with the words that its blank replaces."""
    design: Mapping[str, Any] = study.design or {}
    if "blanked" not in design.get("show", {}).values():
        return
    for row in [*design["practice"], *(row for rows in design["selected"].values() for row in rows)]:
        item = row["item"]
        if item["target"] is not None:
            yield item["id"], item["text"][item["target"]["start"] : item["target"]["end"]]


def same_text(answer: Category) -> str:
    """Return a text answer without outer blanks and capitals, which tell no answers apart."""
    return str(answer).strip().casefold()


def marks(judgement: TaskJudgement, control: Control, expected: Mapping[str, Category]) -> bool | None:
    """Return whether a judgement's answer to a control is the expected one; None without an answer or an expectation."""
    if control.name not in judgement.answers or judgement.item not in expected:
        return None
    answer = judgement.answers[control.name]
    return (same_text(answer) if control.kind == "text" else answer) == expected[judgement.item]
