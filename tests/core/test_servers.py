"""Servers: addresses, waits between attempts, secrets from the environment or the keyring."""

import os
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from pipeline.core.errors import PipelineError
from pipeline.core.servers import (
    KEY,
    LONGEST,
    TOKEN,
    WAITS,
    Progress,
    Retries,
    TemporaryFailure,
    access_token,
    is_temporary,
    pseudonym_key,
    retry_after,
    server_address,
)
from tests.conftest import Refused


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "ftp://a",
        "http://",
        "example.org",
        "file:///a",
        "http://a#b",
        "http://a:x",
        "http://a:b@c",
        "http://a?b",
        "http://a:99999",
        "http://[",
        "http://a b",
        "http://:secret@127.0.0.1:1",
        "http://192.168.1.300:8080",
        "http://[v1.a]/",
        f"http://{64 * 'a'}/",
    ],
)
def test_an_invalid_address_is_refused(url: str, refused: Refused) -> None:
    refused(lambda: server_address(url, "url"), "", "url")


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8080", "http://[::1]:8080", "http://标注.invalid", "http://1.example", "https://a.invalid/b"],
)
def test_a_host_is_a_name_or_a_number_and_a_path_may_follow(url: str) -> None:
    assert server_address(url, "url") == server_address(f"{url}/", "url") == url


def test_a_password_is_refused_and_not_quoted(refused: Refused) -> None:
    assert "secret" not in refused(lambda: server_address("https://me:secret@a/", "mirror"), "", "mirror")


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def retries(waited: list[float], lines: list[str]) -> Retries:
    return Retries(Progress(lines.append, waited.append))


def test_waits_grow_and_start_again_after_a_success(retries: Retries, waited: list[float], lines: list[str]) -> None:
    for wait in (None, None, 30.0):
        retries.wait(TemporaryFailure("http://a: status 503", wait))
    retries.reset()
    retries.wait(TemporaryFailure("http://a: ReadTimeout"))
    assert waited == [1.0, 2.0, 30.0, 1.0]
    assert lines[-1] == "http://a: ReadTimeout; next attempt in 1 s"


def test_too_many_failures_end_it(retries: Retries, waited: list[float]) -> None:
    for _ in WAITS:
        retries.wait(TemporaryFailure("http://a: status 503"))
    with pytest.raises(PipelineError, match=r"\[server\] given up after 7 attempts; found http://a: status 503; run"):
        retries.wait(TemporaryFailure("http://a: status 503"))
    assert waited == list(WAITS)


def test_a_server_may_ask_for_the_longest_wait_and_no_more(retries: Retries, waited: list[float]) -> None:
    retries.wait(TemporaryFailure("busy", LONGEST))
    with pytest.raises(PipelineError, match=r"\[server\] asks to wait 301 s; found busy; run"):
        retries.wait(TemporaryFailure("busy", LONGEST + 1))
    assert waited == [LONGEST]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 503, 599])
def test_temporary_statuses(status: int) -> None:
    assert is_temporary(status)


@pytest.mark.parametrize("status", [200, 301, 400, 401, 403, 404, 410, 416])
def test_other_statuses_are_final(status: int) -> None:
    assert not is_temporary(status)


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("Sat, 01 Nov 2025 10:00:00 GMT", 10.0),  # 10:00:00 is second 1761991200
        ("Sat, 01 Nov 2025 10:00:00 -0000", 10.0),  # a date without a zone is in UTC
        ("Sat, 01 Nov 2025 09:00:00 GMT", 0.0),
        (" 7 ", 7.0),
        ("9" * 10, None),
        ("Sat, 01 Nov 99999 10:00:00 GMT", None),
        ("-3", None),
        ("1.5", None),
        ("٣", None),
        ("", None),
    ],
)
def test_retry_after_is_a_number_of_seconds_or_a_date(value: str, wait: float | None) -> None:
    assert retry_after({"RETRY-AFTER": value, "Date": "1"}, 1_761_991_190.0) == wait
    assert retry_after({}) is None


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
def test_the_environment_comes_before_the_keyring(drawer: Drawer) -> None:
    assert access_token({TOKEN: "named\n"}).value == "named"
    assert access_token({}).value == "kept"
    assert access_token({TOKEN: " "}).value == "kept"
    assert pseudonym_key({}).value == "k" * 16
    assert "kept" not in repr(access_token({}))


@pytest.mark.parametrize("drawer", [Drawer(None), Drawer(None, locked=True)], indirect=True)
def test_a_missing_secret_is_asked_for(drawer: Drawer, refused: Refused) -> None:
    for name, ask in ((TOKEN, access_token), (KEY, pseudonym_key)):
        line = refused(lambda ask=ask: ask({}), "", name)  # type: ignore[misc]
        assert ("KeyringLocked" if drawer.locked else f"keyring set winoforge {name}") in line


def test_a_key_of_raw_bytes_is_refused(refused: Refused) -> None:
    raw = os.fsdecode(bytes(range(0x80, 0xA0)))  # as `openssl rand 32` without -hex gives it to the environment
    assert "-hex" in refused(lambda: pseudonym_key({KEY: raw}), "", KEY)


def test_a_short_key_is_refused(refused: Refused) -> None:
    assert "hunter2" not in refused(lambda: pseudonym_key({KEY: "hunter2"}), "", KEY)
