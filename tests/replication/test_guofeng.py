"""What GuoFeng's released files give, and what its figures determine; human scores by hand."""

import re
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from pipeline.core.files import read_text, write_text
from pipeline.zero_pronouns.documents import fault_counts
from pipeline.zero_pronouns.translation.details import COLUMNS
from replication.guofeng import (
    ERROR,
    GENRES,
    genre_frequencies,
    layer_weights,
    mean_gain,
    printed,
    sizes,
    system_scores,
    table_3,
    table_5,
    texts,
)
from replication.human_scores import (
    WORKBOOK,
    Sheet,
    agreement,
    correlations,
    match,
    read_workbook,
    system_means,
)
from replication.ledger import Between, Ways


def test_table_3(shared_data: Path) -> None:
    by_genre = genre_frequencies(shared_data)
    assert list(by_genre) == ["Movie Subtitle", "Q&A Forum", "Government News", "Web Fiction", "Personal Profile"]
    # The counts of lines: 16 + 9, 183, 8, 11 + 13, 218 with [doc]; the others are sentences.
    assert [counted.documents for counted in by_genre.values()] == [25, 183, 8, 24, 218]
    assert [counted.sentences for counted in by_genre.values()] == [2205, 1171, 1587, 1660, 1473]
    # 609 of 927 zeros, 666 of 732, 971 of 1182, 581 of 897 (one of them with an unclosed bracket), 835 of 897
    shares = [round(100 * (counted.share("S") or 0), 2) for counted in by_genre.values()]
    assert shares == [65.7, 90.98, 82.15, 64.77, 93.09]
    figures = table_3(shared_data)
    # The printed averages: types are means of the rows, 398.1 / 5; the share of sentences with zeros is that of all sentences.
    ways = figures["Total / Average", "Sub."]
    assert isinstance(ways, Ways)
    assert ways["its rows"] == pytest.approx(79.62)
    assert figures["Total / Average", "W zh"] == Between(
        142.5, 147.5
    )  # 13 + 16 + 36 + 33 + 47, each half a thousand more or less
    # counted with wc, the marks of BPE removed
    tokens = [
        figures[genre, f"W {language}"] for genre in ("Q&A Forum", "Government News") for language in ("zh", "en")
    ]
    assert [ways["tokenised files"] for ways in tokens if isinstance(ways, Ways)] == [15.478, 21.963, 32.808, 51.468]


def test_scores_of_files_that_contradict_themselves(shared_data: Path) -> None:
    scores = system_scores(shared_data)[7]
    # Last lines of the score files: 403 of 449 with 0.88196, which is 396 of 449; 192 of 732 with 0.26270, which is no count of 732.
    assert scores["Oracle REC.", "M.S. AZPT"] == pytest.approx(
        {
            "M.S/rec_oracle": 39600 / 449,
            "counts of M.S/rec_oracle.score": 40300 / 449,
            "score of M.S/rec_oracle.score": 39600 / 449,
        }
    )
    assert scores["DOC.", "Q.F. AZPT"] == pytest.approx(
        {
            "QA/unified_tgt": 22300 / 732,
            "counts of QA/unified_tgt.score": 19200 / 732,
            "score of QA/unified_tgt.score": 26.2695,
        },
        abs=1e-4,
    )


def test_last_rows_of_table_5_by_hand(shared_data: Path) -> None:
    # Profiles: 835 subjects, 1 object, 61 possessives; BIG has 62.1, 0 and 18.0: (51853.5 + 1098) / 897 = 59.032
    figures = table_5(shared_data)
    assert figures["All BIG", "P.P. AZPT"] == pytest.approx((59.032 - ERROR, 59.032 + ERROR), abs=0.001)
    # Fiction: 581, 77, 228 and 11 others: (31.5 · 581 + 18.9 · 77 + 24.8 · 228) / 897 = 28.329, and 1.226 if the others are right
    assert figures["All BIG", "W.F. AZPT"] == pytest.approx((28.329 - ERROR, 29.555 + ERROR), abs=0.001)


def test_weights_of_a_transformer() -> None:
    # torch.nn.Transformer() has 44,140,544 with two final norms of 1,024 weights each.
    assert layer_weights(512, 2048, 6) == 44_140_544 - 2 * 1024
    # 301 M without 176.36 M of layers leave 124.64 M of embeddings of 1,024, half as many of 512: 44.14 + 62.32 = 106.46
    assert sizes()["BASE", "Size"] == pytest.approx((106.46 - 0.25, 106.46 + 0.25), abs=0.01)


