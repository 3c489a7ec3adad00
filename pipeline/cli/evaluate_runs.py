"""Commands that get answers of systems to the items of a release: asked, scored, or read from the logs of other tools."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from ..core.errors import PipelineError, first_names, plural, shown
from ..core.files import write_json, write_jsonl
from ..core.pages import decimal, percent
from ..core.servers import server_address
from ..evaluation.asking import CONNECTIONS, ask, goes_on, model_label
from ..evaluation.asking import FILES as ASKING_FILES
from ..evaluation.cloze.items import read_cloze_items
from ..evaluation.cloze.models import load_model
from ..evaluation.cloze.results import Measure, cloze_result, read_results
from ..evaluation.cloze.results import summary as cloze_summary
from ..evaluation.folder import read_folder
from ..evaluation.items import ReleasedItem
from ..evaluation.logs.batches import BatchName, Settings, batch_requests
from ..evaluation.logs.conversion import LogName, convert_log
from ..evaluation.logs.custom_ids import custom_id
from ..evaluation.predictions import FORMS, ORDERS, Form, Response, order_of
from ..evaluation.prompts import ALL_MODES, Shown, read_demonstrations
from ..evaluation.questions import Selection, answered_runs, responses, sample_pairs, select_questions
from ..evaluation.scoring.encoder_decoder import EncoderDecoder
from ..evaluation.scoring.responses import (
    FORM,
    OF_BOTH_FORMS,
    SCORING_MODES,
    WHOLE,
    ScoredItems,
    ScoringItem,
    answer_items,
    right_in_forms,
    score_items,
    scoring_items,
)
from ..evaluation.scoring.responses import summary as scored_summary
from ..evaluation.scoring.scores import NORMALISATIONS, Normalisation
from ..evaluation.scoring.server import open_model
from .parameters import (
    PAPER_MODES,
    BaseUrl,
    BatchModel,
    Demonstrations,
    MaxTokens,
    Reasoning,
    Release,
    RequestsFile,
    arg,
    counted,
    opt,
    output,
    tracked,
)
from .report import Quiet, Report, Writes

#: The file that `run` and `score` write.
RESPONSES = "responses.jsonl"
#: The formats of a file of prompts: those of batches, and predictions that lack model and answer.
PromptFormat = Literal[BatchName, "jsonl"]
AskedModes = Annotated[str, opt(f"How items are asked, separated by commas: {', '.join(ALL_MODES)}.")]
AskedOrder = Annotated[Literal["written", "swapped", "both", "as written"], opt("Order of the options.")]
AskedForm = Annotated[
    Literal["zero", "overt", "both"] | None, opt("Form of the items; default: zero if the release has zero forms.")
]
AskedItems = Annotated[int | None, opt("Ask about a balanced sample of this many items in whole pairs.", min=2)]
SampleSeed = Annotated[int, opt("Seed of the sample.", min=0)]


def run_command(
    release: Release,
    model: Annotated[
        str,
        opt(
            "gguf:PATH for a file on this machine, seq2seq:FOLDER for an encoder-decoder model such as FLAN-T5, or Inspect's name: "
            "openai/gpt-4o, openai-api/local/NAME with --base-url."
        ),
    ],
    out: Annotated[Path, output("folder of responses.jsonl."), Writes((RESPONSES,))],
    cache: Annotated[
        Path | None,
        output("folder of the replies and logs of Inspect, so that a stopped run continues; default: that of --out."),
        Writes(ASKING_FILES),
    ] = None,
    base_url: BaseUrl = "",
    mode: AskedModes = PAPER_MODES,
    order: AskedOrder = "written",
    form: AskedForm = None,
    items: AskedItems = None,
    seed: SampleSeed = 0,
    max_tokens: Annotated[int, opt("Maximum length of an answer in tokens.", min=1)] = 128,
    connections: Annotated[int, opt("Questions at the same time, at a server.", min=1)] = CONNECTIONS,
    threads: Annotated[int, opt("Threads that compute, for a GGUF file.", min=1)] = 1,
    demonstrations: Demonstrations = None,
    name: Annotated[str, opt("Name of the model in the responses; default: its file or name.")] = "",
    quiet: Quiet = False,
) -> Report:
    """Ask a language model about the items of a release, as WSC-ZA does: its prompts, temperature 0, top-p 0.9.

    Replies are kept as they come, and the same command continues a run that
    was stopped: no question is asked twice. `evaluate report` reads the
    responses. Keys come from the environment (OPENAI_API_KEY) and reach no file.
    """
    address = server_address(base_url, "--base-url") if base_url else ""
    folder = read_folder(release)
    entries = folder.items
    selected = _selected(entries, mode, form, order, items, seed, demonstrations, cue=goes_on(model))
    chosen, able, questions = selected.chosen, selected.able, selected.questions
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
    write_jsonl(out / RESPONSES, responses(questions, replies, name or model_label(model)))
    report = Report()
    pairs = len({entry.item.schema for entry in chosen})
    drawn = f", a sample in {plural(pairs, 'pair')} with seed {seed}" if items else ""
    report.add(
        f"{folder.name}: {len(chosen)} of {plural(len(entries), 'item')}{drawn}", items=len(chosen), schemas=pairs
    )
    if not items and len(able) < len(entries):
        asked = "not asked" if len(selected.forms) == 1 else "asked in one form only"
        report.add(f"{len(entries) - len(able)} were never overt, or have no zero, and are {asked}")
    _add_runs(report, answered_runs(questions, replies))
    report.add(
        f"{out / RESPONSES}: {plural(len(questions), 'question')} in, {plural(len(replies), 'answer')} out",
        questions=len(questions),
        answers=len(replies),
    )
    return report


def prompts_command(
    release: Release,
    file_format: Annotated[
        PromptFormat,
        opt("A batch of a server, or jsonl: predictions that lack only model and answer.", "--as"),
    ],
    out: RequestsFile,
    model: BatchModel = "",
    mode: AskedModes = PAPER_MODES,
    order: AskedOrder = "written",
    form: AskedForm = None,
    items: AskedItems = None,
    seed: SampleSeed = 0,
    max_tokens: MaxTokens = 128,
    reasoning: Reasoning = False,
    demonstrations: Demonstrations = None,
) -> Report:
    """Write the prompts of `evaluate run` to a file, for a server elsewhere.

    `evaluate import` reads the results of a batch, in any order: the id of
    each request says its item, mode, form and order.
    """
    folder = read_folder(release)
    selected = _selected(folder.items, mode, form, order, items, seed, demonstrations)
    if file_format == "jsonl":
        rows = [
            {"id": question.entry.item.id, **question.shown_as._asdict(), "prompt": question.prompt}
            for question in selected.questions
        ]
    else:
        prompts = ((custom_id(asked.entry.item.id, asked.shown_as), asked.prompt) for asked in selected.questions)
        rows = batch_requests(file_format, prompts, Settings(model, max_tokens, reasoning))
    write_jsonl(out, rows)
    return Report().add(
        f"{out}: {len(selected.chosen)} of {plural(len(folder.items), 'item')} in, {plural(len(rows), 'prompt')} out",
        items=len(selected.chosen),
        prompts=len(rows),
    )


def _selected(
    entries: Sequence[ReleasedItem],
    mode: AskedModes,
    form: AskedForm,
    order: AskedOrder,
    items: AskedItems,
    seed: SampleSeed,
    demonstrations: Demonstrations,
    *,
    cue: bool = False,
) -> Selection:
    """Return the questions that the options of a command ask for."""
    modes = list(dict.fromkeys(mode.split(",")))
    orders = ORDERS if order == "both" else (order_of(order),)
    examples = read_demonstrations(demonstrations) if demonstrations else None
    return select_questions(entries, modes, form, orders, items=items, seed=seed, cue=cue, examples=examples)


def _add_runs(report: Report, runs: Mapping[Shown, Sequence[tuple[Response, int | None]]]) -> None:
    for shown_as, answered in runs.items():
        n, tokens = len(answered), [count for _, count in answered if count is not None]
        right = sum(given.right for given, _ in answered)
        unparsed = sum(given.parsed.choice is None for given, _ in answered)
        mean = f"{sum(tokens) / len(tokens):.0f} tokens a prompt" if tokens else "tokens not counted"
        report.add(f"{shown_as}: {right} of {n} right ({percent(right / n)}), {unparsed} without a choice, {mean}")
        span = [min(tokens), max(tokens)] if tokens else None
        counts = {"answers": n, "right": right, "unparsed": unparsed, "prompt_tokens": span}
        report.figures.setdefault("runs", []).append(shown_as._asdict() | counts)


#: What is scored by default: the texts that every release has.
_DEFAULT = ",".join(mode for mode in SCORING_MODES if mode != OF_BOTH_FORMS)


def score_command(
    release: Release,
    model: Annotated[
        str, opt("Folder of a model of transformers, gguf:PATH, or with --base-url the name of a model at a server.")
    ],
    out: Annotated[Path, output("folder of responses.jsonl."), Writes((RESPONSES,))],
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
    seed: SampleSeed = 0,
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
    report = Report()
    address = server_address(base_url, "--base-url") if base_url else ""
    folder, data = read_folder(release), release / "data"
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
    if isinstance(opened, EncoderDecoder) and WHOLE in modes:
        if modes == [WHOLE]:
            raise PipelineError(
                None, None, f"[mode] {WHOLE} needs a model that reads from left to right; expected partial-score"
            )
        modes.remove(WHOLE)
        report.notes.append(f"{opened.name}: has an encoder, and no {WHOLE}, which is left out")
    of_texts = [given for given in modes if given != OF_BOTH_FORMS]
    scored = [(score_items(texts, opened, of_texts, normalise, form), texts)] if of_texts else []
    scored += [
        (score_items(of_form, opened, [OF_BOTH_FORMS], normalise, given), of_form) for given, of_form in answers.items()
    ]
    rows = [row for result, _ in scored for row in result.rows]
    write_jsonl(out / RESPONSES, rows)
    sample = f", a sample with seed {seed}" if items else ""
    report.add(f"{folder.name}: {len(texts)} of {plural(len(entries), 'item')}{sample}")
    for result, of_result in scored:
        _add_results(report, result, of_result, data)
    with_texts = {text.entry.item.id for text in texts}
    lacking = [] if items else [entry.item.id for entry in entries if entry.item.id not in with_texts]
    if lacking:
        report.findings.append(
            f"{data}: [{FORM}] {plural(len(lacking), 'item')} without texts to score: {first_names(lacking)}"
        )
    if answers:
        _add_forms(report, right_in_forms([row for row in rows if row["mode"].startswith(OF_BOTH_FORMS)], entries))
    report.add(f"{out / RESPONSES}: {plural(len(rows), 'response')}", responses=len(rows))
    report.figures |= {"release": folder.name, "items": len(texts)}
    return report


def _add_results(report: Report, scored: ScoredItems, items: list[ScoringItem], data: Path) -> None:
    """Add a line for each mode of a run, what it could not score, and how the ends of contexts were found."""
    for mode, counts in scored_summary(scored, items).items():
        run = _run_name(mode, scored)
        report.add(
            f"{run}: {counts['right']} of {counts['scored']} right, {plural(counts['ties'], 'tie')}, {counts['unscored']} not scored"
        )
        report.figures.setdefault("modes", {})[run] = counts
        if missing := scored.unscored[mode]:
            reason = "nothing follows the candidate, or the model does not tell where it ends"
            report.findings.append(
                f"{data}: [{run}] {plural(len(missing), 'item')} not scored: {reason}: {first_names(missing)}"
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


def cloze_command(
    items: Annotated[
        Path, arg("ITEMS", "Cloze items (JSON Lines), or the items of a release whose pronoun becomes the gap.")
    ],
    out: Annotated[Path, output("results (JSON Lines), a row for each item and model.")],
    model: Annotated[
        list[str] | None,
        opt(
            "Folder of a masked or causal model of transformers, or gguf:PATH. Give it several times for several models."
        ),
    ] = None,
    results: Annotated[list[Path] | None, opt("Results of an earlier run (JSON Lines), which join the others.")] = None,
    figures: Annotated[Path | None, output("accuracy and confidence (JSON).")] = None,
    measure: Annotated[Measure, opt("Measure that gives the answer of a row.")] = "pron",
    quiet: Quiet = False,
) -> Report:
    """Measure which pronoun models expect in a gap: prediction and confidence; exit 1 if items have no answer.

    Every row has all measures: pron, top10 and top1 as Petersen and Spalek
    define them, and mass, over all variants of each gender.
    """
    if not model and not results:
        raise PipelineError(None, None, "[model] nothing to measure; expected --model, --results, or both")
    read = read_cloze_items(items)
    answered = read_results(results or (), read.items)
    report = Report()
    for source in model or ():
        loaded = load_model(source)
        if any(result.model == loaded.name for result in answered):
            reason = f"name not unique; found {shown(loaded.name)} twice, expected other names of folders"
            raise PipelineError(None, None, f"[model] {reason}")
        for item in tracked(read.items, loaded.name, quiet=quiet):
            try:
                answered.append(cloze_result(item, loaded.name, loaded.kind, loaded.scores(item), measure))
            except (ValueError, PipelineError) as error:
                report.findings.append(f"{items}: {item.id}: {loaded.name}: {error}")
    if not answered:
        raise PipelineError(items, None, f"[model] no item could be scored; {report.findings[0]}")
    measured = cloze_summary(read.items, answered)
    write_jsonl(out, (result.row for result in answered))
    if figures:
        write_json(figures, measured)
    _add_cloze(report, measured, items, len(read.skipped))
    report.lines.append(f"{out}: {plural(len(answered), 'row')}")
    return report


def _add_cloze(report: Report, measured: dict[str, Any], items: Path, skipped: int) -> None:
    """Add what was read and the figures of each run."""
    report.figures |= measured | {"skipped": skipped}
    counts = ", ".join(f"{pronoun} {count}" for pronoun, count in measured["pronouns"].items())
    report.lines.append(
        f"{items}: {measured['items'] + skipped} items in, {measured['items']} with a gap ({counts}), {skipped} with another target"
    )
    for run in measured["runs"]:
        name = f"{run['model']}, {run['measure']}"
        low, high = map(percent, run["accuracy"]["interval"] or (None, None))
        report.lines.append(
            f"{name}: {percent(run['accuracy']['value'])} ({low} to {high}), confidence {decimal(run['confidence']['value'])}, "
            f"target confidence {decimal(run['target']['value'])}, other {run['predictions']['other']}, "
            f"neither antecedent {run['neither']}, undecided {run['undecided']}"
        )
        if run["missing"]:
            mismatch = f"found {run['accuracy']['n']}, expected {measured['items']}"
            report.findings.append(
                f"{items}: [model] {name}: {plural(run['missing'], 'item')} not answered; {mismatch}"
            )


def import_command(
    log: Annotated[
        Path,
        arg(
            "LOG",
            "Samples of lm-eval (--log_samples, JSON Lines), a log of Inspect (.eval or JSON), or the results of a batch.",
        ),
    ],
    tool: Annotated[LogName, opt("What wrote the log.", "--format")],
    out: Annotated[Path, output("predictions (JSON Lines).")],
    model: Annotated[str, opt("Name of the system; required for lm-eval.")] = "",
    mode: Annotated[
        str,
        opt(
            "How it was asked, such as zero-shot; required for lm-eval's samples of tasks that are not a release's own."
        ),
    ] = "",
    chosen_filter: Annotated[
        str, opt("Filter of lm-eval whose answers count; default: the model's texts.", "--filter")
    ] = "",
) -> Report:
    """Convert the log of an evaluation tool, or the results of a batch, to predictions for `evaluate report`."""
    converted = convert_log(log, tool, model=model, mode=mode, chosen_filter=chosen_filter)
    write_jsonl(out, converted.predictions)
    report = Report()
    report.add(
        f"{out}: {plural(converted.samples, 'sample')} in, {plural(len(converted.predictions), 'prediction')} out; "
        f"{converted.skipped} without an answer, or of another filter",
        samples=converted.samples,
        predictions=len(converted.predictions),
        skipped=converted.skipped,
    )
    for reason, names in converted.lacking.items():
        report.add(f"{plural(len(names), 'sample')} {reason}: {first_names(names)}")
    if converted.remarks:
        counts = ", ".join(f"{remark} {count}" for remark, count in converted.remarks.items())
        report.add(f"special answers: {counts}")
    report.figures |= {"lacking": converted.lacking, "remarks": dict(converted.remarks)}
    modes = dict.fromkeys(prediction["mode"] for prediction in converted.predictions)
    if len(modes) > 1:
        report.add(f"modes: {'; '.join(modes)}")
    return report
