"""Logs of Inspect: JSON (``--log-format json``, ``inspect log dump``), or the archive of JSON that it writes by default (.eval)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...core.archives import archived_texts
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import decode, from_json
from ...core.records import field_of, text_field
from .samples import LogSample, message_of, repeated_mode, shown_as, shown_options

#: How an archive begins, and the parts of a log in it: the header of a log that ended, that of one that did not, the samples.
_ARCHIVE = b"PK\x03\x04"
_HEADERS = ("header.json", "_journal/start.json")
_SAMPLES = "samples/"
#: What stands in place of a long text of a condensed sample, before its key in `attachments`.
_ATTACHED = "attachment://"


def inspect_samples(data: bytes, path: Path, model: str, mode: str) -> Iterator[LogSample]:
    """Yield what each sample gives; see `convert_log`."""
    log = _archived_log(path) if data.startswith(_ARCHIVE) else _json_log(decode(data, path), path)
    with errors_at(path):
        header = field_of(log, "eval", dict, "the header of a log")
        name = model or text_field(header, "model")
        label = mode or text_field(header, "task")
        for number, sample in enumerate(field_of(log, "samples", list, "a list of samples"), 1):
            try:
                yield _sample(sample, name, label, named=bool(mode))
            except ValueError as error:
                raise ValueError(f"{error} (sample {number})") from error


def _json_log(text: str, path: Path) -> Mapping[str, Any]:
    try:
        log = from_json(text, foreign=True)
    except ValueError as error:
        raise PipelineError(path, None, f"[json] not a log as JSON ({error}); see inspect log dump") from error
    if not isinstance(log, dict):
        raise PipelineError(path, None, f"[json] wrong kind; found {shown(log)}, expected a log of Inspect")
    return log


def _archived_log(path: Path) -> Mapping[str, Any]:
    """Return the log of an archive, with the samples in the order of their names; one that was cut off has the header of its start."""
    texts = archived_texts(path, (".json",), rewritten=True)
    header = next((texts[name] for name in _HEADERS if name in texts), None)
    if header is None:
        reason = f"found {shown(sorted(texts)[:3])}, expected {' or '.join(_HEADERS)}"
        raise PipelineError(path, None, f"[zip] no log of Inspect; {reason}")
    samples = [_json_log(text, path / name) for name, text in texts.items() if name.startswith(_SAMPLES)]
    return {"samples": samples, **{key: part for key, part in _json_log(header, path).items() if key != "samples"}}


def _sample(sample: object, model: str, mode: str, *, named: bool) -> LogSample:
    """Return what a sample gives: the answers of its choices; a mode `named` by the user goes before that of the sample."""
    if not isinstance(sample, dict):
        raise ValueError(f"[samples] wrong kind; found {shown(sample)}, expected an object")
    metadata = sample["metadata"] if isinstance(sample.get("metadata"), dict) else {}
    # Our own tasks say which item and mode a sample is of; a sample of the swapped order has an id of its own.
    ours = {key: metadata[key] for key in ("item", "mode") if isinstance(metadata.get(key), str)}
    item = ours.get("item") or str(field_of(sample, "id", (str, int), "the id of an item"))
    epoch = field_of(sample, "epoch", int, "a whole number") if "epoch" in sample else 1
    label = repeated_mode(mode if named else ours.get("mode") or mode, "epoch", epoch)
    if sample.get("error"):
        return LogSample(item, lacking="ended by an error")
    if not sample.get("output"):
        return LogSample(item, lacking="without an output")
    texts, remarks = _answers(field_of(sample, "output", dict, "the output of a model"))
    attachments = sample["attachments"] if isinstance(sample.get("attachments"), dict) else {}
    predictions = tuple(
        {"id": item, "model": model, "mode": repeated_mode(label, "choice", number)}
        | {"answer": _attached(text, attachments)}
        | (shown_as(metadata) or shown_options(sample.get("choices")))
        for number, text in enumerate(texts, 1)
    )
    return LogSample(item, predictions, remarks=remarks)


def _answers(output: Mapping[str, Any]) -> tuple[list[str], tuple[str, ...]]:
    """Return the texts of the choices of an output, and what is special about them; `completion` is the text of the first one."""
    choices = output.get("choices")
    messages = [
        message_of(message.get("content"), calls=message.get("tool_calls"))
        for choice in (choices if isinstance(choices, list) else [])
        if isinstance(choice, dict) and isinstance(message := choice.get("message"), dict)
    ]
    texts = [message.text for message in messages]
    if isinstance(completion := output.get("completion"), str) and (completion or not texts):
        texts = [completion, *texts[1:]]
    if not texts:
        text_field(output, "completion")
    return texts, tuple(remark for message in messages for remark in message.remarks)


def _attached(text: str, attachments: Mapping[str, Any]) -> str:
    """Return a text, from the attachments of its sample if it only refers to them."""
    if not text.startswith(_ATTACHED):
        return text
    return text_field(attachments, text.removeprefix(_ATTACHED))
