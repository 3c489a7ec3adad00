"""GuoFeng's human scores (EMNLP 2022, appendix A.2) and their correlation with AZPT: `python -m replication.human_scores [--metrics]`.

The workbook ``human_score/M.S.human.xlsx`` has a sheet for each genre and rater. A score is 5 less the deductions, at least 0. Which file
of verdicts is a system's is decided by the words of its translations, because the names do not tell.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import openpyxl
from scipy.stats import kendalltau, pearsonr, spearmanr

from pipeline.core.files import lines_of, read_text
from pipeline.statistics.agreement import cohen_kappa
from pipeline.statistics.intervals import bootstrap_interval
from pipeline.zero_pronouns.translation.details import Verdict, read_details
from pipeline.zero_pronouns.translation.metrics import METEOR, meteor, sacrebleu_metrics
from tools.published import data_folder

#: The workbook in the published collection, and the folders of verdicts of its sheets.
WORKBOOK = Path("human_score", "M.S.human.xlsx")
OUTPUTS = {"M.S": "M.S", "BK": "QA", "GR": "GR"}
#: The score of a translation without a fault.
FULL = 5
#: A translation is good above this score, and bad below it.
MIDDLE = 3
#: The automatic metrics that are correlated with human scores; TER is an error rate and negated.
METRICS = ("BLEU", "chrF", "-TER", METEOR)

Level = Literal["sentence", "system"]
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The score that a person gave to a translation.

    Attributes:
        sentence: the sentence, from 0 in the order of the sheet; one can occur twice.
        source: the labelled source, tokenised.
        reference: the reference translation.
        system: the name of the system; empty in a blind sheet.
        translation: what the person judged.
        deductions: what each kind of fault takes off (meaning, zero, other), 0 or less; None in an empty cell.
    """

    sentence: int
    source: str
    reference: str
    system: str
    translation: str
    deductions: tuple[int | None, ...]

    @property
    def judged(self) -> bool:
        """Whether a cell is filled."""
        return any(deduction is not None for deduction in self.deductions)

    @property
    def score(self) -> int:
        """The score, from 0 to 5, by the formula of the workbook; an empty cell takes nothing off."""
        return max(FULL + sum(deduction or 0 for deduction in self.deductions), 0)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of the workbook."""

    name: str
    judgements: Sequence[Judgement]

    @property
    def blind(self) -> bool:
        """Whether no translation names its system."""
        return not any(judgement.system for judgement in self.judgements)

    @property
    def named(self) -> list[Judgement]:
        """The judged translations with a system."""
        return [judgement for judgement in self.judgements if judgement.judged and judgement.system]


def read_workbook(path: Path) -> dict[str, Sheet]:
    """Return the sheets of a workbook by name, in their order; a row that is out of order, or without a system, is left out."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        return {
            sheet.title: Sheet(sheet.title, tuple(_judgements(list(sheet.iter_rows(max_col=6, values_only=True)))))
            for sheet in book.worksheets
        }
    finally:
        book.close()


def _judgements(rows: Sequence[tuple[Any, ...]]) -> Iterator[Judgement]:
    """Yield the judgements of a sheet: rows Sent:0, source, reference, System:0 …; a blind sheet has no column of systems."""
    rows = [(*row, *[None] * (6 - len(row))) for row in rows]
    named = any(row[0] == "source" and row[1] is None and row[2] is not None for row in rows)
    sentence, texts = -1, dict[str, str]()
    for row in rows:
        label, text = str(row[0] or ""), str(row[2 if named else 1] or "")
        if re.fullmatch("Sent:[0-9]+", label):
            sentence, texts = sentence + 1, {}
        elif label in ("source", "reference"):
            texts[label] = text
        elif re.fullmatch("System:[0-9]+", label) and len(texts) == 2:
            system = str(row[1] or "").strip() if named else ""
            marks = row[3:6] if named else row[2:5]
            deductions = tuple(mark if type(mark) is int and -FULL <= mark <= 0 else None for mark in marks)
            if system or not named:
                yield Judgement(sentence, texts["source"], texts["reference"], system, text, deductions)


