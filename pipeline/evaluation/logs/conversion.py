"""A log of any tool as predictions."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from ...core.errors import PipelineError
from ...core.files import decode, read_bytes
from .batches import batch_samples
from .inspect_logs import inspect_samples
from .lm_eval import lm_eval_samples
from .samples import LogSample, repeated_mode

#: The tools whose logs are read.
LogName = Literal["lm-eval", "inspect", "openai-batch", "anthropic-batch", "gemini-batch"]
LOG_NAMES: tuple[LogName, ...] = get_args(LogName)
#: How the reasons begin for which a file or a first line is refused that is of no such log.
_NO_SUCH_LOG = re.compile(r"\[(?:doc|filtered_resps|custom_id|key|eval)\] missing field|\[json\]")


@dataclass(frozen=True, slots=True)
class ConvertedLog:
    """What a log holds."""

    #: Of a sample that stands for several items, or has several answers, one for each.
    predictions: tuple[dict[str, Any], ...]
    samples: int
    #: The samples that give no prediction, by the reason: of another filter, or ended by an error.
    lacking: dict[str, list[str]]
    remarks: Counter[str]  # number of answers by what is special about them

    @property
    def skipped(self) -> int:
        """The number of samples that give no prediction."""
        return sum(map(len, self.lacking.values()))


def convert_log(path: Path, tool: LogName, *, model: str = "", mode: str = "", chosen_filter: str = "") -> ConvertedLog:
    """Return the predictions of a log. Fields that are not read may hold anything.

    lm-eval writes samples with ``--log_samples`` (JSON Lines). The item is ``doc.item`` or ``doc.id``. In our own tasks ``doc.items``
    lists the items that have the same texts with a candidate in the pronoun's place: each has the answer. An answer is the text as it
    was generated, or for log-probabilities the letter of the most probable option, empty if several are; then ``scores`` has the
    log-probability of each candidate in the item's order. What a filter left counts where the user chooses it, where it chose among
    repeats (``maj@3``), and where there is no text besides; other repeats are modes of their own. So are filters that each chose an
    answer; of filters that leave the answers as they are the first counts. Old versions do not name the filter: a second answer to the
    same prompt is left out if no such answer differs, else in a mode of its own. ``prompt`` is the text that the model read: the context if
    all options have the same, else each context with its continuation, a line each. ``mode`` is ``doc.mode``, which the tasks of a
    release have.

    Inspect writes logs as archives (.eval) or JSON (``--log-format json``). The item is the id of the sample, or ``item`` in its
    metadata, where ``mode`` may stand too, as our own tasks write them (`inspect_registry`). Each epoch after the first is a mode of
    its own, and so is each further choice of an output.

    The results of batches (`batches`) have ids of requests: those that winoforge wrote say item, mode, form and order (`custom_ids`),
    others are ids of items.

    ``form`` and ``order`` are taken from the fields of these names in ``doc``, or in the sample's ``metadata``; other texts than a
    prediction may have are an error.

    Args:
        path: the log; ``-`` for standard input, except for an archive of Inspect.
        model: name of the system; if empty, that of Inspect's log or of the result.
        mode: how the system was asked; if empty, ``doc.mode`` of lm-eval's samples, the task of Inspect's log, or what the id says.
        chosen_filter: the filter of lm-eval whose answers count.

    Raises:
        PipelineError: the log is malformed or has no sample with an answer, or lm-eval's has no `model`, which it does not say, or no
            `mode`.
    """
    if chosen_filter and tool != "lm-eval":
        raise PipelineError(None, None, f"[filter] only samples of lm-eval have filters; leave it out for {tool}")
    try:
        samples = _apart(list(_samples(read_bytes(path), path, tool, model, mode, chosen_filter)))
    except PipelineError as error:
        if error.line not in (None, 1) or not _NO_SUCH_LOG.match(error.reason):
            raise
        reason = f"{error.reason}; this may be no log of {tool}: --format is one of {', '.join(LOG_NAMES)}"
        raise PipelineError(path, error.line, reason) from error
    if not samples:
        raise PipelineError(path, None, "[samples] no sample; expected one for each item")
    predictions = tuple(prediction for sample in samples for prediction in sample.predictions)
    lacking: dict[str, list[str]] = {}
    for sample in samples:
        if sample.lacking:
            lacking.setdefault(sample.lacking, []).append(sample.name)
    if not predictions:
        reasons = "; ".join(f"{len(names)} {reason}" for reason, names in lacking.items())
        raise PipelineError(path, None, f"[samples] no prediction; found {reasons}, expected an answer in some")
    remarks = Counter(remark for sample in samples for remark in sample.remarks)
    return ConvertedLog(predictions, len(samples), lacking, remarks)


def _apart(samples: list[LogSample]) -> list[LogSample]:
    """Return samples without second answers to a prompt; if one of these differs, with all of them, in modes of their own."""
    said: dict[tuple[Any, ...], list[str]] = {}
    for sample in samples:
        for prediction in sample.predictions:
            said.setdefault(_prompt_key(prediction), []).append(prediction["answer"])
    if all(len(answers) == 1 for answers in said.values()):
        return samples
    differ = any(len(set(answers)) > 1 for answers in said.values())
    numbers: Counter[tuple[Any, ...]] = Counter()
    apart = []
    for sample in samples:
        kept: list[dict[str, Any]] = []
        remarks = sample.remarks
        for prediction in sample.predictions:
            key = _prompt_key(prediction)
            numbers[key] += 1
            if numbers[key] == 1 or differ:
                kept.append(prediction | {"mode": repeated_mode(prediction["mode"], "record", numbers[key])})
            if numbers[key] > 1 and differ:
                remarks += ("one more of an item, in a mode of its own",)
        lacking = sample.lacking or ("" if kept else "with the answer of an earlier record of the same item")
        apart.append(replace(sample, predictions=tuple(kept), lacking=lacking, remarks=remarks))
    return apart


def _prompt_key(prediction: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(prediction.get(field) for field in ("id", "model", "mode", "form", "order"))


def _samples(data: bytes, path: Path, tool: LogName, model: str, mode: str, chosen_filter: str) -> Iterator[LogSample]:
    if tool == "inspect":
        return inspect_samples(data, path, model, mode)
    if tool == "lm-eval":
        return lm_eval_samples(decode(data, path), path, model, mode, chosen_filter)
    return batch_samples(decode(data, path), path, tool, model, mode)
