"""Plans of a push, which end in the same state after any interruption, and the marks of projects. No server is needed."""

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import __version__
from pipeline.studies.design.build import make_study
from pipeline.studies.labelstudio.push import placed_config, placed_data, plan_changes, project_settings
from pipeline.studies.labelstudio.remote import (
    OVERLAP,
    Mark,
    RemoteAnnotation,
    RemoteProject,
    RemoteTask,
    answers_of,
    mark_of,
    parse_mark,
    project_description,
    project_mark,
)
from pipeline.studies.model.design import Design, read_design, shows_answers
from pipeline.studies.model.study import Study, Task
from tests.conftest import ROOT
from tests.support.small_study import CONFIG, study, tasks_of

# --- plans ------------------------------------------------------------------------------------------------------------

STUDY = study()
TASKS = tasks_of(STUDY)
PROJECT = RemoteProject(7, project_settings(STUDY, "1"))


def of_list(tasks: list[Task]) -> list[Task]:
    return [task for task in tasks if task.list == "1"]


@dataclasses.dataclass
class Model:
    """A server that carries out plans."""

    project: RemoteProject
    tasks: list[RemoteTask]

    def carry_out(self, tasks: list[Task], count: int) -> None:
        """Carry out the first `count` steps of the plan."""
        planned = plan_changes(STUDY, "1", tasks, self.project, self.tasks)
        steps: list[Any] = [
            lambda: setattr(self, "project", RemoteProject(7, {**self.project.settings, **planned.settings}))
        ]
        for number, data in planned.update.items():
            steps.append(lambda n=number, d=data: self.change(n, data=d))
        steps += [lambda n=number: self.tasks.remove(self.at(n)) for number in planned.remove]
        steps += [lambda n=number: self.change(n, overlap=OVERLAP) for number in planned.open]
        steps += [lambda d=data: self.add(d) for data in planned.add]
        for step in steps[:count]:
            step()

    def at(self, number: int) -> RemoteTask:
        return next(task for task in self.tasks if task.id == number)

    def change(self, number: int, **fields: Any) -> None:
        self.tasks[self.tasks.index(self.at(number))] = dataclasses.replace(self.at(number), **fields)

    def add(self, data: Mapping[str, Any]) -> None:
        self.tasks.append(RemoteTask(max((remote.id for remote in self.tasks), default=0) + 1, data, 1))


states = st.lists(
    st.tuples(
        st.sampled_from([*of_list(TASKS), None]),
        st.sampled_from(["as it is", "another text"]),
        st.sampled_from([1, OVERLAP]),
        st.booleans(),
        st.booleans(),
    ),
    max_size=8,
)


def model_of(rows: Any, config: str) -> Model:
    tasks = []
    for number, (task, text, overlap, worked, drafted) in enumerate(rows, 1):
        data = {"picture": "cat"} if task is None else placed_data(task, 4)
        if text == "another text":
            data["text"] = text
        annotated = (work(number),) if worked else ()
        tasks.append(RemoteTask(number, data, overlap, drafted, annotated))
    return Model(RemoteProject(7, {**project_settings(STUDY, "1"), "label_config": config}), tasks)


@given(states, st.sampled_from([placed_config(STUDY), "<View/>"]), st.lists(st.integers(0, 6), max_size=4))
def test_a_push_that_dies_anywhere_and_is_repeated_ends_in_the_same_state(
    rows: Any, config: str, deaths: list[int]
) -> None:
    straight, broken = model_of(rows, config), model_of(rows, config)
    worked = {remote.id: remote for remote in straight.tasks if remote.touched}
    for _ in range(3):
        straight.carry_out(of_list(TASKS), 99)
    for count in deaths:
        broken.carry_out(of_list(TASKS), count)
    for _ in range(3):
        broken.carry_out(of_list(TASKS), 99)
    assert plan_changes(STUDY, "1", of_list(TASKS), straight.project, straight.tasks).is_empty
    assert [(remote.data, remote.overlap, remote.touched) for remote in broken.tasks] == [
        (remote.data, remote.overlap, remote.touched) for remote in straight.tasks
    ]
    assert broken.project == straight.project
    start = model_of(rows, config)
    if plan_changes(STUDY, "1", of_list(TASKS), start.project, start.tasks).refused:
        assert straight == broken == start
        return
    opened = {remote.key for remote in straight.tasks if remote.overlap == OVERLAP}
    assert opened >= {task.key for task in of_list(TASKS)}
    for task in of_list(TASKS):  # a second copy stays only with work in it
        copies = [remote for remote in straight.tasks if remote.key == task.key]
        assert len(copies) == max(1, sum(copy.touched for copy in copies))
    for number, remote in worked.items():
        assert straight.at(number).data == remote.data
        assert straight.at(number).annotations == remote.annotations
    if worked:
        assert straight.project.settings["label_config"] == config


