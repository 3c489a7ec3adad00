"""The server of a laboratory in a process of its own: what it serves, stores and refuses, and how it ends."""

import json
import random
import re
import signal
import socket
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest

from pipeline.experiment.browser.records import Experiment
from pipeline.experiment.browser.server import MAX_RECORD, content_policy, is_experimenter, is_own_request
from tests.support.commands import winoforge
from tests.support.experiments import PAGE, Server, serving, session_name, session_records, write_experiment


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(folder, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def record(experiment: Experiment) -> dict[str, Any]:
    """A record of a trial."""
    return session_records(session_name(900), 2, experiment)[3]


# --- what it serves ---------------------------------------------------------------------------------------------------


def test_the_page_comes_with_a_policy_that_lets_its_own_script_run(server: Server) -> None:
    response = server.client.get("/")
    assert response.text == PAGE
    # The hash of the text between the tags, in base64, as `openssl dgst -sha256 -binary | base64` gives it.
    assert (
        "script-src 'sha256-YtYHED/7SuH+dEOprEPTmrZ+LZSNMPKJdrQUW5Py0/U=';"
        in response.headers["content-security-policy"]
    )
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "server" not in response.headers
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    "path",
    [
        "/trials.jsonl",
        "/index.html",
        "/../trials.jsonl",
        "/%2e%2e/results.sqlite",
        "//etc/passwd",
        "/api/records/../..",
        "/\0",
    ],
)
def test_nothing_else_of_the_folder_is_served(server: Server, path: str) -> None:
    host, port = server.address.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:  # a client would tidy the path up
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400"))
    assert b"practice" not in answer


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/"), ("PUT", "/api/records"), ("GET", "/api/records"), ("DELETE", "/api/assignment"), ("OPTIONS", "/")],
)
def test_other_methods_are_refused(server: Server, method: str, path: str) -> None:
    response = server.client.request(method, path)
    assert response.status_code == 405
    assert "access-control-allow-origin" not in response.headers


# --- lists and records ------------------------------------------------------------------------------------------------


def test_many_sessions_at_once_get_balanced_lists(tmp_path: Path, folder: Path, experiment: Experiment) -> None:
    """Twelve browsers begin together, and send each record twice in any order; three more come one after another."""

    def take_part(number: int) -> int:
        session = session_name(number)
        with httpx.Client(base_url=running.address, timeout=30, trust_env=False, verify=False) as client:
            assigned = int(client.get("/api/assignment", params={"session": session}).json()["list"])
            ready.wait()
            values = session_records(session, assigned, experiment) * 2
            random.Random(number).shuffle(values)
            answers = [client.post("/api/records", json=value) for value in values]
        assert [answer.json() for answer in answers] == [{"stored": True}] * len(values)
        return assigned

    with serving(folder, tmp_path) as running:
        ready = Barrier(12)  # all have their list before anybody goes on
        with ThreadPoolExecutor(12) as pool:
            lists = Counter(pool.map(take_part, range(12)))
        assert lists == {1: 4, 2: 4, 3: 4}
        ready = Barrier(1)
        assert [take_part(number) for number in range(12, 15)] == [1, 2, 3]
        progress = running.progress()
    assert {row["list"]: row["completed"] for row in progress["lists"]} == {1: 5, 2: 5, 3: 5}
    assert (progress["begun"], progress["completed"], progress["records"]) == (15, 15, 15 * 9)


def test_what_was_acknowledged_survives_kill(tmp_path: Path, folder: Path, experiment: Experiment) -> None:
    session = session_name(1)
    values = session_records(session, 1, experiment)
    with serving(folder, tmp_path) as running:
        assert running.list_of(session) == 1
        assert all(running.send(value).is_success for value in values[:4])
        running.end(signal.SIGKILL)
    with serving(folder, tmp_path) as running:
        assert running.progress()["records"] == 4
        assert running.list_of(session) == 1
        # The browser does not know whether the last one arrived, and sends it again.
        assert all(running.send(value).is_success for value in values[3:])
        running.end(signal.SIGKILL)
    check = winoforge("experiment", "serve", folder, "--data", tmp_path, "--check")
    assert "1 session begun, 1 completed, 0 withdrawn, 9 records" in check.stdout


def test_a_withdrawn_session_leaves_its_count(server: Server, experiment: Experiment) -> None:
    session = session_name(700)
    before = server.progress()
    values = session_records(session, server.list_of(session), experiment)
    withdrawal = {**values[-1], "record": "withdrawn"}
    assert [server.send(value).json()["stored"] for value in (*values[:5], withdrawal, values[5])] == [True] * 5 + [
        False
    ] * 2
    after = server.progress()
    changes = [after[key] - before[key] for key in ("begun", "completed", "withdrawn", "records")]
    assert changes == [1, 0, 1, 0]
    assert server.client.get("/api/assignment", params={"session": session}).status_code == 410


