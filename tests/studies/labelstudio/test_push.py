"""Studies on a real Label Studio server: pushed, worked, pulled, through every fault that a network has."""

import contextlib
import dataclasses
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from label_studio_sdk import LabelStudio

from pipeline.core.errors import PipelineError
from pipeline.core.servers import KEY, TOKEN, Progress, Secret
from pipeline.studies.labelstudio.client import Client, connected
from pipeline.studies.labelstudio.pull import pseudonym, pull
from pipeline.studies.labelstudio.push import (
    PushReport,
    find_project,
    placed_config,
    placed_data,
    project_settings,
    push_study,
)
from pipeline.studies.labelstudio.remote import RemoteProject, RemoteTask, project_mark
from pipeline.studies.model.judgements import read_judgements
from pipeline.studies.model.study import Study, Task, write_study
from tests.conftest import ROOT, Refused
from tests.support import small_study
from tests.support.commands import winoforge
from tests.support.fault_proxy import Fault, proxy_to
from tests.support.small_study import choices, comment, rating, sent, tasks_of
from tools.labelstudio import Account, Server

PSEUDONYM_KEY = "seven lanterns on a river"


def fresh(lists: tuple[str, ...] = ("1", "2")) -> Study:
    """A study that no other test has on the server, in a language of which no other study there shows answers."""
    return dataclasses.replace(small_study.study(f"umbrellas-{uuid.uuid4().hex[:8]}", lists), lang="eo")


def watching(lines: list[str] | None = None) -> Progress:
    """Progress that keeps its lines and never waits."""
    return Progress((lines if lines is not None else []).append, [].append)


@contextlib.contextmanager
def client_of(server: Server, url: str | None = None, watch: Progress | None = None) -> Iterator[Client]:
    with connected(url or server.url, Secret(TOKEN, server.token), watch or watching()) as client:
        yield client


def push(
    server: Server, study: Study, tasks: Sequence[Task], url: str | None = None, watch: Progress | None = None
) -> list[PushReport]:
    with client_of(server, url, watch) as client:
        return push_study(study, tasks, client)


def on_server(server: Server, study: Study) -> dict[str, list[RemoteTask]]:
    """What the server has, by list."""
    with client_of(server) as client:
        projects = {name: find_project(study, name, client) for name in study.lists}
        return {name: client.tasks(project.id) for name, project in projects.items() if project is not None}


def exactly(server: Server, study: Study, tasks: Sequence[Task]) -> None:
    """Check that the server has every task once, in order, unchanged, and open to every rater."""
    for name, posted in on_server(server, study).items():
        expected = [task for task in tasks if task.list == name]
        assert [remote.data for remote in posted] == [placed_data(task, len(expected)) for task in expected]
        assert {remote.overlap for remote in posted} == {1000}
    assert len(on_server(server, study)) == len(study.lists)


def project_of(server: Server, study: Study, name: str = "1") -> RemoteProject:
    with client_of(server) as client:
        project = find_project(study, name, client)
    assert project is not None
    return project


def page_of(server: Server, who: Account) -> httpx.Client:
    """What the page of a rater asks the server with."""
    headers = {"Authorization": f"Token {who.token}"}
    return httpx.Client(base_url=server.url, trust_env=False, headers=headers)


@contextlib.contextmanager
def acting(server: Server, token: str) -> Iterator[LabelStudio]:
    """The SDK as somebody else uses it."""
    with httpx.Client(trust_env=False, timeout=60) as connection:
        yield LabelStudio(base_url=server.url, api_key=token, httpx_client=connection, max_retries=0)


@dataclasses.dataclass(frozen=True)
class Ran:
    """The exit status of a command, what it printed, and everything that it wrote, to the log too."""

    status: int
    out: str
    everything: str


Runner = Callable[..., Ran]


