"""Human scores: the workbook, agreement, files of verdicts, and correlations worked by hand."""

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_text
from pipeline.zero_pronouns.translation.details import COLUMNS
from pipeline.zero_pronouns.translation.metrics.correlation import Observation, correlations, kendall, pearson, spearman
from pipeline.zero_pronouns.translation.metrics.human import agreement, match, system_means
from pipeline.zero_pronouns.translation.metrics.outputs import read_scored, read_tagged
from pipeline.zero_pronouns.translation.metrics.workbook import Sheet, read_workbook
from tests.support.commands import winoforge

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


def workbook(folder: Path, *sheets: Sequence[Sequence[object]]) -> Path:
    book = openpyxl.Workbook()
    for sheet, rows in zip([book.active, *(book.create_sheet() for _ in sheets[1:])], sheets, strict=True):
        for row in rows:
            sheet.append(row)
    book.save(folder / "human.xlsx")
    return folder / "human.xlsx"


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


def sheet(folder: Path, rows: Sequence[Sequence[object]] = ROWS) -> Sheet:
    return read_workbook(workbook(folder, rows))[0]


def test_the_judgements_of_a_sheet(tmp_path: Path) -> None:
    judgements = sheet(tmp_path).judgements
    assert [(entry.row, entry.sentence, entry.system, entry.score) for entry in judgements] == [
        (4, 0, "base", 1),
        (5, 0, "deep", 5),
        (10, 1, "deep", 4),
        (11, 1, "base", 0),
    ]
    assert sheet(tmp_path).findings == ()
    assert system_means(sheet(tmp_path)) == {"base": 0.5, "deep": 4.5}


def test_a_blind_sheet_has_no_systems(tmp_path: Path) -> None:
    rows = [[row[0], *row[2:6]] for row in ROWS]
    blind = sheet(tmp_path, rows)
    assert blind.blind
    assert [entry.score for entry in blind.judgements] == [1, 5, 4, 0]
    assert system_means(blind) == {}


@pytest.mark.parametrize(
    ("row", "column", "value", "finding"),
    [
        (4, 3, 1, ":4: [Sheet, Semantic] not a deduction; found 1, expected 0 to -5"),
        (4, 3, "-3", ":4: [Sheet, Semantic] not a deduction"),
        (4, 3, True, ":4: [Sheet, Semantic] not a deduction; found true"),
        (5, 6, 4, ":5: [Sheet, Score] wrong; found 4, expected 5 from the deductions"),
        (5, 5, None, ":5: [Sheet, Other] empty"),
        (4, 1, None, ":4: [Sheet, system] no name"),
        (6, 0, "sent 38", ":6: [Sheet, row] unknown row; found 'sent 38'"),
        (3, 0, "Reference", ":3: [Sheet, row] unknown row"),
    ],
)
def test_a_fault_is_a_finding(tmp_path: Path, row: int, column: int, value: object, finding: str) -> None:
    findings = sheet(tmp_path, changed(row, column, value)).findings
    assert findings[0].startswith(f"{tmp_path / 'human.xlsx'}{finding}")


def test_empty_cells_are_not_judged(tmp_path: Path) -> None:
    rows = changed(4, 6, None)
    rows[3][3:6] = [None] * 3
    assert system_means(sheet(tmp_path, rows)) == {"base": 0.0, "deep": 4.5}


def test_agreement_by_hand(tmp_path: Path) -> None:
    # Scores 1 5 4 0 against 1 5 3 0: three equal, and one of four is good for one and neither for the other.
    first, second = read_workbook(workbook(tmp_path, ROWS, changed(10, 5, -1)))
    result = agreement(first, second)
    assert result is not None
    assert (result.translations, result.equal, result.same_side) == (4, 3, 3)
    # Weighted by squares: disagreement 1 of four; by chance the squares of the 16 differences sum to 21 + 45 + 27 + 35 = 128.
    assert result.kappa == pytest.approx(1 - (1 / 4) / (128 / 16))
    assert agreement(first, read_workbook(workbook(tmp_path, changed(2, 2, "else")[:5]))[0]) is None


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
    rows = [[cell if cell != "leave ." else "gone ." for cell in row] for row in ROWS]
    rows = [[cell if cell != "Came ." else "Gone ." for cell in row] for row in rows]
    matching = match(sheet(tmp_path, rows), outputs(tmp_path))
    assert matching.files == {"base": (None, 0), "deep": ("other", 2)}
    assert (len(matching.observations), matching.left_out) == (2, 2)


def test_tagged_translations_lose_their_brackets(tmp_path: Path) -> None:
    assert read_tagged(outputs(tmp_path) / "other.tagged") == ["he came .", "i leave ."]


def test_a_verdict_without_translation_is_refused(tmp_path: Path) -> None:
    path = outputs(tmp_path) / "base.details"
    write_text(path.with_suffix(".tagged"), "came .\n")
    with pytest.raises(PipelineError, match=r"\[Sent\] no such sentence; found 1, expected one of the 1 line"):
        read_scored(path)


PAIRS = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 4.0)]


def test_coefficients_by_hand() -> None:
    # Deviations -1.5 -0.5 0.5 1.5 and -0.75 -1.75 1.25 1.25: products 4.5, squares 5 and 6.75.
    assert pearson(PAIRS) == pytest.approx(4.5 / (5 * 6.75) ** 0.5)
    # Ranks 1 2 3 4 and 2 1 3.5 3.5: products 3.5, squares 5 and 4.5.
    assert spearman(PAIRS) == pytest.approx(3.5 / (5 * 4.5) ** 0.5)
    # Four pairs in order, one against it, one tied in the second: 3 / sqrt(6 * 5).
    assert kendall(PAIRS) == pytest.approx(3 / 30**0.5)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=8))
