"""Wikitext without its markup.

Markup is taken off in the order in which MediaWiki reads it, and in time linear in the length of a page, whatever it holds: first what
is no wikitext (comments, references, formulas), then templates, links and marks of variants, then tables and HTML, then lines.

Source: MediaWiki's ``Preprocessor_Hash`` and ``Parser::internalParse``.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from html.entities import html5

from .variants import shown_variant
from .wikitext import ANY_SITE, Site, comparable_name, conventions, namespace_of

#: What stands around the number of a text that is no wikitext.
_HELD = "\0"
#: What stands for markup, so that it makes no other with what is around: an end of line (but no list begins there), a colon (which
#: ends no term), a blank, nothing.
_BREAK, _COLON, _GAP, _NOTHING = "\2", "\3", "\4", "\5"
_SHOWN = ((_BREAK, "\n"), (_COLON, ":"), (_GAP, " "), (_NOTHING, ""))
_RESERVED = re.compile("[\0-\5]")
_HELD_NUMBER = re.compile(f"{_HELD}([0-9]+){_HELD}")
#: Elements whose content is text as it stands.
_LITERAL = frozenset({"nowiki", "pre"})
#: A whole link or template without other marks; where braces and brackets begin and end. Of three brackets, the inner two count.
_BRACES = re.compile(
    r"(\[\[[^\[\]{}]*+\]\](?!\])|\{\{[^\[\]{}]*+\}\}(?![}-])"
    r"|\[\[(?!\[(?!\[))|\]\](?:\](?!\]))?|-\{+|\{\{+|\}\}*-\{*|\}\}+)"
)
#: Maximum depth of links and marks of variants in one another; what is around them stays as it is. MediaWiki's for variants is 32.
_DEPTH = 32
#: Maximum number of marks that wait for their end; further ones are text. It bounds the memory that a hostile page takes.
_WAITING = 10_000
#: A tag of HTML, or the begin or end of a table.
_TAGS = re.compile(
    r"<(?P<slash>/?)(?P<element>[a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])(?P<attributes>[^<>]*)>"
    r"|\n[ \t]*+(?::*+[ \t]*+(?P<begin>\{\|)|(?P<end>\|\})(?!\}))"
)
_TABLE = "{|"
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_VOID = frozenset({"br", "hr", "wbr"})
_PROTOCOL = (
    r"(?i:(?:(?:https?|ftps?|sftp|ircs?|gopher|telnet|nntp|svn|git|ssh|mms):)?//"
    r"|(?:mailto|news|tel|sms|sips?|xmpp|geo|urn|magnet):)"
)
_EXTERNAL_LINK = re.compile(rf"\[{_PROTOCOL}[^\s\[\]<>\"]*+[ \t]*+((?:[^\[\]\n]|\[(?!{_PROTOCOL}))*+)\]")
_MAGIC_WORD = re.compile(r"__(?:[A-Z]{3,}|[\u4e00-\u9fff]{2,8})__")
_HEADING = re.compile(r"\n(={1,6})([^\n]+)\1[ \t]*(?=\n)")
#: A term and its definition stand on lines of their own.
_TERM = re.compile(r"\n[*#:]*;[*#:;]*((?:[^\n:]|:(?=//))*+):?")
_LINE_MARK = re.compile(r"\n(?:[*#:]+|-{4,})")
_ENTITY = re.compile(r"&(?:#([0-9]{1,8})|#[xX]([0-9a-fA-F]{1,7})|([a-zA-Z][a-zA-Z0-9]{1,31}));")


def plain_text(wikitext: str, site: Site = ANY_SITE) -> str:
    r"""Return the running text of an article, one line for each line that MediaWiki shows and that has any.

    Templates, tables, references, pictures, categories and other elements without running text are removed. Links keep their
    text, headings become lines. Markup that has no end is text, as in MediaWiki.

    >>> plain_text("== 历史 ==\n'''[[奖杯|那个奖杯]]'''放不进-{zh-hant:手提箱;zh-hans:箱子}-。<ref>李四</ref><br>甲\n[[Category:箱子]]")
    '历史\n那个奖杯放不进箱子。\n甲'
    """
    held: list[str] = []
    text = _without_opaque(f"\n{_RESERVED.sub('', wikitext)}\n", held)
    text = _without_tags(_Braces(site).read(text))
    text = _EXTERNAL_LINK.sub(rf"{_NOTHING}\1", _MAGIC_WORD.sub("", text))
    text = _LINE_MARK.sub("\n", _TERM.sub(rf"\n\1{_BREAK}", _HEADING.sub(rf"\n{_NOTHING}\2", text)))
    text = _HELD_NUMBER.sub(lambda match: held[int(match[1])], text)
    for mark, shown in _SHOWN:
        text = text.replace(mark, shown)
    text = _ENTITY.sub(_character, text)
    return "\n".join(line for part in text.split("\n") if (line := part.strip()))


# --- comments, and elements whose content is no wikitext ------------------------------------------------------------------


@cache
def _opaque() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return where bold, italics, a comment or an element without wikitext begins, and what stands for each of these elements."""
    elements = conventions().elements
    shown = {element: _gap(element) for element in (elements.seen | elements.unseen | _LITERAL) - elements.html}
    return re.compile(
        rf"<(?:!--|/?(?i:noinclude|onlyinclude)\s*>|((?i:{'|'.join(sorted(shown))}))(?=[\s/>]))|''+"
    ), shown


