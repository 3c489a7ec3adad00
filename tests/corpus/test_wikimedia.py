"""Wikimedia's dumps: articles only, without markup, the same from plain, packed and multistream; hostile ones reported at their byte."""

import bz2
import tracemalloc
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.corpus.counting.local import Job, count_shard
from pipeline.corpus.counting.segmenters import BACKENDS
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats.packing import Content
from pipeline.corpus.formats.reading import SkippedDamage, refuse
from pipeline.corpus.formats.registry import documents, shards
from pipeline.corpus.formats.wikimedia import _written_page, _xml_page, index_beside, wikimedia_documents
from pipeline.corpus.formats.wikitext import conventions
from tests.support.dumps import HEAD, TAIL, page, write_multistream, write_plain
from tests.support.needs import need

CUP = """{{Infobox|name=奖杯|image=[[File:奖杯.jpg|thumb|一座[[奖杯]]]]|year={{date|1990}}}}
{{noteTA|zh-cn:手提箱; zh-tw:手提箱}}
'''奖杯'''（{{lang|en|cup}}）放不进[[箱子|棕色的箱子]]<ref name="a">{{cite web|t=李}}</ref>，因为''它''太大<ref name="a"/>。<!-- 注 -->
[[文件:箱子.png|300px|右|图里是[[箱子]]]]
== 历史 ==
{| class="wikitable"
! 年 !! 事
|-
| 1990 || 表里的话{{标记}}
|}
* 第一项&nbsp;与&lt;第二项&gt;
# 见[http://example.org 网站]和[[:Category:箱子]]，-{zh-hans:软件; zh-hant:軟體}-<math>x_{{1}}</math>
<gallery>
File:a.jpg|图注
</gallery>
== 参考文献 ==
{{reflist}}
__NOTOC__
[[Category:箱子]]
[[分类:奖杯|*]]
"""
CUP_TEXT = """奖杯（ ）放不进棕色的箱子，因为它太大。
历史
第一项 与<第二项>
见网站和Category:箱子，软件
参考文献"""

PAGES = [
    page("奖杯", CUP),
    page("獎盃", "#重定向 [[奖杯]]", redirect="奖杯"),
    page("Talk:奖杯", "讨论。", namespace=1),
    page("箱子", "箱子是'''容器'''。"),
    page("苹果", "'''苹果'''可以指：\n* [[苹果公司]]\n{{Disambig}}"),
    page("李明 (消歧义)", "李明可以指三个人。"),
    page("Template:奖杯", "模板。", namespace=10),
    page("AT&T", "A<b>T</b>&amp;T 是一家公司。"),
    page("空", ""),
]
ARTICLES = [CUP_TEXT.replace("项 与", "项\xa0与"), "箱子是容器。", "AT&T 是一家公司。"]


def read(path: Path, size: int = 1 << 30, index: Path | None = None) -> list[str]:
    kept = shards(path, "wikimedia-xml", size, index)
    return [text for shard in kept for text in documents(shard, refuse)]


def skipping(path: Path, size: int = 1 << 30) -> tuple[list[str], list[str]]:
    """What is read past the damage, and the reports of it, without the path and its colon."""
    skipped = SkippedDamage()
    parts = shards(path, "wikimedia-xml", size)
    kept = [text for shard in parts for text in documents(shard, skipped)]
    return kept, [report.removeprefix(f"{path}: ") for report in skipped.reports]


