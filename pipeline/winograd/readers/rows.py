"""Rows of other people's files: JSON Lines, a JSON array, Parquet, tables, and texts with some lines a problem."""

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, plural, shown
from ...core.files import decode, from_json, lines_of
from ...core.hints import width_fault
from ...core.tables import parse_table, table_text, unquoted
from ...language.questions import question_table
from ..pairs import shared_length
from .draft import GAP

#: The number of a line (in Parquet and JSON arrays, of a row), and the values by field.
Row = tuple[int, Mapping[str, Any]]
_PARQUET = b"PAR1"
#: How the files of OntoNotes and of WinoBias in its format begin.
CONLL = b"#begin document"
#: The fields in which one object has all rows.
_WRAPPERS = ("data", "rows", "examples", "instances")
#: Marks that stand behind a candidate and not in it.
_MARKS = '.,;!?"”»'
#: Number of lines of a problem of DPR.
_LINES = 4
#: An occupation in brackets, with its article inside or before them.
_OCCUPATION = re.compile(
    r"(?:(?P<before>the|an?)\s+)?\[\s*(?:(?P<inside>the|an?)\s+)?(?P<noun>[^\s\[\]]+(?:\s+[^\s\[\]]+)*)\s*\]",
    re.IGNORECASE,
)


def field_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the rows of a file with named fields: JSON Lines, a JSON array, Parquet, or a table with a header.

    The fields of an object `target` (SuperGLUE) are fields of the row. Numbers that no field needs may be anything, NaN too.

    Raises:
        PipelineError: the file is none of these, or a row is no object.
    """
    if data.startswith(_PARQUET):
        yield from _parquet_rows(data, path)
        return
    text = table_text(data, path)
    start = text.lstrip()[:1]
    values = _loaded(text, path, 1) if start == "[" else _wrapped(text) if start == "{" else None
    if values is not None:
        yield from ((number, _flat(value, path, None)) for number, value in enumerate(values, 1))
    elif start == "{":
        for number, line in enumerate(lines_of(text), 1):
            if line.strip():
                yield number, _flat(_loaded(line, path, number), path, number)
    else:
        yield from parse_table(text, path, (), has_comments=False)


def quoted_rows(text: str, path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table whose cells with marks are quoted, empty ones too, with their first lines.

    Raises:
        PipelineError: a row has another width than the first one, or a quote is not closed or not doubled.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begun = 0  # the last line of the row before: a quoted cell may span several lines
    width = 0
    try:
        for cells in reader:
            line, begun = begun + 1, reader.line_num
            if width and len(cells) not in (0, width):
                raise PipelineError(path, line, width_fault(cells, width))
            width = width or len(cells)
            yield line, cells
    except csv.Error as error:
        reason = f'[row] quote not closed or not doubled; {error}, expected "a ""b"" c" for a cell with quotes'
        raise PipelineError(path, begun + 1, reason) from error


def _wrapped(text: str) -> list[Any] | None:
    """Return the rows of one object that has nothing else to read, as programs and the viewer of Hugging Face write it."""
    try:
        document = from_json(text, foreign=True)
    except ValueError:
        return None
    lists = [rows for name in _WRAPPERS if isinstance(rows := document.get(name), list)]
    return lists[0] if len(lists) == 1 and all(isinstance(row, dict) for row in lists[0]) else None


def _loaded(text: str, path: Path, line: int) -> Any:
    try:
        return from_json(text, foreign=True)
    except ValueError as error:
        reason = f"[json] not JSON ({error}); found {shown(text)}, expected one object a line, or an array of objects"
        raise PipelineError(path, line, reason) from error


def _flat(value: object, path: Path, line: int | None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PipelineError(path, line, f"[json] wrong kind; found {shown(value)}, expected an object")
    if cut := value.get("truncated_cells"):
        raise PipelineError(
            path, line, f"[row] cut by the viewer; found {shown(cut)}, expected the file of the data set"
        )
    if isinstance(row := value.get("row"), dict):
        value = row
    target = value.get("target")
    return {**target, **value} if isinstance(target, dict) else value


def _parquet_rows(data: bytes, path: Path) -> Iterator[Row]:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    try:
        rows = parquet.read_table(io.BytesIO(data)).to_pylist()
    except (OSError, ValueError, arrow.ArrowException) as error:
        raise PipelineError(path, None, f"[parquet] cannot be read; {error}") from error
    for number, row in enumerate(rows, 1):
        yield number, _flat(row, path, number)


def problem_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the problems of DPR (Rahman and Ng 2012): a row each, or a text with four lines each and a blank one behind them.

    The lines have the sentence, the pronoun, the candidates and the right one. A pronoun that occurs more than once is the first.

    Raises:
        PipelineError: lines between two blank ones are not four.
    """
    start = data.removeprefix(BOM_UTF8).lstrip()[:2]
    is_text = data[:4] != _PARQUET and not start.startswith((b"{", b"[{", b"[\n", b"[\r"))
    yield from map(_placed, _problems(data, path, 0) if is_text else field_rows(data, path))


