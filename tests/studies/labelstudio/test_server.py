"""The Label Studio server that `make labelstudio` starts."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from label_studio_sdk import LabelStudio
from label_studio_sdk.core.api_error import ApiError

from tests.conftest import ROOT, Refused
from tests.support.labelstudio import installed
from tests.support.postgresql import free_port
from tools.labelstudio import LOOPBACK, Server, administrator

CONFIG = """
<View><Text name="text" value="$text"/>
<Choices name="who" toName="text"><Choice value="A"/><Choice value="B"/></Choices></View>
"""


@contextlib.contextmanager
def client(server: Server, token: str | None = None) -> Iterator[LabelStudio]:
    """The SDK over a connection that is closed after; it leaves its own open, and pytest finds that."""
    with httpx.Client(trust_env=False, timeout=60) as connection:
        yield LabelStudio(base_url=server.url, api_key=token or server.token, httpx_client=connection, max_retries=0)


@contextlib.contextmanager
def browser_of(server: Server, username: str, password: str) -> Iterator[httpx.Client]:
    """What a person has who typed these two on the page."""
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as browser:
        browser.get("/user/login/")
        form = {"email": username, "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        browser.post("/user/login/", data=form, headers={"Referer": server.url})
        yield browser


def test_the_token_is_the_administrators_and_another_is_refused(server: Server) -> None:
    with client(server) as admin:
        assert admin.users.whoami().email == server.admin.username
    with client(server, "f" * 40) as stranger, pytest.raises(ApiError) as caught:
        stranger.users.whoami()
    assert caught.value.status_code == 401


def test_the_password_of_the_file_opens_the_pages(server: Server) -> None:
    with browser_of(server, server.admin.username, server.admin.password) as browser:
        assert browser.get("/api/current-user/whoami").json()["email"] == server.admin.username
    with browser_of(server, server.admin.username, "wrong") as browser:
        assert browser.get("/api/current-user/whoami").status_code == 401


def test_an_account_annotates_under_its_own_name(server: Server) -> None:
    wei = server.add_account("wei@localhost.invalid")
    sentence = {"text": "李明把伞借给了王芳，因为他的车就停在楼下。"}
    choice = {"id": "1", "from_name": "who", "to_name": "text", "type": "choices", "value": {"choices": ["A"]}}
    with client(server) as admin, client(server, wei.token) as annotator:
        project = admin.projects.create(title="两个人", label_config=CONFIG)
        (task,) = admin.projects.import_tasks(project.id, request=[sentence], return_task_ids=True).task_ids
        made = annotator.annotations.create(task, result=[choice])
        by_id = {user.id: user.email for user in admin.users.list()}
    assert by_id[made.completed_by] == "wei@localhost.invalid"
    with browser_of(server, wei.username, wei.password) as browser:
        assert browser.get("/api/current-user/whoami").json()["id"] == made.completed_by


def test_an_address_has_one_account(server: Server, refused: Refused) -> None:
    server.add_account("fang@localhost.invalid")
    refused(lambda: server.add_account("fang@localhost.invalid"), "", "username")


def test_nobody_signs_up_without_an_invitation(server: Server) -> None:
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as stranger:
        stranger.get("/user/login/")
        form = {
            "email": "stranger@localhost.invalid",
            "password": "let-me-in-please",
            "csrfmiddlewaretoken": stranger.cookies["csrftoken"],
        }
        assert stranger.post("/user/signup/", data=form, headers={"Referer": server.url}).status_code == 403
    with client(server) as admin:
        assert "stranger@localhost.invalid" not in {user.email for user in admin.users.list()}


def test_pages_load_nothing_from_elsewhere(server: Server) -> None:
    with browser_of(server, server.admin.username, server.admin.password) as browser:
        for path in ("/user/login/", "/projects/"):
            answer = browser.get(path, follow_redirects=True)
            assert answer.status_code == 200
            loaded = re.findall(r"""<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=["']([^"']+)""", answer.text)
            assert len(loaded) > 3, f"the pattern finds too little on {path}"
            assert [url for url in loaded if re.match(r"(https?:)?//", url)] == []
            assert "sentry.io" not in answer.text


def test_a_secret_stands_in_one_file(server: Server) -> None:
    credentials = server.data_dir / "credentials.json"
    assert server.admin.password in credentials.read_text(encoding="utf-8")
    for secret in (server.admin.password, server.admin.token):
        assert secret not in repr(server.admin)
        assert secret not in server.log.read_text(encoding="utf-8")
    files = [path for path in server.data_dir.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []


def test_a_taken_port_is_refused(tmp_path: Path, refused: Refused) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        refused(Server(tmp_path / "data", taken.getsockname()[1], environment={}).start, "", "port")


def test_the_account_of_the_environment_is_the_first_users(tmp_path: Path) -> None:
    named = {"LABEL_STUDIO_USERNAME": "xin@localhost.invalid", "LABEL_STUDIO_PASSWORD": "seven-umbrellas"}
    made = administrator(tmp_path / "new", named)
    assert (made.username, made.password) == ("xin@localhost.invalid", "seven-umbrellas")
    assert re.fullmatch("[0-9a-f]{40}", made.token)
    assert administrator(tmp_path / "new", {}) == made
    assert administrator(tmp_path / "other", {}).token != made.token
    assert (tmp_path / "new" / "credentials.json").stat().st_mode & 0o777 == 0o600


def test_a_database_that_began_from_another_folder_is_refused(server: Server, tmp_path: Path, refused: Refused) -> None:
    server.require_account()
    stranger = Server(tmp_path, server.port, environment={})
    line = refused(stranger.require_account, f"{tmp_path / 'credentials.json'}:1", "token")
    assert "found status 401, expected the folder in which the database began" in line
    assert stranger.token not in line


def test_a_password_cannot_change_by_the_environment(tmp_path: Path, refused: Refused) -> None:
    administrator(tmp_path, {})
    changed = {"LABEL_STUDIO_PASSWORD": "another-one"}
    where = f"{tmp_path / 'credentials.json'}:1"
    line = refused(lambda: administrator(tmp_path, changed), where, "LABEL_STUDIO_PASSWORD")
    assert "another-one" not in line


@pytest.mark.parametrize(("text", "field"), [("{}\n", "keys"), ("", "keys"), ('{"username": ', "json")])
def test_a_broken_credentials_file_is_refused(tmp_path: Path, refused: Refused, text: str, field: str) -> None:
    path = tmp_path / "credentials.json"
    path.write_text(text, encoding="utf-8")
    refused(lambda: administrator(tmp_path, {}), f"{path}:1", field)


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    """`test_postgresql` ends it by SIGTERM."""
    installed()
    data, port = tmp_path / "data", free_port()
    command = [sys.executable, "-m", "tools.labelstudio", "--data", str(data), "--port", str(port)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LABEL_STUDIO_")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            printed = [process.stdout.readline() for _ in range(3)]
            assert httpx.get(f"http://{LOOPBACK}:{port}/health", trust_env=False).status_code == 200
        finally:
            process.send_signal(signal.SIGINT)
        printed.append(process.stdout.read())
    assert process.returncode == 0
    assert f"http://{LOOPBACK}:{port} is ready" in printed[1]
    assert administrator(data, {}).password not in "".join(printed)
    with socket.socket() as probe:
        assert probe.connect_ex((LOOPBACK, port)) != 0
