"""The Label Studio server that `make labelstudio` starts."""

import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import Refused
from tools.labelstudio import LOOPBACK, Server, administrator


@contextlib.contextmanager
def browser_of(server: Server, username: str, password: str) -> Iterator[httpx.Client]:
    """What a person has who typed these two on the page."""
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as browser:
        browser.get("/user/login/")
        form = {"email": username, "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        browser.post("/user/login/", data=form, headers={"Referer": server.url})
        yield browser


def test_passwords_open_the_pages(server: Server) -> None:
    for account in (server.admin, server.add_account("wei@localhost.invalid")):
        with browser_of(server, account.username, account.password) as browser:
            assert browser.get("/api/current-user/whoami").json()["email"] == account.username
    with browser_of(server, server.admin.username, "wrong") as browser:
        assert browser.get("/api/current-user/whoami").status_code == 401


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
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as admin:
        users = admin.get("/api/users/", headers={"Authorization": f"Token {server.token}"}).raise_for_status().text
    assert server.admin.username in users
    assert "stranger@localhost.invalid" not in users


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
