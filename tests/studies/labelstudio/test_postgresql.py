"""Label Studio over PostgreSQL: many raters at once, and what becomes of an address that is wrong."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.servers import KEY, TOKEN, Progress, Secret
from pipeline.studies.labelstudio.client import connected
from pipeline.studies.labelstudio.pull import pseudonyms, pull
from pipeline.studies.labelstudio.push import push_study
from tests.conftest import ROOT, Refused
from tests.support import small_study
from tests.support.annotators import Annotator
from tests.support.labelstudio import installed
from tests.support.postgresql import PASSWORD, Cluster
from tests.support.small_study import sent, tasks_of
from tools.labelstudio import LOOPBACK, VENV, Server, free_port
from tools.postgresql import VARIABLE, Database, database_of, require_database

RATERS = 6
TASKS = 8
#: Part of each password that an address in these tests has; no message may have it.
SECRET = "geheim"


# --- the address --------------------------------------------------------------------------------------------------------


@given(*([st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)] * 3))
@example("wei@home", "a:b/c?d#e%f g", "研究 1/2")
def test_every_name_and_password_can_be_given_percent_encoded(user: str, password: str, name: str) -> None:
    encoded = [quote(text, safe="") for text in (user, password, name)]
    database = database_of({VARIABLE: f"postgresql://{encoded[0]}:{encoded[1]}@[::1]:6543/{encoded[2]}"})
    assert database == Database("::1", 6543, name, user, password)
    assert database is not None
    assert database.settings["POSTGRE_PASSWORD"] == password
    assert len(str(database).splitlines()) == 1


def test_port_password_and_encryption_may_be_left_out() -> None:
    assert database_of({VARIABLE: "postgres://wei@db.example/labels"}) == Database(
        "db.example", 5432, "labels", "wei", "", "prefer"
    )
    required = database_of({VARIABLE: "postgresql://wei@db.example/labels?sslmode=require"})
    assert required is not None
    assert required.settings["PGSSLMODE"] == "require"
    assert database_of({VARIABLE: ""}) is database_of({}) is None


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("mysql://wei:geheim@h/n", "another scheme"),
        ("wei:geheim@h/n", "another scheme"),
        ("geheim", "no scheme"),
        ("postgresql://h/n", "no user"),
        ("postgresql://:geheim@h/n", "no user"),
        ("postgresql://wei:12/geheim@h/n", "no user"),
        ("postgresql://wei:ge#heim@h/n", "no user"),
        ("postgresql://wei:ge@geheim@h/n", "an @ that is not percent-encoded"),
        ("postgresql://wei:geheim@/n", "no possible host"),
        ("postgresql://wei:geheim@h:0/n", "no possible host"),
        ("postgresql://wei:geheim@h:99999/n", "no such address"),
        ("postgresql://wei:geheim@h:geheim/n", "no such address"),
        ("postgresql://wei:geheim@1.2.3.400/n", "no such address"),
        ("postgresql://wei:geheim@[h/n", "no such address"),
        (f"postgresql://wei:geheim@{64 * 'h'}/n", "no such address"),
        ("postgresql://wei:geheim℀@h/n", "no such address"),  # the library's own message quotes the password
        ("postgresql://wei:geheim@a,b/n", "no possible host"),
        ("postgresql://wei:geheim@h", "no database"),
        ("postgresql://wei:geheim@h/", "no database"),
        ("postgresql://wei:geheim@h/n/m", "more than the name"),
        ("postgresql://wei:geheim@h/n#m", "more than the name"),
        ("postgresql://wei:geheim@h/n?host=geheim", "options other than sslmode="),
        ("postgresql://wei:geheim@h/n?sslmode=geheim", "options other than sslmode="),
        ("postgresql://wei:geheim@h/n?geheim", "no such address"),
        ("postgresql://wei:geheim%00@h/n", "a NUL"),
        ("postgresql://wei:geheim%ff@h/n", "percent-encoded bytes that are not UTF-8"),
        ("postgresql://wei:geheim%4@h/n", "a character that must be percent-encoded"),
        ("postgresql://wei:geheim\n@h/n", "a character that must be percent-encoded"),
        ("postgresql://wei:geheim\udcff@h/n", "a character that must be percent-encoded"),
    ],
)
def test_a_malformed_address_is_refused_and_never_quoted(address: str, problem: str, refused: Refused) -> None:
    line = refused(lambda: database_of({VARIABLE: address}), "", VARIABLE)
    assert f"found {problem}" in line
    assert SECRET not in line


@given(st.text(st.sampled_from("postgresql://wei:geheim@h%4/?#[]&=\n"), max_size=40))
def test_any_text_is_an_address_or_one_line(rest: str) -> None:
    try:
        database = database_of({VARIABLE: f"postgresql://wei:{rest}@h/n"})
    except PipelineError as error:
        assert len(str(error).splitlines()) == 1
        assert str(error).replace("postgresql://user:password@host:port/name", "").count("postgresql") == 0
    else:
        assert database is not None
        assert SECRET not in f"{database!r}"


def test_make_passes_the_address_on_and_prints_none_of_it() -> None:
    installed()
    up_to_date = ("--old-file=.venv/annotate", "--old-file=.venv-labelstudio/installed")
    command = ["make", "-C", str(ROOT), *up_to_date, "V=1", "labelstudio", f"{VARIABLE}=mysql://wei:geheim@h/n"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert f"[{VARIABLE}] malformed address; found another scheme" in run.stderr
    assert SECRET not in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


# --- the database -------------------------------------------------------------------------------------------------------


def test_a_database_that_cannot_be_used_is_refused_in_one_line(cluster: Cluster, refused: Refused) -> None:
    installed()
    cluster.create("shop")
    cluster.create("empty")
    cluster.sql("postgres", "CREATE DATABASE narrow ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    cluster.sql("shop", "CREATE TABLE orders (number integer)")
    cases = [
        (cluster.database("nowhere"), 'found FATAL: database "nowhere" does not exist'),
        (
            Database(LOOPBACK, cluster.port, "shop", "wei@study", "geheim"),
            "found FATAL: password authentication failed",
        ),
        (Database(LOOPBACK, free_port(), "shop", "wei@study", "geheim"), "found Connection refused"),
        (Database("nowhere.invalid", 5432, "shop", "wei@study", "geheim"), "found failed to resolve host"),
        (Database(LOOPBACK, cluster.port, "shop", "wei@study", PASSWORD, "require"), "server does not support SSL"),
        (cluster.database("shop"), "is not Label Studio's; found 1 table of others"),
        (cluster.database("narrow"), "found the encoding LATIN1, expected UTF8"),
        (cluster.database("postgres"), "expected that 'wei@study' owns the database"),
    ]
    for database, message in cases:
        line = refused(lambda: require_database(database, VENV / "bin" / "python"), "", VARIABLE)  # noqa: B023
        assert message in line
        assert not any(secret in line for secret in (SECRET, PASSWORD))
    require_database(cluster.database("empty"), VENV / "bin" / "python")


# --- a study ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def served(cluster: Cluster, migrated: Database, tmp_path: Path) -> Iterator[Server]:
    """A server that the command started on the database."""
    data, port = tmp_path / "data", free_port()
    command = [sys.executable, "-m", "tools.labelstudio", "--data", str(data), "--port", str(port)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LABEL_STUDIO_")}
    environment[VARIABLE] = cluster.url(migrated.name)
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            printed = [process.stdout.readline() for _ in range(3)]
            assert printed[1] == f"Projects and answers are in the database {migrated}.\n"
            assert "is ready" in printed[2]
            yield Server(data, port, environment={})
        finally:
            process.send_signal(signal.SIGINT)  # as a person at a terminal ends it
            printed.append(process.stdout.read())
    assert process.returncode == 0
    assert PASSWORD not in "".join(printed)


def test_raters_who_answer_at_the_same_time_lose_and_double_nothing(served: Server, cluster: Cluster) -> None:
    study = small_study.study("rush-hour", ("1",))
    tasks = tasks_of(study, TASKS)
    quiet = Progress([].append)
    with connected(served.url, Secret(TOKEN, served.token), quiet) as client:
        push_study(study, tasks, client)
    accounts = [served.add_account(f"rush{number}@localhost.invalid") for number in range(RATERS)]
    together = Barrier(RATERS, timeout=60)

    def work(number: int) -> None:
        """Submit every task at the moment at which all others submit it."""
        with Annotator(served, accounts[number]) as annotator:
            posted = annotator.tasks("伞与雨 · 1")
            for place, task in enumerate(tasks):
                result = sent(task, (number + place) % 2, 1 + (number * place) % 5)
                together.wait()
                annotator.submit(posted[task.key], result, 2.5)

    with ThreadPoolExecutor(RATERS) as threads:
        list(threads.map(work, range(RATERS)))
    with connected(served.url, Secret(TOKEN, served.token), quiet) as client:
        names = pseudonyms(Secret(KEY, "a lantern in the fog"), client.accounts())
        pulled = pull(study, tasks, client, names)
        raters = {client.accounts()[number]: name for number, name in names.items()}
    assert (pulled.read, pulled.judged, pulled.superseded, pulled.findings) == (RATERS * TASKS, RATERS * TASKS, 0, [])
    assert {
        (judgement.rater, judgement.task, judgement.answers["reference"], judgement.answers["naturalness"])
        for judgement in pulled.judgements
    } == {
        (raters[account.username], task.key, (number + place) % 2, 1 + (number * place) % 5)
        for number, account in enumerate(accounts)
        for place, task in enumerate(tasks)
    }
    # What is in the database itself, by psql: no answer beside those that pull reads.
    assert cluster.sql(
        "labels", "SELECT count(*), count(DISTINCT (task_id, completed_by_id)) FROM task_completion"
    ) == (f"{RATERS * TASKS}|{RATERS * TASKS}")
    log = served.log.read_text(encoding="utf-8")
    assert [line for line in log.splitlines() if "locked" in line or "deadlock" in line or "Traceback" in line] == []
    assert not (served.data_dir / "label_studio.sqlite3").exists()
    files = [path for path in served.data_dir.rglob("*") if path.is_file()]
    assert [path.name for path in files if PASSWORD.encode() in path.read_bytes()] == []
    shown = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert len(shown) > 3
    for secret in (PASSWORD, quote(PASSWORD, safe="")):
        assert [line for line in shown if secret.encode() in line] == []
