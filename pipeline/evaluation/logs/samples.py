"""What one record of a log gives: predictions, or the reason why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ...core.convert import convert, to_object
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