def work(number: int = 1) -> RemoteAnnotation:
    moment = datetime(2026, 11, 21, 10, tzinfo=UTC)
    return RemoteAnnotation(number, 1, 1, moment, moment, [], skipped=False, lead_time=3.5)


def remote(number: int, task: Task, **more: Any) -> RemoteTask:
    return RemoteTask(**{"id": number, "data": placed_data(task, 4), "overlap": 1} | more)


def test_a_list_with_work_on_another_layout_is_left_alone() -> None:
    """A rater has worked on a task that the list no longer has; all of the list are to be added, but nothing is done."""
    first, *_ = of_list(TASKS)
    gone = remote(1, first, data={**first.data, "task": "umbrellas/1/099"}, annotations=(work(),))
    planned = plan_changes(STUDY, "1", of_list(TASKS), PROJECT, [gone])
    assert (planned.refused, planned.is_empty) == (True, True)
    assert planned.findings == (
        "伞与雨 · 1: umbrellas/1/099: [task] not in the study; found a task that a rater has worked on",
    )


def test_raters_see_where_they_are_in_a_new_list() -> None:
    planned = plan_changes(STUDY, "1", of_list(TASKS), PROJECT, [])
    assert [data["place"] for data in planned.add] == ["1 / 4", "2 / 4", "3 / 4", "4 / 4"]
    config = str(PROJECT.settings["label_config"])
    assert config == CONFIG.strip().replace("<View>", '<View>\n  <Header value="$place" size="5"/>', 1)
    assert config == placed_config(STUDY)
    styled = dataclasses.replace(
        STUDY, config="<!-- A <View> -->\n<View a='b'>\n <Style>.x {}</Style>\n <Text/></View>"
    )
    assert placed_config(styled) == styled.config.replace("</Style>", '</Style>\n  <Header value="$place" size="5"/>')
    # The list in its place, with work in it, is as it should be.
    sent = [RemoteTask(number, data, OVERLAP, drafted=True) for number, data in enumerate(planned.add, 1)]
    after = plan_changes(STUDY, "1", of_list(TASKS), PROJECT, sent)
    assert (after.is_empty, after.findings) == (True, ())


def test_a_list_that_was_sent_without_places_stays_without_them_once_raters_have_begun() -> None:
    project = RemoteProject(7, {**PROJECT.settings, "label_config": CONFIG.strip()})
    sent = [RemoteTask(number, task.data, OVERLAP, drafted=True) for number, task in enumerate(of_list(TASKS), 1)]
    planned = plan_changes(STUDY, "1", of_list(TASKS), project, sent)
    assert (planned.is_empty, planned.findings, planned.refused) == (True, (), False)
    untouched = [RemoteTask(number, task.data, OVERLAP) for number, task in enumerate(of_list(TASKS), 1)]
    planned = plan_changes(STUDY, "1", of_list(TASKS), project, untouched)
    assert {*planned.settings} == {"label_config"}
    assert planned.update == dict(enumerate((placed_data(task, len(untouched)) for task in of_list(TASKS)), 1))


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ([0, 2, 3, 1], "umbrellas/1/002: [order] raters get it after umbrellas/1/004"),
        ([1, 3, 0, 2], "umbrellas/1/001 and 1 other: [order] raters get them after umbrellas/1/004"),
        ([0, 1, 2, 3], None),
    ],
)
def test_tasks_that_come_too_late_are_named_with_the_reason(order: list[int], expected: str | None) -> None:
    """A deleted task that was sent again is the last on the server."""
    tasks = of_list(TASKS)
    remote_tasks = [remote(number, tasks[place], overlap=OVERLAP) for number, place in enumerate(order, 1)]
    planned = plan_changes(STUDY, "1", tasks, PROJECT, remote_tasks)
    assert planned.is_empty
    reason = "; a task that was deleted on the server and sent again comes last"
    assert planned.findings == (() if expected is None else (f"伞与雨 · 1: {expected}{reason}",))


