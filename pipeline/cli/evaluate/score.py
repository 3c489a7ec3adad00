"""Answer the items of a release by the log-probabilities that a language model gives to their texts."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError, plural, shown
from ...core.files import write_jsonl
from ...core.servers.addresses import server_address
from ...evaluation.folder import read_folder
from ...evaluation.predictions import FORMS, Form
from ...evaluation.sampling import sample_pairs
from ...evaluation.scoring.open import open_model
from ...evaluation.scoring.responses import SCORING_MODES, score_items, summary
from ...evaluation.scoring.scores import NORMALISATIONS, Normalisation
from ...evaluation.scoring.texts import FORM, scoring_items
from ..output import BaseUrl, Release
from ..report import Report, Writes

#: The file that the command writes.
FILES = ("responses.jsonl",)
#: Maximum number of items that are named.
_NAMED = 10


def command(
    release: Release,
    model: Annotated[
        str,
        typer.Option(
            help="Folder of a model of transformers, gguf:PATH, or with --base-url the name of a model at a server.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="Output: folder of responses.jsonl.", show_default=False), Writes(FILES)],
    mode: Annotated[
        str, typer.Option(help="What is scored, separated by commas: full-score, partial-score.")
    ] = ",".join(SCORING_MODES),
    normalise: Annotated[
        Normalisation, typer.Option(help="What a score is divided by: nothing, its number of tokens or of characters.")
    ] = NORMALISATIONS[0],
    form: Annotated[
        Form, typer.Option(help="Form under which the answers are reported; the scored texts are the same for both.")
    ] = FORMS[1],
    items: Annotated[
        int | None,
        typer.Option(help="Score a balanced sample of this many items in whole pairs.", min=2, show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.", min=0)] = 0,
    base_url: BaseUrl = "",
    name: Annotated[
        str,
        typer.Option(help="Name of the model in the responses; default: its folder, file or name.", show_default=False),
    ] = "",
    batch_size: Annotated[int, typer.Option(help="Number of texts scored at once.", min=1)] = 8,
) -> Report:
    """Answer items by the more probable text: score each with either candidate in the target's place; exit 1 if one has no score.

    No question is asked. A full score is the log-probability of the whole
    text, a partial one that of what follows the candidate (Trinh and Le
    2018). A tie is an empty answer. `evaluate report` reads the responses.
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
    texts = scoring_items(folder.lines(FORM), data / f"{FORM}.jsonl", entries)
    if items:
        chosen = sample_pairs([text.entry for text in texts], items, seed, release=entries)
        drawn = {entry.item.id for entry in chosen}
        if not drawn:
            raise PipelineError(
                release, None, "[items] no pair to draw; expected schemas of two items with texts to score"
            )
        texts = [text for text in texts if text.entry.item.id in drawn]
    scored = score_items(texts, open_model(model, address, name, batch_size), modes, normalise, form)
    write_jsonl(out / FILES[0], scored.rows)
    report = Report()
    sample = f", a sample with seed {seed}" if items else ""
    report.add(f"{folder.name}: {len(texts)} of {plural(len(entries), 'item')}{sample}")
    figures = summary(scored, texts)
    for run, counts in figures.items():
        report.add(
            f"{run}: {counts['right']} of {counts['scored']} right, {plural(counts['ties'], 'tie')}, {counts['unscored']} not scored"
        )
        if missing := scored.unscored[run]:
            named = ", ".join(missing[:_NAMED]) + ", …" * (len(missing) > _NAMED)
            reason = "nothing follows the candidate, or the model does not tell where it ends"
            report.findings.append(f"{data}: [{run}] {plural(len(missing), 'item')} not scored: {reason}: {named}")
    with_texts = {text.entry.item.id for text in texts}
    lacking = [] if items else [entry.item.id for entry in entries if entry.item.id not in with_texts]
    if lacking:
        named = ", ".join(lacking[:_NAMED]) + ", …" * (len(lacking) > _NAMED)
        report.findings.append(f"{data}: [{FORM}] {plural(len(lacking), 'item')} without texts to score: {named}")
    if "partial-score" in modes:
        prefix, offsets = scored.boundaries["prefix"], scored.boundaries["offsets"]
        report.add(
            f"partial-score: the tokens of the context are a prefix in {prefix} of {plural(prefix + offsets, 'text')}; "
            f"character offsets in {offsets}"
        )
    report.add(f"{out / FILES[0]}: {plural(len(scored.rows), 'response')}")
    report.figures = {
        "release": folder.name,
        "items": len(texts),
        "modes": figures,
        "boundaries": scored.boundaries,
        "responses": len(scored.rows),
    }
    return report