def test_coefficients_do_not_know_which_score_is_first(pairs: list[tuple[float, float]]) -> None:
    for coefficient in (pearson, spearman, kendall):
        value, swapped = coefficient(pairs), coefficient([(second, first) for first, second in pairs])
        assert value == (None if swapped is None else pytest.approx(swapped, abs=1e-12))
        assert value is None or -1 <= value <= 1 + 1e-12


def test_a_system_weighs_its_sentences_by_their_zeros() -> None:
    entries = [
        Observation(("a", 0), "base", 1, 0.0, 3),
        Observation(("a", 1), "base", 3, 1.0, 1),
        Observation(("a", 0), "deep", 5, 1.0, 3),
        Observation(("a", 1), "deep", 4, 1.0, 1),
        Observation(("a", 0), "other", 2, 0.0, 3),
        Observation(("a", 1), "other", 2, 0.0, 1),
    ]
    # By system: human 2, 4.5, 2; values 1/4, 1, 0.
    results = {entry.coefficient: entry for entry in correlations(entries, "system", seed=1, resamples=20)}
    assert results["Pearson"].value == pytest.approx(pearson([(2, 0.25), (4.5, 1), (2, 0)]))
    assert results["Pearson"].pairs == 3
    interval = results["Pearson"].interval
    assert interval is not None
    assert -1 <= interval.low <= interval.high <= 1
    assert correlations(entries, "system", seed=1, resamples=20)[0] == results["Pearson"]


def test_the_command(tmp_path: Path) -> None:
    workbook(tmp_path, ROWS, ROWS)
    outputs(tmp_path)
    result = winoforge(
        "zp",
        "human",
        "human.xlsx",
        "--outputs",
        "Sheet=outputs",
        "--metrics",
        "--resamples",
        "5",
        "--json",
        cwd=tmp_path,
    )
    assert (result.returncode, result.stderr) == (0, "")
    figures = json.loads(result.stdout)
    assert figures["agreement"][0]["equal"] == 4
    assert figures["azpt"]["Sheet"]["files"]["deep"] == {"file": "other", "equal": 2}
    by_sentence = figures["correlations"][0]
    # Human 1 5 4 0, values 0 1 0.5 0.
    assert by_sentence["value"] == pytest.approx(pearson([(1, 0), (5, 1), (4, 0.5), (0, 0)]))
    assert {entry["measure"] for entry in figures["correlations"]} == {
        "AZPT",
        "BLEU",
        "chrF",
        "-TER",
        "METEOR (exact, stem)",
    }


@pytest.mark.parametrize("value", ["Sheet", "other=outputs", "=outputs"])
def test_an_unknown_sheet_is_refused(tmp_path: Path, value: str) -> None:
    workbook(tmp_path, ROWS)
    result = winoforge("zp", "human", "human.xlsx", "--outputs", value, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("[outputs] unknown sheet; found ")


def test_two_folders_for_a_sheet_are_refused(tmp_path: Path) -> None:
    workbook(tmp_path, ROWS)
    result = winoforge("zp", "human", "human.xlsx", "--outputs", "Sheet=a", "--outputs", "Sheet=b", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("[outputs] two folders for a sheet; found 'Sheet=b', expected Sheet once")


def with_part(path: Path, name: str, change: str) -> None:
    """Put a text before the root of a part of a workbook."""
    with zipfile.ZipFile(path) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    start = parts[name].index(b"<", 5) if parts[name].startswith(b"<?xml") else 0
    parts[name] = parts[name][:start] + change.encode() + parts[name][start:]
    with io.BytesIO() as sink:
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, data in parts.items():
                archive.writestr(entry, data)
        path.write_bytes(sink.getvalue())


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"])
def test_entities_are_refused(tmp_path: Path, part: str) -> None:
    path = workbook(tmp_path, ROWS)
    with_part(path, part, '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname"><!ENTITY b "bbbb">]>')
    result = winoforge("zp", "human", str(path))
    assert result.returncode == 2
    assert result.stderr.startswith(f"{path}: [xlsx] refused; found a document type in '{part}'")


@pytest.mark.parametrize("data", [b"", b"Sent:0\tsource\n", b"PK\x03\x04"])
def test_what_is_no_workbook_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.xlsx").write_bytes(data)
    result = winoforge("zp", "human", "a.xlsx", cwd=tmp_path)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path, ROWS)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/a.bin", bytes(20 << 20))
    result = winoforge("zp", "human", str(path))
    assert result.returncode == 2
    assert "zip bomb" in result.stderr


def test_a_row_far_below_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1048576"] = "Sent:0"
    book.save(tmp_path / "a.xlsx")
    result = winoforge("zp", "human", "a.xlsx", cwd=tmp_path)
    assert result.returncode == 2
    assert "too many rows" in result.stderr


def test_a_workbook_without_judgements_is_refused(tmp_path: Path) -> None:
    workbook(tmp_path, [["a", "b"]])
    result = winoforge("zp", "human", "human.xlsx", cwd=tmp_path)
    assert result.returncode == 2
    assert "[sheet] no judgement" in result.stderr
