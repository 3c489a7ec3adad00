"""Logs of evaluation tools as predictions: samples of lm-evaluation-harness, logs of Inspect."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from ..core.convert import Words, convert_fields, to_object
from ..core.errors import PipelineError, shown
from ..core.files import from_json, parse_jsonl
from ..core.records import field_of, text_field
from ..language.answers.mentions import letter
from .predictions import Form, WrittenOrder, order_of

#: The tools whose logs are read.
LogName = Literal["lm-eval", "inspect"]
LOG_NAMES: tuple[LogName, ...] = get_args(LogName)


class _ShownAs(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an item was shown, as far as a sample says it."""

    form: Form | None = None
    order: WrittenOrder | None = None


class _Doc(msgspec.Struct, frozen=True):
    """The mode of a sample of lm-eval, and the item that it stands for, if not that of its `id`, or several with the same texts."""

    mode: str | None = None
    item: str | None = None
    items: Words | None = None


@dataclass(frozen=True, slots=True)
class ConvertedLog:
    """What a log holds."""

    predictions: tuple[dict[str, Any], ...]  # the predictions; of a sample that stands for several items, one for each
    samples: int
    skipped: int  # number of samples that give none: of another filter, or ended by an error


def convert_log(text: str, path: Path, tool: LogName, *, model: str = "", mode: str = "") -> ConvertedLog:
    """Return the predictions of a log.

    lm-eval writes samples with ``--log_samples`` (JSON Lines). The item is ``doc.item`` or ``doc.id``. In our own tasks ``doc.items``
    lists the items that have the same texts with a candidate in the pronoun's place: each has the answer. An answer is the text as it
    was generated (what a filter left of it only without ``resps``), or for log-probabilities the letter of the most probable option,
    empty if several are; then ``scores`` has the log-probability of each candidate in the item's order. Of several filters the first
    counts. ``prompt`` is the text that the model read: the context if all options have the same, else each context with its
    continuation, a line each. ``mode`` is ``doc.mode``, which the tasks of a release have.

    Inspect writes logs as JSON (``--log-format json``, or ``inspect log dump`` of a .eval file). The item is the id of the sample, or
    ``item`` in its metadata, where ``mode`` may stand too, as our own tasks write them (`inspect_registry`). Each
    epoch after the first is a mode of its own.

    ``form`` and ``order`` are taken from the fields of these names in ``doc``, or in the sample's ``metadata``; other values than a
    prediction may have are an error.

    Args:
        model: name of the system; of Inspect's log if empty.
        mode: how the system was asked; if empty, ``doc.mode`` of lm-eval's samples, or the task of Inspect's log.

    Raises:
        PipelineError: the log is malformed or has no sample with an answer, or lm-eval's has no `model`, which it does not say, or no
            `mode`.
    """
    convert: Mapping[LogName, Callable[..., Iterator[Sequence[dict[str, Any]]]]] = {
        "lm-eval": _lm_eval,
        "inspect": _inspect,
    }
    rows = list(convert[tool](text, path, model, mode))
    if not rows:
        raise PipelineError(path, None, "[samples] no sample; expected one for each item")
    predictions = tuple(chain.from_iterable(rows))
    if not predictions:
        raise PipelineError(
            path, None, f"[samples] no prediction; found {len(rows)} without an answer, expected an answer in some"
        )
    return ConvertedLog(predictions, len(rows), sum(not of_sample for of_sample in rows))


def _lm_eval(text: str, path: Path, model: str, mode: str) -> Iterator[Sequence[dict[str, Any]]]:
    if not model:
        raise PipelineError(path, None, "[model] samples of lm-eval do not say it; expected --model NAME")
    first: list[object] = []
    for line, row in parse_jsonl(text, path):
        first = first or [row.get("filter")]
        try:
            if row.get("filter") != first[0]:
                yield ()
                continue
            fields = field_of(row, "doc", dict, "the row of the release")
            doc, shown_as = convert_fields(fields, _Doc), convert_fields(fields, _ShownAs)
            items = doc.items or (text_field(fields, "id") if doc.item is None else doc.item,)
            named = mode or doc.mode
            if named is None:
                raise ValueError("[mode] the sample does not say it; found no doc.mode, expected --mode NAME")
            given: dict[str, Any] = {"answer": _generated(row)}
            if given["answer"] is None:
                responses = field_of(row, "filtered_resps", list, "texts, or pairs of log-probability and greedy")
                given = _chosen(responses, swapped=shown_as.order == "swapped")
            prompt = _prompt(row.get("arguments"))
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        yield [{"id": item, "model": model, "mode": named} | given | _shown_fields(shown_as) | prompt for item in items]