# --- marks ------------------------------------------------------------------------------------------------------------

DESIGNS = [read_design(path) for path in sorted((ROOT / "annotation" / "designs").glob("*.yaml"))]


def of(design: Design, answer: int | None = 0) -> Study:
    """A study of a design with one record, of which the right answer is known or not."""
    snapshot = {"show": dict(design.show), "selected": {"": [{"item": {"answer": answer}}]}}
    return dataclasses.replace(
        STUDY, id=design.id, lang=design.lang, shows_answers=shows_answers(design), design=snapshot
    )


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_mark_is_read_wherever_it_stands(before: str, after: str) -> None:
    text = f"{before.replace('winoforge', '')} {project_mark(STUDY, '2')}{after}"
    assert parse_mark(text) == Mark("umbrellas", "2", "zh", "hidden", __version__) == mark_of(STUDY, "2")


@pytest.mark.parametrize(
    "text",
    [
        *("", "winoforge", "winoforge {", "winoforge {}", "winoforge {x}", 'winoforge {"study": 1, "list": "2"}'),
        'winoforge {"study": "s", "list": "1", "lang": 3, "answers": "hidden"}',
        'winoforge {"study": "s", "list": "1", "lang": "zh", "answers": "all"}',
    ],
)
def test_a_description_without_a_valid_mark_has_none(text: str) -> None:
    assert parse_mark(text) is None


@pytest.mark.parametrize("more", ["", ', "later": 2'])
def test_a_mark_of_another_version_that_says_nothing_of_answers_is_of_a_study_that_hides_them(more: str) -> None:
    mark = parse_mark(f'winoforge {{"study": "s", "list": "1", "version": "0.0.9"{more}}}')
    assert mark == Mark("s", "1", "", "hidden", "0.0.9")
    assert dataclasses.replace(mark, study="t", lang="zh", answers="shown").reveals(mark)


@pytest.mark.parametrize(
    ("lang", "first"), [("zh", "打开这个项目"), ("zh-TW", "打开这个项目"), ("de", "Öffnen Sie"), ("ia", "Open this")]
)
def test_raters_read_what_to_do_before_the_mark(lang: str, first: str) -> None:
    invited = dataclasses.replace(STUDY, lang=lang)
    sentence, empty, mark = project_description(invited, "1").split("\n")
    assert sentence.startswith(first)
    assert "winoforge" not in sentence
    assert (empty, mark) == ("", project_mark(invited, "1"))


def test_the_designs_that_show_answers_or_judgements_are_known_by_their_fields() -> None:
    revealing = {design.id for design in DESIGNS if answers_of(of(design)) == "shown"}
    assert revealing == {"consensus", "error-coding", "exclusion-audit", "explanations", "verification"}
    assert {answers_of(of(design)) for design in DESIGNS if design.id not in revealing} == {"hidden"}


def test_a_study_without_right_answers_has_nothing_to_hide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    form = make_study(read_design(ROOT / "annotation" / "designs" / "background.yaml")).study
    assert answers_of(form) == "none"
    # Its only record has no answer. Of one with an answer, raters must not see it elsewhere.
    (upper_bound,) = [design for design in DESIGNS if design.id == "upper-bound"]
    assert (answers_of(of(upper_bound)), answers_of(of(upper_bound, None))) == ("hidden", "none")


@pytest.mark.parametrize("broken", [{}, {"show": 3, "selected": []}, {"show": {"a": []}, "selected": {"": [1, {}]}}])
def test_a_damaged_design_is_taken_as_one_that_hides(broken: dict[str, object]) -> None:
    assert answers_of(dataclasses.replace(STUDY, design=broken)) in ("hidden", "none")
    assert answers_of(dataclasses.replace(STUDY, design=None, shows_answers=True)) == "shown"


def test_only_what_is_shown_reveals_only_what_is_hidden_in_the_same_language() -> None:
    shown, hidden, none = Mark("c", "1", "zh", "shown"), Mark("u", "1", "zh", "hidden"), Mark("b", "1", "zh", "none")
    assert shown.reveals(hidden)
    assert not any(left.reveals(right) for left in (hidden, none) for right in (shown, hidden, none))
    assert not shown.reveals(none)
    assert not shown.reveals(dataclasses.replace(hidden, lang="en"))
    assert not shown.reveals(dataclasses.replace(hidden, study="c", list="2"))
