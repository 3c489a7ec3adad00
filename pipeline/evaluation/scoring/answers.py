"""The answers that are scored: each candidate after the text and its question, with the zero and with the pronoun."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ..items import ReleasedItem
from ..predictions import Form
from .texts import ScoringItem, known_item, text_of_line

#: In which forms of an item its answer is right, as `right_in_forms` counts them.
RIGHT_IN = ("both", "overt", "zero", "neither")


def answer_items(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem], form: Form
) -> list[ScoringItem]:
    """Return the items with the text and its question as the context of each candidate, in the order of the release.

    They are the texts of the tasks `zero_answer` and `overt_answer` of a release.

    Args:
        lines: line and row of the release's form `scoring`.

    Returns:
        the items; one without a row is left out.

    Raises:
        PipelineError: a row has no context in this form or is of no item of the release, or the rows of an item have two contexts.
    """
    by_id = {entry.item.id: entry for entry in items}
    if not lines or f"context_{form}" not in lines[0][1]:
        reason = "no texts in both forms; found "
        reason += f"a row without context_{form}" if lines else "no such file"
        raise PipelineError(path, None, f"[answer-score] {reason}, expected a release of a language with zeros")
    contexts: dict[str, str] = {}
    for line, row in lines:
        name = known_item(row, by_id, path, line)
        context = text_of_line(row, f"context_{form}", path, line)
        if contexts.setdefault(name, context) != context or not context:
            expected = f"expected {shown(contexts[name])} in each row of {name}"
            raise PipelineError(path, line, f"[context_{form}] another context; found {shown(context)}, {expected}")
    return [_answer_item(entry, contexts[name]) for name, entry in by_id.items() if name in contexts]


def _answer_item(entry: ReleasedItem, context: str) -> ScoringItem:
    names = entry.item.candidates
    blank = "" if entry.item.lang.startswith("zh") else " "
    return ScoringItem(entry, (context,) * len(names), tuple(f"{blank}{name}" for name in names), partial=True)


def right_in_forms(rows: Iterable[Mapping[str, Any]], items: Iterable[ReleasedItem]) -> dict[str, dict[str, int]]:
    """Return the number of items, and of pairs with both members right, by the forms in which a model is right (`RIGHT_IN`).

    Args:
        rows: the responses in one mode, in both forms. Items with one of them are left out, and pairs with such an item.
    """
    by_id = {entry.item.id: entry.item for entry in items}
    right: dict[str, dict[str, bool]] = {}
    for row in rows:
        answer = chr(ord("A") + by_id[row["id"]].answer)
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