@cache
def _end_tag(element: str) -> re.Pattern[str]:
    return re.compile(rf"</{element}\s*>", re.IGNORECASE)


def _gap(element: str) -> str:
    """Return what stands for an element that shows no running text."""
    table = conventions()
    return _BREAK if element in table.blocks else _GAP if element in table.elements.seen else _NOTHING


def _without_opaque(text: str, held: list[str]) -> str:
    """Return wikitext without bold, italics, comments, and elements whose content is none; literal text is held by its number."""
    begin, shown = _opaque()
    parts: list[str] = []
    place, last = 0, text.rfind(">")
    unended: set[str] = set()  # elements of which the rest of the page has no end
    match = begin.search(text)
    while match:
        mark, end, replacement = match[0], match.end(), ""
        if mark[0] == "'":
            replacement = _apostrophes(len(mark))
        elif mark == "<!--":
            comment_end = text.find("-->", end)
            end = len(text) if comment_end < 0 else comment_end + 3  # without an end, it is the rest of the page
        elif element := (match[1] or "").lower():
            tag_end = text.find(">", end) + 1 if end <= last else 0
            is_empty = tag_end > 0 and text[tag_end - 2] == "/"
            end_tag = None
            if tag_end and not is_empty and element not in unended:
                end_tag = _end_tag(element).search(text, tag_end)
            if is_empty:
                end, replacement = tag_end, shown[element]
            elif end_tag:
                end, replacement = end_tag.end(), shown[element]
                if element in _LITERAL:
                    replacement += f"{_HELD}{len(held)}{_HELD}{replacement}"
                    held.append(text[tag_end : end_tag.start()])
            elif element == "includeonly":  # which may go without
                end = len(text)
            else:
                replacement = mark
                unended.add(element)
        parts += (text[place : match.start()], replacement)
        place = end
        match = begin.search(text, end)
    return "".join([*parts, text[place:]])


# --- templates, links, marks of variants ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """Braces or brackets that have no end so far."""

    kind: str  # "{", "[", or "-" for a mark of variants
    count: int  # of its braces or brackets
    dash: str  # what stands before its braces
    start: int  # its number among the parts of the text
    strict: (
        int  # the place of the innermost that is open, itself included, and no mark of variants; -1 if there is none
    )
    height: int = 0  # the depth of the links and marks of variants in it

    @property
    def text(self) -> str:
        return self.dash + ("[" if self.kind == "[" else "{") * self.count


