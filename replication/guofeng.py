"""Compare the printed figures of GuoFeng (EMNLP 2022, Tables 3, 5, 7, 8, 9, 11) with the released files: `python -m replication.guofeng`.

The printed figures lie in replication/guofeng/table_N.tsv, what explains a difference in reasons_N.tsv, which texts belong to a genre in
genres.tsv, and which file to a row in systems.tsv; where two files could, the closer figure counts. Exit status 1: a figure differs
without a reason, or a reason has no difference.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from pipeline.core.errors import PipelineError
from pipeline.core.files import lines_of, read_text
from pipeline.core.tables import read_table
from pipeline.zero_pronouns.documents import ParallelText, read_parallel_text
from pipeline.zero_pronouns.frequencies import average, frequencies, total
from pipeline.zero_pronouns.translation.details import Verdict, read_details
from pipeline.zero_pronouns.translation.metrics import PAPER, sacrebleu_metrics
from replication.human_scores import (
    WORKBOOK,
    Level,
    Observation,
    Sheet,
    correlations,
    match,
    metric_observations,
    read_tagged,
    read_workbook,
    system_means,
)
from tools.published import data_folder

TABLE_FOLDER = Path(__file__).resolve().parent / "guofeng"
TABLES = (3, 5, 7, 8, 9, 11)
#: Largest difference of a figure of Table 3 that needs no reason, in its unit: a percentage point, a thousand words, a document.
TOLERANCE = 0.5
#: The texts of the genres whose outputs are released: their files, the folder of the outputs, the sheet of the human scores.
GENRES = {
    "M.S.": ("Movie_Subtitle_test", "M.S", "M.S"),
    "Q.F.": ("Baidu_knows", "QA", "BK"),
    "G.N.": ("Government_Report", "GR", "GR"),
}
#: The sheets of the other genres.
SHEETS = {"W.F.": "WF", "P.P.": "PP"}
#: The rows of Table 9 that people judged, by the name of the system in the workbook.
JUDGED = {"BIG": "large", "Unified": "doc"}
#: The types of Table 5 with the forms that they count; possessive pronouns are none of them.
TYPES = {"Sub.": ("S",), "Obj.": ("O",), "Pos.": ("Pa",), "All": ("S", "O", "Pa", "P", "R")}

#: The row and the column of a figure.
Cell = tuple[str, str]
#: Our figures for a cell, each with the file or the way that gives it.
Figures = dict[Cell, dict[str, float]]


def recomputed(folder: Path) -> dict[int, Figures]:
    """Return what the released files give for the cells of the tables.

    Args:
        folder: the published collection, with azpt_output, human_score, raw and zp-labeled.

    Raises:
        PipelineError: a file is missing or malformed.
    """
    tables: dict[int, Figures] = {table: {} for table in TABLES}
    for row, columns in frequency_rows(folder / "raw").items():
        for column, value in columns.items():
            _put(tables[3], (row, column), "raw", value)
    for genre, row, name in _systems():
        _put_scores(tables, folder, (genre, row, name))
    sheets = read_workbook(folder / WORKBOOK)
    for row, system in JUDGED.items():
        for name in ("M.S", "M.S_HD"):
            _put(tables[9], (row, "M.S. Human"), f"sheet {name}", system_means(sheets[name])[system])
    for cell, way, value in _correlations(folder, sheets):
        _put(tables[11], cell, way, value)
    return tables


def _put_scores(tables: Mapping[int, Figures], folder: Path, system: tuple[str, str, str]) -> None:
    """Add AZPT and BLEU of an output, given by its genre, the row of the tables and its file."""
    genre, row, name = system
    path = folder / "azpt_output" / f"{name}.details"
    verdicts = read_details(path)
    for table in (7, 9):
        _put(tables[table], (row, f"{genre} AZPT"), name, _accuracy(verdicts))
    for kind, forms in TYPES.items():
        counted = [verdict for verdict in verdicts if _form(verdict) in forms]
        _put(tables[5], (f"{kind} {row}", f"{genre} AZPT"), name, _accuracy(counted))
    for scope, score in _bleu(folder, genre, read_tagged(path.with_suffix(".tagged"))):
        for table in (8,) if scope == "with zero" else (7, 9):
            _put(tables[table], (row, f"{genre} BLEU"), name, score)


def read_genres(folder: Path) -> dict[str, list[ParallelText]]:
    """Return the texts of each genre, in the order of genres.tsv."""
    texts: dict[str, list[ParallelText]] = {}
    for row in _rows("genres.tsv", "genre", "text"):
        text = read_parallel_text(folder / f"{row['text']}.zh", folder / f"{row['text']}.en")
        texts.setdefault(row["genre"], []).append(text)
    return texts


def frequency_rows(folder: Path) -> dict[str, dict[str, float | None]]:
    """Return the rows of Table 3: each genre, and the last one with sums and means in which each genre weighs the same."""
    genres = {genre: total([frequencies(text) for text in texts]) for genre, texts in read_genres(folder).items()}
    rows = {genre: figures.columns() for genre, figures in genres.items()}
    return {**rows, "Total / Average": average(list(genres.values()))}


def _rows(name: str, *columns: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table beside the printed figures."""
    path = TABLE_FOLDER / name
    yield from (row for _, row in read_table(path, columns))


def read_printed(table: int) -> dict[Cell, float]:
    """Return the printed figures of a table."""
    rows = _rows(f"table_{table}.tsv", "table", "row", "column", "value")
    return {(row["row"], row["column"]): float(row["value"]) for row in rows}


def read_reasons(table: int) -> dict[Cell, str]:
    """Return the reasons why cells of a table differ."""
    rows = _rows(f"reasons_{table}.tsv", "table", "row", "column", "reason")
    return {(row["row"], row["column"]): row["reason"] for row in rows}


