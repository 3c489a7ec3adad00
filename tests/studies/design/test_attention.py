"""Attention items stand among the main tasks, are scored by themselves, and bring up who does not read."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_text
from pipeline.release.gate import SUITES
from pipeline.studies.design.build import StudyLayout, make_study
from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.design.order import with_attention
from pipeline.studies.model.design import read_design
from pipeline.studies.model.study import write_study
from tests.conftest import Refused
from tests.support.agreement import REFERENCE, agree, figures_of, items, judge, make_task
from tests.support.agreement import make_study as made_up
from tests.support.studies import DESIGN, kites, write_design

ATTENTION = """\
- {id: look-1, text: "阿菊和小舟在路上。不管[她]是谁，请选小舟。", candidates: [阿菊, 小舟], answer: 1}
- {id: look-2, text: "阿菊和小舟回家了。不用想[她]是谁，请选阿菊。", candidates: [阿菊, 小舟], answer: 0}
"""
WITH = DESIGN.replace("practice: kites.yaml", "practice: kites.yaml\nattention: kites.yaml")


def laid_out(folder: Path, design: str = WITH, attention: str = ATTENTION) -> StudyLayout:
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
