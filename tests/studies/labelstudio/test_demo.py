"""`make annotate-demo`: ten sentences on the server of `make labelstudio`, and a page of what was labelled."""

import json
import re
import stat
from pathlib import Path
from random import Random

import httpx
import pytest

from pipeline.core.files import write_jsonl
from pipeline.studies.model.judgements import read_judgements
from pipeline.studies.model.study import read_study
from pipeline.winograd.readers import ingest
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import ROOT
from tests.support.annotators import Annotator, results, simulated_answers
from tests.support.commands import Run, run_program
from tools.annotate_demo import EXPORT, REPORT, STUDY, program, pseudonym_key_of
from tools.labelstudio import LOOPBACK, Server, free_port

TITLE = "试做十句 · 1"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the repository has after `make build/zh/zero.jsonl`."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "annotation").symlink_to(ROOT / "annotation")
    schemas = ROOT / "raw" / "zh" / "schemas.yaml"
    items = ingest(schemas.read_bytes(), schemas, "schema-yaml").items[:60]
    write_jsonl(folder / "build" / "zh" / "zero.jsonl", map(to_zero, items))
    return folder


def demo(folder: Path, data: Path, port: int, *flags: str) -> Run:
    """Run the demo in a folder, in this process: a process of its own takes seconds to import its packages."""
    return run_program(program, "--data", data, "--port", port, *flags, cwd=folder)


def test_a_newcomer_labels_ten_sentences_and_sees_the_page(server: Server, room: Path) -> None:
    def demo_output(*flags: str) -> str:
        run = demo(room, server.data_dir, server.port, *flags)
        assert run.returncode == 0, run.stderr
        assert server.token not in run.stdout
        assert server.admin.password not in run.stdout
        return run.stdout

    first = demo_output()
    assert f"{TITLE}: 0 tasks there, project made, 10 added" in first
    link = re.search(rf"Open {server.url}/projects/(\d+)/data ", first)
    assert link, first
    assert f"Log in as {server.admin.username};" in first
    assert str(server.data_dir / "credentials.json") in first

    study, tasks = read_study(room / STUDY)
    assert len({item for task in tasks for item in task.items}) == 10
    random = Random("demo")
    with Annotator(server, server.admin) as annotator:
        posted = annotator.tasks(TITLE)
        assert set(posted) == {task.key for task in tasks}
        for task in tasks:
            annotator.submit(posted[task.key], results(study, task, simulated_answers(study, task, 0.0, random)), 7.5)

    again = demo_output()
    assert f"{TITLE}: 10 tasks there, nothing to do" in again
    assert link[0] in again

    page = demo_output("--report")
    assert (room / REPORT / "index.html").resolve().as_uri() in page
    judgements = read_judgements(room / EXPORT / "judgements.jsonl")
    assert len(judgements) == 10
    figures = json.loads((room / REPORT / "figures.json").read_text(encoding="utf-8"))
    # Nobody was wrong on purpose: all ten are right.
    assert figures["controls"]["reference"]["accuracy"]["micro"]["value"] == 1.0

    # Begun anew: the project is deleted on the server, and three sentences are labelled.
    number = int(link[1])
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
        client.delete(f"/api/projects/{number}", headers={"Authorization": f"Token {server.token}"}).raise_for_status()
    assert f"{TITLE}: 0 tasks there, project made, 10 added" in demo_output()
    with Annotator(server, server.admin) as annotator:
        posted = annotator.tasks(TITLE)
        for task in tasks[:3]:
            annotator.submit(posted[task.key], results(study, task, simulated_answers(study, task, 0.0, random)), 7.5)
    run = demo(room, server.data_dir, server.port, "--report")
    assert run.returncode == 0, run.stderr
    # Of the ten in the earlier export, seven are gone with the project, and three have other answers.
    changed, gone = run.stderr.splitlines()
    assert "3 judgements changed since the earlier export" in changed
    assert re.fullmatch(r"list 1: \[rater\] 7 judgements of r-[0-9a-f]{6} no more on the server; left out", gone)
    assert len(read_judgements(room / EXPORT / "judgements.jsonl")) == 3


def test_without_a_server_it_says_how_to_start_one(server: Server, room: Path, tmp_path: Path) -> None:
    port = free_port()
    never = demo(room, tmp_path / "none", port)
    ended = demo(room, server.data_dir, port)
    for run in (never, ended):
        assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)
        assert "run `make labelstudio` in another terminal" in run.stderr
    assert f"http://{LOOPBACK}:{port} does not answer" in ended.stderr
    assert not (tmp_path / "none").exists()


def test_a_server_of_another_folder_is_told_nothing(server: Server, room: Path, tmp_path: Path) -> None:
    other = {"username": "admin@localhost.invalid", "password": "a spoon in the soup", "token": "f" * 40}
    (tmp_path / "credentials.json").write_text(json.dumps(other) + "\n", encoding="utf-8")
    run = demo(room, tmp_path, server.port)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)
    assert f"{server.url} is another server; found status 401" in run.stderr
    assert other["token"] not in run.stderr


def test_a_report_before_the_demo_is_refused(server: Server, tmp_path: Path) -> None:
    run = demo(tmp_path, server.data_dir, server.port, "--report")
    assert (run.returncode, run.stdout) == (2, "")
    assert "expected `make annotate-demo` first" in run.stderr


def test_the_key_of_the_pseudonyms_is_kept_and_its_owners_alone(tmp_path: Path) -> None:
    key = pseudonym_key_of(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", key)
    assert pseudonym_key_of(tmp_path) == key
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
