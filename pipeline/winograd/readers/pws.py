"""`pws-tsv`: the Parallel Winograd Schemata corpus (Vadász and Ligeti-Nagy 2022), Mandarin = Mandarinograd, and its patches.

Patches are short corrections of single fields, which copy none of the sentences of a published collection.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from pathlib import Path

from ...core.checksums import digest_of
from ...core.errors import PipelineError, plural, shown
from ...core.files import require_unique
from ...core.hints import separator_fault
from ...core.invisible import INVISIBLE, code_point
from ...core.tables import read_table, separated, table_text
from .draft import Draft, collapse, member, problems_apart
from .rows import quoted_rows

PATCH_COLUMNS = ("id", "field", "offset", "length", "digest", "value", "reason")
_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Patch:
    """One row of a table of patches: in `field` of record `id`, `length` code points from `offset` become `value`.

    `digest` is that of the field before any patch, and `offset` counts in it too. `path` and `line` are the place of the row.
    """

    id: str
    field: str
    offset: int
    length: int
    digest: str
    value: str
    reason: str
    path: Path
    line: int

    @property
    def end(self) -> int:
        """Offset after the last code point that is replaced."""
        return self.offset + self.length

    def fault(self, name: str, reason: str) -> PipelineError:
        """Return the error that column `name` of this row does not fit."""
        return PipelineError(self.path, self.line, f"[{name}] {reason}")


def read_patches(path: Path) -> list[Patch]:
    """Return the patches of a table in its order; raises `PipelineError` at a malformed row."""
    return [_patch(row, path, line) for line, row in read_table(path, PATCH_COLUMNS)]


def _patch(row: Mapping[str, str], path: Path, line: int) -> Patch:
    for name in PATCH_COLUMNS:
        if match := INVISIBLE.search(row[name]):
            reason = f"[{name}] invisible character; found {code_point(match[0])} in {shown(row[name])}"
            raise PipelineError(path, line, reason)
    for name in ("offset", "length"):
        if not _NUMBER.fullmatch(row[name]):
            reason = f"[{name}] not a number; found {shown(row[name])}, expected a number of code points"
            raise PipelineError(path, line, reason)
    if not row["reason"].strip():
        raise PipelineError(path, line, "[reason] empty field; expected why the field is changed")
    texts = {name: row[name] for name in ("id", "field", "digest", "value", "reason")}
    return Patch(offset=int(row["offset"]), length=int(row["length"]), path=path, line=line, **texts)


def patch_fields(records: Mapping[str, Mapping[str, str]], patches: Iterable[Patch]) -> dict[str, dict[str, str]]:
    """Return the fields that patches change, with their new values, by record id; `records` has the texts of the fields by id and name.

    Several patches of one field all count in its old text.

    Raises:
        PipelineError: a patch does not fit: its record or field is unknown, the field is not what its digest says, the offset is
            outside, it overlaps another patch, or it changes nothing or leaves nothing.
    """
    by_field: dict[tuple[str, str], list[Patch]] = {}
    for patch in patches:
        _check(patch, records)
        by_field.setdefault((patch.id, patch.field), []).append(patch)
    changed: dict[str, dict[str, str]] = {}
    for (record, field), several in by_field.items():
        changed.setdefault(record, {})[field] = _patched(records[record][field], several)
    return changed


def _check(patch: Patch, records: Mapping[str, Mapping[str, str]]) -> None:
    fields = records.get(patch.id)
    if fields is None:
        raise patch.fault("id", f"no such record; found {shown(patch.id)}, expected a record of the collection")
    if patch.field not in fields:
        raise patch.fault("field", f"unknown field; found {shown(patch.field)}, expected one of {', '.join(fields)}")
    old = fields[patch.field]
    if digest_of(old) != patch.digest:
        reason = f"the patch no longer applies; found a field with {digest_of(old)}, expected {shown(patch.digest)}"
        raise patch.fault("digest", reason)
    for name, end in (("offset", patch.offset), ("length", patch.end)):
        if end > len(old):
            raise patch.fault(name, f"outside the field; found code point {end}, expected at most {len(old)}")
    if old[patch.offset : patch.end] == patch.value:
        raise patch.fault("value", f"changes nothing; found {shown(patch.value)} in the field too")


def _patched(text: str, patches: Iterable[Patch]) -> str:
    ordered = sorted(patches, key=lambda patch: (patch.offset, patch.end))
    for before, after in pairwise(ordered):
        if after.offset < before.end or after.offset == before.offset:
            first, second = sorted((before, after), key=lambda patch: patch.line)
            raise second.fault("offset", f"overlaps the patch of line {first.line}; expected one patch for one place")
    for patch in reversed(ordered):
        text = text[: patch.offset] + patch.value + text[patch.end :]
    if not text.strip():
        raise ordered[-1].fault("value", "leaves the field empty; expected a patch that leaves some text")
    return text


# --- the corpus ----------------------------------------------------------------------------------------------------------


#: Column suffixes of the corpus by language code; `--lang` takes these suffixes too.
COLUMNS = {"en": "en", "hu": "hu", "fr": "fr", "pt": "por", "zh": "man", "ja": "jap", "ru": "rus"}
_LANGUAGES = {column: lang for lang, column in COLUMNS.items()} | {"por2": "pt", "jap2": "ja"}
#: Languages printed in words, with blanks that the text does not have; a low line inside a name stays (Dr._Adams).
SEGMENTED = ("zh",)
#: The columns read in every language.
_ALWAYS = ("idx", "orig_id", "source_en")


def _column(lang: str | None, path: Path) -> str:
    """Return the suffix of the columns of a language; Mandarin if none is given."""
    column = COLUMNS.get(lang or "zh", lang or "zh")
    if column not in _LANGUAGES:
        expected = ", ".join(sorted({*COLUMNS, *_LANGUAGES}))
        raise PipelineError(path, None, f"[lang] unknown language; found {shown(lang)}, expected one of {expected}")
    return column


def _fields(column: str) -> list[str]:
    """Return the columns of one language: sentence, question, both candidates, the right one."""
    return [f"{name}_{column}" for name in ("sentence", "snippet", "answer1", "answer2", "correct_answer")]


def _table(data: bytes, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the table with their first lines, the header and empty rows too; raises as `read_pws` does."""
    text, mark = separated(table_text(data, path))
    header = text.lstrip().partition("\n")[0]
    rows = quoted_rows(text, path, mark or max("\t,;", key=header.count))
    yield from dropwhile(lambda row: not row[1], rows)


