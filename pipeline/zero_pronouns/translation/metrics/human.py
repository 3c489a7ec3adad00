"""Human scores of translations: agreement of two raters, and the verdicts on zeros that belong to a judged translation."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from ....core.errors import PipelineError
from ....statistics.agreement import cohen_kappa
from .automatic import METEOR, meteor, sacrebleu_metrics
from .correlation import Observation
from .outputs import ScoredSentence, read_scored
from .workbook import Judgement, Sheet

#: A translation is good above this score, and bad below it (EMNLP 2022, appendix A.2).
MIDDLE = 3


def system_means(sheet: Sheet) -> dict[str, float]:
    """Return the mean score of each system over its judged translations, by name; empty for a blind sheet."""
    scores: dict[str, list[int]] = {}
    for judgement in sheet.judgements:
        if judgement.judged and judgement.system:
            scores.setdefault(judgement.system, []).append(judgement.score)
    return {name: fmean(values) for name, values in sorted(scores.items())}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two sheets over the translations that both judge.

    Attributes:
        sheets: their names.
        translations: number of translations that both judge.
        equal: number with the same score.
        same_side: number that both hold good, both bad, or both neither (see `MIDDLE`).
        kappa: Cohen's kappa of the scores with quadratic weights; None where it is undefined.
    """

    sheets: tuple[str, str]
    translations: int
    equal: int
    same_side: int
    kappa: float | None


def agreement(first: Sheet, second: Sheet) -> Agreement | None:
    """Return the agreement of two sheets; None if they judge no translation in common.

    A translation is the same if it stands in the same sentence, counted from the top, at the same place, with the same words.
    """
    scores = [
        {key: entry.score for key, entry in _by_place(sheet).items() if entry.judged} for sheet in (first, second)
    ]
    pairs = [(score, scores[1][key]) for key, score in scores[0].items() if key in scores[1]]
    if not pairs:
        return None
    return Agreement(
        (first.name, second.name),
        len(pairs),
        sum(score == theirs for score, theirs in pairs),
        sum(_side(score) == _side(theirs) for score, theirs in pairs),
        cohen_kappa(pairs, weights="quadratic"),
    )


def _side(score: int) -> int:
    return (score > MIDDLE) - (score < MIDDLE)


def _by_place(sheet: Sheet) -> dict[tuple[int, int, str, str], Judgement]:
    """Return the judgements of a sheet by sentence, place in the sentence, source and translation."""
    counts: Counter[int] = Counter()
    judgements = {}
    for entry in sheet.judgements:
        judgements[entry.sentence, counts[entry.sentence], entry.source, entry.translation] = entry
        counts[entry.sentence] += 1
    return judgements


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

    Raises:
        PipelineError: there is no file of verdicts, a file is malformed, or the files are not about the same sentences.
    """
    files = {path.stem: read_scored(path) for path in sorted(folder.glob("*.details"))}
    if not files:
        raise PipelineError(folder, None, "[outputs] no verdicts; expected files SYSTEM.details and SYSTEM.tagged")
    lengths = {len(sentences) for sentences in files.values()}
    if len(lengths) > 1:
        raise PipelineError(
            folder,
            None,
            f"[outputs] not the same text; found {', '.join(map(str, sorted(lengths)))} sentences with zeros",
        )
    judged = [judgement for judgement in sheet.judgements if judgement.judged and judgement.system]
    places = _places(judged, files)
    counts = Counter(
        (judgement.system, name)
        for judgement in judged
        for name, sentences in files.items()
        if _same(judgement, sentences, places)
    )
    own = _assigned(counts, Counter(judgement.system for judgement in judged))
    observations, good, decided = [], 0, 0
    for judgement in judged:
        name = own.get(judgement.system)
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
            system: (own.get(system), counts[system, own[system]] if system in own else 0)
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


def _assigned(counts: Mapping[tuple[str, str], int], judged: Mapping[str, int]) -> dict[str, str]:
    """Return the file of each system: the best pairs first, each file and system once, more than half of the translations equal."""
    own: dict[str, str] = {}
    for (system, name), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        if system not in own and name not in own.values() and 2 * count > judged[system]:
            own[system] = name
    return own


#: The automatic metrics that are correlated with human scores; TER is an error rate and negated.
METRICS = ("BLEU", "chrF", "-TER", METEOR)


def metric_observations(sheet: Sheet, names: Sequence[str] = METRICS) -> dict[str, list[Observation]]:
    """Return the sentence scores of the judged translations of a sheet against its references, by metric.

    The texts are tokenised. BLEU is that of the paper, but smoothed (``exp``) and up to the longest n-gram of the sentence, since
    most sentences have no common 4-gram; a system's score is the mean of its sentences.

    Args:
        sheet: the sheet.
        names: which of `METRICS`; TER takes half a second for a long sentence.

    Raises:
        PipelineError: sacrebleu or nltk is not installed.
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
    judged = [judgement for judgement in sheet.judgements if judgement.judged and judgement.system]
    return {
        name: [
            Observation(
                (sheet.name, judgement.sentence),
                f"{sheet.name} {judgement.system}",
                judgement.score,
                functions[name](judgement.translation, judgement.reference),
            )
            for judgement in judged
        ]
        for name in names
    }
