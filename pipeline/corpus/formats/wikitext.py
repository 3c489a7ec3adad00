"""Wikitext without its markup, and the pages that are disambiguations."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec import Struct

from ...core.convert import Words, WordSet, WordTable, convert_node
from ...core.files import read_text
from ...core.rules import RULES
from ...core.yamlfile import parse_yaml
from .variants import shown_variants

#: Maximum number of elements without an end. For each of them the parser reads to the end of the page and starts again, which
#: takes quadratic time.
_UNENDED = 500
#: Where an element begins and ends; those that need no end are left out.
_BOUNDARY = re.compile(
    r"<(?!(?:br|hr|img|li|dd|dt|td|th|tr|wbr)\b)(?P<tag>[a-z][^<>\s/]*)[^<>]*+(?<!/)>|</(?P<end_tag>[a-z][^<>\s/]*)\s*>"
    r"|(?P<begin>\{\{|\[\[|\{\||\[(?=[a-z]{2,10}:|//)|<!--)|(?P<end>\}\}|\]\]|\|\}(?!\})|\]|-->)",
    re.IGNORECASE,
)
_ENDS = {"{{": "}}", "[[": "]]", "{|": "|}", "[": "]", "<!--": "-->"}
_OPEN_TAG = re.compile(r"<[a-z][^<>]*+(?!>)", re.IGNORECASE)
_MAGIC = re.compile(r"__(?:[A-Z]{3,}|[\u4e00-\u9fff]{2,8})__")
#: Quotation marks of bold and italic text that have no end.
_EMPHASIS = re.compile("'{2,}")
_STRAY_TAG = re.compile(r"</?([a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
#: What MediaWiki takes out of a text before it looks for variants: comments, and elements whose content is no wikitext.
_OPAQUE = re.compile(
    r"<!--.*?-->|<(nowiki|pre|math|syntaxhighlight|source|score|timeline)\b(?:[^<>]*[^<>/])?>.*?</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
#: The number of something taken out.
_STAND_IN = re.compile("\0([0-9]+)\0")
#: What &#0; and &#xD800; become; no text may hold them.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_TEMPLATE = re.compile(r"\{\{([^{}|<>\[\]\n]{1,200})|(__DISAMBIG__)", re.IGNORECASE)
_NAMESPACE = re.compile(r"^\s*(?:template|模板|樣板|样板)\s*:", re.IGNORECASE)


class _Templates(Struct, frozen=True, rename={"whole": "is", "inline": "not"}):
    begins: Words
    ends: Words
    whole: WordSet
    inline: Words


class _Disambiguation(Struct, frozen=True):
    titles: Words
    templates: _Templates


class _Elements(Struct, frozen=True):
    seen: WordSet
    unseen: WordSet


class Conventions(Struct, frozen=True):
    """The tables of rules/corpus/wikimedia.yaml, which explains each."""

    disambiguation: _Disambiguation
    links: WordSet
    namespaces: WordSet
    redirects: Words
    languages: WordSet
    elements: _Elements
    footnotes: WordSet
    blocks: WordSet
    inlines: WordSet
    variants: WordTable

    def is_disambiguation(self, title: str, wikitext: str) -> bool:
        r"""Return whether a page lists articles of similar names, by its title and its templates.

        >>> conventions().is_disambiguation("苹果", "'''苹果'''可以指：\n* [[苹果公司]]\\n{{Disambig}}")
        True
        >>> conventions().is_disambiguation("苹果", "[[库克]]{{Disambiguation needed|date=2020}}是苹果公司的首席执行官。")
        False
        """
        if title.casefold().endswith(self.disambiguation.titles):
            return True
        return any(self._is_mark(match[1] or match[2]) for match in _TEMPLATE.finditer(wikitext))

    def _is_mark(self, template: str) -> bool:
        name, marks = _name(_NAMESPACE.sub("", template)), self.disambiguation.templates
        if name.startswith(marks.inline):
            return False
        return name in marks.whole or name.startswith(marks.begins) or name.endswith(marks.ends)


@cache
def conventions() -> Conventions:
    """Return the tables, case-folded; raises `PipelineError` at the line of a malformed entry."""
    path = RULES / "corpus" / "wikimedia.yaml"
    return convert_node(parse_yaml(read_text(path).casefold(), path), Conventions, path)


def _name(text: str) -> str:
    """Return a name as wikis compare it: without regard to case, with a blank for a low line."""
    return " ".join(text.replace("_", " ").split()).casefold()


@dataclass(frozen=True, slots=True)
class Site:
    """The names of a wiki's own namespaces, case-folded."""

    links: frozenset[str] = frozenset()  # those of files and categories
    namespaces: frozenset[str] = frozenset()  # these and the others

    def hides(self, namespace: str) -> bool:
        """Return whether a link to a namespace, or to a wiki in another language, shows no text."""
        table = conventions()
        return namespace in self.links or namespace in table.links or namespace in table.languages

    def is_article(self, title: str) -> bool:
        """Return whether a page is in the namespace of articles, by its title alone."""
        namespace = namespace_of(title)
        names = self.namespaces | conventions().namespaces | conventions().links
        return namespace not in names and namespace.removesuffix(" talk") not in names