def _records(data: bytes, path: Path, column: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows with a sentence in the language of `column`, with their lines; raises as `read_pws` does."""
    table = _table(data, path)
    _, header = next(table, (1, []))
    for name in (*_fields(column), *_ALWAYS):
        if name not in header:
            columns = f"found {plural(len(header), 'column')} ({shown(', '.join(header))})"
            reason = f"[{name}] missing column; {columns}, expected the header of PWS"
            raise PipelineError(path, 1, separator_fault(header) or reason)
    none = True
    for line, cells in table:
        row = dict(zip(header, cells, strict=False))
        if cells and row[f"sentence_{column}"].strip():
            none = False
            yield line, row
    if none:
        raise PipelineError(path, None, f"[sentence_{column}] no record; expected at least one row with a sentence")


def read_pws(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of one language of the corpus (Mandarin by default), in file order.

    A row without a sentence in that language is no record. Where the corpus prints words, they are the text of the draft when joined.

    Raises:
        PipelineError: the file is not UTF-8, lacks a column, has a row of the wrong width or an open quote, or has no row
            of that language.
    """
    column = _column(lang, path)
    code = _LANGUAGES[column]
    members: Counter[str] = Counter()
    drafts = []
    for line, row in _records(data, path, column):
        cells = {name: collapse(cell) for name, cell in row.items()}
        sentence, question, first, second, answer = (cells[name] for name in _fields(column))
        schema = f"pws-{column}-{cells['orig_id']:0>3}"
        drafts.append(
            Draft(
                schema=schema,
                version=member(members[schema]),
                lang=code,
                text=_join(sentence, code),
                candidates=(first, second),
                gold=answer or None,
                question=_join(question, code),
                source=", ".join(filter(None, (f"PWS idx {cells['idx']}", cells["source_en"]))),
                note=cells.get(f"comment_{column.removesuffix('2')}", ""),
                words=tuple(sentence.split()) if code in SEGMENTED else (),
                lines={"id": line},
            )
        )
        members[schema] += 1
    return problems_apart(drafts)


def _join(text: str, lang: str) -> str:
    return "".join(text.split()) if lang in SEGMENTED else text


def patch_pws(data: bytes, path: Path, lang: str | None, patches: Sequence[Patch]) -> tuple[bytes, int]:
    """Return the corpus with the patches of one language applied, and the number of records that they change.

    The id of a patch is the `idx` of a row with a sentence in that language, its field one of the five columns of the language;
    offsets count in the cell as the file has it. All rows keep their lines.

    Raises:
        PipelineError: as `read_pws`, if an `idx` is repeated, or if a patch does not fit (see `patch_fields`).
    """
    column = _column(lang, path)
    lines: dict[str, int | None] = {}
    cells: dict[str, dict[str, str]] = {}
    for line, row in _records(data, path, column):
        require_unique(lines, row["idx"], path, line, "idx")
        cells[row["idx"]] = {name: row[name] for name in _fields(column)}
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
