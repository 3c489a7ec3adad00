"""Automatic metrics of machine translation, each with its signature, and tests whether one system translates better than another."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from ...core.packages import require_packages

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric

#: BLEU as the paper computes it (EMNLP 2022, section 4.1): multi-bleu.perl, case-insensitive, on tokenised text.
PAPER = "BLEU (paper)"
#: METEOR without its third stage, synonyms: these need WordNet, which no package of ours brings.
METEOR = "METEOR (exact, stem)"


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a text by a metric, with the settings and the version of the software in the notation of sacrebleu.

    The value is from 0 to 100, more is better; TER is an error rate, less is better and it can exceed 100.
    """

    metric: str
    value: float
    signature: str


def sacrebleu_metrics(*, tokenised: bool) -> "dict[str, Metric]":
    """Return the metrics of sacrebleu by name: the paper's BLEU, and BLEU, chrF and TER with the default settings.

    sacrebleu equals multi-bleu.perl -lc with the tokenizer ``none`` and without smoothing: both split at blanks, count n-grams up to
    4, sum over the text, and give 0 if an order has no match. The Moses tokenizer, which the paper seems to use before, is not
    part of either. If the texts are not tokenised already, the paper's BLEU takes the words of the tokenizer ``13a``.
    """
    require_packages("zp", "sacrebleu")
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    tokenizer = "none" if tokenised else "13a"
    return {
        PAPER: BLEU(lowercase=True, force=True, tokenize=tokenizer, smooth_method="none"),
        "BLEU": BLEU(force=True),
        "chrF": CHRF(),
        "TER": TER(),
    }


def text_scores(hypotheses: Sequence[str], references: Sequence[str], *, tokenised: bool) -> list[Score]:
    """Return the scores of a text by all metrics; raises `ValueError` without a sentence, and for unequal numbers of sentences."""
    if not hypotheses or len(hypotheses) != len(references):
        raise ValueError(
            f"{len(hypotheses)} hypotheses for {len(references)} references; expected as many, and at least 1"
        )
    scores = []
    for name, metric in sacrebleu_metrics(tokenised=tokenised).items():
        value = metric.corpus_score(hypotheses, [references]).score
        scores.append(Score(name, float(value), str(metric.get_signature())))
    return [*scores, _meteor(hypotheses, references, tokenised=tokenised)]


def _meteor(hypotheses: Sequence[str], references: Sequence[str], *, tokenised: bool) -> Score:
    values = [meteor(*pair, tokenised=tokenised) for pair in zip(hypotheses, references, strict=True)]
    tokenizer = "none" if tokenised else "13a"
    settings = "stages:exact+stem|alpha:0.9|beta:3.0|gamma:0.5|mean:sentences"
    signature = f"nrefs:1|case:lc|tok:{tokenizer}|{settings}|nltk:{version('nltk')}"
    return Score(METEOR, 100 * sum(values) / len(values), signature)


class _NoWordNet:
    """Stands for WordNet, whose data are not installed: no word has a synonym."""

    def synsets(self, _: str) -> list[Any]:
        """Return no sets of synonyms."""
        return []


def meteor(hypothesis: str, reference: str, *, tokenised: bool) -> float:
    """Return METEOR of a sentence (Banerjee and Lavie 2005) by nltk, from 0 to 1: the stages of equal words and of equal Porter stems."""
    require_packages("zp", "nltk", "sacrebleu")
    from nltk.translate.meteor_score import single_meteor_score
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    cut = str if tokenised else Tokenizer13a()  # type: ignore[no-untyped-call]  # sacrebleu leaves it without types
    words = [cut(text.lower()).split() for text in (reference, hypothesis)]
    return float(single_meteor_score(*words, wordnet=_NoWordNet()))