def refusal(path: Path) -> str:
    with pytest.raises(PipelineError) as caught:
        read(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message.removeprefix(f"{path}: ")


def dump(folder: Path, *pages: str | bytes, head: str = HEAD, tail: str = TAIL) -> Path:
    """A plain dump, of which the pages may be any bytes."""
    parts = [part if isinstance(part, bytes) else part.encode() for part in (head, *pages, tail)]
    (folder / "d.xml").write_bytes(b"".join(parts))
    return folder / "d.xml"


# --- pages of disambiguation, counts of any wikitext ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("苹果", "{{disambig}}", True),
        ("苹果", "{{Disambig-cleanup}}", True),
        ("苹果", "{{ 消歧义 |cat=人}}", True),
        ("苹果", "{{消歧義頁}}", True),
        ("苹果", "{{模板:消歧義}}", True),
        ("苹果", "{{Template:Geographical_location disambiguation\n|a}}", True),
        ("苹果", "{{Dab}}", True),
        ("苹果", "__DISAMBIG__", True),
        ("苹果（消歧義）", "", True),
        ("Apple (Disambiguation)", "", True),
        ("消歧义", "{{dablink|又见[[苹果 (消歧义)]]}}消歧义是……", False),
        ("苹果", "[[某人]]{{Disambiguation needed|date=2020}}", False),
        ("苹果", "{{Dabney}}", False),
        ("苹果", "disambig {disambig} [[disambig]]", False),
    ],
)
def test_pages_of_disambiguation_are_known(title: str, text: str, expected: bool) -> None:
    assert conventions().is_disambiguation(title, text) is expected


PARTS = (
    "箱", "子", "奖杯", "顯著", "看著", "，", "。", "\n", "<br>", "<ref>", "</ref>", "<div>", "</div>", "-{zh-hans:", ";zh-hant:", "}-",
    "-{H|", "[[", "|", "]]", "檔:", "en:", "{{efn|", "{{x|", "}}", "'''", "''", "<!--", "-->", "<nowiki>", "</nowiki>", "&shy;", "&nbsp;",
    "\u200b", "__TOC__", "\n;", ":", "\n== ", " ==", "<ruby>", "<rt>", "</rt>", "Wi-Fi", "1.0", "{|", "|}", "㐀",
)  # fmt: skip


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=30).map("".join), min_size=1, max_size=3), st.integers(1, 4))
def test_both_back_ends_count_the_same_in_any_wikitext(texts: list[str], window: int) -> None:
    query = TermQuery(("箱子", "奖杯", "显著", "看着", "箱", "子"), window)
    with TemporaryDirectory() as folder:
        path = write_plain(Path(folder) / "d.xml", [page(f"甲{number}", text) for number, text in enumerate(texts)])
        (shard,) = shards(path, "wikimedia-xml", 1 << 20)
        slow, slow_passages, fast, fast_passages = (
            count_shard(shard, Job(query, backend, passages=passages)).counts
            for backend in BACKENDS
            for passages in (False, True)
        )
    assert slow == fast
    assert (slow.terms, slow.pairs) == (slow_passages.terms, slow_passages.pairs)
    assert (slow.terms, slow.pairs) == (fast_passages.terms, fast_passages.pairs)


# --- pages as Wikimedia writes them, which a pattern reads ----------------------------------------------------------------

WRITTEN = page("甲&乙", "箱<b>子</b>&amp;\n\t'", redirect="某").strip().encode()
INSERTIONS = (
    "", "箱", "&amp;", "&amp;lt;", "&quot;", "&apos;", "&#x7bb1;", "&shy;", "&", "&lt", "<", ">", "]]>", "\r\n", "\r", "\t", "\0", "\x0b",
    "\x7f", "\x85", "\u2028", "\ufffd", "\ufffe", "\uffff", "\U0001ffff", "<!-- 注 -->", "<![CDATA[箱]]>", "<b>", "<minor />",
    "<model>css</model>", "<model> </model>", "<sha1>0</sha1>", "<text>箱</text>", "</text>", '<text bytes="1" bytes="1">', '"',
    ' sha1="箱"', ' deleted="deleted"', "<ns>1</ns>", "<ip>1.2.3.4</ip>", "<page>", "</page>", "</revision>", "<revision>",
)  # fmt: skip