@pytest.fixture
def run(server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run `annotate push` or `annotate pull`, with the token of the administrator if no other is given."""

    def ran(*arguments: object, token: str = server.token, key: str = PSEUDONYM_KEY) -> Ran:
        monkeypatch.setenv(TOKEN, token)
        monkeypatch.setenv(KEY, key)
        with caplog.at_level(logging.DEBUG):
            done = winoforge("annotate", *arguments)
        return Ran(done.returncode, done.stdout + done.stderr, done.stdout + done.stderr + caplog.text)

    return ran


@pytest.fixture(scope="session")
def wei(server: Server) -> Account:
    return server.add_account("wei.of.push@localhost.invalid")


@pytest.fixture(scope="session")
def lan(server: Server) -> Account:
    return server.add_account("lan.of.push@localhost.invalid")


def submit(server: Server, who: Account, task: RemoteTask, result: Any, **more: Any) -> int:
    with acting(server, who.token) as annotator:
        return int(annotator.annotations.create(task.id, result=result, **more).id)


# --- push ---------------------------------------------------------------------------------------------------------------


def test_a_list_becomes_a_project_and_a_second_push_adds_nothing(server: Server) -> None:
    study = fresh()
    tasks = tasks_of(study)
    first = push(server, study, tasks)
    assert [(done.title, done.created, done.there, len(done.plan.add)) for done in first] == [
        ("伞与雨 · 1", True, 0, 4),
        ("伞与雨 · 2", True, 0, 4),
    ]
    exactly(server, study, tasks)
    with proxy_to(server.url) as proxy:
        again = push(server, study, tasks, proxy.url)
        assert proxy.writes() == []
    assert [(done.created, done.there, done.changed, done.plan.findings) for done in again] == [
        (False, 4, False, ())
    ] * 2
    project = project_of(server, study, "2")
    assert project.settings["expert_instruction"] == study.instruction
    assert project.settings["label_config"] == placed_config(study)
    assert project.settings["enable_empty_annotation"] is False


def test_every_annotator_gets_the_order_of_the_list(server: Server, wei: Account, lan: Account) -> None:
    study = fresh(("1",))
    tasks = tasks_of(study, 5)
    push(server, study, tasks)
    order = {remote.id: number for number, remote in enumerate(on_server(server, study)["1"], 1)}
    project = project_of(server, study)

    def works(who: Account, stop: int) -> list[int]:
        got = []
        with page_of(server, who) as page:
            while len(got) < stop:
                given = page.get(f"/api/projects/{project.id}/next")
                if given.status_code == 404:
                    break
                got.append(order[given.json()["id"]])
                page.post(
                    f"/api/tasks/{given.json()['id']}/annotations/", json={"result": [rating(3)]}
                ).raise_for_status()
        return got

    assert works(wei, 3) == [1, 2, 3]
    assert works(lan, 9) == [1, 2, 3, 4, 5]
    assert works(wei, 9) == [4, 5]


def test_a_task_that_left_the_queue_too_early_comes_back(server: Server, wei: Account, lan: Account) -> None:
    """A push died between sending tasks and opening them: the server then wants one annotation per task."""
    study = fresh(("1",))
    tasks = tasks_of(study, 2)
    with client_of(server) as client:
        client.create_project(project_settings(study, "1"))
    project = project_of(server, study)
    with acting(server, server.token) as admin:  # as push did it: all tasks in one request, which leaves them closed
        admin.projects.import_tasks(project.id, request=[{"data": placed_data(task, 2)} for task in tasks])
    submit(server, wei, on_server(server, study)["1"][0], sent(tasks[0], 0, 4))

    def given_to_lan() -> int:
        with page_of(server, lan) as page:
            return int(page.get(f"/api/projects/{project.id}/next").json()["inner_id"])

    assert given_to_lan() == 2
    (done,) = push(server, study, tasks)
    assert done.plan.findings == ()
    exactly(server, study, tasks)
    with acting(server, lan.token) as annotator:  # the server keeps for her what she was shown
        annotator.annotations.create(on_server(server, study)["1"][1].id, result=sent(tasks[1], 0, 4))
    assert given_to_lan() == 1


def test_a_study_laid_out_anew_changes_nothing_where_people_work(
    server: Server, tmp_path: Path, run: Runner, wei: Account
) -> None:
    """Two tasks of the first list are touched; of the new layout the first three differ, and the whole second list."""
    study = fresh()
    tasks = tasks_of(study)
    push(server, study, tasks)
    posted = on_server(server, study)["1"]
    submit(server, wei, posted[0], sent(tasks[0], 0, 4))
    with page_of(server, wei) as page:
        page.post(f"/api/tasks/{posted[1].id}/drafts", json={"result": [rating(2)]}).raise_for_status()
    anew = [
        dataclasses.replace(task, data={**task.data, "text": f"{task.data['text']}风停了。"}) if number != 3 else task
        for number, task in enumerate(tasks)
    ]
    write_study(tmp_path, study, anew)
    with proxy_to(server.url) as proxy:
        ran = run("push", tmp_path, "--url", proxy.url)
        assert proxy.writes() == []
    assert ran.status == 1
    for number in (1, 2):
        reason = "[data] changed after a rater started, kept as it is; found another text"
        assert f"伞与雨 · 1: {study.id}/1/00{number}: {reason}" in ran.out
    assert "伞与雨: [layout] raters have worked on another layout of list 1; nothing was changed: " in ran.out
    assert "伞与雨 · 1: nothing changed\n伞与雨 · 2: nothing changed\n" in ran.out
    exactly(server, study, tasks)
    # As long as what was touched is the same, the rest of the list may change.
    (first, second) = push(server, study, [*tasks[:2], *anew[2:]])
    assert [(len(done.plan.update), done.plan.findings) for done in (first, second)] == [(1, ()), (4, ())]
    exactly(server, study, [*tasks[:2], *anew[2:]])


def test_a_config_changes_only_before_raters_start(server: Server, wei: Account) -> None:
    study = fresh(("1",))
    tasks = tasks_of(study)
    push(server, study, tasks)
    other = dataclasses.replace(
        study, config=study.config.replace('<Choice value="1"/>', '<Choice value="1" hotkey="1"/>')
    )
    (done,) = push(server, other, tasks)
    assert ([*done.plan.settings], done.plan.findings) == (["label_config"], ())
    submit(server, wei, on_server(server, study)["1"][0], sent(tasks[0], 0, 4))
    (done,) = push(server, study, tasks)
    assert not done.changed
    assert done.plan.findings[0] == "伞与雨 · 1: [label_config] changed after raters started; kept as it is"
    assert (len(done.plan.findings), done.plan.refused) == (2, True)
    project = project_of(server, study)
    assert project.settings["label_config"] == placed_config(other)


def test_a_list_that_the_study_no_longer_has_is_reported(
    server: Server, tmp_path: Path, run: Runner, wei: Account
) -> None:
    two = fresh()
    tasks = tasks_of(two)
    push(server, two, tasks)
    submit(server, wei, on_server(server, two)["2"][0], sent(next(task for task in tasks if task.list == "2"), 0, 4))
    study = dataclasses.replace(two, lists=("1",))
    write_study(tmp_path, study, [task for task in tasks if task.list == "1"])
    for command, more in (("push", []), ("pull", ["--out", tmp_path / "out"])):
        ran = run(command, tmp_path, *more, "--url", server.url)
        assert ran.status == 1
        assert f"[list] marked as list 2 of {study.id}, which has no such list" in ran.out


def test_a_push_warns_of_answers_that_raters_of_another_study_can_see(
    server: Server, tmp_path: Path, run: Runner
) -> None:
    # No other test has studies in Interlingua or Interlingue.
    blind = dataclasses.replace(fresh(("1",)), lang="ia")
    open_study = dataclasses.replace(fresh(("1",)), lang="ia", shows_answers=True)
    unrelated = dataclasses.replace(fresh(("1",)), lang="ie", shows_answers=True)
    folders = {study.id: tmp_path / study.id for study in (blind, open_study, unrelated)}
    for study in (blind, open_study, unrelated):
        write_study(folders[study.id], study, tasks_of(study, 1))

    def warnings(study: Study) -> list[str]:
        ran = run("push", folders[study.id], "--url", server.url)
        assert ran.status == 0
        return [line for line in ran.out.splitlines() if line.startswith("warning: ")]

    why = "because every account of a server sees all projects: use another server, or pull"
    shows = "right answers or earlier judgements"
    assert warnings(blind) == warnings(unrelated) == []
    for _ in range(2):  # also where nothing is left to do
        assert warnings(open_study) == [
            f"warning: {open_study.id} shows {shows}, which raters of {blind.id} can see, {why} {blind.id} and delete the projects first"
        ]
    assert warnings(blind) == [
        f"warning: raters of {blind.id} can see {shows}, which {open_study.id} shows, {why} {open_study.id} and delete the projects first"
    ]
    with acting(server, server.token) as admin:
        admin.projects.delete(project_of(server, open_study).id)
    assert warnings(blind) == []


def test_two_projects_of_one_list_are_refused(server: Server, refused: Refused) -> None:
    study = fresh(("1",))
    push(server, study, tasks_of(study))
    with acting(server, server.token) as admin:
        admin.projects.create(
            title="又一个", description=f"请勿删除。{project_mark(study, '1')}", label_config=study.config
        )
    refused(lambda: push(server, study, tasks_of(study)), "", "project")


# --- faults -------------------------------------------------------------------------------------------------------------

#: The requests of a push that meet a fault: their methods and paths, and how many such requests pass first.
PLACES = (
    *(("GET", "/api/projects/", 0), ("POST", "/api/projects/", 0)),
    *(("GET", "/api/tasks/", 1), ("POST", "/api/tasks/", 0), ("POST", "/api/tasks/", 2)),
)


@pytest.mark.parametrize("kind", ["cut-before", "cut-after", "cut-inside"])
def test_a_connection_that_is_cut_anywhere_loses_and_doubles_nothing(server: Server, kind: str) -> None:
    study = fresh(("1",))
    tasks = tasks_of(study)
    lines: list[str] = []
    with proxy_to(server.url) as proxy:
        proxy.faults = [Fault(method, path, kind, skip=skip) for method, path, skip in PLACES]
        (done,) = push(server, study, tasks, proxy.url, watching(lines))
        assert [fault.times for fault in proxy.faults] == [0] * len(PLACES), "a fault never came"
    assert (done.created, len(done.plan.add), done.plan.findings) == (True, 4, ())
    assert len(lines) == len(PLACES)
    assert "next attempt in 1 s" in lines[0]
    exactly(server, study, tasks)


def test_an_import_completed_too_late_leaves_no_duplicate(server: Server) -> None:
    """The connection is cut and the tasks are sent again; then the server completes the first import after all."""
    study = fresh(("1",))
    tasks = tasks_of(study)
    with proxy_to(server.url) as proxy:
        proxy.faults = [Fault("POST", "/api/tasks/", "late", skip=1)]
        push(server, study, tasks, proxy.url)
        proxy.release()
    assert len(on_server(server, study)["1"]) == 5
    (done,) = push(server, study, tasks)
    assert (len(done.plan.remove), done.plan.findings) == (1, ())
    exactly(server, study, tasks)


def test_an_unexpected_response_is_refused(server: Server) -> None:
    study = fresh(("1",))
    push(server, study, tasks_of(study))
    for body in (b"[]", b"{}", b"null", b'{"tasks": [{"id": 1}], "total": 1}', b"welcome"):
        answer = (200, {"Content-Type": "application/json"}, body)
        with proxy_to(server.url) as proxy:
            proxy.faults = [Fault("GET", "/api/tasks/", "answer", times=99, answer=answer)]
            with pytest.raises(PipelineError):
                push(server, study, tasks_of(study), proxy.url)
            assert proxy.writes() == []


def test_a_server_killed_during_push_or_pull_loses_and_doubles_nothing(own_server: Server) -> None:
    study = fresh(("1",))
    tasks = tasks_of(study, 6)

    def up_again(seconds: float) -> None:
        with contextlib.suppress(PipelineError):  # it is up already
            own_server.start()

    with proxy_to(own_server.url) as proxy:
        proxy.faults = [Fault("POST", "/api/tasks/", "call", call=own_server.kill, skip=3)]
        push(own_server, study, tasks, proxy.url, Progress([].append, up_again))
        assert proxy.faults[0].times == 0
        exactly(own_server, study, tasks)
        with acting(own_server, own_server.token) as admin:
            for task, remote in zip(tasks, on_server(own_server, study)["1"], strict=True):
                admin.annotations.create(remote.id, result=sent(task, 1, 3))
        proxy.faults = [Fault("GET", "/api/tasks/", "call", call=own_server.kill)]
        with client_of(own_server, proxy.url, Progress([].append, up_again)) as client:
            export = pull(study, tasks, client, {number: f"r-{number:06}" for number in client.accounts()})
            assert len(client.projects()) == 1
        assert proxy.faults[0].times == 0
    assert [judgement.task for judgement in export.judgements] == [task.key for task in tasks]
    assert export.findings == []


PUSH = "import typer; from pipeline.cli.annotate_studies import push_command; typer.run(push_command)"


def test_the_next_run_completes_one_that_was_killed(server: Server, tmp_path: Path, run: Runner) -> None:
    study = fresh(("1",))
    tasks = tasks_of(study, 6)
    write_study(tmp_path, study, tasks)
    there = threading.Event()
    killed = threading.Event()

    def hold() -> None:
        there.set()
        killed.wait(30)

    with proxy_to(server.url) as proxy:
        proxy.faults = [Fault("POST", "/api/tasks/", "call", skip=2, call=hold)]
        command = [sys.executable, "-c", PUSH, str(tmp_path), "--url", proxy.url]
        environment = {**os.environ, TOKEN: server.token}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            assert there.wait(60)
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed.set()
            assert process.stdout is not None
            assert server.token.encode() not in process.stdout.read()
    assert [remote.key for remote in on_server(server, study)["1"]] == [task.key for task in tasks[:2]]
    ran = run("push", tmp_path, "--url", server.url)
    # Two of the six tasks had been sent when the first run died.
    assert (ran.status, ran.out) == (0, "伞与雨 · 1: 2 tasks there, 4 added\n")
    exactly(server, study, tasks)


def test_a_terminal_shows_how_far_each_list_is(
    server: Server, tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of a study may have what is markup to rich."""
    study = dataclasses.replace(fresh(), title="伞 [/b] 雨")
    write_study(tmp_path, study, tasks_of(study))
    monkeypatch.setattr("pipeline.cli.parameters.on_terminal", lambda: True)
    for name, value in {"TERM": "xterm", "COLUMNS": "120", "FORCE_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    printed = run("push", tmp_path, "--url", server.url).out
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed))
    # A bar begins with each list, and the last state of the last one stays.
    begun = [line for line in lines if "伞 [/b] 雨 · 1" in line and " 0/4 " in line]
    assert begun, lines
    assert "伞 [/b] 雨 · 2" in lines[-2], lines
    assert " 4/4 " in lines[-2]


