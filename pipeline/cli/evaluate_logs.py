"""Commands for systems that answer elsewhere: prompts as a file of requests, logs and results as predictions."""

from pathlib import Path
from typing import Annotated, Literal

from ..core.errors import first_names, plural
from ..core.files import write_jsonl
from ..evaluation.folder import read_folder
from ..evaluation.logs.batches import Settings, batch_requests
from ..evaluation.logs.conversion import LogName, convert_log
from ..evaluation.logs.custom_ids import custom_id
from ..evaluation.predictions import ORDERS, order_of
from ..evaluation.prompts.demonstrations import read_demonstrations
from ..evaluation.prompts.rendering import ALL_MODES
from ..evaluation.questions import select_questions
from .parameters import (
    PAPER_MODES,
    BatchModel,
    Demonstrations,
    MaxTokens,
    Reasoning,
    Release,
    RequestsFile,
    arg,
    opt,
    output,
)
from .report import Report

#: The formats of a file of prompts: those of batches, and predictions that lack model and answer.
PromptFormat = Literal["openai-batch", "anthropic-batch", "gemini-batch", "jsonl"]


def prompts_command(
    release: Release,
    file_format: Annotated[
        PromptFormat,
        opt("A batch of a server, or jsonl: predictions that lack only model and answer.", "--as"),
    ],
    out: RequestsFile,
    model: BatchModel = "",
    mode: Annotated[str, opt(f"How items are asked, separated by commas: {', '.join(ALL_MODES)}.")] = PAPER_MODES,
    order: Annotated[Literal["written", "swapped", "both", "as written"], opt("Order of the options.")] = "written",
    form: Annotated[
        Literal["zero", "overt", "both"] | None, opt("Form of the items; default: zero if the release has zero forms.")
    ] = None,
    items: Annotated[int | None, opt("Ask about a balanced sample of this many items in whole pairs.", min=2)] = None,
    seed: Annotated[int, opt("Seed of the sample.", min=0)] = 0,
    max_tokens: MaxTokens = 128,
    reasoning: Reasoning = False,
    demonstrations: Demonstrations = None,
) -> Report:
    """Write the prompts of `evaluate run` to a file, for a server elsewhere.

    `evaluate import` reads the results of a batch, in any order: the id of
    each request says its item, mode, form and order.
    """
    folder = read_folder(release)
    modes = list(dict.fromkeys(mode.split(",")))
    orders = ORDERS if order == "both" else (order_of(order),)
    examples = read_demonstrations(demonstrations) if demonstrations else None
    selected = select_questions(folder.items, modes, form, orders, items=items, seed=seed, examples=examples)
    if file_format == "jsonl":
        rows = [
            {"id": question.entry.item.id, **question.shown_as._asdict(), "prompt": question.prompt}
            for question in selected.questions
        ]
    else:
        prompts = ((custom_id(asked.entry.item.id, asked.shown_as), asked.prompt) for asked in selected.questions)
        rows = batch_requests(file_format, prompts, Settings(model, max_tokens, reasoning))
    write_jsonl(out, rows)
    return Report().add(
        f"{out}: {len(selected.chosen)} of {plural(len(folder.items), 'item')} in, {plural(len(rows), 'prompt')} out",
        items=len(selected.chosen),
        prompts=len(rows),
    )


def import_command(
    log: Annotated[
        Path,
        arg(
            "LOG",
            "Samples of lm-eval (--log_samples, JSON Lines), a log of Inspect (.eval or JSON), or the results of a batch.",
        ),
    ],
    tool: Annotated[LogName, opt("What wrote the log.", "--format")],
    out: Annotated[Path, output("predictions (JSON Lines).")],
    model: Annotated[str, opt("Name of the system; required for lm-eval.")] = "",
    mode: Annotated[
        str,
        opt(
            "How it was asked, such as zero-shot; required for lm-eval's samples of tasks that are not a release's own."
        ),
    ] = "",
    chosen_filter: Annotated[
        str, opt("Filter of lm-eval whose answers count; default: the model's texts.", "--filter")
    ] = "",
) -> Report:
    """Convert the log of an evaluation tool, or the results of a batch, to predictions for `evaluate report`."""
    converted = convert_log(log, tool, model=model, mode=mode, chosen_filter=chosen_filter)
    write_jsonl(out, converted.predictions)
    report = Report()
    report.add(
        f"{out}: {plural(converted.samples, 'sample')} in, {plural(len(converted.predictions), 'prediction')} out; "
        f"{converted.skipped} without an answer, or of another filter",
        samples=converted.samples,
        predictions=len(converted.predictions),
        skipped=converted.skipped,
    )
    for reason, names in converted.lacking.items():
        report.add(f"{plural(len(names), 'sample')} {reason}: {first_names(names)}")
    if converted.remarks:
        counts = ", ".join(f"{remark} {count}" for remark, count in converted.remarks.items())
        report.add(f"special answers: {counts}")
    report.figures |= {"lacking": converted.lacking, "remarks": dict(converted.remarks)}
    modes = dict.fromkeys(prediction["mode"] for prediction in converted.predictions)
    if len(modes) > 1:
        report.add(f"modes: {'; '.join(modes)}")
    return report
