"""Hints: what a file that a reader refuses probably is, and the way out. Reasons of messages, or their ends; empty if unknown."""

import codecs
import difflib
import json
from collections.abc import Sequence
from pathlib import Path

#: How files begin that are no text.
_SIGNATURES = {
    b"PK\x03\x04": "a zip archive, such as an Excel or Word file",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"%PDF": "a PDF",
}
_EXPORT = "export it as text in UTF-8 (a table: tab-separated)"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SEPARATORS = {",": "commas", ";": "semicolons", "|": "bars", "，": "full-width commas"}


def encoding_hint(data: bytes) -> str:
    r"""Return the end of the message that `data` is not UTF-8.

    >>> encoding_hint("妹妹\n".encode("gbk"))
    '; perhaps GBK: save the file as UTF-8 (iconv -f gb18030 -t utf-8)'
    >>> encoding_hint(b"PK\x03\x04...")
    ': this is a zip archive, such as an Excel or Word file; export it as text in UTF-8 (a table: tab-separated)'
    """
    for signature, name in _SIGNATURES.items():
        if data.startswith(signature):
            return f": this is {name}; {_EXPORT}"
    if data.startswith(_UTF_16) or b"\n\0" in data or b"\0\n" in data:
        return '; perhaps UTF-16 ("Unicode" in Windows): save the file as UTF-8 (iconv -f utf-16 -t utf-8)'
    if _is_gb18030(data):
        return "; perhaps GBK: save the file as UTF-8 (iconv -f gb18030 -t utf-8)"
    return "; save the file as UTF-8"


def _is_gb18030(data: bytes) -> bool:
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    return True


def document_fault(text: str) -> str:
    """Return the reason why a JSON document is not JSON Lines.

    >>> document_fault('[{"id": "a"}]')
    "[json] not JSON Lines; found one JSON array, expected one object a line (jq -c '.[]' converts it)"
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if isinstance(document, list):
        return "[json] not JSON Lines; found one JSON array, expected one object a line (jq -c '.[]' converts it)"
    if isinstance(document, dict):
        return (
            "[json] not JSON Lines; found one object on several lines, expected one object a line (jq -c . converts it)"
        )
    return ""


def separator_fault(header: Sequence[str]) -> str:
    """Return the reason why a header is not separated by tabs.

    >>> separator_fault(["id,answer"]), separator_fault(["id", "answer"])
    ('[header] not tab-separated; found commas, expected tabs (save the table as tab-separated text)', '')
    """
    if len(header) == 1:
        for mark, name in _SEPARATORS.items():
            if mark in header[0]:
                return f"[header] not tab-separated; found {name}, expected tabs (save the table as tab-separated text)"
    return ""


def near_name(path: Path) -> str:
    """Return the end of the message that there is no file of this name."""
    try:
        names = [] if path.exists() else [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, names, 1, 0.75)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""