def test_mean_gain_by_hand() -> None:
    # DOC. 53.5 26.3 35.3 46.1 59.3 against BIG 47.4 25.4 30.9 45.4 58.9: 220.5 - 208.0 = 12.5
    assert mean_gain(7, "AZPT", "DOC.") == pytest.approx(2.5)
    assert set(GENRES) == {cell.split(", ")[1].split()[0] for cell in printed(8)}


def test_the_published_files_have_these_faults(shared_data: Path) -> None:
    released = [text for parts in texts(shared_data).values() for text in parts]
    counts = fault_counts(finding for text in released for finding in text.findings)
    # Counted with grep: <我>S, <我们>__S, <它的_Pa; _Pq; tags of a pronoun without a label; <这…>; two titles; blank lines; Chinese in
    # the English; 的 with _S, none with _Pa and _P, no 自己 with _R, and 自己的 with _R.
    lines = [line for text in released for pair in text.pairs for line in [pair.source.labelled]]
    mismatches = re.compile("<[我你他她它]们?>_(?:Pa?|R)(?![a-zA-Z])|<[我你他她它]们?的>_[SO]|<我自己的>_R")
    assert counts == {
        "label: malformed": 3,
        "label: unknown form": 1,
        "label: no form": len(_untyped(shared_data / "mzprt" / "raw")),
        "form: form does not fit the pronoun": sum(len(mismatches.findall(line)) for line in lines),
        "pronoun: not in the table of pronouns": 9,
        "label: not a zero": 2,
        "sentence: empty line": 4,
        "translation: Chinese text": 7,
    }


def _untyped(raw: Path) -> list[str]:
    text = "".join(read_text(path) for path in sorted(raw.glob("*.zh")))
    pieces = [piece for piece in text.split("<")[1:] if ">" in piece]
    return [piece for piece in pieces if not piece.split(">")[1].startswith(("_", "S")) and piece[0] in "我你他她它"]


#: The sums of scores that the workbook itself forms, over a hundred sentences: base, deep, doc, large, rec, zpr.
SUMS = {
    "M.S": (383, 378, 402, 382, 401, 403),
    "M.S_HD": (451, 436, 428, 424, 434, 436),
    "BK": (263, 269, 285, 262, 298, 322),
    "PP": (342, 392, 388, 388, 400, 384),
    "GR": (365, 376, 376, 393, 370, 385),
}


@pytest.fixture(scope="module")
def sheets(shared_data: Path) -> dict[str, Sheet]:
    return read_workbook(shared_data / "mzprt" / WORKBOOK)


def test_the_sheets_have_the_sums_of_the_workbook(sheets: dict[str, Sheet]) -> None:
    assert len(sheets) == 12
    for name, sums in SUMS.items():
        assert tuple(system_means(sheets[name]).values()) == pytest.approx([total / 100 for total in sums])
    blind = ["ms_f", "BK_need", "PP_need", "WF_need", "GR_need"]
    assert [name for name, sheet in sheets.items() if sheet.blind] == blind


def test_the_two_judges_of_the_subtitles_agree_less_than_the_paper_says(sheets: dict[str, Sheet]) -> None:
    result = agreement(sheets["M.S"], sheets["M.S_HD"])
    assert result is not None
    assert (result.translations, result.equal, result.same_side) == (600, 390, 470)  # 78 %, not 91 %
    assert result.kappa == pytest.approx(0.40, abs=0.005)


def test_azpt_of_the_subtitles_and_human_scores(sheets: dict[str, Sheet], shared_data: Path) -> None:
    matching = match(sheets["M.S"], shared_data / "mzprt" / "azpt_output" / "M.S")
    # Those judged as REC. are of another file, 99 sentences: the zero of the other has no form and no verdict.
    assert matching.files["rec"] == ("unified_oc_tgt", 99)
    assert (len(matching.observations), matching.left_out) == (594, 6)
    values = [result.value for result in correlations(matching.observations, "sentence", seed=1, resamples=0)]
    assert values == pytest.approx([0.46, 0.59, 0.54], abs=0.005)
    by_system = correlations(matching.observations, "system", seed=1, resamples=200)[0]
    assert (by_system.pairs, by_system.value) == (6, pytest.approx(0.77, abs=0.005))
    assert by_system.interval is not None
    assert -1 <= by_system.interval[0] < 0.77 < by_system.interval[1] <= 1


