"""The command that reads what other tools and servers answered: logs and results of batches as predictions."""

from pathlib import Path
from typing import Annotated

from ..core.errors import first_names, plural
from ..core.files import write_jsonl
from ..evaluation.logs.conversion import LogName, convert_log
from .parameters import arg, opt, output
from .report import Report


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
