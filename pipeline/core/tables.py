"""Tables that people edit: tab-separated text, or what a spreadsheet or a program made of it.

A spreadsheet saves the same table with commas or semicolons, in UTF-16, with quotation marks around some cells or all, with empty columns
and rows behind the last one. One reader takes them all: a cell is what a person sees in the spreadsheet, or the file is refused.
"""

import codecs
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from .errors import PipelineError, errors_at, shown
from .files import decode, lines_of, read_bytes, require_unique, write_text
from .hints import separator_fault, width_fault

#: What spreadsheets take for a formula, with the apostrophes that make it harmless.
_FORMULA = re.compile("'* *[=+@-]")
#: A negative number, which is none.
_NEGATIVE = re.compile(r"-[0-9]+(\.[0-9]+)?")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DELIMITERS = ("\t", ",", ";")
#: The line before the header by which Excel and its exporters tell the separator.
_SEPARATOR = re.compile(r'\ufeff?"?sep=([^\r\n])"?[\t ,;]*(?=[\r\n])', re.IGNORECASE)
#: What exchanges single and double quotation marks.
_OTHER_QUOTES = str.maketrans("'\"", "\"'")
#: A text that a spreadsheet must not take for a number, as some programs write it: ="007".
_TEXT_FORMULA = re.compile(r'="((?:[^"]|"")*)"')
#: A cell as spreadsheets quote it: marks around it, those inside doubled.
_QUOTED = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"')
#: Number of rows that Excel saves together: it leaves out the cells at their ends that are empty in all of them.
_EXCEL_ROWS = 16


class _Row(NamedTuple):
    line: int  # the first one
    cells: list[str]  # as written, with quotation marks
    may_be_cut: bool  # whether Excel may have left out empty cells at its end


# --- reading ----------------------------------------------------------------------------------------------------------


def read_table(
    path: Path, required: Sequence[str], *, has_comments: bool = True, unique: str = ""
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, cells by column) of the table in a file; see `table_text` and `parse_table`.

    Args:
        unique: the column of which no cell may be that of an earlier row, blanks at its ends apart.
    """
    lines: dict[str, int | None] = {}
    for line, row in parse_table(table_text(read_bytes(path), path), path, required, has_comments=has_comments):
        if unique:
            require_unique(lines, row[unique].strip(), path, line, unique)
        yield line, row


def table_text(data: bytes, path: Path) -> str:
    """Return the text of a table: UTF-8, or UTF-16 with its byte order mark, which spreadsheets call Unicode text.

    Raises:
        PipelineError: the data is damaged, or in another encoding (see `core.files.decode`).
    """
    if not data.startswith(_UTF_16):
        return decode(data, path)
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        reason = f"[encoding] damaged UTF-16; found {error.reason} at offset {error.start}, expected UTF-16 or UTF-8"
        raise PipelineError(path, None, reason) from error


def separated(text: str) -> tuple[str, str]:
    r"""Return a text with an empty line for the first one if that tells the separator, and the separator; else an empty one.

    >>> separated("sep=;\nid;text\n")
    ('\nid;text\n', ';')
    """
    match = _SEPARATOR.match(text)
    return (text[match.end() :], match[1]) if match else (text, "")


def _is_single_quoted(header: str, mark: str) -> bool:
    return all(re.fullmatch("'[^']+'", cell) for cell in re.split(re.escape(mark) or "[\t,;]", header.strip()))


def columns_of(text: str) -> list[str]:
    r"""Return the columns of a table; none if it has no header.

    >>> columns_of('# made by hand\nid;"text"\n')
    ['id', 'text']
    """
    text, mark = separated(text)
    header = _header_line(text)
    if header and _is_single_quoted(header, mark):
        header = header.translate(_OTHER_QUOTES)
    return [] if header is None else _named(_columns(header.split(mark or _delimiter(header, ()))))


def parse_table(
    text: str,
    path: Path,
    required: Sequence[str],
    free: Collection[str] = (),
    *,
    has_comments: bool = True,
    by_program: bool = False,
) -> Iterator[tuple[int, dict[str, str]]]:
    r"""Yield (line number, cells by column) of each row of a table with a header; ``#`` starts a comment line before it.

    Cells are separated by tabs, or by commas or semicolons if the header is. A cell that a spreadsheet put in quotation marks has its
    own text again, and a formula that was made harmless with an apostrophe its first character. Empty rows, and columns without a name,
    are left out.

    >>> list(parse_table('id\ttext\n1\t"Sie rief ""Ja"", und ging."\n', Path("t.tsv"), ["id", "text"]))
    [(2, {'id': '1', 'text': 'Sie rief "Ja", und ging.'})]

    Args:
        required: the columns that the table must have; each of their cells is one line.
        free: columns with free text, as models write it: on several lines, with quotation marks of its own.
        has_comments: whether ``#`` starts a comment behind the header too, as in the tables of this project; in tables of other people
            it begins a cell.
        by_program: whether another program wrote it, which quotes as the module csv does, and means nothing by an apostrophe.

    Raises:
        PipelineError: a missing or repeated column, a row of the wrong width, a cell with line breaks, or a cell whose quotation marks
            can be read in two ways.
    """
    rest, mark = separated(text)
    first = _header_line(rest) or ""
    if _is_single_quoted(first, mark):
        swapped = text.translate(_OTHER_QUOTES)
        for line, row in parse_table(swapped, path, required, free, has_comments=has_comments, by_program=by_program):
            yield line, {column: cell.translate(_OTHER_QUOTES) for column, cell in row.items()}
        return
    text, delimiter = rest, mark or _delimiter(first, required)
    lines = list(dropwhile(_is_comment_row, _rows(text, delimiter)))
    if not lines:
        problem = "missing header line" if text.strip() else "empty file"
        raise PipelineError(path, 1, f"[header] {problem}; expected the columns {', '.join(required)}")
    header, *rows = lines
    if has_comments:
        rows = [row for row in rows if not _is_comment_row(row)]
    columns = _columns(header.cells)
    _require_columns(_named(columns), required, path, header.line)
    if rows and all(row.cells[0][:1] == row.cells[-1][-1:] == "'" and len(row.cells) > 1 for row in rows):
        reason = f"cells in single quotation marks; found {shown(rows[0].cells[0])}, expected double ones, or single ones in the header too"
        raise PipelineError(path, rows[0].line, f"[row] {reason}")
    is_quoted = by_program or delimiter != "\t" or any(map(_QUOTED.fullmatch, header.cells))
    read = _texts(rows, columns, {*columns} - {*required} | {*free}, path, is_quoted=is_quoted)
    for line, cells in read:
        texts = cells if by_program else map(from_tsv_cell, cells)
        yield line, {column: text for column, text in zip(columns, texts, strict=True) if column}


def parse_rows(text: str, path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of each row of a table without a header, its columns being told; errors are those of `parse_table`."""
    for delimiter in ("\t", ";", ","):
        rows = _rows(text, delimiter)
        if all(len(_named(_columns(row.cells))) == len(columns) for row in rows):
            is_quoted = delimiter != "\t" or all(_QUOTED.fullmatch(cell) for row in rows for cell in row.cells)
            break
    else:
        rows, is_quoted = _rows(text, "\t"), False
    for line, cells in _texts(rows, columns, (), path, is_quoted=is_quoted):
        yield line, list(map(from_tsv_cell, cells))


