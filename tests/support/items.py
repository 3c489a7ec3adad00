"""Items for tests: a text with its target in 【】."""

from pipeline.core.model import Item, Span


def marked(text: str, name: str = "t-0001-a", **fields: object) -> Item:
    """Return an item whose target is what stands in 【】."""
    start, end = text.index("【"), text.index("】") - 1
    plain = text.replace("【", "").replace("】", "")
    defaults: dict[str, object] = {
        "schema": name.rsplit("-", 1)[0],
        "version": name.rsplit("-", 1)[1],
        "lang": "zh",
        "candidates": ("甲", "乙"),
        "answer": 0,
    }
    return Item(id=name, text=plain, target=Span(start, end), **{**defaults, **fields})  # type: ignore[arg-type]
