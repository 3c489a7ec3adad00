"""Answer items by word association: the candidate whose term has the greater PMI with the reference."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from ...core.errors import plural, shown
from ...core.files import to_json, write_jsonl, write_text
from ...core.pages import percent
from ...core.records import read_items
from ...corpus.baseline import (
    AnswerOptions,
    answer_rows,
    decide_items,
    read_item_terms,
    require_terms,
    right_by_schema,
    score_by_threshold,
    solved_schemas,
    uncounted_terms,
)
from ...corpus.counting.counts import read_counts
from ...corpus.page import page
from ...corpus.pmi import Score, score
from ...statistics.intervals import clustered_mean_interval
from ..parameters import arg, opt, output
from ..report import Report

#: Maximum number of missing terms, and of ids that no item has, that are named.
_NAMED = 10


def command(
    items_path: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    terms_path: Annotated[Path, opt("Terms of each item, or the authors' analyses (JSON Lines).", "--terms")],
    counts_path: Annotated[Path, opt("Counts that `corpus count` wrote (JSON Lines).", "--counts")],
    out: Annotated[Path, output("the answers (JSON Lines).")],
    threshold: Annotated[
        float, opt("An item is undecided unless its two PMIs differ by more bits than this.", min=0.0)
    ] = 0.0,
    seed: Annotated[int, opt("Seed for random guesses on undecided items.")] = 0,
    page_path: Annotated[Path | None, output("page with the results (HTML).", "--report")] = None,
    options_path: Annotated[
        Path | None,
        output("the threshold and the seed (options.json), with which `validate build` answers again.", "--options"),
    ] = None,
    corpus: Annotated[str, opt("Description of the corpus, shown on the page.")] = "",
    released_path: Annotated[
        Path | None, opt("The released items (JSON Lines), which get a column of their own.", "--released")
    ] = None,
) -> Report:
    """Answer items by word association (PMI) and print the accuracy.

    The answer is the candidate whose term has the greater pointwise mutual
    information with the reference word of the item. The accuracy counts an
    item that PMI does not decide as half right, as a coin would be.
    """
    report = Report()
    items, terms, counts = (
        read_items(items_path, zero_forms=True),
        read_item_terms(terms_path),
        read_counts(counts_path),
    )
    require_terms(items, terms, terms_path)
    ids = {item.id for item in items}
    if others := [name for name in terms if name not in ids]:
        report.notes.append(
            f"{terms_path}: [terms] {plural(len(others), 'line')} of ids that no item has: "
            f"{', '.join(map(shown, others[:_NAMED]))}{', …' * (len(others) > _NAMED)}"
        )
    missing, total = uncounted_terms((terms[item.id] for item in items if item.id in terms), counts, counts_path)
    if missing:
        report.notes.append(
            f"{counts_path}: [terms] {len(missing)} of {total} terms are missing, absent from the corpus or not counted: "
            f"{', '.join(missing[:_NAMED])}{', …' * (len(missing) > _NAMED)}"
        )
    decisions = decide_items(items, terms, counts, threshold=threshold, seed=seed)
    result = score(decisions, {item.id: item.answer for item in items})
    rows = answer_rows(items, terms, counts, decisions)
    write_jsonl(out, rows)
    if options_path is not None:
        write_text(options_path, f"{to_json(asdict(AnswerOptions(threshold, seed)))}\n")
    limits = clustered_mean_interval(right_by_schema(items, decisions).values())
    interval = (max(limits[0], 0.0), min(limits[1], 1.0)) if limits else None
    _add_score(report, f"{out}: {plural(result.items, 'item')}", result, interval, missing_terms=missing)
    released = None
    if released_path is not None:
        names = {item.id for item in read_items(released_path, zero_forms=True)}
        kept = [item for item in items if item.id in names]
        released = score(decisions, {item.id: item.answer for item in kept})
        _add_score(report, f"released: {plural(released.items, 'item')}", released, None)
    report.add("Mandarinograd (LREC 2020): 308 items, 153 decided (49.7 %); right: 61 % of the decided, 55 % of all")
    if page_path is not None:
        solved = solved_schemas(items, decisions)
        text = page(
            corpus,
            items_path.as_posix(),
            counts,
            rows,
            result,
            interval,
            released,
            score_by_threshold(items, terms, counts, seed),
            solved,
            threshold=threshold,
            seed=seed,
        )
        write_text(page_path, text)
        report.add(
            f"{page_path}: {plural(len(solved), 'schema')} that association solves in both members",
            solved_schemas=len(solved),
        )
    return report


def _add_score(
    report: Report, what: str, result: Score, interval: tuple[float, float] | None, **figures: object
) -> None:
    """Add a line on how often association is right, and its figures unless the line is on a part of the items."""
    between = f" (between {percent(interval[0])} and {percent(interval[1])})" if interval else ""
    line = (
        f"{what}, {result.with_terms} with terms ({percent(result.term_coverage)}), {result.decided} decided ({percent(result.coverage)}); "
        f"right: {percent(result.precision)} of the decided, {percent(result.accuracy)} of all with coins for the rest{between}"
    )
    values = {
        "items": result.items,
        "with_terms": result.with_terms,
        "decided": result.decided,
        "coverage": result.coverage,
        "precision": result.precision,
        "accuracy": result.accuracy,
    }
    if what.startswith("released"):
        report.add(line, released=values)
    else:
        report.add(line, **values, accuracy_interval=interval, **figures)
