"""Targets set by hand: raw/<collection>/targets.tsv, where a question does not tell the place that it asks about."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ...core.errors import PipelineError
from ...core.files import parse_tsv, read_text
from ...core.model import Span
from .draft import Draft

_COLUMNS = ("id", "start", "end", "form", "next", "reason")


def override_targets(drafts: Iterable[Draft], path: Path) -> list[Draft]:
    """Return the drafts with the targets of the table at `path`.

    The columns are id, start, end (code points), form (what stands there, nothing for a zero), next (the character that
    follows) and reason.

    Raises:
        PipelineError: an override no longer applies: its id is gone, or the text there has changed.
    """
    by_id = {draft.id: draft for draft in drafts}
    lines: dict[str, int] = {}
    for line, row in parse_tsv(read_text(path), path, _COLUMNS):
        draft = by_id.get(row["id"])
        if draft is None:
            raise PipelineError(path, line, f"[id] the override no longer applies; found no item {row['id']!r}")
        if row["id"] in lines:
            raise PipelineError(path, line, f"[id] not unique; found {row['id']!r} in line {lines[row['id']]} too")
        lines[row["id"]] = line
        try:
            span = Span(int(row["start"]), int(row["end"]))
        except ValueError as error:
            found = f"{row['start'][:20]!r} and {row['end'][:20]!r}"
            raise PipelineError(path, line, f"[start] no span; found {found}, expected offsets in order") from error
        form, after = span.of(draft.text), draft.text[span.end : span.end + 1]
        if span.end > len(draft.text) or (form, after) != (row["form"], row["next"]):
            reason = f"found {form!r} before {after!r}, expected {row['form']!r} before {row['next']!r}"
            raise PipelineError(path, line, f"[form] the override no longer applies; {reason}")
        by_id[draft.id] = replace(draft, target=span)
    return list(by_id.values())
