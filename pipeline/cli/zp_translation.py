"""Commands on how systems recover and translate zero pronouns."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from ..core.errors import PipelineError, plural
from ..core.files import read_bytes, write_text
from ..core.pages import decimal, percent
from ..statistics.agreement import Overlap
from ..zero_pronouns.agreement import read_recovered
from ..zero_pronouns.documents import misalignment, read_parallel_text, require_aligned
from ..zero_pronouns.translation.alignment import align, index_notes, quality, read_links, to_pharaoh
from ..zero_pronouns.translation.details import (
    OUTCOMES,
    Verdict,
    correct,
    details_lines,
    read_details,
    score_lines,
    tagged_lines,
)
from ..zero_pronouns.translation.judge import (
    MAX_NEIGHBOURS,
    MODES,
    NEIGHBOURS,
    Translation,
    accuracy,
    by_form,
    by_sentence,
    effects,
    read_translation,
    words_of,
)
from ..zero_pronouns.translation.metrics import TESTS, paired_test, sign_test, text_scores
from .parameters import arg, opt, output
from .report import Report


def align_command(
    source: Annotated[Path, arg("SOURCE", "Chinese, split into words by blanks, with labels as words.")],
    target: Annotated[Path, arg("TARGET", "English, split into words, line by line.")],
    out: Annotated[Path, output("the alignment in Pharaoh format (0-0 1-2).")],
) -> Report:
    """Align words by systran-align, which learns from the text itself.

    One core does all of it, so that the same text gives the same alignment.
    """
    sources, targets = words_of(source), words_of(target)
    require_aligned(target, len(targets), source, len(sources))
    alignment = align(list(zip(sources, targets, strict=True)))
    text = to_pharaoh(alignment)
    write_text(out, text)
    links, digest = sum(map(len, alignment)), hashlib.sha256(text.encode()).hexdigest()
    return Report().add(
        f"{out}: {plural(len(sources), 'line')} in, {len(alignment)} out, {plural(links, 'link')}; sha256 {digest}",
        lines=len(alignment),
        links=links,
        sha256=digest,
    )


def aer_command(
    gold: Annotated[
        Path, arg("GOLD", "Links by hand, sure (0-0) or possible (1p2); sentences with an empty line are left out.")
    ],
    automatic: Annotated[Path, arg("AUTO", "The automatic alignment (0-0 1-2), line by line.")],
) -> Report:
    """Measure a word alignment: alignment error rate (AER), precision, recall."""
    golds, links = read_links(gold, possible=True), read_links(automatic)
    require_aligned(automatic, len(links), gold, len(golds))
    if not any(golds):
        raise PipelineError(gold, None, "[link] no link; expected at least one sentence with links by hand")
    figures = quality(zip(golds, links, strict=True))
    report = Report()
    for path, alignment in ((gold, golds), (automatic, links)):
        report.lines += index_notes(path, alignment)
    return report.add(
        f"{automatic}: AER {decimal(figures.error_rate)}, precision {percent(figures.precision)}, recall {percent(figures.recall)}; "
        f"{plural(figures.sentences, 'sentence')} by hand of {len(golds)}, {figures.sure} sure links, {figures.automatic} automatic ones",
        aer=figures.error_rate,
        precision=figures.precision,
        recall=figures.recall,
        sentences=figures.sentences,
        lines=len(golds),
        sure=figures.sure,
        automatic=figures.automatic,
    )


def azpt_command(
    out: Annotated[Path, output("the scores, a line a label (.score).")],
    source: Annotated[Path | None, arg("SOURCE", "Chinese, split into words by blanks, with labels as words.")] = None,
    hypotheses: Annotated[
        Path | None, arg("HYPOTHESES", "The system's English, split into words, line by line.")
    ] = None,
    alignment: Annotated[Path | None, opt("Word alignment in Pharaoh format (0-0 1-2), line by line.")] = None,
    mode: Annotated[
        Literal["published", "corrected"], opt("As the authors' tool scores, or with its errors corrected.")
    ] = "published",
    neighbours: Annotated[
        int | None,
        opt(f"Words on each side of an aligned word to look at; {NEIGHBOURS} by default.", min=0, max=MAX_NEIGHBOURS),
    ] = None,
    details: Annotated[Path | None, output("the verdict on each zero (.details).")] = None,
    tagged: Annotated[Path | None, output("the hypotheses, with the words looked at in brackets (.tagged).")] = None,
    from_details: Annotated[
        Path | None, opt("Verdicts on each zero (.details), in place of SOURCE and HYPOTHESES.")
    ] = None,
) -> Report:
    """Score the translation of zero pronouns (AZPT); exit 1 if a label or a link is malformed.

    Takes the source, the hypotheses and their alignment; or the verdicts that the authors' tool wrote (--from-details).
    """
    given = [source, hypotheses, alignment]
    if from_details is not None:
        if any([*given, details, tagged]):
            raise PipelineError(None, None, "[--from-details] takes no other files; expected --mode and --out only")
        if neighbours is not None:
            reason = f"takes no --neighbours; found {neighbours}, expected --mode and --out only"
            raise PipelineError(None, None, f"[--from-details] {reason}")
        return _summed(from_details, out, mode)
    if source is None or hypotheses is None or alignment is None:
        missing = "SOURCE, HYPOTHESES and --alignment, or --from-details"
        raise PipelineError(None, None, f"[files] not enough; found {sum(map(bool, given))} of 3, expected {missing}")
    neighbours = NEIGHBOURS if neighbours is None else neighbours
    translation = read_translation(source, hypotheses, alignment)
    rules = replace(MODES[mode], neighbours=neighbours)
    verdicts = translation.verdicts(rules)
    if not verdicts:
        raise PipelineError(source, None, "[label] no zero; expected at least one label such as <他>_S")
    report = Report(findings=[*translation.findings, *translation.faults(rules)])
    report.lines += index_notes(alignment, [sentence.links for sentence in translation.sentences])
    _write(out, score_lines(verdicts))
    if details:
        _write(details, details_lines(verdicts))
    if tagged:
        _write(tagged, tagged_lines(translation.targets, verdicts))
    _add_accuracy(report, out, verdicts)
    if mode == "corrected":
        _add_effects(report, translation, neighbours)
    digest = hashlib.sha256(read_bytes(alignment)).hexdigest()
    report.add(f"alignment {alignment}: sha256 {digest}", mode=mode, neighbours=neighbours, alignment_sha256=digest)
    return report


def _summed(path: Path, out: Path, mode: str) -> Report:
    """Score verdicts from a file."""
    published = read_details(path)
    verdicts = published if mode == "published" else list(correct(published))
    report = Report()
    _write(out, score_lines(verdicts))
    _add_accuracy(report, out, verdicts)
    if mode == "corrected":
        changed = sum(before != after for before, after in zip(published, verdicts, strict=True))
        report.add(f"{changed} with another expected translation than in the file", changed=changed)
    return report


def _write(path: Path, lines: Iterable[str]) -> None:
    write_text(path, "".join(f"{line}\n" for line in lines))


def _add_accuracy(report: Report, out: Path, verdicts: Sequence[Verdict]) -> None:
    """Add the accuracy of all zeros, then that of each form and label."""
    overall, forms = accuracy(verdicts), by_form(verdicts)
    right = overall.outcomes["right"]
    report.add(
        f"{out}: {plural(overall.zeros, 'zero')}, {right} translated ({percent(overall.share)}), {overall.zeros - right} not",
        zeros=overall.zeros,
        translated=right,
        azpt=overall.share,
        outcomes=dict(overall.outcomes),
        forms={
            form: {label or "all": part.figures() for label, part in parts.items()} for form, parts in forms.items()
        },
    )
    sentences = by_sentence(verdicts)
    report.figures["sentences"] = {name: part.figures() for name, part in sentences.items()}
    for name, part in sentences.items():
        report.add(f"sentences with {name}: {plural(part.zeros, 'zero')}, {percent(part.share)} translated")
    for form, parts in forms.items():
        for label, part in parts.items():
            outcomes = ", ".join(f"{part.outcomes[name]} {name}" for name in OUTCOMES if part.outcomes[name])
            report.add(
                f"{f'  {label}' if label else form}: {plural(part.zeros, 'zero')}, {percent(part.share)} translated; {outcomes}"
            )


def _add_effects(report: Report, translation: Translation, neighbours: int) -> None:
    """Add what each departure from the authors' tool does alone."""
    before, *departures = effects(translation, neighbours)
    report.add(
        f"as published: {before.accuracy.outcomes['right']} of {before.accuracy.zeros} translated",
        published=before.accuracy.figures(),
    )
    for effect in departures:
        report.add(
            f"{effect.name} alone: {effect.accuracy.outcomes['right']} of {effect.accuracy.zeros} translated; "
            f"{effect.gained} gained, {effect.lost} lost"
        )
    report.figures["departures"] = {
        effect.name: {**effect.accuracy.figures(), "gained": effect.gained, "lost": effect.lost}
        for effect in departures
    }


def recover_command(
    gold: Annotated[Path, arg("GOLD", "Chinese with the right labels, a sentence a line.")],
    system: Annotated[Path, arg("SYSTEM", "The same sentences with the labels of a system.")],
) -> Report:
    """Score recovered zero pronouns (AZPR): precision, recall, F1; exit 1 if a label is malformed or a text another."""
    scores = read_recovered(gold, system)
    report = Report(findings=list(scores.findings))
    parts = {"place, pronoun and form": scores.overall, "place and pronoun": scores.without_form, **scores.forms}
    for name, part in parts.items():
        report.add(
            f"{name}: precision {percent(part.precision)}, recall {percent(part.recall)}, F1 {percent(part.f1)}; "
            f"{part.both} right of {part.ours} by the system, {part.theirs} in {gold}"
        )
    report.figures = {
        "overall": _figures(scores.overall),
        "without_form": _figures(scores.without_form),
        "forms": {form: _figures(part) for form, part in scores.forms.items()},
    }
    return report


def _figures(part: Overlap) -> dict[str, float | None]:
    return {
        "gold": part.theirs,
        "system": part.ours,
        "both": part.both,
        "precision": part.precision,
        "recall": part.recall,
        "f1": part.f1,
    }


def metrics_command(
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
