"""JSON Lines of SpanBERT's coreference model: word pieces in, clusters of word piece spans [first, last] out."""

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import lines_of, read_text
from ...core.model import Span
from .clusters import UNKNOWN, Cluster, document_name, named, pairs_of, texts_of, token_spans

_FRAME = ("[CLS]", "[SEP]")
_INSTALL = "pip install --editable '.[coref]'"


def writer(vocabulary: Path | None) -> Callable[[str, str], dict[str, Any]]:
    """Return a function from item id and text to a document of one segment, cut by a cased BERT vocabulary.

    Raises:
        PipelineError: no vocabulary, one without BERT's special tokens, or the package tokenizers is missing.
    """
    if vocabulary is None:
        raise PipelineError(None, None, "[vocabulary] spanbert needs one; found none, expected --vocabulary vocab.txt")
    if importlib.util.find_spec("tokenizers") is None:
        raise PipelineError(None, None, f"[tokenizers] the package tokenizers is not installed; run {_INSTALL}")
    pieces = {piece: number for number, piece in enumerate(lines_of(read_text(vocabulary)))}
    for special in (*_FRAME, UNKNOWN):
        if special not in pieces:
            raise PipelineError(vocabulary, None, f"[vocabulary] no BERT vocabulary; found no {special}")
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(pieces, lowercase=False, strip_accents=False)

    def document(name: str, text: str) -> dict[str, Any]:
        encoded = tokenizer.encode(text)
        words = [number for number in encoded.word_ids if number is not None]
        speakers = ["-"] * len(words)
        return {
            "doc_key": document_name(name),
            "sentences": [list(encoded.tokens)],
            "speakers": [["[SPL]", *speakers, "[SPL]"]],
            "clusters": [],
            "sentence_map": [0] * len(encoded.tokens),
            "subtoken_map": [0, *words, words[-1] if words else 0],
        }

    return document


def clusters(value: Mapping[str, Any], name: str, text: str) -> list[Cluster]:
    """Return the clusters of ``predicted_clusters``; raises `ValueError` with a field-level reason."""
    named(value, "doc_key", name)
    segments = value.get("sentences")
    if not isinstance(segments, list):
        raise ValueError(f"[sentences] wrong kind; found {segments!r}, expected lists of word pieces")
    pieces = [piece for segment in segments for piece in texts_of({"sentences": segment}, "sentences")]
    inside = [number for number, piece in enumerate(pieces) if piece not in _FRAME]
    places = token_spans([pieces[number].removeprefix("##") for number in inside], text)
    spans = dict(zip(inside, places, strict=True))
    found = []
    for cluster in pairs_of(value.get("predicted_clusters"), "predicted_clusters", len(pieces) - 1):
        mentions = [[spans[number] for number in range(first, last + 1) if number in spans] for first, last in cluster]
        found.append(tuple(Span(mention[0].start, mention[-1].end) for mention in mentions if mention))
    return found
