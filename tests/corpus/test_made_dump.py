"""The dump of the benchmark: the same for the same seed, with all kinds of pages, counted alike with passages; other texts of it."""

from collections import Counter
from pathlib import Path

from pipeline.corpus.counting.local import Job, count_shard
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats.markup import plain_text
from pipeline.corpus.formats.reading import refuse
from pipeline.corpus.formats.registry import marked_documents, shards
from tools.dump_differences import EDITS, NO_PAGE, NOT_EXPLAINED, ONLY_THEIRS, differences, title
from tools.made_dump import Words, write_dump

WORDS = Words(
    ("我们", "看见", "一个", "老师", "在", "路上", "说话", "今天", "天气", "很", "好"), ("箱子", "奖杯", "头发")
)


def test_a_made_dump_is_counted(tmp_path: Path) -> None:
    dumps = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        dumps.append(write_dump(tmp_path / name, WORDS, 300_000, 0.2, sentences=200)[0])
    assert dumps[0].read_bytes() == dumps[1].read_bytes()
    (shard,) = shards(dumps[0], "wikimedia-xml", 1 << 30)
    exact, estimated = (
        count_shard(shard, Job(TermQuery(WORDS.terms, 10), "fast", passages=passages)) for passages in (False, True)
    )
    assert exact.counts.terms == estimated.counts.terms
    assert exact.counts.pairs == estimated.counts.pairs
    assert set(exact.counts.terms) == set(WORDS.terms)
    articles = exact.documents
    assert exact.left_out.keys() == {"redirects", "pages of other namespaces", "disambiguation pages"}
    assert 0.45 < articles / (articles + exact.left_out.total()) < 0.51
    assert (
        0.7 < estimated.unread / articles < 0.82
    )  # of the 80 % without a term, one in 50 is read, and some look as if they had one
    assert 0.8 < estimated.counts.windows / exact.counts.windows < 1.25


def test_differences_of_other_texts_are_explained(tmp_path: Path) -> None:
    dump, _ = write_dump(tmp_path, WORDS, 100_000, 1, sentences=200)
    (shard,) = shards(dump, "wikimedia-xml", 1 << 30)
    pages = [document.source for document in marked_documents(shard, refuse, Counter())]
    without_lists = [(title(page), plain_text(EDITS["leaves lists out"](page))) for page in pages]
    first, text = without_lists[0]
    others = [(first, f"箱子奖杯。{text}"), *without_lists[1:-1], ("某", "箱子")]
    found = {kind: pages for _, kind, pages, _ in differences(dump, TermQuery(WORDS.terms, 10), {"other": others})}
    assert found[NOT_EXPLAINED] == found[NO_PAGE] == found[ONLY_THEIRS] == 1
    assert found["leaves lists out"] > 0
    assert found["none"] + found["leaves lists out"] == len(pages) - 2
