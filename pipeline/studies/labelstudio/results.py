"""What a submitted result says, held against the controls of the study."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.ElementTree import fromstring

from ...core.errors import PipelineError
from ..design.design import Control, ControlKind
from ..judgements import Answer
from ..study import Study, Task

#: The type of a result and the key of its value, by kind of control.
_SENT: Mapping[ControlKind, tuple[str, str]] = {
    "candidate": ("choices", "choices"),
    "choice": ("choices", "choices"),
    "rating": ("rating", "rating"),
    "text": ("textarea", "text"),
}


class MalformedError(Exception):
    """A result that says nothing that the study asks for; the reason is its text."""


def option_fields(study: Study) -> dict[str, str]:
    """Return, for each control of candidates in the labelling config, the field of a task's data that has its options.

    Raises:
        PipelineError: the config is no XML, or a control of candidates has no ``value="$field"``.
    """
    try:
        root: Element = fromstring(study.config)
    except (ParseError, ValueError) as error:
        raise PipelineError(None, None, f"[config] no XML; {error}") from error
    values = {tag.get("name", ""): tag.get("value", "") for tag in root.iter()}
    fields = {}
    for control in study.controls:
        if control.kind != "candidate":
            continue
        for number in range(study.screen):
            name = study.control_name(control, number)
            value = values.get(name, "")
            if not value.startswith("$"):
                reason = f'[config] no options for {name}; found value {value!r}, expected value="$field"'
                raise PipelineError(None, None, reason)
            fields[name] = value[1:]
    return fields


def answers_of(study: Study, task: Task, fields: Mapping[str, str], result: Any) -> list[dict[str, Answer]]:
    """Return the answers for each item of a task, by control.

    Args:
        study: the study.
        task: what the rater saw.
        fields: see `option_fields`.
        result: the list of results of an annotation that was not skipped.

    Raises:
        MalformedError: with what is wrong first.
    """
    sent = _by_name(result)
    names = {
        study.control_name(control, number): (control, number)
        for number in range(len(task.items))
        for control in study.controls
    }
    for name in sent:
        if name not in names:
            raise MalformedError(f"[from_name] unknown; found {name!r}, expected one of {', '.join(names)}")
    answers: list[dict[str, Answer]] = [{} for _ in task.items]
    for name, (control, number) in names.items():
        answer = _answer(control, name, sent[name], _options(task, fields, name, number)) if name in sent else None
        if answer is not None:
            answers[number][control.name] = answer
        elif control.required:
            raise MalformedError(f"[{name}] not answered; found nothing, expected a {control.kind}")
    return answers


def _by_name(result: Any) -> dict[str, Mapping[str, Any]]:
    if not isinstance(result, list):
        raise MalformedError(f"[result] wrong kind; found {type(result).__name__}, expected a list")
    sent: dict[str, Mapping[str, Any]] = {}
    for one in result:
        if not isinstance(one, dict) or not isinstance(one.get("from_name"), str):
            raise MalformedError(f"[result] wrong kind; found {_short(one)}, expected what a control says")
        if one["from_name"] in sent:
            raise MalformedError(f"[{one['from_name']}] answered twice; expected one result")
        sent[one["from_name"]] = one
    return sent


def _options(task: Task, fields: Mapping[str, str], name: str, number: int) -> dict[str, int]:
    """Return the number of each candidate by its text as it was shown; nothing for other controls."""
    if name not in fields:
        return {}
    shown = task.data.get(fields[name])
    if not isinstance(shown, Sequence) or len(shown) != len(task.options[number]):
        raise MalformedError(
            f"[{name}] found {_short(shown)} among the data, expected {len(task.options[number])} options"
        )
    texts = [one.get("alias") or one.get("value") if isinstance(one, dict) else one for one in shown]
    if len(set(texts)) != len(texts):
        raise MalformedError(f"[{name}] options not told apart; found {_short(texts)}")
    return dict(zip(map(str, texts), task.options[number], strict=True))


def _answer(control: Control, name: str, sent: Mapping[str, Any], options: Mapping[str, int]) -> Answer | None:
    """Return what a result says, None where it says nothing."""
    kind, key = _SENT[control.kind]
    value = sent.get("value")
    if sent.get("type") != kind or not isinstance(value, dict) or key not in value:
        raise MalformedError(
            f"[{name}] wrong kind; found {_short(sent.get('type'))} and {_short(value)}, expected {kind}"
        )
    said: Any = value[key]
    if control.kind == "rating":
        if type(said) is not int or not control.low <= said <= control.high:
            raise MalformedError(f"[{name}] no rating; found {_short(said)}, expected {control.low} to {control.high}")
        return int(said)
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        raise MalformedError(f"[{name}] wrong kind; found {_short(said)}, expected a list of texts")
    if control.kind == "text":
        return "\n".join(one.strip() for one in said if one.strip()) or None
    if len(said) != 1:
        raise MalformedError(f"[{name}] found {len(said)} choices, expected one")
    if control.kind == "choice":
        if said[0] not in control.choices:
            raise MalformedError(
                f"[{name}] no such choice; found {_short(said[0])}, expected {', '.join(control.choices)}"
            )
        return str(said[0])
    if said[0] not in options:
        raise MalformedError(f"[{name}] no such candidate; found {_short(said[0])}, expected {', '.join(options)}")
    return options[said[0]]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
