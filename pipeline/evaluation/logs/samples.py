"""What one record of a log gives: predictions, or the reason why there is none; the text of a model's message, without its reasoning."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from ...core.convert import convert, to_object
from ...core.errors import shown
from ..predictions import Form, WrittenOrder, order_of


@dataclass(frozen=True, slots=True)
class LogSample:
    """A record of a log.

    Attributes:
        name: what the log calls it, for messages.
        predictions: lines of a file of predictions.
        lacking: why it gives none; empty if it gives some.
        remarks: what is special about its answers, such as a refusal.
    """

    name: str
    predictions: tuple[dict[str, Any], ...] = ()
    lacking: str = ""
    remarks: tuple[str, ...] = ()


class _ShownAs(msgspec.Struct, frozen=True, omit_defaults=True):
    form: Form | None = None
    order: WrittenOrder | None = None


def shown_as(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return `form` and `order` of an item, as far as a log's own fields say them.

    In other people's tasks these names may mean anything: what is no text is ignored. A text that is none of the values is an error,
    because another order of the options turns the letters round.
    """
    texts = {key: fields[key] for key in ("form", "order") if isinstance(fields.get(key), str)}
    shown = convert(texts, _ShownAs)
    return {**to_object(shown), **({"order": order_of(shown.order)} if shown.order else {})}


def shown_options(choices: object) -> dict[str, list[str]]:
    """Return the options of a question as a log lists them: their order may be another for each item. Nothing if they are no texts."""
    texts = [choice for choice in choices if isinstance(choice, str)] if isinstance(choices, list) else []
    return {"shown_options": texts} if len(texts) > 1 else {}


def repeated_mode(mode: str, unit: str, number: int) -> str:
    """Return the mode of one of several answers to a prompt, counted from 1; the first one has the plain mode.

    >>> repeated_mode("zero-shot", "epoch", 1), repeated_mode("zero-shot", "epoch", 2)
    ('zero-shot', 'zero-shot, epoch 2')
    """
    return mode if number == 1 else f"{mode}, {unit} {number}"


#: Kinds of parts that are the model's thought.
_THOUGHT = ("thinking", "redacted_thinking", "reasoning", "thought")
#: Kinds of parts by which a model calls a tool, and the keys that may hold what it gives it.
_CALLS = ("tool_use", "tool_call", "function_call", "function", "server_tool_use")
_ARGUMENTS = ("input", "arguments", "args")


class Message(NamedTuple):
    """What a message says, and what is special about it."""

    text: str
    remarks: tuple[str, ...] = ()


def message_of(content: object, *, refusal: object = None, calls: object = None) -> Message:
    """Return what a message says.

    That is its texts, a line each; without any, its refusal, or else what it gives to a tool, which may be how it was to answer.

    Args:
        content: a text, or a list of parts, each a text or an object with its `type`.
        refusal: a refusal beside the content.
        calls: the calls of tools beside the content.

    Raises:
        ValueError: the content is neither.
    """
    if not isinstance(content, str | list | None):
        raise ValueError(f"[content] wrong kind; found {shown(content)}, expected a text or a list of parts")
    parts = [content] if isinstance(content, str) else list(content or ())
    texts = [text for part in parts if (text := _text(part))]
    refused = (part.get("refusal") for part in parts if isinstance(part, dict) and part.get("type") == "refusal")
    refusals = [text for text in (refusal, *refused) if text]
    called = [*_called(parts), *_called(calls if isinstance(calls, list) else [])]
    text = "\n".join(texts) or "".join(text for text in refusals if isinstance(text, str)) or "\n".join(called)
    remarks = ("refusal",) * bool(refusals) + ("call of a tool",) * bool(called)
    return Message(text, remarks)


def _text(part: object) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type") in (*_THOUGHT, *_CALLS) or part.get("thought") is True:
        return None
    text = part.get("text")
    return text if isinstance(text, str) else None


def _called(parts: list[Any]) -> Iterator[str]:
    """Yield what the parts of a message give to tools, as JSON."""
    for part in parts:
        if not isinstance(part, dict):
            continue
        inner: Mapping[str, Any] = next(
            (part[key] for key in ("function", "functionCall", "function_call") if isinstance(part.get(key), dict)),
            part,
        )
        if inner is part and part.get("type") not in _CALLS:
            continue
        arguments = next((inner[key] for key in _ARGUMENTS if key in inner), "")
        yield arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
