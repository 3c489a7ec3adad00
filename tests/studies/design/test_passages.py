"""Sentences of running text as records of a study."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.core.files import read_text, write_text
from pipeline.studies.design.build import make_study
from pipeline.studies.design.sources import read_passages
from pipeline.studies.model.design import read_design
from tests.conftest import ROOT, Refused
from tests.support.passages import GENRES, SYSTEMS, write_passages


def test_a_sentence_has_its_document_its_context_and_its_translations(tmp_path: Path) -> None:
    records = read_passages(write_passages(tmp_path), translated=True)
    assert len(records) == 5 * 2 * 3
    first, second = records[3:5]  # fiction, second document: its boundary is line 5
    assert (first.id, first.item.schema, first.item.text) == ("fiction-2-006", "fiction-2", "阿菊把风筝借给了邻居。")
    assert second.item.text == "第二天，去要风筝，却说没见过。"
    assert second.item.candidates == (
        "She asked for the kite the next day; he said he had never seen it.",
        "The next day, go ask for the kite, but say never seen.",
        "The next day they asked for the kite, but she said she had never seen it.",
    )
    assert first.passage
    assert second.passage
    assert first.passage.context == ""
    assert second.passage.context == "阿菊把风筝借给了邻居。"
    assert second.passage.oracle == "第二天，【她】去要风筝，【他】却说没见过【它】。"
    assert second.passage.reference == "The next day she asked for the kite, but he said he had never seen it."
    assert second.passage.systems == SYSTEMS


def test_without_translations_there_are_no_candidates(tmp_path: Path) -> None:
    assert {record.item.candidates for record in read_passages(write_passages(tmp_path))} == {()}


Change = Callable[[str], str]


@pytest.mark.parametrize(
    ("file", "change", "place", "field"),
    [
        ("news.zh", lambda text: text.replace("<她>_S气", "<她>_Q气", 1), "news.zh:4", "label"),
        ("news.zh", lambda text: text.replace("[doc]", "[dok]", 1), "news.zh:1", "boundary"),
        ("news.en", lambda text: text + "One more.\n", "news.zh:9", "lines"),
        ("systems/mixed/news.en", lambda text: text.replace("[doc]\n", "", 1), "systems/mixed/news.en:8", "lines"),
        ("systems/literal/news.en", lambda text: "\n".join(["[doc]", "", *text.splitlines()[2:]]), "systems/literal/news.en:2", "sentence"),
        ("web-fiction.zh", lambda _: "[doc]\n好。\n", "", "genre"),
        ("systems/zpr-1/news.en", lambda _: "[doc]\nYes.\n", "systems", "system"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit_are_refused(
    file: str, change: Change, place: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    path = write_passages(tmp_path) / file
    write_text(path, change(read_text(path) if path.exists() else ""))
    refused(lambda: read_passages(tmp_path, translated=True), str(tmp_path / place), field)


def test_a_folder_without_genre_or_system_is_refused(tmp_path: Path, refused: Refused) -> None:
    refused(lambda: read_passages(tmp_path), str(tmp_path), "genre")
    write_text(tmp_path / "news.zh", "[doc]\n好。\n")
    write_text(tmp_path / "news.en", "[doc]\nGood.\n")
    refused(lambda: read_passages(tmp_path, translated=True), str(tmp_path / "systems"), "system")


@pytest.mark.parametrize("name", ["zero-labelling", "human-evaluation"])
def test_the_studies_of_our_sample_are_as_the_paper_has_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 3.2: fifty sentences of other genres for each annotator. Appendix A.2: only sentences with a zero, all systems."""
    monkeypatch.chdir(ROOT)
    layout = make_study(read_design(Path("annotation") / "designs" / f"{name}.yaml"))
    sizes = {
        genre: sum(record.passage.genre == genre for record in read_passages(Path("raw/zp")) if record.passage)
        for genre in GENRES
    }
    if name == "zero-labelling":
        assert {part: len(records) for part, records in layout.lists.items()} == {
            genre: size + 50 for genre, size in sizes.items()
        }
        assert not any(label in str(task.data) for task in layout.tasks for label in ("_S", "_O", "_Pa", "【"))
    else:
        assert all("【" in task.data["text_1"] for task in layout.tasks)
        for task in layout.tasks:  # blind: the server gets neither the name of a system nor an id that has it
            assert not any(item in str(task.data) for item in task.items)
            assert not {*SYSTEMS} & {str(word) for name, value in task.data.items() for word in (name, value)}
            assert {item.partition("/")[2] for item in task.items} == set(SYSTEMS)
            assert len({item.partition("/")[0] for item in task.items}) == 1
