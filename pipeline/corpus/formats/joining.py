"""Join what may stand together in a page once its markup is removed, which is faster than removing it."""

import re
from collections.abc import Collection

from .wikitext import conventions, namespace_of

#: The characters with which markup begins, and ends, that may vanish from within a word of a joined text.
BEGINS, ENDS = "<{[]'_", ">}[]'_"
#: Entities for one character that separates words. Any other may be a letter, or show nothing.
_SEPARATORS = "nbsp|ensp|emsp|thinsp|ndash|mdash|minus|middot|bull|hellip|lt|gt|amp|quot|times|deg|rarr"
#: The target of a link, without markup and without blanks around it; one without a namespace.
_TARGET, _TITLE = (rf"[^\s\[\]{{}}<>|':][^\[\]{{}}<>|'\n{colon}]*+(?<!\s)" for colon in ("", ":"))
#: The content of a mark of variants that shows a part of it; other markup in it may change that, the flags N and D show names of variants.
_VARIANTS = r"(?![^|}ND]*+[ND][^|}]*+\|)[^\[\]{}<>&'\n_]*+"
#: A comment, or a tag that vanishes like one, so that what is around it may be one mark.
_GONE = "<(?:!|/?[nNoO])"  # of noinclude, onlyinclude
#: Markup that can build words or other markup in further ways: arguments, entities, links to other targets, a mark inside a mark.
_UNSURE = re.compile(
    rf"-(?:\{{(?!\{{[^{{<]|{_VARIANTS}\}}-)|-\{{|{_GONE})|\}}-\{{(?!\{{[^{{<])|\{{(?:{_GONE}|-\{{|\{{[{{<])"
    rf"|&(?!(?:{_SEPARATORS});)\#?[0-9A-Za-z]*(?:[;<]|-\{{)|\[\[(?!:?{_TARGET}(?:\||\]\]))|\[\[\["
)
#: A link to an address of ASCII characters, and its text. A second bracket may take its end for that of a link around it.
_ADDRESS = re.compile(
    r"\[(?:https?:)?//[^\s\[\]{}<>|'\"\x7f-\U0010ffff]++(?:[ \t]++((?:[^\[\]{}<>\n]|\[\[[^\[\]{}<>\n]*+\]\])*+))?\](?!\])"
)
#: A link to an article, and what it shows: its text, or its target. A target with a colon may be a picture, which shows neither.
_PLAIN = re.compile(rf"\[\[(?:{_TITLE}\|(?!\]))?+((?<=\|)'*+[^\[\]{{}}<>|\n'_][^\[\]{{}}<>|\n_]*+|(?<=\[){_TITLE})\]\]")
#: A mark of variants; what separates the parts of its content.
_VARIANT, _RULE_MARK = re.compile(rf"-\{{({_VARIANTS})\}}-"), re.compile(r"[\s:;|]")
#: The beginning of another link.
_OTHER_LINK = re.compile(rf"\[\[(:?)(?:({_TARGET})\|?)?")
#: Elements in which markup is text.
_LITERAL = re.compile("<(?i:nowiki|pre)")
#: Maximum number of links and marks of variants that may stand in one another; `plain_text` leaves those as they are that stand in 32.
_DEPTH = 30
#: Maximum number of templates; `plain_text` leaves all links as they are while 10,000 have no end.
_TEMPLATES = 9_000
_EMPHASIS = re.compile("''+")


def joined_text(wikitext: str) -> str | None:
    """Return a text that has each word that `plain_text` would show, perhaps cut by marks; None if that is unsure.

    Two characters that are neighbours in the plain text are neighbours in the joined text, or in it one of `BEGINS` follows the first and
    one of `ENDS` precedes the second. Invisible characters do not count.

    >>> joined_text("'''奖'''[[箱子|杯]]在[http://example.org 箱]子<ref>旁</ref>里"), joined_text("&#31665;子")
    ('奖杯在箱子<ref>旁</ref>里', None)
    """
    if _UNSURE.search(wikitext):
        return None
    text = _ADDRESS.sub(r"\1", wikitext)
    if text.count("[") != 2 * text.count("[["):  # a bracket of no link
        return None
    if "-{" in text:
        text = _VARIANT.sub(lambda match: f"_{_RULE_MARK.sub('_', match[1])}_", text)
    text = "".join(_PLAIN.split(text))  # of a link, its group; faster than `sub`
    is_deep = text.count("[[") + wikitext.count("-{") > _DEPTH or wikitext.count("{{") > _TEMPLATES
    if is_deep or _LITERAL.search(wikitext):
        text += f"\n{wikitext}"  # a link may be text there, with its target
    hidden = conventions().links
    return _EMPHASIS.sub("", _OTHER_LINK.sub(lambda match: _shown_target(match, hidden), text))


def _shown_target(match: re.Match[str], hidden: Collection[str]) -> str:
    """Return what stands in a joined text for the beginning of a link that is no plain one."""
    target = match[2] or ""
    return f"[\n{target}\n" if not match[1] and namespace_of(target) in hidden else f"[{target}["
