"""Score how a system translated zero pronouns."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ...core.files import write_text
from ...zero_pronouns.details import corrected, read_details, score_lines
from ..output import percent
from ..report import Report


def command(
    details: Annotated[
        Path,
        typer.Option("--from-details", help="Verdicts that the authors' tool wrote (.details).", show_default=False),
    ],
    out: Annotated[Path, typer.Option(help="Output: the scores, a line a label (.score).", show_default=False)],
    mode: Annotated[
        Literal["published", "corrected"],
        typer.Option(help="Expected translations: those of the authors' tool, or those of rules/pronouns/zh-en.yaml."),
    ] = "published",
) -> Report:
    """Score the translation of zero pronouns (AZPT) from the verdicts on each."""
    report = Report()
    published = read_details(details)
    verdicts = published if mode == "published" else list(corrected(published))
    write_text(out, "".join(f"{line}\n" for line in score_lines(verdicts)))
    right = sum(verdict.right for verdict in verdicts)
    changed = sum(before != after for before, after in zip(published, verdicts, strict=True))
    report.add(
        f"{out}: {len(verdicts)} zeros, {right} translated ({percent(right / len(verdicts))}), {len(verdicts) - right} not",
        zeros=len(verdicts),
        translated=right,
        azpt=right / len(verdicts),
    )
    if mode == "corrected":
        report.add(f"{changed} with another expected translation than in the file", changed=changed)
    return report
