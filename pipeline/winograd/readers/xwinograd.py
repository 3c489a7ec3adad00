"""`xwinograd-tsv`: XWINO (Tikhonov and Ryabinin 2021), six languages with token spans."""

import re
from collections.abc import Iterator, Mapping
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from ...core.alignment import align, literal_end
from ...core.convert import convert
from ...core.errors import PipelineError, shown
from ...core.files import from_json, lines_of
from ...core.hints import separator_fault, width_fault
from ...core.model import Span
from ...core.tables import separated, table_text
from ...language.questions import languages
from .draft import Draft, collapse, defect
from .pairing import with_schemas
from .rows import quoted_rows

_WIDTH = 7
_COLUMNS = "language, kind, translated from, sentence, tokens, pronoun, solution"
#: Language codes of the corpus that are not ISO 639-1.
_CODES = {"jp": "ja"}
#: How the tokens write a plain quotation mark.
_QUOTES = {"``", "''"}
_WORD = re.compile(r"\w")
#: A cell with JSON as spreadsheets quote it, behind what separates cells.
_QUOTED_JSON = re.compile(r'([\t,;])"\[""')
#: A mention: its form, the range of its tokens, and the tokens; of a candidate, also whether it is right.
_Pronoun = tuple[str, tuple[int, int], list[Any]]
_Candidate = tuple[str, tuple[int, int], list[Any], bool]
#: The types of the cells that hold JSON, in words too.
_CELLS: Mapping[str, tuple[Any, str]] = {
    "tokens": (list[str], "a list of texts"),
    "pronoun": (_Pronoun, "[form, [start, end], tokens]"),
    "solution": (list[_Candidate], "a list of [candidate, [start, end], tokens, true or false]"),
}


def _value(field: str, cell: str, path: Path, line: int) -> Any:
    """Return the value of a cell that holds JSON."""
    try:
        value = from_json(cell)
    except ValueError as error:
        problem = f"{error.msg}, column {error.colno}" if isinstance(error, JSONDecodeError) else error
        raise PipelineError(path, line, f"[{field}] not JSON ({problem}); found {shown(cell)}") from error
    kind, expected = _CELLS[field]
    try:
        return convert(value, kind)
    except ValueError as error:
        reason = f"[{field}] wrong kind; found {shown(cell)}, expected {expected}"
        raise PipelineError(path, line, reason) from error


def _target_span(sentence: str, tokens: list[str], first: int, last: int) -> Span | None:
    """Return where tokens [first, last) stand in the sentence; None where the tokens are not those of the sentence.

    Punctuation at the end of the target (его. for его) is left out.
    """
    try:
        spans = align((token.strip() for token in tokens), sentence, _token_end)
    except ValueError:
        return None
    if not 0 <= first < last <= len(spans):
        return None
    while last > first and not _WORD.search(tokens[last - 1]):
        last -= 1
    return Span(spans[first].start, spans[last - 1].end) if last > first else None


def _token_end(token: str, text: str, start: int) -> int | None:
    if not token:  # a blank of its own
        return start
    if token in _QUOTES and not text.startswith(token, start):
        return literal_end('"', text, start)
    return literal_end(token, text, start)


def _rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their lines; where a spreadsheet quoted the cells with JSON, it quoted each cell with a quotation mark."""
    if quoted := _QUOTED_JSON.search(text):
        return quoted_rows(text, path, quoted[1])
    return ((line, row.split("\t")) for line, row in enumerate(lines_of(text), 1))


def read_xwinograd(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of the file, in its order; only those of one language if `lang` is given.

    `with_schemas` says which items of a language are one schema.

    Raises:
        PipelineError: a row has the wrong width, a cell is not the JSON expected, or there is no row (of that language).
    """
    drafts: list[Draft] = []
    known = languages()
    for line, cells in _rows(separated(table_text(data, path))[0], path):
        if not cells:
            continue
        if len(cells) != _WIDTH:
            raise PipelineError(path, line, separator_fault(cells) or f"{width_fault(cells, _WIDTH)}: {_COLUMNS}")
        language, kind, _, sentence, tokens_cell, pronoun_cell, solution_cell = cells
        language = _CODES.get(language, language)
        if lang is not None and language != _CODES.get(lang, lang):
            continue
        if language not in known:
            raise PipelineError(
                path, line, f"[language] unknown language; found {shown(language)}, expected one of {', '.join(known)}"
            )
        pronoun: _Pronoun = _value("pronoun", pronoun_cell, path, line)
        solution: list[_Candidate] = _value("solution", solution_cell, path, line)
        form, (first, last), _ = pronoun
        target = _target_span(sentence, _value("tokens", tokens_cell, path, line), first, last)
        right = [name for name, _, _, is_right in solution if is_right]
        problems = []
        if len(right) > 1:
            problems.append(defect("answer", f"more than one right answer; found {', '.join(right)}", right=right))
        if target is None:
            reason = f"the pronoun's tokens are not in the sentence; found {shown(collapse(form))}"
            problems.append(defect("target", reason))
        drafts.append(
            Draft(
                lang=language,
                text=sentence,
                candidates=tuple(name for name, *_ in solution),
                gold=right[0] if right else None,
                target=target,
                source=f"XWINO line {line}, {kind}",
                defects=tuple(problems),
                lines={"id": line},
            )
        )
    if not drafts:
        place, wanted = ("language", f" of {shown(lang)}") if lang else ("file", "")
        raise PipelineError(path, None, f"[{place}] no record; expected at least one row{wanted}")
    by_lang: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_lang.setdefault(draft.lang, []).append(draft)
    paired = [draft for name, group in by_lang.items() for draft in with_schemas(group, f"xwinograd-{name}", 4)]
    return sorted(paired, key=lambda draft: draft.lines["id"])
