"""Hints: what a file that a reader refuses probably is, and the way out. Reasons of messages, or their ends; empty if unknown."""

import codecs
import difflib
import io
import json
import os
import re
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .errors import first_names, plural, shown

_EXPORT = "export it as text in UTF-8 (a table: CSV UTF-8)"
_TO_LINES = (
    "write it as JSON Lines (python -c \"import pandas; pandas.read_parquet('FILE').to_json('FILE.jsonl', orient='records', "
    'lines=True, force_ascii=False)")'
)
_PICKLE = ("a Python pickle", "have its author export JSON Lines: reading one runs what is in it")
#: How files begin that are no text, what they are, and the way out.
_SIGNATURES = {
    b"PK\x03\x04": ("a zip archive, such as an Excel or Word file", _EXPORT),
    b"\xd0\xcf\x11\xe0": ("an old Excel or Word file", _EXPORT),
    b"\x1f\x8b": ("a gzip archive", "unpack it (gunzip FILE)"),
    b"BZh": ("a bzip2 archive", "unpack it (bunzip2 FILE)"),
    b"\xfd7zXZ\0": ("an xz archive", "unpack it (unxz FILE)"),
    b"\x28\xb5\x2f\xfd": ("a Zstandard archive", "unpack it (unzstd FILE)"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it (7z x FILE)"),
    b"%PDF": ("a PDF", "give the file that it was made from, as text in UTF-8"),
    b"PAR1": ("a Parquet file", _TO_LINES),
    b"SQLite format 3\0": ("an SQLite database", "export its table (sqlite3 -json FILE 'SELECT …' | jq -c '.[]')"),
    **dict.fromkeys((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), _PICKLE),
    b"\x89PNG": ("an image", "give the text"),
    b"\xff\xd8\xff": ("an image", "give the text"),
}
#: What a zip archive is by a name in it. The first one is the beginning of every file of Office, the next ones tell which.
_IN_ARCHIVE = {
    "_journal/": ("a log of Inspect", "winoforge evaluate import --format inspect reads it"),
    "study_result": ("an archive of JATOS", "winoforge experiment import reads it"),
    "xl/": ("an Excel workbook", _EXPORT),
    "word/": ("a Word document", _EXPORT),
    "content.xml": ("an OpenDocument file", _EXPORT),
    "mimetype": ("an OpenDocument file", _EXPORT),
    "[Content_Types].xml": ("an Excel or Word file", _EXPORT),
}
#: How texts begin that are markup, in small letters.
_MARKUP = {
    "<!doctype html": "a web page; download the file itself (on GitHub and Hugging Face: Raw)",
    "<html": "a web page; download the file itself (on GitHub and Hugging Face: Raw)",
    "version https://git-lfs": "a pointer of Git LFS; fetch the file itself (git lfs pull)",
    "{\\rtf": "a text with formatting (RTF); save it as plain text in UTF-8",
    "<?xml": "XML; export it as text in UTF-8, or see the formats of winoforge ingest",
}
#: Encodings by the name that people know and that of iconv: what their texts have somewhere, and which characters are common in them.
_ENCODINGS: Sequence[tuple[str, str, str, Callable[[str], bool]]] = (
    ("GBK", "gb18030", "[一-鿿]", lambda mark: bool(mark.encode("gb2312", "ignore")) and not "ぁ" <= mark <= "ヿ"),
    ("Shift JIS", "shift_jis", "[ぁ-ヿ]", lambda mark: mark.encode("shift_jis")[0] < 0x98),
    ("Big5", "big5", "[一-鿿]", lambda mark: mark.encode("big5")[0] < 0xC7),
    ("Windows-1251", "windows-1251", "[а-я]{2}", lambda mark: "а" <= mark.lower() <= "я"),
)
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SEPARATORS = {",": "commas", ";": "semicolons", "|": "bars", "，": "full-width commas", " ": "blanks"}

#: A dash without a blank behind it, or the name of a field and a colon without one, or with a full-width colon.
_NO_BLANK = re.compile(r"\s*(?:-(?=[^\s-])|(?:- +)?[\w-]+(?P<colon>：|:(?=\S)))")
#: A field whose value begins with what YAML takes for a list, a mapping or a quoted text.
_BEGINS_WITH_QUOTE = re.compile(r"\s*(?:- +)?[\w-]+: +[\"']")
_BEGINS_WITH_MARK = re.compile(r"\s*(?:- +)?[\w-]+: +[\[{\"']")


def encoding_hint(data: bytes) -> str:
    r"""Return the end of the message that `data` is not UTF-8.

    >>> encoding_hint("妹妹\n".encode("gbk"))
    '; perhaps GBK: save the file as UTF-8 (iconv -f gb18030 -t utf-8; Excel: CSV UTF-8)'
    >>> encoding_hint(b"%PDF-1.7")
    ': this is a PDF; give the file that it was made from, as text in UTF-8'
    """
    if hint := signature_hint(data):
        return hint
    for name, marks in (("UTF-32", _UTF_32), ("UTF-16", _UTF_16)):
        if data.startswith(marks) or (name == "UTF-16" and (b"\n\0" in data or b"\0\n" in data)):
            return f'; perhaps {name} ("Unicode" in Windows): save the file as UTF-8 (iconv -f {name.lower()} -t utf-8)'
    encoding, codec = _likely_encoding(data)
    return f"; perhaps {encoding}: save the file as UTF-8 (iconv -f {codec} -t utf-8; Excel: CSV UTF-8)"


def signature_hint(data: bytes) -> str:
    """Return the end of the message that `data` is not text but, by its first bytes, a file of another kind.

    Of a zip archive the names in it say what it is; of its beginning alone, the first one.
    """
    kind = next((kind for signature, kind in _SIGNATURES.items() if data.startswith(signature)), None)
    if data.startswith(b"PK\x03\x04"):
        kind = _archive_kind(_archived_names(data)) or kind
    return f": this is {kind[0]}; {kind[1]}" if kind else ""


def _archived_names(data: bytes) -> list[str]:
    try:
        return [name for name in zipfile.ZipFile(io.BytesIO(data)).namelist() if not name.endswith("/")]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, struct.error):
        length = int.from_bytes(data[26:28], "little")  # the name in the local header of the first file
        return [data[30 : 30 + length].decode("utf-8", "replace")]


