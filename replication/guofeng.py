"""What GuoFeng prints, from its released files and from its other figures.

Which texts belong to a genre stands in guofeng/genres.tsv, which file of outputs to a row of Tables 5 and 7 to 9 in guofeng/systems.tsv.
Where several could, each is a way.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from statistics import fmean

from pipeline.core.errors import PipelineError
from pipeline.core.files import lines_of, read_text
from pipeline.core.tables import read_table
from pipeline.language.segmentation import cut
from pipeline.zero_pronouns.documents import ParallelText, read_parallel_text
from pipeline.zero_pronouns.frequencies import SUMMED, UNTYPED, Frequencies, frequencies, total
from pipeline.zero_pronouns.labels import translation_table
from pipeline.zero_pronouns.translation.details import Verdict, read_details
from pipeline.zero_pronouns.translation.metrics import METEOR, PAPER, sacrebleu_metrics
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
from replication.ledger import FOLDER, Between, Ways, read_cells

TABLE_FOLDER = FOLDER / "guofeng"
#: The abbreviations of the genres, in the order of Table 3.
GENRES = {
    "M.S.": "Movie Subtitle",
    "Q.F.": "Q&A Forum",
    "W.F.": "Web Fiction",
    "G.N.": "Government News",
    "P.P.": "Personal Profile",
}
#: Genres whose outputs are released: the text, the folder of the outputs, and the sheet of the human scores.
RELEASED = {
    "M.S.": ("Movie_Subtitle_test", "M.S", "M.S"),
    "Q.F.": ("Baidu_knows", "QA", "BK"),
    "G.N.": ("Government_Report", "GR", "GR"),
}
#: The sheets of human scores.
SHEETS = {**{genre: names[2] for genre, names in RELEASED.items()}, "W.F.": "WF", "P.P.": "PP"}
#: The rows of Table 9 that people judged, by the name of the system in the workbook.
JUDGED = {"BIG": "large", "Unified": "doc"}
#: The types of Table 5 with the forms that they count; possessive pronouns are none of them.
TYPES = {"Sub.": ("S",), "Obj.": ("O",), "Pos.": ("Pa",), "All": ("S", "O", "Pa", "P", "R")}
#: The columns of Table 3 with their forms.
SHARES = {"Sub.": "S", "Obj.": "O", "Pos.": "Pa"}
#: The greatest error of a printed percentage.
ERROR = 0.05

_TOTALS = re.compile(r"Finally Correct entities:(\d+)\s+Incorrect:(\d+)\s+Score:([\d.]+)")

#: Our figures by row and column.
Figures = dict[tuple[str, str], Ways]


@cache
def printed(table: int) -> Mapping[str, float]:
    """Return the numbers of a table by cell."""
    cells = read_cells(TABLE_FOLDER / f"table_{table}.tsv")
    return {cell: float(value.replace(",", "")) for cell, value in cells.items() if value != "n/a"}


def _rows(name: str, *columns: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table beside the printed figures."""
    yield from (row for _, row in read_table(TABLE_FOLDER / name, columns))


# --- Table 3 ----------------------------------------------------------------------------------------------------------


@cache
def texts(data: Path) -> Mapping[str, Sequence[ParallelText]]:
    """Return the texts of each genre, in the order of genres.tsv."""
    found: dict[str, list[ParallelText]] = {}
    for row in _rows("genres.tsv", "genre", "text"):
        path = data / "mzprt" / "raw" / row["text"]
        found.setdefault(row["genre"], []).append(read_parallel_text(path.with_suffix(".zh"), path.with_suffix(".en")))
    return found


@cache
def genre_frequencies(data: Path) -> Mapping[str, Frequencies]:
    """Return the figures of each genre."""
    return {genre: total([frequencies(text) for text in parts]) for genre, parts in texts(data).items()}