# --- tokens -------------------------------------------------------------------------------------------------------------


EXPIRED = jwt.encode({"token_type": "refresh", "exp": 1_500_000_000, "jti": "x"}, "k" * 32, algorithm="HS256")
FORGED = jwt.encode({"token_type": "refresh", "exp": 4_000_000_000, "jti": "x"}, "k" * 32, algorithm="HS256")


@pytest.mark.parametrize(
    ("token", "quoted"),
    [
        ("f" * 40, "Invalid token"),
        (EXPIRED, "expired"),
        (FORGED, "Token is invalid"),
        ("Bearer 1234567890abcdef", "malformed"),
        ("令牌1234567890abcdef", "malformed"),
        ("1234567890abcdef\nX-Evil: 1234567890abcdef", "malformed"),
    ],
    ids=["wrong", "expired", "forged", "blank", "letters", "line"],
)
def test_a_refused_token_is_reported_without_quoting_it(
    server: Server, tmp_path: Path, run: Runner, token: str, quoted: str
) -> None:
    write_study(tmp_path, fresh(), [])
    for command, more in (("push", []), ("pull", ["--out", tmp_path / "out"])):
        ran = run(command, tmp_path, "--url", server.url, *more, token=token)
        assert ran.status == 2
        assert f"[{TOKEN}]" in ran.out
        assert quoted in ran.out
        assert len(ran.out.splitlines()) == 1
        assert token not in ran.everything
        assert "1234567890abcdef" not in ran.everything


