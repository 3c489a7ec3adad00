"""Compare the printed scores of GuoFeng (EMNLP 2022, Tables 5, 7, 8, 9, 11) with the released outputs: `python -m tools.guofeng`.

The printed figures lie in replication/guofeng/table_N.tsv, what explains a difference in reasons_N.tsv, and which file belongs to
which row in systems.tsv; where two files could, the closer figure counts. Exit status 1: a figure differs without a reason.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from pipeline.core.errors import PipelineError
from pipeline.core.files import lines_of, parse_tsv, read_text
from pipeline.zero_pronouns.documents import read_parallel_text
from pipeline.zero_pronouns.printed import Cell, read_printed, read_reasons
from pipeline.zero_pronouns.translation.details import Verdict, read_details
from pipeline.zero_pronouns.translation.metrics.automatic import PAPER, sacrebleu_metrics
from pipeline.zero_pronouns.translation.metrics.correlation import Level, Observation, correlations
from pipeline.zero_pronouns.translation.metrics.human import match, metric_observations, system_means
from pipeline.zero_pronouns.translation.metrics.outputs import read_tagged
from pipeline.zero_pronouns.translation.metrics.workbook import Sheet, read_workbook
from tools.published import data_folder

REPLICATION = Path(__file__).resolve().parent.parent / "replication" / "guofeng"
TABLES = (5, 7, 8, 9, 11)
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
    for genre, row, name in _systems():
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
    sheets = {sheet.name: sheet for sheet in read_workbook(folder / "human_score" / "M.S.human.xlsx")}
    for row, system in JUDGED.items():
        for name in ("M.S", "M.S_HD"):
            _put(tables[9], (row, "M.S. Human"), f"sheet {name}", system_means(sheets[name])[system])
    for cell, way, value in _correlations(folder, sheets):
        _put(tables[11], cell, way, value)
    return tables


def _systems() -> list[tuple[str, str, str]]:
    path = REPLICATION / "systems.tsv"
    columns = ("genre", "row", "file")
    return [(row["genre"], row["row"], row["file"]) for _, row in parse_tsv(read_text(path), path, columns)]


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
    reasons_file = REPLICATION / f"reasons_{table}.tsv"
    reasons = read_reasons(reasons_file) if reasons_file.is_file() else {}
    for cell, printed in read_printed(REPLICATION / f"table_{table}.tsv").items():
        ways = ours.get(cell, {})
        way = min(ways, key=lambda name, ways=ways, printed=printed: abs(ways[name] - printed), default="")  # type: ignore[misc]  # used at once
        yield cell, printed, ways.get(way), way, reasons.get(cell, "")


def equal(table: int, column: str, printed: float, ours: float) -> bool:
    """Return whether a figure is the printed one, rounded or cut to its digits: two in Table 11 and of human scores, else one.

    Ours is rounded to hundredths before, as multi-bleu.perl prints it.
    """
    hundredths = 1 if table == 11 or column.endswith("Human") else 10
    more = round(100 * ours) - round(100 * printed)
    return 2 * abs(more) <= hundredths or 0 <= more < hundredths


def main() -> int:
    """Print the comparison and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.guofeng", description=__doc__)
    parser.add_argument("--folder", type=Path, default=data_folder() / "mzprt", help="the published collection")
    figures = recomputed(parser.parse_args().folder)
    unexplained = 0
    for table in TABLES:
        counts = {"equal": 0, "different": 0, "not released": 0}
        for (row, column), printed, ours, way, reason in comparison(table, figures[table]):
            state = "not released" if ours is None else "equal" if equal(table, column, printed, ours) else "different"
            counts[state] += 1
            if ours is not None:
                print(f"Table {table}\t{row}\t{column}\tprinted {printed}\tours {ours:.2f}\t{way}\t{state}\t{reason}")
            unexplained += state == "different" and not reason
        print(f"Table {table}: {', '.join(f'{count} {state}' for state, count in counts.items())}")
    return int(unexplained > 0)


if __name__ == "__main__":
    raise SystemExit(main())
