"""`pws-tsv`: the Parallel Winograd Schemata corpus (Vadász and Ligeti-Nagy 2022), Mandarin = Mandarinograd."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, plural, shown
from ...core.files import decode
from ...core.hints import separator_fault, width_fault
from .draft import Draft, collapse, member

#: Column suffixes of the corpus by language code; `--lang` takes these suffixes too.
COLUMNS = {"en": "en", "hu": "hu", "fr": "fr", "pt": "por", "zh": "man", "ja": "jap", "ru": "rus"}
_LANGUAGES = {column: lang for lang, column in COLUMNS.items()} | {"por2": "pt", "jap2": "ja"}
#: Languages printed in words, with blanks that the text does not have; a low line inside a name stays (Dr._Adams).
_SEGMENTED = {"zh"}


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


def _rows(data: bytes, path: Path, column: str) -> Iterator[_Row]:
    """Yield the rows with a sentence in the language of `column`, in file order; raises as `read_pws` does."""
    reader = csv.reader(io.StringIO(decode(data, path), newline=""), delimiter="\t", strict=True)
    wanted = {name: f"{name}_{column}" for name in ("sentence", "snippet", "answer1", "answer2", "correct_answer")} | {
        "idx": "idx",
        "orig_id": "orig_id",
        "source": "source_en",
    }
    comment = f"comment_{column.removesuffix('2')}"
    members: Counter[str] = Counter()
    begun = 0  # the last line of the row before: a quoted cell may span several lines
    try:
        header = next(reader, [])
        for name in wanted.values():
            if name not in header:
                columns = f"found {plural(len(header), 'column')} ({shown(', '.join(header))})"
                reason = f"[{name}] missing column; {columns}, expected the header of PWS"
                raise PipelineError(path, 1, separator_fault(header) or reason)
        begun = reader.line_num
        for cells in reader:
            line, begun = begun + 1, reader.line_num
            if not cells:
                continue
            if len(cells) != len(header):
                raise PipelineError(path, line, width_fault(cells, len(header)))
            row = dict(zip(header, cells, strict=True))
            cell = {name: collapse(row[there]) for name, there in wanted.items()}
            if not cell["sentence"]:
                continue
            schema = f"pws-{column}-{cell['orig_id']:0>3}"
            yield _Row(schema, member(members[schema]), cell | {"comment": collapse(row.get(comment, ""))}, line)
            members[schema] += 1
    except csv.Error as error:
        reason = f'[row] quote not closed or not doubled; {error}, expected "a ""b"" c" for a cell with quotes'
        raise PipelineError(path, begun + 1, reason) from error
    if not members:
        raise PipelineError(path, None, f"[sentence_{column}] no record; expected at least one row with a sentence")


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
