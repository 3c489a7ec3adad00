"""How frequent zeros are, and in which forms (EMNLP 2022, Table 3 and Figure 2)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean

from ..language.segmentation import cut, english_words
from .documents import ParallelText
from .labels import FORMS

#: Stands for the form of a zero without one.
UNTYPED = "untyped"


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The figures of a text.

    Attributes:
        documents: the boundaries of documents, which Table 3 seems to count, and 1 if a sentence stands before the first.
        words_zh: words and marks of the Chinese sentences without their zeros, by Jieba.
        words_en: words and marks of the English sentences, by spaCy's tokenizer.
        zeros: all zeros, untyped ones included.
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
        """Return the share of a form among the zeros whose form is determined (Table 3, ZP Type Dist.); None without such zeros."""
        determined = sum(self.forms[name] for name in FORMS if name != "UN")
        return self.forms[form] / determined if determined else None

    def columns(self) -> dict[str, float | None]:
        """Return the figures under the column heads of Table 3: counts, thousands of words, percentages; and the entropy in bits."""
        shares = {"Sub.": self.share("S"), "Obj.": self.share("O"), "Pos.": self.share("Pa")}
        sentences = {">=1": self.sentences_with_zero, ">=2": self.sentences_with_two}
        return {
            "D": self.documents,
            "S": self.sentences,
            "W zh": self.words_zh / 1000,
            "W en": self.words_en / 1000,
            **{column: None if share is None else 100 * share for column, share in shares.items()},
            **{column: 100 * count / self.sentences for column, count in sentences.items()},
            "entropy": self.entropy,
        }


#: The columns of counts, whose sum Table 3 gives; of the others it gives the average.
SUMMED = ("D", "S", "W zh", "W en")


def total(parts: Sequence[Frequencies]) -> Frequencies:
    """Return the figures of several texts as of one; its shares weigh each zero and each sentence the same."""

    def added(mappings: Iterable[Mapping[str, int]]) -> Counter[str]:
        return sum((Counter(mapping) for mapping in mappings), Counter())

    forms, labels = added(part.forms for part in parts), added(part.labels for part in parts)
    return Frequencies(
        documents=sum(part.documents for part in parts),
        sentences=sum(part.sentences for part in parts),
        words_zh=sum(part.words_zh for part in parts),
        words_en=sum(part.words_en for part in parts),
        zeros=sum(part.zeros for part in parts),
        sentences_with_zero=sum(part.sentences_with_zero for part in parts),
        sentences_with_two=sum(part.sentences_with_two for part in parts),
        forms={name: forms[name] for name in (*FORMS, UNTYPED)},
        labels=_by_frequency(labels),
    )


def average(parts: Sequence[Frequencies]) -> dict[str, float | None]:
    """Return the last row of Table 3: sums of counts, and of shares the mean in which each genre weighs the same.

    A share that is undefined in a genre has no mean.
    """
    rows = [part.columns() for part in parts]
    result: dict[str, float | None] = {}
    for column in rows[0]:
        values = [value for row in rows if (value := row[column]) is not None]
        mean = fmean(values) if len(values) == len(rows) else None
        result[column] = sum(values) if column in SUMMED else mean
    return result


def frequencies(text: ParallelText) -> Frequencies:
    """Return the figures of a text."""
    pairs = text.pairs
    zeros = [zero for pair in pairs for zero in pair.source.zeros]
    forms = Counter(zero.form or UNTYPED for zero in zeros)
    labels = Counter(zero.label for zero in zeros)
    return Frequencies(
        documents=text.boundaries + (pairs[0].line == 1),
        sentences=len(pairs),
        words_zh=sum(len(cut(pair.source.text)) for pair in pairs),
        words_en=sum(len(english_words(pair.target)) for pair in pairs),
        zeros=len(zeros),
        sentences_with_zero=sum(len(pair.source.zeros) >= 1 for pair in pairs),
        sentences_with_two=sum(len(pair.source.zeros) >= 2 for pair in pairs),
        forms={name: forms[name] for name in (*FORMS, UNTYPED)},
        labels=_by_frequency(labels),
    )


def _by_frequency(labels: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(labels.items(), key=lambda entry: (-entry[1], entry[0])))


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