@pytest.mark.filterwarnings("ignore:The `parse_obj` method is deprecated")  # the SDK calls it
def test_a_personal_token_works_until_it_is_revoked(server: Server, tmp_path: Path, run: Runner) -> None:
    study = fresh(("1",))
    write_study(tmp_path, study, tasks_of(study))
    with acting(server, server.token) as admin:
        token = str(admin.tokens.create().token)
    assert run("push", tmp_path, "--url", server.url, token=token).status == 0
    with acting(server, server.token) as admin:
        admin.tokens.blacklist(refresh=token)
    ran = run("push", tmp_path, "--url", server.url, token=token)
    assert (ran.status, "blacklisted" in ran.out) == (2, True)
    assert token not in ran.everything


def test_a_redirect_is_not_followed(server: Server, tmp_path: Path, run: Runner) -> None:
    write_study(tmp_path, fresh(), [])
    with proxy_to(server.url) as elsewhere, proxy_to(server.url) as proxy:
        answer = (307, {"Location": f"{elsewhere.url}/api/projects/"}, b"")
        proxy.faults = [Fault("GET", "/api/projects/", "answer", answer=answer)]
        ran = run("push", tmp_path, "--url", proxy.url)
        assert elsewhere.seen == []
    assert (ran.status, "[url]" in ran.out) == (2, True)


