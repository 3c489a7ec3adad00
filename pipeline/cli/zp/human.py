"""Compare human scores of translations with the verdicts on zeros."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural, shown
from ...zero_pronouns.translation.metrics.correlation import Correlation, Observation, correlations
from ...zero_pronouns.translation.metrics.human import Matching, agreement, match, metric_observations, system_means
from ...zero_pronouns.translation.metrics.workbook import Sheet, read_workbook
from ..output import decimal
from ..parameters import arg, opt
from ..report import Report


def command(
    workbook: Annotated[Path, arg("WORKBOOK", "Human scores (.xlsx), as GuoFeng has them.")],
    outputs: Annotated[
        list[str] | None,
        opt(
            "Verdicts on the zeros (.details, .tagged) of the systems of a sheet; repeat for several sheets.",
            metavar="SHEET=FOLDER",
        ),
    ] = None,
    metrics: Annotated[
        bool, opt("Correlate BLEU, chrF, TER and METEOR of each sentence too; takes minutes.", "--metrics")
    ] = False,
    seed: Annotated[int, opt("Seed of the bootstrap intervals.", min=0)] = 1,
    resamples: Annotated[int, opt("Number of resamples; 0 for no intervals.", min=0)] = 1000,
) -> Report:
    """Report the human scores of each sheet, and how far automatic scores correlate with them.

    A sheet belongs to its files by the words of its translations. Intervals are 95 %, by bootstrap over sentences.
    """
    sheets = {sheet.name: sheet for sheet in read_workbook(workbook)}
    folders = _folders(outputs or [], sheets)
    report = Report(findings=[finding for sheet in sheets.values() for finding in sheet.findings])
    report.figures |= {"sheets": [_sheet(report, sheet) for sheet in sheets.values()], "agreement": []}
    for first, second in combinations(sheets.values(), 2):
        if result := agreement(first, second):
            report.add(
                f"{first.name} against {second.name}: {plural(result.translations, 'translation')} in both, equal score {result.equal}, "
                f"same side of 3 {result.same_side}; weighted kappa {decimal(result.kappa)}"
            )
            report.figures["agreement"].append(
                {
                    "sheets": result.sheets,
                    "translations": result.translations,
                    "equal": result.equal,
                    "same_side": result.same_side,
                    "kappa": result.kappa,
                }
            )
    matchings = {name: match(sheets[name], folder) for name, folder in folders.items()}
    report.figures["azpt"] = {name: _matching(report, name, matching) for name, matching in matchings.items()}
    observed = {("AZPT", name): matching.observations for name, matching in matchings.items()}
    if len(matchings) > 1:
        pooled = [entry for matching in matchings.values() for entry in matching.observations]
        observed["AZPT", " + ".join(matchings)] = pooled
    for sheet in sheets.values() if metrics else ():
        observed |= {(name, sheet.name): entries for name, entries in metric_observations(sheet).items() if entries}
    report.figures["correlations"] = [
        figure
        for (measure, name), entries in observed.items()
        for figure in _correlations(report, measure, name, entries, seed, resamples)
    ]
    return report


def _folders(outputs: Sequence[str], sheets: dict[str, Sheet]) -> dict[str, Path]:
    """Return the folder of each sheet that has one."""
    folders: dict[str, Path] = {}
    for value in outputs:
        name, _, folder = value.partition("=")
        if name not in sheets or not folder:
            expected = f"SHEET=FOLDER with one of the sheets {', '.join(sheets)}"
            raise PipelineError(None, None, f"[outputs] unknown sheet; found {shown(value)}, expected {expected}")
        if name in folders:
            reason = f"[outputs] two folders for a sheet; found {shown(value)}, expected {name} once"
            raise PipelineError(None, None, reason)
        folders[name] = Path(folder)
    return folders


def _sheet(report: Report, sheet: Sheet) -> dict[str, Any]:
    judged = sum(judgement.judged for judgement in sheet.judgements)
    sentences = len({judgement.sentence for judgement in sheet.judgements})
    means = system_means(sheet)
    listed = ", ".join(f"{name} {decimal(mean, 2)}" for name, mean in means.items()) or "no names of systems"
    report.add(
        f"{sheet.name}: {plural(sentences, 'sentence')}, {plural(len(sheet.judgements), 'translation')}, {judged} judged; {listed}"
    )
    return {
        "name": sheet.name,
        "blind": sheet.blind,
        "sentences": sentences,
        "translations": len(sheet.judgements),
        "judged": judged,
        "means": means,
    }


def _matching(report: Report, name: str, matching: Matching) -> dict[str, Any]:
    files = ", ".join(
        f"{system} = {file} ({count})" if file else f"{system} in no file"
        for system, (file, count) in matching.files.items()
    )
    report.add(
        f"{name}: {len(matching.observations)} judged translations with verdicts, {matching.left_out} without; {files}"
    )
    report.add(
        f"{name}: good with all zeros right, or bad with one wrong: {matching.good} of {matching.decided} translations"
    )
    return {
        "files": {system: {"file": file, "equal": count} for system, (file, count) in matching.files.items()},
        "translations": len(matching.observations),
        "left_out": matching.left_out,
        "good": matching.good,
        "decided": matching.decided,
    }


def _correlations(
    report: Report, measure: str, name: str, entries: Sequence[Observation], seed: int, resamples: int
) -> list[dict[str, Any]]:
    figures = []
    for level in ("sentence", "system"):
        results = correlations(entries, level, seed=seed, resamples=resamples)
        shown_results = ", ".join(f"{result.coefficient} {_with_interval(result)}" for result in results)
        report.add(f"{measure}, {name}, by {level} ({results[0].pairs} pairs): {shown_results}")
        for result in results:
            interval = [result.interval.low, result.interval.high] if result.interval else None
            figures.append(
                {
                    "measure": measure,
                    "sheet": name,
                    "level": level,
                    "pairs": result.pairs,
                    "coefficient": result.coefficient,
                    "value": result.value,
                    "interval": interval,
                }
            )
    return figures


def _with_interval(result: Correlation) -> str:
    if result.interval is None:
        return decimal(result.value, 2)
    return f"{decimal(result.value, 2)} [{decimal(result.interval.low, 2)}, {decimal(result.interval.high, 2)}]"