def _shown_fields(shown_as: _ShownAs) -> dict[str, str]:
    return {**to_object(shown_as), **({"order": order_of(shown_as.order)} if shown_as.order else {})}


def _prompt(arguments: object) -> dict[str, str]:
    """Return the text that the model read, from the requests of a sample; nothing if it has none."""
    requests = list(arguments.values()) if isinstance(arguments, dict) else []
    pairs = [(request.get("arg_0"), request.get("arg_1")) for request in requests if isinstance(request, dict)]
    contexts = [context for context, _ in pairs if isinstance(context, str)]
    if not contexts or len(contexts) < len(requests):
        return {}
    if len(set(contexts)) == 1 and contexts[0]:
        return {"prompt": contexts[0]}
    texts = [f"{context}{text}" for context, text in pairs if isinstance(text, str)]
    return {"prompt": "\n".join(texts)} if texts else {}


def _generated(row: Mapping[str, Any]) -> str | None:
    """Return the text as it was generated: a filter may have cut it, or found nothing in it; None for log-probabilities."""
    responses = row.get("resps")
    first = responses[0] if isinstance(responses, list) and responses else None
    text = first[0] if isinstance(first, list) and first else None
    return text if isinstance(text, str) else None


def _chosen(responses: list[object], *, swapped: bool) -> dict[str, Any]:
    """Return the first text that a filter left, or the letter of the most probable option and the candidates' log-probabilities."""
    if responses and all(isinstance(response, str) for response in responses):
        return {"answer": str(responses[0])}
    scores = [_log_probability(response) for response in responses]
    if len(scores) < 2:
        raise ValueError(
            f"[filtered_resps] no response; found {shown(responses)}, expected a text, or a pair for each option"
        )
    best = [index for index, score in enumerate(scores) if score == max(scores)]
    answer = letter(best[0]) if len(best) == 1 else ""
    finite = all(map(math.isfinite, scores))  # a file of predictions has numbers only
    return {"answer": answer} | ({"scores": scores[::-1] if swapped else scores} if finite else {})


def _log_probability(response: object) -> float:
    """Return the first value of a pair; the harness writes numbers as texts."""
    value = response[0] if isinstance(response, list) and response else None
    try:
        score = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        score = math.nan
    if math.isnan(score):
        raise ValueError(
            f"[filtered_resps] no log-probability; found {shown(response)}, expected a pair like ['-7.5', 'False']"
        )
    return score


def _inspect(text: str, path: Path, model: str, mode: str) -> Iterator[Sequence[dict[str, str]]]:
    try:
        log = from_json(text)
        if not isinstance(log, dict):
            raise ValueError(f"[json] wrong kind; found {shown(log)}, expected a log of Inspect")
        header = field_of(log, "eval", dict, "the header of a log")
        named = bool(mode)
        model, mode = model or text_field(header, "model"), mode or text_field(header, "task")
        for number, sample in enumerate(field_of(log, "samples", list, "a list of samples"), 1):
            try:
                yield _sample(sample, model, mode, named=named)
            except ValueError as error:
                raise ValueError(f"{error} (sample {number})") from error
    except ValueError as error:
        reason = (
            str(error) if str(error).startswith("[") else f"[json] not a log as JSON ({error}); see inspect log dump"
        )
        raise PipelineError(path, None, reason) from error


def _sample(sample: object, model: str, mode: str, *, named: bool) -> Sequence[dict[str, str]]:
    """Return the prediction of a sample, none if it ended without an output; a mode `named` by the user goes before that of the sample."""
    if not isinstance(sample, dict):
        raise ValueError(f"[samples] wrong kind; found {shown(sample)}, expected an object")
    given = sample.get("metadata")
    metadata: Mapping[str, Any] = given if isinstance(given, dict) else {}
    # Our own tasks say which item and mode a sample is of; a sample of the swapped order has an id of its own.
    own = {name: metadata[name] for name in ("item", "mode") if isinstance(metadata.get(name), str)}
    item = own.get("item") or field_of(sample, "id", (str, int), "the id of an item")
    mode = mode if named else own.get("mode") or mode
    epoch = field_of(sample, "epoch", int, "a whole number") if "epoch" in sample else 1
    if sample.get("error") or not sample.get("output"):
        return ()
    answer = text_field(field_of(sample, "output", dict, "the output of a model"), "completion")
    label = mode if epoch == 1 else f"{mode}, epoch {epoch}"
    return (
        {"id": str(item), "model": model, "mode": label, "answer": answer}
        | _shown_fields(convert_fields(metadata, _ShownAs)),
    )