# --- pull ---------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Worked:
    """A study on the server with its folder and the place of its export."""

    study: Study
    tasks: list[Task]
    folder: Path
    posted: list[RemoteTask]

    @property
    def export(self) -> Path:
        return self.folder / "out" / "judgements.jsonl"


@pytest.fixture
def worked(server: Server, tmp_path: Path) -> Worked:
    study = fresh()
    tasks = tasks_of(study)
    write_study(tmp_path, study, tasks)
    push(server, study, tasks)
    by_list = on_server(server, study)
    return Worked(study, tasks, tmp_path, [*by_list["1"], *by_list["2"]])


def pulled(run: Runner, worked: Worked, url: str, *more: str) -> Ran:
    return run("pull", worked.folder, "--out", worked.export.parent, "--url", url, *more)


def test_refused_annotations_are_named_and_the_rest_is_written(
    server: Server, wei: Account, lan: Account, worked: Worked, run: Runner
) -> None:
    tasks, posted = worked.tasks, worked.posted
    good = [submit(server, wei, posted[0], sent(tasks[0], 1, 2))]
    bad = [
        submit(server, wei, posted[1], [rating(3)]),
        submit(server, wei, posted[2], [*sent(tasks[2], 0, 6)]),
        submit(server, lan, posted[1], [{"x": 1}]),
        submit(server, lan, posted[2], [*sent(tasks[2], 0, 3), choices("colour", "red")]),
    ]
    with acting(server, wei.token) as annotator, acting(server, server.token) as admin:
        lans = next(user.id for user in admin.users.list() if user.email == lan.username)
        forged = annotator.annotations.create(posted[3].id, result=sent(tasks[3], 0, 3), completed_by=lans).id
    older = submit(server, lan, posted[4], sent(tasks[4], 0, 3))
    good.append(submit(server, lan, posted[4], [*sent(tasks[4], 1, 4), comment("第二次读才懂。")]))
    good.append(submit(server, lan, posted[5], [], was_cancelled=True))
    with page_of(server, wei) as page:
        page.post(f"/api/tasks/{posted[6].id}/drafts", json={"result": [rating(2)]}).raise_for_status()
    ran = pulled(run, worked, server.url)
    assert ran.status == 1
    for number in (*bad, forged):
        assert len(re.findall(rf"伞与雨 · [12]: umbrellas-[0-9a-f]+/[12]/\d+: annotation {number}: \[", ran.out)) == 1
    assert f"annotation {older}: superseded by annotation {good[1]}" in ran.out
    # 3 taken + 1 superseded + 5 refused + 1 draft = 10.
    assert "10 read: 3 taken, 1 superseded, 5 refused, 1 begun and not submitted" in ran.out
    rater = pseudonym(Secret(KEY, PSEUDONYM_KEY), wei.username)
    assert f"list 1: {rater}: 1 of 1 practice, 0 of 3 main, 0 skipped" in ran.out
    written = ran.everything + worked.export.read_text(encoding="utf-8")
    assert not any(secret in written for secret in (server.token, PSEUDONYM_KEY, "localhost.invalid", "wei.of.push"))
    by_task = {judgement.task: judgement for judgement in read_judgements(worked.export)}
    assert set(by_task) == {tasks[0].key, tasks[4].key, tasks[5].key}
    assert by_task[tasks[4].key].answers == {"reference": 1, "naturalness": 4, "comment": "第二次读才懂。"}
    assert (by_task[tasks[5].key].skipped, by_task[tasks[5].key].answers) == (True, {})
    export_by_hand(server, worked, run)


