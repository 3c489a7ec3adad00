"""Samples of lm-evaluation-harness (``--log_samples``, JSON Lines)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, errors_at, shown
from ...core.files import UnreadableValue, parse_jsonl
from ...core.hints import known_names
from ...core.records import field_of, text_field
from ...language.answers.mentions import letter
from .samples import LogSample, repeated_mode, shown_as, shown_options

#: The harness's own name of the filter that takes the first response.
_NO_FILTER = "none"


def lm_eval_samples(text: str, path: Path, model: str, mode: str, chosen: str) -> Iterator[LogSample]:
    """Yield what each sample gives; see `convert_log`."""
    if not model:
        raise PipelineError(path, None, "[model] samples of lm-eval do not say it; expected --model NAME")
    rows = list(parse_jsonl(text, path, foreign=True))
    filters = list(dict.fromkeys(_filter(row) for _, row in rows))
    if chosen and rows and chosen not in filters:
        reason = f"found {shown(chosen)}, {known_names(chosen, filters)}"
        raise PipelineError(path, None, f"[filter] unknown filter; {reason}")
    for line, row in rows:
        with errors_at(path, line):
            yield _sample(row, filters, model, mode, chosen)


def _filter(row: Mapping[str, Any]) -> str:
    return str(row.get("filter", _NO_FILTER))


def _sample(row: Mapping[str, Any], filters: Sequence[str], model: str, mode: str, chosen: str) -> LogSample:
    doc, name = field_of(row, "doc", dict, "the row of the release"), _filter(row)
    ids, shown_fields = _item_ids(doc), shown_as(doc)
    options = {} if shown_fields else shown_options(doc.get("choices"))
    if "resps" not in row:
        field_of(row, "filtered_resps", list, "texts, or pairs of log-probability and greedy")
    label = mode or doc.get("mode")
    if not isinstance(label, str):
        raise ValueError("[mode] the sample does not say it; found no doc.mode, expected --mode NAME")
    where = f"{ids[0]}, filter {name}"
    if chosen and name != chosen:
        return LogSample(where, lacking="of another filter")
    answers, is_own = _answers(row, name, chosen, swapped=shown_fields.get("order") == "swapped")
    if not chosen and len(filters) > 1:
        if not is_own and name != filters[0]:
            return LogSample(where, lacking="of another filter, which leaves the answers as they are")
        label = f"{label}, {name}" if is_own else label
    prompt = _prompt(row.get("arguments"))
    rows = [
        {"id": item, "model": model, "mode": repeated_mode(label, "repeat", number)}
        | answer
        | shown_fields
        | options
        | prompt
        for item in ids
        for number, answer in enumerate(answers, 1)
    ]
    return LogSample(where, tuple(rows), "" if rows else "with a log-probability that is no number")


def _answers(row: Mapping[str, Any], name: str, chosen: str, *, swapped: bool) -> tuple[list[dict[str, Any]], bool]:
    """Return the answers of a sample, and whether its filter chose them rather than the model's text.

    A filter chooses where the user asks for it, among repeats, and where the text itself is not there.
    """
    left = row.get("filtered_resps")
    first = left[0] if isinstance(left, list) and left else None
    texts = _repeats(row)
    if isinstance(first, str) and (chosen or not texts or (len(texts) > 1 and name != _NO_FILTER)):
        return [{"answer": first}], True
    if texts:
        return [{"answer": text} for text in texts], False
    responses = field_of(row, "filtered_resps", list, "texts, or pairs of log-probability and greedy")
    answer = _most_probable(responses, swapped=swapped)
    return [] if answer is None else [answer], False


def _item_ids(doc: Mapping[str, Any]) -> Sequence[str]:
    """Return the items that a row stands for; what other people's rows have under these names is ignored if it is no text."""
    items, item = doc.get("items"), doc.get("item")
    if isinstance(items, list) and items and all(isinstance(entry, str) for entry in items):
        return items
    if not isinstance(item, str) and "id" not in doc:
        raise ValueError(
            f"[doc.id] missing field; found {shown(', '.join(doc))} in doc, expected id: that of an item of the release"
        )
    number = doc.get("id")  # tables of items may have numbers as ids
    return [item if isinstance(item, str) else str(number) if type(number) is int else text_field(doc, "id")]


def _prompt(arguments: object) -> dict[str, str]:
    """Return the text that the model read, from the requests of a sample, which older versions list; nothing if it has none."""
    requests = (
        list(arguments.values()) if isinstance(arguments, dict) else arguments if isinstance(arguments, list) else []
    )
    pairs = [
        (request.get("arg_0"), request.get("arg_1")) if isinstance(request, dict) else (*request, None, None)[:2]
        for request in requests
        if isinstance(request, dict | list)
    ]
    contexts = [context for context, _ in pairs if isinstance(context, str)]
    if not contexts or len(contexts) < len(requests):
        return {}
    if len(set(contexts)) == 1 and contexts[0]:
        return {"prompt": contexts[0]}
    texts = [f"{context}{text}" for context, text in pairs if isinstance(text, str)]
    return {"prompt": "\n".join(texts)} if texts else {}


def _repeats(row: Mapping[str, Any]) -> list[str]:
    """Return the texts as they were generated, one for each repeat: a filter may have cut them; none for log-probabilities."""
    responses = row.get("resps")
    first = responses[0] if isinstance(responses, list) and responses else None
    return first if isinstance(first, list) and all(isinstance(text, str) for text in first) else []


def _most_probable(responses: Sequence[object], *, swapped: bool) -> dict[str, Any] | None:
    """Return the letter of the most probable option and the candidates' log-probabilities; None if one is no number."""
    scores = [_log_probability(response) for response in responses]
    if len(scores) < 2:
        raise ValueError(
            f"[filtered_resps] no response; found {shown(responses)}, expected a text, or a pair for each option"
        )
    if any(map(math.isnan, scores)):
        return None
    best = [index for index, score in enumerate(scores) if score == max(scores)]
    answer = letter(best[0]) if len(best) == 1 else ""
    finite = all(map(math.isfinite, scores))  # a file of predictions has numbers only
    return {"answer": answer} | ({"scores": scores[::-1] if swapped else scores} if finite else {})


def _log_probability(response: object) -> float:
    """Return the first value of a pair; the harness writes numbers as texts."""
    value = response[0] if isinstance(response, list) and response else None
    if isinstance(value, str | int | float | UnreadableValue) and not isinstance(value, bool):
        try:
            return float(str(value))
        except ValueError:
            pass
    raise ValueError(
        f"[filtered_resps] no log-probability; found {shown(response)}, expected a pair like ['-7.5', 'False']"
    )
