"""`cluewsc-jsonl` and `superglue-wsc`: CLUEWSC 2020 (Xu et al. 2020), SuperGLUE's WSC and RWSD; a row has one candidate, true or false."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ...core.convert import convert_fields
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import UnreadableValue
from .draft import Draft, defect, member, require_latin, with_right_mentions
from .layout_drafts import TRUTHS, character_span, counted_spans, whole_number
from .rows import field_rows

#: Marks that some rows have behind the pronoun, and others of the same text have not.
_MARKS = " .,;:!?)\"'”’»"


@dataclass(frozen=True, slots=True)
class _Line:
    """A row: the text, the candidate, and the pronoun with its offset in characters (CLUEWSC) or words (SuperGLUE)."""

    text: str
    span1_text: str
    span2_text: str
    span2_index: Annotated[int, Meta(description="an offset")]
    label: Annotated[Any, Meta(description="true or false")]


def read_cluewsc(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of CLUEWSC; see `read_candidates`."""
    return read_candidates(data, path, lang or "zh", "CLUEWSC")


def read_superglue(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return the drafts of SuperGLUE's WSC, or of RWSD; see `read_candidates`."""
    drafts = read_candidates(data, path, lang or "en", "SuperGLUE")
    if not lang:
        for draft in drafts:
            require_latin(draft.text, path, draft.lines["id"])
    return drafts


def read_candidates(data: bytes, path: Path, lang: str, source: str) -> list[Draft]:
    """Return one draft for each pronoun of a text, in the order of their first rows; each is a schema of its own.

    The rows with the same text and pronoun give its candidates. Whether offsets count characters or words, all rows tell together.

    Raises:
        PipelineError: a row lacks a field; its label is no truth value; offsets fit both ways; the file has no row.
    """
    groups: dict[tuple[str, int, str], list[tuple[int, str, bool]]] = {}
    for number, row in field_rows(data, path):
        index = row.get("span2_index")
        if (
            isinstance(index, str) and whole_number(index).isdecimal() and len(index) < 9
        ):  # in a table, all cells are texts
            row = {**row, "span2_index": int(whole_number(index))}
        with errors_at(path, number):
            line = convert_fields(row, _Line)
        if not line.span2_text:
            raise PipelineError(path, number, "[span2_text] empty; expected a pronoun")
        label = _truth(row, path, number)
        form = line.span2_text.rstrip(_MARKS) or line.span2_text
        groups.setdefault((line.text, line.span2_index, form), []).append((number, line.span1_text, label))
    if not groups:
        raise PipelineError(path, None, "[file] no record; expected one a row")
    _, spans = counted_spans([(text, form, index) for text, index, form in groups], path, "span2_index")
    drafts = []
    for number, (((text, index, form), lines), target) in enumerate(zip(groups.items(), spans, strict=True), 1):
        right = list(dict.fromkeys(name for _, name, is_right in lines if is_right))
        wrong = {name for _, name, is_right in lines if not is_right}
        problems = []
        if both := [name for name in right if name in wrong]:
            reason = f"a candidate is both true and false; found {', '.join(both)}, expected one label"
            problems.append(defect("answer", reason))
        if target is None:
            there = text[max(0, index) :][: len(form)]
            reason = f"span2 is not where its index says; found {shown(there)}, expected {shown(form)}"
            problems.append(defect("target", reason))
            target = character_span(text, form, text.find(form))
        draft = Draft(
            schema=f"{source.casefold()}-{number:04}",
            version=member(0),
            lang=lang,
            text=text,
            candidates=tuple(dict.fromkeys(name for _, name, _ in lines)),
            gold=right[0] if right else None,
            target=target,
            source=f"{source} line {', '.join(str(line) for line, _, _ in lines)}",
            defects=tuple(problems),
            lines={"id": lines[0][0]},
        )
        drafts.append(with_right_mentions(draft, right) if len(right) > 1 and not both else draft)
    return drafts


def _truth(row: Mapping[str, Any], path: Path, number: int) -> bool:
    """Return whether the candidate of a row is right. A number is refused beside `target`: the hub's CLUE numbers true 0, SuperGLUE 1."""
    label = whole_number(str(row["label"]).strip().casefold())
    truths = {word: truth for word, truth in TRUTHS.items() if "target" not in row or word not in ("1", "0")}
    if isinstance(row["label"], UnreadableValue) or label not in truths:
        hint = " (-1 hides the label, as in a test set)" if label == "-1" else ""
        hint = " (a number may mean either: CLUE on the hub numbers true 0)" if label in ("0", "1") else hint
        reason = f"[label] not a truth value; found {shown(row['label'])}, expected true or false{hint}"
        raise PipelineError(path, number, reason)
    return truths[label]
