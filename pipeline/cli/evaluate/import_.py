"""Convert the log of an evaluation tool to predictions."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.files import read_text, write_jsonl
from ...evaluation.logs import LogName, convert_log
from ..report import Report


def command(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG",
            help="Samples of lm-eval (--log_samples, JSON Lines), or a log of Inspect as JSON (inspect log dump).",
            show_default=False,
        ),
    ],
    tool: Annotated[LogName, typer.Option("--format", help="Tool that wrote the log.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Output: predictions (JSON Lines).", show_default=False)],
    model: Annotated[str, typer.Option(help="Name of the system; required for lm-eval.", show_default=False)] = "",
    mode: Annotated[
        str,
        typer.Option(
            help="How it was asked, such as zero-shot; required for lm-eval's samples of tasks that are not a release's own.",
            show_default=False,
        ),
    ] = "",
) -> Report:
    """Convert the log of an evaluation tool to predictions for `evaluate report`."""
    converted = convert_log(read_text(log), log, tool, model=model, mode=mode)
    write_jsonl(out, converted.predictions)
    made, samples, skipped = len(converted.predictions), converted.samples, converted.skipped
    report = Report()
    report.add(
        f"{out}: {samples} samples in, {made} predictions out; {skipped} without an answer, or of another filter",
        samples=samples,
        predictions=made,
        skipped=skipped,
    )
    return report
