"""A folder of labelled texts: its genres are read with what readers and systems made of them, or refused."""

from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.zero_pronouns.documents import read_sample
from tests.conftest import ROOT
from tests.support.artifacts import documents


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
    assert genre.outputs == {"old": list("abcdef")}


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
