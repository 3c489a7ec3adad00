"""Agreement on labelled zeros: kappas by hand, several raters, files that do not fit."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from pipeline.core.files import write_text
from pipeline.zero_pronouns.agreement import agreements, read_ratings
from pipeline.zero_pronouns.labels import Sentence
from tests.support.commands import winoforge
from tests.zero_pronouns.test_sentence import sentences

FIRST = "[doc]\n<他>_S来了。\n走。\n[doc]\n<我>_S看<他>_O。\n好。\n"
SECOND = "[doc]\n<她>_S来了。\n走。\n[doc]\n<我>_S看。\n<它>_S好。\n"


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{number}.zh" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        write_text(path, text)
    return paths


def test_kappas_by_hand(tmp_path: Path) -> None:
    documents, findings = read_ratings(files(tmp_path, FIRST, SECOND))
    assert (len(documents), findings) == (2, [])
    kappas = {
        (entry.unit, entry.question): (entry.units, entry.agreed, entry.kappa)
        for entry in agreements(documents, seed=0, resamples=20)
    }
    # Texts 来了。 走。 看。 好。 have 4 + 3 + 3 + 3 positions between characters. Zeros of the first: 1, 0, 2, 0; of the second: 1, 0,
    # 1, 1. Both have one in 2 positions, only the first in 1, only the second in 1, neither in 9.
    # p_o = 11/13, p_e = (3/13)^2 + (10/13)^2 = 109/169, kappa = (143 - 109) / (169 - 109)
    assert kappas["characters", "zero or none"] == (13, 11, pytest.approx(34 / 60))
    # Labels agree in 10 (<我>_S and nine without). First: none 10, 他S, 我S, 他O 1 each; second: none 10, 她S, 我S, 它S.
    # p_e = (100 + 1) / 169, kappa = (130 - 101) / (169 - 101)
    assert kappas["characters", "labels"] == (13, 10, pytest.approx(29 / 68))
    # Words: 来 了 。 is one word and a mark or three, the zeros stand before words anyway; fewer positions, the same zeros.
    # Sentences: the first has zeros in 1 and 3, the second in 1, 3 and 4: p_o = 3/4, p_e = (2 * 3 + 2 * 1) / 16, kappa = 1/2
    assert kappas["sentences", "zero or none"] == (4, 3, pytest.approx(0.5))
    # Labels of sentences: 他S / 她S, none / none, 我S 他O / 我S, none / 它S: p_o = 1/4, p_e = 2 * 1 / 16, kappa = 1/7
    assert kappas["sentences", "labels"] == (4, 1, pytest.approx(1 / 7))


def test_words_are_fewer_positions(tmp_path: Path) -> None:
    documents, _ = read_ratings(files(tmp_path, "我们 <他>_S来了\n", "我们 <他>_S来了\n"))
    by_unit = {entry.unit: entry for entry in agreements(documents, seed=0, resamples=5)}
    # 我们, 来, 了 or 来了, and the end; characters: 0 to 5
    assert by_unit["characters"].units == 6
    assert by_unit["words"].units in (3, 4)
    assert by_unit["words"].kappa == 1.0
    assert by_unit["words"].interval is None  # one document
    assert by_unit["sentences"].kappa is None  # one category


def test_a_zero_within_a_word_is_a_position(tmp_path: Path) -> None:
    documents, _ = read_ratings(files(tmp_path, "我<他>_S们\n", "我们\n"))
    words = [entry for entry in agreements(documents, seed=0, resamples=5) if entry.unit == "words"]
    assert [(entry.units, entry.agreed) for entry in words] == [(3, 2), (3, 2)]


def test_more_than_two_raters_give_the_mean_of_their_pairs(tmp_path: Path) -> None:
    paths = files(tmp_path, FIRST, SECOND, FIRST)
    result = winoforge("zp", "agree", *paths, "--json", "--resamples", "20")
    assert result.returncode == 0, result.stderr
    entry = json.loads(result.stdout)["agreement"]["0"][4]
    assert (entry["unit"], entry["question"]) == ("sentences", "zero or none")
    assert entry["pairs"] == {"1-2": 0.5, "1-3": 1.0, "2-3": 0.5}
    assert entry["kappa"] == pytest.approx(2 / 3)
    low, high = entry["interval"]
    assert low <= entry["kappa"] <= high


@given(sentences())
def test_who_labels_the_same_agrees_on_all(sentence: Sentence) -> None:
    for entry in agreements([[(sentence, sentence)]], seed=0, resamples=1):
        assert entry.agreed == entry.units
        assert entry.kappa in (None, 1.0)


def test_folders_give_genres_and_their_mean(tmp_path: Path) -> None:
    for folder, text in (("a", FIRST), ("b", SECOND)):
        for genre in ("news", "talk"):
            (tmp_path / folder).mkdir(exist_ok=True)
            write_text(tmp_path / folder / f"{genre}.zh", text if genre == "news" else FIRST)
    result = winoforge("zp", "agree", tmp_path / "a", tmp_path / "b", "--resamples", "20")
    assert result.returncode == 0, result.stderr
    assert "all: 4 documents, 8 sentences, 2 raters" in result.stdout
    assert "sentences, zero or none 0.750" in result.stdout  # of 0.5 and 1
    assert "zero or none: kappa 1.000, agreed" in result.stdout  # an interval without width is none
    assert winoforge("zp", "agree", tmp_path / "a", tmp_path).returncode == 2


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("[doc]\n来了。\n", "1.zh: [lines] not the same sentences; found 2 lines, expected 6"),
        (SECOND.replace("走", "跑"), "1.zh:3: [sentence] another sentence"),
        (SECOND.replace("[doc]", "来。"), "1.zh:1: [sentence] another sentence"),
    ],
)
def test_other_sentences_are_refused(tmp_path: Path, second: str, reason: str) -> None:
    result = winoforge("zp", "agree", *files(tmp_path, FIRST, second))
    assert result.returncode == 2
    assert result.stderr.startswith(str(tmp_path / reason))


def test_files_without_ratings_are_refused(tmp_path: Path) -> None:
    assert winoforge("zp", "agree", *files(tmp_path, "[doc]\n", "[doc]\n")).returncode == 2
    assert winoforge("zp", "agree", *files(tmp_path, FIRST)).returncode == 2
    assert winoforge("zp", "agree", *files(tmp_path, "<他>来\n", "来\n"), "--resamples", "1").returncode == 1
