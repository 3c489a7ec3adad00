"""`cluewsc-jsonl`: CLUEWSC 2020 (Xu et al. 2020); a line has one candidate, true or false."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import decode, parse_jsonl
from ...core.model import Span
from .draft import Draft, defect, member


def _check(row: Mapping[str, Any], path: Path, line: int) -> None:
    _check_field(row, "text", str, "text", path, line)
    _check_field(row, "target", dict, "an object with span1_text, span2_text and span2_index", path, line)
    _check_field(row, "label", (str, bool), "true or false", path, line)
    for name in ("span1_text", "span2_text"):
        _check_field(row["target"], name, str, "text", path, line)
    _check_field(row["target"], "span2_index", int, "an offset", path, line)
    if not row["target"]["span2_text"]:
        raise PipelineError(path, line, "[span2_text] empty; expected a pronoun")
    if str(row["label"]).lower() not in {"true", "false"}:
        raise PipelineError(
            path, line, f"[label] not a truth value; found {shown(row['label'])}, expected true or false"
        )


def _check_field(
    row: Mapping[str, Any], name: str, kind: type | tuple[type, ...], expected: str, path: Path, line: int
) -> None:
    if name not in row:
        raise PipelineError(path, line, f"[{name}] missing field; expected {expected}")
    if not isinstance(row[name], kind) or (kind is int and isinstance(row[name], bool)):
        raise PipelineError(path, line, f"[{name}] wrong kind; found {shown(row[name])}, expected {expected}")


def read_cluewsc(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return one draft for each pronoun of a text, in the order of their first lines; each is a schema of its own.

    The lines with the same text and pronoun give its candidates.

    Raises:
        PipelineError: a line is not JSON or lacks a field; the file has no line.
    """
    groups: dict[tuple[str, int, str], list[tuple[int, str, bool]]] = {}
    for line, row in parse_jsonl(decode(data, path), path):
        _check(row, path, line)
        target = row["target"]
        key = (row["text"], target["span2_index"], target["span2_text"])
        groups.setdefault(key, []).append((line, target["span1_text"], str(row["label"]).lower() == "true"))
    if not groups:
        raise PipelineError(path, None, "[file] no record; expected one a line")
    drafts = []
    for number, ((text, index, form), lines) in enumerate(groups.items(), 1):
        schema, version = f"cluewsc-{number:04}", member(0)
        names = list(dict.fromkeys(name for _, name, _ in lines))
        right = list(dict.fromkeys(name for _, name, is_right in lines if is_right))
        problems = []
        both = [name for name in right if any(name == other and not is_right for _, other, is_right in lines)]
        if both:
            reason = f"a candidate is both true and false; found {', '.join(both)}, expected one label"
            problems.append(defect("answer", reason))
        if len(right) > 1:
            problems.append(defect("answer", f"more than one right answer; found {', '.join(right)}"))
        if index < 0 or not text.startswith(form, index):
            there = text[max(0, index) :][: len(form)]
            problems.append(
                defect("target", f"span2 is not where its index says; found {shown(there)}, expected {shown(form)}")
            )
            index = text.find(form)
        drafts.append(
            Draft(
                id=f"{schema}-{version}",
                schema=schema,
                version=version,
                lang=lang or "zh",
                text=text,
                candidates=tuple(names),
                gold=right[0] if right else None,
                target=Span(index, index + len(form)) if index >= 0 else None,
                source=f"CLUEWSC line {', '.join(str(line) for line, _, _ in lines)}",
                defects=tuple(problems),
                lines={"id": lines[0][0]},
            )
        )
    return drafts
