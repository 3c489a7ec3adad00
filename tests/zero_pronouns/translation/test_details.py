"""Verdicts on translated zeros: the published files are reproduced byte for byte wherever they agree with themselves."""

from pathlib import Path

import pytest

from pipeline.core.files import read_text, write_text
from pipeline.zero_pronouns.translation.details import COLUMNS, correct, read_details, score_lines
from tests.support.commands import winoforge

HEADER = "\t".join(COLUMNS)
ROW = "0\t3\t<它>_S\tit\t3\tit\t1"
MISS = "0\t10\t<你们的>_Pa\tyours\t[10, 11]\t['thanks', \"it's\", 'your']\t-1"
#: Published scores that contradict their own verdicts: with the right zeros by the verdicts and by the score.
CONTRADICTORY = {"M.S/rec_oracle": (396, 403), "QA/unified_tgt": (223, 192)}


def file(folder: Path, *rows: str) -> Path:
    path = folder / "a.details"
    write_text(path, "".join(f"{line}\n" for line in (HEADER, *rows)))
    return path


def test_every_consistent_published_score_is_reproduced(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "mzprt" / "azpt_output"
    contradictory = {}
    files = sorted(folder.glob("*/*.details"))
    assert len(files) == 25
    for path in files:
        name, out = path.relative_to(folder).with_suffix("").as_posix(), tmp_path / "a.score"
        result = winoforge("zp", "azpt", "--from-details", str(path), "--mode", "published", "--out", str(out))
        assert result.returncode == 0
        published = path.with_suffix(".score").read_bytes()
        if out.read_bytes() != published:
            last = [text.splitlines()[-1].split("\t")[0] for text in (read_text(out), published.decode())]
            contradictory[name] = tuple(int(line.rpartition(":")[2]) for line in last)
    assert contradictory == CONTRADICTORY


def test_scores_by_hand(tmp_path: Path) -> None:
    assert list(score_lines(read_details(file(tmp_path, ROW, MISS, ROW.replace("it\t1", "it\t1"))))) == [
        "SRC_ZP:<它>_S\tRef_ZP:it\tCorrect:2\tIncorrect:0\tAcc:1.0",
        "SRC_ZP:<你们的>_Pa\tRef_ZP:yours\tCorrect:0\tIncorrect:1\tAcc:0.0",
        "Finally Correct entities:2\t Incorrect:1\t Score:0.6666666666666666",
    ]


def test_the_corrected_table_changes_yours_before_a_noun(tmp_path: Path) -> None:
    first, second = correct(read_details(file(tmp_path, ROW, MISS)))
    assert (first.expected, first.right) == ("it", True)
    assert (second.expected, second.right) == ("your", True)
    out = tmp_path / "a.score"
    result = winoforge(
        "zp", "azpt", "--from-details", str(tmp_path / "a.details"), "--mode", "corrected", "--out", str(out)
    )
    assert "2 zeros, 2 translated (100.0 %), 0 not" in result.stdout
    assert "1 with another expected translation" in result.stdout


def test_neighbours_of_written_verdicts_are_refused(tmp_path: Path) -> None:
    arguments = ("--from-details", file(tmp_path, ROW), "--neighbours", "3", "--out", tmp_path / "a.score")
    result = winoforge("zp", "azpt", *arguments)
    assert result.returncode == 2
    assert result.stderr.startswith("[--from-details] takes no --neighbours; found 3, expected --mode and --out only")
    assert not (tmp_path / "a.score").exists()


def test_a_label_that_the_authors_cannot_translate_stays_wrong(tmp_path: Path) -> None:
    (verdict,) = correct(read_details(file(tmp_path, "0\t1\t<你>_S_n\tNone\t[]\t[]\t-1")))
    assert (verdict.expected, verdict.right) == (None, False)


@pytest.mark.parametrize(
    ("row", "line", "reason"),
    [
        ("0\t3\t<它>_S\tit\t3\tit", 2, "[row] wrong width; found 6 cells, expected 7"),
        ("-1\t3\t<它>_S\tit\t3\tit\t1", 2, "[Sent] not a place"),
        ("0\t²\t<它>_S\tit\t3\tit\t1", 2, "[SRC_ZP_Pos.] not a place"),
        ("0\t3\t它\tit\t3\tit\t1", 2, "[SRC_ZP] not a zero"),
        ("0\t3\t<它>_S\tit\t3\tit\t2", 2, "[Case] unknown case; found '2', expected 1 or -1"),
        ("0\t3\t<它>_S\tit\t[3]\tit\t1", 2, "[TGT_ZPT_Pos.] not a place"),
        ("0\t3\t<它>_S\tit\t3\t['it']\t-1", 2, "[TGT_ZPT_Pos.] not a list"),
        ("0\t3\t<它>_S\tit\t[3]\t['it', 4]\t-1", 2, "[TGT_ZPT] not a list"),
        ("0\t3\t<它>_S\tit\t[3]\t__import__('os')\t-1", 2, "[TGT_ZPT] not a list"),
        (f"0\t3\t<它>_S\tit\t[3]\t{'[' * 5000}\t-1", 2, "[TGT_ZPT] not a list"),
        ("0\t3\t<它>_S\tit\t[3]\t{[]: 1}\t-1", 2, "[TGT_ZPT] not a list"),
        ("", 2, "[row] wrong width"),
    ],
)
def test_a_malformed_row_is_refused_with_its_line(tmp_path: Path, row: str, line: int, reason: str) -> None:
    path = file(tmp_path, row)
    result = winoforge("zp", "azpt", "--from-details", str(path), "--out", str(tmp_path / "out"))
    assert result.returncode == 2
    assert result.stderr.startswith(f"{path}:{line}: {reason}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["", "Sent\n", f"{HEADER}\n"])
def test_a_file_without_verdicts_is_refused(tmp_path: Path, text: str) -> None:
    write_text(tmp_path / "a.details", text)
    assert (
        winoforge(
            "zp", "azpt", "--from-details", str(tmp_path / "a.details"), "--out", str(tmp_path / "out")
        ).returncode
        == 2
    )