def _is_comment_row(row: _Row) -> bool:
    return _is_comment(row.cells[0])


def _is_comment(start: str) -> bool:
    return start.startswith(("#", '"#'))


def _header_line(text: str) -> str | None:
    return next((line for line in _lines(text) if line.strip() and not _is_comment(line)), None)


def _lines(text: str) -> list[str]:
    return lines_of(_with_line_feeds(text))


def _with_line_feeds(text: str) -> str:
    """Return a text with line feeds: "Text (Macintosh)" of a spreadsheet has carriage returns alone."""
    return text if "\n" in text else text.replace("\r", "\n")


def _delimiter(header: str, required: Sequence[str]) -> str:
    """Return what separates the cells of a header: the mark that gives all required columns, or a tab, or the more frequent mark."""
    fitting = (mark for mark in _DELIMITERS if {*required} <= {*_columns(header.split(mark))})
    if required and (mark := next(fitting, None)):
        return mark
    return "\t" if "\t" in header else max(_DELIMITERS, key=header.count)


def _columns(header: Sequence[str]) -> list[str]:
    return [unquoted(cell).strip() for cell in header]


def _named(columns: Sequence[str]) -> list[str]:
    """Return columns without those at their end that have no name."""
    named = [place for place, column in enumerate(columns, 1) if column]
    return list(columns[: max(named, default=0)])


def _require_columns(columns: Sequence[str], required: Sequence[str], path: Path, line: int) -> None:
    for column in required:
        if column not in columns:
            reason = f"[{column}] missing column; found {shown(', '.join(columns))}, expected {', '.join(required)}"
            raise PipelineError(path, line, separator_fault(columns) or reason)
    if repeated := [column for column in columns if column and columns.count(column) > 1]:
        reason = f"[{repeated[0]}] column not unique; found it {columns.count(repeated[0])} times"
        raise PipelineError(path, line, reason)


