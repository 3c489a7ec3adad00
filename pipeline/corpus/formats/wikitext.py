"""Wikitext without its markup."""

import importlib.util
import re
from dataclasses import dataclass
from functools import cache

from ...core.errors import PipelineError
from ...core.rules import RULES
from ...core.yamlfile import load_yaml, require_mapping

_TEMPLATE = re.compile(r"\{\{([^{}|<>\[\]\n]{1,200})|(__DISAMBIG__)", re.IGNORECASE)


_NAMESPACE = re.compile(r"^\s*(?:template|模板|樣板|样板)\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conventions:
    """The words of the table, folded in case."""

    titles: tuple[str, ...]
    begins: tuple[str, ...]
    ends: tuple[str, ...]
    names: frozenset[str]
    inline: tuple[str, ...]
    links: frozenset[str]
    elements: frozenset[str]
    variants: tuple[str, ...]

    def is_disambiguation(self, title: str, wikitext: str) -> bool:
        r"""Return whether a page lists articles of like name; the templates that it uses tell it, or else its title.

        >>> conventions().is_disambiguation("苹果", "'''苹果'''可以指：\n* [[苹果公司]]\\n{{Disambig}}")
        True
        >>> conventions().is_disambiguation("苹果", "[[库克]]{{Disambiguation needed|date=2020}}是苹果公司的首席执行官。")
        False
        """
        if title.casefold().endswith(self.titles):
            return True
        return any(self._marks(match[1] or match[2]) for match in _TEMPLATE.finditer(wikitext))

    def _marks(self, template: str) -> bool:
        name = " ".join(_NAMESPACE.sub("", template).replace("_", " ").split()).casefold()
        if name.startswith(self.inline):
            return False
        return name in self.names or name.startswith(self.begins) or name.endswith(self.ends)


@cache
def conventions() -> Conventions:
    """Return the table.

    Raises:
        PipelineError: it is no mapping with its fields.
    """
    path = RULES / "corpus" / "wikimedia.yaml"
    fields = frozenset({"disambiguation", "links", "elements", "variants"})
    node = require_mapping(load_yaml(path), path, required=fields)
    marks = require_mapping(node["disambiguation"], path, required=frozenset({"titles", "templates"}))
    names = require_mapping(marks["templates"], path, required=frozenset({"begins", "ends", "is", "not"}))

    def words(entries: list[str]) -> tuple[str, ...]:
        return tuple(str(entry).casefold() for entry in entries)

    return Conventions(
        titles=words(marks["titles"]),
        begins=words(names["begins"]),
        ends=words(names["ends"]),
        names=frozenset(" ".join(name.replace("_", " ").split()) for name in words(names["is"])),
        inline=words(names["not"]),
        links=frozenset(words(node["links"])),
        elements=frozenset(words(node["elements"])),
        variants=words(node["variants"]),
    )


_INSTALL = "pip install --editable '.[corpus]'"

#: What the library does with a beginning without an end is to read on to the end of the page and begin again: quadratic work.
_UNENDED = 500
_TAG = re.compile(r"<(?!(?:br|hr|img|li|dd|dt|td|th|tr|p|wbr)\b)[a-z][^<>]*+(?<!/)>", re.IGNORECASE)
_OPEN_TAG = re.compile(r"<[a-z][^<>]*+(?!>)", re.IGNORECASE)
_VARIANT = re.compile(r"-\{(?:([A-Z; -]*)\|)?([^{}]*)\}-")
_CHOICE = re.compile(r"(?:^|;|=>)\s*(zh(?:-[a-z]+)*)\s*:([^;]*)")
_MAGIC = re.compile(r"__[A-Z]{3,}__")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")  # written as &#0; or &#xD800;


def plain_text(wikitext: str) -> str:
    r"""Return the words of an article, a line for each of its lines that has any.

    Templates, tables, references, pictures, categories and other elements without running text are left out, of links the text
    is kept, headings are lines.

    Raises:
        PipelineError: the library is not installed.
        ValueError: the markup is one that the library that parses it cannot read, or not in reasonable time.

    >>> plain_text("== 历史 ==\n'''[[奖杯|那个奖杯]]'''放不进-{zh-hant:手提箱;zh-hans:箱子}-。<ref>李四</ref>\n[[Category:箱子]]")
    '历史\n那个奖杯放不进箱子。'
    """
    if importlib.util.find_spec("mwparserfromhell") is None:
        reason = f"[wikimedia-xml] the package mwparserfromhell is not installed; run {_INSTALL}"
        raise PipelineError(None, None, reason)
    from mwparserfromhell import parse
    from mwparserfromhell.nodes import Tag, Wikilink
    from mwparserfromhell.parser import ParserError

    table = conventions()
    if (unended := _unended(wikitext)) > _UNENDED:
        raise ValueError(
            f"[markup] too much without an end; found {unended} such elements, expected at most {_UNENDED}"
        )
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


def _unended(wikitext: str) -> int:
    """Return about how many elements have no end; one kind is not set off against another."""
    tags = len(_TAG.findall(wikitext)) - wikitext.count("</")
    pairs = (("{{", "}}"), ("[[", "]]"), ("{|", "|}"), ("<!--", "-->"))
    missing = (wikitext.count(begin) - wikitext.count(end) for begin, end in pairs)
    return max(tags, 0) + len(_OPEN_TAG.findall(wikitext)) + sum(max(count, 0) for count in missing)


def _namespace(title: str) -> str:
    """Return the namespace that a link names, or nothing; a colon before it makes it a link like others."""
    namespace, colon, _ = title.partition(":")
    return namespace.strip().casefold() if colon else ""


def _variant(match: re.Match[str]) -> str:
    """Return what is read of a mark of language conversion; nothing of one that is no word here but a rule for others."""
    flags, content = match[1] or "", match[2]
    if set(flags) & set("TH-N"):
        return ""
    choices = {variant: word.strip() for variant, word in _CHOICE.findall(content)}
    return next((choices[variant] for variant in conventions().variants if variant in choices), content)
