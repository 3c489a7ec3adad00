"""JSON Lines of CAW-coref and wl-coref: words in, clusters of word spans [start, end) out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...core.model import Span
from .clusters import Cluster, document_name, named, pairs_of, texts_of, token_spans


def writer(vocabulary: Path | None) -> Callable[[str, str], dict[str, Any]]:  # noqa: ARG001 - words need none
    """Return a function from item id and text to a document, whose words are those of spaCy's English tokenizer."""
    from spacy.lang.en import English

    tokenizer = English().tokenizer

    def document(name: str, text: str) -> dict[str, Any]:
        words = [token.text for token in tokenizer(text) if not token.is_space]
        return {"document_id": document_name(name), "cased_words": words, "sent_id": [0] * len(words)}

    return document


def clusters(value: Mapping[str, Any], name: str, text: str) -> list[Cluster]:
    """Return the clusters of ``span_clusters``; raises `ValueError` with a field-level reason."""
    named(value, "document_id", name)
    spans = token_spans(texts_of(value, "cased_words"), text)
    return [
        tuple(Span(spans[start].start, spans[end - 1].end) for start, end in cluster if start < end)
        for cluster in pairs_of(value.get("span_clusters"), "span_clusters", len(spans))
    ]
