"""`pws-tsv`: the Parallel Winograd Schemata corpus (Vadász and Ligeti-Nagy 2022), Mandarin = Mandarinograd."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, plural, shown
from ...core.files import decode, require_unique
from ...core.hints import separator_fault, width_fault
from .draft import Draft, collapse, member
from .patches import Patch, patch_fields

#: Column suffixes of the corpus by language code; `--lang` takes these suffixes too.
COLUMNS = {"en": "en", "hu": "hu", "fr": "fr", "pt": "por", "zh": "man", "ja": "jap", "ru": "rus"}
_LANGUAGES = {column: lang for lang, column in COLUMNS.items()} | {"por2": "pt", "jap2": "ja"}
#: Languages printed in words, with blanks that the text does not have; a low line inside a name stays (Dr._Adams).
_SEGMENTED = {"zh"}
#: The columns read in every language.
_ALWAYS = {"idx": "idx", "orig_id": "orig_id", "source": "source_en"}


def _column(lang: str, path: Path) -> str:
    column = COLUMNS.get(lang, lang)
    if column not in _LANGUAGES:
        expected = ", ".join(sorted({*COLUMNS, *_LANGUAGES}))
        raise PipelineError(path, None, f"[lang] unknown language; found {shown(lang)}, expected one of {expected}")
    return column


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with a sentence in the language read, and its cells without superfluous blanks."""

    schema: str
    version: str
    cells: Mapping[str, str]
    line: int

    @property
    def id(self) -> str:
        return f"{self.schema}-{self.version}"


def _table(data: bytes, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the table with their first lines, the header and empty rows too; raises as `read_pws` does."""
    reader = csv.reader(io.StringIO(decode(data, path), newline=""), delimiter="\t", strict=True)
    begun = 0  # the last line of the row before: a quoted cell may span several lines
    width = None
    try:
        for cells in reader:
            line, begun = begun + 1, reader.line_num
            if width is not None and len(cells) not in (0, width):
                raise PipelineError(path, line, width_fault(cells, width))
            width = len(cells) if width is None else width
            yield line, cells
    except csv.Error as error:
        reason = f'[row] quote not closed or not doubled; {error}, expected "a ""b"" c" for a cell with quotes'
        raise PipelineError(path, begun + 1, reason) from error


def _header(cells: Sequence[str], wanted: Iterable[str], path: Path) -> None:
    """Refuse a header without one of the wanted columns."""
    for name in wanted:
        if name not in cells:
            columns = f"found {plural(len(cells), 'column')} ({shown(', '.join(cells))})"
            reason = f"[{name}] missing column; {columns}, expected the header of PWS"
            raise PipelineError(path, 1, separator_fault(cells) or reason)


def _records(data: bytes, path: Path, column: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows with a sentence in the language of `column`, with their lines; raises as `read_pws` does."""
    table = _table(data, path)
    _, header = next(table, (1, []))
    _header(header, [*_fields(column).values(), *_ALWAYS.values()], path)
    none = True
    for line, cells in table:
        row = dict(zip(header, cells, strict=False))
        if cells and row[f"sentence_{column}"].strip():
            none = False
            yield line, row
    if none:
        raise PipelineError(path, None, f"[sentence_{column}] no record; expected at least one row with a sentence")


def _fields(column: str) -> dict[str, str]:
    """Return the columns of one language, by their names without it."""
    return {name: f"{name}_{column}" for name in ("sentence", "snippet", "answer1", "answer2", "correct_answer")}


def _rows(data: bytes, path: Path, column: str) -> Iterator[_Row]:
    """Yield the rows with a sentence in the language of `column`, in file order; raises as `read_pws` does."""
    wanted = _fields(column) | _ALWAYS
    comment = f"comment_{column.removesuffix('2')}"
    members: Counter[str] = Counter()
    for line, row in _records(data, path, column):
        cell = {name: collapse(row[there]) for name, there in wanted.items()}
        schema = f"pws-{column}-{cell['orig_id']:0>3}"
        yield _Row(schema, member(members[schema]), cell | {"comment": collapse(row.get(comment, ""))}, line)
        members[schema] += 1


def patch_pws(data: bytes, path: Path, lang: str | None, patches: Sequence[Patch]) -> tuple[bytes, int]:
    """Return the corpus with the patches of one language applied, and the number of records that they change.

    The id of a patch is the `idx` of a row with a sentence in that language, its field one of the five columns of the language;
    offsets count in the cell as the file has it. All rows keep their lines.

    Raises:
        PipelineError: as `read_pws`, if an `idx` is repeated, or if a patch does not fit (see `patch_fields`).
    """
    column = _column(lang or "zh", path)
    lines: dict[str, int | None] = {}
    cells: dict[str, dict[str, str]] = {}
    for line, row in _records(data, path, column):
        require_unique(lines, row["idx"], path, line, "idx")
        cells[row["idx"]] = {name: row[name] for name in _fields(column).values()}
    changed = patch_fields(cells, patches)
    by_line = {lines[name]: fields for name, fields in changed.items()}
    rows = list(_table(data, path))
    header = rows[0][1]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    for number, values in rows:
        new = by_line.get(number, {})
        writer.writerow([new.get(name, value) for name, value in zip(header, values, strict=False)])
    return out.getvalue().encode(), len(changed)


def read_pws(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of one language of the corpus (Mandarin by default), in file order.

    A row without a sentence in that language is no record.

    Raises:
        PipelineError: the file is not UTF-8, lacks a column, has a row of the wrong width or an open quote, or has no row
            of that language.
    """
    column = _column(lang or "zh", path)
    code = _LANGUAGES[column]
    return [
        Draft(
            id=row.id,
            schema=row.schema,
            version=row.version,
            lang=code,
            text=_join(row.cells["sentence"], code),
            candidates=(row.cells["answer1"], row.cells["answer2"]),
            gold=row.cells["correct_answer"] or None,
            question=_join(row.cells["snippet"], code),
            source=f"PWS idx {row.cells['idx']}" + (f", {row.cells['source']}" if row.cells["source"] else ""),
            note=row.cells["comment"],
            lines={"id": row.line},
        )
        for row in _rows(data, path, column)
    ]


def pws_segmentation(data: bytes, path: Path, lang: str | None) -> dict[str, list[str]]:
    """Return the words of each sentence as the corpus prints them, by item id; joined, they are the text of the item.

    Raises:
        PipelineError: as `read_pws`, and for a language that is not printed in words.
    """
    column = _column(lang or "zh", path)
    if _LANGUAGES[column] not in _SEGMENTED:
        expected = ", ".join(sorted(_SEGMENTED))
        raise PipelineError(
            path, None, f"[lang] language not printed in words; found {shown(lang)}, expected {expected}"
        )
    return {row.id: row.cells["sentence"].split() for row in _rows(data, path, column)}


def _join(text: str, lang: str) -> str:
    return re.sub(r"\s+", "", text) if lang in _SEGMENTED else text