_ANY_SITE = Site()


def plain_text(wikitext: str, site: Site = _ANY_SITE) -> str:
    r"""Return the running text of an article, one line for each line that MediaWiki shows and that has any.

    Templates, tables, references, pictures, categories and other elements without running text are removed. Links keep their
    text, headings become lines. Needs the package mwparserfromhell.

    Raises:
        ValueError: the markup cannot be parsed, or not in reasonable time.

    >>> plain_text("== 历史 ==\n'''[[奖杯|那个奖杯]]'''放不进-{zh-hant:手提箱;zh-hans:箱子}-。<ref>李四</ref><br>甲\n[[Category:箱子]]")
    '历史\n那个奖杯放不进箱子。\n甲'
    """
    from mwparserfromhell import parse
    from mwparserfromhell.parser import ParserError

    if (count := _count_unended(wikitext)) > _UNENDED:
        raise ValueError(f"[markup] too many elements without an end; found {count}, expected at most {_UNENDED}")
    try:
        text = _text(parse(_without_variants(wikitext.replace("\0", ""))), site)
    except (ParserError, RecursionError) as error:
        raise ValueError(f"[markup] cannot be parsed; {' '.join(str(error).split())[:200]}") from error
    lines = (line.strip() for line in _NO_CHARACTER.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def _without_variants(wikitext: str) -> str:
    """Return wikitext without comments, in which each mark of variants has become what it shows."""
    taken: list[str] = []

    def take(match: re.Match[str]) -> str:
        if not match[1]:
            return ""
        taken.append(match[0])
        return f"\0{len(taken) - 1}\0"

    text = shown_variants(_OPAQUE.sub(take, wikitext), conventions().variants)
    return _STAND_IN.sub(lambda match: taken[int(match[1])], text)


def _text(code: Any, site: Site) -> str:
    """Return the text that nodes show, with a line end around each block; None shows nothing."""
    return "".join(_shown(node, site) for node in code.nodes) if code is not None else ""


def _shown(node: Any, site: Site) -> str:
    """Return what a node shows, by its class in mwparserfromhell."""
    match type(node).__name__:
        case "Text":
            text = _EMPHASIS.sub("", _MAGIC.sub("", str(node.value)))
            return _STRAY_TAG.sub(_stray_tag, text) if "<" in text else text
        case "Tag":
            return _tag(node, site)
        case "HTMLEntity":
            return str(node.normalize())
        case "Wikilink":
            return _link(node, site)
        case "ExternalLink":
            address = "" if node.brackets else _text(node.url, site)
            return address if node.title is None else _text(node.title, site)
        case "Template":
            return "" if _name(str(node.name)) in conventions().footnotes else " "
        case "Argument":
            return _text(node.default, site)
        case "Heading":
            return f"\n{_text(node.title, site)}\n"
    return ""  # a comment


def _stray_tag(match: re.Match[str]) -> str:
    """Return what stands for a tag whose element has no end or no beginning; what is no element of wikitext is text."""
    table, element = conventions(), match[1].casefold()
    if element in table.blocks:
        return "\n"
    if element in table.elements.seen:
        return " "
    return "" if element in table.inlines | table.elements.unseen else match[0]


def _tag(node: Any, site: Site) -> str:
    table, element = conventions(), str(node.tag).strip().casefold()
    if element in table.elements.unseen or any(_HIDDEN.search(str(attribute)) for attribute in node.attributes):
        return ""
    if element in ("nowiki", "pre"):
        nodes = node.contents.nodes if node.contents else ()
        text = "".join(_shown(child, site) if type(child).__name__ == "HTMLEntity" else str(child) for child in nodes)
    else:
        text = " " if element in table.elements.seen else _text(node.contents, site)
    return f"\n{text}\n" if element in table.blocks else text


def _link(node: Any, site: Site) -> str:
    if site.hides(namespace_of(str(node.title).strip())):
        return ""
    return _text(node.text, site) or _text(node.title, site).strip().removeprefix(":")


def _count_unended(wikitext: str) -> int:
    """Return about how many elements have no end, or one only behind the end of an element that they are in."""
    count = len(_OPEN_TAG.findall(wikitext))
    expected: list[str] = []
    begun: Counter[str] = Counter()
    for boundary in _BOUNDARY.finditer(wikitext):
        if tag := boundary["tag"] or boundary["begin"]:
            expected.append(_ENDS.get(tag, tag.casefold()))
            begun[expected[-1]] += 1
        elif begun[end := (boundary["end"] or boundary["end_tag"].casefold())]:
            while (inner := expected.pop()) != end:
                begun[inner] -= 1
                count += 1
            begun[end] -= 1
    return count + len(expected)


def namespace_of(title: str) -> str:
    """Return the namespace of a link, empty if it has none; a leading colon makes it a normal link."""
    namespace, colon, _ = title.partition(":")
    return _name(namespace) if colon else ""
