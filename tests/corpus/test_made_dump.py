"""The dump of the benchmark: the same for the same seed, with all kinds of pages, counted alike with passages."""

from pathlib import Path

from pipeline.corpus.counting.local import Job, count_shard
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats.registry import shards
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