class _Braces:
    """A text in which templates, links and marks of variants are replaced, each as soon as it ends, by what they show.

    As in MediaWiki, an end ends only what began last. Only a mark of variants may stay without one, since most wikis have none.
    """

    def __init__(self, site: Site) -> None:
        self._table, self._hidden = conventions(), site.hidden_namespaces()
        self._parts: list[str] = []
        self._open: list[_Open] = []

    def read(self, text: str) -> str:
        for number, part in enumerate(_BRACES.split(text)):
            if number % 2 == 0:
                self._parts.append(part)
            elif part[-1] in "]}" and part[0] in "[{":
                self._whole(part)
            elif part[0] == "]":
                self._end_link(part)
            elif part[0] == "}":
                self._end_braces(part)
            else:
                self._begin(part)
        for opened in self._open:
            self._parts[opened.start] = opened.text
        return "".join(self._parts)

    def _begin(self, mark: str) -> None:
        kind = "-" if mark == "-{" else mark[-1]
        dash = "-" if mark[0] == "-" else ""
        strict = self._strict() if kind == "-" else len(self._open)
        if len(self._open) < _WAITING:
            self._open.append(_Open(kind, len(mark) - len(dash), dash, len(self._parts), strict))
        self._parts.append(mark)

    def _whole(self, mark: str) -> None:
        """Replace a link or template without other marks, as what follows does for its begin and end."""
        content, is_link = mark[2:-2], mark[0] == "["
        if len(self._open) == _WAITING:
            self._begin(mark[:2])
            self._parts.append(content)
            (self._end_link if is_link else self._end_braces)(mark[-2:])
            return
        self._parts.append(self._shown("]]", content) if is_link else self._template(content))
        if is_link and self._open:
            self._open[-1].height = max(self._open[-1].height, 1)

    def _strict(self) -> int:
        return self._open[-1].strict if self._open else -1

    def _end_link(self, mark: str) -> None:
        place = self._strict()
        if place >= 0 and self._open[place].kind == "[":
            self._end(place, 2, mark)
        else:
            self._parts.append(mark)

    def _end_braces(self, mark: str) -> None:
        """End templates and parameters, and a mark of variants if there is a dash, which may also begin one."""
        ends, dash, begins = mark.partition("-")
        count = len(ends)
        while count:
            if dash and self._open and self._open[-1].kind == "-":
                self._parts.append("}" * (count - 1))
                self._end(len(self._open) - 1, 1, "}-")
                count, dash = 0, ""
                continue
            place = self._strict()
            used = min(count, self._open[place].count, 3) if place >= 0 and self._open[place].kind == "{" else 0
            if used < 2:
                break
            self._end(place, used, "}" * used)
            count -= used
        self._parts.append("}" * count)
        if len(rest := dash + begins) > 1:
            self._begin(rest)
        else:
            self._parts.append(rest)

    def _end(self, place: int, used: int, end: str) -> None:
        """Replace the inner braces or brackets of a mark, `used` of them, by what they show; the others stay open."""
        opened, is_template = self._open[place], end == "}}"
        height = max(inner.height for inner in self._open[place:])
        del self._open[place + 1 :]
        if height >= _DEPTH and not is_template:
            self._parts[opened.start] = opened.text
            self._parts.append(end)
            opened.count = 0
        else:
            content = self._parts[opened.start + 1 :]
            del self._parts[opened.start + 1 :]
            self._parts.append(self._template(content[0]) if is_template else self._shown(end, "".join(content)))
            height = 0 if is_template else height + 1
            opened.count, opened.dash = opened.count - used, "" if end == "}-" else opened.dash
            self._parts[opened.start] = opened.text if opened.count < 2 else ""
        opened.height = height
        if opened.count == 1 and opened.dash:
            opened.kind, opened.strict = "-", self._open[place - 1].strict if place else -1
        elif opened.count < 2:
            self._open.pop()
            if self._open:
                self._open[-1].height = max(self._open[-1].height, height)

    def _template(self, head: str) -> str:
        return _NOTHING if comparable_name(head.partition("|")[0]) in self._table.footnotes else _GAP

    def _shown(self, end: str, content: str) -> str:
        """Return what a link, a mark of variants or a parameter shows, by its end."""
        if end == "}-":
            return _NOTHING + shown_variant(content, self._table.variants)
        is_inside = end == "]]]" and "[" in content  # the third bracket ends an external link
        title, _, text = (content + "]" if is_inside else content).partition("|")
        if end == "}}}":
            return text
        after = "" if is_inside else end[2:]
        if "\n" in title:
            return f"[[{content}{end}"
        if ":" in title and namespace_of(title.replace(_NOTHING, "").strip()) in self._hidden:
            return _NOTHING + after
        shown = text or title.strip().removeprefix(":")
        return _NOTHING + (shown if "<" in shown or "[" in shown else shown.replace(":", _COLON)) + after


# --- tables and HTML ------------------------------------------------------------------------------------------------------


def _without_tags(text: str) -> str:
    """Return a text without tables and elements that show no running text, and without the tags of the others."""
    parts: list[str] = []
    place, shown = 0, _shown_tags()
    #: Elements, each with the number of its part and what stands for it if it is left out.
    opened: list[tuple[str, int, str | None]] = []
    count: Counter[str] = Counter()  # of those that are open
    for match in _TAGS.finditer(text):
        parts.append(text[place : match.start()])
        place = match.end()
        element = (match["element"] or _TABLE).lower()
        is_end = bool(match["slash"] or match["end"])
        gap = None
        if not is_end:
            gap = _gap_of(element, match["attributes"] or "")
            if (gap is not None or count[element]) and not match[0].endswith("/>") and len(opened) < _WAITING:
                opened.append((element, len(parts), gap))
                count[element] += 1
        elif count[element]:
            inner = ""
            while inner != element:  # what has no end before that of an element around it
                inner, start, gap = opened.pop()
                count[inner] -= 1
            if gap is not None:
                del parts[start:]
                parts.append(gap)
                continue
        parts.append(shown.get(element, match[0]))
    return "".join([*parts, text[place:]])


def _gap_of(element: str, attributes: str) -> str | None:
    """Return what stands for an element that is left out up to its end, None if its text is shown."""
    if element == _TABLE:
        return f"\n{_gap('table')}"
    if element in conventions().elements.html:
        return _gap(element)
    return _NOTHING if element not in _VOID and _HIDDEN.search(attributes) else None


@cache
def _shown_tags() -> dict[str, str]:
    """Return what stands for a tag of each element of wikitext; a tag of any other is text."""
    table = conventions()
    return {
        element: _gap(element) for element in table.blocks | table.elements.seen | table.elements.unseen | table.inlines
    }


# --- lines, characters ----------------------------------------------------------------------------------------------------


def _apostrophes(count: int) -> str:
    """Return what two apostrophes or more show besides bold and italics: of four the first, of six or more those before the last five."""
    return "'" * (count - 5 if count > 5 else count == 4) or _NOTHING


def _character(match: re.Match[str]) -> str:
    """Return the character of an entity, nothing for what is none; an unknown name is text."""
    if match[3]:
        return html5.get(f"{match[3]};", match[0])
    number = int(match[1]) if match[1] else int(match[2], 16)
    return chr(number) if 0 < number < 0xD800 or 0xDFFF < number < 0x110000 else ""
