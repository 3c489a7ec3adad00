"""Why other programs' texts of a made dump have other counts than ours: page by page, each difference explained by an edit.

A page is explained if it has their counts once its wikitext is edited in such a way, and is then read as we read it.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from itertools import combinations
from pathlib import Path

from pipeline.corpus.counting.counts import Counts
from pipeline.corpus.counting.relevance import TermFilter
from pipeline.corpus.counting.script import simplify
from pipeline.corpus.counting.segmenters import fast
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.counting.windows import count_windows, occurrences
from pipeline.corpus.formats.markup import plain_text
from pipeline.corpus.formats.reading import refuse
from pipeline.corpus.formats.registry import marked_documents, shards, visible_text

#: What other programs do to a page, as edits of its wikitext.
EDITS: Mapping[str, Callable[[str], str]] = {
    "leaves lists out": lambda wikitext: re.sub(r"(?m)^[*#:;].*\n?", "", wikitext),
    "leaves headings out": lambda wikitext: re.sub(r"(?m)^=.*=\s*$\n?", "", wikitext),
    "leaves marks of variants as they are": lambda wikitext: wikitext.replace("-{", "-&#123;"),
    "leaves the marks of bold, which part words": lambda wikitext: wikitext.replace("'''", "&#39;" * 3),
    "shows categories": lambda wikitext: wikitext.replace("[[Category:", "[[:Category:"),
}
NOT_EXPLAINED, NO_PAGE, ONLY_THEIRS = "not explained", "has no such page", "has a page that is no article"
_TITLE = re.compile("'''(.+?)'''（")


def title(wikitext: str) -> str:
    """Return the title of an article of a made dump, with which its text begins."""
    match = _TITLE.search(wikitext)
    return match[1] if match else ""


def extracted_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each article that WikiExtractor wrote; its first line repeats the title."""
    for path in sorted(folder.rglob("wiki_*")):
        for match in re.finditer(
            r'<doc [^\n]*title="([^\n]*)">\n[^\n]*\n(.*?)</doc>', path.read_text("utf-8"), re.DOTALL
        ):
            yield unescape(match[1]), "\n".join(filter(None, (unescape(line).strip() for line in match[2].split("\n"))))


def row_texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each line of a file of JSON Lines that segment_wiki or we wrote."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            texts = row["section_texts"] if "section_texts" in row else [row["text"]]
            yield row["title"], "\n".join(filter(None, texts))


def differences(
    dump: Path, query: TermQuery, others: Mapping[str, Iterable[tuple[str, str]]]
) -> Iterator[tuple[str, str, int, int]]:
    """Yield for each other way its kinds of differences: its label, the kind, the pages, and how many more windows hold a term."""
    has_term = re.compile("|".join(map(re.escape, query.terms)))
    theirs = {
        label: {name: text if has_term.search(simplify(text)) else "" for name, text in pages}
        for label, pages in others.items()
    }
    may_have_term = TermFilter(query.numbers)
    pages: dict[str, Counter[str]] = {label: Counter() for label in theirs}
    windows: dict[str, Counter[str]] = {label: Counter() for label in theirs}
    for shard in shards(dump, "wikimedia-xml", 1 << 40):
        for document in marked_documents(shard, refuse, Counter()):
            texts = {label: texts.pop(title(document.source), None) for label, texts in theirs.items()}
            if not (any(texts.values()) or may_have_term([document.source])[0]):
                continue
            ours = _counts(document.text(), query)
            for label, text in texts.items():
                counts = _counts(text or "", query)
                kind = NO_PAGE if text is None and ours.terms else _kind(document.source, ours, counts, query)
                pages[label][kind] += 1
                windows[label][kind] += counts.terms.total() - ours.terms.total()
    for label, left in theirs.items():
        for text in filter(None, left.values()):
            pages[label][ONLY_THEIRS] += 1
            windows[label][ONLY_THEIRS] += _counts(text, query).terms.total()
        for kind, count in sorted(pages[label].items()):
            yield label, kind or "none", count, windows[label][kind]


def _counts(text: str, query: TermQuery) -> Counts:
    return count_windows(occurrences([visible_text(text)], query, fast()), query.terms, query.size)


def _kind(wikitext: str, ours: Counts, theirs: Counts, query: TermQuery) -> str:
    """Return the least set of edits that gives a page their counts; empty if they are ours."""
    for size in range(len(EDITS) + 1):
        for kinds in combinations(EDITS, size):
            edited = wikitext
            for kind in kinds:
                edited = EDITS[kind](edited)
            counts = _counts(plain_text(edited), query) if kinds else ours
            if (counts.terms, counts.pairs) == (theirs.terms, theirs.pairs):
                return " and ".join(kinds)
    return NOT_EXPLAINED
