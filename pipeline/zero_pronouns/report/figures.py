"""The figures of a report: counts, agreement of readers, how systems translated the zeros, and other metrics of their translations."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError
from ..agreement import agreements, read_ratings
from ..documents import ALL, LABELS, SYSTEMS, Genre, require_aligned
from ..exports.texts import english_tokens, tokens
from ..frequencies import Frequencies, frequencies, total
from ..sample import ALIGNMENT, FAULTS, planted_faults, zeros_of
from ..translation.alignment import index_notes, links_inside, read_links
from ..translation.details import Verdict
from ..translation.judge import CORRECTED, PUBLISHED, AlignedSentence, Translation, accuracy, by_form
from ..translation.metrics import PAPER, TESTS, paired_test, sign_test, text_scores

#: Seed, and number of resamples, of the intervals of κ.
KAPPA_SEED, KAPPA_RESAMPLES = 0, 1000
#: Seed, and number of resamples and of trials, of the tests against a baseline.
TEST_SEED, TEST_SAMPLES = 12345, 1000


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a genre; see `Frequencies`. Shares of sentences are from 0 to 1, the entropy is in bits."""

    name: str
    documents: int
    sentences: int
    words_zh: int
    words_en: int
    zeros: int
    with_zero: float
    with_two: float
    forms: Mapping[str, int]
    labels: Mapping[str, int]
    entropy: float | None


@dataclass(frozen=True, slots=True)
class ReaderAgreement:
    """κ of the labels of a genre by position between words, or by sentence, with its 95 % interval; `equal` is a share from 0 to 1."""

    genre: str
    unit: str
    units: int
    equal: float
    kappa: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class TranslatedZeros:
    """AZPT of a system in a genre, from 0 to 1, as the authors' tool judges if it counts a zero, and without its errors.

    Outcomes, and the (right, all) zeros of each form, are those without its errors.
    """

    system: str
    genre: str
    zeros: int
    published: float | None
    corrected: float
    outcomes: Mapping[str, int]
    forms: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NoticedFaults:
    """Zeros of a system with a kind of planted fault, empty for sound ones, and how many of them each mode calls wrong."""

    system: str
    fault: str
    zeros: int
    published: int
    corrected: int


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The scores of a system by metric over all sentences, or those with a zero.

    `tests` has the p of each test of the paper's BLEU against the baseline; none for the baseline itself.
    """

    system: str
    scope: str
    sentences: int
    scores: Mapping[str, float]
    tests: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a report, in the order of its JSON; `signatures` has the settings of each metric."""

    genres: Sequence[Counts]
    all: Counts
    agreement: Sequence[ReaderAgreement]
    translations: Sequence[TranslatedZeros]
    faults: Sequence[NoticedFaults]
    baseline: str
    metrics: Sequence[SystemScores]
    signatures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Judged:
    """The zeros of a genre in a system's translation: the verdicts of the authors' tool, and one for every zero without its errors."""

    system: str
    genre: Genre
    translation: Translation
    published: Sequence[Verdict]
    corrected: Sequence[Verdict]


def judge_systems(folder: Path, genres: Sequence[Genre]) -> list[Judged]:
    """Return the verdicts on the zeros of each genre in each system's translation, by system; none for a genre without zeros."""
    with_zeros = [genre for genre in genres if any(pair.source.zeros for pair in genre.text.pairs)]
    systems = sorted({system for genre in with_zeros for system in genre.outputs})
    return [_judged(folder, system, genre) for system in systems for genre in with_zeros if system in genre.outputs]


def _judged(folder: Path, system: str, genre: Genre) -> Judged:
    path = folder / ALIGNMENT / system / f"{genre.name}.align"
    alignment, outputs = read_links(path), genre.outputs[system]
    require_aligned(path, len(alignment), folder / f"{genre.name}.zh", len(outputs))
    sentences = []
    for number, (pair, output, links) in enumerate(zip(genre.text.pairs, outputs, alignment, strict=True), 1):
        words, target = tuple(tokens(pair.source)), tuple(english_tokens(output))
        kept, faults = links_inside(links, words, target)
        if faults:
            raise PipelineError(path, number, faults[0])
        sentences.append(AlignedSentence(words, target, kept))
    translation = Translation(tuple(sentences), tuple(index_notes(path, alignment)), path)
    return Judged(system, genre, translation, translation.verdicts(PUBLISHED), translation.verdicts(CORRECTED))


def report_figures(folder: Path, genres: Sequence[Genre], rows: Sequence[Judged], baseline: str) -> Figures:
    """Return the figures of a report on the genres of a sample; the baseline is the system that the others are tested against."""
    parts = [frequencies(genre.text) for genre in genres]
    has_systems = any(genre.outputs for genre in genres)
    metrics, signatures = _metrics(folder, genres, baseline) if has_systems else ([], {})
    return Figures(
        [_counts(genre.name, part) for genre, part in zip(genres, parts, strict=True)],
        _counts(ALL, total(parts)),
        _agreement(folder, genres),
        _translations(rows),
        _faults(folder, rows),
        baseline,
        metrics,
        signatures,
    )


