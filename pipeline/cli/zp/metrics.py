"""Score machine translations with automatic metrics."""

from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural
from ...core.pages import decimal
from ...zero_pronouns.documents import misalignment, read_parallel_text
from ...zero_pronouns.translation.metrics import TESTS, paired_test, sign_test, text_scores
from ..parameters import arg, opt
from ..report import Report


def command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels such as <他>_S, a sentence a line.")],
    reference: Annotated[Path, arg("REFERENCE", "English, aligned line by line.")],
    systems: Annotated[list[Path], arg("SYSTEM", "Translations of systems, aligned line by line.")],
    baseline: Annotated[Path | None, opt("Translation of the system that the others are tested against.")] = None,
    tokenised: Annotated[bool, opt("The English is tokenised: words are what blanks separate.", "--tokenised")] = False,
    seed: Annotated[int, opt("Seed of the bootstrap and the randomisation.", min=1)] = 12345,
    samples: Annotated[int, opt("Number of resamples, and of trials.", min=1)] = 1000,
) -> Report:
    """Score translations by BLEU, chrF, TER and METEOR, and test their differences from a baseline.

    Each is scored on all sentences and on the sentences with a zero. A sentence decides the sign test by the change of the text's BLEU
    when it replaces the baseline's (Collins et al. 2005).
    """
    texts = {
        path: read_parallel_text(source, path) for path in (reference, *systems, *([baseline] if baseline else []))
    }
    report = Report(findings=list(dict.fromkeys(str(finding) for text in texts.values() for finding in text.findings)))
    pairs = texts[reference].pairs
    lines = [pair.line for pair in pairs]
    for path, text in texts.items():
        if [pair.line for pair in text.pairs] != lines:
            fault = misalignment(text) or misalignment(texts[reference])
            raise PipelineError(path, None, f"[boundary] other sentences than in {reference}; {fault}")
    with_zero = [place for place, pair in enumerate(pairs) if pair.source.zeros]
    report.add(
        f"{source}: {plural(len(pairs), 'sentence')}, {len(with_zero)} with a zero",
        sentences=len(pairs),
        sentences_with_zero=len(with_zero),
    )
    targets = {path: [pair.target for pair in text.pairs] for path, text in texts.items()}
    figures: dict[str, Any] = {}
    for path in dict.fromkeys(systems):
        figures[str(path)] = {}
        for scope, places in (("all", range(len(pairs))), ("with_zero", with_zero)):
            if not places:
                continue
            chosen = {file: [target[place] for place in places] for file, target in targets.items()}
            figures[str(path)][scope] = entry = _scores(
                report, f"{path}, {scope.replace('_', ' ')}", chosen[path], chosen[reference], tokenised
            )
            if baseline and baseline != path:
                compared = (chosen[baseline], chosen[path], chosen[reference])
                entry["tests"] = _tests(report, compared, baseline, tokenised, seed, samples)
    report.figures["systems"] = figures
    report.notes.append(
        "METEOR has no synonyms: WordNet is not installed; COMET is left out: its weights cannot be had offline"
    )
    return report


def _scores(
    report: Report, title: str, hypotheses: list[str], references: list[str], tokenised: bool
) -> dict[str, Any]:
    scores = text_scores(hypotheses, references, tokenised=tokenised)
    report.add(f"{title} ({plural(len(hypotheses), 'sentence')}):")
    for score in scores:
        report.add(f"  {score.metric} {decimal(score.value, 2)}  {score.signature}")
    return {"scores": {score.metric: {"value": score.value, "signature": score.signature} for score in scores}}


def _tests(
    report: Report,
    texts: tuple[list[str], list[str], list[str]],
    baseline: Path,
    tokenised: bool,
    seed: int,
    samples: int,
) -> list[dict[str, Any]]:
    sign = sign_test(*texts, tokenised=tokenised)
    report.add(
        f"  against {baseline}, sign test: {sign.better} better, {sign.worse} worse, {sign.equal} equal; p {_p(sign.p)}"
    )
    rows: list[dict[str, Any]] = [
        {"test": "sign", "better": sign.better, "worse": sign.worse, "equal": sign.equal, "p": sign.p}
    ]
    for test in ("bs", "ar"):
        for result in paired_test(test, *texts, tokenised=tokenised, seed=seed, samples=samples):
            report.add(f"  against {baseline}, {TESTS[test]}, {result.metric}: p {_p(result.p)}  {result.signature}")
            rows.append({"test": test, "metric": result.metric, "p": result.p, "signature": result.signature})
    return rows


def _p(value: float | None) -> str:
    """Return a p value with two digits; without a difference to test it is n/a."""
    return "n/a" if value is None else f"{value:.2g}"
