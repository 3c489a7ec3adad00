"""Invented traces of invented systems, as `evaluate diagnose` writes them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.core.convert import to_object
from pipeline.core.model import Item
from tests.support.system_answers import write_rows

MODELS = ("x", "y")


def trace_rows(items: Iterable[Item], models: Iterable[str] = MODELS) -> list[dict[str, Any]]:
    """Return a trace of each system about each item: of even pairs errors, of odd ones controls."""
    return [
        {
            "id": f"{item.id}/{number}",
            "model": model,
            "form": "zero",
            "condition": condition,
            "rule": "all",
            "previous": item.answer if condition == "control" else 1 - item.answer,
            "language": "en",
            "prompt": f"Whom does Ø mean in {item.text}",
            "trace": f"1. System {number} reads {item.id}, {item.text}\n2. {'AB'[item.answer]}\n3. It is so.",
            "outcome": "letter",
            "choice": item.answer,
            "item": to_object(item),
        }
        for place, item in enumerate(items)
        for number, model in enumerate(models, 1)
        for condition in ("control" if place % 4 > 1 else "error",)
    ]


def write_traces(path: Path, items: Iterable[Item]) -> Path:
    """Write traces, and return the path."""
    return write_rows(path, trace_rows(items))
