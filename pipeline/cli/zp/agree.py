"""Report how far people agree who labelled the same sentences."""

from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from ...core.errors import PipelineError, plural
from ...core.pages import decimal
from ...zero_pronouns.agreement import Agreement, agreements, read_ratings
from ...zero_pronouns.sample import ALL, refuse_reserved
from ..parameters import arg, opt
from ..report import Report


def command(
    labelled: Annotated[
        list[Path],
        arg(
            "LABELLED", "For each rater a file of the same labelled sentences, or a folder of such files, one a genre."
        ),
    ],
    seed: Annotated[int, opt("Seed for the bootstrap resamples.", min=0)] = 0,
    resamples: Annotated[int, opt("Number of bootstrap resamples per interval.", min=1)] = 2000,
) -> Report:
    """Report Cohen's kappa of labelled zeros by character, word and sentence; exit 1 if a label is malformed.

    With more than two raters it is the mean of the pairs. The 95 % intervals resample documents.
    """
    if len(labelled) < 2:
        raise PipelineError(None, None, f"[labelled] too few raters; found {len(labelled)}, expected at least 2")
    report = Report()
    by_genre = {}
    for genre, paths in _files(labelled).items():
        by_genre[genre], findings = read_ratings(paths)
        report.findings += findings
    everything = [document for documents in by_genre.values() for document in documents]
    parts = by_genre if len(by_genre) == 1 else by_genre | {ALL: everything}
    rows: dict[str, list[Agreement]] = {}
    for name, documents in parts.items():
        sentences = plural(sum(map(len, documents)), "sentence")
        report.lines.append(f"{name}: {plural(len(documents), 'document')}, {sentences}, {len(labelled)} raters")
        rows[name] = agreements(documents, seed=seed, resamples=resamples)
        report.lines += map(_line, rows[name])
    report.figures["agreement"] = {name: list(map(_figures, row)) for name, row in rows.items()}
    if len(by_genre) > 1:
        _add_means(report, [rows[genre] for genre in by_genre])
    return report


def _files(labelled: list[Path]) -> dict[str, list[Path]]:
    """Return the file of each rater by genre."""
    first = labelled[0]
    if not first.is_dir():
        return {first.stem: labelled}
    names = sorted(path.name for path in first.glob("*.zh"))
    if not names:
        raise PipelineError(first, None, "[labelled] no text; expected files GENRE.zh")
    refuse_reserved(first / name for name in names)
    for folder in labelled[1:]:
        if (others := sorted(path.name for path in folder.glob("*.zh"))) != names:
            reason = f"[labelled] other texts than in {first}; found {', '.join(others) or 'none'}, expected {', '.join(names)}"
            raise PipelineError(folder, None, reason)
    return {name.removesuffix(".zh"): [folder / name for folder in labelled] for name in names}


def _line(entry: Agreement) -> str:
    interval = f" ({entry.interval.low:.3f} to {entry.interval.high:.3f})" if entry.interval else ""
    return (
        f"  {entry.unit}, {entry.question}: kappa {decimal(entry.kappa)}{interval}, "
        f"agreed on {entry.agreed} of {entry.units} {'sentences' if entry.unit == 'sentences' else 'positions'}"
    )


def _figures(entry: Agreement) -> dict[str, Any]:
    return {
        "unit": entry.unit,
        "question": entry.question,
        "units": entry.units,
        "agreed": entry.agreed,
        "kappa": entry.kappa,
        "interval": [entry.interval.low, entry.interval.high] if entry.interval else None,
        "pairs": {f"{first + 1}-{second + 1}": kappa for (first, second), kappa in entry.pairs.items()},
    }


def _add_means(report: Report, genres: list[list[Agreement]]) -> None:
    """Add the mean of the genres, each of the same weight, as the last row of Table 3."""
    means: list[dict[str, Any]] = []
    for entries in zip(*genres, strict=True):
        kappas = [entry.kappa for entry in entries if entry.kappa is not None]
        mean = fmean(kappas) if len(kappas) == len(genres) else None
        means.append({"unit": entries[0].unit, "question": entries[0].question, "kappa": mean})
    line = "; ".join(f"{entry['unit']}, {entry['question']} {decimal(entry['kappa'])}" for entry in means)
    report.add(f"mean of the genres: {line}", means=means)