def test_no_address_no_program_and_no_time_is_stored(tmp_path: Path, folder: Path, experiment: Experiment) -> None:
    with serving(folder, tmp_path) as running:
        running.client.headers["User-Agent"] = "Lesezeichen/7"
        values = session_records(session_name(1), running.list_of(session_name(1)), experiment)
        assert all(running.send(value).is_success for value in values)
        status, out, err = running.end()
    assert status == 0
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Hessen" in left
    assert not re.search(rb"Lesezeichen|127\.0\.0\.1|20\d\d-\d\d|\d\d:\d\d:\d\d", left)
    assert "127.0.0.1" not in out + err


# --- what it refuses --------------------------------------------------------------------------------------------------

DEEP = "[" * 1500 + "]" * 1500


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ("", 400, "[json] not JSON"),
        ("null", 400, "[json] expected an object"),
        ("[]", 400, "[json] expected an object"),
        (DEEP, 400, "[json]"),
        ('{"a": NaN}', 400, "[json] not JSON; NaN"),
        ('{"session": "a", "session": "b"}', 400, "duplicate key"),
        ('{"session": "\\ud800"}', 400, "half of a surrogate pair"),
        ("{}", 400, "[session] missing field"),
        ('{"data": {"rt_answer_ms": 1e999}}', 400, "out of range"),
        (" " * (MAX_RECORD + 1), 413, "[record] too long"),
    ],
)
def test_what_is_no_record_is_refused(server: Server, body: str, status: int, reason: str) -> None:
    response = server.client.post("/api/records", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == status
    assert reason in response.json()["error"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"session": "' OR 1=1; DROP TABLE records;--"}, "[session]"),
        ({"session": "../../../etc/passwd/aaaa"}, "[session]"),
        ({"session": "ｆ" * 20}, "[session]"),
        ({"session": 7}, "[session]"),
        ({"list": 4}, "[list] unknown list; found 4"),
        ({"list": True}, "[list]"),
        ({"sequence": -1}, "[sequence]"),
        ({"sequence": 1.0}, "[sequence]"),
        ({"sequence": 10**6}, "[sequence]"),
        ({"record": "DELETE"}, "[record]"),
        ({"data": []}, "[data]"),
        ({"address": "10.0.0.1"}, "[address] unknown field"),
        ({"record": "start", "data": {"name": "A"}}, "[name] unknown field"),
        ({"record": "background", "data": {}}, "[language] missing field"),
    ],
)
def test_a_record_outside_the_contract_is_refused(
    server: Server, record: dict[str, Any], change: dict[str, Any], reason: str
) -> None:
    before = server.progress()
    response = server.send(record | change)
    assert response.status_code == 400
    assert reason in response.json()["error"]
    assert server.progress() == before


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"position": 7}, "[position] not in list 2; found 7, expected 1 to 6"),
        ({"id": "de-001-2"}, "[id] found 'de-001-2' for list 2, position 2, expected 'de-002-2'"),
        ({"part": "filler"}, "[part] found 'filler'"),
        ({"answer": "der"}, "[answer] found 'der', expected one of er, sie, es"),
        ({"answer": {"a": {"b": []}}}, "[answer]"),
        ({"confidence": 6}, "[confidence]"),
        ({"confidence": None}, "[confidence]"),
        ({"rt_answer_ms": 0}, "[rt_answer_ms]"),
        ({"rt_answer_ms": -3}, "[rt_answer_ms]"),
        ({"rt_confidence_ms": "640"}, "[rt_confidence_ms]"),
        ({"input": "voice"}, "[input]"),
        ({"remark": "ruf mich an"}, "[remark] unknown field"),
    ],
)
def test_a_trial_that_the_list_does_not_show_is_refused(
    server: Server, record: dict[str, Any], change: dict[str, Any], reason: str
) -> None:
    response = server.send(record | {"data": record["data"] | change})
    assert response.status_code == 400
    assert reason in response.json()["error"]