def table_3(data: Path) -> dict[tuple[str, str], Ways | Between | float]:
    """Return the rows of Table 3 by the ways that it leaves open, and the last one from the files and from its other rows."""
    by_genre = genre_frequencies(data)
    figures: dict[tuple[str, str], Ways | Between | float] = {}
    for genre, counted in by_genre.items():
        for column, figure in counted.columns().items():
            if column != "entropy":
                figures[genre, column] = Ways(
                    {"released files": figure, **dict(_other_ways(data, genre, column, counted))}
                )
    last = "Total / Average"
    figures[last, "Agree."] = _mean_of_rows("Agree.")
    whole = total(list(by_genre.values())).columns()
    for column in [column for genre, column in figures if genre == "Movie Subtitle"]:
        genres = [counted.columns()[column] or 0 for counted in by_genre.values()]
        if column.startswith("W"):  # each of five rows is rounded to a thousand
            rows = 5 * _mean_of_rows(column)
            figures[last, column] = Between(rows - 2.5, rows + 2.5)
        elif column in SUMMED:
            figures[last, column] = Ways({"released files": sum(genres), "its rows": round(5 * _mean_of_rows(column))})
        else:
            means = {"released files": fmean(genres), "its rows": _mean_of_rows(column)}
            figures[last, column] = Ways({**means, "all sentences as one text": whole[column]})
    return figures


def _mean_of_rows(column: str) -> float:
    return fmean(printed(3)[f"{genre}, {column}"] for genre in GENRES.values())


def _other_ways(data: Path, genre: str, column: str, counted: Frequencies) -> Iterator[tuple[str, float]]:
    """Yield other ways to count a figure of a genre."""
    if column == "D":
        last = sum(read_text(path).rstrip().endswith("[doc]") for path in _paths(data, genre))
        yield "without [doc] after the last sentence", counted.documents - last
    if column == "W zh":
        words = sum(len(cut(pair.source.oracle)) for text in texts(data)[genre] for pair in text.pairs)
        yield "with the zeros restored", words / 1000
    names = [path.stem for path in _paths(data, genre)]
    tokens = [data / "mzprt" / "zp-labeled" / f"{name}.bpe.{column[-2:]}" for name in names]
    if column in ("W zh", "W en") and all(path.exists() for path in tokens):
        pieces = [word for path in tokens for word in read_text(path).split()]
        yield "tokenised files", sum(not piece.endswith("@@") for piece in pieces) / 1000
    if column in SHARES:
        forms = dict(counted.forms)
        forms["S"] += forms["UN"] + forms[UNTYPED]
        yield "undetermined ones as subjects", 100 * forms[SHARES[column]] / counted.zeros


def _paths(data: Path, genre: str) -> list[Path]:
    rows = _rows("genres.tsv", "genre", "text")
    return [data / "mzprt" / "raw" / f"{row['text']}.zh" for row in rows if row["genre"] == genre]


def entropies(data: Path) -> dict[str, float]:
    """Return the entropy of the labels of each genre in bits."""
    return {genre: counted.entropy or 0 for genre, counted in genre_frequencies(data).items()}


def shares_with_zeros(data: Path) -> dict[str, float]:
    """Return the share of the sentences of each genre that have a zero."""
    return {
        genre: counted.sentences_with_zero / counted.sentences for genre, counted in genre_frequencies(data).items()
    }


def highest(figures: Mapping[str, float]) -> set[str]:
    """Return the names of the two greatest figures."""
    return set(sorted(figures, key=lambda name: -figures[name])[:2])


def kappas() -> list[float]:
    """Return the agreement of each genre."""
    return [printed(3)[f"{genre}, Agree."] for genre in GENRES.values()]


# --- Table 4 and sizes ------------------------------------------------------------------------------------------------


def table_4() -> dict[str, dict[str, str | Between]]:
    """Return the sizes of training data as appendix A.1 gives them; it rounds TVsub to 2.2M before the questions are added."""
    tvsub, questions, subtitles, news, fiction = 2_200_000, 5_000, 12_800_000, 42_800_000, 1_450_000
    recovery = {"M.S.": _size(tvsub), "Q.F.": _size(questions)}
    both = Between(*((tvsub + error + questions) / 1e6 for error in (-50_000, 50_000)))
    translation = {"M.S.": subtitles, "Q.F.": 10 * 5_000, "W.F.": fiction}
    return {
        genre: {
            "ZPR": recovery.get(genre, both),
            "MT Sen.": _size(translation.get(genre, news)),
            "MT Doc.": _size(translation.get(genre, news)),
            "MT Rec.": _size(tvsub),
        }
        for genre in GENRES
    }


