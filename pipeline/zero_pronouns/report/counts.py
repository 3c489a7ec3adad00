"""The figures of a report that need the labelled texts only: counts, forms, entropy, the texts themselves."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ..frequencies import UNTYPED, Frequencies, frequencies, total
from ..pronouns import FORMS
from ..sample import Genre
from ..sentence import Sentence


def counted(genres: Sequence[Genre]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the counts of each genre, and those of all; shares are from 0 to 1, the entropy is in bits."""
    parts = [frequencies(genre.text) for genre in genres]
    return [_row(genre.name, part) for genre, part in zip(genres, parts, strict=True)], _row("all", total(parts))


def _row(name: str, part: Frequencies) -> dict[str, Any]:
    return {
        "name": name,
        "documents": part.documents,
        "sentences": part.sentences,
        "words_zh": part.words_zh,
        "words_en": part.words_en,
        "zeros": part.zeros,
        "with_zero": part.sentences_with_zero / part.sentences,
        "with_two": part.sentences_with_two / part.sentences,
        "forms": dict(part.forms),
        "labels": dict(part.labels),
        "entropy": part.entropy,
    }


def form_bars(row: dict[str, Any]) -> list[tuple[float, float, str, str]]:
    """Return the parts of a bar of forms as (start, width, form, label), start and width as shares of the bar."""
    bars, start = [], 0.0
    for form in (*FORMS, UNTYPED):
        if count := row["forms"][form]:
            width = count / row["zeros"]
            bars.append((start, width, form, f"{row['name']}: {FORMS.get(form, form)} {count} of {row['zeros']}"))
            start += width
    return bars


def shown_texts(genres: Sequence[Genre]) -> list[dict[str, Any]]:
    """Return the documents of each genre: each sentence in pieces, with the zero after a piece, and its translation."""
    return [
        {
            "name": genre.name,
            "documents": [
                [{"pieces": _pieces(pair.source), "translation": pair.target} for pair in document]
                for document in genre.text.documents
            ],
        }
        for genre in genres
    ]


def _pieces(sentence: Sentence) -> list[tuple[str, dict[str, str] | None]]:
    places = [0, *(zero.place for zero in sentence.zeros), len(sentence.text)]
    zeros = [{"label": zero.label, "pronoun": zero.pronoun} for zero in sentence.zeros]
    pieces = [sentence.text[start:end] for start, end in pairwise(places)]
    return list(zip(pieces, [*zeros, None], strict=True))