def second_problem_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the problems of DPR from lines that have them in English, and behind a tab in another language (Shibata et al. 2015)."""
    return map(_placed, _problems(data, path, 1))


def _placed(numbered: Row) -> Row:
    line, row = numbered
    form, sentence = (str(row.get(name) or "") for name in ("pronoun", "sentence"))
    place = re.search(rf"(?<!\w){re.escape(form)}(?!\w)|{re.escape(form)}", sentence, re.IGNORECASE)
    return line, {**row, "pronoun": place[0] if place else form, "offset": place.start() if place else -1}


def _problems(data: bytes, path: Path, column: int) -> Iterator[Row]:
    block: list[tuple[int, str]] = []
    lines = [(number, line.strip()) for number, line in enumerate(lines_of(decode(data, path)), 1)]
    for number, line in (*lines, (len(lines) + 1, "")):
        if line:
            block.append((number, line))
        elif block:
            if len(block) % _LINES:
                reason = (
                    f"problem of the wrong length; found {plural(len(block), 'line')}, the first {shown(block[0][1])}"
                )
                raise PipelineError(path, block[0][0], f"[row] {reason}, expected four and a blank line")
            for start in range(0, len(block), _LINES):
                cells = [line.split("\t")[column : column + 1] for _, line in block[start : start + _LINES]]
                values = [unquoted("".join(cell).strip()) for cell in cells]
                yield block[start][0], dict(zip(("sentence", "pronoun", "candidates", "label"), values, strict=True))
            block = []


def sentence_pair_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield problems from rows with a right and a wrong sentence (the Portuguese WSC): where they differ, there is a gap."""
    for line, row in field_rows(data, path):
        _require_fields(row, ("correct_sentence", "incorrect_sentence"), path, line)
        right, wrong = (
            str(row.get(f"manually_fixed_{kind}_sentence") or row.get(f"{kind}_sentence") or "")
            for kind in ("correct", "incorrect")
        )
        yield line, {"id": row.get("question_id", line), **_gapped(right, wrong)}


def row_pair_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield problems from two rows with the same index, one for each candidate: a sentence in two parts, and the label 1 or 0.

    So fairseq's and others' tables of DPR and KnowRef are: ``index``, ``sentence1``, ``sentence2``, ``label``.
    """
    rows_of: dict[object, list[tuple[int, str, str]]] = {}
    for line, row in field_rows(data, path):
        _require_fields(row, ("index", "sentence1", "sentence2", "label"), path, line)
        sentence = f"{row['sentence1']} {row['sentence2']}"
        rows_of.setdefault(row["index"], []).append((line, sentence, str(row["label"])))
    for index, rows in rows_of.items():
        by_label = {label: sentence for _, sentence, label in rows}
        is_pair = by_label.keys() == {"0", "1"} and len(rows) == len(by_label)
        problem = (
            _gapped(by_label["1"], by_label["0"]) if is_pair else {"text": rows[0][1], "candidates": [], "answer": ""}
        )
        yield rows[0][0], {"id": index, **problem}


def _require_fields(row: Mapping[str, Any], fields: Sequence[str], path: Path, line: int) -> None:
    for field in fields:
        if field not in row:
            raise PipelineError(path, line, f"[{field}] missing field; found {shown(', '.join(row))}")


def _gapped(right: str, wrong: str) -> dict[str, Any]:
    """Return a problem from a sentence with the right and one with the wrong candidate."""
    words = right.split(), wrong.split()
    start = shared_length(*words)
    end = shared_length(*(part[start:][::-1] for part in words))
    if min(map(len, words)) == start + end and end:  # one candidate ends with the other: the uncle of Tom, Tom
        end -= 1
    names = [" ".join(part[start : len(part) - end]) for part in words]
    answer = names[0].rstrip(_MARKS)
    rest = [f"{GAP}{names[0][len(answer) :]}", *words[0][len(words[0]) - end :]]
    text = " ".join([*words[0][:start], *rest])
    candidates = sorted((name.rstrip(_MARKS) for name in names), key=lambda name: text.casefold().find(name.casefold()))
    return {"text": text, "candidates": candidates, "answer": answer}


def parted_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the rows of a table of the WSC whose text is cut at the pronoun: ``txt1``, ``pron``, ``txt2``."""
    for line, row in field_rows(data, path):
        before, pronoun, text = (" ".join(str(row.get(name, "")).split()) for name in ("txt1", "pron", "plain_text"))
        at = re.compile(rf"\b{re.escape(pronoun)}\b").search(
            text, len(before) if text.startswith(before) else len(text)
        )
        yield line, {**row, "plain_text": text, "offset": at.start() if at else -1}


