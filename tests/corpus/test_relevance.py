"""Pages left out by `--passages` have no term, however markup cuts the terms of a page; what is counted of the others is the same."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corpus.counting.local import CorpusCounts, Job, count_shard
from pipeline.corpus.counting.relevance import TermFilter
from pipeline.corpus.counting.script import simplify
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats.markup import plain_text
from pipeline.corpus.formats.reading import CHUNK
from pipeline.corpus.formats.registry import shards, visible_text
from tests.support.dumps import page, write_plain

#: Beside words of two and three characters: one with two traditional forms, one that keeps its character, a number, Latin words.
TERMS = ("箱子", "头发", "干净", "图书馆", "王乾", "1.5", "NBA", "Wi-Fi")
MAY_HAVE_TERM = TermFilter(TERMS)


def may_have_term(wikitext: str, term_filter: TermFilter = MAY_HAVE_TERM) -> bool:
    return bool(term_filter([wikitext])[0])


def shown(wikitext: str) -> str:
    return simplify(visible_text(plain_text(wikitext)), {"王乾"})


@pytest.mark.parametrize(
    "wikitext",
    [
        "[[File:箱子", "[[分类:箱子|", "<pre>[[箱子|盒]]</pre>", f"{'[[a|' * 40}[[箱子|盒]]{']]' * 40}",
        f"{'-{' * 40}[[箱子|盒]]{'}-' * 40}", f"{'{{a' * 10_001}[[箱子|盒]]", "[[a|[[b|[http://NBA c]]]]",
        "-{Wi-Fi}-", "-{zh-cn:Wi-Fi}-", "Wi-{-Fi}-", "-{箱}-子|盒]]", "[[盒|-{箱}-子|盖]]", "箱{<noinclude>{{1|子}}}",
        "箱-</onlyinclude>{zh-cn:子;zh-tw:盒}-",
        "箱子", "一只箱子。", "頭髮", "乾淨", "圖書館", "王乾", "1.5", "NBA", "头'''髮'''", "''箱''子", "箱'''''子", "[[箱子]]",
        "[[箱]]子", "箱[[子]]",
        "[[箱|箱]]子", "箱[[盒|子]]", "[[盒|箱]][[盖|子]]", "[[盒|''箱'']]子", "[[ 箱]][[子 ]]", "箱[[ 子]]", "[[盒|]]箱[[子|]]",
        "[[箱|'''''']]子",
        "箱[[File:a.jpg|thumb|图]]子", "箱[[分类:甲]]子", "箱[[en:Box]]子", "箱[[:子]]", "[[:Category:箱]]子", "[[Re:箱 ]]子",
        "箱[[甲{{efn|b}}|子]]",
        "箱[http://a.b 子]", "[http://a.b 箱]子", "箱[http://a.b]子", "箱[http://a.b [[盒|子]]]", "箱[mailto:a 子]",
        "箱[http://a''子 b'']", "箱[http://a子 子]",
        "箱<ref>注</ref>子", "箱<ref name=a />子", "箱<!-- 注\n释 -->子", "箱<nowiki/>子", "<nowiki>箱</nowiki>子",
        "<nowiki>箱子[[</nowiki>",
        "<nowiki>[[箱子|盒]]</nowiki>", "箱<b>子</b>", "箱</span>子", "箱<ruby>子<rt>zi</rt></ruby>", "箱{{efn|注}}子",
        "图{{efn|注}}书<ref/>馆",
        "图'''书'''[[馆]]", "箱{{{1|子}}}", "箱{<!-- -->{{1|子}}}", "&#31665;子", "&#x7BB1;子", "箱&shy;子", "箱&#8203;子",
        "箱&zwj;子", "箱\u200b子",
        "箱\u00ad'''\u200b子", "箱&<!-- -->shy;子", "箱&#x<!-- -->200b;子", "-{箱子}-", "-{箱}-子", "箱-{zh-hans:子;zh-hant:盒}-",
        "箱-{zh-tw:盒; zh-cn: 子}-",
        "箱-{H|zh-cn:甲;zh-tw:乙}-子", "箱-{zh-hans;zh-hant|子}-", "箱-{A|zh-cn:子;zh-tw:盒}-", "箱-{子-{甲}-}-", "箱-{[[盒|子]]}-",
        "箱-<!-- -->{子}-",
        "箱-{-}-{子}-", "箱--{}-{子}-", "箱-{&}-#23376;", "&-{}-#31665;子", "箱__NOTOC__子", "箱__目录__子", "箱[<!-- -->[盒|子]]",
        "箱[''[File:a]]子",
        "箱'<!-- -->'子", "王'''乾'''", "王[[干|乾]]", "N<b>B</b>A", "1.'''5'''", "<pre>箱子</pre>", "{{未完 箱'''子",
        "[[未完 箱'''子", "{|\n箱''子",
    ],
)  # fmt: skip
def test_a_page_with_a_term_is_read(wikitext: str) -> None:
    text = shown(wikitext)
    if any(term in text for term in TERMS):  # what is not shown need not be read
        assert may_have_term(wikitext)
    assert may_have_term(f"甲[[乙]]。{wikitext}，{{{{丙}}}}") >= any(term in text for term in TERMS)


@pytest.mark.parametrize(
    "wikitext",
    [
        "", "空", "子箱", "箱，子", "箱 子", "箱\n子", "箱&nbsp;子", "'''箱'''和'''子'''", "[[箱]]和[[子]]", "[[盒|箱]]，[[子]]",
        "{{Infobox|箱|子}}",
        "{|\n| 箱 || 子\n|}", "[[Category:箱]][[Category:子]]", "[http://a.b 箱]和子", "-{zh-cn:甲;zh-tw:乙}-箱，子",
        "<ref>注</ref>子。箱",
    ],
)  # fmt: skip
def test_a_page_without_a_term_is_left_out(wikitext: str) -> None:
    assert not may_have_term(wikitext)
    assert not may_have_term(wikitext, TermFilter(["窗"]))
    assert not may_have_term(wikitext, TermFilter([]))


def test_a_term_with_a_mark_is_sought_on_every_page() -> None:
    assert may_have_term("空", TermFilter(["C&A"]))
    assert may_have_term("'''发'''", TermFilter(["髮"]))


@pytest.mark.parametrize(
    "mark", ["-{", "-{N", "[[a", "[//a ", "[//a [[b]]", "&a", "''", "[[a|", "{{", "-{a}-", "[[a ", "[[ :"]
)
def test_deciding_takes_linear_time(mark: str) -> None:
    """In quadratic time each of these takes minutes."""
    for text in (mark * 300_000, mark + "N" * 1_000_000, mark + " " * 1_000_000):
        may_have_term(text)


PIECES = st.sampled_from((
    *"箱子头頭发髮干乾图圖书書馆館王。，箱子", "1", ".", "5", "N", "B", "A", "'", "''", "'''", "[[", "]]", "[", "]", "|", "{{", "}}",
    "{", "}", "{{{", "}}}",
    "{{efn|", "{{x|", "-{", "}-", "-{H|", "-{zh-hans:", ";zh-hant:", "zh-cn:", "-", ";", ":", "=>", "N|", "<ref>", "</ref>",
    "<ref name=a/>", "<b>", "</b>",
    "<br>", "<nowiki>", "</nowiki>", "<nowiki/>", "<!--", "-->", "<!-- -->", "<", ">", "&", "#", "&shy;", "&#31665;", "&nbsp;", "&lt;",
    "\u200b", "__NOTOC__", "_", "Wi-Fi", "<noinclude>",
    "[http://a.b ", "http://", "[//", "[[File:a|", "[[分类:", "[[:", "[[Re:", "[[盒|", " ", "\n", "\n;", "\n*", "\n== ", " ==", "{|\n",
    "\n|}", "<ruby>", "<rt>", "</rt>",
))  # fmt: skip


@settings(max_examples=500)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_no_page_whose_text_has_a_term_is_left_out(wikitext: str) -> None:
    text = shown(wikitext)
    assert may_have_term(wikitext) >= any(term in text for term in TERMS)


@given(st.lists(st.lists(PIECES, max_size=6).map("".join), min_size=1, max_size=9))
def test_pages_are_judged_together_as_each_is_alone(pages: list[str]) -> None:
    for term_filter in (MAY_HAVE_TERM, TermFilter(["箱", "图书馆"]), TermFilter(["C&A"])):
        assert term_filter(pages).tolist() == [may_have_term(wikitext, term_filter) for wikitext in pages]


def counted(folder: Path, pages: Sequence[str], *, passages: bool) -> CorpusCounts:
    path = write_plain(folder / "d.xml", [page(f"甲{number}", text) for number, text in enumerate(pages)])
    (shard,) = shards(path, "wikimedia-xml", 1 << 20)
    return count_shard(shard, Job(TermQuery(TERMS, 3), "fast", passages=passages))


@settings(max_examples=60)
@given(st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=2, max_size=5))
def test_counts_are_the_same_where_pages_are_left_out(pages: list[str]) -> None:
    with TemporaryDirectory() as folder:
        all_read, some_read = (counted(Path(folder), pages, passages=passages) for passages in (False, True))
    assert some_read.counts.terms == all_read.counts.terms
    assert some_read.counts.pairs == all_read.counts.pairs
    assert some_read.left_out == all_read.left_out
    assert all_read.unread == 0
    assert some_read.documents >= all_read.documents


#: How a dump may write what a page shows as 箱子, each with how often it does.
WRITTEN = (
    ("箱子", 1), ("&#31665;&#x5b50;", 1), ("箱&amp;shy;子", 1), ("&amp;#31665;子", 1), ("箱&#x26;#23376;", 1), ("箱&lt;!-- 子 --&gt;子", 1),
    ("箱<!-- 注 -->子", 1), ("箱<b>子</b>", 1), ("<![CDATA[箱]]>子", 1), ("[[盒&amp;盖|箱]]子", 1),
    ("箱&lt;ref name=&quot;a&quot;/&gt;子", 1),
    ("箱&amp;amp;子", 0), ("箱\r\n子", 0), ("箱\r子", 0), ("箱&lt;br&gt;子", 0), ("", 0),
)  # fmt: skip


@pytest.mark.parametrize("name", ["d.xml", "d.xml.bz2"])
def test_no_way_to_write_a_page_loses_it(tmp_path: Path, name: str) -> None:
    """Before each page stands one that is longer than what is read at once, by one byte more each time."""
    pages = []
    for number, (written, _) in enumerate(WRITTEN):
        filler = page(f"甲{number}", "空" * (CHUNK // 3) + "x" * number)
        pages += [filler, page(f"乙{number}", "某").replace("某</text>", f"{written}</text>")]
    pages.append(page("丙", "").replace("></text>", " />").replace("\n", "\r\n"))
    path = write_plain(tmp_path / name, pages)
    (shard,) = shards(path, "wikimedia-xml", 1 << 30)
    job = Job(TermQuery(("箱子",), 3), "fast")
    exact, estimated = count_shard(shard, job), count_shard(shard, replace(job, passages=True))
    assert exact.counts.terms == estimated.counts.terms == {"箱子": sum(count for _, count in WRITTEN)}
    assert exact.documents == len(pages) - 2  # two have no text
    assert estimated.unread > len(WRITTEN)


def test_the_windows_of_pages_that_are_left_out_are_estimated(tmp_path: Path) -> None:
    """Of 101 pages of ten characters, the sample has the 1st, the 51st and the 101st; the 7th has a term, the other 97 are not read."""
    pages = ["'''他'''把那个盒盖打开了。"] * 101
    pages[6] = "他把那个箱子'''打'''开了。"
    exact, estimated = (counted(tmp_path, pages, passages=passages) for passages in (False, True))
    assert (estimated.unread, estimated.documents) == (97, 101)
    assert estimated.counts.terms == exact.counts.terms == {"箱子": 3}
    # Each page is of equal size, so that the estimates are exact.
    assert estimated.characters == exact.characters
    assert estimated.counts.windows == pytest.approx(exact.counts.windows, rel=0.02)
