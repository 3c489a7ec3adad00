"""Items for tests: a text with its target in 【】, and what a grammar makes of many items."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from pipeline.core.model import Item, Span
from pipeline.language.grammar.base import GrammarError

T = TypeVar("T")


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


def made_of(items: Iterable[Item], make: Callable[[Item, int], T]) -> tuple[list[tuple[Item, int, T]], Counter[str]]:
    """Return what is made of each candidate of some items, and how often each reason kept it from being made."""
    made, refused = [], Counter[str]()
    for item in items:
        for index in range(2):
            try:
                made.append((item, index, make(item, index)))
            except GrammarError as error:
                refused[str(error).split(";")[0]] += 1
    return made, refused
