"""Layouts: which fields of a row hold what an item needs, in anybody's table or JSON."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from ...core.errors import PipelineError, shown

#: Names of fields, in lower case and without blanks and marks; the more telling ones first.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "text": (
        "text", "sentence", "sent", "sentencewithpronoun", "context", "passage",
        "satz", "texte", "phrase", "texto", "frase", "句子", "文本",
    ),
    "target": ("pronoun", "pron", "target", "anaphor", "span2text", "pronomen", "pronom", "pronome", "代词"),
    "offset": ("pronounoffset", "pronounloc", "targetoffset", "pronounindex", "pronounstart", "span2index", "offset"),
    "candidates": ("candidates", "options", "choices", "answers", "antecedents", "候选"),
    "answer": (
        "correctanswer", "correctcandidate", "correct", "answer", "label", "gold", "solution", "rightanswer",
        "lösung", "réponse", "答案",
    ),
    "question": ("question", "frage", "问题"),
    "id": ("id", "qid", "questionid", "idx", "index"),
    "schema": ("schema", "schemaid", "pair", "pairid"),
    "lang": ("lang", "language"),
}  # fmt: skip
#: A field of one candidate, numbered or lettered.
_CANDIDATE = re.compile(
    r"(?:option|candidate|answer|choice|antecedent|referent|kandidat|候选)?[\s_-]?(?:[0-9]|[a-f])", re.IGNORECASE
)


#: Fields of layouts that other tasks have, and what to do with them.
_NOT_READ = {
    "tokens": "; a list of words is no text: join it, with candidates as texts and the place of the pronoun in words",
    "input": "; a prompt that holds its options is no text: give the sentence and each option a column",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which fields of a row hold what an item needs; a field is empty where the rows have none.

    Attributes:
        text: the text, in which brackets or a gap may mark the target.
        target: the form of the target.
        offset: the place of the target in the text, in characters or words.
        candidates: a field for each candidate, or one field for the list; without any, brackets in the text mark them.
        answer: the right answer, or a truth value for each candidate.
        first: the number that answers use for the first candidate, "0" or "1"; empty if the file tells it.
        question: the question.
        id: the id of the row; a last part behind a hyphen, a dot or a low line may number the members of a schema.
        schema: what the members of a schema have in common.
        lang: the language of the row.
    """

    text: str
    target: str = ""
    offset: str = ""
    candidates: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    first: str = ""
    question: str = ""
    id: str = ""
    schema: str = ""
    lang: str = ""

    def __str__(self) -> str:
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        texts = {name: value if isinstance(value, str) else "+".join(value) for name, value in values.items()}
        texts["target"] = texts["target"] or f"marked in the text{' or found by the question' if self.question else ''}"
        return ", ".join(f"{name}={value}" for name, value in texts.items() if value)


def parse_columns(option: str) -> dict[str, str]:
    """Return what ``--columns`` says: the column, or columns joined by ``+``, of each part of a layout.

    >>> parse_columns("text=Sentence,candidates=A+B")
    {'text': 'Sentence', 'candidates': 'A+B'}

    Raises:
        PipelineError: no part=column, an unknown part, or one that is given twice.
    """
    parts = [part.name for part in fields(Layout)]
    columns: dict[str, str] = {}
    for pair in option.split(","):
        part, equals, column = (piece.strip() for piece in pair.partition("="))
        if not equals or part not in parts or part in columns or not column:
            reason = f"[columns] found {shown(pair)}, expected part=Column, each part once: {', '.join(parts)}"
            raise PipelineError(None, None, reason)
        columns[part] = column
    if columns.get("first", "0") not in ("0", "1"):
        raise PipelineError(
            None, None, f"[columns] first is a number; found {shown(columns['first'])}, expected 0 or 1"
        )
    return columns


def found_layout(names: Sequence[str], columns: Mapping[str, str], path: Path) -> Layout:
    """Return the layout of a file by the names of its fields.

    Args:
        columns: the parts that the user gives; see `parse_columns`.

    Raises:
        PipelineError: a field that the user gives does not exist, or none is found for the text or the answer.
    """
    for part, column in columns.items():
        for name in column.split("+"):
            if part != "first" and name not in names:
                reason = f"[columns] no such column; found {shown(name)} for {part}, expected one of {', '.join(names)}"
                raise PipelineError(path, None, reason)
    kept = {"id", "schema", "lang"}
    told = {name for part, column in columns.items() if part not in kept for name in column.split("+")}
    found = _by_name([name for name in names if name not in told]) | {
        part: column for part, column in columns.items() if part in _NAMES
    }
    taken = {found["answer"], *columns.values()}
    numbered = [name for name in names if _CANDIDATE.fullmatch(name) and name not in taken]
    if "candidates" not in columns and len(numbered) > 1:
        found["candidates"] = "+".join(numbered)
    for part in ("text", "answer"):
        if not found[part]:
            hint = next((hint for name, hint in _NOT_READ.items() if name in names), "")
            reason = f"no column for the {part}; found {shown(', '.join(names))}, expected --columns {part}=NAME{hint}"
            raise PipelineError(path, None, f"[columns] {reason}")
    return _layout({**found, **columns})


def format_layout(columns: str, names: Sequence[str]) -> Layout:
    """Return the layout of a format, with the fields of id, schema and language that a file has besides, or of answers of another name."""
    found, known = _by_name(names), parse_columns(columns)
    if known["answer"] not in names and "+" not in known["answer"] and found["answer"]:
        known |= {"answer": found["answer"], "first": ""}
    return _layout({part: found[part] for part in ("id", "schema", "lang")} | known)


def _layout(columns: Mapping[str, str]) -> Layout:
    several = {part: tuple(filter(None, columns.get(part, "").split("+"))) for part in ("candidates", "answer")}
    return Layout(**{**columns, **several})  # type: ignore[arg-type]  # mypy does not know the keys


def _by_name(names: Sequence[str]) -> dict[str, str]:
    plain = {re.sub(r"[\W_]", "", name).casefold(): name for name in reversed(names)}
    return {part: next((plain[name] for name in known if name in plain), "") for part, known in _NAMES.items()}