# --- by hand ----------------------------------------------------------------------------------------------------------

#: Two sentences, judged for two systems.
ROWS = [
    ["Sent:0"],
    ["source", None, "<他>_S 来 了"],
    ["reference", None, "He came ."],
    ["System:0", "base", "Came .", -3, -1, 0, 1],
    ["System:1", "deep", "he came .", 0, 0, 0, 5],
    [None],
    ["Sent:1"],
    ["source", None, "<我>_S 走 <它>_O"],
    ["reference", None, "I leave it ."],
    ["System:0", "deep", "i leave .", 0, -1, 0, 4],
    ["System:1", "base", "leave .", 0, -1, -4, 0],
]


def sheet(folder: Path, rows: Sequence[Sequence[object]] = ROWS) -> Sheet:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(folder / "human.xlsx")
    return read_workbook(folder / "human.xlsx")["Sheet"]


def changed(row: int, column: int, value: object) -> list[list[object]]:
    rows: list[list[object]] = [[*entry, *[None] * (7 - len(entry))] for entry in ROWS]
    rows[row - 1][column] = value
    return rows


def outputs(folder: Path) -> Path:
    """Write the verdicts of three systems; the file of `deep` has another name."""
    files = {
        "base": ("<came> .\n<leave> .\n", "0\t0\t<他>_S\the\t[0]\t['came']\t-1\n1\t0\t<我>_S\ti\t[0]\t['leave']\t-1\n"
                 "1\t2\t<它>_O\tit\t[0]\t['leave']\t-1\n"),
        "other": ("<he> came .\n<i> <<leave>> .\n", "0\t0\t<他>_S\the\t0\the\t1\n1\t0\t<我>_S\ti\t0\ti\t1\n"
                  "1\t2\t<它>_O\tit\t[1]\t['leave']\t-1\n"),
        "third": ("no\nno\n", "0\t0\t<他>_S\the\t[0]\t['no']\t-1\n1\t0\t<我>_S\ti\t[0]\t['no']\t-1\n"),
    }  # fmt: skip
    for name, (tagged, details) in files.items():
        write_text(folder / "outputs" / f"{name}.tagged", tagged)
        write_text(folder / "outputs" / f"{name}.details", "\t".join(COLUMNS) + "\n" + details)
    return folder / "outputs"


def test_empty_cells_are_not_judged(tmp_path: Path) -> None:
    rows = changed(4, 6, None)
    rows[3][3:6] = [None] * 3
    assert system_means(sheet(tmp_path, rows)) == {"base": 0.0, "deep": 4.5}


def test_agreement_by_hand(tmp_path: Path) -> None:
    # Scores 1 5 4 0 against 1 5 3 0: three equal, and one of four is good for one and neither for the other.
    first, second = sheet(tmp_path), sheet(tmp_path, changed(10, 5, -1))
    result = agreement(first, second)
    assert result is not None
    assert (result.translations, result.equal, result.same_side) == (4, 3, 3)
    # Weighted by squares: disagreement 1 of four; by chance the squares of the 16 differences sum to 21 + 45 + 27 + 35 = 128.
    assert result.kappa == pytest.approx(1 - (1 / 4) / (128 / 16))
    assert agreement(first, sheet(tmp_path, changed(2, 2, "else")[:5])) is None


def test_the_words_decide_which_file_is_a_systems(tmp_path: Path) -> None:
    matching = match(sheet(tmp_path), outputs(tmp_path))
    assert matching.files == {"base": ("base", 2), "deep": ("other", 2)}
    assert sorted((entry.system, entry.human, entry.value, entry.weight) for entry in matching.observations) == [
        ("Sheet base", 0, 0.0, 2),
        ("Sheet base", 1, 0.0, 1),
        ("Sheet deep", 4, 0.5, 2),
        ("Sheet deep", 5, 1.0, 1),
    ]
    # Good and right: deep in the first sentence. Bad and wrong: base in both. Good and half right: deep in the second.
    assert (matching.good, matching.decided, matching.left_out) == (3, 4, 0)


def test_a_system_without_a_file_is_left_out(tmp_path: Path) -> None:
    other = {"leave .": "gone .", "Came .": "Gone ."}
    matching = match(sheet(tmp_path, [[other.get(str(cell), cell) for cell in row] for row in ROWS]), outputs(tmp_path))
    assert matching.files == {"base": (None, 0), "deep": ("other", 2)}
    assert (len(matching.observations), matching.left_out) == (2, 2)