#: The name of a test of sacrebleu.
Test = Literal["bs", "ar"]
#: The tests of sacrebleu by their names there: paired bootstrap (Koehn 2004), approximate randomisation (Riezler and Maxwell 2005).
TESTS: Mapping[Test, str] = {"bs": "paired bootstrap", "ar": "approximate randomisation"}
_SEED = "SACREBLEU_SEED"


@dataclass(frozen=True, slots=True)
class SignTest:
    """The sentences in which a system is better, worse and equal to a baseline, and the two-sided p; None if all are equal."""

    better: int
    worse: int
    equal: int
    p: float | None


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of sacrebleu with its settings, its seed and the number of samples.

    `p` is two-sided; None if all translations are equal, for which sacrebleu gives its smallest p.
    """

    test: str
    metric: str
    p: float | None
    signature: str


def sign_test(
    baseline: Sequence[str], system: Sequence[str], references: Sequence[str], *, tokenised: bool
) -> SignTest:
    """Return the sign test by sentence of Collins, Koehn and Kučerová (2005, ACL, section 4.1), as the paper uses it.

    BLEU of single sentences does not decide: a sentence is better if the paper's BLEU of the whole text rises when the system's
    translation takes the place of the baseline's in this sentence, and worse if it falls. Equal sentences are left out; the others
    are binomial with probability 1/2.
    """
    metric = sacrebleu_metrics(tokenised=tokenised)[PAPER]
    from sacrebleu.metrics.bleu import BLEU
    from scipy.stats import binomtest

    def counts(hypothesis: str, reference: str) -> list[int]:
        score = metric.corpus_score([hypothesis], [[reference]])
        return [score.sys_len, score.ref_len, *score.counts, *score.totals]

    def bleu(sums: Sequence[int]) -> float:
        return float(BLEU.compute_bleu(list(sums[2:6]), list(sums[6:]), sums[0], sums[1]).score)

    before, after = ([counts(*pair) for pair in zip(texts, references, strict=True)] for texts in (baseline, system))
    total = [sum(column) for column in zip(*before, strict=True)]
    score = bleu(total)
    better = worse = 0
    for old, new in zip(before, after, strict=True):
        changed = bleu([whole - minus + plus for whole, minus, plus in zip(total, old, new, strict=True)])
        better += changed > score
        worse += changed < score
    p = float(binomtest(better, better + worse).pvalue) if better + worse else None
    return SignTest(better, worse, len(baseline) - better - worse, p)


def paired_test(
    test: Test,
    baseline: Sequence[str],
    system: Sequence[str],
    references: Sequence[str],
    *,
    tokenised: bool,
    seed: int,
    samples: int,
    names: Sequence[str] = (),
) -> list[PairedTest]:
    """Return a test of sacrebleu for each of its metrics but TER, which takes seconds for a long sentence.

    sacrebleu counts the samples whose difference is greater than that of the text, not equal to it: for a handful of sentences,
    where few samples differ, p is too small. The `samples` are resamples, or trials. Without `names`, all metrics are tested.

    Raises:
        ValueError: the seed, of numpy's PCG64, is below 1: sacrebleu takes 0 for none.
    """
    if seed < 1:
        raise ValueError(f"seed {seed}; expected at least 1")
    metrics = sacrebleu_metrics(tokenised=tokenised)
    from sacrebleu.significance import PairedTest as SacrebleuTest

    results = []
    for name, metric in metrics.items():
        if name == "TER" or (names and name not in names):
            continue
        with _seeded(seed):
            systems = [("baseline", baseline), ("system", system)]
            signatures, scores = SacrebleuTest(systems, {name: metric}, [references], test, samples)()
        ((key, signature),) = signatures.items()
        compared: Any = scores[key][1]  # the first is the baseline
        p = None if list(baseline) == list(system) else float(compared.p_value)
        results.append(PairedTest(test, name, p, str(signature)))
    return results


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Set the variable from which sacrebleu takes its seed."""
    before = os.environ.get(_SEED)
    os.environ[_SEED] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SEED]
        else:
            os.environ[_SEED] = before
