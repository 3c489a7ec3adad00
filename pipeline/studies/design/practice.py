"""Practice records, with which each list of a study begins."""

from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.model import Record, Span
from ...core.notation import FactorError, unbracket
from ...core.yamlfile import line_of, load_yaml, require_mapping
from ...winograd.zero_forms import ZERO
from .fields import StudyRecord

_TEXTS = ("id", "text", "explanation")
_REQUIRED = frozenset({*_TEXTS, "candidates", "answer"})
_OPTIONAL = frozenset({"question", "pronouns"})


def read_practice(path: Path, lang: str) -> list[StudyRecord]:
    """Return the practice records of a file, in its order.

    A text has its target in brackets, or Ø for a zero.

    Args:
        path: a YAML list of id, text, candidates, answer (the number of a candidate), explanation, perhaps question and pronouns.
        lang: the language of the texts.

    Raises:
        PipelineError: not YAML, a field that is missing, unknown or wrong, a text without its one target, an id given twice.
    """
    document = load_yaml(path)
    if not isinstance(document, list) or not document:
        raise PipelineError(path, line_of(document) or 1, "[practice] found no list, expected practice records")
    found: dict[str, StudyRecord] = {}
    for index, node in enumerate(document):
        asked = _practice(node, path, lang, line_of(document, index))
        if asked.id in found:
            raise PipelineError(path, line_of(document, index), f"[id] not unique; found {asked.id!r} twice")
        found[asked.id] = asked
    return list(found.values())


def _practice(node: Any, path: Path, lang: str, line: int | None) -> StudyRecord:
    entry = require_mapping(node, path, required=_REQUIRED, optional=_OPTIONAL)

    def wrong(name: str, expected: str) -> PipelineError:
        return PipelineError(path, line_of(entry, name) or line, f"[{name}] found {entry[name]!r}, expected {expected}")

    for name in (*_TEXTS, *(name for name in sorted(_OPTIONAL) if name in entry)):
        if not isinstance(entry[name], str) or not entry[name]:
            raise wrong(name, "text")
    candidates, answer = entry["candidates"], entry["answer"]
    if not isinstance(candidates, list) or len(set(map(str, candidates))) < 2:
        raise wrong("candidates", "two or more, not the same")
    if not isinstance(answer, int) or isinstance(answer, bool) or not 0 <= answer < len(candidates):
        raise wrong("answer", f"0 to {len(candidates) - 1}")
    try:
        text, target = _target(entry["text"])
    except FactorError as error:
        raise wrong("text", f"one target in brackets, or one {ZERO}; {error}") from error
    name = str(entry["id"])
    record = Record(
        id=name,
        schema=name,
        version="a",
        lang=lang,
        text=text,
        target=target,
        candidates=tuple(map(str, candidates)),
        answer=int(answer),  # a reader of YAML has its own kind of 0
        question=str(entry.get("question", "")),
        source=path.name,
    )
    return StudyRecord(record=record, pronouns=str(entry.get("pronouns", "")), explanation=str(entry["explanation"]))


def _target(written: str) -> tuple[str, Span]:
    text, spans = unbracket(written)
    if not spans and text.count(ZERO) == 1:
        start = text.index(ZERO)
        spans = [Span(start, start + len(ZERO))]
    if len(spans) != 1:
        raise FactorError(f"found {len(spans)} targets")
    (target,) = spans
    if target.of(text) == ZERO:
        return text[: target.start] + text[target.end :], Span(target.start, target.start)
    return text, target
