"""Files that are no plain text, though they can be read as one: their marks, keys and columns would be counted as words."""

import re
from collections.abc import Mapping, Sequence

from .errors import shown

_OBJECT = re.compile(r"\{\s*(?:\"(?:[^\"\\]|\\.)*\"|'[^']*')\s*:")
_LIST = re.compile(r"\[\s*(?:[\[{\"]|$)")
_LONE_TAG = re.compile(r"<(?:[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?|[?!][^<>]*)>?")
_CONLL = re.compile(r"# ?(?:newdoc\b|newpar\b|(?:sent_id|text|global\.columns|generator)\s*=)|#begin document")
_QUOTED_CELLS = re.compile(r'(?:"(?:[^"]|"")*"|-?[0-9.]*)(?:[,;](?:"(?:[^"]|"")*"|-?[0-9.]*))+')
#: The names of columns by which the first line of a table is known.
_COLUMNS = frozenset((
    "id", "text", "content", "body", "title", "url", "sentence", "label", "doc", "document", "paragraph", "article", "review",
    "comment", "date", "author", "source", "lang", "编号", "标题", "標題", "正文", "内容", "內容", "文本", "句子", "标签", "作者", "日期",
))  # fmt: skip
#: How the first lines of files begin whose headers and commands would be counted, and what the files are.
_MARKUP: Mapping[str, re.Pattern[str]] = {
    "web pages in records (WARC, WET)": re.compile(r"WARC/[0-9]"),
    "YAML, or the front matter of Markdown": re.compile(r"---\s*\n[\w-]+ *:|\+\+\+\s*\n[\w-]+ *="),
    "a mail with its headers": re.compile(
        r"(?:From [^\n]*@|(?i:received|return-path|delivered-to|mime-version|message-id|from|to|subject|date):)[^\n]*\n[A-Za-z-]+:"
    ),
    "a text with formatting (RTF)": re.compile(r"\{\\rtf"),
    "XML or HTML": re.compile(r"<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE),
    "LaTeX": re.compile(
        r"(?:%[^\n]*\n)*\\(?:documentclass|documentstyle|usepackage|input|begin|chapter|section|title)\b"
    ),
    "a catalogue of messages (gettext)": re.compile(r"(?:#[^\n]*\n)*msg(?:id|ctxt) \""),
    "entries of BibTeX": re.compile(r"(?:%[^\n]*\n)*@\w+\{[^\s{}]*,?\s*(?:\n|\Z)"),
    "subtitles": re.compile(r"WEBVTT\b|\[Script Info\]|[0-9]+\n[^\n]*-->|\[[0-9]+:[0-9]+"),
    "a TextGrid of Praat": re.compile('File type = "ooTextFile'),
    "a pointer of Git LFS": re.compile("version https://git-lfs"),
}
_LINES = 10


def foreign_format(lines: Sequence[str]) -> str:
    """Return the reason why the first lines of a file are no plain text, empty if they may be one.

    >>> foreign_format(['{"content": "箱子很大。"}'])
    'found a JSON object, expected --format jsonl with --field, or text'
    >>> foreign_format(["id,text", "1,箱子很大。"]), foreign_format(["箱子很大,奖杯很小。"])
    ('found a table (id,text), expected one document a line', '')
    """
    lines = [line for line in lines if line.strip()]
    beginning = "\n".join(line.strip("\r") for line in lines)
    lines = lines[:_LINES]
    first = lines[0].strip() if lines else ""
    if kind := next((kind for kind, mark in _MARKUP.items() if mark.match(beginning)), ""):
        return f"found {kind}, expected one document a line"
    if first.startswith(("{", "[")):
        return _json_fault(first, len(lines))
    if first.startswith("<doc "):
        return "found <doc …>, expected --format wikiextractor, or text"
    if any("<mediawiki" in line for line in lines[:3]):
        return "found an export of MediaWiki, expected --format wikimedia-xml, or text"
    if _LONE_TAG.fullmatch(first):
        return f"found {shown(first)} as in XML or HTML, expected one document a line"
    if _CONLL.match(first) or any(line.count("\t") == 9 for line in lines[:2]):
        return "found CoNLL-U, expected one document a line"
    return f"found a table ({shown_cells(first)}), expected one document a line" if is_table(lines) else ""


def shown_cells(line: str) -> str:
    """Return the beginning of a row for a message."""
    return line.replace("\t", " | ")[:60]


def is_table(lines: Sequence[str]) -> bool:
    """Return whether lines are rows of a table: cells between tabs, quoted cells, or names of columns."""
    tabs = {line.strip("\r\n").count("\t") for line in lines}
    if len(lines) > 1 and len(tabs) == 1 and tabs != {0}:
        return True
    first = lines[0].strip() if lines else ""
    if '"' in first and _QUOTED_CELLS.fullmatch(first):
        return True
    for separator in "\t,;|":
        cells = [cell.strip('"').lower() for cell in first.split(separator)]
        if len(cells) > 1 and all(re.fullmatch(r"\w[\w. -]*", cell) for cell in cells) and _COLUMNS & set(cells):
            return True
    return False


def _json_fault(first: str, count: int) -> str:
    if first.startswith(('{"index":', '{"index" :')):
        return "found lines of an index, expected --format cirrus, or text"
    if _OBJECT.match(first):
        way = "--format jsonl" if re.search(r'"text"\s*:\s*"', first) else "--format jsonl with --field"
        return f"found a JSON object, expected {way}, or text"
    if (first == "{" and count > 1) or _LIST.match(first):
        return "found a JSON document, expected one object a line (jq -c '.[]' converts a list) with --format jsonl, or text"
    return ""
