"""Align the words of a text with those of its translation."""

import hashlib
from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.files import write_text
from ...zero_pronouns.documents import require_aligned
from ...zero_pronouns.translation.alignment import align, to_pharaoh
from ...zero_pronouns.translation.judge import words_of
from ..parameters import arg, output
from ..report import Report


def command(
    source: Annotated[Path, arg("SOURCE", "Chinese, split into words by blanks, with labels as words.")],
    target: Annotated[Path, arg("TARGET", "English, split into words, line by line.")],
    out: Annotated[Path, output("the alignment in Pharaoh format (0-0 1-2).")],
) -> Report:
    """Align words by systran-align, which learns from the text itself.

    One core does all of it, so that the same text gives the same alignment.
    """
    sources, targets = words_of(source), words_of(target)
    require_aligned(target, len(targets), source, len(sources))
    alignment = align(list(zip(sources, targets, strict=True)))
    text = to_pharaoh(alignment)
    write_text(out, text)
    links, digest = sum(map(len, alignment)), hashlib.sha256(text.encode()).hexdigest()
    report = Report()
    report.add(
        f"{out}: {plural(len(sources), 'line')} in, {len(alignment)} out, {plural(links, 'link')}; sha256 {digest}",
        lines=len(alignment),
        links=links,
        sha256=digest,
    )
    return report