def _size(count: int) -> str:
    """Return a number of sentences as Table 4 prints it."""
    if count < 1_000_000:
        return f"{count // 1000}K"
    return f"{(Decimal(count) / 1_000_000).quantize(Decimal('0.1'), ROUND_HALF_UP)}M"


def layer_weights(width: int, inner: int, layers: int) -> int:
    """Return the number of weights of the encoder and decoder layers of a Transformer (Vaswani et al., 2017), without embeddings."""
    attention, norm = 4 * width * width + 4 * width, 2 * width
    feed_forward = 2 * width * inner + inner + width
    return layers * (3 * attention + 2 * feed_forward + 5 * norm)


def sizes() -> dict[tuple[str, str], Between]:
    """Return the millions of weights of BASE by the vocabularies that BIG has, and of DEEP as section 4.3 describes it.

    Both have three matrices of embeddings (source, target, output); DEEP has twelve layers of BASE.
    """
    big, base = layer_weights(1024, 4096, 6) / 1e6, layer_weights(512, 2048, 6) / 1e6
    low, high = (base + (printed(7)["BIG, Size"] + error - big) * 512 / 1024 for error in (-0.5, 0.5))
    deep = [printed(7)["BASE, Size"] + error + base for error in (-0.5, 0.5)]
    return {("BASE", "Size"): Between(low, high), **dict.fromkeys(_deep(), Between(*deep))}


def _deep() -> list[tuple[str, str]]:
    return [("DEEP", "Size"), ("Oracle DEEP", "Size")]


# --- Tables 5 and 7 to 9 ----------------------------------------------------------------------------------------------


@cache
def system_scores(data: Path) -> Mapping[int, Figures]:
    """Return what the released outputs give for the cells of Tables 5, 7, 8 and 9, by file.

    Raises:
        PipelineError: a file is missing or malformed.
    """
    tables: dict[int, Figures] = {5: {}, 7: {}, 8: {}, 9: {}}
    for row in _rows("systems.tsv", "genre", "row", "file"):
        genre, model, name = row["genre"], row["row"], row["file"]
        path = data / "mzprt" / "azpt_output" / f"{name}.details"
        verdicts = read_details(path)
        for kind, forms in TYPES.items():
            counted = [verdict for verdict in verdicts if _form(verdict) in forms]
            _put(tables[5], (f"{kind} {model}", f"{genre} AZPT"), name, _accuracy(counted))
        figures = {name: _accuracy(verdicts), **dict(_written_scores(path.with_suffix(".score")))}
        for way, accuracy in figures.items():
            _put(tables[7], (model, f"{genre} AZPT"), way, accuracy)
            _put(tables[9], (model, "AZPT"), way, accuracy if genre == "M.S." else None)
        for scope, score in _bleu(data / "mzprt", genre, read_tagged(path.with_suffix(".tagged"))):
            _put(tables[8 if scope == "with zero" else 7], (model, f"{genre} BLEU"), name, score)
    return tables


def _put(figures: Figures, cell: tuple[str, str], way: str, value: float | None) -> None:
    if value is not None:
        figures.setdefault(cell, Ways())[way] = value


def _form(verdict: Verdict) -> str:
    return verdict.label.rpartition(">_")[2].removesuffix("_n")


def _accuracy(verdicts: Sequence[Verdict]) -> float | None:
    return 100 * sum(verdict.right for verdict in verdicts) / len(verdicts) if verdicts else None


def _written_scores(path: Path) -> Iterator[tuple[str, float]]:
    """Yield the accuracy that the authors' tool wrote in its last line, and that of the counts beside it, where they differ."""
    name = f"{path.parent.name}/{path.name}"
    found = _TOTALS.search(read_text(path))
    if not found:
        raise PipelineError(
            path, None, "[score] no line of totals; expected Finally Correct entities:N Incorrect:N Score:N"
        )
    right, wrong, score = int(found[1]), int(found[2]), float(found[3])
    if round(score - right / (right + wrong), 6):
        yield f"counts of {name}", 100 * right / (right + wrong)
        yield f"score of {name}", 100 * score


