"""Wikitext without its markup: what MediaWiki shows, in linear time, and the text that mwparserfromhell finds in pages without faults."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corpus.formats.markup import plain_text
from tests.support.hanging import stopped_when_hanging
from tests.support.parsed_markup import parsed_text


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("", ""),
        ("{{只有模板}}\n\n[[File:a.jpg]]", ""),
        ("'''粗'''与''斜''", "粗与斜"),
        ("[[目标|显示]]和[[目标]]", "显示和目标"),
        ("[[Image:a.jpg|thumb|甲[[乙]]]]丙[[ category :丁]]戊", "丙戊"),
        ("甲<ref>乙<br/>丙</ref>丁<REF name=a>戊</REF>", "甲丁"),
        ("甲<div>乙<ref>丙</ref><table><tr><td>丁</td></tr></table></div>", "甲\n乙"),
        ("-{电脑}-", "电脑"),
        ("-{zh-hant:電腦;zh-hans:电脑;}-和-{zh-tw:軟體;zh-hk:軟件}-", "电脑和軟體"),
        ("-{H|zh-cn:甲;zh-tw:乙}--{T|题}-丙", "丙"),
        ("-{A|zh-cn:甲;zh-tw:乙}-丙", "甲丙"),
        ("-{-|zh-cn:甲;zh-tw:乙}-丙", "丙"),
        ("甲&#xD800;&#0;乙&#x1F600;", None),
        ("&mdash;&#8212;", "——"),
        ("甲\n\n\n\n乙  \n", "甲\n乙"),
        ("<ul><li>甲<li>乙</ul><dl><dt>丙<dd>丁</dl>戊", "甲\n乙\n丙\n丁\n戊"),
        (";丙:丁\n*甲\n#乙\n:戊\n----\n己", "丙\n丁\n甲\n乙\n戊\n己"),
        ("<nowiki>-{zh-hans:A}-[[甲]]</nowiki>，<pre>[[甲]]\n乙</pre>", "-{zh-hans:A}-[[甲]]，\n[[甲]]\n乙"),
        ("-{D|zh-hans:箱子;zh-hant:盒子}-，-{N|zh-cn}-", "简体：箱子；繁體：盒子；，大陆简体"),
        ("-{12:30}-，-{zh-tw:Q&A;zh-cn:甲&nbsp;乙;}-，-{zh-cn:;zh-tw:字}-", "12:30，甲\xa0乙，"),
        ("-{" * 50 + "甲" + "}-" * 50, None),
        ("[[Media:a.ogg|听]]，[[甲#乙]]，[[Re:Zero]]，[[:Category:甲]]", "听，甲#乙，Re:Zero，Category:甲"),
        ("a < b, c <d 与 {{未完 [[未完", "a < b, c <d 与 {{未完 [[未完"),
        # As MediaWiki's preprocessor: a comment without an end is the rest; an end ends only what began last; a first end tag counts.
        ("甲<!-- 乙\n丙", "甲"),
        ("{{甲|[[乙}}丙", "{{甲|[[乙}}丙"),
        ("甲<ref>乙<ref>丙</ref>丁</ref>戊", "甲丁戊"),
        ("{{{甲|乙}}}，{{{丙}}}{{{{{丁}}}|戊}}己，-{{甲}}-", "乙， 己，- -"),
        ("-{zh-hans:甲;zh-hant:乙}-{{丙}}丁，{{丙}}-{H|zh-cn:甲}-丁，N-{4-[乙}", "甲 丁， 丁，N-{4-[乙}"),
        ("[甲[[乙]]]，[[File:a.jpg|[http://a.b 丙]]]，[[丁|[http://a.b 戊]]]", "[甲乙]，，戊"),
        ("l''''amour''' ''a''<sub>''b''</sub> ''''''甲'''''", "l'amour ab '甲"),
        # A mark that is gone makes no other: no list, no heading, no end of a term.
        (
            "'''#1'''\n<small>*</small>\n[[甲|== 乙 ==]]\n;[[Re:Zero]] http://a.b/c:丁",
            "#1\n*\n== 乙 ==\nRe:Zero http://a.b/c\n丁",
        ),
        ("<onlyinclude>{|\n|甲\n|}</onlyinclude>\n:{|\n{{乙\n|丙=\n|}}\n|}丁", "丁"),
        ("=== 甲 ==\n= 乙 = 丙\n======\n==*丁==", "= 甲\n= 乙 = 丙\n==\n*丁"),
        ("[//a.b 甲]，[MAILTO:a@b.c 乙]，[http://a.b]丙，[1]，[http://a.b\n丁]", "甲，乙，丙，[1]，[http://a.b\n丁]"),
        ("<div style='display: none'>甲<div>乙</div>丙</div>丁<foo>戊</foo><rt>己", "丁<foo>戊</foo>己"),
    ],
)
def test_markup_is_removed(wikitext: str, text: str | None) -> None:
    kept = plain_text(wikitext)
    assert text is None or kept == text
    assert kept.encode().decode() == kept


#: Marks without ends, ends without marks, and marks that cross.
HOSTILE = (
    "<ref>", "<ref ", "</ref>", "<!--", "-->", '<a b="', "<x>[[{{", "<p>", "<table>", "<rt><table></rt>", "<span style='display:none'>",
    "<nowiki>甲</b>", "<math></mat", "<ref><nowiki></ref></nowiki>", "{{a|b=", "}}", "{{{", "{{{a|", "-{", "-{[[", "}-{", "[[a|", "]]",
    "{{[[", "}}]]", "[http://a ", "[", "{|\n", "\n|}", "{|\n|a\n{{b\n|}\n}}\n", "''", "__A", "\n==a=", "\n;a:", "\n:", "&#", "\0", " ",
)  # fmt: skip


@pytest.mark.parametrize("mark", HOSTILE)
def test_any_marks_take_linear_time(mark: str) -> None:
    with stopped_when_hanging():
        plain_text("\n" + mark * (300_000 // len(mark)) + "字")


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("{{a|", "}}"),
        ("[[a|b", "]]"),
        ("-{a", "}-"),
        ("{{{a|b", "}}}"),
        ("{", "}"),
        ("<rt>", "</rt>"),
        ("\n{|", "\n|}"),
        ("-{;  ", " |}-"),
    ],
)
def test_marks_within_marks_take_linear_time(begin: str, end: str) -> None:
    count = 300_000 // len(begin + end)
    with stopped_when_hanging():
        plain_text(f"{begin * count}{' ' * count}{end * count}")


@given(st.lists(st.sampled_from(["[[", "]]", "{{", "}}", "{|", "|}", "|", "\n", "<ref>", "</ref>", "<b", "/>", "'''", "-{", "}-",
    "zh-cn:", ";", "=", "&#xDFFF;", "<!--", "-->", "http://a", "字", "File:", " ", "<nowiki>", "*", ":"]), max_size=30))  # fmt: skip
def test_any_markup_becomes_a_text(parts: list[str]) -> None:
    kept = plain_text("".join(parts))
    assert kept.encode().decode() == kept
    assert all(line.strip() == line != "" for line in kept.split("\n") if kept)


# --- pages without faults -------------------------------------------------------------------------------------------------

WORDS = st.sampled_from((
    "箱子", "奖杯", "Wi-Fi", "甲：乙", "1:30", "a < b", "a*", "C#", "1=1", "!", "l'a", "&nbsp;", "&lt;b&gt;", "&#65;", "&x;",
    "http://a.b/c", "——", "甲-乙",
))  # fmt: skip


def _marked(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts with markup around them or instead of them, between words so that marks do not meet."""
    forms = (
        "[[甲|{}]]", "[[甲]]{}", "[[File:a.jpg|thumb|{}]]", "[[en:Cup]]{}", "[[:Category:甲]]{}", "{{{{x|{}|a=1}}}}", "{{{{efn|{}}}}}",
        "<ref name='a' />{}", "'''{}'''", "''{}''", "<small>{}</small>", "<div class='a'>{}</div>", "<span style='display:none'>{}</span>",
        "<ruby>{0}<rt>{0}</rt></ruby>", "<table><tr><td>{}</td></tr></table>", "-{{zh-hans:{};zh-hant:乙}}-", "-{{zh-hans|{}}}-",
        "-{{{}}}-", "-{{H|zh-cn:{}}}-", "<br />{}", "<math>a_{{b}}</math>{}", "<nowiki>[[甲]] {{{{b}}}}</nowiki>{}", "<!-- <b>{{{{[[ -->{}",
    )  # fmt: skip
    whole = ("<ref>{}</ref>", "[http://a.b/c?d=e {}]")  # which hold none of their own
    forms_of = st.sampled_from(forms).flatmap(lambda form: texts.map(form.format))
    others = st.sampled_from(whole).flatmap(
        lambda form: texts.filter(lambda text: form[:5] not in text).map(form.format)
    )
    return st.tuples(WORDS, forms_of | others, WORDS).map("".join)


