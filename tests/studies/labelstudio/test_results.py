"""What push plans and what pull makes of what a server has, over values alone."""

import dataclasses
import os
import random
from typing import Any

import keyring
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from pipeline.core.addresses import server_address
from pipeline.core.errors import PipelineError
from pipeline.core.retry import Progress, TemporaryFailure
from pipeline.core.secrets import KEY, TOKEN, Secret, access_token, pseudonym_key
from pipeline.studies.labelstudio.client import connected, response_error
from pipeline.studies.labelstudio.plan import OVERLAP, plan_changes, project_settings, project_title
from pipeline.studies.labelstudio.pull import PullResult, judgements_of, missing_judgements, pseudonym, pseudonyms
from pipeline.studies.labelstudio.remote import RemoteAnnotation, RemoteProject, RemoteTask, parse_mark, project_mark
from pipeline.studies.labelstudio.results import MalformedError, option_fields, read_result
from pipeline.studies.study import Task
from tests.conftest import Refused
from tests.support.small_study import CONFIG, choices, comment, rating, sent, study, tasks_of

ONE = study()
TASKS = tasks_of(ONE)
FIRST, SECOND = (
    TASKS[0],
    TASKS[1],
)  # 小何 and 老周 are asked for; the second task shows its candidates the other way round
FIELDS = {"reference": "options"}
RATERS = {1: "r-000001", 2: "r-000002"}


# --- results ------------------------------------------------------------------------------------------------------------


def test_a_candidate_is_told_by_its_text_whatever_the_order() -> None:
    shown = [one["value"] for one in SECOND.data["options"]]
    assert (SECOND.options, shown) == (((1, 0),), ["邮差", "站长"])
    assert read_result(ONE, SECOND, FIELDS, [choices("reference", shown[0]), rating(4)]) == [
        {"reference": 1, "naturalness": 4}
    ]
    assert read_result(ONE, SECOND, FIELDS, [choices("reference", shown[1]), rating(4)]) == [
        {"reference": 0, "naturalness": 4}
    ]


def test_what_may_be_left_out_may_be_given() -> None:
    result = [*sent(FIRST, 0, 1), choices("verdict", "drop"), comment(" 读两遍才懂。", "", "像诗。 ")]
    assert read_result(ONE, FIRST, FIELDS, result) == [
        {"reference": 0, "naturalness": 1, "verdict": "drop", "comment": "读两遍才懂。\n像诗。"}
    ]
    assert "comment" not in read_result(ONE, FIRST, FIELDS, [*sent(FIRST, 0, 1), comment("  ")])[0]


GOOD = sent(FIRST, 0, 3)


