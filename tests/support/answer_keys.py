"""The answer keys of the exclusion rules, and what the parsers gave for their sentences, recorded.

    python -m tests.support.answer_keys [--check]      record anew, or compare with what the parsers give today

A record holds no text, for some sentences are not ours: a digest of the words, then part of speech, head and relation of each.
"""

import hashlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from pipeline.core.model import CLASSES, Item, Span
from pipeline.core.tables import read_table, write_tsv
from pipeline.language.parsing.backends import BACKENDS, Backend, Word
from pipeline.language.parsing.lock import Lock, update
from pipeline.language.zh import CHINESE
from tests.support.items import marked
from tools.published import VARIABLE, data_folder

TESTS = Path(__file__).resolve().parents[1]
RECORDS = TESTS / "cases" / "parses"
KEYS = ("constructions", "heldout", "unseen", "passages", "literary")
_COLUMNS = ("sentence", "words")


def answer_key(name: str) -> list[tuple[str, Item]]:
    """Return the class of each target of a key, with an item that has it."""
    return literary(data_folder()) if name == "literary" else own_cases(name)


def own_cases(name: str) -> list[tuple[str, Item]]:
    """Return a key of sentences that were written for it."""
    path = TESTS / "cases" / f"{name}.tsv"
    rows = [row for _, row in read_table(path, ("id", "class", "text"))]
    assert {row["class"] for row in rows} <= {"keep", *CLASSES}
    return [(row["class"], marked(row["text"], f"{row['id']}-a")) for row in rows]


def literary(shared_data: Path) -> list[tuple[str, Item]]:
    """Return the key of web fiction and film subtitles, whose sentences lie with the published collections."""
    path = TESTS / "gold" / "literary.tsv"
    rows = []
    for line, row in read_table(path, ("file", "line", "start", "end", "class", "round")):
        source = read_text(shared_data / "mzprt" / "raw" / f"{row['file']}.zh").split("\n")
        text = re.sub(r"<[^<>]*>_\w+", "", source[int(row["line"]) - 1].strip())
        span = Span(int(row["start"]), int(row["end"]))
        assert re.fullmatch("[他她它]们?", span.of(text))
        item = Item(
            id=f"l-{line}-a",
            schema=f"l-{line}",
            version="a",
            lang="zh",
            text=text,
            target=span,
            candidates=("甲",),
            answer=0,
        )
        rows.append((row["class"], item))
    return rows


def record_of(name: str, parser: str) -> Path:
    """Return the file in which the trees of a key by a parser are recorded."""
    return RECORDS / f"{name}.{parser}.tsv"


def digest(words: Sequence[str]) -> str:
    """Return the name of a sentence in a record; other word boundaries give another."""
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]


def recording(name: str, backend: Backend) -> dict[str, str]:
    """Return what a parser gives for the sentences of a key, by digest."""
    rows: dict[str, str] = {}

    def parse(sentences: Sequence[Sequence[str]]) -> list[list[Word]]:
        parsed = list(backend.parse(sentences))
        for words, tree in zip(sentences, parsed, strict=True):
            rows[digest(words)] = " ".join(f"{word.upos}/{word.head or 0}/{word.relation}" for word in tree)
        return parsed

    update([item for _, item in answer_key(name)], {}, Backend(backend.name, backend.model, parse))
    return dict(sorted(rows.items()))


def recorded(name: str, parser: str) -> Backend:
    """Return a back end that gives what was recorded; it refuses a sentence of which nothing was."""
    path = record_of(name, parser)
    rows = {row["sentence"]: row["words"] for _, row in read_table(path, _COLUMNS)}

    def words_of(words: Sequence[str]) -> list[Word]:
        row = rows.get(digest(words))
        if row is None:
            raise PipelineError(path, None, f"[sentence] no tree for {''.join(words)!r}; run make parse")
        fields = [word.split("/") for word in row.split(" ")]
        return [Word(upos, int(head) or None, relation) for upos, head, relation in fields]

    return Backend(parser, "recorded", lambda sentences: [words_of(words) for words in sentences])


def main(check: bool) -> int:
    """Record the trees of all keys by all parsers, or compare; return the exit status."""
    keys = [name for name in KEYS if name != "literary" or data_folder().is_dir()]
    if keys != list(KEYS):
        print(f"literary: skipped, for there are no published collections; set {VARIABLE} to their folder")
    differing = 0
    for parser, load in BACKENDS.items():
        if parser not in CHINESE.parsers:
            continue
        backend = load(None)
        for name in keys:
            path = record_of(name, parser)
            today = recording(name, backend)
            if not check:
                write_tsv(path, _COLUMNS, today.items())
            before = {row["sentence"]: row["words"] for _, row in read_table(path, _COLUMNS)}
            same = sum(before.get(sentence) == words for sentence, words in today.items())
            differing += before != today
            print(f"{path.relative_to(TESTS.parent)}: {same} of {len(today)} trees are what {parser} gives today")
    return min(differing, 1)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))


def trees_of(rows: Sequence[tuple[str, Item]], backend: Backend) -> Lock:
    """Return the trees of the sentences of a key."""
    return Lock(Path("lock"), {tree.key: tree for tree in update([item for _, item in rows], {}, backend).trees})
