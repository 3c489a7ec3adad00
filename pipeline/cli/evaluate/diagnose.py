"""Ask a model why it was wrong, and store what it explains."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from ...core.convert import write_records
from ...core.errors import PipelineError, plural, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.pages import percent
from ...core.records import text_field
from ...evaluation.asking import FILES
from ...evaluation.asking import ask as ask_model
from ...evaluation.diagnosis.errors import Case, drawn_cases, read_cases
from ...evaluation.diagnosis.prompts import Language
from ...evaluation.diagnosis.traces import case_ids, change_figures, traces
from ...evaluation.folder import read_folder
from ..output import Release
from ..parameters import opt, output
from ..report import Report, Writes


def command(
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

    try:
        made = traces(chosen, items, language, ask)
    except ValueError as error:
        raise PipelineError(replies or errors, None, str(error)) from error
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
    system = system or names[0]
    chosen: dict[str, Case] = {}
    for condition in ("error", "control"):
        of = [(name, case) for name, case in cases.items() if (case.model, case.condition) == (system, condition)]
        chosen.update(of)
    return chosen


def _read_replies(path: Path) -> dict[str, str]:
    read: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_jsonl(read_text(path), path):
        try:
            name, text = text_field(row, "id"), text_field(row, "text")
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        require_unique(lines, name, path, line)
        read[name] = text
    return read


def _line(row: dict[str, Any]) -> str:
    low, high = row["interval"] or (None, None)
    chosen = row["changed"] + row["kept"]
    share = f"{row['changed']} of {chosen} answers changed, {percent(row['share'])}"
    name = f"{row['model']}, {row['form']}, {plural(row['traces'], row['condition'])}"
    return f"{name}: {share} ({percent(low)} to {percent(high)}); right now {row['right']}, without a choice {row['without']}"
