"""`cluewsc-jsonl`: CLUEWSC 2020 (Xu et al. 2020); a line has one candidate, true or false."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ...core.convert import convert_fields
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import decode, parse_jsonl
from ...core.model import Span
from .draft import Draft, defect, member


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    target: Annotated[Mapping[str, Any], Meta(description="an object with span1_text, span2_text and span2_index")]
    label: Annotated[str | bool, Meta(description="true or false")]


@dataclass(frozen=True, slots=True)
class _Spans:
    """The target of a line: the candidate, and the pronoun with its offset in the text."""

    span1_text: str
    span2_text: str
    span2_index: Annotated[int, Meta(description="an offset")]


def _line(row: Mapping[str, Any], path: Path, number: int) -> tuple[str, _Spans, bool]:
    """Return the text of a line, its target, and whether the candidate is right."""
    with errors_at(path, number):
        line = convert_fields(row, _Line)
        spans = convert_fields(line.target, _Spans)
    if not spans.span2_text:
        raise PipelineError(path, number, "[span2_text] empty; expected a pronoun")
    label = str(line.label).lower()
    if label not in ("true", "false"):
        reason = f"[label] not a truth value; found {shown(line.label)}, expected true or false"
        raise PipelineError(path, number, reason)
    return line.text, spans, label == "true"


def read_cluewsc(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return one draft for each pronoun of a text, in the order of their first lines; each is a schema of its own.

    The lines with the same text and pronoun give its candidates.

    Raises:
        PipelineError: a line is not JSON or lacks a field; the file has no line.
    """
    groups: dict[tuple[str, int, str], list[tuple[int, str, bool]]] = {}
    for number, row in parse_jsonl(decode(data, path), path):
        text, spans, is_right = _line(row, path, number)
        key = (text, spans.span2_index, spans.span2_text)
        groups.setdefault(key, []).append((number, spans.span1_text, is_right))
    if not groups:
        raise PipelineError(path, None, "[file] no record; expected one a line")
    drafts = []
    for number, ((text, index, form), lines) in enumerate(groups.items(), 1):
        right = list(dict.fromkeys(name for _, name, is_right in lines if is_right))
        wrong = {name for _, name, is_right in lines if not is_right}
        problems = []
        if both := [name for name in right if name in wrong]:
            reason = f"a candidate is both true and false; found {', '.join(both)}, expected one label"
            problems.append(defect("answer", reason))
        if len(right) > 1:
            problems.append(defect("answer", f"more than one right answer; found {', '.join(right)}"))
        if index < 0 or not text.startswith(form, index):
            there = text[max(0, index) :][: len(form)]
            reason = f"span2 is not where its index says; found {shown(there)}, expected {shown(form)}"
            problems.append(defect("target", reason))
            index = text.find(form)
        drafts.append(
            Draft(
                schema=f"cluewsc-{number:04}",
                version=member(0),
                lang=lang or "zh",
                text=text,
                candidates=tuple(dict.fromkeys(name for _, name, _ in lines)),
                gold=right[0] if right else None,
                target=Span(index, index + len(form)) if index >= 0 else None,
                source=f"CLUEWSC line {', '.join(str(line) for line, _, _ in lines)}",
                defects=tuple(problems),
                lines={"id": lines[0][0]},
            )
        )
    return drafts
