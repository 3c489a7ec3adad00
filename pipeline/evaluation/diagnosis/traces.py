"""Traces: what a system explained after it was called wrong, and what it answered then (WSC-ZA, section 4.2)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.convert import read_by_id, to_object
from ...core.errors import PipelineError, shown
from ...core.model import Item
from ..items import ReleasedItem
from ..measures.accuracy import accuracy
from ..predictions import Form
from ..prompts import Language
from .errors import Case, Condition, Rule
from .prompts import diagnostic_prompt, parse_diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a system explained about one item."""

    id: str  # the id of the item, a slash and a number; it names neither system nor condition
    model: str
    form: Form
    condition: Condition  # whether its first answer was wrong (error) or right (control)
    rule: Rule  # the rule by which errors were chosen
    previous: int | None  # the candidate that it chose first; None without a choice
    language: Language
    prompt: str
    trace: str  # the whole text that it wrote
    outcome: str  # what its new answer is (`Outcome` of `language.answers`)
    choice: int | None  # the candidate that it chooses now; None without a choice
    item: Item

    def __post_init__(self) -> None:
        for name, choice in (("previous", self.previous), ("choice", self.choice)):
            if choice is not None and not 0 <= choice < len(self.item.candidates):
                raise ValueError(f"[{name}] found {choice}, expected the number of a candidate of {self.item.id}")


def case_ids(cases: Sequence[Case]) -> list[str]:
    """Return the id of the trace of each case: the item's id with the number of the case among those of the item."""
    numbers: Counter[str] = Counter()
    ids = []
    for case in cases:
        numbers[case.id] += 1
        ids.append(f"{case.id}/{numbers[case.id]}")
    return ids


def traces(
    cases: Mapping[str, Case],
    items: Mapping[str, ReleasedItem],
    language: Language,
    ask: Callable[[Mapping[str, str]], Mapping[str, str]],
) -> list[Trace]:
    """Return the traces of the cases of one system, by the ids of their traces; `ask` returns the reply to each prompt by id.

    Raises `ValueError` if a reply is missing, or a prompt does not fit (`diagnostic_prompt`).
    """
    prompts = {name: diagnostic_prompt(items[case.id], case.form, language) for name, case in cases.items()}
    replies = ask(prompts)
    made = []
    for name, case in cases.items():
        if name not in replies:
            raise ValueError(f"[id] no reply to {shown(name)}; expected one to each of {len(cases)} prompts")
        item = items[case.id].item
        parsed = parse_diagnosis(replies[name], item.candidates)
        made.append(
            Trace(
                id=name,
                model=case.model,
                form=case.form,
                condition=case.condition,
                rule=case.rule,
                previous=case.previous,
                language=language,
                prompt=prompts[name],
                trace=replies[name],
                outcome=parsed.outcome,
                choice=parsed.choice,
                item=item,
            )
        )
    return made


def read_traces(path: Path) -> list[Trace]:
    """Return the traces of a file that `evaluate diagnose` wrote; at least one, each with an id of its own."""
    traces_by_id = read_by_id(path, Trace, "the traces that winoforge evaluate diagnose writes")
    if not traces_by_id:
        raise PipelineError(path, None, "[file] no trace; expected those that winoforge evaluate diagnose writes")
    return list(traces_by_id.values())


def change_figures(made: Sequence[Trace]) -> list[dict[str, Any]]:
    """Return for each system, form and condition how often its answer changed after it was called wrong.

    A row has ``traces``, ``changed`` (the answer is another candidate than before; of an error without a choice before, any), ``kept``
    (the same), ``without`` (no choice now), ``right`` (right now), and ``share``, that of changes among the traces with a choice, with its
    95 % interval clustered by schema.
    """
    groups: dict[tuple[str, Form, Condition], list[Trace]] = {}
    for trace in made:
        groups.setdefault((trace.model, trace.form, trace.condition), []).append(trace)
    return [
        {"model": model, "form": form, "condition": condition, **_changes(group)}
        for (model, form, condition), group in groups.items()
    ]


def _changes(group: Sequence[Trace]) -> dict[str, Any]:
    chosen = [(trace.id, trace.choice != trace.previous) for trace in group if trace.choice is not None]
    changes = accuracy(chosen, {trace.id: trace.item.schema for trace in group})
    return {
        "traces": len(group),
        "changed": changes.right,
        "kept": changes.n - changes.right,
        "without": len(group) - changes.n,
        "right": sum(trace.choice == trace.item.answer for trace in group),
        "share": changes.value,
        "interval": to_object(changes.interval),
    }
