"""What is translated, and in which requests."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.winograd.translation.draft import (
    MAX_TEXTS,
    Options,
    SourceText,
    batches,
    characters,
    item_parts,
)

from .conftest import english_items

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)
SOURCES = st.lists(
    st.builds(SourceText, TEXTS, st.sampled_from(["", "He sat.", "Ärger mit „Anführung“ 🙂"])), max_size=150
)


def test_the_parts_of_a_pair() -> None:
    first, second = english_items(1)
    parts = item_parts([first, second])
    assert [(part.id, part.field, part.right) for part in parts] == [
        (f"en-000-{version}", field, field == right)
        for version, right in (("a", "candidate-1"), ("b", "candidate-2"))
        for field in ("text", "question", "candidate-1", "candidate-2")
    ]
    assert parts[0].shown == "The trophy does not fit into the suitcase because [it] is too large."
    assert parts[0].source == SourceText(first.text)
    assert parts[1].source == SourceText("What is too large?", first.text)
    assert parts[5].source == SourceText("What is too small?", second.text)
    assert parts[2].source == parts[6].source == SourceText("The trophy", first.text), "paid for once"


def test_characters_are_code_points_of_texts_without_contexts() -> None:
    assert characters([SourceText("Äh 🙂", "a context"), SourceText("ab")]) == 6


@given(SOURCES)
def test_requests_have_each_text_once_and_keep_the_limits(sources: list[SourceText]) -> None:
    made = batches(sources)
    sent = [source for batch in made for source in batch.sources]
    assert sorted(sent, key=repr) == sorted(set(sources), key=repr)
    assert all(1 <= len(batch.texts) <= MAX_TEXTS for batch in made)


@settings(max_examples=25)
@given(st.lists(st.tuples(TEXTS, st.integers(1, 4_000)), min_size=1, max_size=30))
def test_no_request_is_larger_than_128_kib(texts: list[tuple[str, int]]) -> None:
    for batch in batches([SourceText((text * times)[:10_000], "context") for text, times in texts]):
        assert len(json.dumps({"text": batch.texts, "context": batch.context})) <= 128 * 1024 - 1000


def test_a_text_that_no_request_holds_is_refused() -> None:
    batches([SourceText("a" * 130_000)])
    with pytest.raises(PipelineError, match=r"^\[text\] too long for DeepL"):
        batches([SourceText("ä" * 22_000)])  # six bytes each
    with pytest.raises(PipelineError, match=r"^\[text\] too long for DeepL"):
        batches([SourceText("a", "b" * 131_000)])


def test_each_option_makes_another_key() -> None:
    options = [
        Options("EN", "DE"),
        Options("FR", "DE"),
        Options("EN", "NL"),
        Options("EN", "DE", "more"),
        Options("EN", "DE", glossary="id:1"),
    ]
    sources = [SourceText("a"), SourceText("a", "b"), SourceText("b", "a")]
    assert len({each.key(source) for each in options for source in sources}) == len(options) * len(sources)
