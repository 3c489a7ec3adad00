"""JSON Lines of fastcoref, which runs LingMess: texts in, clusters of character spans [start, end) out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...core.model import Span
from .clusters import Cluster, pairs_of


def writer(vocabulary: Path | None) -> Callable[[str, str], dict[str, Any]]:  # noqa: ARG001 - texts need none
    """Return a function from item id and text to an object with both; ``predict`` takes the texts."""
    return lambda name, text: {"id": name, "text": text}


def clusters(value: Mapping[str, Any], name: str, text: str) -> list[Cluster]:  # noqa: ARG001 - its output has no ids
    """Return the clusters of ``clusters``, as ``predict(…, output_file=…)`` writes them; raises `ValueError`."""
    if value.get("text") != text:
        raise ValueError(f"[text] another sentence; found {value.get('text')!r}, expected {text!r}")
    return [
        tuple(Span(start, end) for start, end in cluster)
        for cluster in pairs_of(value.get("clusters"), "clusters", len(text))
    ]
