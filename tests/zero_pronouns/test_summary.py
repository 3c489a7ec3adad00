"""The sentences with which the report on a sample begins, by hand."""

from dataclasses import replace

from pipeline.zero_pronouns.documents import ALL
from pipeline.zero_pronouns.report.figures import Counts, Figures, ReaderAgreement, SystemScores, TranslatedZeros
from pipeline.zero_pronouns.report.summary import sentences
from pipeline.zero_pronouns.translation.metrics import PAPER


def counts(name: str, sentences_with_zero: float) -> Counts:
    return Counts(name, 1, 20, 200, 250, 20, sentences_with_zero, 0.0, {"S": 20}, {"<他>_S": 20}, 0.0)


def translated(system: str, right: int, genre: str = ALL) -> TranslatedZeros:
    return TranslatedZeros(system, genre, 20, None, right / 20, {"right": right}, {"S": (right, 20)})


FIGURES = Figures(
    [counts("news", 0.25), counts("talk", 0.75)],
    replace(counts(ALL, 0.5), sentences=40, zeros=40),
    [ReaderAgreement(ALL, "words", 500, 0.99, 0.9, (0.8, 0.95)), ReaderAgreement(ALL, "sentences", 40, 0.9, 0.8, None)],
    [translated("low", 0), translated("high", 20), translated("low", 20, "news")],
    [],
    "low",
    [SystemScores(system, ALL, 40, {PAPER: bleu}, {}) for system, bleu in (("low", 45.0), ("high", 15.0))],
    {},
)


def test_the_sentences_say_what_came_out() -> None:
    # exact limits of 20 of 20: 0.025 ** (1 / 20) = 83.2 %, of 0 of 20: 16.8 %
    assert sentences(FIGURES) == [
        "40 zeros in 40 sentences: 50.0 % of them have one, from 25.0 % in news to 75.0 % in talk.",
        "The readers label 99.0 % of the places between words alike (Cohen’s κ 0.900, 95 % interval 0.800 to 0.950).",
        "Of 2 systems, high (100.0 %, 83.2 to 100.0) has the pronoun in its translation for the most of the 20 zeros, "
        "low (0.0 %, 0.0 to 16.8) for the fewest.",
        "BLEU prefers low (45.0) to high (15.0): it counts the words shared with the reference, so that a free translation with every "
        "pronoun has a low BLEU, the reference without some pronouns a high one.",
    ]


def test_what_was_not_measured_is_not_said() -> None:
    assert sentences(replace(FIGURES, genres=FIGURES.genres[:1], agreement=[], translations=[], metrics=[])) == [
        "40 zeros in 40 sentences: 50.0 % of them have one."
    ]
    tied = sentences(replace(FIGURES, translations=[translated("low", 20), translated("high", 20)]))
    assert tied[2:] == [
        "All 2 systems have the pronoun in their translations for 100.0 % of the 20 zeros (83.2 to 100.0)."
    ]
    in_order = [replace(row, scores={PAPER: 60.0 - row.scores[PAPER]}) for row in FIGURES.metrics]
    assert not any(text.startswith("BLEU") for text in sentences(replace(FIGURES, metrics=in_order)))
