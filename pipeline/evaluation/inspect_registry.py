"""What Inspect registers when winoforge is installed: tasks and a scorer for any release.

    inspect eval winoforge/wsc_za -T release=build/release/zh -T mode=few-shot --model openai/gpt-4o

This module is imported by Inspect only, through the entry point in pyproject.toml. Each answer is read by `parse_answer`, as everywhere
here, so that the figures are those of ``winoforge evaluate report`` on the same log (``winoforge evaluate import --format inspect``).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer
from inspect_ai.solver import TaskState, generate

from ..core.errors import PipelineError, shown
from ..language.answers.mentions import letter
from .folder import read_folder
from .predictions import FORMS as ITEM_FORMS
from .predictions import ORDERS, Form, WrittenOrder, order_of, parsed
from .questions import ItemQuestion, select_questions

#: Length of an answer in tokens, temperature and top-p of WSC-ZA (Appendix A).
CONFIG = GenerateConfig(max_tokens=128, temperature=0.0, top_p=0.9)


def _task_of_winoforge(function: Callable[..., Task]) -> Callable[..., Task]:
    """Register a task under the name of our distribution.

    Inspect puts the name of the import package before that of a task, and ours is `pipeline`. A function whose module it does not
    know keeps the name that it is given. A user's mistake becomes an error of click, which Inspect's command line shows in one line.
    """

    @wraps(function)
    def made(*args: Any, **arguments: Any) -> Task:
        from click import ClickException

        try:
            return function(*args, **arguments)
        except PipelineError as error:
            raise ClickException(str(error)) from error

    made.__module__ = "winoforge"
    return task(name=f"winoforge/{function.__name__}")(made)


@_task_of_winoforge
def wsc_za(
    release: str = "",
    mode: str = "zero-shot",
    form: Form = "zero",
    order: Literal["written", "swapped", "both", "as written"] = "written",
    items: int = 0,
    seed: int = 0,
    cue: bool = False,
) -> Task:
    """Ask about the items of a release as WSC-ZA does (section 4.1, Appendix B).

    Args:
        release: its folder.
        mode: zero-shot, one-shot, few-shot, clause-only or candidates-only, with -zh for instructions in Chinese.
        form: zero, or overt for the items with their pronoun.
        order: of the options; with both, the share of answers that stay the same is measured.
        items: size of a balanced sample of whole pairs; 0 for all items.
        seed: seed of the sample.
        cue: whether prompts end with the beginning of an answer rather than its format, for models that only go on with texts.
    """
    return _task(release, mode, form, order, items, seed, cue)


@_task_of_winoforge
def winopron(
    release: str = "",
    mode: str = "zero-shot",
    order: Literal["written", "swapped", "both", "as written"] = "written",
    items: int = 0,
    seed: int = 0,
    cue: bool = False,
) -> Task:
    """Ask about the sentences of a release made of templates, in WSC-ZA's layout; WinoPron's own prompts are those of `winopron ask`.

    Its arguments are those of `wsc_za`.
    """
    return _task(release, mode, "overt", order, items, seed, cue)


def _task(
    release: str, mode: str, form: Form, order: WrittenOrder | Literal["both"], items: int, seed: int, cue: bool
) -> Task:
    _require(release=release, form=form, order=order, items=items, seed=seed, cue=cue)
    orders = ORDERS if order == "both" else (order_of(order),)
    questions = select_questions(
        read_folder(Path(release)).items, [mode], form, orders, items=items or None, seed=seed, cue=cue
    ).questions
    metrics: list[Any] = [accuracy(), pair_accuracy(), unparsed(), *([order_consistency()] if order == "both" else [])]
    return Task(
        dataset=MemoryDataset([_sample(asked) for asked in questions]),
        solver=generate(),
        scorer=parsed_answer(),
        metrics=metrics,
        config=CONFIG,
    )


def _require(**given: object) -> None:
    """Raise `PipelineError` for an argument of another kind: Inspect passes on what YAML reads after -T."""
    choices = {"form": ITEM_FORMS, "order": (*get_args(WrittenOrder), "both"), "cue": (False, True)}
    for name, value in given.items():
        if name in choices:
            valid, expected = value in choices[name], f"one of {', '.join(map(shown, choices[name]))}"
        elif name == "release":
            valid, expected = isinstance(value, str) and value != "", "a folder such as build/release/zh"
        else:
            valid, expected = type(value) is int and value >= 0, "a whole number from 0"
        if not valid:
            raise PipelineError(None, None, f"[{name}] found {shown(value)}, expected {expected}")


def _sample(asked: ItemQuestion) -> Sample:
    """Return a question as Inspect's sample; its metadata say what an answer means."""
    entry, shown_as = asked.entry, asked.shown_as
    metadata: dict[str, Any] = {
        "item": entry.item.id,
        "schema": entry.item.schema,
        "candidates": list(entry.item.candidates),
    }
    metadata |= {"answer": entry.item.answer, **shown_as._asdict()}
    place = entry.item.answer if shown_as.order == "written" else len(entry.item.candidates) - 1 - entry.item.answer
    name = entry.item.id if shown_as.order == "written" else f"{entry.item.id}, swapped"
    return Sample(asked.prompt, target=letter(place), id=name, metadata=metadata)


@scorer(metrics=[accuracy()])
def parsed_answer() -> Scorer:
    """Score an answer by the candidate that it chooses (`parse_answer`); one without a clear choice is wrong."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's interface
        given, known = state.output.completion, state.metadata
        read = parsed(given, known["candidates"], known["order"])
        value = CORRECT if read.choice == known["answer"] else INCORRECT
        name = "" if read.choice is None else known["candidates"][read.choice]
        return Score(
            value=value, answer=name, explanation=given, metadata={"outcome": read.outcome, "choice": read.choice}
        )

    return score


@metric
def pair_accuracy() -> Metric:
    """Measure the share of schemas whose items are all right, in one order of the options."""

    def measure(scores: list[SampleScore]) -> float:
        pairs = _grouped(scores, lambda known: (known["schema"], known["order"]))
        return _share(all(given.score.value in (CORRECT, 1.0) for given in pair) for pair in pairs if len(pair) > 1)

    return measure


@metric
def order_consistency() -> Metric:
    """Measure the share of items to which the answers in both orders name the same candidate."""

    def measure(scores: list[SampleScore]) -> float:
        both = [pair for pair in _grouped(scores, lambda known: (known["item"],)) if len(pair) == len(ORDERS)]
        return _share(len({_choice(given) for given in pair}) == 1 and _choice(pair[0]) is not None for pair in both)

    return measure


@metric
def unparsed() -> Metric:
    """Measure the share of answers without one clear choice."""

    def measure(scores: list[SampleScore]) -> float:
        return _share(_choice(given) is None for given in scores)

    return measure


def _choice(given: SampleScore) -> int | None:
    return (given.score.metadata or {}).get("choice")


def _grouped(
    scores: Iterable[SampleScore], key: Callable[[dict[str, Any]], tuple[str, ...]]
) -> list[list[SampleScore]]:
    groups: dict[tuple[str, ...], list[SampleScore]] = defaultdict(list)
    for given in scores:
        groups[key(given.sample_metadata or {})].append(given)
    return list(groups.values())


def _share(marks: Iterable[bool]) -> float:
    """Return the share of true values; 0 of none, as Inspect's own accuracy."""
    values = list(marks)
    return sum(values) / len(values) if values else 0.0
