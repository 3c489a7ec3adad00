"""Counting corpora in tests: our prose, terms to count in it, articles of a dump, the plain way to count windows."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pipeline.corpus.counting.counts import Counts, read_counts
from tests.conftest import ROOT
from tests.support.commands import app
from tests.support.dumps import page

PROSE = ROOT / "raw" / "prose" / "articles.txt"
TERMS = ("妹妹", "姐姐", "看不清", "光", "手", "头", "大哥", "房租", "没有这个词")


def terms_file(folder: Path) -> Path:
    """Write `TERMS` into a folder."""
    path = folder / "terms.txt"
    path.write_text("\n".join(TERMS) + "\n", encoding="utf-8")
    return path


def count_command(*arguments: object) -> Any:
    """Run `corpus count`."""
    return CliRunner().invoke(app, ["corpus", "count", *map(str, arguments)])


def count_windows_plainly(documents: Sequence[Sequence[str]], names: Sequence[str], size: int) -> Counts:
    """Write every window out and look into it."""
    counts = Counts()
    for words in documents:
        windows = [words[at : at + size] for at in range(max(len(words) - size + 1, 1))] if words else []
        counts.windows += len(windows)
        for window in windows:
            there = sorted(set(window) & set(names))
            counts.terms.update(there)
            counts.pairs.update(combinations(there, 2))
    return counts


#: Two articles, a talk page, a disambiguation page and a redirect.
ARTICLE_PAGES = [
    page("光", "'''看不清'''的[[妹妹]]。{{参考|头}}"),
    page("讨论", "妹妹没有光。", namespace=1),
    page("妹妹 (消歧义)", "妹妹可以指：光。{{disambig}}"),
    page("头", "姐姐的头。", redirect="姐姐"),
    page("姐姐", "姐姐看不清。"),
]


def check_articles(counts: Path) -> None:
    """Check the counts of the articles alone: 看不清 的 妹妹, and 姐姐 看不清, each shorter than the window."""
    assert read_counts(counts).windows == 2
    assert dict(read_counts(counts).terms) == {"看不清": 2, "妹妹": 1, "姐姐": 1}
    assert dict(read_counts(counts).pairs) == {("妹妹", "看不清"): 1, ("姐姐", "看不清"): 1}
