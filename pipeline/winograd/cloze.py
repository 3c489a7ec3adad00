"""Cloze items: texts with a gap for the pronoun, beside both antecedents with their grammatical genders."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..core.errors import PipelineError
from ..core.model import Item
from ..language.pronoun_classes import GAP
from .analysis import Analysis

#: The data files of a release of cloze items: the items with a gap, and with their pronoun.
CLOZE, ITEMS = "cloze", "winograd"


def cloze_item(item: Item, analysis: Analysis) -> dict[str, Any]:
    """Return the JSON object of the cloze item of an item, which `winoforge evaluate cloze` reads.

    Args:
        item: an item with an overt target, which becomes the gap.
        analysis: its analysis, with the genders of its candidates.

    Raises:
        PipelineError: the analysis gives no genders.
    """
    if len(analysis.genders) != len(item.candidates):
        reason = f"[cloze] no genders of {item.id}; found none in its schema, expected one for each candidate"
        raise PipelineError(None, None, reason)
    antecedents = zip(item.candidates, analysis.genders, strict=True)
    return {
        "id": item.id,
        "schema": item.schema,
        "lang": item.lang,
        "text": f"{item.text[: item.target.start]}{GAP}{item.text[item.target.end :]}",
        "antecedents": [{"text": text, "gender": gender} for text, gender in antecedents],
        "gold": item.answer,
        "pronoun": item.target.of(item.text),
        "version": item.version,
        "source": item.source,
        "register": analysis.register,
        "kind": analysis.kind,
        "question": item.question,
        "gloss": analysis.gloss,
        "note": item.note,
    }


def cloze_items(items: Iterable[Item], analyses: Mapping[str, Analysis]) -> list[dict[str, Any]]:
    """Return the JSON objects of the cloze items of items, in their order.

    Args:
        items: items with overt targets.
        analyses: the analysis of each, by id.

    Raises:
        PipelineError: an analysis gives no genders.
    """
    return [cloze_item(item, analyses[item.id]) for item in items]
