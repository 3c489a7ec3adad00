"""The scanner of markup beside mwparserfromhell, on the articles of a dump: speed, and where their texts differ.

``python -m tools.markup DUMP`` counts the differences by kind: on the pages as they are, and on pages that lost one mark.
"""

import bz2
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

from pipeline.corpus.formats.markup import plain_text
from pipeline.corpus.formats.wikimedia import parse_page
from tests.support.parsed_markup import parsed_text

_PAGE = re.compile(rb"<page>.*?</page>", re.DOTALL)
_WORD = re.compile(r"\w+|[{}\[\]<>|]")
_MARKUP = frozenset("{}[]<>|")
#: Marks that a page loses, one at a time.
_MARKS = ("{{", "}}", "[[", "]]", "''", "<ref", "</ref>", "\n{|", "\n|}", "<!--", "-->", "=\n")


def articles(path: Path) -> Iterator[str]:
    """Yield the wikitext of each article of a dump that bzip2 packed, without redirects."""
    for match in _PAGE.finditer(bz2.decompress(path.read_bytes())):
        page = parse_page(match[0])
        if not page.namespace and not page.redirect:
            yield page.text


def kinds(ours: str, parsed: str) -> Counter[str]:
    """Return how many runs of lines differ in which way."""
    found: Counter[str] = Counter()
    lines = parsed.split("\n"), ours.split("\n")
    for tag, start, end, begin, stop in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if tag != "equal":
            before, after = (
                Counter(_WORD.findall("\n".join(part))) for part in (lines[0][start:end], lines[1][begin:stop])
            )
            found[_kind(after - before, before - after)] += 1
    return found


def _kind(ours_only: Counter[str], parsed_only: Counter[str]) -> str:
    if not ours_only and not parsed_only:
        return "apostrophes, blanks and signs"
    if ours_only and parsed_only:
        return "both have text that the other has not"
    side, words = ("the scanner", ours_only) if ours_only else ("mwparserfromhell", parsed_only)
    return f"more {'markup' if _MARKUP & set(words) else 'text'} by {side}"


def without_one(wikitext: str, mark: str, random: Random) -> str | None:
    """Return a page that has lost one of its marks, None if it has none."""
    places = [match.start() for match in re.finditer(re.escape(mark), wikitext)]
    if not places:
        return None
    place = random.choice(places)
    return wikitext[:place] + wikitext[place + len(mark) :]


def _timed(read: Callable[[str], str], pages: list[str]) -> tuple[list[str], float]:
    began = time.process_time()
    texts = [read(page) for page in pages]
    return texts, sum(len(page.encode()) for page in pages) / 1e6 / (time.process_time() - began)


def main() -> None:
    """Print both speeds, the kinds of differences, and for each mark how many pages differ that lost one."""
    pages = [page for path in sys.argv[1:] for page in articles(Path(path))]
    plain_text("")  # reads the rules
    (ours, speed), (parsed, parsed_speed) = _timed(plain_text, pages), _timed(parsed_text, pages)
    print(
        f"{len(pages)} pages; scanner {speed:.1f} MB/s, mwparserfromhell {parsed_speed:.2f}: {speed / parsed_speed:.1f} times"
    )
    print(f"{sum(map(str.__eq__, ours, parsed))} pages with the same text")
    for kind, count in sum(map(kinds, ours, parsed), Counter[str]()).most_common():
        print(f"{count:5} {kind}")
    random = Random(39)
    for mark in _MARKS:
        faulty = [page for whole in pages if (page := without_one(whole, mark, random)) is not None]
        pairs = [(plain_text(page), parsed_text(page)) for page in faulty]
        longer, shorter = sum(len(a) > len(b) for a, b in pairs), sum(len(a) < len(b) for a, b in pairs)
        differ = sum(a != b for a, b in pairs)
        print(
            f"one {mark!r} less: {len(pairs)} pages, {differ} differ, {longer} with a longer text, {shorter} with a shorter one"
        )


if __name__ == "__main__":
    main()
