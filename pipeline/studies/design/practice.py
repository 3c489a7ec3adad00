"""Practice records, with which each list of a study begins."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, plural, shown
from ...core.files import require_unique
from ...core.model import Record, Span
from ...core.notation import FactorError, unbracket
from ...core.yamlfile import line_of, load_yaml, require_mapping
from ...winograd.zero_forms import ZERO
from .fields import StudyRecord

_TEXTS = ("id", "text")
_EXPLANATION = "explanation"
_HAN = re.compile(r"[\u4e00-\u9fff]")
#: Whether texts of a language have Chinese characters; a practice file does not name its language.
_HAS_HAN: Mapping[str, bool] = {"zh": True, "en": False, "de": False}
_REQUIRED = frozenset({*_TEXTS, "candidates", "answer"})
_OPTIONAL = frozenset({"question", "pronouns", "trace"})


def read_practice(path: Path, lang: str, *, explained: bool = True) -> list[StudyRecord]:
    """Return the practice records of a file, in its order.

    Args:
        path: a YAML list of records with id, text, candidates, answer (the number of a candidate, from 0) and explanation; question,
            pronouns and trace are optional. The target is in brackets in the text, or is Ø where it is a zero.
        lang: the language of the texts.
        explained: whether each record has an explanation; otherwise none has.

    Raises:
        PipelineError: the file is not YAML; a field is missing, unknown or malformed; a text has no target or several; an id is
            used twice;
            a Chinese text in a study in English, or the reverse.
    """
    document = load_yaml(path)
    if not isinstance(document, list) or not document:
        raise PipelineError(path, line_of(document) or 1, "[practice] found no list, expected practice records")
    records: list[StudyRecord] = []
    lines: dict[str, int | None] = {}
    for index, node in enumerate(document):
        record = _practice_record(node, path, lang, line_of(document, index), explained=explained)
        require_unique(lines, record.id, path, line_of(document, index))
        records.append(record)
    return records


def _practice_record(node: Any, path: Path, lang: str, line: int | None, *, explained: bool) -> StudyRecord:
    texts = (*_TEXTS, _EXPLANATION) if explained else _TEXTS
    entry = require_mapping(node, path, required=_REQUIRED | set(texts), optional=_OPTIONAL)

    def error(name: str, expected: str) -> PipelineError:
        return PipelineError(path, line_of(entry, name) or line, f"[{name}] found {entry[name]!r}, expected {expected}")

    for name in (*texts, *(name for name in sorted(_OPTIONAL) if name in entry)):
        if not isinstance(entry[name], str) or not entry[name]:
            raise error(name, "text")
    candidates, answer = entry["candidates"], entry["answer"]
    if not isinstance(candidates, list) or len(set(map(str, candidates))) < 2:
        raise error("candidates", "two or more different ones")
    if not isinstance(answer, int) or isinstance(answer, bool) or not 0 <= answer < len(candidates):
        raise error("answer", f"0 to {len(candidates) - 1}")
    try:
        text, target = _split_target(entry["text"])
    except FactorError as problem:
        raise error("text", f"one target in brackets, or one {ZERO}; {problem}") from problem
    if lang in _HAS_HAN and bool(_HAN.search(text)) != _HAS_HAN[lang]:
        reason = f"[text] not in the language of the study; found {shown(text)}, expected {lang!r}"
        raise PipelineError(
            path, line_of(entry, "text") or line, f"{reason}: name another file in the design's practice"
        )
    name = str(entry["id"])
    item = Record(
        id=name,
        schema=name,
        version="a",
        lang=lang,
        text=text,
        target=target,
        candidates=tuple(map(str, candidates)),
        answer=int(answer),  # a plain number: the YAML reader returns 0 as a class of its own
        question=str(entry.get("question", "")),
        source=path.name,
    )
    return StudyRecord(
        item=item,
        pronouns=str(entry.get("pronouns", "")),
        explanation=str(entry.get(_EXPLANATION, "")),
        trace=str(entry.get("trace", "")),
    )


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
