"""Wikitext without its markup."""

import importlib.util
import re

from ...core.errors import PipelineError
from .conventions import conventions

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