def _rows(text: str, delimiter: str) -> list[_Row]:
    """Return the rows that are not empty."""
    rows = list(_split(text, delimiter))
    widths: dict[int, set[int]] = {}
    for place, (_, cells) in enumerate(rows):
        widths.setdefault(place // _EXCEL_ROWS, set()).add(len(cells))
    is_whole = text.endswith(("\n", "\r"))
    return [
        _Row(line, cells, is_whole and len(widths[place // _EXCEL_ROWS]) == 1)
        for place, (line, cells) in enumerate(rows)
        if any(unquoted(cell).strip() for cell in cells)
    ]


def _split(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the first line, cells as written) of each row; a cell in quotation marks may hold line breaks."""
    if '"' not in text:
        yield from enumerate((line.split(delimiter) for line in _lines(text)), 1)
        return
    text = _with_line_feeds(text)
    blank = "" if delimiter == "\t" else " *"  # people write blanks behind commas
    end = rf"[{re.escape(delimiter)}\n]"
    quoted = rf"{blank}{_QUOTED.pattern}{blank}\r?(?={end}|\Z)"
    first, line, cells = 1, 1, list[str]()
    for match in re.finditer(rf"({quoted}|[^{end[1:]}*)({end}|\Z)", text):
        if match.start() == len(text) and not cells:
            return
        cell = match[1].removesuffix("\r")
        cells.append(cell if match[2] is None else cell.strip(" "))
        line += match[0].count("\n")
        if match[3] != delimiter:
            yield first, cells
            first, cells = line, []


def _texts(
    rows: Sequence[_Row], columns: Sequence[str], free: Collection[str], path: Path, *, is_quoted: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, texts of the cells) of each row.

    Args:
        is_quoted: whether marks around a cell never belong to its text, as the separator or the header shows.
    """
    # Spreadsheets quote each cell with a mark in it: where one is not quoted, somebody wrote marks by hand.
    by_hand = not is_quoted and any('"' in cell and not _QUOTED.fullmatch(cell) for row in rows for cell in row.cells)
    least = len(_named(columns))
    for line, cells, may_be_cut in rows:
        while len(cells) > len(columns) and not unquoted(cells[-1]).strip():
            cells.pop()
        if may_be_cut or len(cells) >= least:
            cells += [""] * (len(columns) - len(cells))
        if len(cells) != len(columns):
            raise PipelineError(path, line, width_fault(cells, len(columns)))
        with errors_at(path, line):
            texts = [
                _text(cell, column, column in free, by_hand=by_hand, is_quoted=is_quoted)
                for column, cell in zip(columns, cells, strict=True)
            ]
        yield line, texts


def unquoted(cell: str) -> str:
    """Return a cell without the quotation marks around it, those inside being single again.

    >>> unquoted('"a ""b"" c"'), unquoted('a "b" c')
    ('a "b" c', 'a "b" c')
    """
    match = _QUOTED.fullmatch(cell)
    return match[1].replace('""', '"') if match else cell


def _text(cell: str, column: str, is_free: bool, *, by_hand: bool, is_quoted: bool) -> str:
    """Return what a cell shows; raises `ValueError` if its marks can be read in two ways, or for line breaks where they are not free."""
    text = unquoted(cell)
    if text == cell:
        if is_quoted and cell.startswith('"'):
            expected = 'expected one such as "a ""b"" c"'
            raise ValueError(f"[{column}] quotation mark not closed or not doubled; found {shown(cell)}, {expected}")
    elif not is_quoted:
        if "\n" in text and "\t" in text:
            raise ValueError(
                f"[{column}] quotation mark that is closed in another row; found {shown(cell)}, expected none"
            )
        if text and not re.search(r'["\t\n]', text):
            needs_marks = "," in text or ";" in text
            if needs_marks == by_hand and not is_free:
                expected = f"expected {shown(text)} without them, or three at each end if they belong to the text"
                raise ValueError(f"[{column}] quotation marks around a whole cell; found {shown(cell)}, {expected}")
            if not needs_marks:
                return cell
    if not is_free and ("\n" in text or "\r" in text):
        raise ValueError(f"[{column}] line break in a cell; found {shown(text)}, expected one line")
    return text


# --- writing ----------------------------------------------------------------------------------------------------------


def one_line(text: str) -> str:
    r"""Return a text as a cell holds it: on one line, without tabs.

    >>> one_line("a\tb\nc")
    'a b c'
    """
    return " ".join(text.replace("\t", " ").splitlines())


def tsv_cell(text: str) -> str:
    r"""Return a text as one cell of a table: on one line, no formula for a spreadsheet, quoted if it begins with a quotation mark.

    >>> tsv_cell("=1+1"), tsv_cell("a\tb"), tsv_cell("-0.5")
    ("'=1+1", 'a b', '-0.5')
    """
    flat = one_line(text)
    if _FORMULA.match(flat) and not _NEGATIVE.fullmatch(flat):
        return f"'{flat}"
    return '"{}"'.format(flat.replace('"', '""')) if flat.startswith('"') else flat


def from_tsv_cell(cell: str) -> str:
    """Return the text of a cell that `tsv_cell` wrote, without the apostrophe before a formula, or of a formula of text.

    >>> from_tsv_cell("'=1+1"), from_tsv_cell("'tis"), from_tsv_cell('="007"')
    ('=1+1', "'tis", '007')
    """
    if match := _TEXT_FORMULA.fullmatch(cell):
        return match[1].replace('""', '"')
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def tsv_text(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as text; its cells pass through `tsv_cell`."""
    return "".join("\t".join(map(tsv_cell, row)) + "\n" for row in (header, *rows))


def write_tsv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table atomically; its cells pass through `tsv_cell`."""
    write_text(path, tsv_text(header, rows))
