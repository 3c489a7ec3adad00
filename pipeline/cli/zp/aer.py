"""Measure an automatic word alignment against one by hand."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.pages import decimal, percent
from ...zero_pronouns.documents import require_aligned
from ...zero_pronouns.translation.alignment import quality, read_links
from ..parameters import arg
from ..report import Report


def command(
    gold: Annotated[
        Path, arg("GOLD", "Links by hand, sure (0-0) or possible (1p2); sentences with an empty line are left out.")
    ],
    automatic: Annotated[Path, arg("AUTO", "The automatic alignment (0-0 1-2), line by line.")],
) -> Report:
    """Measure a word alignment: alignment error rate (AER), precision, recall."""
    golds, links = read_links(gold, possible=True), read_links(automatic)
    require_aligned(automatic, len(links), gold, len(golds))
    if not any(golds):
        raise PipelineError(gold, None, "[link] no link; expected at least one sentence with links by hand")
    figures = quality(zip(golds, links, strict=True))
    report = Report()
    report.add(
        f"{automatic}: AER {decimal(figures.error_rate)}, precision {percent(figures.precision)}, recall {percent(figures.recall)}; "
        f"{plural(figures.sentences, 'sentence')} by hand of {len(golds)}, {figures.sure} sure links, {figures.automatic} automatic ones",
        aer=figures.error_rate,
        precision=figures.precision,
        recall=figures.recall,
        sentences=figures.sentences,
        lines=len(golds),
        sure=figures.sure,
        automatic=figures.automatic,
    )
    return report