TEXTS = st.recursive(WORDS, _marked, max_leaves=6)
BLOCKS = st.sampled_from((
    "{}", "== {} ==", "* {}", "#: {}", "; 甲 : {}", "----\n{}", "{{| class=a\n|-\n| {}\n|}}", "{{{{x\n|a={}\n}}}}",
    "<gallery>\nFile:a|{}\n</gallery>", "<blockquote>{}</blockquote>", "<poem>\n{}\n</poem>", "[[Category:甲|{}]]",
)).flatmap(lambda form: TEXTS.map(form.format))  # fmt: skip
PAGES = st.lists(BLOCKS, max_size=5).map("\n".join)


@settings(max_examples=300)
@given(PAGES)
def test_the_text_of_a_page_without_faults_is_that_of_mwparserfromhell(wikitext: str) -> None:
    assert plain_text(wikitext) == parsed_text(wikitext)


@given(PAGES, PAGES)
def test_the_text_of_two_pages_is_that_of_both(first: str, second: str) -> None:
    texts = [plain_text(first), plain_text(second)]
    assert plain_text(f"{first}\n{second}") == "\n".join(text for text in texts if text)


@given(TEXTS)
def test_nothing_that_stands_in_a_template_or_table_is_shown(text: str) -> None:
    assert plain_text(f"甲{{{{乙|{text}|丙={text}}}}}丁") == "甲 丁"
    assert plain_text(f"甲\n{{|\n! {text}\n|-\n| {text} || {text}\n|}}\n丁") == "甲\n丁"


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="&'-:;<=>[]_{}|*#")))
def test_text_without_markup_stays(text: str) -> None:
    assert plain_text(text) == text.strip()