def snippet_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the problems of PDP's text edition: a number and the text, a snippet with the pronoun, lettered candidates, ``Answer:``.

    A numbered block without these parts is a row without candidates.
    """
    text = "\n".join(lines_of(decode(data, path)))
    for block in re.finditer(r"^ *\d+[.)] +(?:(?!^ *\d+[.)] ).)+", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start()) + 1
        passage, *rest = re.split(r'\n *["“]([^"”\n]+)["”] *:', block[0], maxsplit=1)
        passage = " ".join(passage.split()[1:])
        options, _, answer = rest[1].partition("Answer:") if rest else ("", "", "")
        names = [" ".join(name.split()) for name in re.split(r"\(?\b[a-z]\) *", options)[1:]]
        snippet = rest[0].strip(" .…") if rest else ""
        start = passage.find(snippet) if snippet else -1
        pronouns = [
            span for span in question_table("en").anaphors(passage) if start <= span.start < start + len(snippet)
        ]
        target = pronouns[0] if len(pronouns) == 1 else None
        letter = re.match(r"\s*\(?([a-z])\)", answer)
        yield (
            line,
            {
                "text": passage,
                "pronoun": target.of(passage) if target else snippet,
                "offset": target.start if target else -1,
                "candidates": names,
                "answer": letter[1] if letter else answer.strip(),
            },
        )


def occupation_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the problems of WinoBias: a line has a number, and the right occupation and the pronoun in brackets.

    The other candidate is the occupation that the line names besides; occupations are those in brackets anywhere in the file.

    Raises:
        PipelineError: a line has no number, or no occupation in brackets; occupations are known by an English article.
    """
    problems = []
    layouts = {CONLL: "CoNLL as OntoNotes has it, a word a line"} | dict.fromkeys(
        (b"{", b"[", _PARQUET), "rows of tokens and clusters"
    )
    if layout := next((layout for start, layout in layouts.items() if data.lstrip().startswith(start)), None):
        raise PipelineError(path, 1, f"[format] {layout}; expected WinoBias as text, with [the word] in brackets")
    for number, line in enumerate(lines_of(decode(data, path)), 1):
        match = re.fullmatch(r"\s*(\d+)[\s.]+(.*\S)\s*", line)
        right = next((mark for mark in _OCCUPATION.finditer(line) if mark["before"] or mark["inside"]), None)
        if line.strip() and (match is None or right is None):
            expected = "a number, and a sentence with [the nurse] in brackets, with its English article"
            reason = f"[row] found {shown(line)}, expected {expected}; sentences of another language: --format plain, as a table"
            raise PipelineError(path, number, reason)
        if match and right:
            problems.append((number, match[1], match[2], right))
    nouns = "|".join(sorted({re.escape(mark["noun"]) for *_, mark in problems}, key=len, reverse=True))
    named = re.compile(rf"\b(?:the|an?)\s+({nouns})\b", re.IGNORECASE)
    for number, line_id, text, mark in problems:
        plain = text.replace(mark[0], f"{mark['before'] or mark['inside']} {mark['noun']}", 1)
        names: dict[str, str] = {}
        for match in named.finditer(plain):
            names.setdefault(match[1].casefold(), match[0])
        answer = names.get(mark["noun"].casefold(), "")
        yield number, {"id": line_id, "text": plain, "candidates": [*names.values()], "answer": answer}


def it_rows(data: bytes, path: Path) -> Iterator[Row]:
    """Yield the rows of MT-Wino-X, whose English sentences ask about *it*."""
    return ((line, {**row, "it": "it"}) for line, row in field_rows(data, path))
