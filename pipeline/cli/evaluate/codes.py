"""Report the error types that two coders gave to traces: agreement, Table 8."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from ...core.convert import to_object
from ...core.errors import PipelineError, plural, shown
from ...core.files import parse_tsv, read_text, require_unique, tsv_text, write_text
from ...core.pages import decimal
from ...evaluation.diagnosis.table8 import (
    Taken,
    decided,
    disagreements,
    error_types,
    simulated_codes,
    table8,
    table8_latex,
)
from ...evaluation.diagnosis.traces import read_traces
from ...statistics.ratings import Judgements
from ...studies.agreement.measures import Bootstrap, agreement_on_codes
from ...studies.model.answers import NONE, answers_by_item, codes_of, joined_codes, read_answers
from ...studies.model.study import read_study
from ..parameters import arg, opt, output
from ..report import Report, Writes

#: The control of the design whose answers are the types.
CONTROL = "types"
_HEADER = ("id", "first", "second", "codes", "sentence", "trace")


def command(
    traces: Annotated[Path, arg("TRACES", "Traces that `evaluate diagnose` wrote.")],
    out: Annotated[
        Path,
        output("folder of figures.json, table8.tex and reconcile.tsv."),
        Writes(("figures.json", "table8.tex", "reconcile.tsv")),
    ],
    study: Annotated[Path | None, opt("Study of the traces that `annotate design` wrote.")] = None,
    judgements: Annotated[Path | None, opt("Judgements that `annotate pull` wrote (JSON Lines).")] = None,
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
    try:
        types = decided(codes, take, _read_reconciled(reconciled) if reconciled else None)
    except ValueError as error:
        raise PipelineError(reconciled or judgements, None, str(error)) from error
    choices = (*(entry.code for entry in error_types()), NONE)
    answers: Judgements = {
        name: {coder: joined_codes(sorted(given), choices) for coder, given in by_coder.items()}
        for name, by_coder in codes.items()
    }
    agreement = to_object(agreement_on_codes(answers, choices, Bootstrap(0, resamples)))
    figures = {**table8(read, codes, types, take), "agreement": agreement}
    open_rows = disagreements(read, codes)
    write_text(out / "figures.json", json.dumps(figures, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    write_text(out / "table8.tex", table8_latex(figures))
    write_text(out / "reconcile.tsv", tsv_text(_HEADER, open_rows))
    return Report(lines=_lines(figures, len(open_rows), out), figures=figures)


def _codes(study: Path, judgements: Path, known: set[str]) -> dict[str, dict[str, frozenset[str]]]:
    laid_out, tasks = read_study(study)
    answers = [answer for answer in read_answers(judgements, laid_out, tasks) if answer.task.phase == "main"]
    table = answers_by_item(answers, CONTROL)
    for name in table:
        if name not in known:
            raise PipelineError(
                judgements, None, f"[item] unknown trace; found {shown(name)}, expected one of the traces"
            )
    return {name: {rater: codes_of(answer) for rater, answer in row.items()} for name, row in table.items()}


def _read_reconciled(path: Path) -> dict[str, frozenset[str]]:
    choices = (*(entry.code for entry in error_types()), NONE)
    lines: dict[str, int | None] = {}
    read = {}
    for line, row in parse_tsv(read_text(path), path, ("id", "codes")):
        require_unique(lines, row["id"], path, line)
        try:
            read[row["id"]] = frozenset(joined_codes(row["codes"].split(), choices).split())
        except ValueError as error:
            raise PipelineError(path, line, f"[codes] {error}") from error
    return read


def _lines(figures: Mapping[str, Any], differing: int, out: Path) -> list[str]:
    systems, shared, printed = figures["systems"], figures["shared"], figures["printed"]
    lines = ["SIMULATED codes: nobody coded these traces"] if figures["simulated"] else []
    lines.append(
        f"{figures['coded']} of {plural(figures['traces'], 'trace')} coded by two; types of {figures['taken']}; "
        f"coders differ on {differing}; alpha (MASI) {decimal(figures['agreement']['alpha_masi']['value'])}"
    )
    kappas = {row["code"]: row["cohen"] for row in figures["agreement"]["codes"]}
    for entry in error_types():
        counts = [
            f"{name} {_share(of['errors'], entry.code)}, controls {_share(of['controls'], entry.code)}"
            for name, of in systems.items()
        ]
        every = f"all systems {_share(shared['some'], entry.code)}, printed {_share(printed, entry.code)}"
        lines.append(f"{entry.code}: {'; '.join([*counts, every])}; kappa {decimal(kappas[entry.code])}")
    return [*lines, str(out / "table8.tex")]


def _share(of: Mapping[str, Any], code: str) -> str:
    return f"{of['counts'][code]} of {of['n']}"