def system_means(sheet: Sheet) -> dict[str, float]:
    """Return the mean score of each system over its judged translations, by name; empty for a blind sheet."""
    scores: dict[str, list[int]] = {}
    for judgement in sheet.named:
        scores.setdefault(judgement.system, []).append(judgement.score)
    return {system: fmean(values) for system, values in sorted(scores.items())}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two sheets over the translations that both judge.

    Attributes:
        translations: number of translations that both judge.
        equal: number with the same score.
        same_side: number that both hold good, both bad, or both neither (see `MIDDLE`).
        kappa: Cohen's kappa of the scores with quadratic weights; None where it is undefined.
    """

    translations: int
    equal: int
    same_side: int
    kappa: float | None


def agreement(first: Sheet, second: Sheet) -> Agreement | None:
    """Return the agreement of two sheets; None if they judge no translation in common.

    A translation is the same if it stands in the same sentence, counted from the top, at the same place, with the same words.
    """
    scores, others = _scores_by_place(first), _scores_by_place(second)
    pairs = [(score, others[key]) for key, score in scores.items() if key in others]
    if not pairs:
        return None
    same_side = sum(_side(score) == _side(other) for score, other in pairs)
    equal = sum(score == other for score, other in pairs)
    return Agreement(len(pairs), equal, same_side, cohen_kappa(pairs, weights="quadratic"))


def _side(score: int) -> int:
    return (score > MIDDLE) - (score < MIDDLE)


def _scores_by_place(sheet: Sheet) -> dict[tuple[int, int, str, str], int]:
    """Return the scores of a sheet by sentence, place in the sentence, source and translation."""
    counts: Counter[int] = Counter()
    scores = {}
    for judgement in sheet.judgements:
        if judgement.judged:
            place = (judgement.sentence, counts[judgement.sentence], judgement.source, judgement.translation)
            scores[place] = judgement.score
        counts[judgement.sentence] += 1
    return scores


def read_tagged(path: Path) -> list[str]:
    """Return the translations that the authors' tool writes with the words that it looked at in angle brackets, without these."""
    return [" ".join(map(_bare, line.split())) for line in lines_of(read_text(path))]


