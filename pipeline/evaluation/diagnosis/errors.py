"""The items that systems answer wrong, with items that they answer right as controls (WSC-ZA, section 4.2).

The paper extracts "all items where the model's prediction differed from the gold answer" and does not say in how many of its three
prompting modes; the rule is therefore an argument, and every case names it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

from ...core.convert import read_records, to_object
from ...core.errors import PipelineError, shown
from ...core.files import require_unique
from ...language.answers.mentions import letter
from ..items import ReleasedItem
from ..modes import part_of
from ..predictions import FORMS, ORDER_WORDS, Form, Response, Run, Runs, own_runs

#: In how many of its runs a system must have answered an item wrong.
Rule = Literal["any", "all", "most"]
#: Why an item is diagnosed: the system answered it wrong, or it answered it right and hears the contrary.
Condition = Literal["error", "control"]
RULES: tuple[Rule, ...] = get_args(Rule)
CONDITIONS: tuple[Condition, ...] = get_args(Condition)
#: What each rule means, for outputs.
MEANINGS: Mapping[Rule, str] = {
    "any": "wrong in at least one run",
    "all": "wrong in every run",
    "most": "wrong in more than half of the runs",
}


@dataclass(frozen=True, slots=True)
class Case:
    """An item to diagnose in one form with one system."""

    id: str
    model: str
    form: Form
    condition: Condition  # ``error`` or ``control``
    #: The rule by which errors were chosen. A control is right in every run, whatever the rule.
    rule: Rule
    wrong: int  # number of runs with a wrong answer
    runs: int
    #: The candidate that it chose before: of an error the wrong one chosen most often (the first of several), None if no wrong
    #: answer has a choice; of a control the right one.
    previous: int | None
    answers: Mapping[str, str]  # the letter of the choice, or the outcome without one, by run


def chosen_runs(runs: Runs, modes: Sequence[str] = ()) -> dict[tuple[str, Form], list[Run]]:
    """Return the runs of each system and form that are its own answers to whole items; at least one of any runs.

    They are those of `modes`; without these, those in which it was asked, or else those by log-probabilities. Raises `ValueError` for a
    mode without a run.
    """
    known = list(dict.fromkeys(run.mode for run in runs))
    for mode in modes:
        if mode not in known:
            raise ValueError(f"[mode] no such mode; found {shown(mode)}, expected one of {', '.join(known)}")
    own = own_runs(runs)
    chosen: dict[tuple[str, Form], list[Run]] = {}
    for run in runs:
        if run.mode in modes or (not modes and run in own and not part_of(run.mode)):
            chosen.setdefault((run.model, run.form), []).append(run)
    if runs and not chosen:
        raise ValueError(f"[mode] no run of whole items; found {', '.join(known)}, expected such as zero-shot")
    return chosen


def is_error(marks: Sequence[bool], rule: Rule) -> bool:
    """Return whether the answers of several runs (true for right) make an item an error.

    >>> [is_error([True, False], rule) for rule in ("any", "all", "most")]
    [True, False, False]
    """
    wrong = marks.count(False)
    return {"any": wrong > 0, "all": 0 < wrong == len(marks), "most": 2 * wrong > len(marks)}[rule]


def cases(
    items: Sequence[ReleasedItem], runs: Runs, rule: Rule, *, modes: Sequence[str] = (), seed: int = 0
) -> list[Case]:
    """Return the errors of each system and form in the order of the release, and then as many controls, or all that there are.

    Controls are drawn at random from the items that are right in every run.
    """
    return [
        case
        for (model, form), chosen in chosen_runs(runs, modes).items()
        for case in _of_system(items, {run: runs[run] for run in chosen}, rule, Random(f"{seed}/{model}/{form}"))  # noqa: S311 - no secret
    ]


def _of_system(
    items: Sequence[ReleasedItem], runs: Mapping[Run, Mapping[str, Response]], rule: Rule, random: Random
) -> Iterator[Case]:
    answered = {
        entry.item.id: (entry, {run: runs[run][entry.item.id] for run in runs if entry.item.id in runs[run]})
        for entry in items
    }
    errors, right = [], []
    for name, (_, given) in answered.items():
        marks = [response.right for response in given.values()]
        if is_error(marks, rule):
            errors.append(name)
        elif marks and all(marks):
            right.append(name)
    controls = set(random.sample(right, min(len(errors), len(right))))
    yield from (_case(*answered[name], "error", rule) for name in errors)
    yield from (_case(*answered[name], "control", rule) for name in right if name in controls)


def _case(entry: ReleasedItem, given: Mapping[Run, Response], condition: Condition, rule: Rule) -> Case:
    wrong = [response for response in given.values() if not response.right]
    choices = Counter(response.parsed.choice for response in wrong if response.parsed.choice is not None)
    previous = choices.most_common(1)[0][0] if choices else None
    run = next(iter(given))
    return Case(
        id=entry.item.id,
        model=run.model,
        form=run.form,
        condition=condition,
        rule=rule,
        wrong=len(wrong),
        runs=len(given),
        previous=previous if condition == "error" else entry.item.answer,
        answers={
            f"{run.mode}, {ORDER_WORDS[run.order]}": parsed.outcome if parsed.choice is None else letter(parsed.choice)
            for run, parsed in ((run, response.parsed) for run, response in given.items())
        },
    )


def case_to_json(case: Case) -> dict[str, Any]:
    """Return the line of a case: its fields, with what its rule means."""
    content: dict[str, Any] = to_object(case)
    return content | {"meaning": MEANINGS[case.rule]}


def drawn_cases(cases: Mapping[str, Case], items: Mapping[str, ReleasedItem], limit: int, seed: int = 0) -> list[str]:
    """Return the names of at most `limit` cases of each condition.

    They are drawn in turn from the forms and the letters of the right candidates, as long as these have some. A larger draw with the same
    seed holds the smaller one.
    """
    drawn: list[str] = []
    for condition in CONDITIONS:
        groups: dict[tuple[Form, int], list[str]] = {}
        for name, case in cases.items():
            if case.condition == condition:
                groups.setdefault((case.form, items[case.id].item.answer), []).append(name)
        for group, names in groups.items():
            Random(f"{seed}/{condition}/{group}").shuffle(names)  # noqa: S311 - a sample, no secret
        ordered = sorted(groups, key=lambda group: (FORMS.index(group[0]), group[1]))
        in_turn = chain.from_iterable(zip_longest(*(groups[group] for group in ordered)))
        drawn += [name for name in in_turn if name is not None][:limit]
    return drawn


def read_cases(path: Path, items: Mapping[str, ReleasedItem]) -> list[Case]:
    """Return the cases of a file that `evaluate errors` wrote; at least one, each of an item of the release, once."""
    read: list[Case] = []
    lines: dict[tuple[str, str, str], int | None] = {}
    for line, case in read_records(path, Case, "the errors that winoforge evaluate errors writes", also=("meaning",)):
        if case.id not in items:
            reason = f"[id] unknown id; found {shown(case.id)}, expected an item of the release"
            raise PipelineError(path, line, reason)
        if case.previous is not None and not 0 <= case.previous < len(items[case.id].item.candidates):
            reason = f"[previous] found {case.previous}, expected the number of a candidate of {case.id}"
            raise PipelineError(path, line, reason)
        require_unique(lines, (case.id, case.model, case.form), path, line)
        read.append(case)
    if not read:
        raise PipelineError(path, None, "[file] no case; expected the errors that winoforge evaluate errors writes")
    return read


def missing(items: Sequence[ReleasedItem], runs: Runs, modes: Sequence[str] = ()) -> int:
    """Return how many answers are missing: items times runs less the answers given; see `chosen_runs`."""
    chosen = [run for of_system in chosen_runs(runs, modes).values() for run in of_system]
    return sum(len(items) - len(runs[run]) for run in chosen)
