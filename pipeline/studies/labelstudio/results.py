"""Read the answers of a submitted result and check them against the controls of the study."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.ElementTree import fromstring

from ...core.errors import PipelineError
from ..model.codes import joined_codes
from ..model.design import Control, ControlKind
from ..model.judgements import Answer
from ..model.study import Study, Task

#: The type of a result and the key of its value, by kind of control.
_RESULT_TYPES: Mapping[ControlKind, tuple[str, str]] = {
    "candidate": ("choices", "choices"),
    "choice": ("choices", "choices"),
    "choices": ("choices", "choices"),
    "rating": ("choices", "choices"),
    "text": ("textarea", "text"),
    "labelled": ("textarea", "text"),
}
#: Maximum length of a value quoted in a message.
_QUOTE_LENGTH = 80


class MalformedError(Exception):
    """An annotation that gives no valid answers; its text is the reason."""


def option_fields(study: Study) -> dict[str, str]:
    """Return, for each candidate control in the labelling config, the field of a task's data that holds its options.

    Raises:
        PipelineError: the config is not XML, or a candidate control has no ``value="$field"``.
    """
    try:
        root: Element = fromstring(study.config)
    except (ParseError, ValueError) as error:
        raise PipelineError(None, None, f"[config] not XML; {error}") from error
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


def read_result(study: Study, task: Task, fields: Mapping[str, str], result: Any) -> list[dict[str, Answer]]:
    """Return the answers by control, for each item of a task.

    Args:
        study: the study.
        task: the task that the rater saw.
        fields: see `option_fields`.
        result: the result of an annotation that was not skipped: a list with an entry for each control answered.

    Raises:
        MalformedError: the first thing that is wrong.
    """
    entries = _by_control(result)
    controls = {
        study.control_name(control, number): (control, number)
        for number in range(len(task.items))
        for control in study.controls
    }
    for name in entries:
        if name not in controls:
            raise MalformedError(f"[from_name] unknown control; found {name!r}, expected one of {', '.join(controls)}")
    answers: list[dict[str, Answer]] = [{} for _ in task.items]
    for name, (control, number) in controls.items():
        if name in entries:
            options = _options(task, fields[name], name, number) if name in fields else {}
            answer = _read_answer(control, name, entries[name], options)
        else:
            answer = None
        if answer is not None:
            answers[number][control.name] = answer
        elif control.required:
            raise MalformedError(f"[{name}] missing answer; expected a {control.kind}")
    return answers


def _by_control(result: Any) -> dict[str, Mapping[str, Any]]:
    if not isinstance(result, list):
        raise MalformedError(f"[result] wrong kind; found {type(result).__name__}, expected a list")
    entries: dict[str, Mapping[str, Any]] = {}
    for entry in result:
        if not isinstance(entry, dict) or not isinstance(entry.get("from_name"), str):
            raise MalformedError(f"[result] wrong kind; found {_short(entry)}, expected the answer to a control")
        if entry["from_name"] in entries:
            raise MalformedError(f"[{entry['from_name']}] answered twice; expected one answer")
        entries[entry["from_name"]] = entry
    return entries


def _options(task: Task, field: str, name: str, number: int) -> dict[str, int]:
    """Return the number of each candidate by the text that raters saw."""
    shown = task.data.get(field)
    if not isinstance(shown, Sequence) or len(shown) != len(task.options[number]):
        raise MalformedError(
            f"[{name}] wrong options; found {_short(shown)} in the data, expected {len(task.options[number])}"
        )
    texts = [option.get("alias") or option.get("value") if isinstance(option, dict) else option for option in shown]
    if len(set(texts)) != len(texts):
        raise MalformedError(f"[{name}] options not unique; found {_short(texts)}")
    return dict(zip(map(str, texts), task.options[number], strict=True))


def _read_answer(control: Control, name: str, entry: Mapping[str, Any], options: Mapping[str, int]) -> Answer | None:
    """Return the answer of an entry; None for an empty text."""
    kind, key = _RESULT_TYPES[control.kind]
    value = entry.get("value")
    if entry.get("type") != kind or not isinstance(value, dict) or key not in value:
        raise MalformedError(
            f"[{name}] wrong kind; found {_short(entry.get('type'))} and {_short(value)}, expected {kind}"
        )
    answer: Any = value[key]
    if not isinstance(answer, list) or not all(isinstance(text, str) for text in answer):
        raise MalformedError(f"[{name}] wrong kind; found {_short(answer)}, expected a list of texts")
    if control.kind in ("text", "labelled"):
        return "\n".join(text.strip() for text in answer if text.strip()) or None
    if control.kind == "choices":
        try:
            return joined_codes(answer, control.choices)
        except ValueError as error:
            raise MalformedError(f"[{name}] {error}") from error
    if len(answer) != 1:
        raise MalformedError(f"[{name}] wrong number of choices; found {len(answer)}, expected one")
    (chosen,) = answer
    if control.kind == "rating":
        if chosen not in map(str, range(control.low, control.high + 1)):
            expected = f"expected {control.low} to {control.high}"
            raise MalformedError(f"[{name}] invalid rating; found {_short(chosen)}, {expected}")
        return int(chosen)
    allowed = control.choices if control.kind == "choice" else options
    if chosen not in allowed:
        raise MalformedError(f"[{name}] unknown {control.kind}; found {_short(chosen)}, expected {', '.join(allowed)}")
    return str(chosen) if control.kind == "choice" else options[chosen]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _QUOTE_LENGTH else f"{text[: _QUOTE_LENGTH - 1]}…"