def export_by_hand(server: Server, worked: Worked, run: Runner) -> None:
    """Export each format as the page does: the same judgements, and for JSON the same counts and figures, as from `pull`."""
    with client_of(server) as client:
        accounts = client.accounts()
        projects = [find_project(worked.study, name, client) for name in worked.study.lists]
    key = Secret(KEY, PSEUDONYM_KEY)
    raters = {f"r-{account:06}": pseudonym(key, address) for account, address in accounts.items()}
    first = read_judgements(worked.export)
    for kind, ending in (("JSON", "json"), ("JSON_MIN", "json"), ("CSV", "csv"), ("TSV", "tsv")):
        files: list[Path] = []
        for project in projects:
            assert project is not None
            with page_of(server, Account("", "", server.token)) as page:
                wanted = {"exportType": kind, "download_all_tasks": "true"}  # with those that are begun only
                answer = page.get(f"/api/projects/{project.id}/export", params=wanted).raise_for_status()
            files.append(worked.folder / f"{kind}-{project.id}.{ending}")
            files[-1].write_bytes(answer.content)
        out = worked.folder / f"by-hand-{kind}"
        ran = run("pull", worked.folder, "--out", out, *(word for file in files for word in ("--export", file)))
        assert ran.status == 1 and "localhost.invalid" not in ran.everything, ran.out
        read = read_judgements(out / "judgements.jsonl")
        same = [dataclasses.replace(judgement, rater=raters[judgement.rater]) for judgement in read]
        if kind == "JSON":
            assert "10 read: 3 taken, 1 superseded, 5 refused, 1 begun and not submitted" in ran.out
            assert same == first
        else:
            # They have neither what is skipped or begun, nor unknown controls, nor who sent an annotation: two more are taken.
            assert "10 read" not in ran.out and "this format leaves out skipped tasks" in ran.out
            there = {judgement.task for judgement in first}
            assert [judgement for judgement in same if judgement.task in there] == [
                row for row in first if not row.skipped
            ]
            assert len(same) == len(first) - 1 + 2