def _counts(name: str, part: Frequencies) -> Counts:
    return Counts(
        name,
        part.documents,
        part.sentences,
        part.words_zh,
        part.words_en,
        part.zeros,
        part.sentences_with_zero / part.sentences,
        part.sentences_with_two / part.sentences,
        part.forms,
        part.labels,
        part.entropy,
    )


def _agreement(folder: Path, genres: Sequence[Genre]) -> list[ReaderAgreement]:
    """Return the agreement in each genre that several readers labelled, and in all of them."""
    documents = {}
    for genre in genres:
        if len(genre.readings) > 1:
            paths = [folder / LABELS / reader / f"{genre.name}.zh" for reader in genre.readings]
            documents[genre.name] = read_ratings(paths)[0]
    if len(documents) > 1:
        documents[ALL] = [document for part in documents.values() for document in part]
    options = {"seed": KAPPA_SEED, "resamples": KAPPA_RESAMPLES}
    return [
        ReaderAgreement(
            genre,
            entry.unit,
            entry.units,
            entry.agreed / entry.units,
            entry.kappa,
            (entry.interval.low, entry.interval.high) if entry.interval else None,
        )
        for genre, part in documents.items()
        for entry in agreements(part, **options, units=("words", "sentences"), questions=("labels",))
    ]


def _translations(rows: Sequence[Judged]) -> list[TranslatedZeros]:
    """Return AZPT of each system by genre, and over all genres."""
    figures = []
    for system in dict.fromkeys(row.system for row in rows):
        genres = [row for row in rows if row.system == system]
        figures += [_translated(system, row.genre.name, [row]) for row in genres]
        figures.append(_translated(system, ALL, genres))
    return figures


def _translated(system: str, genre: str, rows: Sequence[Judged]) -> TranslatedZeros:
    published = [verdict for row in rows for verdict in row.published]  # none if all forms are undetermined
    verdicts = [verdict for row in rows for verdict in row.corrected]
    corrected = accuracy(verdicts)
    forms = {form: (parts[""].outcomes["right"], parts[""].zeros) for form, parts in by_form(verdicts).items()}
    share = accuracy(published).share if published else None
    return TranslatedZeros(system, genre, corrected.zeros, share, corrected.share, corrected.outcomes, forms)


def _faults(folder: Path, rows: Sequence[Judged]) -> list[NoticedFaults]:
    """Return for each system and kind of fault how many of these zeros both modes call wrong."""
    zeros: Counter[tuple[str, str]] = Counter()
    wrong: dict[str, Counter[tuple[str, str]]] = {"published": Counter(), "corrected": Counter()}
    for row in rows:
        planted = planted_faults(folder / SYSTEMS / FAULTS / f"{row.genre.name}.tsv", row.genre)
        published = {(verdict.sentence, verdict.place): verdict for verdict in row.published}
        for verdict, key in zip(row.corrected, zeros_of(row.genre), strict=True):
            kind = (row.system, planted.get((row.system, *key), ""))
            verdict_of_tool = published.get((verdict.sentence, verdict.place))
            zeros[kind] += 1
            wrong["published"][kind] += verdict_of_tool is None or not verdict_of_tool.right
            wrong["corrected"][kind] += not verdict.right
    return [
        NoticedFaults(*kind, zeros[kind], wrong["published"][kind], wrong["corrected"][kind]) for kind in sorted(zeros)
    ]


def _metrics(folder: Path, genres: Sequence[Genre], baseline: str) -> tuple[list[SystemScores], dict[str, str]]:
    """Return the scores of each system on all sentences and on those with a zero, and the signature of each metric.

    Systems that lack a genre are left out; the baseline may not lack one.
    """
    lacking = [genre.name for genre in genres if baseline not in genre.outputs]
    if lacking:
        path = folder / SYSTEMS / baseline / f"{lacking[0]}.en"
        raise PipelineError(path, None, "[--baseline] lacks a genre; found no such file, expected one")
    pairs = [pair for genre in genres for pair in genre.text.pairs]
    systems = sorted(set.intersection(*(set(genre.outputs) for genre in genres)))
    outputs = {system: [line for genre in genres for line in genre.outputs[system]] for system in systems}
    scopes = {
        "all": list(range(len(pairs))),
        "with a zero": [place for place, pair in enumerate(pairs) if pair.source.zeros],
    }
    rows: list[SystemScores] = []
    signatures: dict[str, str] = {}
    for system in systems:
        for scope, places in scopes.items():
            if not places:
                continue
            references = [pairs[place].target for place in places]
            translations, others = ([outputs[name][place] for place in places] for name in (system, baseline))
            scores = text_scores(translations, references, tokenised=False)
            signatures |= {score.metric: score.signature for score in scores}
            tests = {} if system == baseline else _tests(others, translations, references)
            values = {score.metric: score.value for score in scores}
            rows.append(SystemScores(system, scope, len(places), values, tests))
    return rows, signatures


def _tests(baseline: list[str], system: list[str], references: list[str]) -> dict[str, float | None]:
    """Return the p of each test."""
    texts = (baseline, system, references)
    tests: dict[str, float | None] = {"sign": sign_test(*texts, tokenised=False).p}
    for test in TESTS:
        (result,) = paired_test(test, *texts, tokenised=False, seed=TEST_SEED, samples=TEST_SAMPLES, names=(PAPER,))
        tests[test] = result.p
    return tests
