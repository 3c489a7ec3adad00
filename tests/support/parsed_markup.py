"""The text of wikitext by mwparserfromhell, which the scanner is compared with. It takes quadratic time where marks have no end."""

import re
from typing import Any

from mwparserfromhell import parse

from pipeline.corpus.formats.variants import shown_variant
from pipeline.corpus.formats.wikitext import comparable_name, conventions, namespace_of

_MAGIC = re.compile(r"__(?:[A-Z]{3,}|[\u4e00-\u9fff]{2,8})__")
_EMPHASIS = re.compile("'{2,}")
_STRAY_TAG = re.compile(r"</?([a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_OPAQUE = re.compile(
    r"<!--.*?-->|<(nowiki|pre|math|syntaxhighlight|source|score|timeline)\b(?:[^<>]*[^<>/])?>.*?</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
_STAND_IN = re.compile("\0([0-9]+)\0")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_VARIANTS = re.compile(r"-\{(?!\{(?!\{))((?:[^-}]|-(?!\{)|\}(?!-))*+)\}-")


def parsed_text(wikitext: str) -> str:
    """Return the running text of an article as `plain_text` does.

    Raises:
        mwparserfromhell.parser.ParserError, RecursionError: the markup cannot be parsed.
    """
    text = _text(parse(_without_variants(wikitext.replace("\0", ""))))
    lines = (line.strip() for line in _NO_CHARACTER.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def _without_variants(wikitext: str) -> str:
    taken: list[str] = []

    def take(match: re.Match[str]) -> str:
        if not match[1]:
            return ""
        taken.append(match[0])
        return f"\0{len(taken) - 1}\0"

    text, count = _OPAQUE.sub(take, wikitext), 1
    while count:
        text, count = _VARIANTS.subn(lambda match: shown_variant(match[1], conventions().variants), text)
    return _STAND_IN.sub(lambda match: taken[int(match[1])], text)


def _text(code: Any) -> str:
    return "".join(map(_shown, code.nodes)) if code is not None else ""


def _shown(node: Any) -> str:
    match type(node).__name__:
        case "Text":
            return _STRAY_TAG.sub(_stray_tag, _EMPHASIS.sub("", _MAGIC.sub("", str(node.value))))
        case "Tag":
            return _tag(node)
        case "HTMLEntity":
            return str(node.normalize())
        case "Wikilink":
            if namespace_of(str(node.title).strip()) in conventions().links | conventions().languages:
                return ""
            return _text(node.text) or _text(node.title).strip().removeprefix(":")
        case "ExternalLink":
            address = "" if node.brackets else _text(node.url)
            return address if node.title is None else _text(node.title)
        case "Template":
            return "" if comparable_name(str(node.name)) in conventions().footnotes else " "
        case "Argument":
            return _text(node.default)
        case "Heading":
            return f"\n{_text(node.title)}\n"
    return ""  # a comment


def _stray_tag(match: re.Match[str]) -> str:
    table, element = conventions(), match[1].casefold()
    if element in table.blocks:
        return "\n"
    if element in table.elements.seen:
        return " "
    return "" if element in table.inlines | table.elements.unseen else match[0]


def _tag(node: Any) -> str:
    table, element = conventions(), str(node.tag).strip().casefold()
    if element in table.elements.unseen or any(_HIDDEN.search(str(attribute)) for attribute in node.attributes):
        return ""
    if element in ("nowiki", "pre"):
        nodes = node.contents.nodes if node.contents else ()
        text = "".join(_shown(child) if type(child).__name__ == "HTMLEntity" else str(child) for child in nodes)
    else:
        text = " " if element in table.elements.seen else _text(node.contents)
    return f"\n{text}\n" if element in table.blocks else text