@pytest.mark.parametrize(
    ("result", "field"),
    [
        (None, "result"),
        ({}, "result"),
        ("[]", "result"),
        (["x"], "result"),
        ([{"x": 1}], "result"),
        ([], "reference"),
        (GOOD[:1], "naturalness"),
        (GOOD[1:], "reference"),
        ([*GOOD, GOOD[1]], "naturalness"),
        ([*GOOD, choices("colour", "red")], "from_name"),
        ([choices("reference", "站长"), GOOD[1]], "reference"),
        ([choices("reference", ""), GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": []}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": ["奶奶", "孙女"]}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": "孙女"}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": {"choices": [1]}}, GOOD[1]], "reference"),
        ([{**GOOD[0], "value": None}, GOOD[1]], "reference"),
        ([{**GOOD[0], "type": "labels"}, GOOD[1]], "reference"),
        ([{"from_name": "reference"}, GOOD[1]], "reference"),
        ([GOOD[0], rating(0)], "naturalness"),
        ([GOOD[0], rating(6)], "naturalness"),
        ([GOOD[0], rating(2.5)], "naturalness"),
        ([GOOD[0], rating("3")], "naturalness"),
        ([GOOD[0], rating(True)], "naturalness"),
        ([GOOD[0], rating(None)], "naturalness"),
        ([*GOOD, choices("verdict", "删去")], "verdict"),
        ([*GOOD, {**comment(), "value": {"text": "a"}}], "comment"),
        ([*GOOD, comment(3)], "comment"),  # type: ignore[arg-type]
    ],
)
def test_what_no_control_could_send_is_refused(result: Any, field: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_result(ONE, FIRST, FIELDS, result)
    assert str(caught.value).startswith(f"[{field}] ")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["from_name", "type", "value", "choices", "rating", "text"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(json_values, st.sampled_from(range(3)))
def test_no_result_breaks_the_reader(junk: Any, place: int) -> None:
    for result in (junk, [*GOOD[:place], junk, *GOOD[place:]], [{**GOOD[0], "value": junk}, GOOD[1]]):
        try:
            (answers,) = read_result(ONE, FIRST, FIELDS, result)
        except MalformedError as error:
            assert len(str(error).splitlines()) == 1
        else:
            assert answers["reference"] in (0, 1)


def test_a_screen_has_the_answers_of_each_item() -> None:
    two = dataclasses.replace(
        ONE,
        screen=2,
        controls=ONE.controls[:1],
        config='<View><Choices name="reference-1" value="$options_1"/><Choices name="reference-2" value="$options_2"/></View>',
    )
    people = [{"value": "站长"}, {"value": "邮差"}]
    task = Task("k", "1", 1, "main", ("a", "b"), ((0, 1), (1, 0)), (0, 0), {"options_1": people, "options_2": people})
    fields = option_fields(two)
    assert fields == {"reference-1": "options_1", "reference-2": "options_2"}
    result = [choices("reference-2", "站长"), choices("reference-1", "站长")]
    assert read_result(two, task, fields, result) == [{"reference": 0}, {"reference": 1}]
    with pytest.raises(MalformedError, match=r"\[reference-2\] missing answer"):
        read_result(two, task, fields, result[1:])


@pytest.mark.parametrize(
    "config", ["<View>", CONFIG.replace('value="$options"', ""), "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"]
)
def test_a_configuration_without_options_is_refused(config: str, refused: Refused) -> None:
    refused(lambda: option_fields(dataclasses.replace(ONE, config=config)), "", "config")


# --- judgements ---------------------------------------------------------------------------------------------------------


def said(number: int, result: Any, by: int | None = 1, **more: Any) -> RemoteAnnotation:
    told = {"updated_by": by, "updated_at": f"2026-11-21T10:00:{number:02}Z", "skipped": False, "lead_time": 3.5} | more
    return RemoteAnnotation(id=number, completed_by=by, result=result, **told)


def posted(task: Task, *annotations: RemoteAnnotation, number: int = 1, **more: Any) -> RemoteTask:
    return RemoteTask(**{"id": number, "data": task.data, "overlap": OVERLAP, "annotations": annotations} | more)


PROJECT = RemoteProject(7, project_settings(ONE, "1"))


def read(*tasks: RemoteTask) -> PullResult:
    found = judgements_of(ONE, TASKS, [(PROJECT, tasks)], RATERS)
    assert found.read == found.judged + found.superseded + found.refused + found.drafts
    return found


def test_an_annotation_becomes_a_judgement() -> None:
    found = read(posted(FIRST, said(11, sent(FIRST, 1, 4))))
    (one,) = found.judgements
    assert (one.study, one.list, one.task, one.item, one.phase) == ("umbrellas", "1", FIRST.key, "1-001", "practice")
    assert (one.rater, dict(one.answers), one.lead_time) == ("r-000001", {"reference": 1, "naturalness": 4}, 3.5)
    assert (found.findings, found.notes) == ([], [])


def test_the_newest_of_one_rater_counts_and_each_rater_has_one() -> None:
    changed = said(11, sent(FIRST, 0, 1), updated_at="2026-11-22T08:00:00Z")
    found = read(posted(FIRST, changed, said(12, sent(FIRST, 1, 5)), said(13, sent(FIRST, 1, 2), by=2)))
    assert [(one.rater, one.answers["naturalness"]) for one in found.judgements] == [("r-000001", 1), ("r-000002", 2)]
    assert found.notes == [f"伞与雨 · 1: {FIRST.key}: annotation 12: superseded by annotation 11 of the same rater"]
    assert found.findings == []


def test_a_task_passed_over_has_no_answers_even_if_some_were_sent() -> None:
    (one,) = read(posted(FIRST, said(11, sent(FIRST, 1, 4), skipped=True))).judgements
    assert (one.skipped, dict(one.answers)) == (True, {})


@pytest.mark.parametrize(
    ("task", "field"),
    [
        (posted(FIRST, said(11, GOOD, by=9)), "completed_by"),
        (posted(FIRST, said(11, GOOD, by=None)), "completed_by"),
        (posted(FIRST, said(11, GOOD, updated_by=2)), "completed_by"),
        (posted(FIRST, said(11, [rating(2)])), "reference"),
        (posted(FIRST, said(11, GOOD), data={**FIRST.data, "text": "别的句子。"}), "data"),
        (posted(FIRST, said(11, GOOD), data={**FIRST.data, "task": "umbrellas/1/099"}), "task"),
        (posted(FIRST, said(11, GOOD), data={}), "task"),
    ],
)
def test_what_cannot_be_taken_is_told_by_project_task_and_annotation(task: RemoteTask, field: str) -> None:
    found = read(task, posted(SECOND, said(12, sent(SECOND, 0, 2)), number=2))
    assert [one.task for one in found.judgements] == [SECOND.key]
    (line,) = found.findings
    assert line.startswith("伞与雨 · 1: ")
    assert f": annotation 11: [{field}] " in line


@pytest.mark.parametrize("lead_time", [-1.0, 2e8, float("nan"), float("inf")])
def test_a_time_that_is_none_is_left_out(lead_time: float) -> None:
    found = read(posted(FIRST, said(11, GOOD, lead_time=lead_time)))
    assert [one.lead_time for one in found.judgements] == [None]
    assert len(found.notes) == 1


def test_raters_who_saw_another_configuration_are_told_of() -> None:
    other = RemoteProject(7, {**PROJECT.settings, "label_config": "<View/>"})
    (line,) = judgements_of(ONE, TASKS, [(other, [posted(FIRST, said(11, GOOD))])], RATERS).findings
    assert "[label_config]" in line


annotations = st.builds(
    said,
    st.integers(0, 59),
    st.sampled_from([GOOD, sent(FIRST, 1, 5), [], None, [rating(3)]]),
    st.sampled_from([1, 2, 9, None]),
    skipped=st.booleans(),
)


@given(
    st.lists(
        st.tuples(st.sampled_from([FIRST, SECOND, TASKS[4]]), st.lists(annotations, max_size=4), st.booleans()),
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_everything_read_is_counted_once_in_any_order(rows: Any, shuffle: random.Random) -> None:
    tasks = [
        posted(task, *these, number=number, drafted=drafted) for number, (task, these, drafted) in enumerate(rows, 1)
    ]
    found = read(*tasks)
    assert found.read == sum(len(these) + drafted for _, these, drafted in rows)
    assert len(found.judgements) == found.judged == len({(one.task, one.rater) for one in found.judgements})
    assert len(found.notes) == found.superseded
    assert len(found.findings) == found.refused
    numbers = [annotation.id for one in tasks for annotation in one.annotations]
    if len(set(numbers)) == len(numbers):  # as on a server
        shuffle.shuffle(tasks)
        assert read(*tasks).judgements == found.judgements


def test_what_an_export_would_lose_is_named() -> None:
    before = read(posted(FIRST, said(11, GOOD), said(12, GOOD, by=2))).judgements
    assert missing_judgements(before, before) == []
    assert missing_judgements(before[:1], before) == []
    (line,) = missing_judgements(before, before[1:])
    assert line.startswith(f"{FIRST.key}: 1-001: [rater] r-000001 ")


# --- plans --------------------------------------------------------------------------------------------------------------


def of_list(tasks: list[Task]) -> list[Task]:
    return [task for task in tasks if task.list == "1"]


@dataclasses.dataclass
class Model:
    """What a server does, as far as a plan is concerned."""

    project: RemoteProject
    tasks: list[RemoteTask]

    def carry_out(self, wanted: list[Task], some: int) -> None:
        """Carry out the first `some` steps of the plan."""
        planned = plan_changes(ONE, "1", wanted, self.project, self.tasks)
        steps: list[Any] = [
            lambda: setattr(self, "project", RemoteProject(7, {**self.project.settings, **planned.settings}))
        ]
        for number, data in planned.update.items():
            steps.append(lambda n=number, d=data: self.change(n, data=d))
        steps += [lambda n=number: self.tasks.remove(self.at(n)) for number in planned.remove]
        steps += [lambda n=number: self.change(n, overlap=OVERLAP) for number in planned.open]
        steps += [lambda t=task: self.add(t) for task in planned.add]
        for step in steps[:some]:
            step()

    def at(self, number: int) -> RemoteTask:
        return next(one for one in self.tasks if one.id == number)

    def change(self, number: int, **fields: Any) -> None:
        self.tasks[self.tasks.index(self.at(number))] = dataclasses.replace(self.at(number), **fields)

    def add(self, task: Task) -> None:
        self.tasks.append(RemoteTask(max((one.id for one in self.tasks), default=0) + 1, task.data, 1))


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
        data = {"picture": "cat"} if task is None else dict(task.data)
        if text == "another text":
            data["text"] = text
        annotated = (said(number, GOOD),) if worked else ()
        tasks.append(RemoteTask(number, data, overlap, drafted, annotated))
    return Model(RemoteProject(7, {**project_settings(ONE, "1"), "label_config": config}), tasks)


@given(states, st.sampled_from([CONFIG.strip(), "<View/>"]), st.lists(st.integers(0, 6), max_size=4))
def test_a_push_that_dies_anywhere_and_is_repeated_ends_in_the_same_state(
    rows: Any, config: str, deaths: list[int]
) -> None:
    straight, broken = model_of(rows, config), model_of(rows, config)
    worked = {one.id: one for one in straight.tasks if one.touched}
    for _ in range(3):
        straight.carry_out(of_list(TASKS), 99)
    for some in deaths:
        broken.carry_out(of_list(TASKS), some)
    for _ in range(3):
        broken.carry_out(of_list(TASKS), 99)
    assert plan_changes(ONE, "1", of_list(TASKS), straight.project, straight.tasks).is_empty
    assert [(one.data, one.overlap, one.touched) for one in broken.tasks] == [
        (one.data, one.overlap, one.touched) for one in straight.tasks
    ]
    assert broken.project == straight.project
    opened = {one.key for one in straight.tasks if one.overlap == OVERLAP}
    assert opened >= {task.key for task in of_list(TASKS)}
    for task in of_list(TASKS):  # a second copy stays only with work in it
        same_key = [one for one in straight.tasks if one.key == task.key]
        assert len(same_key) == max(1, sum(one.touched for one in same_key))
    for number, one in worked.items():
        assert straight.at(number).data == one.data
        assert straight.at(number).annotations == one.annotations
    if worked:
        assert straight.project.settings["label_config"] == config


def test_an_order_that_is_not_the_lists_is_told() -> None:
    tasks = of_list(TASKS)
    there = [posted(task, number=number) for number, task in enumerate([tasks[0], tasks[2], tasks[1], tasks[3]], 1)]
    planned = plan_changes(ONE, "1", tasks, PROJECT, there)
    assert planned.is_empty
    assert planned.findings == (f"伞与雨 · 1: {tasks[2].key}: [order] wrong place; expected {tasks[1].key} here",)


@pytest.mark.parametrize(("title", "fits"), [("伞" * 46, True), ("伞" * 47, False), ("", True)])
def test_a_title_that_the_server_would_not_take_is_refused(title: str, fits: bool, refused: Refused) -> None:
    # " · 1" has four characters, and the server takes 3 to 50.
    one = dataclasses.replace(ONE, title=title)
    if fits:
        assert project_title(one, "1") == f"{title} · 1"
    else:
        assert "51 characters" in refused(lambda: project_title(one, "1"), "", "title")


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_mark_is_read_wherever_it_stands(before: str, after: str) -> None:
    assert parse_mark(f"{before.replace('winoforge', '')} {project_mark(ONE, '2')}{after}") == ("umbrellas", "2")


@pytest.mark.parametrize(
    "text", ["", "winoforge", "winoforge {", "winoforge {}", 'winoforge {"study": 1, "list": "2"}', "winoforge {x}"]
)
def test_a_project_of_others_has_no_mark(text: str) -> None:
    assert parse_mark(text) is None


# --- secrets ------------------------------------------------------------------------------------------------------------


def test_a_pseudonym_is_the_start_of_the_hmac() -> None:
    # RFC 4231, 4.3: key "Jefe", data "what do ya want for nothing?" give 5bdcc146bf60754e…
    assert pseudonym(Secret(KEY, "Jefe"), "What do ya want for nothing? ") == "r-5bdcc1"


def test_two_accounts_of_one_pseudonym_are_refused(refused: Refused) -> None:
    key = Secret(KEY, "k" * 20)
    assert pseudonyms(key, {3: "a@localhost.invalid", 4: "b@localhost.invalid"})[4] == pseudonym(
        key, "b@localhost.invalid"
    )
    line = refused(lambda: pseudonyms(key, {3: "a@localhost.invalid", 4: "A@localhost.invalid"}), "", "rater")
    assert "accounts 3 and 4" in line
    assert "localhost" not in line


class Drawer(KeyringBackend):  # type: ignore[misc]
    """A keyring in memory."""

    priority = 1

    def __init__(self, kept: dict[tuple[str, str], str] | None, locked: bool = False) -> None:
        super().__init__()
        self.kept = kept or {}
        self.locked = locked

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked("the drawer is shut")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


@pytest.fixture
def drawer(request: pytest.FixtureRequest) -> Any:
    before = keyring.get_keyring()
    keyring.set_keyring(request.param)
    yield request.param
    keyring.set_keyring(before)


@pytest.mark.parametrize(
    "drawer", [Drawer({("winoforge", TOKEN): "kept", ("winoforge", KEY): "k" * 16})], indirect=True
)
def test_a_secret_of_the_environment_comes_before_the_keyrings(drawer: Drawer) -> None:
    assert access_token({TOKEN: "named\n"}).value == "named"
    assert access_token({}).value == "kept"
    assert access_token({TOKEN: " "}).value == "kept"
    assert pseudonym_key({}).value == "k" * 16
    assert "kept" not in repr(access_token({}))


@pytest.mark.parametrize("drawer", [Drawer(None), Drawer(None, locked=True)], indirect=True)
def test_a_secret_that_is_nowhere_is_asked_for(drawer: Drawer, refused: Refused) -> None:
    for name, ask in ((TOKEN, access_token), (KEY, pseudonym_key)):
        line = refused(lambda ask=ask: ask({}), "", name)  # type: ignore[misc]
        assert ("KeyringLocked" if drawer.locked else f"keyring set winoforge {name}") in line


def test_a_key_of_raw_bytes_is_refused(refused: Refused) -> None:
    raw = os.fsdecode(bytes(range(0x80, 0xA0)))  # as `openssl rand 32` without -hex gives it to the environment
    assert "-hex" in refused(lambda: pseudonym_key({KEY: raw}), "", KEY)


def test_a_key_that_could_be_guessed_is_refused(refused: Refused) -> None:
    assert "hunter2" not in refused(lambda: pseudonym_key({KEY: "hunter2"}), "", KEY)


# --- servers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "ftp://a",
        "http://",
        "http://a:b@c",
        "http://a?b",
        "http://a:99999",
        "http://[",
        "http://a b",
        "http://:secret@127.0.0.1:1",
    ],
)
def test_an_address_that_is_none_is_refused(url: str, refused: Refused) -> None:
    refused(lambda: server_address(url, "url"), "", "url")


@pytest.mark.parametrize("url", ["http://192.168.1.300:8080", "http://[v1.a]/", f"http://{64 * 'a'}/"])
def test_an_address_that_names_no_host_is_refused_before_anything_is_sent(url: str, refused: Refused) -> None:
    def connect() -> None:
        with connected(url, Secret(TOKEN, "t"), Progress([].append)):
            raise AssertionError(f"{url} was taken for an address")

    refused(connect, "", "url")


def test_an_address_may_have_a_path() -> None:
    assert server_address("https://labels.invalid/studio/", "url") == "https://labels.invalid/studio"


@pytest.mark.parametrize(
    ("told", "wait"),
    [("7", 7.0), ("", None), ("soon", None), ("-3", None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("٣", None)],
)
def test_how_long_to_wait_is_read_from_the_answer(told: str, wait: float | None) -> None:
    error = response_error("http://a", Secret(TOKEN, "secret"), 503, {"Retry-After": told}, "<html>")
    assert isinstance(error, TemporaryFailure)
    assert error.wait == wait


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (400, {"detail": "x", "validation_errors": {"title": ["too long"]}}, "too long"),
        (401, {"detail": "secret\nis\x1b[31m no token"}, "[WINOFORGE_LABEL_STUDIO_TOKEN]"),
        (403, "<html>secret</html>", "[WINOFORGE_LABEL_STUDIO_TOKEN]"),
        (302, None, "[url]"),
        (404, {"detail": "x" * 9999}, "404"),
        (None, None, "[server]"),
    ],
)
def test_what_no_other_attempt_mends_is_told_in_a_line(status: int | None, body: object, said: str) -> None:
    error = response_error("http://a", Secret(TOKEN, "secret"), status, {}, body)
    assert isinstance(error, PipelineError)
    line = str(error)
    assert said in line
    assert "secret" not in line
    assert line.isprintable()
    assert len(line) < 400
