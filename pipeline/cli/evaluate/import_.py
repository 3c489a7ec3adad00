"""Convert the log of an evaluation tool to predictions."""

from pathlib import Path
from typing import Annotated

from ...core.files import read_text, write_jsonl
from ...evaluation.logs import LogName, convert_log
from ..parameters import arg, opt, output
from ..report import Report


def command(
    log: Annotated[
        Path,
        arg("LOG", "Samples of lm-eval (--log_samples, JSON Lines), or a log of Inspect as JSON (inspect log dump)."),
    ],
    tool: Annotated[LogName, opt("Tool that wrote the log.", "--format")],
    out: Annotated[Path, output("predictions (JSON Lines).")],
    model: Annotated[str, opt("Name of the system; required for lm-eval.")] = "",
    mode: Annotated[
        str,
        opt(
            "How it was asked, such as zero-shot; required for lm-eval's samples of tasks that are not a release's own."
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