def _systems() -> list[tuple[str, str, str]]:
    return [(row["genre"], row["row"], row["file"]) for row in _rows("systems.tsv", "genre", "row", "file")]


def _put(figures: Figures, cell: Cell, way: str, value: float | None) -> None:
    if value is not None:
        figures.setdefault(cell, {})[way] = value


def _form(verdict: Verdict) -> str:
    return verdict.label.rpartition(">_")[2].removesuffix("_n")


def _accuracy(verdicts: Sequence[Verdict]) -> float | None:
    return 100 * sum(verdict.right for verdict in verdicts) / len(verdicts) if verdicts else None


def _bleu(folder: Path, genre: str, translations: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield the paper's BLEU of the whole text, if it is there, and of the sentences with zeros."""
    references, chosen = _references(folder, GENRES[genre][0])
    metric = sacrebleu_metrics(tokenised=True)[PAPER]
    if len(translations) == len(references):
        yield "whole", metric.corpus_score(translations, [references]).score
        translations = [translations[place] for place in chosen[0]]
    places = next((places for places in chosen if len(places) == len(translations)), None)
    if places is None:
        reason = f"[sentence] {genre} has {len(translations)} translations, expected {len(chosen[0])}"
        raise PipelineError(folder, None, reason)
    yield "with zero", metric.corpus_score(translations, [[references[place] for place in places]]).score


@cache
def _references(folder: Path, text: str) -> tuple[Sequence[str], Sequence[Sequence[int]]]:
    """Return the tokenised references of a text, and which sentences have a zero: of any form, and of another than _UN.

    The subtitles' outputs leave out sentences whose zeros are all undetermined.
    """
    pairs = read_parallel_text(folder / "raw" / f"{text}.zh", folder / "raw" / f"{text}.en").pairs
    lines = lines_of(read_text(folder / "zp-labeled" / f"{text}.bpe.en"))
    chosen = [
        [place for place, pair in enumerate(pairs) if any(zero.form not in without for zero in pair.source.zeros)]
        for without in ((), ("UN",))
    ]
    return [line.replace("@@ ", "") for line in lines], chosen


def _correlations(folder: Path, sheets: Mapping[str, Sheet]) -> Iterator[tuple[Cell, str, float]]:
    """Yield Pearson's coefficients of AZPT and BLEU with the human scores, by sentence and by system."""
    observed: dict[Cell, Sequence[Observation]] = {}
    for genre, (_, outputs, sheet) in GENRES.items():
        observed[genre, "AZPT"] = match(sheets[sheet], folder / "azpt_output" / outputs).observations
    for genre, sheet in {**{genre: files[2] for genre, files in GENRES.items()}, **SHEETS}.items():
        observed[genre, "BLEU"] = metric_observations(sheets[sheet], ("BLEU",))["BLEU"]
    levels: tuple[Level, ...] = ("sentence", "system")
    for cell, observations in observed.items():
        for level in levels:
            value = correlations(observations, level, seed=1, resamples=0)[0].value
            if value is not None:
                yield cell, f"by {level}", value


def comparison(table: int, ours: Figures) -> Iterator[tuple[Cell, float, float | None, str, str]]:
    """Yield each cell of a table: row and column, the printed figure, ours, what gives it, the reason of a difference.

    Ours is None where the released files have nothing; the reason is empty where the figures are equal or no reason is known.
    """
    reasons = read_reasons(table)
    for cell, printed in read_printed(table).items():
        ways = ours.get(cell, {})
        way = min(ways, key=lambda name, ways=ways, printed=printed: abs(ways[name] - printed), default="")  # type: ignore[misc]  # used at once
        yield cell, printed, ways.get(way), way, reasons.get(cell, "")


def is_equal(table: int, column: str, printed: float, ours: float) -> bool:
    """Return whether a figure is the printed one: in Table 3 within `TOLERANCE`, in the others rounded or cut to its digits.

    These are two in Table 11 and of human scores, else one. Ours is rounded to hundredths before, as multi-bleu.perl prints it.
    """
    if table == 3:
        return abs(ours - printed) <= TOLERANCE
    hundredths = 1 if table == 11 or column.endswith("Human") else 10
    more = round(100 * ours) - round(100 * printed)
    return 2 * abs(more) <= hundredths or 0 <= more < hundredths


def differences(table: int, ours: Figures) -> set[Cell]:
    """Return the cells that need a reason: those that differ, and in Table 3 those that the released files do not give."""
    return {
        cell
        for cell, printed, figure, _, _ in comparison(table, ours)
        if (table == 3 if figure is None else not is_equal(table, cell[1], printed, figure))
    }


def main() -> int:
    """Print the comparison and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m replication.guofeng", description=__doc__)
    parser.add_argument("--folder", type=Path, default=data_folder() / "mzprt", help="the published collection")
    figures = recomputed(parser.parse_args().folder)
    unexplained = False
    for table in TABLES:
        counts = {"equal": 0, "different": 0, "not released": 0}
        different = differences(table, figures[table])
        for cell, printed, ours, way, reason in comparison(table, figures[table]):
            state = "not released" if ours is None else "different" if cell in different else "equal"
            counts[state] += 1
            if ours is not None:
                shown = (f"Table {table}", *cell, f"printed {printed}", f"ours {ours:.2f}", way, state, reason)
                sys.stdout.write("\t".join(shown) + "\n")
        sys.stdout.write(f"Table {table}: {', '.join(f'{count} {state}' for state, count in counts.items())}\n")
        unexplained |= different != set(read_reasons(table))
    return int(unexplained)


if __name__ == "__main__":
    raise SystemExit(main())
