"""Ask a language model about the items of a release."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from ...core.errors import PipelineError, plural, shown
from ...core.files import write_jsonl
from ...core.pages import percent
from ...core.servers.addresses import server_address
from ...evaluation.asking import CONNECTIONS, ask, goes_on, model_label
from ...evaluation.asking import FILES as KEPT
from ...evaluation.folder import read_folder
from ...evaluation.items import ReleasedItem
from ...evaluation.predictions import FORMS, ORDERS, Form
from ...evaluation.prompts.rendering import ALL_MODES, has_form
from ...evaluation.questions import RunSummary, item_questions, responses, summaries
from ...evaluation.sampling import sample_pairs
from ..output import BaseUrl, Release, counted
from ..parameters import opt, output
from ..report import Quiet, Report, Writes

#: The file that the command writes.
FILES = ("responses.jsonl",)
#: The modes of WSC-ZA (4.1.2).
MODES = "zero-shot,one-shot,few-shot"


def command(
    release: Release,
    model: Annotated[
        str,
        opt(
            "gguf:PATH for a file on this machine, or Inspect's name: openai/gpt-4o, openai-api/local/NAME with --base-url."
        ),
    ],
    out: Annotated[Path, output("folder of responses.jsonl."), Writes(FILES)],
    cache: Annotated[
        Path | None,
        output("folder of the replies and logs of Inspect, so that a stopped run continues; default: that of --out."),
        Writes(KEPT),
    ] = None,
    base_url: BaseUrl = "",
    mode: Annotated[str, opt(f"How items are asked, separated by commas: {', '.join(ALL_MODES)}.")] = MODES,
    order: Annotated[Literal["as written", "swapped", "both"], opt("Order of the options.")] = ORDERS[0],
    form: Annotated[
        Literal["zero", "overt", "both"] | None, opt("Form of the items; default: zero if the release has zero forms.")
    ] = None,
    items: Annotated[int | None, opt("Ask about a balanced sample of this many items in whole pairs.", min=2)] = None,
    seed: Annotated[int, opt("Seed of the sample.", min=0)] = 0,
    max_tokens: Annotated[int, opt("Maximum length of an answer in tokens.", min=1)] = 128,
    connections: Annotated[int, opt("Questions at the same time, at a server.", min=1)] = CONNECTIONS,
    threads: Annotated[int, opt("Threads that compute, for a GGUF file.", min=1)] = 1,
    name: Annotated[str, opt("Name of the model in the responses; default: its file or name.")] = "",
    quiet: Quiet = False,
) -> Report:
    """Ask a language model about the items of a release, as WSC-ZA does: its prompts, temperature 0, top-p 0.9.

    Replies are kept as they come, and the same command continues a run that
    was stopped: no question is asked twice. `evaluate report` reads the
    responses. Keys come from the environment (OPENAI_API_KEY) and reach no file.
    """
    modes = list(dict.fromkeys(mode.split(",")))
    address = server_address(base_url, "--base-url") if base_url else ""
    folder = read_folder(release)
    entries = folder.items
    forms, orders = _forms(form, entries), ORDERS if order == "both" else (order,)
    able = [entry for entry in entries if all(has_form(entry, each) for each in forms)]
    chosen = sample_pairs(able, items, seed, release=entries) if items else entries
    questions = item_questions(chosen, entries, modes, forms, orders, cue=goes_on(model))
    if not questions:
        reason = f"no item to ask about; found {plural(len(able), 'item')} in this form, expected whole pairs"
        raise PipelineError(release, None, f"[items] {reason}")
    with counted("asking", quiet=quiet) as show:
        replies = ask(
            [question.prompt for question in questions],
            model,
            cache or out,
            base_url=address,
            max_tokens=max_tokens,
            connections=connections,
            threads=threads,
            progress=show,
        )
    write_jsonl(out / FILES[0], responses(questions, replies, name or model_label(model)))
    report = Report()
    pairs = len({entry.item.schema for entry in chosen})
    drawn = f", a sample in {plural(pairs, 'pair')} with seed {seed}" if items else ""
    report.add(
        f"{folder.name}: {len(chosen)} of {plural(len(entries), 'item')}{drawn}", items=len(chosen), schemas=pairs
    )
    if not items and len(able) < len(entries):
        asked = "not asked" if len(forms) == 1 else "asked in one form only"
        report.add(f"{len(entries) - len(able)} were never overt, or have no zero, and are {asked}")
    _add(report, summaries(questions, replies))
    report.add(
        f"{out / FILES[0]}: {plural(len(questions), 'question')} in, {plural(len(replies), 'answer')} out",
        questions=len(questions),
        answers=len(replies),
    )
    return report


def _forms(form: str | None, entries: Sequence[ReleasedItem]) -> tuple[Form, ...]:
    """Return the forms that are asked; raises `PipelineError` if the release has no zeros that it should have."""
    zeros = any(entry.text_zero for entry in entries)
    if form in ("zero", "both") and not zeros:
        raise PipelineError(None, None, f"[form] no zero forms in this release; found {shown(form)}, expected 'overt'")
    if form == "both":
        return FORMS
    return ("overt",) if form == "overt" or not zeros else ("zero",)


def _add(report: Report, runs: Sequence[RunSummary]) -> None:
    figures = []
    for run in runs:
        mean = f"{sum(run.tokens) / len(run.tokens):.0f} tokens a prompt" if run.tokens else "tokens not counted"
        report.add(
            f"{', '.join(run.shown_as)}: {run.right} of {run.answers} right ({percent(run.right / run.answers)}), "
            f"{run.unparsed} without a choice, {mean}"
        )
        span = [min(run.tokens), max(run.tokens)] if run.tokens else None
        counts = {"answers": run.answers, "right": run.right, "unparsed": run.unparsed, "prompt_tokens": span}
        figures.append(run.shown_as._asdict() | counts)
    report.figures["runs"] = figures
