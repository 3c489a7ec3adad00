"""A release of invented pairs, and files of what systems answered to it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pipeline.core.convert import to_object
from pipeline.core.files import write_jsonl
from pipeline.evaluation.items import ReleasedItem


def write_release(folder: Path, items: Iterable[ReleasedItem]) -> Path:
    """Write the main data file and the card of a release, and return its folder."""
    rows = [to_object(entry.item) | {"text_zero": entry.text_zero, "kind": entry.traits["kind"]} for entry in items]
    write_rows(folder / "data" / "zh.jsonl", rows)
    (folder / "README.md").write_text("# winoforge zh\n", encoding="utf-8")
    return folder


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write JSON Lines, and return the path."""
    write_jsonl(path, rows)
    return path


def answers(model: str, mode: str, letters: str, **more: str) -> list[dict[str, str]]:
    """Return what a system answers to the items of pairs s-0000, s-0001 …: a letter for each, a blank for none."""
    return [
        {"id": f"s-{number // 2:04}-{'ab'[number % 2]}", "model": model, "mode": mode, "answer": letter, **more}
        for number, letter in enumerate(letters)
        if letter != " "
    ]
