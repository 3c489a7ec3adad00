"""Commands on errors of systems: extract them, ask for reasons, report their types."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from ..core.convert import to_object, write_records
from ..core.errors import PipelineError, errors_at, plural, shown
from ..core.files import parse_jsonl, read_text, require_unique, write_json, write_jsonl, write_text
from ..core.pages import decimal, percent
from ..core.records import text_field
from ..core.servers import pseudonym_key
from ..core.tables import read_table, tsv_text
from ..evaluation.asking import FILES
from ..evaluation.asking import ask as ask_model
from ..evaluation.diagnosis.errors import (
    CONDITIONS,
    MEANINGS,
    Case,
    Rule,
    case_to_json,
    cases,
    chosen_runs,
    drawn_cases,
    missing,
    read_cases,
)
from ..evaluation.diagnosis.table8 import (
    Table8,
    Taken,
    TypeCounts,
    decide_types,
    disagreements,
    error_types,
    simulated_codes,
    table8,
    table8_latex,
)
from ..evaluation.diagnosis.traces import case_ids, change_figures, read_traces, traces
from ..evaluation.folder import read_folder
from ..evaluation.predictions import answered_items, read_predictions
from ..evaluation.prompts import Language
from ..statistics.ratings import Judgements
from ..studies.agreement.measures import Bootstrap, agreement_on_codes
from ..studies.labelstudio.exported import read_task_judgements
from ..studies.model.answers import NONE, answers_by_item, codes_of, joined_codes
from ..studies.model.study import read_study
from .parameters import Modes, Predictions, Release, Sample, arg, opt, output
from .report import Report, Writes


def errors_command(
    release: Release,
    predictions: Predictions,
    rule: Annotated[Rule, opt("In how many runs (mode, order) of a system an error is wrong.")],
    out: Annotated[Path, output("errors and controls (JSON Lines).")],
    mode: Modes = None,
    sample: Sample = False,
    seed: Annotated[int, opt("Seed of the draw of controls.", min=0)] = 0,
) -> Report:
    """Extract the items that systems answer wrong, with as many that they answer right; exit 1 if answers are missing."""
    folder = read_folder(release)
    items = folder.items
    runs = read_predictions(predictions, items)
    items = answered_items(items, runs) if sample else items
    modes = mode or ()
    with errors_at(None):
        systems = chosen_runs(runs, modes)
        extracted = cases(items, runs, rule, modes=modes, seed=seed)
        unanswered = missing(items, runs, modes)
    write_jsonl(out, map(case_to_json, extracted))
    counts = Counter((case.model, case.form, case.condition) for case in extracted)
    report = Report(figures={"rule": rule, "items": len(items), "unanswered": unanswered, "systems": []})
    report.add(f"rule {rule}: {MEANINGS[rule]}")
    for (model, form), chosen in systems.items():
        errors, controls = (counts[model, form, condition] for condition in ("error", "control"))
        answered = len({name for run in chosen for name in runs[run]})
        report.figures["systems"].append(
            {
                "model": model,
                "form": form,
                "runs": len(chosen),
                "answered": answered,
                "errors": errors,
                "controls": controls,
            }
        )
        share = f"{errors} of {plural(answered, 'item')} wrong ({rule} of {plural(len(chosen), 'run')})"
        report.add(f"{model}, {form}: {share}; {plural(controls, 'control')}")
    report.add(f"{out}: {plural(len(extracted), 'case')}")
    if unanswered:
        files = ", ".join(map(str, predictions))
        counted = "an item counts by the runs that answered it"
        report.findings.append(f"{files}: [predictions] {plural(unanswered, 'answer')} missing; {counted}")
    return report


def diagnose_command(
    release: Release,
    errors: Annotated[Path, opt("Errors and controls that `evaluate errors` wrote.")],
    out: Annotated[Path, output("traces (JSON Lines).")],
    model: Annotated[str, opt("Model to ask: gguf:PATH, or a name of Inspect such as openai/gpt-4o.")] = "",
    cache: Annotated[
        Path | None,
        output("folder of the replies and logs of Inspect, so that a stopped run continues."),
        Writes(FILES),
    ] = None,
    replies: Annotated[
        Path | None, opt("Replies that are there already, in place of a model: id and text (JSON Lines).")
    ] = None,
    system: Annotated[str, opt("System of the errors; required if they are of several.")] = "",
    language: Annotated[Language, opt("Language of the instructions.")] = "en",
    base_url: Annotated[str, opt("Address of the model's server.")] = "",
    max_tokens: Annotated[int, opt("Maximum length of a reply in tokens.", min=1)] = 512,
    limit: Annotated[
        int | None, opt("Maximum number of errors, and of controls, to ask about; drawn alike from A and B.", min=1)
    ] = None,
    seed: Annotated[int, opt("Seed of this draw.", min=0)] = 0,
) -> Report:
    """Ask a model why it was wrong, with the paper's prompt, about its errors and about right answers as a control.

    The id of a reply is that of its trace: the item's id, a slash, and the
    number of the case among those of the item in the errors.
    """
    folder = read_folder(release)
    items = {entry.item.id: entry for entry in folder.items}
    cases = read_cases(errors, items)
    chosen = _chosen(dict(zip(case_ids(cases), cases, strict=True)), system, errors)
    if limit:
        kept = set(drawn_cases(chosen, items, limit, seed))
        chosen = {name: case for name, case in chosen.items() if name in kept}
    if (replies is None) == (not model) or (model and cache is None):
        raise PipelineError(None, None, "[model] expected --model with --cache, or --replies")

    def ask(prompts: Mapping[str, str]) -> Mapping[str, str]:
        if replies:
            return _read_replies(replies)
        answers = ask_model(list(prompts.values()), model, cache or Path(), base_url=base_url, max_tokens=max_tokens)
        return {name: reply.text for name, reply in zip(prompts, answers, strict=True)}

    with errors_at(replies or errors):
        made = traces(chosen, items, language, ask)
    write_records(out, made)
    rows = change_figures(made)
    return Report(
        lines=[*map(_line, rows), f"{out}: {plural(len(made), 'trace')}"],
        figures={"language": language, "traces": len(made), "changes": rows},
    )


def _chosen(cases: Mapping[str, Case], system: str, path: Path) -> dict[str, Case]:
    """Return the cases of one system, errors first."""
    names = list(dict.fromkeys(case.model for case in cases.values()))
    if (not system and len(names) > 1) or (system and system not in names):
        raise PipelineError(path, None, f"[system] found {shown(system)}, expected one of {', '.join(names)}")
    of_system = {name: case for name, case in cases.items() if case.model == (system or names[0])}
    return dict(sorted(of_system.items(), key=lambda entry: CONDITIONS.index(entry[1].condition)))


def _read_replies(path: Path) -> dict[str, str]:
    read: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_jsonl(read_text(path), path):
        with errors_at(path, line):
            name, text = text_field(row, "id"), text_field(row, "text")
        require_unique(lines, name, path, line)
        read[name] = text
    return read


def _line(row: dict[str, Any]) -> str:
    low, high = row["interval"] or (None, None)
    chosen = row["changed"] + row["kept"]
    share = f"{row['changed']} of {chosen} answers changed, {percent(row['share'])}"
    name = f"{row['model']}, {row['form']}, {plural(row['traces'], row['condition'])}"
    return f"{name}: {share} ({percent(low)} to {percent(high)}); right now {row['right']}, without a choice {row['without']}"


#: The control of the design whose answers are the types.
CONTROL = "types"
_HEADER = ("id", "first", "second", "codes", "sentence", "trace")


def codes_command(
    traces: Annotated[Path, arg("TRACES", "Traces that `evaluate diagnose` wrote.")],
    out: Annotated[
        Path,
        output("folder of figures.json, table8.tex and reconcile.tsv."),
        Writes(("figures.json", "table8.tex", "reconcile.tsv")),
    ],
    study: Annotated[Path | None, opt("Study of the traces that `annotate design` wrote.")] = None,
    judgements: Annotated[
        Path | None, opt("Judgements that `annotate pull` wrote (JSON Lines), or an export of Label Studio.")
    ] = None,
    take: Annotated[Taken, opt("Which types of two coders count.")] = "both",
    reconciled: Annotated[
        Path | None, opt("reconcile.tsv with the column codes filled in, for --take reconciled.")
    ] = None,
    simulate: Annotated[int | None, opt("Seed of simulated codes in place of judgements.", min=0)] = None,
    resamples: Annotated[int, opt("Number of bootstrap resamples per interval.", min=1)] = 2000,
) -> Report:
    """Report the error types that two coders gave to traces: agreement, and WSC-ZA's Table 8.

    Every trace on which the coders differ becomes a row of reconcile.tsv. Fill
    in its column codes with what they agree on, separated by blanks.
    """
    read = read_traces(traces)
    if (take == "reconciled") != (reconciled is not None):
        raise PipelineError(None, None, "[reconciled] expected --reconciled with --take reconciled, and only with it")
    if simulate is not None and not study and not judgements:
        codes = simulated_codes(read, simulate)
    elif simulate is None and study and judgements:
        codes = _codes(study, judgements, {trace.id for trace in read})
    else:
        raise PipelineError(None, None, "[judgements] expected --study with --judgements, or --simulate alone")
    with errors_at(reconciled or judgements):
        types = decide_types(codes, take, _read_reconciled(reconciled) if reconciled else None)
    choices = (*(entry.code for entry in error_types()), NONE)
    answers: Judgements = {
        name: {coder: joined_codes(sorted(given), choices) for coder, given in by_coder.items()}
        for name, by_coder in codes.items()
    }
    agreement = to_object(agreement_on_codes(answers, choices, Bootstrap(0, resamples)))
    counted = table8(read, codes, types, take)
    figures = {**to_object(counted), "agreement": agreement}
    open_rows = disagreements(read, codes)
    write_json(out / "figures.json", figures)
    write_text(out / "table8.tex", table8_latex(counted))
    write_text(out / "reconcile.tsv", tsv_text(_HEADER, open_rows))
    return Report(lines=_lines(counted, agreement, len(open_rows), out), figures=figures)


def _codes(study: Path, judgements: Path, known: set[str]) -> dict[str, dict[str, frozenset[str]]]:
    laid_out, tasks = read_study(study)
    read, pulled = read_task_judgements(judgements, laid_out, tasks, pseudonym_key)
    if pulled.findings:  # the table would count what is left
        raise PipelineError(None, None, f"{pulled.findings[0]} ({plural(len(pulled.findings), 'finding')})")
    answers = [answer for answer in read if answer.task.phase == "main"]
    table = answers_by_item(answers, CONTROL)
    for name in table:
        if name not in known:
            raise PipelineError(
                judgements, None, f"[item] unknown trace; found {shown(name)}, expected one of the traces"
            )
    return {name: {rater: codes_of(answer) for rater, answer in row.items()} for name, row in table.items()}


def _read_reconciled(path: Path) -> dict[str, frozenset[str]]:
    choices = (*(entry.code for entry in error_types()), NONE)
    read = {}
    for line, row in read_table(path, ("id", "codes"), unique="id"):
        try:
            read[row["id"]] = frozenset(joined_codes(row["codes"].split(), choices).split())
        except ValueError as error:
            raise PipelineError(path, line, f"[codes] {error}") from error
    return read


def _lines(figures: Table8, agreement: Mapping[str, Any], differing: int, out: Path) -> list[str]:
    lines = ["SIMULATED codes: nobody coded these traces"] if figures.simulated else []
    lines.append(
        f"{figures.coded} of {plural(figures.traces, 'trace')} coded by two; types of {figures.taken}; "
        f"coders differ on {differing}; alpha (MASI) {decimal(agreement['alpha_masi']['value'])}"
    )
    kappas = {row["code"]: row["cohen"] for row in agreement["codes"]}
    for entry in error_types():
        counts = [
            f"{name} {_share(of.errors, entry.code)}, controls {_share(of.controls, entry.code)}"
            for name, of in figures.systems.items()
        ]
        every = f"all systems {_share(figures.shared.some, entry.code)}, printed {_share(figures.printed, entry.code)}"
        lines.append(f"{entry.code}: {'; '.join([*counts, every])}; kappa {decimal(kappas[entry.code])}")
    return [*lines, str(out / "table8.tex")]


def _share(of: TypeCounts, code: str) -> str:
    return f"{of.counts[code]} of {of.n}"
