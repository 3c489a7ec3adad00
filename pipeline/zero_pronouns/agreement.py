"""Agreement of people who labelled the zeros of the same sentences (EMNLP 2022, Table 3, Agree.).

The paper gives the average pairwise Cohen's kappa and does not say of what. Here it is the agreement on positions between characters,
on positions between words, and on whole sentences; of each, on whether there is a zero, and on which labels there are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import isclose
from pathlib import Path
from typing import Literal, get_args

from ..core.errors import PipelineError, plural, shown
from ..core.files import lines_of, read_text
from ..language.segmentation import cut
from ..statistics.agreement import cohen_kappa_of_counts
from ..statistics.intervals import BootstrapInterval, bootstrap_interval
from .documents import BOUNDARY
from .labels import Sentence, parse_sentence

#: What raters agree on: each position between characters, each position between words (Jieba), each sentence.
Unit = Literal["characters", "words", "sentences"]
UNITS: tuple[Unit, ...] = get_args(Unit)
#: The question of each unit: whether there is a zero, or which labels there are.
Question = Literal["zero or none", "labels"]
QUESTIONS: tuple[Question, ...] = get_args(Question)

#: A sentence as each rater labelled it.
Ratings = tuple[Sentence, ...]
#: The number of units with each combination of the raters' answers.
_Answers = Counter[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of raters on one question about one unit: the number of `units`, and of those on which all agree.

    `kappa` is the mean of the kappas of the `pairs` of raters, by their numbers from 0. `interval` is its 95 % bootstrap interval over
    documents; None for fewer than two documents, and if all resamples give the same value.
    """

    unit: Unit
    question: Question
    units: int
    agreed: int
    kappa: float | None
    interval: BootstrapInterval | None
    pairs: Mapping[tuple[int, int], float | None]


def read_ratings(paths: Sequence[Path]) -> tuple[list[list[Ratings]], list[str]]:
    """Return the sentences of each document as several raters labelled them, and the findings about labels; a file for each rater.

    Raises:
        PipelineError: the files have different lines, or no sentence.
    """
    files = [[line.strip() for line in lines_of(read_text(path))] for path in paths]
    for path, lines in zip(paths[1:], files[1:], strict=True):
        if len(lines) != len(files[0]):
            reason = f"[lines] not the same sentences; found {plural(len(lines), 'line')}, expected {len(files[0])} as in {paths[0]}"
            raise PipelineError(path, None, reason)
    documents: list[list[Ratings]] = [[]]
    findings = []
    for number, row in enumerate(zip(*files, strict=True), 1):
        sentences = []
        for path, line in zip(paths, row, strict=True):
            sentence, faults = parse_sentence(line)
            findings += [f"{path}:{number}: {fault}" for fault in faults]
            sentences.append(sentence)
            if sentence.text != sentences[0].text:
                reason = f"[sentence] another sentence than in {paths[0]}; found {shown(sentence.text)}"
                raise PipelineError(path, number, f"{reason}, expected {shown(sentences[0].text)}")
        if sentences[0].text == BOUNDARY:
            documents.append([])
        else:
            documents[-1].append(tuple(sentences))
    if not any(documents):
        raise PipelineError(paths[0], None, "[sentence] no sentence; expected labelled sentences")
    return [document for document in documents if document], findings


def agreements(
    documents: Sequence[Sequence[Ratings]],
    *,
    seed: int,
    resamples: int,
    units: Sequence[Unit] = UNITS,
    questions: Sequence[Question] = QUESTIONS,
) -> list[Agreement]:
    """Return the agreement on each question about each unit.

    The bootstrap resamples documents, because the zeros of a document depend on each other.
    """
    return [_agreement(documents, unit, question, seed, resamples) for unit in units for question in questions]


def _agreement(
    documents: Sequence[Sequence[Ratings]], unit: Unit, question: Question, seed: int, resamples: int
) -> Agreement:
    clusters = [
        Counter(answers for ratings in document for answers in unit_answers(ratings, unit, question))
        for document in documents
    ]
    total = _sum(clusters)
    pairs = _kappas(total)
    interval = bootstrap_interval([[cluster] for cluster in clusters], _mean_kappa, seed=seed, resamples=resamples)
    if interval and isclose(interval.low, interval.high):  # such an interval has no width, however few the documents
        interval = None
    return Agreement(
        unit=unit,
        question=question,
        units=total.total(),
        agreed=sum(count for answers, count in total.items() if len(set(answers)) == 1),
        kappa=_mean(pairs),
        interval=interval,
        pairs=pairs,
    )


def unit_answers(ratings: Ratings, unit: Unit, question: Question) -> Iterator[tuple[str, ...]]:
    """Yield the answers of the raters of a sentence for each of its units, in the order of the raters."""
    for place in [None] if unit == "sentences" else _places(ratings, unit):
        labels = [
            " ".join(zero.label for zero in sentence.zeros if place is None or zero.place == place)
            for sentence in ratings
        ]
        yield tuple(labels if question == "labels" else (str(bool(label)) for label in labels))


def _places(ratings: Ratings, unit: Unit) -> list[int]:
    """Return the positions where a zero could stand: offsets in the text, the last one included.

    Where a rater puts a zero within a word, that is a position too.
    """
    text = ratings[0].text
    if unit == "characters":
        return list(range(len(text) + 1))
    words = cut(text)
    ends = accumulate(map(len, words))
    offsets = [place for place, character in enumerate(text) if not character.isspace()]
    starts = [offsets[end - len(word)] for end, word in zip(ends, words, strict=True)]
    return sorted({*starts, len(text), *(zero.place for sentence in ratings for zero in sentence.zeros)})


def _sum(clusters: Sequence[_Answers]) -> _Answers:
    total: _Answers = Counter()
    for cluster in clusters:
        total.update(cluster)
    return total


def _kappas(answers: _Answers) -> dict[tuple[int, int], float | None]:
    """Return the kappa of each pair of raters."""
    raters = len(next(iter(answers)))
    result = {}
    for first, second in combinations(range(raters), 2):
        counts: Counter[tuple[str | int, str | int]] = Counter()
        for answer, count in answers.items():
            counts[answer[first], answer[second]] += count
        result[first, second] = cohen_kappa_of_counts(counts)
    return result


def _mean_kappa(clusters: Sequence[_Answers]) -> float | None:
    return _mean(_kappas(_sum(clusters)))


def _mean(kappas: Mapping[tuple[int, int], float | None]) -> float | None:
    """Return the mean of the kappas that are defined; None if none is (Light 1971)."""
    values = [kappa for kappa in kappas.values() if kappa is not None]
    return sum(values) / len(values) if values else None
