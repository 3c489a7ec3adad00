"""How frequent zeros are, and in which forms (EMNLP 2022, Table 3 and Figure 2)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import TYPE_CHECKING

from ..language.segmentation import cut
from .documents import ParallelText
from .pronouns import FORMS

if TYPE_CHECKING:
    from spacy.language import Language

#: Stands for the form of a zero without one.
UNTYPED = "untyped"


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The figures of a text.

    Attributes:
        documents: the boundaries of documents, which Table 3 seems to count; without any, 1.
        sentences: sentences.
        words_zh: words and marks of the Chinese sentences without their zeros, by Jieba.
        words_en: words and marks of the English sentences, by spaCy's tokenizer.
        zeros: all zeros, untyped ones included.
        sentences_with_zero: sentences with at least one of these zeros.
        sentences_with_two: sentences with at least two.
        forms: the zeros of each form, a key of `FORMS` or `UNTYPED`.
        labels: the zeros of each label, such as ``<他>_S``, the most frequent first.
    """

    documents: int
    sentences: int
    words_zh: int
    words_en: int
    zeros: int
    sentences_with_zero: int
    sentences_with_two: int
    forms: Mapping[str, int]
    labels: Mapping[str, int]

    @property
    def entropy(self) -> float | None:
        """The entropy of the labels in bits; None without a zero."""
        return entropy(self.labels.values())

    def share(self, form: str) -> float | None:
        """Return the share of a form among the zeros whose form is determined (Table 3, ZP Type Dist.).

        None if there is no such zero.
        """
        determined = sum(self.forms[name] for name in FORMS if name != "UN")
        return self.forms[form] / determined if determined else None


def frequencies(text: ParallelText) -> Frequencies:
    """Return the figures of a text."""
    pairs = text.pairs
    zeros = [zero for pair in pairs for zero in pair.source.zeros]
    forms = Counter(zero.form or UNTYPED for zero in zeros)
    labels = Counter(zero.label for zero in zeros)
    return Frequencies(
        documents=text.boundaries or 1,
        sentences=len(pairs),
        words_zh=sum(len(cut(pair.source.text)) for pair in pairs),
        words_en=sum(len(_english().tokenizer(pair.target)) for pair in pairs),
        zeros=len(zeros),
        sentences_with_zero=sum(len(pair.source.zeros) >= 1 for pair in pairs),
        sentences_with_two=sum(len(pair.source.zeros) >= 2 for pair in pairs),
        forms={name: forms[name] for name in (*FORMS, UNTYPED)},
        labels=dict(sorted(labels.items(), key=lambda entry: (-entry[1], entry[0]))),
    )


def entropy(counts: Iterable[int]) -> float | None:
    """Return the entropy of a distribution in bits; None if all counts are 0.

    >>> entropy([2, 2]), entropy([5]), entropy([])
    (1.0, 0.0, None)
    """
    positive = [count for count in counts if count]
    total = sum(positive)
    if not total:
        return None
    return sum(count / total * log2(total / count) for count in positive)


@cache
def _english() -> "Language":
    from ..language.spacy_parts import blank

    return blank("en")