@pytest.mark.parametrize("session", ["", "a", "a" * 65, "'; DROP TABLE sessions; --", "ä" * 20, "\0" * 20])
def test_no_list_for_what_is_no_session(server: Server, session: str) -> None:
    assert server.client.get("/api/assignment", params={"session": session}).status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "example.org"}, 403),  # a name that somebody points at 127.0.0.1
        ({"Content-Type": "text/plain"}, 415),  # what a page from elsewhere can send without asking
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_page_from_elsewhere_can_send_nothing(
    server: Server, record: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    before = server.progress()
    body = json.dumps(record | {"session": session_name(800)})
    response = server.client.post("/api/records", content=body, headers={"Content-Type": "application/json", **headers})
    assert response.status_code == status
    assert server.progress() == before


def test_the_counts_are_for_this_machine_alone(server: Server) -> None:
    assert "sessions begun" in server.client.get("/progress").text
    for path in ("/progress", "/api/progress"):
        assert server.client.get(path, headers={"X-Forwarded-For": "10.0.0.7"}).status_code == 403
    assert not is_experimenter("10.0.0.7", {})
    assert not is_experimenter(None, {})


def test_the_server_goes_on_after_all_this(server: Server, record: dict[str, Any]) -> None:
    assert server.process.poll() is None
    assert server.send(record).json() == {"stored": True}
    assert server.send(record).json() == {"stored": True}
    assert server.send(record | {"data": record["data"] | {"answer": "es"}}).status_code == 409


# --- policies ---------------------------------------------------------------------------------------------------------


def test_the_policy_names_each_inline_script() -> None:
    page = "<script>a\r\nb</script><SCRIPT type=module>if (1 < 2) '</p>'</SCRIPT><script src=x.js></script><style>p {}</style>"
    expected = [b64encode(sha256(text).digest()).decode() for text in (b"a\nb", b"if (1 < 2) '</p>'")]
    assert re.findall(r"'sha256-([^']+)'", content_policy(page)) == expected
    assert "script-src 'none'" in content_policy("<p>none</p>")


def test_beyond_this_machine_any_name_of_the_server_is_right() -> None:
    headers = {"host": "labor.example:8000", "origin": "http://labor.example:8000"}
    assert is_own_request(headers, loopback=False)
    assert not is_own_request(headers, loopback=True)
    assert not is_own_request(headers | {"origin": "http://example.org"}, loopback=False)
    assert is_own_request({"host": "[::1]:8000"}, loopback=True)
    assert is_own_request({"host": "localhost"}, loopback=True)


def test_behind_a_proxy_its_own_origin_is_right(tmp_path: Path, folder: Path, experiment: Experiment) -> None:
    """A proxy gives its own host (lab.example) or that of the server, as nginx does if nobody tells it otherwise."""
    value = session_records(session_name(1), 1, experiment)[0]
    with serving(folder, tmp_path, "--origin", "https://lab.example/") as running:
        for host in ("lab.example", running.client.base_url.netloc.decode()):
            own, other = ({"Host": host, "Origin": origin} for origin in ("https://lab.example", "https://example.org"))
            assert running.client.get("/", headers={"Host": host}).status_code == 200
            assert running.client.post("/api/records", json=value, headers=own).status_code == 200
            assert running.client.post("/api/records", json=value, headers=other).status_code == 403


@pytest.mark.parametrize(
    "origin", ["lab.example", "https://lab.example/experiment", "ftp://lab.example", "https://a:b@lab.example"]
)
def test_what_is_no_origin_is_refused(tmp_path: Path, folder: Path, origin: str) -> None:
    run = winoforge("experiment", "serve", folder, "--data", tmp_path, "--origin", origin, "--check")
    assert run.returncode == 2
    assert run.stderr.startswith("[origin] ")


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_the_counts(tmp_path: Path, folder: Path, number: int) -> None:
    with serving(folder, tmp_path) as running:
        running.list_of(session_name(1))
        status, out, err = running.end(number)
    assert (status, err) == (0, "")
    assert "results.sqlite: 1 session begun, 0 completed, 0 withdrawn, 0 records\n" in out
    assert [path.name for path in tmp_path.iterdir()] == ["results.sqlite"]


def test_an_open_address_is_warned_of(tmp_path: Path, folder: Path) -> None:
    with serving(folder, tmp_path, "--host", "0.0.0.0") as running:
        assert running.lines[0].startswith("warning: 0.0.0.0 can be reached from other machines, without encryption")


def test_a_port_in_use_is_refused(tmp_path: Path, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        run = winoforge("experiment", "serve", folder, "--data", tmp_path / "data", "--port", port)
    assert run.returncode == 2
    assert run.stderr == f"[port] cannot listen on 127.0.0.1, port {port}; Address already in use\n"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "a" * 300])
def test_an_address_of_another_machine_is_refused(tmp_path: Path, folder: Path, host: str) -> None:
    run = winoforge("experiment", "serve", folder, "--data", tmp_path, "--host", host)
    assert run.returncode == 2
    assert run.stderr.startswith(f"[port] cannot listen on {host}")
    assert run.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "file").touch()
    run = winoforge("experiment", "serve", folder, "--data", tmp_path / "file", "--check")
    assert run.returncode == 2
    assert "file/results.sqlite: [data] cannot be written; " in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("trials.jsonl", None, "trials.jsonl: [file] cannot be read"),
        ("index.html", None, "index.html: [file] cannot be read"),
        ("trials.jsonl", "", "trials.jsonl:1: [trial] empty file"),
        ("trials.jsonl", '{"id": "a"}\n', "trials.jsonl:1: [list] missing field"),
    ],
)
def test_what_is_no_experiment_is_refused(tmp_path: Path, name: str, content: str | None, reason: str) -> None:
    folder = write_experiment(tmp_path / "experiment")
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_text(content)
    run = winoforge("experiment", "serve", folder, "--data", tmp_path / "data", "--check")
    assert run.returncode == 2
    assert reason in run.stderr
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()
