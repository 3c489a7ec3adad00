"""What the zeros of a text refer to: each zero has a row, each antecedent stands where its row says."""

from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.model import Span
from pipeline.zero_pronouns.documents import COLUMNS, ParallelText, read_parallel_text, read_references

SOURCE = "[doc]\n老李买了菜，老李回家了。\n<他>_S把<它>_O洗了。\n[doc]\n<我>_S走了。\n"
TARGET = "[doc]\nOld Li bought food, then he went home.\nHe washed it.\n[doc]\nI am off.\n"
ROWS = ("3\t1\t2\t老李\t2\tanaphoric", "3\t2\t2\t菜\t1\tanaphoric", "5\t1\t\t\t\tspeaker")


@pytest.fixture
def text(tmp_path: Path) -> ParallelText:
    (tmp_path / "a.zh").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "a.en").write_text(TARGET, encoding="utf-8")
    return read_parallel_text(tmp_path / "a.zh", tmp_path / "a.en")


def written(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    return path


def test_the_second_occurrence_is_meant(tmp_path: Path, text: ParallelText) -> None:
    first, second, third = read_references(written(tmp_path, *ROWS), text)
    # 老李买了菜，老李回家了。: the second 老李 begins after six characters.
    assert first.antecedent is not None and first.antecedent.span == Span(6, 8)
    assert second.antecedent is not None and second.antecedent.span == Span(4, 5)
    assert (third.antecedent, third.kind) == (None, "speaker")


@pytest.mark.parametrize(
    ("rows", "line", "reason"),
    [
        (ROWS[:2], None, "[zero] missing row; found none for zero 1 of line 5, expected one"),
        ((ROWS[1],), 2, "[zero] out of order; found zero 2 of line 3, expected zero 1 of line 3"),
        ((*ROWS, ROWS[2]), 5, "[zero] out of order; found zero 1 of line 5, expected no more rows"),
        (("3\t1\t5\t走\t1\tanaphoric",), 2, "[antecedent_line] not in the document of the zero; found line 5"),
        (("3\t1\t2\t老李\t3\tanaphoric",), 2, "[antecedent] no such mention; found 2 of '老李' in line 2"),
        (("3\t1\t2\t\t1\tanaphoric",), 2, "[antecedent] no such mention; found 0 of '' in line 2"),
        (("3\t1\t2\t老李 \t1\tanaphoric",), 2, "[antecedent] blanks around a mention; found '老李 ', expected '老李'"),
        (("3\t1\t2\t老李\t2\tspeaker",), 2, "[antecedent_line] an antecedent; found '2', expected nothing"),
        (("3\t1\t2\t老李\t2\thearer",), 2, "[kind] unknown kind; found 'hearer', expected one of anaphoric"),
        (("3\t0\t2\t老李\t2\tanaphoric",), 2, "[zero] not a number; found '0', expected a whole number from 1"),
        (("4\t1\t2\t老李\t2\tanaphoric",), 2, "[line] no sentence; found line 4, expected the line of a zero"),
    ],
)
def test_what_is_wrong_is_refused(
    tmp_path: Path, text: ParallelText, rows: tuple[str, ...], line: int | None, reason: str
) -> None:
    with pytest.raises(PipelineError) as caught:
        read_references(written(tmp_path, *rows), text)
    assert caught.value.line == line
    assert caught.value.reason.startswith(reason)
