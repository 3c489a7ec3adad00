"""Answer the items of a release by the log-probabilities that a language model gives to their texts."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural, shown
from ...core.files import write_jsonl
from ...core.servers.addresses import server_address
from ...evaluation.folder import read_folder
from ...evaluation.predictions import FORMS, Form
from ...evaluation.sampling import sample_pairs
from ...evaluation.scoring.responses import OF_BOTH_FORMS, SCORING_MODES, ScoredItems, score_items, summary
from ...evaluation.scoring.scores import NORMALISATIONS, Normalisation
from ...evaluation.scoring.server import open_model
from ...evaluation.scoring.texts import FORM, ScoringItem, answer_items, right_in_forms, scoring_items
from ..output import BaseUrl, Release
from ..parameters import opt, output
from ..report import Report, Writes

#: The file that the command writes.
FILES = ("responses.jsonl",)
#: What is scored by default: the texts that every release has.
_DEFAULT = ",".join(mode for mode in SCORING_MODES if mode != OF_BOTH_FORMS)
#: Maximum number of items that are named.
_NAMED = 10


def command(
    release: Release,
    model: Annotated[
        str, opt("Folder of a model of transformers, gguf:PATH, or with --base-url the name of a model at a server.")
    ],
    out: Annotated[Path, output("folder of responses.jsonl."), Writes(FILES)],
    mode: Annotated[
        str, opt("What is scored, separated by commas: full-score, partial-score, answer-score.")
    ] = _DEFAULT,
    normalise: Annotated[
        Normalisation, opt("What a score is divided by: nothing, its number of tokens or of characters.")
    ] = NORMALISATIONS[0],
    form: Annotated[
        Form, opt("Form under which full and partial scores are reported; their texts are the same for both.")
    ] = FORMS[1],
    items: Annotated[int | None, opt("Score a balanced sample of this many items in whole pairs.", min=2)] = None,
    seed: Annotated[int, opt("Seed of the sample.", min=0)] = 0,
    base_url: BaseUrl = "",
    name: Annotated[str, opt("Name of the model in the responses; default: its folder, file or name.")] = "",
    batch_size: Annotated[int, opt("Number of texts scored at once.", min=1)] = 8,
) -> Report:
    """Answer items by the more probable text: score each with either candidate in the target's place; exit 1 if one has no score.

    A full score is the log-probability of the whole text, a partial one
    that of what follows the candidate (Trinh and Le 2018). An answer score
    is that of the candidate after the text and its question, once with the
    zero and once with the pronoun. A tie is an empty answer. `evaluate
    report` reads the responses.
    """
    modes = [given for given in SCORING_MODES if given in mode.split(",")]
    if unknown := [given for given in mode.split(",") if given not in SCORING_MODES]:
        reason = f"unknown mode; found {shown(unknown[0])}, expected {' or '.join(SCORING_MODES)}"
        raise PipelineError(None, None, f"[mode] {reason}")
    address = server_address(base_url, "--base-url") if base_url else ""
    folder = read_folder(release)
    data = release / "data"
    entries = folder.items
    if form == "zero" and not any(entry.text_zero for entry in entries):
        raise PipelineError(None, None, "[form] no zero forms in this release; found 'zero', expected 'overt'")
    lines, path = folder.lines(FORM), data / f"{FORM}.jsonl"
    texts = scoring_items(lines, path, entries)
    answers = {given: answer_items(lines, path, entries, given) for given in FORMS if OF_BOTH_FORMS in modes}
    if items:
        chosen = sample_pairs([text.entry for text in texts], items, seed, release=entries)
        drawn = {entry.item.id for entry in chosen}
        if not drawn:
            raise PipelineError(
                release, None, "[items] no pair to draw; expected schemas of two items with texts to score"
            )
        texts = [text for text in texts if text.entry.item.id in drawn]
        answers = {
            given: [text for text in of_form if text.entry.item.id in drawn] for given, of_form in answers.items()
        }
    opened = open_model(model, address, name, batch_size)
    of_texts = [given for given in modes if given != OF_BOTH_FORMS]
    scored = [(score_items(texts, opened, of_texts, normalise, form), texts)] if of_texts else []
    scored += [
        (score_items(of_form, opened, [OF_BOTH_FORMS], normalise, given), of_form) for given, of_form in answers.items()
    ]
    rows = [row for result, _ in scored for row in result.rows]
    write_jsonl(out / FILES[0], rows)
    report = Report()
    sample = f", a sample with seed {seed}" if items else ""
    report.add(f"{folder.name}: {len(texts)} of {plural(len(entries), 'item')}{sample}")
    for result, of_result in scored:
        _add_results(report, result, of_result, data)
    with_texts = {text.entry.item.id for text in texts}
    lacking = [] if items else [entry.item.id for entry in entries if entry.item.id not in with_texts]
    if lacking:
        report.findings.append(
            f"{data}: [{FORM}] {plural(len(lacking), 'item')} without texts to score: {_named(lacking)}"
        )
    if answers:
        _add_forms(report, right_in_forms([row for row in rows if row["mode"].startswith(OF_BOTH_FORMS)], entries))
    report.add(f"{out / FILES[0]}: {plural(len(rows), 'response')}", responses=len(rows))
    report.figures |= {"release": folder.name, "items": len(texts)}
    return report


def _add_results(report: Report, scored: ScoredItems, items: list[ScoringItem], data: Path) -> None:
    """Add a line for each mode of a run, what it could not score, and how the ends of contexts were found."""
    for mode, counts in summary(scored, items).items():
        run = _run_name(mode, scored)
        report.add(
            f"{run}: {counts['right']} of {counts['scored']} right, {plural(counts['ties'], 'tie')}, {counts['unscored']} not scored"
        )
        report.figures.setdefault("modes", {})[run] = counts
        if missing := scored.unscored[mode]:
            reason = "nothing follows the candidate, or the model does not tell where it ends"
            report.findings.append(
                f"{data}: [{run}] {plural(len(missing), 'item')} not scored: {reason}: {_named(missing)}"
            )
    prefix, offsets = scored.boundaries["prefix"], scored.boundaries["offsets"]
    if prefix + offsets:
        run = next(mode for mode in reversed(scored.ties) if not mode.startswith("full-score"))
        report.add(
            f"{_run_name(run, scored)}: the tokens of the context are a prefix in {prefix} of {plural(prefix + offsets, 'text')}; "
            f"character offsets in {offsets}"
        )
    report.figures[_run_name("boundaries", scored)] = scored.boundaries


def _run_name(name: str, scored: ScoredItems) -> str:
    """Return a name with the form of a run whose texts are not the same for zero and pronoun."""
    of_both = any(mode.startswith(OF_BOTH_FORMS) for mode in scored.ties)
    return f"{name}, {scored.form}" if of_both else name


def _add_forms(report: Report, counts: dict[str, dict[str, int]]) -> None:
    """Add a line for items and one for pairs with the forms in which the model is right."""
    for unit, of_unit in counts.items():
        report.add(
            f"{OF_BOTH_FORMS}, {unit}: right with zero and pronoun {of_unit['both']}, with the pronoun only {of_unit['overt']}, "
            f"with the zero only {of_unit['zero']}, with neither {of_unit['neither']}"
        )
    report.figures["forms"] = counts


def _named(items: list[str]) -> str:
    return ", ".join(items[:_NAMED]) + ", …" * (len(items) > _NAMED)
