"""Aligned files: boundaries, findings, counts; what zeros refer to; folders of genres with what readers and systems made of them."""

from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_text
from pipeline.core.model import Span
from pipeline.zero_pronouns.documents import COLUMNS, ParallelText, read_parallel_text, read_references, read_sample
from pipeline.zero_pronouns.frequencies import entropy, frequencies
from tests.conftest import ROOT
from tests.support.artifacts import documents
from tests.support.commands import winoforge

SOURCE = "[doc]\n<他>_S说不来。\n因为<他>_S<他的>_Pa书没了，<我>_O很急\n[doc]\n<你>累吗？\n没有。\n"
TARGET = "[doc]\nHe said he wasn't coming.\nHe lost his book.\n[doc]\nAre you tired?\nNo.\n"


def read(folder: Path, source: str = SOURCE, target: str = TARGET) -> ParallelText:
    write_text(folder / "a.zh", source)
    write_text(folder / "a.en", target)
    return read_parallel_text(folder / "a.zh", folder / "a.en")


def test_documents_and_lines(tmp_path: Path) -> None:
    text = read(tmp_path)
    assert [[pair.line for pair in document] for document in text.documents] == [[2, 3], [5, 6]]
    assert text.boundaries == 2
    assert list(map(str, text.findings)) == [
        f"{tmp_path / 'a.zh'}:5: [label] no form; found '<你>', expected one of _S, _O, _Pa, _P, _R, _UN after it",
    ]


def test_frequencies_by_hand(tmp_path: Path) -> None:
    # Zeros: 他_S twice, 他的_Pa, 我_O, 你 without a form. Sentences with one: 3 of 4; with two: the second.
    figures = frequencies(read(tmp_path))
    assert (figures.documents, figures.sentences, figures.zeros) == (2, 4, 5)
    assert (figures.sentences_with_zero, figures.sentences_with_two) == (3, 1)
    assert figures.forms == {"S": 2, "O": 1, "Pa": 1, "P": 0, "R": 0, "UN": 0, "untyped": 1}
    assert figures.share("S") == 2 / 4
    assert next(iter(figures.labels.items())) == ("<他>_S", 2)
    # Entropy: 2/5 and three times 1/5: 0.4 log2 2.5 + 0.6 log2 5 = 0.5288 + 1.3932
    assert figures.entropy == pytest.approx(1.9219, abs=1e-4)
    # He said he was n't coming . | He lost his book . | Are you tired ? | No .
    assert figures.words_en == 7 + 5 + 4 + 2


@pytest.mark.parametrize(
    ("source", "documents"),
    [("一\n[doc]\n二\n", 2), ("[doc]\n一\n[doc]\n二\n", 2), ("[doc]\n一\n[doc]\n", 2), ("一\n", 1)],
)
def test_a_document_before_the_first_boundary_counts(tmp_path: Path, source: str, documents: int) -> None:
    target = source.replace("一", "One.").replace("二", "Two.")
    assert frequencies(read(tmp_path, source, target)).documents == documents


def test_a_text_without_zeros_has_no_entropy(tmp_path: Path) -> None:
    figures = frequencies(read(tmp_path, "走吧。\n", "Let's go.\n"))
    assert (figures.documents, figures.zeros, figures.entropy, figures.share("S")) == (1, 0, None, None)
    assert entropy([0, 4]) == 0.0


@pytest.mark.parametrize(
    ("source", "target", "finding"),
    [
        ("一\n[doc]\n二\n", "one\ntwo\nthree\n", "a.en:2: [boundary] no boundary"),
        ("一\n二\n", "one\n[doc]\n", "a.zh:2: [boundary] no boundary"),
        ("一\n\n", "one\ntwo\n", "a.zh:2: [sentence] empty line"),
        ("一\n二\n", "one\n \n", "a.en:2: [sentence] empty line"),
        ("一\n二\n三\n", "one\n", "a.en:2: [lines] line missing; found 1 line, expected 3"),
        ("一\n", "one\n\n[doc]\n", "a.zh:2: [lines] line missing; found 1 line, expected 3"),
        ("一\n", "one 一\n", "a.en:1: [translation] Chinese text; found '一', expected English"),
    ],
)
def test_a_fault_of_the_files_is_a_finding(tmp_path: Path, source: str, target: str, finding: str) -> None:
    line = str(read(tmp_path, source, target).findings[0])
    assert line.startswith(str(tmp_path / finding))


@pytest.mark.parametrize(("source", "target"), [("", ""), ("[doc]\n", "[doc]\n")])
def test_files_without_sentences_are_refused(tmp_path: Path, source: str, target: str) -> None:
    write_text(tmp_path / "a.zh", source)
    write_text(tmp_path / "a.en", target)
    result = winoforge("zp", "stats", str(tmp_path / "a.zh"), str(tmp_path / "a.en"))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


def test_the_command_prints_the_figures(tmp_path: Path) -> None:
    read(tmp_path)
    result = winoforge("zp", "stats", str(tmp_path / "a.zh"), str(tmp_path / "a.en"))
    assert result.returncode == 1  # one label has no form
    assert "2 documents, 4 sentences; " in result.stdout
    assert "5 zeros; sentences with a zero 75.0 %, with two or more 25.0 %" in result.stdout