@settings(max_examples=1000)
@given(
    st.lists(st.tuples(st.integers(0, len(WRITTEN)), st.sampled_from(INSERTIONS), st.integers(0, 9)), max_size=3),
    st.binary(max_size=1),
)
def test_the_pattern_reads_a_page_as_the_parser_does_or_leaves_it(
    edits: list[tuple[int, str, int]], byte: bytes
) -> None:
    data = WRITTEN
    for place, inserted, removed in edits:
        data = data[:place] + inserted.encode() + byte + data[place + removed :]
    if (read := _written_page(data)) is not None:
        assert read == _xml_page(data)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""), ("</contributor>", "</contributor>\n<minor />"), ("<username>某人</username>", "<ip>1.2.3.4</ip>"),
        ("<text", "<comment>/* 箱 */ &lt;</comment>\n<origin>70</origin>\n<model>wikitext</model>\n<format>text/x-wiki</format>\n<text"),
        ("</text>", "</text>\n<sha1>0a9</sha1>"), ('xml:space="preserve">箱</text>', 'xml:space="preserve" />'),
    ],
)  # fmt: skip
def test_the_pattern_reads_what_wikimedia_writes(before: str, after: str) -> None:
    data = page("甲&乙", "箱", redirect="某").strip().replace(before, after, 1).encode()
    assert _written_page(data) == _xml_page(data)
    assert _written_page(data.replace(b"\n", b"\r\n")) is None


# --- the dumps --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["d.xml", "d.xml.bz2"])
def test_only_articles_are_read(tmp_path: Path, name: str) -> None:
    path = write_plain(tmp_path / name, PAGES)
    assert len(shards(path, "wikimedia-xml", 1)) == 1
    assert read(path) == ARTICLES


@given(st.integers(1, 4), st.integers(1, 4000))
def test_any_shards_of_a_multistream_dump_give_each_article_once_in_order(together: int, size: int) -> None:
    with TemporaryDirectory() as folder:
        path, index, starts = write_multistream(Path(folder), PAGES, together)
        assert index_beside(path) == index
        parts = shards(path, "wikimedia-xml", size)
        assert {part.start for part in parts} <= set(starts)
        assert [part.end for part in parts] == [*(part.start for part in parts[1:]), path.stat().st_size]
        assert all(part.end - part.start >= size for part in parts[:-1])
        assert read(path, size) == ARTICLES


def test_a_small_size_makes_a_shard_of_each_stream(tmp_path: Path) -> None:
    path, index, starts = write_multistream(tmp_path, PAGES)
    assert [part.start for part in shards(path, "wikimedia-xml", 1)] == starts[:-1]  # the tail has no page
    given = index.rename(tmp_path / "elsewhere.txt.bz2")
    assert len(shards(path, "wikimedia-xml", 1)) == 1
    assert read(path) == ARTICLES
    assert len(shards(path, "wikimedia-xml", 1, given)) == len(starts) - 1
    assert read(path, 1, given) == ARTICLES
    unpacked = tmp_path / "index.txt"
    unpacked.write_bytes(bz2.decompress(given.read_bytes()))
    assert read(path, 1, unpacked) == ARTICLES


def test_an_index_of_a_part_is_found(tmp_path: Path) -> None:
    index = tmp_path / "zhwiki-20251101-pages-articles-multistream-index1.txt-p1p187712.bz2"
    path = tmp_path / "zhwiki-20251101-pages-articles-multistream1.xml-p1p187712.bz2"
    assert index_beside(path) is None
    index.touch()
    assert index_beside(path) == index
    assert index_beside(tmp_path / "d.xml.bz2") is None


def test_streams_that_are_cut_anywhere_are_one_dump(tmp_path: Path) -> None:
    data = (HEAD + "".join(PAGES) + TAIL).encode()
    path = tmp_path / "d.xml.bz2"
    path.write_bytes(b"".join(bz2.compress(data[start : start + 700]) for start in range(0, len(data), 700)))
    assert read(path) == ARTICLES
    path.write_bytes(path.read_bytes() + bz2.compress(b""))
    assert read(path) == ARTICLES


# --- damaged XML ------------------------------------------------------------------------------------------------------

GOOD = page("甲", "甲。")
LAST = page("乙", "乙。")
BEFORE = len((HEAD + GOOD).encode())


