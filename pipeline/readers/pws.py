"""`pws-tsv`: the Parallel Winograd Schemata corpus (Vadász and Ligeti-Nagy 2022), Mandarin = Mandarinograd."""

import csv
import io
import re
from collections import Counter
from pathlib import Path

from ..errors import PipelineError
from ..files import decode
from .draft import Draft, collapse, member

#: The corpus' column suffixes by our language code; its own suffixes are understood as well.
COLUMNS = {"en": "en", "hu": "hu", "fr": "fr", "pt": "por", "zh": "man", "ja": "jap", "ru": "rus"}
_LANGUAGES = {column: lang for lang, column in COLUMNS.items()} | {"por2": "pt", "jap2": "ja"}
#: Mandarin is printed segmented by blanks; names keep a low line where they had one (Dr._Adams).
_UNSEGMENTED = {"zh"}


def _column(lang: str, path: Path) -> str:
    column = COLUMNS.get(lang, lang)
    if column not in _LANGUAGES:
        expected = ", ".join(sorted({*COLUMNS, *_LANGUAGES}))
        raise PipelineError(path, None, f"[lang] not in this corpus; found {lang!r}, expected one of {expected}")
    return column


def read_pws(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of one language of the corpus, in file order; `lang` is Mandarin unless told.

    A row without a sentence in that language is no record of it.

    Raises:
        PipelineError: not UTF-8, a missing column, a row of the wrong width, an open quote, no row of that language.
    """
    column = _column(lang or "zh", path)
    code = _LANGUAGES[column]
    reader = csv.reader(io.StringIO(decode(data, path), newline=""), delimiter="\t", strict=True)
    wanted = {name: f"{name}_{column}" for name in ("sentence", "snippet", "answer1", "answer2", "correct_answer")} | {
        "idx": "idx",
        "orig_id": "orig_id",
        "source": "source_en",
    }
    comment = f"comment_{column.removesuffix('2')}"
    drafts: list[Draft] = []
    members: Counter[str] = Counter()
    begun = 0  # the last line of the row before: a quoted cell may run over several
    try:
        header = next(reader, [])
        for name in wanted.values():
            if name not in header:
                raise PipelineError(
                    path, 1, f"[{name}] missing column; found {len(header)} others, expected the PWS header"
                )
        begun = reader.line_num
        for cells in reader:
            line, begun = begun + 1, reader.line_num
            if not cells:
                continue
            if len(cells) != len(header):
                reason = f"[row] wrong width; found {len(cells)} cells, expected {len(header)}"
                raise PipelineError(path, line, reason)
            row = dict(zip(header, cells, strict=True))
            cell = {name: collapse(row[there]) for name, there in wanted.items()}
            if not cell["sentence"]:
                continue
            schema = f"pws-{column}-{cell['orig_id']:0>3}"
            drafts.append(
                Draft(
                    id=f"{schema}-{member(members[schema])}",
                    schema=schema,
                    version=member(members[schema]),
                    lang=code,
                    text=_join(cell["sentence"], code),
                    candidates=(cell["answer1"], cell["answer2"]),
                    gold=cell["correct_answer"] or None,
                    question=_join(cell["snippet"], code),
                    source=f"PWS idx {cell['idx']}" + (f", {cell['source']}" if cell["source"] else ""),
                    note=collapse(row.get(comment, "")),
                )
            )
            members[schema] += 1
    except csv.Error as error:
        raise PipelineError(path, begun + 1, f"[row] not tab-separated; {error}") from error
    if not drafts:
        raise PipelineError(path, None, f"[sentence_{column}] no record; expected at least one row with a sentence")
    return drafts


def _join(text: str, lang: str) -> str:
    return re.sub(r"\s+", "", text) if lang in _UNSEGMENTED else text