def genres_folder(folder: Path) -> Path:
    """Write two genres: one sentence with a subject, three with an object."""
    for name, source in (("news", "<他>_S来。\n"), ("talk", "看<他>_O。\n好。\n好<他>_O。\n")):
        write_text(folder / f"{name}.zh", source)
        write_text(folder / f"{name}.en", "Yes.\n" * source.count("\n"))
    return folder


def test_averages_and_shares_of_all(tmp_path: Path) -> None:
    # Sentences with a zero: 1 of 1 and 2 of 3, so 83.3 % in the mean and 75 % of all; subjects 100 % and 0 %, of all 1 in 3.
    result = winoforge("zp", "stats", genres_folder(tmp_path))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[2].startswith(
        "Total / Average: 2 documents, 4 sentences, words 0.0K/0.0K; Sub. 50.0,"
    )
    assert ">=1 83.3" in result.stdout.splitlines()[2]
    assert "Sub. 33.3" in result.stdout.splitlines()[3]
    assert ">=1 75.0" in result.stdout.splitlines()[3]


def test_wrong_usage_is_refused(tmp_path: Path) -> None:
    folder = genres_folder(tmp_path)
    for source in (folder / "news.zh", tmp_path / "none"):
        result = winoforge("zp", "stats", source)
        assert result.returncode == 2
        reason = "a file alone, in no layout of coreference; found " if source.exists() else "no such file or folder"
        assert f"[source] {reason}" in result.stderr
    (tmp_path / "empty").mkdir()
    assert "[text] no text; expected files NAME.zh" in winoforge("zp", "stats", tmp_path / "empty").stderr


# --- antecedents --------------------------------------------------------------------------------------------------------

STORY = "[doc]\n老李买了菜，老李回家了。\n<他>_S把<它>_O洗了。\n[doc]\n<我>_S走了。\n"
STORY_EN = "[doc]\nOld Li bought food, then he went home.\nHe washed it.\n[doc]\nI am off.\n"
ROWS = ("3\t1\t2\t老李\t2\tanaphoric", "3\t2\t2\t菜\t1\tanaphoric", "5\t1\t\t\t\tspeaker")


@pytest.fixture
def story(tmp_path: Path) -> ParallelText:
    return read(tmp_path, STORY, STORY_EN)


def written(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    return path


def test_the_second_occurrence_is_meant(tmp_path: Path, story: ParallelText) -> None:
    first, second, third = read_references(written(tmp_path, *ROWS), story)
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
    tmp_path: Path, story: ParallelText, rows: tuple[str, ...], line: int | None, reason: str
) -> None:
    with pytest.raises(PipelineError) as caught:
        read_references(written(tmp_path, *rows), story)
    assert caught.value.line == line
    assert caught.value.reason.startswith(reason)


# --- samples ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents(tmp_path)
    (tmp_path / "systems" / "old").mkdir(parents=True)
    (tmp_path / "systems" / "old" / "talk.en").write_text("[doc]\na\nb\nc\nd\n[doc]\ne\nf\n", encoding="utf-8")
    return tmp_path


def test_what_belongs_to_a_genre_is_read_with_it(folder: Path) -> None:
    (genre,) = read_sample(folder)
    assert genre.name == "talk"
    assert [pair.target[:3] for pair in genre.text.pairs] == ["Old", "He ", "“Ha", "“I ", "Thi", "She"]
    assert list(genre.readings) == ["a", "b"]
    assert genre.references is None
    assert genre.outputs["old"] == list("abcdef")


@pytest.mark.parametrize(
    ("output", "place", "reason"),
    [
        ("[doc]\na\n", "talk.en: ", "[lines] not aligned; found 2 lines, expected 8 as in "),
        ("[doc]\na\n\nc\nd\n[doc]\ne\nf\n", "talk.en:3: ", "[sentence] no translation; found an empty line, expected"),
        ("[doc]\na\nb\nc\nd\n[doc]\n[doc]\nf\n", "talk.en:7: ", "[sentence] no translation; found [doc], expected"),
    ],
)
def test_an_output_of_other_sentences_is_refused(folder: Path, output: str, place: str, reason: str) -> None:
    (folder / "systems" / "old" / "talk.en").write_text(output, encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        read_sample(folder)
    assert str(caught.value).partition("old/")[2].startswith(place + reason)


def test_a_folder_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="none; found no file NAME"):
        read_sample(tmp_path)


def test_the_name_of_the_sum_is_refused(folder: Path) -> None:
    (folder / "talk.zh").rename(folder / "all.zh")
    with pytest.raises(PipelineError, match=r"all\.zh: \[text\] reserved name; found 'all\.zh', expected another"):
        read_sample(folder)


def test_our_own_sample_is_of_five_genres_with_everything() -> None:
    genres = read_sample(ROOT / "raw" / "zp")
    assert [genre.name for genre in genres] == ["fiction", "news", "profiles", "questions", "subtitles"]
    for genre in genres:
        assert len(genre.text.pairs) >= 40 and len(genre.text.documents) >= 4
        assert genre.text.findings == ()
        assert genre.references is not None
        assert list(genre.outputs) == ["careful", "literal", "mixed"]
