"""The figures of a report by automatic metrics: scores of each system on all genres, and tests against a baseline."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ..sample import SYSTEMS, Genre
from ..translation.metrics import PAPER, TESTS, paired_test, sign_test, text_scores

#: Seed, and number of resamples and of trials.
SEED, SAMPLES = 12345, 1000


def scored(folder: Path, genres: Sequence[Genre], baseline: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the scores of each system on all sentences and on those with a zero, and the signature of each metric.

    Systems that lack a genre are left out. ``tests`` has the p of each test of the paper's BLEU against the baseline; it is empty
    for the baseline itself.

    Raises:
        PipelineError: the baseline lacks a genre of the sample in the folder.
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
    rows: list[dict[str, Any]] = []
    signatures: dict[str, str] = {}
    for system in systems:
        for scope, places in scopes.items():
            if not places:
                continue
            references = [pairs[place].target for place in places]
            own, theirs = ([outputs[name][place] for place in places] for name in (system, baseline))
            scores = text_scores(own, references, tokenised=False)
            signatures |= {score.metric: score.signature for score in scores}
            rows.append(
                {
                    "system": system,
                    "scope": scope,
                    "sentences": len(places),
                    "scores": {score.metric: score.value for score in scores},
                    "tests": {} if system == baseline else _tests(theirs, own, references),
                }
            )
    return rows, signatures


def _tests(baseline: list[str], system: list[str], references: list[str]) -> dict[str, float | None]:
    """Return the p of each test."""
    sign = sign_test(baseline, system, references, tokenised=False)
    tests: dict[str, float | None] = {"sign": sign.p}
    for test in TESTS:
        (result,) = paired_test(
            test, baseline, system, references, tokenised=False, seed=SEED, samples=SAMPLES, names=(PAPER,)
        )
        tests[test] = result.p
    return tests