@pytest.mark.parametrize(
    ("bad", "inside", "reason"),
    [
        (page("坏", "坏").replace("</revision>", ""), None, "[xml] not well-formed; mismatched tag"),
        (page("坏", "坏").replace("</text>", "&lol;</text>"), "&lol;", "[xml] not well-formed; undefined entity"),
        (page("坏", "坏").replace("坏</title>", "\x01</title>"), "\x01", "[xml] not well-formed; not well-formed (inv"),
        (page("坏", "坏").encode("gb18030"), b"\xbb\xb5", "[encoding] not UTF-8; found byte 0xbb, expected UTF-8 text"),
        (page("坏", "坏").replace("<text", "<txt").replace("/text", "/txt"), "<page>", "[text] missing element; found"),
        (page("坏", "坏").replace("<ns>0<", "<ns>零<"), "<page>", "[ns] not a namespace; found '零', expected an integer"),
        (page("坏", "坏").replace("<title>坏</title>", ""), "<page>", "[title] missing element; found a page without it"),
        (page("坏", "坏").replace("坏</text>", "<a>" * 99), None, "[xml] nested too deeply; expected at most 16 elements"),
    ],
)  # fmt: skip
def test_a_page_that_is_damaged_costs_no_other(
    tmp_path: Path, bad: str | bytes, inside: str | bytes | None, reason: str
) -> None:
    path = dump(tmp_path, GOOD, bad, LAST)
    kept, reports = skipping(path)
    assert kept == ["甲。", "乙。"]
    assert len(reports) == 1
    assert reports[0].startswith(reason)
    byte = int(reports[0].rpartition("(byte ")[2].removesuffix(")"))
    data = bad if isinstance(bad, bytes) else bad.encode()
    mark = inside.encode() if isinstance(inside, str) else inside
    assert byte == BEFORE + data.index(mark) if mark else BEFORE < byte < BEFORE + len(data)
    assert refusal(path) == reports[0]


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>", "\"<!DOCTYPE a [<!ENTITY b 'c'>]>\""),
        ("</page>", "'</page>'"),
        (page("坏", "坏").replace("</page>", "</pgae>"), "'<page>\\n    <title>坏"),
        (page("坏", "坏").replace("<page>", "<pgae>"), "'<pgae>\\n    <title>坏"),
    ],
)
def test_what_stands_between_pages_is_refused(tmp_path: Path, between: str, found: str) -> None:
    path = dump(tmp_path, GOOD, between, LAST)
    with pytest.raises(PipelineError) as caught:
        skipping(path)
    message = str(caught.value).removeprefix(f"{path}: ")
    assert message.startswith(f"[xml] no whole page; found {found}")
    assert message.endswith(f"(byte {BEFORE + len(between) - len(between.lstrip())})")


def test_a_dump_that_breaks_off_is_refused_wherever_it_does(tmp_path: Path) -> None:
    data = dump(tmp_path, GOOD, LAST).read_bytes()
    path = tmp_path / "t.xml"
    for end in range(0, len(data) - len("</mediawiki>\n") + 12, 13):
        path.write_bytes(data[:end])
        assert "(byte " in refusal(path)
    path.write_bytes(data[: BEFORE + 44])
    assert refusal(path) == (
        "[xml] no whole page; found '<page>\\n    <title>乙</title>\\n    <ns>0</n', expected '</mediawiki>' "
        f"(byte {BEFORE + 2})"
    )


@pytest.mark.parametrize(
    ("data", "byte", "reason"),
    [
        (b"", 0, "[xml] not an export of MediaWiki; found nothing, expected <mediawiki> with pages"),
        (b"<html><body/></html>", 0, "[xml] not an export of MediaWiki; found <html>, expected <mediawiki>"),
        (b"plain text\n", 0, "[xml] not well-formed; syntax error"),
        ((HEAD + TAIL).encode("utf-16"), 0, "[encoding] not UTF-8; found byte 0xff, expected UTF-8 text"),
        (
            b'<?xml version="1.0" encoding="GB18030"?>\n' + (HEAD + TAIL).encode(),
            0,
            "[encoding] not UTF-8; found 'GB18",
        ),
        (bz2.compress(HEAD.encode()), 0, "[xml] no whole page; found nothing, expected '</mediawiki>'; 236 bytes into"),
        (
            b"<mediawiki><siteinfo>" + GOOD.encode(),
            0,
            "[xml] not an export of MediaWiki; found <siteinfo> without an end",
        ),
        (b"<mediawiki>" + b"<a>" * 99, 59, "[xml] nested too deeply; expected at most 16 elements"),
    ],
)
def test_what_is_no_dump_is_reported(tmp_path: Path, data: bytes, byte: int, reason: str) -> None:
    path = tmp_path / "d.xml"
    path.write_bytes(data)
    message = refusal(path)
    assert message.startswith(reason)
    assert message.endswith(f"(byte {byte})")


