"""Agreement on labelled zeros: kappas by hand, several raters, recovered zeros (AZPR), files that do not fit."""

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from pipeline.core.files import write_text
from pipeline.statistics.agreement import Overlap
from pipeline.zero_pronouns.agreement import (
    _kappas,
    _mean,
    _mean_kappa_of,
    agreements,
    read_ratings,
    recovery_scores,
)
from pipeline.zero_pronouns.labels import Sentence, Zero
from tests.support.commands import winoforge

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


def test_resamples_have_the_kappas_of_their_answers() -> None:
    """Of documents drawn with replacement, some of which use one category only, so that a pair of raters may have no kappa."""
    clusters = [
        Counter({("a", "a", "a"): 3}),
        Counter({("a", "b", "b"): 1, ("b", "b", "a"): 2}),
        Counter({("c", "c", "c"): 1}),
    ]
    mean_kappa = _mean_kappa_of(clusters)
    for drawn in product(range(3), repeat=3):
        expected = _mean(_kappas(sum((clusters[place] for place in drawn), Counter())))
        assert mean_kappa(drawn) == (None if expected is None else pytest.approx(expected))


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
        ("[doc]\n来了。\n", "1.zh: [lines] not aligned; found 2 lines, expected 6 as in"),
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


# --- recovered zeros ----------------------------------------------------------------------------------------------------

GOLD = "[doc]\n<他>_S说<他的>_Pa书没了。\n<我>_S来了。\n没有。\n"
SYSTEM = "[doc]\n<他>_S说<他的>_P书没了。\n<他>_S来<它>_O了。\n没有。\n"


def compared(folder: Path, gold: str = GOLD, system: str = SYSTEM) -> tuple[Path, Path]:
    write_text(folder / "gold.zh", gold)
    write_text(folder / "system.zh", system)
    return folder / "gold.zh", folder / "system.zh"


def test_scores_by_hand(tmp_path: Path) -> None:
    # Gold: 他_S, 他的_Pa, 我_S. System: 他_S (right), 他的_P (another form), 他_S (another pronoun), 它_O (no zero there).
    # With the form 1 of 4 and of 3: precision 1/4, recall 1/3, F1 2/7. Without it 2: 1/2, 2/3, 4/7.
    result = winoforge("zp", "recover", *compared(tmp_path))
    assert result.returncode == 0
    assert result.stdout.splitlines()[:3] == [
        f"place, pronoun and form: precision 25.0 %, recall 33.3 %, F1 28.6 %; 1 right of 4 by the system, 3 in {tmp_path / 'gold.zh'}",
        f"place and pronoun: precision 50.0 %, recall 66.7 %, F1 57.1 %; 2 right of 4 by the system, 3 in {tmp_path / 'gold.zh'}",
        f"S: precision 50.0 %, recall 50.0 %, F1 50.0 %; 1 right of 2 by the system, 2 in {tmp_path / 'gold.zh'}",
    ]
    assert "O: precision 0.0 %, recall n/a, F1 n/a; 0 right of 1 by the system, 0 in" in result.stdout
    assert "Pa: precision n/a, recall 0.0 %, F1 n/a; 0 right of 0 by the system, 1 in" in result.stdout


def test_a_zero_twice_in_one_place_counts_twice() -> None:
    twice = Sentence("来", (Zero(0, "他", "S"), Zero(0, "他", "S")))
    once = Sentence("来", (Zero(0, "他", "S"),))
    assert recovery_scores([(twice, once)]).overall == Overlap(ours=1, theirs=2, both=1)


def test_another_text_is_a_finding_and_leaves_no_zero_right(tmp_path: Path) -> None:
    result = winoforge("zp", "recover", *compared(tmp_path, "<他>_S来了\n", "<他>_S来了。\n"))
    assert result.returncode == 1
    assert result.stderr.startswith(f"{tmp_path / 'system.zh'}:1: [sentence] not the text of")
    assert "without its labels; found '来了。', expected '来了'" in result.stderr
    assert "0 right of 1 by the system, 1 in" in result.stdout


@pytest.mark.parametrize(("gold", "system"), [("来了\n", "来了\n好\n"), ("[doc]\n", "[doc]\n"), ("", "")])
def test_files_that_cannot_be_compared_are_refused(tmp_path: Path, gold: str, system: str) -> None:
    result = winoforge("zp", "recover", *compared(tmp_path, gold, system))
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