def test_what_changed_on_the_server_since_the_earlier_export_is_told(
    server: Server, wei: Account, lan: Account, worked: Worked, run: Runner
) -> None:
    """Of wei's three answers one is deleted and one changed, and lan sends one with an address: 2 on the server, 1 vanished, 1 new."""
    tasks, posted = worked.tasks, worked.posted
    numbers = [submit(server, wei, remote, sent(task, 0, 4)) for task, remote in zip(tasks[:3], posted, strict=False)]
    assert pulled(run, worked, server.url).status == 0
    with acting(server, server.token) as admin, acting(server, wei.token) as annotator:
        admin.annotations.delete(numbers[0])
        annotator.annotations.update(numbers[1], result=sent(tasks[1], 1, 5))
    submit(server, lan, posted[0], [*sent(tasks[0], 1, 2), comment("救不回来，写信给 lan@uni.edu。")])
    ran = pulled(run, worked, server.url)
    rater = pseudonym(Secret(KEY, PSEUDONYM_KEY), wei.username)
    assert ran.status == 1
    assert f"list 1: {rater}: 1 judgement changed since the earlier export (naturalness 1, reference 1)\n" in ran.out
    assert f"list 1: [rater] 1 judgement of {rater} no more on the server; kept, marked as vanished" in ran.out
    assert "4 judgements; 1 new, 1 changed, 1 vanished since the earlier export\n" in ran.out
    assert "[comment] e-mail address; left out: " in ran.out
    export = read_judgements(worked.export)
    assert {(judgement.task, judgement.rater == rater, judgement.vanished) for judgement in export} == {
        (tasks[0].key, True, True),
        (tasks[0].key, False, False),
        (tasks[1].key, True, False),
        (tasks[2].key, True, False),
    }
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", judgement.submitted or "") for judgement in export)
    (remark,) = [judgement.answers["comment"] for judgement in export if "comment" in judgement.answers]
    assert remark == "救不回来，写信给 ‹e-mail address›。"
    assert "uni.edu" not in ran.out
    again = pulled(run, worked, server.url)  # nothing new: the same bytes, and no finding
    assert (again.status, read_judgements(worked.export)) == (0, export)
    table = worked.export.parent / "remarks.tsv"
    table.write_text(table.read_text(encoding="utf-8").replace("\tno\n", "\tyes\n"), encoding="utf-8")
    assert pulled(run, worked, server.url, "--forget").status == 0
    confirmed = read_judgements(worked.export)
    assert [judgement.vanished for judgement in confirmed] == [False] * 3
    assert confirmed[0].answers["comment"] == "救不回来，写信给 lan@uni.edu。"