def _bare(word: str) -> str:
    """Return a word without its brackets; two zeros that look at it give it two pairs."""
    while len(word) > 2 and word.startswith("<") and word.endswith(">"):
        word = word[1:-1]
    return word


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A translation of a sentence with zeros, and the verdict on each of them, in their order."""

    translation: str
    verdicts: tuple[Verdict, ...]


def read_scored(details: Path) -> list[ScoredSentence]:
    """Return the sentences of a system that have a verdict, in their order; the translations lie beside the verdicts (``.tagged``)."""
    translations = read_tagged(details.with_suffix(".tagged"))
    verdicts: dict[int, list[Verdict]] = {}
    for verdict in read_details(details):
        verdicts.setdefault(verdict.sentence, []).append(verdict)
    return [ScoredSentence(translations[number], tuple(verdicts[number])) for number in sorted(verdicts)]


@dataclass(frozen=True, slots=True)
class Observation:
    """A judged translation.

    Attributes:
        sentence: identifies the sentence; its translations by all systems are resampled together.
        system: the system, with its genre where several are pooled.
        human: the human score.
        value: the automatic score.
        weight: the weight of the value in the score of the system, such as the number of zeros.
    """

    sentence: tuple[str, int]
    system: str
    human: float
    value: float
    weight: float = 1


@dataclass(frozen=True, slots=True)
class Matching:
    """The verdicts on the zeros of judged translations.

    Attributes:
        files: for each system of the sheet, the name of its file of verdicts, and how many of the judged translations are its own,
            word by word; the name is None where no file is the system's.
        observations: the share of zeros that are right against the human score, for each judged translation in its system's file.
        good: number of these translations that the human score holds good where all zeros are right, or bad where one is wrong.
        decided: number of these translations whose score is not `MIDDLE`.
        left_out: number of judgements of translations in no file.
    """

    files: Mapping[str, tuple[str | None, int]]
    observations: Sequence[Observation]
    good: int
    decided: int
    left_out: int


def match(sheet: Sheet, folder: Path) -> Matching:
    """Return the verdicts for the judged translations of a sheet, from the files of a folder (``.details``, ``.tagged``).

    Names do not decide which file is a system's: its translations do. The file with the most of them is its own, and no other
    system's.
    """
    files = {path.stem: read_scored(path) for path in sorted(folder.glob("*.details"))}
    judged = sheet.named
    places = _places(judged, files)
    counts = Counter(
        (judgement.system, name)
        for judgement in judged
        for name, sentences in files.items()
        if _same(judgement, sentences, places)
    )
    assigned = _assign_files(counts, Counter(judgement.system for judgement in judged))
    observations, good, decided = [], 0, 0
    for judgement in judged:
        name = assigned.get(judgement.system)
        if name is None or not _same(judgement, files[name], places):
            continue
        place = places[judgement.sentence]
        right = [verdict.right for verdict in files[name][place].verdicts]
        share = sum(right) / len(right)
        observations.append(
            Observation((sheet.name, place), f"{sheet.name} {judgement.system}", judgement.score, share, len(right))
        )
        if side := _side(judgement.score):
            decided += 1
            good += (side > 0) == all(right)
    return Matching(
        files={
            system: (assigned.get(system), counts[system, assigned[system]] if system in assigned else 0)
            for system in sorted({judgement.system for judgement in judged})
        },
        observations=observations,
        good=good,
        decided=decided,
        left_out=len(judged) - len(observations),
    )


def _plain(text: str) -> str:
    """Return a text without case and blanks, which a spreadsheet changes."""
    return "".join(text.lower().split())


def _places(judged: Sequence[Judgement], files: Mapping[str, Sequence[ScoredSentence]]) -> dict[int, int]:
    """Return the place of each judged sentence in the files: where its translations stand most often, the first of equal places."""
    standing: dict[str, Counter[int]] = {}
    for sentences in files.values():
        for place, sentence in enumerate(sentences):
            standing.setdefault(_plain(sentence.translation), Counter())[place] += 1
    votes: dict[int, Counter[int]] = {}
    for judgement in judged:
        votes.setdefault(judgement.sentence, Counter()).update(standing.get(_plain(judgement.translation), Counter()))
    return {
        sentence: min(counter.items(), key=lambda entry: (-entry[1], entry[0]))[0]
        for sentence, counter in votes.items()
        if counter
    }


def _same(judgement: Judgement, sentences: Sequence[ScoredSentence], places: Mapping[int, int]) -> bool:
    place = places.get(judgement.sentence)
    return place is not None and _plain(sentences[place].translation) == _plain(judgement.translation)


def _assign_files(counts: Mapping[tuple[str, str], int], judged: Mapping[str, int]) -> dict[str, str]:
    """Return the file of each system: the best pairs first, each file and system once, more than half of the translations equal."""
    files: dict[str, str] = {}
    for (system, name), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        if system not in files and name not in files.values() and 2 * count > judged[system]:
            files[system] = name
    return files


def metric_observations(sheet: Sheet, names: Sequence[str] = METRICS) -> dict[str, list[Observation]]:
    """Return the sentence scores of the judged translations of a sheet against its references, by metric.

    The texts are tokenised. BLEU is that of the paper, but smoothed (``exp``) and up to the longest n-gram of the sentence, since
    most sentences have no common 4-gram; a system's score is the mean of its sentences.

    Args:
        sheet: the sheet.
        names: which of `METRICS`; TER takes half a second for a long sentence.
    """
    metrics = sacrebleu_metrics(tokenised=True)
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(lowercase=True, force=True, tokenize="none", effective_order=True)
    functions: dict[str, Callable[[str, str], float]] = {
        "BLEU": lambda translation, reference: bleu.sentence_score(translation, [reference]).score,
        "chrF": lambda translation, reference: metrics["chrF"].sentence_score(translation, [reference]).score,
        "-TER": lambda translation, reference: -metrics["TER"].sentence_score(translation, [reference]).score,
        METEOR: lambda translation, reference: meteor(translation, reference, tokenised=True),
    }
    return {
        name: [
            Observation(
                (sheet.name, judgement.sentence),
                f"{sheet.name} {judgement.system}",
                judgement.score,
                functions[name](judgement.translation, judgement.reference),
            )
            for judgement in sheet.named
        ]
        for name in names
    }


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient of correlation.

    Attributes:
        coefficient: a key of `COEFFICIENTS`.
        pairs: number of pairs: translated sentences, or systems with their means.
        value: from -1 to 1; None where a score is the same for all pairs.
        interval: the 95 % interval; None if no resamples were asked for, or it is undefined.
    """

    coefficient: str
    pairs: int
    value: float | None
    interval: tuple[float, float] | None


#: The coefficients by name; Kendall's is tau-b, which corrects for ties.
COEFFICIENTS: Mapping[str, Callable[..., Any]] = {"Pearson": pearsonr, "Spearman": spearmanr, "Kendall": kendalltau}


def coefficient(name: str, pairs: Sequence[Pair]) -> float | None:
    """Return a coefficient of correlation; None where it is undefined because a score is constant."""
    if len({first for first, _ in pairs}) < 2 or len({second for _, second in pairs}) < 2:
        return None
    return float(COEFFICIENTS[name](*zip(*pairs, strict=True)).statistic)


