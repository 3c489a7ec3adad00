"""Batches: prompts as a file of requests for a server elsewhere, and its file of results as predictions.

The formats are those of OpenAI's Batch API (``/v1/chat/completions``, ``/v1/responses``, ``/v1/completions``; Azure, Mistral, Together,
Groq, Fireworks and ``vllm run-batch`` write them too), of Anthropic's Message Batches, and of Gemini's batch mode with a file (its keys
also in the Python SDK's spelling; Vertex AI's rows too, if they have a `key`, which may be in `metadata` or in the request's `labels`).
Results come in any order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from ...core.errors import MAX_SHOWN, PipelineError, errors_at, shown
from ...core.files import parse_jsonl
from ...core.records import field_of
from .custom_ids import MAX_LENGTH, requested_item
from .samples import LogSample, Message, message_of, repeated_mode

#: The formats of batches.
BatchName = Literal["openai-batch", "anthropic-batch", "gemini-batch"]
BATCHES: tuple[BatchName, ...] = get_args(BatchName)
#: The mode of results whose ids and user do not say one.
MODE = "batch"
_OF_REQUESTS, _OF_RESULTS = {"body", "params", "request"}, {"response", "result", "error", "status"}
_CUT_OFF = ("length", "max_tokens", "MAX_TOKENS", "max_output_tokens")
_WITHHELD = ("content_filter", "refusal", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION", "SPII")


class Settings(NamedTuple):
    """What a request asks of a model: its name at the server, the length of an answer, and whether it reasons before it answers.

    The servers of models that reason refuse a temperature, and count their thoughts as part of the answer.
    """

    model: str
    max_tokens: int
    reasoning: bool = False


class _Format(NamedTuple):
    """How a server writes a request and a reply, the keys that may hold the id of a request, and the longest id, None without a limit."""

    request: Callable[[str, str, Settings], dict[str, Any]]
    messages: Callable[[Mapping[str, Any]], list[Message]]
    keys: tuple[str, ...] = ("custom_id",)
    longest: int | None = MAX_LENGTH


def batch_requests(name: BatchName, prompts: Iterable[tuple[str, str]], settings: Settings) -> list[dict[str, Any]]:
    """Return the lines of a file of requests from (id, prompt): a question each, at temperature 0, which makes top-p moot.

    Raises:
        PipelineError: an id is longer than the server takes, or the format needs a model and there is none.
    """
    form = _FORMATS[name]
    if form.longest is not None and not settings.model:
        raise PipelineError(None, None, f"[model] each request of {name} has it; expected --model NAME")
    rows = []
    for request_id, text in prompts:
        if form.longest is not None and len(request_id) > form.longest:
            reason = f"found {shown(request_id)}, expected at most {form.longest} characters for {name}"
            raise PipelineError(None, None, f"[custom_id] too long; {reason}")
        rows.append(form.request(request_id, text, settings))
    return rows


def batch_samples(text: str, path: Path, name: BatchName, model: str, mode: str) -> Iterator[LogSample]:
    """Yield what each result gives; see `convert_log`."""
    form = _FORMATS[name]
    lines: dict[str, int] = {}
    rows = list(parse_jsonl(text, path, foreign=True))
    stated = {system for _, row in rows if (system := _system(_of(row, "response")))}
    for line, row in rows:
        with errors_at(path, line):
            if row.keys() & _OF_REQUESTS and not row.keys() & _OF_RESULTS:
                raise ValueError("[format] a request without its result; expected the output of the batch")
            places = (row, _of(row, "metadata"), _of(_of(row, "request"), "labels"))
            holder = next((place for place in places if place.keys() & set(form.keys)), row)
            key = next((key for key in form.keys if key in holder), form.keys[0])
            request = str(field_of(holder, key, str, "the id of the request"))
            if (kind := _kind(row)) not in (name, None):
                raise ValueError(f"[format] a result of another server; found {kind}, expected {name}")
            reply = _reply(row, name)
            if isinstance(reply, str):
                yield LogSample(request, lacking=reply)
                continue
            if (first := lines.setdefault(request, line)) != line:
                raise ValueError(f"[{key}] answered twice; found {shown(request)} in line {first} too")
            messages = form.messages(reply)
            system = model or _system(reply) or (next(iter(stated)) if len(stated) == 1 else "")
            if not system:
                raise ValueError("[model] the result does not say it; expected --model NAME")
            asked = requested_item(request)
            fields = {"id": asked.item, "model": system}
            predictions = tuple(
                fields
                | {"mode": repeated_mode(mode or asked.mode or MODE, "choice", number)}
                | dict(asked.shown)
                | {"answer": message.text}
                for number, message in enumerate(messages, 1)
            )
            remarks = tuple(remark for message in messages for remark in message.remarks)
            yield LogSample(request, predictions, "" if messages else "without a choice", remarks)


def _system(reply: Mapping[str, Any]) -> str:
    """Return the model that a reply states, empty without one; a prompt that was blocked states none."""
    system = _either(reply, "model", "modelVersion", "model_version")
    return system if isinstance(system, str) and system.strip() else ""


def _reply(row: Mapping[str, Any], name: BatchName) -> Mapping[str, Any] | str:
    """Return what a server replied, or the error that it wrote instead."""
    if name == "anthropic-batch":
        result = field_of(row, "result", dict, "the result of a request")
        kind = field_of(result, "type", str, "succeeded, errored, canceled or expired")
        if kind != "succeeded":
            return _error(result.get("error") or kind)
        message: Mapping[str, Any] = field_of(result, "message", dict, "the message of a model")
        return message
    response = _of(row, "response")
    body = _of(response, "body") or response
    status = response.get("status_code")
    failed = f"HTTP status {status}" if isinstance(status, int) and not 200 <= status < 300 else ""
    hollow = "an empty body" if response.get("body", response) in ({}, None) else ""
    error = row.get("error") or body.get("error") or failed or (hollow if response else "")
    return _error(error or row.get("status") or "no response") if error or not response else body


# --- OpenAI -----------------------------------------------------------------------------------------------------------


def _openai_request(request: str, prompt: str, settings: Settings) -> dict[str, Any]:
    body: dict[str, Any] = {"model": settings.model, "messages": [{"role": "user", "content": prompt}]}
    if settings.reasoning:
        body |= {"max_completion_tokens": settings.max_tokens}
    else:
        body |= {"max_tokens": settings.max_tokens, "temperature": 0}
    return {"custom_id": request, "method": "POST", "url": "/v1/chat/completions", "body": body}


def _openai_messages(body: Mapping[str, Any]) -> list[Message]:
    if isinstance(body.get("choices"), list):
        return [_choice(choice) for choice in _in_order(body["choices"])]
    ending = _of(body, "incomplete_details").get("reason")
    if not body.get("output") and isinstance(body.get("output_text"), str):
        return [_remarked(message_of(body["output_text"]), ending)]
    output = field_of(body, "output", list, "the choices or the output of a model")
    # The Responses API has reasoning, messages and calls of tools side by side; messages may have the phase that they belong to.
    items = [item for item in output if isinstance(item, dict)]
    said = [item for item in items if item.get("type") == "message" and isinstance(item.get("content"), list)]
    final = [item for item in said if item.get("phase") == "final_answer"]
    answers = final or [item for item in said if item.get("phase") is None]
    parts = [part for item in answers for part in item["content"]]
    return [_remarked(message_of(parts, calls=items), ending)]


def _choice(choice: Mapping[str, Any]) -> Message:
    if isinstance(choice.get("text"), str):
        return _remarked(Message(choice["text"]), choice.get("finish_reason"))
    message = field_of(choice, "message", dict, "the message of a model")
    said = message_of(message.get("content"), refusal=message.get("refusal"), calls=message.get("tool_calls"))
    return _remarked(said, choice.get("finish_reason"))


# --- Anthropic --------------------------------------------------------------------------------------------------------


def _anthropic_request(request: str, prompt: str, settings: Settings) -> dict[str, Any]:
    body = {"model": settings.model, "max_tokens": settings.max_tokens}
    body |= {} if settings.reasoning else {"temperature": 0}
    return {"custom_id": request, "params": body | {"messages": [{"role": "user", "content": prompt}]}}


def _anthropic_messages(message: Mapping[str, Any]) -> list[Message]:
    return [_remarked(message_of(message.get("content")), message.get("stop_reason"))]


# --- Gemini -----------------------------------------------------------------------------------------------------------


def _gemini_request(request: str, prompt: str, settings: Settings) -> dict[str, Any]:
    config = {"maxOutputTokens": settings.max_tokens} | ({} if settings.reasoning else {"temperature": 0})
    contents = [{"role": "user", "parts": [{"text": prompt}]}]
    return {"key": request, "request": {"contents": contents, "generationConfig": config}}


def _gemini_messages(response: Mapping[str, Any]) -> list[Message]:
    candidates = response.get("candidates") or []
    if not candidates:
        blocked = _either(_of(response, "promptFeedback", "prompt_feedback"), "blockReason", "block_reason")
        return [Message("", (f"withheld ({blocked})",))] if isinstance(blocked, str) else []
    if not isinstance(candidates, list):
        raise ValueError(f"[candidates] wrong kind; found {shown(candidates)}, expected a list")
    return [
        _remarked(
            message_of(_of(candidate, "content").get("parts")), _either(candidate, "finishReason", "finish_reason")
        )
        for candidate in _in_order(candidates)
    ]


# --- shared -----------------------------------------------------------------------------------------------------------


def _kind(row: Mapping[str, Any]) -> BatchName | None:
    """Return the format of a result by the keys that only it has; None if it has none of them."""
    if "result" in row:
        return "anthropic-batch"
    response = _of(row, "response")
    if "key" in row or "candidates" in response or "promptFeedback" in response:
        return "gemini-batch"
    return "openai-batch" if response.keys() & {"body", "choices", "output"} else None


def _in_order(choices: list[Any]) -> list[Mapping[str, Any]]:
    """Return the choices of a result by their `index`, or as they stand if not all have one."""
    found: list[Mapping[str, Any]] = [choice for choice in choices if isinstance(choice, dict)]
    if all(type(choice.get("index")) is int for choice in found):
        return sorted(found, key=lambda choice: choice["index"])
    return found


def _either(value: Mapping[str, Any], *keys: str) -> object:
    return next((value[key] for key in keys if key in value), None)


def _of(value: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    found = _either(value, *keys)
    return found if isinstance(found, dict) else {}


def _remarked(message: Message, ending: object) -> Message:
    """Return a message with a remark on why the model stopped, if that is not its own end, or that it says nothing."""
    ending = str(ending).rpartition(".")[2] if isinstance(ending, str) else ""
    remark = "cut off" if ending in _CUT_OFF else "withheld" if ending in _WITHHELD else ""
    more = (remark,) if remark and "refusal" not in message.remarks else ()
    remarks = message.remarks + more
    return Message(message.text, remarks if remarks or message.text.strip() else ("empty",))


def _error(value: object) -> str:
    """Return what an error is, by its code, kind or message, the innermost one, without anything that may quote a key."""
    while isinstance(value, dict):
        inner = (value[key] for key in ("error", "code", "type", "status", "message") if value.get(key))
        value = next((part for part in inner if isinstance(part, str | dict)), value.get("code", "unknown"))
    return f"with an error ({str(value)[:MAX_SHOWN]})"


_FORMATS: Mapping[BatchName, _Format] = {
    "openai-batch": _Format(_openai_request, _openai_messages),
    "anthropic-batch": _Format(_anthropic_request, _anthropic_messages),
    "gemini-batch": _Format(_gemini_request, _gemini_messages, ("key", "custom_id", "id"), None),
}
