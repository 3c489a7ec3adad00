"""The texts that are scored.

An item has each candidate in the target's place (Trinh and Le 2018), or each candidate as the answer after the text and its question,
with the zero and with the pronoun.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.convert import Text, convert_fields
from ...core.errors import PipelineError, errors_at, shown
from ...language.answers.mentions import letter
from ...winograd.forms.substitution import scoring
from ..items import ReleasedItem
from ..predictions import Form

#: The name of the form, and of its file in a release.
FORM = "scoring"
#: In which forms of an item its answer is right, as `right_in_forms` counts them.
RIGHT_IN = ("both", "overt", "zero", "neither")


@dataclass(frozen=True, slots=True)
class _Row:
    """What is read of a row of the form `scoring`; the contexts in both forms are there in a language with zeros."""

    item: str
    candidate: str
    context: Text
    continuation: str
    partial: bool
    context_overt: str | None = None
    context_zero: str | None = None


@dataclass(frozen=True, slots=True)
class ScoringItem:
    """An item as it is scored."""

    entry: ReleasedItem
    contexts: tuple[str, ...]  # the text up to the candidate and with it, for each candidate in the item's own order
    continuations: tuple[str, ...]  # what follows each of them
    partial: bool  # whether the continuation has a word, so that there is a partial score

    @property
    def texts(self) -> tuple[str, ...]:
        """The whole text for each candidate."""
        return tuple(map("".join, zip(self.contexts, self.continuations, strict=True)))


def scoring_items(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem]
) -> list[ScoringItem]:
    """Return the items that have texts to score, in the order of the release; one without a row is left out.

    Args:
        lines: line and row of the release's form `scoring`; if there is none, as for templates, the form is made here.

    Raises:
        PipelineError: a row is malformed or of no item of the release; or the rows of an item are not those of its candidates.
    """
    rows = _rows_by_item(lines or list(enumerate(scoring(entry.item for entry in items).rows, 1)), path, items)
    return [_scoring_item(entry, rows[entry.item.id], path) for entry in items if entry.item.id in rows]


def _rows_by_item(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem]
) -> dict[str, list[tuple[int, _Row]]]:
    known = {entry.item.id for entry in items}
    rows: dict[str, list[tuple[int, _Row]]] = {}
    for line, fields in lines:
        with errors_at(path, line):
            row = convert_fields(fields, _Row)
        if row.item not in known:
            reason = f"[item] unknown id; found {shown(row.item)}, expected one of the {len(known)} of the release"
            raise PipelineError(path, line, reason)
        rows.setdefault(row.item, []).append((line, row))
    return rows


def _scoring_item(entry: ReleasedItem, rows: Sequence[tuple[int, _Row]], path: Path) -> ScoringItem:
    names = entry.item.candidates
    contexts: dict[str, str] = {}
    for line, row in rows:
        if row.candidate not in names or row.candidate in contexts:
            expected = f"expected each of {shown(list(names))} once"
            raise PipelineError(path, line, f"[candidate] wrong candidate; found {shown(row.candidate)}, {expected}")
        contexts[row.candidate] = row.context
    last, row = rows[-1]
    continuations = {row.continuation for _, row in rows}
    if len(contexts) < len(names) or len(continuations) > 1:
        mismatch = f"found {len(contexts)} candidates and {len(continuations)} continuations of {entry.item.id}"
        raise PipelineError(path, last, f"[continuation] not one item; {mismatch}, expected {len(names)} and 1")
    return ScoringItem(entry, tuple(contexts[name] for name in names), (row.continuation,) * len(names), row.partial)


def answer_items(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem], form: Form
) -> list[ScoringItem]:
    """Return the items with the text and its question as the context of each candidate, in the order of the release.

    They are the texts of the tasks `zero_answer` and `overt_answer` of a release. An item without a row is left out.

    Args:
        lines: line and row of the release's form `scoring`.

    Raises:
        PipelineError: a row has no context in this form or is of no item of the release, or the rows of an item have two contexts.
    """
    field = f"context_{form}"
    if not lines or field not in lines[0][1]:
        found = f"a row without {field}" if lines else "no such file"
        reason = f"no texts in both forms; found {found}, expected questions, of a language with zeros"
        raise PipelineError(path, None, f"[answer-score] {reason}")
    rows = _rows_by_item(lines, path, items)
    contexts: dict[str, str] = {}
    for item_id, of_item in rows.items():
        for line, row in of_item:
            context = row.context_zero if form == "zero" else row.context_overt
            if not context or contexts.setdefault(item_id, context) != context:
                expected = f"expected {shown(contexts.get(item_id, 'a text'))} in each row of {item_id}"
                raise PipelineError(path, line, f"[{field}] another context; found {shown(context)}, {expected}")
    return [_answer_item(entry, contexts[entry.item.id]) for entry in items if entry.item.id in contexts]


def _answer_item(entry: ReleasedItem, context: str) -> ScoringItem:
    names = entry.item.candidates
    blank = "" if entry.item.lang.startswith("zh") else " "
    return ScoringItem(entry, (context,) * len(names), tuple(f"{blank}{name}" for name in names), partial=True)


def right_in_forms(rows: Iterable[Mapping[str, Any]], items: Iterable[ReleasedItem]) -> dict[str, dict[str, int]]:
    """Return the number of items, and of pairs with both members right, by the forms in which a model is right (`RIGHT_IN`).

    Of the responses in one mode, those to an item in one form only are left out, and pairs with such an item.
    """
    by_id = {entry.item.id: entry.item for entry in items}
    right: dict[str, dict[str, bool]] = {}
    for row in rows:
        answer = letter(by_id[row["id"]].answer)
        right.setdefault(row["id"], {})[row["form"]] = row["answer"] == answer
    schemas: dict[str, list[dict[str, bool]]] = {}
    for item in by_id.values():
        schemas.setdefault(item.schema, []).append(right.get(item.id, {}))
    whole = [members for members in schemas.values() if len(members) == 2 and all(map(_both, members))]
    pairs = ({form: all(member[form] for member in members) for form in ("overt", "zero")} for members in whole)
    return {"items": _counts(given for given in right.values() if _both(given)), "pairs": _counts(pairs)}


def _both(given: Mapping[str, bool]) -> bool:
    return given.keys() >= {"overt", "zero"}


def _counts(given: Iterable[Mapping[str, bool]]) -> dict[str, int]:
    names = {(True, True): "both", (True, False): "overt", (False, True): "zero", (False, False): "neither"}
    counts = Counter(names[forms["overt"], forms["zero"]] for forms in given)
    return {name: counts[name] for name in RIGHT_IN}
