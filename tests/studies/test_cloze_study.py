"""The cloze study: the lists of the experiment, figures of the items alone, answers as results that the analysis reads."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from pipeline.experiment.browser import lists, materials
from pipeline.experiment.browser.results.tables import read_results
from pipeline.experiment.cloze_study import cloze_results, read_cloze_lists
from pipeline.language.pronoun_classes import pronoun_classes
from pipeline.studies.design.build import make_study
from pipeline.studies.design.layout import Layout
from pipeline.studies.model.answers import TaskJudgement
from pipeline.studies.model.design import read_design
from pipeline.studies.model.judgements import write_judgements
from pipeline.studies.model.study import Task, write_study
from tests.conftest import ROOT
from tests.support.agreement import judge
from tests.support.commands import winoforge
from tests.support.small_cloze import small_cloze

PRONOUNS = ("er", "sie", "es")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_cloze(tmp_path_factory.mktemp("cloze"), ROOT)


@pytest.fixture
def made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    monkeypatch.chdir(folder)
    return make_study(read_design(Path("annotation/designs/cloze.yaml")), cloze_lists=read_cloze_lists)


def judged(task: Task, rater: str = "r-1", seconds: float | None = 2.5, answer: int | None = None) -> TaskJudgement:
    answers = {"answer": (task.gold[0] or 0) if answer is None else answer, "confidence": 4}
    return TaskJudgement(judge(task, rater, seconds, **answers), task, 0)


def test_the_lists_are_those_of_the_experiment(made: Layout) -> None:
    lang, items = materials.read_items(Path("build/de/cloze.jsonl"))
    fillers = materials.read_fillers(Path("raw/de/fillers.yaml"), lang)
    design = materials.read_design(Path("raw/de/experiment.yaml"), lang)
    pronouns = tuple(pronoun_classes(lang).pronouns.values())
    expected = lists.lay_out(lang, pronouns, items, fillers, design, seed=0)
    assert pronouns == PRONOUNS
    assert {int(name): [record.id for record in records] for name, records in made.lists.items()} == {
        number: [placed.sentence.id for placed in of_list if placed.part != "practice"]
        for number, of_list in expected.lists.items()
    }
    assert made.left_over == ()
    for name, records in made.lists.items():
        tasks = [task for task in made.tasks if task.list == name]
        assert [task.phase for task in tasks] == ["practice"] + [
            "main" if record.part == "item" else "filler" for record in records
        ]
        assert Counter(record.part for record in records) == {"item": 2, "filler": 3, "attention": 1}


def test_a_rater_sees_a_gap_and_three_pronouns_and_nothing_else(made: Layout) -> None:
    for task in made.tasks:
        assert list(task.data) == ["study", "task", "text", "options", "explanation"]
        assert task.data["text"].count("___") == 1
        shown = [
            (option["value"], option.get("hotkey", key))
            for option, key in zip(task.data["options"], "abc", strict=True)
        ]
        assert shown == list(zip(PRONOUNS, "abc", strict=True)), "always with the same keys"
        assert bool(task.data["explanation"]) == (task.phase == "practice")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("count: 2", "count: 3"), "[count] found 3, expected 2: the lists of 4 items"),
        (lambda text: text.replace("fillers: raw/de/fillers.yaml\n", ""), "[fillers] found none with the source cloze"),
        (lambda text: text.replace("source: cloze", "source: items"), "[fillers] found it with the source items"),
        (lambda text: text.replace("scheme: experiment", "scheme: balanced"), "[lists] found the scheme balanced"),
        (lambda text: text.replace("seed: 0", "seed: 0\nscreen: 2"), "[lists] found the scheme experiment"),
        (lambda text: text.replace("lang: de", "lang: en"), "[lang] not the language of the records"),
    ],
)
def test_a_design_that_asks_for_something_else_is_refused(
    change: Callable[[str], str], reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    changed = Path("annotation/designs/changed.yaml")
    changed.write_text(change(read_text(Path("annotation/designs/cloze.yaml"))), encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        make_study(read_design(changed), cloze_lists=read_cloze_lists)
    assert reason in str(caught.value)


def test_fillers_are_in_no_figure_of_the_items(made: Layout, tmp_path: Path) -> None:
    """Two raters of list 1: both items right by the first, one by the second; the second fails the attention trial."""
    write_study(Path("study"), made.study, made.tasks)
    tasks = [task for task in made.tasks if task.list == "1"]
    parts = {record.id: record.part for record in made.lists["1"]}
    main = [task for task in tasks if task.phase == "main"]
    wrong = {main[0].key, *(task.key for task in tasks if parts.get(task.items[0]) == "attention")}
    answers = [judged(task) for task in tasks]
    answers += [
        judged(task, "r-2", answer=((task.gold[0] or 0) + 1) % 3 if task.key in wrong else None) for task in tasks
    ]
    write_judgements(Path("judgements.jsonl"), (row.judgement for row in answers))
    run = winoforge("annotate", "agree", "study", "--judgements", "judgements.jsonl", "--out", tmp_path / "report",
                    "--resamples", "5", "--responses", tmp_path / "results")  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "cloze: 4 judgements of 2 items by 2 raters, 0 skipped; 2 practice judgements excluded" in run.stdout
    assert "micro 0.750" in run.stdout, "three of four"
    # Two fillers and an attention trial for each; the third filler has several right pronouns, and is not scored.
    assert "fillers and attention trials, in no other figure: 5 of 6 right" in run.stdout
    assert "14 responses of 2 participants + 0 left out = 14 judgements" in run.stdout
    results = read_results(tmp_path / "results")
    assert [(person.attention_right, person.completed) for person in results.participants.values()] == [
        (1, True),
        (0, True),
    ]
    assert {row.rt_answer_ms for row in results.responses} == {2500}


def test_what_is_no_response_is_left_out_and_counted(made: Layout) -> None:
    first, second = ([task for task in made.tasks if task.list == name] for name in ("1", "2"))
    skipped = replace(judged(first[2]).judgement, answers={}, skipped=True)
    judgements = [
        judged(first[0]),
        judged(first[1]),
        TaskJudgement(skipped, first[2], 0),
        judged(first[3], seconds=None),
        judged(first[4], seconds=90_000.0),
        judged(second[1]),  # another list of the same rater
        judged(second[1], "r-2"),
    ]
    results = cloze_results(made.study, made.tasks, judgements)
    assert [(row.participant, row.list, row.position) for row in results.responses] == [
        ("p001", 1, 1),
        ("p001", 1, 2),
        ("p002", 2, 2),
    ]
    assert results.left_out == 4
    assert [person.completed for person in results.participants] == [False, False]
    assert results.responses[0].part == "practice"


def test_another_study_has_no_responses(made: Layout) -> None:
    other = replace(made.study, design={**(made.study.design or {}), "source": "items"})
    with pytest.raises(PipelineError, match=r"^\[responses\] not a cloze study"):
        cloze_results(other, made.tasks, [])