def _bleu(folder: Path, genre: str, translations: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield the paper's BLEU of the whole text, if it is there, and of the sentences with zeros, as multi-bleu.perl prints it."""
    references, chosen = _references(folder, RELEASED[genre][0])
    metric = sacrebleu_metrics(tokenised=True)[PAPER]
    if len(translations) == len(references):
        yield "whole", round(metric.corpus_score(translations, [references]).score, 2)
        translations = [translations[place] for place in chosen[0]]
    places = next((places for places in chosen if len(places) == len(translations)), None)
    if places is None:
        reason = f"[sentence] {genre} has {len(translations)} translations, expected {len(chosen[0])}"
        raise PipelineError(folder, None, reason)
    yield "with zero", round(metric.corpus_score(translations, [[references[place] for place in places]]).score, 2)


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


def table_5(data: Path) -> dict[tuple[str, str], Ways | Between]:
    """Return AZPT by type from the released outputs, and of the other genres the last rows from the types and the labelled zeros.

    There possessive pronouns and reflexives may all be right or wrong.
    """
    figures: dict[tuple[str, str], Ways | Between] = {
        cell: ways for cell, ways in system_scores(data)[5].items() if cell[0].endswith((" BIG", " ZPR+"))
    }
    for genre in ("W.F.", "P.P."):
        forms = genre_frequencies(data)[GENRES[genre]].forms
        zeros = sum(forms[form] for form in TYPES["All"])
        for model in ("BIG", "ZPR+"):
            right = sum(printed(5)[f"{kind} {model}, {genre} AZPT"] * forms[form] for kind, form in SHARES.items())
            others = 100 * (forms["P"] + forms["R"])
            figures[f"All {model}", f"{genre} AZPT"] = Between(right / zeros - ERROR, (right + others) / zeros + ERROR)
    return figures


def table_7(data: Path) -> dict[tuple[str, str], Ways | Between | float]:
    """Return AZPT and BLEU from the released outputs, sizes, and AZPT of other genres as Table 5 repeats it."""
    repeated = {
        (model, f"{genre} AZPT"): printed(5)[f"All {model}, {genre} AZPT"]
        for genre in ("W.F.", "P.P.")
        for model in ("BIG", "ZPR+")
    }
    scores = {cell: ways for cell, ways in system_scores(data)[7].items() if ", ".join(cell) in printed(7)}
    return {**scores, **sizes(), **repeated}


def table_8(data: Path) -> Figures:
    """Return BLEU of the sentences with zeros from the released outputs."""
    return {cell: ways for cell, ways in system_scores(data)[8].items() if ", ".join(cell) in printed(8)}


def table_9(data: Path) -> dict[tuple[str, str], Ways | float]:
    """Return AZPT and human scores from the released files, and BLEU as Table 7 repeats it."""
    figures: dict[tuple[str, str], Ways | float] = {
        cell: ways for cell, ways in system_scores(data)[9].items() if ", ".join(cell) in printed(9)
    }
    for row, model in (("BIG", "BIG"), ("Unified", "DOC.")):
        figures[row, "BLEU"] = printed(7)[f"{model}, M.S. BLEU"]
    for row, system in JUDGED.items():
        means = {f"sheet {name}": system_means(sheets(data)[name])[system] for name in ("M.S", "M.S_HD")}
        figures[row, "Human"] = Ways({**means, "mean of both": fmean(means.values())})
    return figures


def mean_gain(table: int, measure: str, model: str, base: str = "BIG", genres: Iterable[str] = GENRES) -> float:
    """Return the mean difference of two rows of Table 7 or 8 over genres."""
    return fmean(
        printed(table)[f"{model}, {genre} {measure}"] - printed(table)[f"{base}, {genre} {measure}"] for genre in genres
    )


def recovery_gains() -> dict[str, float]:
    """Return the gain of ZPR+ over BIG in Table 5, by genre."""
    return {genre: printed(5)[f"All ZPR+, {genre} AZPT"] - printed(5)[f"All BIG, {genre} AZPT"] for genre in GENRES}


def gains_of_poor_recovery(*, below: float) -> list[float]:
    """Return the gains of ZPR+ over BIG in AZPT in the rows of Table 5 whose AZPR is below a percentage."""
    table = printed(5)
    return [
        table[f"{kind} ZPR+, {genre} AZPT"] - table[f"{kind} BIG, {genre} AZPT"]
        for kind in TYPES
        for genre in GENRES
        if table.get(f"{kind} ZPR+, {genre} AZPR", below) < below
    ]


def method_gains(measure: str) -> list[float]:
    """Return the mean gains over BIG of the methods in Table 7."""
    return [mean_gain(7, measure, model) for model in ("ZPR+", "DOC.", "REC.")]


def oracle_gain(table: int, genres: Iterable[str] = GENRES) -> float:
    """Return the mean gain in BLEU of DEEP and REC. with golden labels over themselves without."""
    return fmean(mean_gain(table, "BLEU", f"Oracle {model}", model, genres) for model in ("DEEP", "REC."))


# --- Tables 10 and 11 -------------------------------------------------------------------------------------------------


def table_10() -> dict[tuple[str, str], str]:
    """Return the pronouns with their translations, by our own table; the reflexive with 的, as it is printed."""
    table = translation_table()
    pronouns = {"1st SG": "我", "2nd SG": "你", "3rd SGM": "他", "3rd SGF": "她", "3rd SGN": "它"}
    pronouns |= {"1st PL": "我们", "2nd PL": "你们", "3rd PLM": "他们", "3rd PLF": "她们", "3rd PLN": "它们"}
    forms = {"Subject": ("S", ""), "Object": ("O", ""), "Possessive adjective": ("Pa", "的"), "Possessive": ("P", "的")}
    forms["Reflexive"] = ("R", "自己的")
    return {
        (row, column): f"{pronoun}{ending} ({'I' if word == 'i' else word})"
        for row, pronoun in pronouns.items()
        for column, (form, ending) in forms.items()
        if (word := table.translation(pronoun, form))
    }


@cache
def sheets(data: Path) -> Mapping[str, Sheet]:
    """Return the sheets of human scores."""
    return read_workbook(data / "mzprt" / WORKBOOK)


def table_11(data: Path) -> dict[tuple[str, str], Ways | float]:
    """Return Pearson's coefficients of automatic and human scores by sentence and by system, and the means of the printed rows.

    Those of TER, which take 20 minutes, are kept in guofeng/ter.tsv; `python -m replication.human_scores --metrics` computes them.
    """
    figures: dict[tuple[str, str], Ways | float] = {}
    observed: dict[tuple[str, str], Sequence[Observation]] = {}
    for genre, (_, outputs, sheet) in RELEASED.items():
        observed[genre, "AZPT"] = match(sheets(data)[sheet], data / "mzprt" / "azpt_output" / outputs).observations
    for genre, sheet in SHEETS.items():
        for column, metric in (("BLEU", "BLEU"), ("METEOR", METEOR)):
            observed[genre, column] = metric_observations(sheets(data)[sheet], (metric,))[metric]
    levels: tuple[Level, ...] = ("sentence", "system")
    for cell, observations in observed.items():
        values = {level: correlations(observations, level, seed=1, resamples=0)[0].value for level in levels}
        figures[cell] = Ways({f"by {level}": value for level, value in values.items() if value is not None})
    for row in _rows("ter.tsv", "genre", *levels):
        figures[row["genre"], "TER"] = Ways({f"by {level}": float(row[level]) for level in levels})
    for column in ("AZPT", "APT", "BLEU", "TER", "METEOR", "COMET"):
        figures["AVE.", column] = fmean(printed(11)[f"{genre}, {column}"] for genre in GENRES)
    return figures


def rank_of_azpt() -> dict[str, int]:
    """Return the rank of AZPT among the metrics of Table 11, by genre."""
    columns = ("AZPT", "APT", "BLEU", "TER", "METEOR", "COMET")
    return {
        genre: 1 + sum(printed(11)[f"{genre}, {name}"] > printed(11)[f"{genre}, AZPT"] for name in columns)
        for genre in GENRES
    }


def judged(data: Path) -> dict[str, int | dict[str, int]]:
    """Return the number of judged sentences by genre, of systems, and the least and greatest score."""
    named = {genre: sheets(data)[sheet].named for genre, sheet in SHEETS.items()}
    scores = [judgement.score for judgements in named.values() for judgement in judgements]
    groups = {genre: len({judgement.sentence for judgement in judgements}) for genre, judgements in named.items()}
    return {
        "groups": groups,
        "systems": len({judgement.system for judgement in named["M.S."]}),
        "least score": min(scores),
        "greatest score": max(scores),
    }
