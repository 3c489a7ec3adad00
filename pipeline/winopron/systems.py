"""Files that coreference systems read and write: texts in, clusters of mentions out."""

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..core.alignment import align, literal_end
from ..core.convert import Count, convert_fields
from ..core.errors import PipelineError, shown
from ..core.files import lines_of, read_text
from ..core.model import Span
from ..core.packages import require_packages
from .instances import Instance

Cluster = tuple[Span, ...]
#: The clusters of an output, whose mentions are pairs of indices.
_Clusters = list[list[tuple[Count, Count]]]
#: Makes the input of a system from an item id and a text.
Writer = Callable[[str, str], dict[str, Any]]

#: Prefix of document names: OntoNotes' web texts. Systems take the genre from the first two letters.
_GENRE = "wb"
#: Fields of outputs that say whose they are.
_KEYS = ("document_id", "doc_key", "id", "text")
_FRAME = ("[CLS]", "[SEP]")
_UNKNOWN = "[UNK]"
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class SystemFormat:
    """The file format of a system.

    Attributes:
        writer: returns a function from item id and text to the input; SpanBERT needs a vocabulary, others ignore it.
        clusters: returns the clusters of an output as spans of the text, given the output, the item id and the text;
            raises `ValueError` with a reason that starts with the field.
    """

    writer: Callable[[Path | None], Writer]
    clusters: Callable[[Mapping[str, Any], str, str], list[Cluster]]


def answer(sentence: Instance, clusters: Sequence[Cluster]) -> str:
    """Return the other mentions of the pronoun's cluster in text order, or an empty string.

    WinoPron's authors take the first of these mentions; with all of them, a cluster that holds both entities is no answer.
    """
    target = sentence.item.target
    mentions = {span for cluster in clusters if target in cluster for span in cluster if span != target}
    return "; ".join(span.of(sentence.item.text) for span in sorted(mentions))


def in_order(
    outputs: Sequence[tuple[int, Mapping[str, Any]]], sentences: Sequence[Instance]
) -> list[tuple[int, Mapping[str, Any]]]:
    """Return as many outputs in the order of their sentences, found by id, else by text; those of neither fill the places left.

    fastcoref writes texts by their length.
    """
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, sentence in enumerate(sentences):
        for key in (sentence.item.id, _document_name(sentence.item.id), sentence.item.text):
            places[key].append(place)
    placed: dict[int, tuple[int, Mapping[str, Any]]] = {}
    others: list[tuple[int, Mapping[str, Any]]] = []
    for output in outputs:
        found = (output[1].get(field) for field in _KEYS)
        free = (spot for key in found if isinstance(key, str) for spot in places.get(key, ()) if spot not in placed)
        if (position := next(free, None)) is None:
            others.append(output)
        else:
            placed[position] = output
    left = iter(others)
    return [placed.get(place) or next(left) for place in range(len(sentences))]


# --- CAW-coref and wl-coref: words in, word spans [start, end) out ----------------------------------------------------


def _caw_coref_writer(_: Path | None) -> Writer:
    from ..language.spacy_parts import blank

    tokenizer = blank("en").tokenizer

    def document(name: str, text: str) -> dict[str, Any]:
        words = [token.text for token in tokenizer(text) if not token.is_space]
        return {"document_id": _document_name(name), "cased_words": words, "sent_id": [0] * len(words)}

    return document


@dataclass(frozen=True, slots=True)
class _CawCorefOutput:
    document_id: str
    cased_words: list[str]
    span_clusters: _Clusters


def _caw_coref_clusters(output: Mapping[str, Any], name: str, text: str) -> list[Cluster]:
    document = convert_fields(output, _CawCorefOutput)
    _require_name(document.document_id, "document_id", name)
    spans = token_spans(document.cased_words, text)
    _require_inside(document.span_clusters, "span_clusters", len(spans))
    return [
        tuple(Span(spans[start].start, spans[end - 1].end) for start, end in cluster if start < end)
        for cluster in document.span_clusters
    ]


# --- fastcoref, which runs LingMess: texts in, character spans [start, end) out; other programs write spans of tokens --


def _lingmess_writer(_: Path | None) -> Writer:
    return lambda name, text: {"id": name, "text": text}  # `predict` takes the texts


@dataclass(frozen=True, slots=True)
class _LingmessOutput:
    text: str
    clusters: _Clusters
    clusters_strings: list[list[str]] | None = None
    tokens: list[str] | None = None


def _lingmess_clusters(output: Mapping[str, Any], _: str, text: str) -> list[Cluster]:
    document = convert_fields(output, _LingmessOutput)
    if document.text != text:  # the output of `predict(…, output_file=…)` has no ids
        raise ValueError(f"[text] another sentence; found {shown(document.text)}, expected {shown(text)}")
    readings = [_character_clusters(document.clusters, text)]
    strings = document.clusters_strings
    if document.tokens:
        with suppress(ValueError):  # tokens of another text, or pieces of words
            places = token_spans(document.tokens, text)
            readings += [_token_clusters(document.clusters, places, behind, bool(strings)) for behind in (0, 1)]
    fitting = [clusters for clusters in readings if clusters is not None]
    if strings:
        forms = [[_unspaced(form) for form in cluster] for cluster in strings]
        fitting = [
            clusters
            for clusters in fitting
            if [[_unspaced(span.of(text)) for span in cluster] for cluster in clusters] == forms
        ]
    if not fitting or any(clusters != fitting[0] for clusters in fitting):
        kinds = "both characters and tokens" if fitting else "neither characters nor tokens"
        expected = (
            "expected mentions as in clusters_strings" if strings or fitting else "expected [start, end] of mentions"
        )
        raise ValueError(f"[clusters] spans fit {kinds} of the text; found {shown(document.clusters)}, {expected}")
    return fitting[0]


