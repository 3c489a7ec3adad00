"""Formats whose rows a layout describes, one a line, and the plain table, whose layout is found."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.tables import columns_of, table_text
from .draft import Draft, is_chinese, require_latin
from .layout_drafts import answer_of, candidates_of, first_number, read_rows
from .layouts import Layout, format_layout, found_layout
from .rows import (
    CONLL,
    Row,
    field_rows,
    it_rows,
    occupation_rows,
    parted_rows,
    problem_rows,
    row_pair_rows,
    second_problem_rows,
    sentence_pair_rows,
    snippet_rows,
)

#: The format of a table whose columns are found by name.
PLAIN = "plain"
_CONTEXT = re.compile(r"context_([a-z]{2})")


@dataclass(frozen=True, slots=True)
class Format:
    """A format of rows.

    Attributes:
        source: what its items are called in ids and sources.
        columns: which fields of a row have what an item needs, as ``--columns`` says it; ``{lang}`` is the language of the texts, and
            ``first`` the number of the first candidate in the published files: a file whose answers tell another one is read with it.
        rows: what yields the rows of a file.
        lang: the language if the user names none; empty if it is that of the translation, by the names of the fields.
    """

    source: str
    columns: str
    rows: Callable[[bytes, Path], Iterable[Row]] = field_rows
    lang: str = "en"


FORMATS: Mapping[str, Format] = {
    "winogrande": Format("WinoGrande", "text=sentence,candidates=option1+option2,answer=answer,first=1"),
    "winograd-wsc": Format("WSC", "text=text,target=pronoun,offset=pronoun_loc,candidates=options,answer=label,first=0"),
    "wsc-csv": Format("WSC", "text=plain_text,target=pron,offset=offset,candidates=answer_0+answer_1,answer=label,first=0", parted_rows),
    "gap": Format("GAP", "text=Text,target=Pronoun,offset=Pronoun-offset,candidates=A+B,answer=A-coref+B-coref"),
    "knowref": Format("KnowRef", "text=sentence_with_pronoun,candidates=candidate0+candidate1,answer=correct_candidate"),
    "dpr": Format("DPR", "text=sentence,target=pronoun,offset=offset,candidates=candidates,answer=label,first=0", problem_rows),
    "dpr-ja": Format("DPR", "text=sentence,target=pronoun,offset=offset,candidates=candidates,answer=label", second_problem_rows, "ja"),
    "row-pairs": Format("substitution", "text=text,candidates=candidates,answer=answer", row_pair_rows),
    "sentence-pairs": Format("substitution", "text=text,candidates=candidates,answer=answer", sentence_pair_rows, "pt"),
    "pdp-text": Format("PDP", "text=text,target=pronoun,offset=offset,candidates=candidates,answer=answer", snippet_rows),
    "winobias": Format("WinoBias", "text=text,candidates=candidates,answer=answer", occupation_rows),
    "wino-x-lm": Format("Wino-X", "text=context_{lang},candidates=option1_{lang}+option2_{lang},answer=answer,first=1", lang=""),
    "wino-x-mt": Format("Wino-X", "text=sentence,target=it,candidates=referent1_en+referent2_en,answer=answer,first=1", it_rows),
    "huws": Format("HuWS", "text=Sent,question=Question,candidates=Answer1+Answer2,answer=CorrectAnswer", lang="hu"),
}  # fmt: skip
#: The fields by which a file of a format is known, and how files without fields begin.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "winogrande": ("sentence", "option1", "option2"),
    "winograd-wsc": ("text", "pronoun", "pronoun_loc", "options"),
    "wsc-csv": ("plain_text", "txt1", "pron", "answer_0", "answer_1"),
    "gap": ("Text", "Pronoun", "Pronoun-offset", "A-coref", "B-coref"),
    "knowref": ("sentence_with_pronoun", "candidate0", "candidate1"),
    "dpr": ("sentence", "pronoun", "candidates", "label"),
    "row-pairs": ("index", "sentence1", "sentence2", "label"),
    "sentence-pairs": ("correct_sentence", "incorrect_sentence"),
    "wino-x-lm": ("context_en", "option1_en", "option2_en"),
    "wino-x-mt": ("sentence", "referent1_en", "referent2_en"),
    "huws": ("Sent", "Question", "Answer1", "Answer2"),
    "winobias": ("tokens", "coreference_clusters"),
}
#: Fields of an item, which is read already.
_ITEM = {"id", "schema", "version", "target"}
_LINES = {
    "winobias": re.compile(rb"\s*\d++[ .\t]++[^\n\[]*\[[^\n]+\]|" + CONLL),
    "pdp-text": re.compile(rb"(?s).{0,4000}?^ *\d+[.)] [^\n]+\n\s*[\"\xe2][^\n]+: *\(?a\)", re.MULTILINE),
    "dpr": re.compile(rb"(?i)[^\n\t{]+\n[^\n\t]{1,40}\n([^\n,|\t]+?) *[,|] *([^\n,|\t]+?) *\n(?:\1|\2) *(?:\n|\Z)"),
    "dpr-ja": re.compile(
        rb"[^\n]+\n[^\n\t]{1,20}\t[^\n\t]{1,40}\t*\n[^\n\t]+,[^\n\t]+\t[^\n]+\n[^\n\t]+\t[^\n]+\n\s*(?:\n|\Z)"
    ),
}


def read_format(
    data: bytes, path: Path, lang: str | None, *, name: str, columns: Mapping[str, str] | None = None
) -> list[Draft]:
    """Return the drafts of a file in a format of `FORMATS`, or of a plain table, whose parts `columns` may name.

    Raises:
        PipelineError: the file is malformed, has no row, or lacks the fields of the format; nobody says the language.
    """
    rows, layout, code = _laid_out(data, path, lang, name, columns or {})
    source = FORMATS[name].source if name in FORMATS else path.stem
    return read_rows(rows, layout, path, lang=code, source=source)


def shown_layout(
    data: bytes, path: Path, lang: str | None, *, name: str, columns: Mapping[str, str] | None = None
) -> str:
    """Return in words which columns of a file have what an item needs, and its language; raises as `read_format` does."""
    rows, layout, code = _laid_out(data, path, lang, name, columns or {})
    words = f"{layout}{f' ({lang})' if lang else ''}" if layout.lang else f"{layout}, lang={code}"
    if name not in FORMATS or not layout.first or {answer_of(row, layout) for _, row in rows} != {"1"}:
        return words
    words = f"{words}; every answer is 1, read as the format has it"
    with suppress(PipelineError):
        plain = found_layout(list(rows[0][1]), {}, path)
        if (plain.text, plain.candidates) == (layout.text, layout.candidates):
            other = f"--format {PLAIN} --lang {code} --columns first={1 - int(layout.first)}"
            return f"{words} ({other} reads the other candidate)"
    return words


def known_format(data: bytes, path: Path) -> str:
    """Return the format of a file by its first lines or the names of its fields, if need be the plain table; empty if it has none."""
    for name, lines in _LINES.items():
        if lines.match(data[:5000].replace(b"\r\n", b"\n")):
            return name
    try:
        row = next((row for _, row in field_rows(data, path)), {})
    except PipelineError:  # a table whose columns are known says itself what is wrong with it
        with suppress(PipelineError):
            found_layout(columns_of(table_text(data, path)), {}, path)
            return PLAIN
        return ""
    if row.keys() >= {"span1_text", "span2_text"}:
        return "cluewsc-jsonl" if is_chinese(str(row.get("text"))) else "superglue-wsc"
    known = (name for name, fields in _FIELDS.items() if row.keys() >= {*fields})
    if row.keys() >= {*_FIELDS["winogrande"]} and "answer" not in row:
        with suppress(PipelineError):  # a table of somebody else, if a column of another name has the answers
            found_layout([*row], {}, path)
            return PLAIN
    return next(known, PLAIN if len(row) > 1 and not row.keys() >= _ITEM else "")


def _laid_out(
    data: bytes, path: Path, lang: str | None, name: str, columns: Mapping[str, str]
) -> tuple[Sequence[Row], Layout, str]:
    """Return the rows of a file, their layout, and the language of those that do not say their own."""
    entry = FORMATS.get(name)
    rows = list(entry.rows(data, path) if entry else field_rows(data, path))
    if not rows:
        raise PipelineError(path, None, "[file] no record; expected one a row")
    names = list(dict.fromkeys(field for _, row in rows for field in row))
    if entry:
        code = lang or entry.lang or _translation(names, path)
        layout = _counted_layout(format_layout(entry.columns.format(lang=code), names), rows, path)
    else:
        code, layout = lang or "", found_layout(names, columns, path)
        if not code and not layout.lang:
            raise PipelineError(path, None, "[lang] no column of the language; expected --lang (en, de, zh, …)")
    if layout.lang and lang:
        rows = [(line, row) for line, row in rows if row.get(layout.lang) in (lang, None, "")]
    if not lang and code == "en":
        for line, row in rows:
            require_latin(str(row.get(layout.text) or ""), path, line)
    return rows, layout, code


def _counted_layout(layout: Layout, rows: Sequence[Row], path: Path) -> Layout:
    """Return the layout of a format with the number that answers of the rows use for the first candidate."""
    if not layout.first:
        return layout
    found = replace(layout, first="")
    candidates = [candidates_of(row, layout) for _, row in rows]
    return replace(layout, first=str(first_number(rows, candidates, found, path, layout.first)))


def _translation(names: Sequence[str], path: Path) -> str:
    """Return the language of the fields that are not English, as `context_de`."""
    found = [match[1] for name in names if (match := _CONTEXT.fullmatch(name)) and match[1] != "en"]
    if len(found) != 1:
        reason = f"[lang] not one translation; found {shown(', '.join(names))}, expected context_en and one other"
        raise PipelineError(path, 1, reason)
    return found[0]
