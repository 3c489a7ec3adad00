"""Agreement on labelled zeros: of people with each other, and of a system with the gold standard.

Of people, the paper gives the average pairwise Cohen's kappa (EMNLP 2022, Table 3, Agree.) and does not say of what. Here it is the
agreement on positions between characters, on positions between words, and on whole sentences; of each, on whether there is a zero, and on
which labels there are. Of a system, it has precision, recall and F1 of recovered zeros (AZPR, section 4.2), summed over sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import isclose
from pathlib import Path
from typing import Literal, get_args

from ..core.errors import PipelineError, shown
from ..core.files import lines_of, read_text
from ..language.segmentation import cut
from ..statistics.agreement import Overlap, cohen_kappa_of_counts
from ..statistics.intervals import BootstrapInterval, bootstrap_interval
from .documents import BOUNDARY, require_aligned
from .frequencies import UNTYPED
from .labels import FORMS, Sentence, parse_sentence

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
        PipelineError: the files have different numbers of lines or different sentences, or no sentence.
    """
    files = [[line.strip() for line in lines_of(read_text(path))] for path in paths]
    for path, lines in zip(paths[1:], files[1:], strict=True):
        require_aligned(path, len(lines), paths[0], len(files[0]))
    documents: list[list[Ratings]] = [[]]
    findings: list[str] = []
    for number, row in enumerate(zip(*files, strict=True), 1):
        sentences = _read_line(paths, row, number, findings)
        for path, sentence in zip(paths, sentences, strict=True):
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


def _read_line(paths: Sequence[Path], lines: Sequence[str], number: int, findings: list[str]) -> list[Sentence]:
    """Return the sentence of a line in each file; what is wrong with its labels is added to the findings."""
    sentences = []
    for path, line in zip(paths, lines, strict=True):
        sentence, faults = parse_sentence(line.strip())
        findings += [f"{path}:{number}: {fault}" for fault in faults]
        sentences.append(sentence)
    return sentences


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
    total: _Answers = sum(clusters, Counter())
    pairs = _kappas(total)
    places = [[place] for place in range(len(clusters))]
    interval = bootstrap_interval(places, _mean_kappa_of(clusters), seed=seed, resamples=resamples)
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


def _mean_kappa_of(clusters: Sequence[_Answers]) -> Callable[[Sequence[int]], float | None]:
    """Return the function that gives the mean kappa of clusters by their places, drawn with replacement: `_mean` of `_kappas`."""
    import numpy

    kinds = sorted({answers for cluster in clusters for answers in cluster})
    used = sorted({answer for answers in kinds for answer in answers})
    codes = numpy.array([[used.index(answer) for answer in answers] for answers in kinds]).T
    counts = numpy.array([[cluster[answers] for answers in kinds] for cluster in clusters])

    def mean_kappa(drawn: Sequence[int]) -> float | None:
        sums = numpy.bincount(drawn, minlength=len(clusters)) @ counts
        kappas = []
        for first, second in combinations(codes, 2):
            one, other = (numpy.bincount(answers, sums, len(used)) for answers in (first, second))
            if numpy.count_nonzero(one + other) > 1:  # of one category, kappa is undefined
                expected, observed = (
                    (one / sums.sum() * (other / sums.sum())).sum(),
                    sums[first == second].sum() / sums.sum(),
                )
                kappas.append((observed - expected) / (1 - expected))
        return float(numpy.mean(kappas)) if kappas else None

    return mean_kappa


def _mean(kappas: Mapping[tuple[int, int], float | None]) -> float | None:
    """Return the mean of the kappas that are defined; None if none is (Light 1971)."""
    values = [kappa for kappa in kappas.values() if kappa is not None]
    return sum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Recoveries:
    """How a system recovers zeros: with the same place, pronoun and form, by form, and with the same place and pronoun only."""

    overall: Overlap
    without_form: Overlap
    forms: dict[str, Overlap]  # by key of `FORMS` or `UNTYPED`, that the gold standard or the system has
    findings: tuple[str, ...]


def read_recovered(gold: Path, system: Path) -> Recoveries:
    """Compare a labelled text with what a system recovered in it.

    If the system changed the text itself, that is a finding, and none of the zeros of that sentence counts as recovered.
    """
    golds, systems = lines_of(read_text(gold)), lines_of(read_text(system))
    require_aligned(system, len(systems), gold, len(golds))
    pairs: list[tuple[Sentence, Sentence]] = []
    findings: list[str] = []
    for number, lines in enumerate(zip(golds, systems, strict=True), 1):
        if all(line.strip() == BOUNDARY for line in lines):
            continue
        first, second = _read_line((gold, system), lines, number, findings)
        if first.text != second.text:
            gold_text, system_text = shown(first.text), shown(second.text)
            reason = f"[sentence] not the text of {gold} without its labels; found {system_text}, expected {gold_text}"
            findings.append(f"{system}:{number}: {reason}")
        pairs.append((first, second))
    if not pairs:
        raise PipelineError(gold, None, f"[sentence] no sentence; expected sentences and lines with {BOUNDARY}")
    return recovery_scores(pairs, findings)


def recovery_scores(pairs: Sequence[tuple[Sentence, Sentence]], findings: Iterable[str] = ()) -> Recoveries:
    """Return the counts of sentences, each as the gold standard and as the system has it."""
    full, without = (_counts(pairs, with_form=with_form) for with_form in (True, False))
    names = [name for name in (*FORMS, UNTYPED) if any(zeros[name] for zeros in full)]
    forms = {name: Overlap(*(zeros[name] for zeros in full)) for name in names}
    return Recoveries(
        Overlap(*(zeros.total() for zeros in full)),
        Overlap(*(zeros.total() for zeros in without)),
        forms,
        tuple(findings),
    )


def _counts(pairs: Sequence[tuple[Sentence, Sentence]], *, with_form: bool) -> tuple[Counter[str], ...]:
    """Return the zeros of the system, of the gold standard and of both by form; a zero that stands twice counts twice."""
    sums: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    for sentences in pairs:
        gold, system = (
            Counter((zero.place, zero.pronoun, (zero.form or UNTYPED) if with_form else "") for zero in sentence.zeros)
            for sentence in sentences
        )
        both = gold & system if sentences[0].text == sentences[1].text else Counter()
        for counts, zeros in zip(sums, (system, gold, both), strict=True):
            for (_, _, form), count in zeros.items():
                counts[form] += count
    return sums