def _character_clusters(clusters: _Clusters, text: str) -> list[Cluster] | None:
    """Return clusters whose spans count characters; None if one is not in the text, or begins or ends in a word or beside a blank."""
    for start, end in itertools.chain.from_iterable(clusters):
        form, borders = text[start:end], [text[place - 1 : place + 1] for place in (start, end)]
        is_cut = any(len(border) == 2 and border.isalnum() for border in borders)
        if not start < end <= len(text) or form != form.strip() or is_cut:
            return None
    return [tuple(Span(start, end) for start, end in cluster) for cluster in clusters]


def _token_clusters(clusters: _Clusters, tokens: Sequence[Span], behind: int, is_checked: bool) -> list[Cluster] | None:
    """Return clusters whose spans count tokens; None if one is not among them.

    Args:
        behind: 0 if the second index of a span is that behind its last token, 1 if it is that of the last token.
        is_checked: whether the words of the mentions are known. Otherwise the last token is meant if a mention has one token alone, as
            a pronoun has, whose indices are then the same.
    """
    spans = list(itertools.chain.from_iterable(clusters))
    if any(not first < last + behind <= len(tokens) for first, last in spans):
        return None
    if behind and not is_checked and all(first < last for first, last in spans):
        return None
    return [
        tuple(Span(tokens[first].start, tokens[last + behind - 1].end) for first, last in cluster)
        for cluster in clusters
    ]


def _unspaced(form: str) -> str:
    return "".join(form.split())


# --- SpanBERT: word pieces in, word piece spans [first, last] out -----------------------------------------------------


def _spanbert_writer(vocabulary: Path | None) -> Writer:
    """Return a writer of documents of one segment, in word pieces of a cased BERT vocabulary.

    Raises:
        PipelineError: no vocabulary, one without BERT's special tokens, or no package tokenizers.
    """
    if vocabulary is None:
        raise PipelineError(None, None, "[vocabulary] missing for spanbert; expected --vocabulary vocab.txt")
    require_packages("coref", "tokenizers")
    pieces = {piece: number for number, piece in enumerate(lines_of(read_text(vocabulary)))}
    for special in (*_FRAME, _UNKNOWN):
        if special not in pieces:
            raise PipelineError(vocabulary, None, f"[vocabulary] not a BERT vocabulary; found no {special}")
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(pieces, lowercase=False, strip_accents=False)

    def document(name: str, text: str) -> dict[str, Any]:
        encoded = tokenizer.encode(text)
        words = [number for number in encoded.word_ids if number is not None]
        return {
            "doc_key": _document_name(name),
            "sentences": [list(encoded.tokens)],
            "speakers": [["[SPL]", *("-" for _ in words), "[SPL]"]],
            "clusters": [],
            "sentence_map": [0] * len(encoded.tokens),
            "subtoken_map": [0, *words, words[-1] if words else 0],
        }

    return document


@dataclass(frozen=True, slots=True)
class _SpanbertOutput:
    doc_key: str
    sentences: list[list[str]]
    predicted_clusters: _Clusters


def _spanbert_clusters(output: Mapping[str, Any], name: str, text: str) -> list[Cluster]:
    document = convert_fields(output, _SpanbertOutput)
    _require_name(document.doc_key, "doc_key", name)
    pieces = [piece for segment in document.sentences for piece in segment]
    inside = [number for number, piece in enumerate(pieces) if piece not in _FRAME]
    places = token_spans([pieces[number].removeprefix("##") for number in inside], text)
    spans = dict(zip(inside, places, strict=True))
    _require_inside(document.predicted_clusters, "predicted_clusters", len(pieces) - 1)
    clusters = []
    for cluster in document.predicted_clusters:
        mentions = [[spans[number] for number in range(first, last + 1) if number in spans] for first, last in cluster]
        clusters.append(tuple(Span(mention[0].start, mention[-1].end) for mention in mentions if mention))
    return clusters


SystemName = Literal["caw-coref", "lingmess", "spanbert"]
SYSTEMS: Mapping[SystemName, SystemFormat] = {
    "caw-coref": SystemFormat(_caw_coref_writer, _caw_coref_clusters),
    "lingmess": SystemFormat(_lingmess_writer, _lingmess_clusters),
    "spanbert": SystemFormat(_spanbert_writer, _spanbert_clusters),
}


# --- shared -----------------------------------------------------------------------------------------------------------


def token_spans(tokens: Sequence[str], text: str) -> list[Span]:
    """Return the span of each token in the text, in order; an unknown word piece matches the next word.

    Raises:
        ValueError: the tokens do not make up the text.
    """
    try:
        return align(tokens, text, _piece_end)
    except ValueError as error:
        raise ValueError(f"[tokens] not the sentence's; {error}") from error


def _piece_end(token: str, text: str, start: int) -> int | None:
    if token != _UNKNOWN:
        return literal_end(token, text, start)
    word = _WORD.match(text, start)
    return word.end() if word else None


def _document_name(name: str) -> str:
    return f"{_GENRE}_{name}"


def _require_name(found: str, field: str, name: str) -> None:
    """Refuse the output for another item."""
    if found != _document_name(name):
        raise ValueError(f"[{field}] another document; found {shown(found)}, expected {_document_name(name)!r}")


def _require_inside(clusters: _Clusters, field: str, size: int) -> None:
    """Refuse a mention that ends before it begins, or behind the sentence."""
    for first, last in itertools.chain.from_iterable(clusters):
        if not first <= last <= size:
            reason = f"found {shown([first, last])}, expected lists of mentions [start, end] up to {size}"
            raise ValueError(f"[{field}] mention outside the sentence; {reason}")