def _archive_kind(names: Sequence[str]) -> tuple[str, str] | None:
    for beginning, kind in _IN_ARCHIVE.items():
        if any(name.startswith(beginning) for name in names):
            return kind
    files = f"{shown(names[0])}" if len(names) == 1 else f"{plural(len(names), 'file')}, {first_names(names, 3)}"
    return (f"a zip archive of {files}", "unpack it (unzip FILE)") if any(names) else None


def markup_hint(text: str) -> str:
    """Return the end of the message that a text is not what was expected but, as it begins, markup; empty if it is none.

    >>> markup_hint("<!DOCTYPE html><title>Data</title>")
    ': this is a web page; download the file itself (on GitHub and Hugging Face: Raw)'
    """
    beginning = text[:200].lstrip().lower()
    return next((f": this is {kind}" for mark, kind in _MARKUP.items() if beginning.startswith(mark)), "")


def folder_hint(path: Path) -> str:
    """Return the end of the message that `path` is a folder, not a file: the command for the whole of it, or the files in it."""
    try:
        names = sorted(entry.name for entry in path.iterdir() if entry.is_file() and not entry.name.startswith("."))
    except OSError:
        return "expected a file"
    if "SHA256SUMS" in names:
        return f"expected a file: this is a release, `winoforge verify {path}` checks it whole"
    if {"kept.jsonl", "rejected.jsonl"} <= set(names):
        return f"expected a file, such as {path / 'kept.jsonl'}: this is a build, `winoforge validate build {path}` checks it whole"
    return f"expected a file{f', such as {path / names[0]}' if names else ''}"