def correlations(observations: Sequence[Observation], level: Level, *, seed: int, resamples: int) -> list[Correlation]:
    """Return Pearson's, Spearman's and Kendall's coefficients with bootstrap intervals over sentences.

    A resample draws sentences, each with its translations by all systems, because these are alike. By system it draws sentences too:
    the interval is about the same systems on other sentences.

    Args:
        observations: the judged translations.
        level: whether a pair is a translated sentence, or a system with its means.
        seed: of the bootstrap.
        resamples: number of resamples; 0 for no intervals.
    """
    clusters: dict[tuple[str, int], list[Observation]] = {}
    for observation in observations:
        clusters.setdefault(observation.sentence, []).append(observation)
    pairs = _pairs(observations, level)
    result = []
    for name in COEFFICIENTS:

        def statistic(sample: Sequence[Observation], name: str = name) -> float | None:
            return coefficient(name, _pairs(sample, level))

        drawn = bootstrap_interval(clusters.values(), statistic, seed=seed, resamples=resamples) if resamples else None
        interval = (drawn.low, drawn.high) if drawn else None
        result.append(Correlation(name, len(pairs), coefficient(name, pairs), interval))
    return result


def _pairs(observations: Iterable[Observation], level: Level) -> list[Pair]:
    """Return the human and the automatic score of each sentence and system, or of each system."""
    if level == "sentence":
        return [(observation.human, observation.value) for observation in observations]
    systems: dict[str, list[Observation]] = {}
    for observation in observations:
        systems.setdefault(observation.system, []).append(observation)
    return [
        (
            fmean(entry.human for entry in entries),
            fmean((entry.value for entry in entries), (entry.weight for entry in entries)),
        )
        for _, entries in sorted(systems.items())
    ]


def report(folder: Path, *, metrics: bool, seed: int, resamples: int) -> Iterator[str]:
    """Yield what the published collection in a folder gives: means of systems, agreement of raters, correlations.

    Args:
        folder: the collection, with human_score and azpt_output.
        metrics: whether to correlate `METRICS` too, which takes 20 minutes.
        seed: of the bootstrap intervals.
        resamples: number of resamples; 0 for no intervals.
    """
    sheets = read_workbook(folder / WORKBOOK)
    for sheet in sheets.values():
        means = (
            ", ".join(f"{system} {mean:.2f}" for system, mean in system_means(sheet).items()) or "no names of systems"
        )
        judged = sum(judgement.judged for judgement in sheet.judgements)
        yield f"{sheet.name}: {len(sheet.judgements)} translations, {judged} judged; {means}"
    for first, second in combinations(sheets.values(), 2):
        if found := agreement(first, second):
            yield (
                f"{first.name} against {second.name}: {found.translations} translations in both, equal score {found.equal}, "
                f"same side of {MIDDLE} {found.same_side}; weighted kappa {_decimal(found.kappa)}"
            )
    observed: dict[str, Sequence[Observation]] = {}
    for name, outputs in OUTPUTS.items():
        matching = match(sheets[name], folder / "azpt_output" / outputs)
        observed[f"AZPT, {name}"] = matching.observations
        files = ", ".join(f"{system} = {file} ({count})" for system, (file, count) in matching.files.items())
        yield f"{name}: {len(matching.observations)} judged translations with verdicts, {matching.left_out} without; {files}"
        yield f"{name}: good with all zeros right, or bad with one wrong: {matching.good} of {matching.decided} translations"
    observed["AZPT, pooled"] = [observation for part in list(observed.values()) for observation in part]
    for sheet in sheets.values() if metrics else ():
        if sheet.named:
            observed |= {f"{name}, {sheet.name}": values for name, values in metric_observations(sheet).items()}
    levels: tuple[Level, ...] = ("sentence", "system")
    for name, observations in observed.items():
        for level in levels:
            results = correlations(observations, level, seed=seed, resamples=resamples)
            values = ", ".join(f"{result.coefficient} {_with_interval(result)}" for result in results)
            yield f"{name}, by {level} ({results[0].pairs} pairs): {values}"


def _decimal(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def _with_interval(result: Correlation) -> str:
    if result.interval is None:
        return _decimal(result.value)
    return f"{_decimal(result.value)} [{result.interval[0]:.2f}, {result.interval[1]:.2f}]"


def main() -> None:
    """Print the report on the published collection."""
    parser = argparse.ArgumentParser(prog="python -m replication.human_scores", description=__doc__)
    parser.add_argument("--folder", type=Path, default=data_folder() / "mzprt", help="the published collection")
    parser.add_argument(
        "--metrics", action="store_true", help="correlate BLEU, chrF, TER and METEOR too; takes 20 minutes"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the bootstrap intervals")
    parser.add_argument("--resamples", type=int, default=1000, help="number of resamples; 0 for no intervals")
    arguments = vars(parser.parse_args())
    for line in report(arguments.pop("folder"), **arguments):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
