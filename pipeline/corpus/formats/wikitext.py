"""Wikitext without its markup, and the pages that are disambiguations."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...core.rules import RULES
from ...core.yamlfile import load_yaml, mapping_of, require_mapping, texts_of

#: Maximum number of elements without an end. For each of them the parser reads to the end of the page and starts again, which
#: takes quadratic time.
_UNENDED = 500
_TAG = re.compile(r"<(?!(?:br|hr|img|li|dd|dt|td|th|tr|p|wbr)\b)[a-z][^<>]*+(?<!/)>", re.IGNORECASE)
_OPEN_TAG = re.compile(r"<[a-z][^<>]*+(?!>)", re.IGNORECASE)
_VARIANT = re.compile(r"-\{(?:([A-Z; -]*)\|)?([^{}]*)\}-")
_CHOICE = re.compile(r"(?:^|;|=>)\s*(zh(?:-[a-z]+)*)\s*:([^;]*)")
_MAGIC = re.compile(r"__[A-Z]{3,}__")
#: What &#0; and &#xD800; become; no text may hold them.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_TEMPLATE = re.compile(r"\{\{([^{}|<>\[\]\n]{1,200})|(__DISAMBIG__)", re.IGNORECASE)
_NAMESPACE = re.compile(r"^\s*(?:template|模板|樣板|样板)\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conventions:
    """The words of rules/corpus/wikimedia.yaml, case-folded."""

    titles: tuple[str, ...]  # ends of the titles of disambiguation pages
    begins: tuple[str, ...]  # beginnings of the names of their templates
    ends: tuple[str, ...]  # ends of these names
    names: frozenset[str]  # whole names
    inline: tuple[str, ...]  # beginnings of the names of templates that mark a link, not a page
    links: frozenset[str]  # namespaces whose links show no text
    elements: frozenset[str]  # elements without running text
    variants: tuple[str, ...]  # variants of Chinese, the preferred one first

    def is_disambiguation(self, title: str, wikitext: str) -> bool:
        r"""Return whether a page lists articles of similar names, by its title and its templates.

        >>> conventions().is_disambiguation("苹果", "'''苹果'''可以指：\n* [[苹果公司]]\\n{{Disambig}}")
        True
        >>> conventions().is_disambiguation("苹果", "[[库克]]{{Disambiguation needed|date=2020}}是苹果公司的首席执行官。")
        False
        """
        if title.casefold().endswith(self.titles):
            return True
        return any(self._is_mark(match[1] or match[2]) for match in _TEMPLATE.finditer(wikitext))

    def _is_mark(self, template: str) -> bool:
        name = " ".join(_NAMESPACE.sub("", template).replace("_", " ").split()).casefold()
        if name.startswith(self.inline):
            return False
        return name in self.names or name.startswith(self.begins) or name.endswith(self.ends)


@cache
def conventions() -> Conventions:
    """Read rules/corpus/wikimedia.yaml.

    Raises:
        PipelineError: at the line of a malformed entry.
    """
    path = RULES / "corpus" / "wikimedia.yaml"
    fields = frozenset({"disambiguation", "links", "elements", "variants"})
    node = require_mapping(load_yaml(path), path, required=fields)
    marks = mapping_of(node, "disambiguation", path, required=frozenset({"titles", "templates"}))
    names = mapping_of(marks, "templates", path, required=frozenset({"begins", "ends", "is", "not"}))

    def words(parent: Any, key: str) -> tuple[str, ...]:
        return tuple(text.casefold() for text in texts_of(parent, key, path))

    return Conventions(
        titles=words(marks, "titles"),
        begins=words(names, "begins"),
        ends=words(names, "ends"),
        names=frozenset(" ".join(name.replace("_", " ").split()) for name in words(names, "is")),
        inline=words(names, "not"),
        links=frozenset(words(node, "links")),
        elements=frozenset(words(node, "elements")),
        variants=words(node, "variants"),
    )


def plain_text(wikitext: str) -> str:
    r"""Return the running text of an article, one line for each of its lines that has any.

    Templates, tables, references, pictures, categories and other elements without running text are removed. Links keep their
    text, headings become lines. Needs the package mwparserfromhell.

    Raises:
        ValueError: the markup cannot be parsed, or not in reasonable time.

    >>> plain_text("== 历史 ==\n'''[[奖杯|那个奖杯]]'''放不进-{zh-hant:手提箱;zh-hans:箱子}-。<ref>李四</ref>\n[[Category:箱子]]")
    '历史\n那个奖杯放不进箱子。'
    """
    from mwparserfromhell import parse
    from mwparserfromhell.nodes import Tag, Wikilink
    from mwparserfromhell.parser import ParserError

    table = conventions()
    if (count := _count_unended(wikitext)) > _UNENDED:
        raise ValueError(f"[markup] too many elements without an end; found {count}, expected at most {_UNENDED}")
    try:
        code = parse(_VARIANT.sub(_variant, wikitext))
        for node in code.ifilter(matches=lambda node: isinstance(node, Tag | Wikilink)):
            if isinstance(node, Tag) and str(node.tag).strip().casefold() in table.elements:
                node.contents = ""
            elif isinstance(node, Wikilink) and _namespace(str(node.title)) in table.links:
                node.title, node.text = "", None
            elif isinstance(node, Wikilink) and str(node.title).startswith(":"):
                node.title = str(node.title)[1:]
        text = str(code.strip_code())
    except (ParserError, RecursionError) as error:
        raise ValueError(f"[markup] cannot be parsed; {' '.join(str(error).split())[:200]}") from error
    lines = (line.strip() for line in _NO_CHARACTER.sub("", _MAGIC.sub("", text)).split("\n"))
    return "\n".join(line for line in lines if line)


def _count_unended(wikitext: str) -> int:
    """Return about how many elements have no end; each kind is counted separately."""
    tags = len(_TAG.findall(wikitext)) - wikitext.count("</")
    pairs = (("{{", "}}"), ("[[", "]]"), ("{|", "|}"), ("<!--", "-->"))
    missing = (wikitext.count(begin) - wikitext.count(end) for begin, end in pairs)
    return max(tags, 0) + len(_OPEN_TAG.findall(wikitext)) + sum(max(count, 0) for count in missing)


def _namespace(title: str) -> str:
    """Return the namespace of a link, empty if it has none; a leading colon makes it a normal link."""
    namespace, colon, _ = title.partition(":")
    return namespace.strip().casefold() if colon else ""


def _variant(match: re.Match[str]) -> str:
    """Return the text of a language conversion mark, empty if it only sets a rule for other places."""
    flags, content = match[1] or "", match[2]
    if set(flags) & set("TH-N"):
        return ""
    choices = {variant: word.strip() for variant, word in _CHOICE.findall(content)}
    return next((choices[variant] for variant in conventions().variants if variant in choices), content)
