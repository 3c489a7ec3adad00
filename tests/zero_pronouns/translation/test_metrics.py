"""Automatic metrics against numbers worked by hand, and the tests of their differences."""

import json
import os
from pathlib import Path

import pytest

from pipeline.core.files import write_text
from pipeline.zero_pronouns.translation.metrics import METEOR, PAPER, meteor, paired_test, sign_test, text_scores
from tests.support.commands import winoforge

HYPOTHESES = ["the cat sat on a mat", "yes"]
REFERENCES = ["The cat sat on the mat", "Yes ."]


def test_the_papers_bleu_by_hand() -> None:
    # n-grams in common, of the hypotheses': 5 + 1 of 6 + 1; 3 of 5; 2 of 4; 1 of 3. The fourth root of 6/7 3/5 2/4 1/3 is 0.541082.
    # 7 words for 8: the brevity penalty is exp(1 - 8/7) = 0.866878. Their product is 0.469052. multi-bleu.perl -lc prints 46.91.
    scores = {score.metric: score for score in text_scores(HYPOTHESES, REFERENCES, tokenised=True)}
    assert scores[PAPER].value == pytest.approx(46.9052, abs=1e-3)
    assert scores[PAPER].signature.startswith("nrefs:1|case:lc|eff:no|tok:none|smooth:none|version:")
    assert scores["BLEU"].signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert scores["chrF"].signature.startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")
    # TER: a for the; the full stop is missing: two edits for 8 words.
    assert scores["TER"].value == pytest.approx(100 * 2 / 8)


def test_an_order_without_a_match_gives_0_as_in_multi_bleu() -> None:
    scores = {score.metric: score.value for score in text_scores(["a b c d"], ["a b x d"], tokenised=True)}
    assert scores[PAPER] == 0 < scores["BLEU"]


def test_meteor_by_hand() -> None:
    # Three words of three and of four match, dog by its stem: P = 1, R = 3/4, F = 0.75 / (0.9 + 0.1 * 0.75) = 0.769231. One chunk
    # of three words: the penalty is 0.5 / 27.
    assert meteor("the dog ran", "The dogs ran home", tokenised=True) == pytest.approx(
        0.769231 * (1 - 0.5 / 27), abs=1e-6
    )


def test_meteor_has_no_synonyms() -> None:
    assert meteor("automobile", "car", tokenised=True) == 0
    (score,) = (score for score in text_scores(["a"], ["a"], tokenised=True) if score.metric == METEOR)
    assert "stages:exact+stem" in score.signature


def test_unequal_numbers_of_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match="1 hypotheses for 2 references"):
        text_scores(["a"], ["a", "b"], tokenised=True)


REFERENCE = ["a b c d e"] * 7
BASELINE = ["a b c d x"] * 7


def test_sign_test_by_hand() -> None:
    # Six sentences become right, the seventh stays: p = 2 / 2^6.
    result = sign_test(BASELINE, [*REFERENCE[:6], BASELINE[6]], REFERENCE, tokenised=True)
    assert (result.better, result.worse, result.equal, result.p) == (6, 0, 1, pytest.approx(2 / 64))
    swapped = sign_test([*REFERENCE[:6], BASELINE[6]], BASELINE, REFERENCE, tokenised=True)
    assert (swapped.better, swapped.worse, swapped.p) == (0, 6, result.p)


def test_equal_translations_have_no_p() -> None:
    assert sign_test(BASELINE, BASELINE, REFERENCE, tokenised=True).p is None
    results = paired_test("ar", BASELINE, BASELINE, REFERENCE, tokenised=True, seed=1, samples=5)
    assert [result.p for result in results] == [None, None, None]


@pytest.mark.parametrize("test", ["bs", "ar"])
def test_the_seed_decides_the_samples(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "none")

    def p(seed: int) -> list[float | None]:
        system = ["a b c d e", *BASELINE[:4], "x x x x x", "b c d e"]
        return [
            result.p for result in paired_test(test, BASELINE, system, REFERENCE, tokenised=True, seed=seed, samples=40)
        ]

    assert p(3) == p(3)
    assert len({tuple(p(seed)) for seed in range(1, 6)}) > 1
    assert os.environ["SACREBLEU_SEED"] == "none"
    with pytest.raises(ValueError, match="at least 1"):
        p(0)


def test_the_command(tmp_path: Path) -> None:
    for name, text in {
        "a.zh": "[doc]\n<他>_S来了。\n没有。\n",
        "a.en": "[doc]\nHe has come here now.\nNo, there is none.\n",
        "good.en": "[doc]\nHe has come here now.\nNo, there is none.\n",
        "bad.en": "[doc]\nCome here now.\nNo, there is none.\n",
    }.items():
        write_text(tmp_path / name, text)
    arguments = [
        "zp",
        "metrics",
        "a.zh",
        "a.en",
        "good.en",
        "bad.en",
        "--baseline",
        "bad.en",
        "--samples",
        "9",
        "--json",
    ]
    result = winoforge(*arguments, cwd=tmp_path)
    assert result.returncode == 0
    figures = json.loads(result.stdout)
    assert (figures["sentences"], figures["sentences_with_zero"]) == (2, 1)
    good, bad = figures["systems"]["good.en"], figures["systems"]["bad.en"]
    assert good["all"]["scores"][PAPER]["value"] == pytest.approx(100)
    assert bad["with_zero"]["scores"]["TER"]["value"] == pytest.approx(100 * 2 / 5)  # two words of five are missing
    assert good["all"]["tests"][0] == {"test": "sign", "better": 1, "worse": 0, "equal": 1, "p": 1.0}
    assert "tests" not in bad["all"]
    assert winoforge(*arguments, cwd=tmp_path).stdout == result.stdout


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("[doc]\n一\n二\n", "[doc]\nOne.\nTwo.\n", "[doc]\nOne.\n[doc]\n"), "mt.en"),
        (
            ("一\n二\n三\n四\n", "One.\n[doc]\nThree.\nFour.\n", "One.\nTwo.\n[doc]\nFour.\n"),
            "mt.en: [boundary] other sentences than in a.en; a.zh:3: [boundary] no boundary; expected [doc] as in mt.en",
        ),
    ],
)
def test_sentences_and_documents_must_be_the_same(tmp_path: Path, texts: tuple[str, ...], reason: str) -> None:
    for name, text in zip(("a.zh", "a.en", "mt.en"), texts, strict=True):
        write_text(tmp_path / name, text)
    result = winoforge("zp", "metrics", "a.zh", "a.en", "mt.en", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith(reason)
