"""Score how a system translated zero pronouns."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from ...core.errors import PipelineError, plural
from ...core.files import read_bytes, write_text
from ...core.pages import percent
from ...zero_pronouns.translation.accuracy import accuracy, by_form, effects
from ...zero_pronouns.translation.details import (
    OUTCOMES,
    Verdict,
    correct,
    details_lines,
    read_details,
    score_lines,
    tagged_lines,
)
from ...zero_pronouns.translation.judge import MAX_NEIGHBOURS, MODES, NEIGHBOURS, Translation, read_translation
from ..parameters import arg, opt, output
from ..report import Report


def command(
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
