"""Records of studies: sentences of running text, practice, attention items."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text, write_text
from pipeline.core.model import Span
from pipeline.release.gate import SUITES
from pipeline.studies.design.build import make_study
from pipeline.studies.design.fields import StudyRecord, field_value
from pipeline.studies.design.layout import Layout
from pipeline.studies.design.order import with_attention
from pipeline.studies.design.sources import read_passages, read_practice
from pipeline.studies.model.design import read_design
from pipeline.studies.model.study import write_study
from tests.conftest import ROOT, Refused
from tests.support.agreement import REFERENCE, agree, figures_of, items, judge, make_task
from tests.support.agreement import make_study as made_up
from tests.support.passages import GENRES, SYSTEMS, write_passages
from tests.support.studies import DESIGN, PRACTICE, kites, write_design

# --- running text -----------------------------------------------------------------------------------------------------


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


# --- practice ---------------------------------------------------------------------------------------------------------


def test_practice_records_have_a_target_in_brackets_or_a_zero(tmp_path: Path) -> None:
    path = tmp_path / "kites.yaml"
    write_text(path, PRACTICE)
    pronoun, zero = read_practice(path, "zh")
    assert pronoun.item.target == Span(10, 11)
    assert field_value("text_zero", pronoun, (), show_answer=False) == "阿菊把风筝递给小舟，Ø正空着手。"
    assert zero.item.target == Span(10, 10)
    assert field_value("text_zero", zero, (), show_answer=False) == "小舟追着阿菊跑，因为Ø想要回风筝。"


@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ("[她]", "她", "text", 1),
        ("Ø想要", "Ø想Ø要", "text", 2),
        ("[她]", "[她", "text", 1),
        ("answer: 1", "answer: 2", "answer", 1),
        ("answer: 1", "answer: true", "answer", 1),
        ("[小舟, 阿菊]", "[小舟, 小舟]", "candidates", 2),
        ("[小舟, 阿菊]", "小舟", "candidates", 2),
        ("id: p-2", "id: p-1", "id", 2),
        ("explanation: 空手才接得住。", "explanation: ''", "explanation", 1),
    ],
)
def test_malformed_practice_is_refused(
    old: str, new: str, field: str, line: int, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "kites.yaml"
    assert old in PRACTICE
    write_text(path, PRACTICE.replace(old, new))
    refused(lambda: read_practice(path, "zh"), f"{path}:{line}", field)


def test_practice_that_is_no_list_is_refused(tmp_path: Path, refused: Refused) -> None:
    write_text(tmp_path / "x.yaml", "id: p-1\n")
    refused(lambda: read_practice(tmp_path / "x.yaml", "zh"), f"{tmp_path / 'x.yaml'}:1", "practice")


# --- attention items --------------------------------------------------------------------------------------------------

ATTENTION = """\
- {id: look-1, text: "阿菊和小舟在路上。不管[她]是谁，请选小舟。", candidates: [阿菊, 小舟], answer: 1}
- {id: look-2, text: "阿菊和小舟回家了。不用想[她]是谁，请选阿菊。", candidates: [阿菊, 小舟], answer: 0}
"""
WITH = DESIGN.replace("practice: kites.yaml", "practice: kites.yaml\nattention: kites.yaml")


def laid_out(folder: Path, design: str = WITH, attention: str = ATTENTION) -> Layout:
    write_text(folder / "annotation" / "attention" / "kites.yaml", attention)
    return make_study(read_design(write_design(folder, [kites(number) for number in range(16)], design)))


def test_each_list_has_all_attention_items_among_its_main_tasks(tmp_path: Path) -> None:
    layout = laid_out(tmp_path)
    plain = make_study(read_design(write_design(tmp_path / "plain", [kites(number) for number in range(16)])))
    for name in "12":
        tasks = [task for task in layout.tasks if task.list == name]
        phases = [task.phase for task in tasks]
        # two of practice, then eight records in two halves of four with one attention item each
        assert phases.count("filler") == phases[2:7].count("filler") + phases[7:12].count("filler") == 2
        assert phases[2:7].count("filler") == 1
        looks = [task for task in tasks if task.phase == "filler"]
        assert sorted((task.items, task.gold) for task in looks) == [(("look-1",), (1,)), (("look-2",), (0,))]
        assert all(task.data["why"] == "" and "Ø" in task.data["text"] for task in looks)
        # the other tasks are those of the design without attention items, in the same order
        others = [(task.items, task.options) for task in tasks if task.phase != "filler"]
        assert others == [(task.items, task.options) for task in plain.tasks if task.list == name]
    write_study(tmp_path / "study", layout.study, layout.tasks)
    assert list(SUITES["study"].check([tmp_path / "study"]).lines()) == []


@given(count=st.integers(0, 30), attention=st.integers(0, 5), seed=st.integers(0, 99))
def test_records_keep_their_order(count: int, attention: int, seed: int) -> None:
    records = [StudyRecord(item=kites(number)) for number in range(count)]
    looks = [StudyRecord(item=kites(100 + number), part="attention") for number in range(attention)]
    orders = [(0, 1)] * count
    mixed, mixed_orders = with_attention(records, orders, looks, Random(seed))
    assert [record for record in mixed if not record.part] == records
    assert sorted(record.id for record in mixed if record.part) == sorted(record.id for record in looks)
    assert len(mixed_orders) == len(mixed)
    if count >= 2 * attention:
        places = [place for place, record in enumerate(mixed) if record.part]
        assert all(later - place <= 2 * count / attention + 1 for place, later in pairwise(places))


def test_who_answers_attention_items_wrongly_is_brought_up(tmp_path: Path) -> None:
    main = [make_task(number, item) for number, item in enumerate(items(2), 1)]
    looks = [make_task(number, item, phase="filler") for number, item in enumerate(items(4)[4:], 5)]
    judgements = [judge(task, "r-1", reference=task.gold[0] or 0) for task in [*main, *looks]]
    judgements += [judge(task, "r-2", reference=0) for task in [*main, *looks]]
    run = agree(tmp_path, made_up(REFERENCE), [*main, *looks], judgements)
    # r-2 is right in two of four attention items, under 0.75
    assert "  r-2: attention items: 2 of 4 right\n" in run.stdout
    figures = figures_of(tmp_path)
    assert figures["raters"]["raters"]["r-1"]["attention"] == {"right": 4, "n": 4}
    assert figures["counts"]["items"] == 4


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("seed: 7", "seed: 7\nscreen: 2", "attention"),
        ("reference: {{kind: candidate}}", "reference: {{kind: candidate, required: false}}", "attention"),
    ],
)
def test_attention_items_need_a_screen_of_their_own_and_a_right_answer(
    old: str, new: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    assert old in WITH
    path = tmp_path / "annotation" / "designs" / "kites.yaml"
    line = WITH.replace(old, new).splitlines().index("attention: kites.yaml") + 1
    refused(lambda: laid_out(tmp_path, WITH.replace(old, new)), f"{path}:{line}", field)


def test_an_explained_attention_item_is_refused(tmp_path: Path) -> None:
    explained = ATTENTION.replace("answer: 1", "answer: 1, explanation: 因为。")
    with pytest.raises(PipelineError, match="explanation"):
        laid_out(tmp_path, attention=explained)
