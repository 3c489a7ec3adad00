"""Records that people write for a study, as YAML: practice, attention items, the form that asks for consent."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from ...core.convert import Count, Text, convert_node
from ...core.errors import PipelineError, plural, shown
from ...core.files import require_unique
from ...core.model import Record, Span
from ...core.notation import FactorError, unbracket
from ...core.yamlfile import line_of, load_yaml
from ...winograd.zero_forms import ZERO
from .fields import FORM_PARTS, StudyRecord

#: The part of an attention item in a list.
ATTENTION = "attention"
_HAN = re.compile(r"[\u4e00-\u9fff]")
#: Whether texts of a language have Chinese characters; a practice file does not name its language.
_HAS_HAN: Mapping[str, bool] = {"zh": True, "en": False, "de": False}


class _Practice(Struct):
    """A practice record as it is written; `answer` is the number of a candidate, from 0."""

    id: Text
    text: Text
    candidates: tuple[Text, ...]
    answer: Count
    explanation: Text = ""
    question: Text = ""
    pronouns: Text = ""
    trace: Text = ""


def read_practice(path: Path, lang: str, *, explained: bool = True) -> list[StudyRecord]:
    """Return the practice records of a file, in its order.

    Args:
        path: a YAML list of records with id, text, candidates, answer (the number of a candidate, from 0) and explanation; question,
            pronouns and trace are optional. The target is in brackets in the text, or is Ø where it is a zero.
        lang: the language of the texts.
        explained: whether each record has an explanation; otherwise none has.

    Raises:
        PipelineError: the file is not YAML; a field is missing, unknown or malformed; a text has no target or several; an id is used
            twice; a Chinese text in a study in English, or the reverse.
    """
    document = load_yaml(path)
    if not isinstance(document, list) or not document:
        raise PipelineError(path, line_of(document) or 1, "[practice] found no list, expected practice records")
    records: list[StudyRecord] = []
    lines: dict[str, int | None] = {}
    for index, node in enumerate(document):
        written = convert_node(node, _Practice, path)
        try:
            records.append(_practice_record(written, path, lang, explained=explained))
        except ValueError as error:
            field = str(error)[1:].partition("]")[0]
            raise PipelineError(path, line_of(node, field) or line_of(node), str(error)) from error
        require_unique(lines, written.id, path, line_of(document, index))
    return records


def _practice_record(written: _Practice, path: Path, lang: str, *, explained: bool) -> StudyRecord:
    """Return a practice record; raises `ValueError` with the field and the reason."""
    if bool(written.explanation) != explained:
        expected = "one" if explained else "none"
        raise ValueError(f"[explanation] found {shown(written.explanation)}, expected {expected}")
    if len(set(written.candidates)) < 2:
        raise ValueError(f"[candidates] found {shown(list(written.candidates))}, expected two or more different ones")
    if written.answer >= len(written.candidates):
        raise ValueError(f"[answer] found {written.answer}, expected 0 to {len(written.candidates) - 1}")
    try:
        text, target = _split_target(written.text)
    except FactorError as problem:
        expected = f"expected one target in brackets, or one {ZERO}; {problem}"
        raise ValueError(f"[text] found {shown(written.text)}, {expected}") from problem
    if lang in _HAS_HAN and bool(_HAN.search(text)) != _HAS_HAN[lang]:
        reason = f"not in the language of the study; found {shown(text)}, expected {lang!r}"
        raise ValueError(f"[text] {reason}: name another file in the design's practice")
    item = Record(
        id=written.id,
        schema=written.id,
        version="a",
        lang=lang,
        text=text,
        target=target,
        candidates=written.candidates,
        answer=written.answer,
        question=written.question,
        source=path.name,
    )
    return StudyRecord(item=item, pronouns=written.pronouns, explanation=written.explanation, trace=written.trace)


def _split_target(written: str) -> tuple[str, Span]:
    """Return the text without brackets or Ø, and its target."""
    text, spans = unbracket(written)
    if not spans and text.count(ZERO) == 1:
        start = text.index(ZERO)
        spans = [Span(start, start + len(ZERO))]
    if len(spans) != 1:
        raise FactorError(f"found {plural(len(spans), 'target')}")
    (target,) = spans
    if target.of(text) == ZERO:
        return text[: target.start] + text[target.end :], Span(target.start, target.start)
    return text, target


def read_attention(path: Path, lang: str) -> list[StudyRecord]:
    """Return the attention items of a file, in its order; the file has the form of practice, without explanations.

    Raises:
        PipelineError: see `read_practice`.
    """
    return [replace(record, part=ATTENTION) for record in read_practice(path, lang, explained=False)]


def read_form(path: Path, lang: str) -> list[StudyRecord]:
    """Return the one record of a form: its parts, without target, candidates or answer.

    `path` is a YAML mapping of `FORM_PARTS` to texts.

    Raises:
        PipelineError: the file is not YAML; a part is missing, unknown or no text.
    """
    node = load_yaml(path)
    written = convert_node(node, dict[str, Text], path)
    for name in {**dict.fromkeys(FORM_PARTS), **written}:
        if name not in written or name not in FORM_PARTS:
            problem = "unknown" if name in written else "missing"
            expected = f"expected {', '.join(FORM_PARTS)}"
            raise PipelineError(path, line_of(node, name) or line_of(node), f"[{name}] {problem} field; {expected}")
    parts = tuple(" ".join(written[name].split()) for name in FORM_PARTS)
    item = Record(
        id="form",
        schema="form",
        version="a",
        lang=lang,
        text=parts[0],
        target=None,
        candidates=(),
        answer=None,
        source=path.name,
    )
    return [StudyRecord(item=item, original=parts)]
