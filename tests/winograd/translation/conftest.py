"""A server that speaks DeepL's interface, and a small English collection."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.core.model import Item
from pipeline.core.records import write_items
from tests.support.deepl_server import KEY, DeepLServer, deepl_server
from tests.support.items import marked

#: Pairs: frame with the target in 【】 and the words that differ, candidates, the answers of both members.
FRAMES = (
    (
        "The trophy does not fit into the suitcase because 【it】 is too {}.",
        ("large", "small"),
        ("The trophy", "the suitcase"),
    ),
    ("The kettle broke the cup because 【it】 was so {}.", ("heavy", "thin"), ("The kettle", "the cup")),
)


@pytest.fixture
def server() -> Iterator[DeepLServer]:
    with deepl_server() as server:
        yield server


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    return KEY


def english_items(pairs: int = 2) -> list[Item]:
    items = []
    for number in range(pairs):
        frame, words, candidates = FRAMES[number % len(FRAMES)]
        for answer, (version, word) in enumerate(zip("ab", words, strict=True)):
            text = frame.format(word) + (f" ({number})" if number >= len(FRAMES) else "")
            items.append(
                marked(text, f"en-{number:03}-{version}", lang="en", candidates=candidates, answer=answer,
                       question=f"What is too {word}?", source="us")
            )  # fmt: skip
    return items


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    write_items(path, english_items())
    return path