def _likely_encoding(data: bytes) -> tuple[str, str]:
    """Return the encoding in which most characters that are not ASCII are common ones, and its name for iconv."""
    for encoding, codec, sign, common in _ENCODINGS:
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        marks = [mark for mark in text if not mark.isascii()]
        if re.search(sign, text) and 10 * sum(map(common, marks)) > 7 * len(marks):
            return encoding, codec
    return "Windows-1252", "windows-1252"


def document_fault(text: str) -> str:
    """Return the reason why a JSON document is not JSON Lines.

    >>> document_fault('[{"id": "a"}]')
    "[json] not JSON Lines; found one JSON array, expected one object a line (jq -c '.[]' converts it)"
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        hint = markup_hint(text)
        return f"[json] not JSON Lines; expected one object a line{hint}" if hint else ""
    if isinstance(document, list):
        return "[json] not JSON Lines; found one JSON array, expected one object a line (jq -c '.[]' converts it)"
    if isinstance(document, dict) and "\n" in text.strip():
        return (
            "[json] not JSON Lines; found one object on several lines, expected one object a line (jq -c . converts it)"
        )
    return ""


def separator_fault(header: Sequence[str]) -> str:
    """Return the reason why a header is not plain cells separated by tabs.

    >>> separator_fault(["id,answer"]), separator_fault(["id", "answer"])
    ('[columns] not tab-separated; found commas, expected tabs (save the table as tab-separated text)', '')
    >>> separator_fault(['"id"'])
    '[columns] cells in quotation marks; expected plain cells (save the table without quotation marks)'
    """
    if any(len(name) > 2 and name[0] == name[-1] == '"' for name in header):
        return "[columns] cells in quotation marks; expected plain cells (save the table without quotation marks)"
    if len(header) == 1:
        for mark, name in _SEPARATORS.items():
            if mark in header[0]:
                return (
                    f"[columns] not tab-separated; found {name}, expected tabs (save the table as tab-separated text)"
                )
    return ""


def width_fault(cells: Sequence[str], expected: int) -> str:
    """Return the reason why a row does not fit its table.

    >>> width_fault(["a"], 2), width_fault([""], 2)
    ('[row] wrong width; found 1 cell, expected 2', '[row] blank line; expected a row of 2 cells, or no line')
    """
    if not any(cell.strip() for cell in cells):
        return f"[row] blank line; expected a row of {expected} cells, or no line"
    return f"[row] wrong width; found {plural(len(cells), 'cell')}, expected {expected}"


def near_name(path: Path) -> str:
    """Return the end of the message that there is no file of this name."""
    try:
        names = [] if os.path.lexists(path) else [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, names, 1, 0.85)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""


def known_names(name: str, known: Sequence[str]) -> str:
    """Return the end of the message that a name is unknown: the known ones, and the one that is probably meant.

    >>> known_names("readng", ["reading", "canary"])
    'expected one of reading, canary; did you mean reading?'
    """
    near = difflib.get_close_matches(name, known, 1)
    return f"expected one of {', '.join(known)}" + (f"; did you mean {near[0]}?" if near else "")


def yaml_fault(problem: str, lines: Sequence[str], start: int, here: int, column: int) -> tuple[int, str]:
    """Return the 1-based line where an author broke YAML and the reason; if neither can be told, the parser's words.

    >>> yaml_fault("mapping values are not allowed here", ["gloss: Note: He"], 0, 0, 11)
    (1, "colon and blank inside a value; found 'gloss: Note: He', put the value in quotes")

    Args:
        problem: the parser's words.
        start: the index of the line where the value begins in which the parser met the problem.
        here: the index of the line where the parser met the problem.
        column: the index of the character there.
    """
    # A value that does not end on its line is told by the line where it begins, or by the line before the problem.
    first, before, line = (lines[index] if 0 <= index < len(lines) else "" for index in (start, here - 1, here))
    quoted = f"found {shown(line.strip())}"
    indentation = f"wrong indentation; {quoted}, expected as many ordinary blanks as before the other fields"
    closed = f"text after a bracket is closed; {quoted}, put the whole value in quotes"
    if _BEGINS_WITH_QUOTE.match(line):
        closed = f"text after a quote is closed; {quoted}, put the whole value in quotes of the other kind"
    reserved = f"value begins with a sign that YAML reserves; {quoted}, put the value in quotes"
    unclosed = f"found {shown(first.strip())}, expected"
    if problem.startswith("mapping values are not allowed"):
        if ":" in line[:column]:
            return here + 1, f"colon and blank inside a value; {quoted}, put the value in quotes"
        return (here, _no_field(before)) if _NO_BLANK.match(before) else (here + 1, indentation)
    faults = {
        "could not find expected ':'": (start, _no_field(first)),
        "expected <block end>": (here, closed if _BEGINS_WITH_MARK.match(line) else indentation),
        r"found character '\t'": (here, "tab in the indentation; expected blanks"),
        "found character": (here, reserved),
        "found undefined alias": (
            here,
            f"unknown alias; {quoted}, put the value in quotes, or name what it stands for with & before",
        ),
        "expected ',' or ']'": (start, f"unclosed list; {unclosed} ']' at its end, and ', ' between the entries"),
        "expected ',' or '}'": (start, f"unclosed mapping; {unclosed} '}}' at its end, and ', ' between the entries"),
        "found duplicate key": (
            here,
            f"field given twice; {quoted}, expected each once in an entry that begins with '- '",
        ),
        "but found another document": (here, f"second document; {quoted}, expected one document in a file"),
        "found unexpected end of stream": (start, f"unclosed quote; {unclosed} the same quote at the end"),
    }
    known = next((fault for beginning, fault in faults.items() if problem.startswith(beginning)), (here, problem))
    return known[0] + 1, known[1]


def _no_field(line: str) -> str:
    """Return the reason why a line is no field."""
    quoted = f"found {shown(line.strip())}"
    match = _NO_BLANK.match(line)
    if match is None:
        return f"line without a field; {quoted}, expected 'name: value', or more blanks before it if the value above goes on"
    if match["colon"] == "：":
        return f"full-width colon; {quoted}, expected ': ' after the name of the field"
    return f"blank missing after the {'colon' if match['colon'] else 'dash'}; {quoted}"


class Kind(NamedTuple):
    """What a line of JSON Lines is, with its article, and the suites that check it."""

    name: str
    suites: tuple[str, ...] = ()


#: The kinds of lines by the key that only they have, special ones first: zero forms and some derived forms are items with more keys.
KINDS: Mapping[str, Kind] = {
    "findings": Kind("a rejected record", ("skipped",)),
    "item": Kind("a row of a derived form"),
    "text_zero": Kind("a zero form", ("items", "pairs", "labels", "variety", "artefacts")),
    "pronouns": Kind("a sentence of a template", ("items", "pairs", "labels", "artefacts")),
    "gold": Kind("a cloze item", ("cloze", "balance", "genders")),
    "antecedent": Kind("a filler", ("fillers",)),
    "target": Kind("an item", ("items", "pairs", "labels", "artefacts")),
    "role": Kind("an author's analysis", ("analyses",)),
    "votes": Kind("a decision of the rules"),
    "modified": Kind("a modification"),
    "before": Kind("an adjudication"),
    "form": Kind("an item that a form cannot be made of"),
    "sha256": Kind("a line of provenance"),
    "windows": Kind("a line of counts", ("counts",)),
    "terms": Kind("a line of counts", ("counts",)),
    "pmi": Kind("an answer by association"),
}


def kind_of(line: Mapping[str, Any]) -> Kind | None:
    """Return the kind of a line; None if it has the key of none."""
    return next((kind for key, kind in KINDS.items() if key in line), None)


def shown_kind(line: Mapping[str, Any]) -> str:
    """Return what a line is, for a message: the name of its kind, or else its beginning."""
    kind = kind_of(line)
    return kind.name if kind else shown(dict(line))