def test_an_entity_bomb_is_refused_at_its_document_type(tmp_path: Path) -> None:
    lines = [f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' for n in range(1, 12)]
    bomb = '<?xml version="1.0"?>\n<!DOCTYPE lolz [<!ENTITY lol0 "lol">' + "\n".join(lines) + "]>\n"
    path = dump(tmp_path, page("坏", "坏").replace("坏</text>", "&lol11;</text>"), LAST, head=bomb + HEAD)
    message = refusal(path)
    assert message == "[xml] a document type is not allowed; found '<!DOCTYPE lolz', expected none (byte 22)"


def test_a_page_over_the_limit_is_never_held(tmp_path: Path) -> None:
    path = tmp_path / "d.xml.bz2"
    packer = bz2.BZ2Compressor()
    with path.open("wb") as stream:
        stream.write(packer.compress((HEAD + GOOD + "<page><title>").encode()))
        for _ in range(120):
            stream.write(packer.compress(b"x" * (1 << 20)))
        stream.write(packer.compress(("</title></page>" + LAST + TAIL).encode()))
        stream.write(packer.flush())
    assert path.stat().st_size < 1 << 16
    tracemalloc.start()
    kept, reports = skipping(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept == ["甲。", "乙。"]
    size = (120 << 20) + len("\n<page><title></title>")
    assert reports == [
        f"[page] too long; found {size} bytes, expected at most 16777216; {BEFORE - 1} bytes into the unpacked stream (byte 0)"
    ]
    assert peak < 40 << 20


def test_the_limit_of_a_page_is_exact(tmp_path: Path) -> None:
    path = dump(tmp_path, "<page>".ljust(40, "x") + "</page>")
    (shard,) = shards(path, "wikimedia-xml", 1)
    for limit, message in (
        (len(HEAD) + 40, "[title] missing element; found"),
        (len(HEAD) + 39, "[page] too long; found"),
    ):
        skipped = SkippedDamage()
        assert list(wikimedia_documents(shard, skipped, Counter(), limit)) == []
        assert message in skipped.reports[0]


# --- damaged bzip2 ----------------------------------------------------------------------------------------------------


def test_a_flipped_bit_is_refused_at_its_stream(tmp_path: Path) -> None:
    pages = [page(title, f"{title}。") for title in "甲乙丙丁戊己"]
    path, _, starts = write_multistream(tmp_path, pages)
    data = bytearray(path.read_bytes())
    data[(starts[2] + starts[3]) // 2] ^= 16
    path.write_bytes(data)
    message = refusal(path)
    assert message.startswith("[bz2] damaged stream; Invalid data stream, expected a stream of bzip2 ")
    assert f"from byte {starts[2]} on (byte {starts[2]})" in message


def test_a_page_that_is_damaged_is_reported_by_its_stream(tmp_path: Path) -> None:
    pages = [page(title, f"{title}。").lstrip() for title in "甲乙丙丁戊"]
    pages[2] = pages[2].replace("<title>丙</title>", "")
    path, _, starts = write_multistream(tmp_path, pages)
    for size in (1, 1 << 30):
        kept, reports = skipping(path, size)
        assert kept == ["甲。", "乙。", "丁。", "戊。"]
        assert len(reports) == 1
        assert reports[0].endswith(f"expected <title>; 0 bytes into the unpacked stream (byte {starts[2]})")


def test_an_empty_stream_is_a_stream(tmp_path: Path) -> None:
    path, index, starts = write_multistream(tmp_path, PAGES)
    data = path.read_bytes()
    path.write_bytes(data[: starts[-1]] + bz2.compress(b"") + data[starts[-1] :])
    index.write_bytes(bz2.compress(bz2.decompress(index.read_bytes()) + f"{starts[-1]}:7:某\n".encode()))
    assert [part.start for part in shards(path, "wikimedia-xml", 1)] == starts
    assert read(path, 1) == ARTICLES


def test_a_truncated_stream_is_refused(tmp_path: Path) -> None:
    path = write_plain(tmp_path / "d.xml.bz2", PAGES)
    data = path.read_bytes()
    for end in (5, 20, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:end])
        assert refusal(path) == (
            f"[bz2] damaged stream; the stream breaks off, expected a stream of bzip2 from byte 0 on (byte {end})"
        )
    path.write_bytes(b"")
    assert "[xml] not an export of MediaWiki; found nothing" in refusal(path)
    path.write_bytes(data + b"<mediawiki></mediawiki>")
    assert "[bz2] damaged stream; Invalid data stream" in refusal(path)


@pytest.mark.parametrize("damage", ["", "cut", "flipped", "garbage"])
def test_two_threads_unpack_the_same_content_with_the_same_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """Of two streams, the second has blocks of 100 kB."""
    path, noise = tmp_path / "d.xml.bz2", Random(3).randbytes(600_000)
    first, second = bz2.compress(noise[:90_000]), bz2.compress(noise[90_000:], 1)
    data = bytearray(first + second)
    if damage == "cut":
        del data[-1000:]
    elif damage == "flipped":
        data[-150_000] ^= 16
    path.write_bytes(data + b"<mediawiki>" * (damage == "garbage"))

    def unpack() -> tuple[bytes, list[tuple[int, str]], str]:
        content, kept, message = Content(path, 0, path.stat().st_size, threads=True), bytearray(), ""
        try:
            for chunk in content:
                kept += chunk
        except PipelineError as error:
            message = str(error)
        return bytes(kept), [content.place(offset) for offset in (0, 89_999, 90_000, 200_000)], message

    in_one = unpack()
    assert noise.startswith(in_one[0])
    assert bool(in_one[2]) == bool(damage)
    assert in_one[1][2] == (len(first), "; 0 bytes into the unpacked stream")
    monkeypatch.setattr("pipeline.corpus.formats.packing._LARGE", 1)
    need("threads", "" if find_spec("rapidgzip") else "rapidgzip is not installed")
    assert unpack() == in_one


# --- a damaged index --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "excerpt"),
    [
        ("99999999:1:某", "found byte 99999999 of a dump of "),
        ("999999999999999999:1:某", "found byte 999999999999999999 of a dump of "),  # more than can be sought
        ("700:1:某", "found b'"),
        ("-5:1:某", "no entry; found b'-5:1:\\xe6\\x9f\\x90', expected a number"),
        ("某", "no entry; found b'\\xe6\\x9f\\x90', expected a number"),
        ("x" * 100_000, "no entry; found b'', expected a number"),
    ],
)
def test_an_index_that_does_not_fit_is_refused(tmp_path: Path, line: str, excerpt: str) -> None:
    path, index, starts = write_multistream(tmp_path, PAGES)
    assert 700 not in starts
    index.write_bytes(bz2.compress(f"{line}\n".encode() + bz2.decompress(index.read_bytes())))
    with pytest.raises(PipelineError) as caught:
        shards(path, "wikimedia-xml", 1)
    assert str(caught.value).startswith(f"{index}: [index] ")
    assert excerpt in str(caught.value)
    assert str(caught.value).endswith("(byte 0)")


def test_a_truncated_index_is_refused(tmp_path: Path) -> None:
    path, index, _ = write_multistream(tmp_path, PAGES)
    index.write_bytes(index.read_bytes()[:-4])
    with pytest.raises(PipelineError, match=r"index.txt.bz2: \[bz2\] damaged stream; the stream breaks off"):
        shards(path, "wikimedia-xml", 1)