def test_another_key_and_another_study_are_named_as_such(
    server: Server, wei: Account, worked: Worked, tmp_path: Path, run: Runner
) -> None:
    submit(server, wei, worked.posted[0], sent(worked.tasks[0], 0, 4))
    assert pulled(run, worked, server.url).status == 0
    before = {path.name: path.read_bytes() for path in worked.export.parent.iterdir()}
    arguments = (worked.folder, "--out", worked.export.parent, "--url", server.url)
    other_key = run("pull", *arguments, key="eight lanterns on a river")
    assert other_key.status == 2
    assert f"[{KEY}] another key than for the earlier export" in other_key.out
    other = tmp_path / "other"
    write_study(other, fresh(), [])
    ran = run("pull", other, "--out", worked.export.parent)
    assert ran.status == 2
    assert "study.json:1: [id] the export of another study; found " in ran.out
    anew = [dataclasses.replace(task, data={**task.data, "text": "另一句。"}) for task in worked.tasks]
    write_study(other, worked.study, anew)
    ran = run("pull", other, "--out", worked.export.parent)
    assert ran.status == 2
    assert "tasks.jsonl: [data] not the tasks that were judged in the earlier export; found 1 task changed" in ran.out
    assert {path.name: path.read_bytes() for path in worked.export.parent.iterdir()} == before


def test_a_pull_that_fails_in_the_middle_writes_nothing(
    server: Server, wei: Account, worked: Worked, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.core.servers.WAITS", (0.01, 0.01))
    submit(server, wei, worked.posted[0], sent(worked.tasks[0], 0, 4))
    with proxy_to(server.url) as proxy:
        # The first list is read, the second never.
        proxy.faults = [Fault("GET", "/api/tasks/", "answer", times=99, skip=1)]
        ran = pulled(run, worked, proxy.url)
        assert (ran.status, worked.export.exists()) == (2, False)
        assert "given up after 3 attempts" in ran.out
        proxy.faults = [Fault("GET", "/api/tasks/", kind) for kind in ("cut-inside", "cut-before", "cut-after")][:2]
        assert pulled(run, worked, proxy.url).status == 0
    assert [judgement.task for judgement in read_judgements(worked.export)] == [worked.tasks[0].key]


def test_a_study_that_was_never_pushed_has_nothing_to_pull(server: Server, tmp_path: Path, run: Runner) -> None:
    write_study(tmp_path, fresh(), [])
    ran = run("pull", tmp_path, "--out", tmp_path / "out", "--url", server.url)
    assert (ran.status, "[project]" in ran.out) == (2, True)
