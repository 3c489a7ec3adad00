"""Secrets from the environment or the keyring."""

import os
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from pipeline.core.servers.secrets import KEY, TOKEN, access_token, pseudonym_key
from tests.conftest import Refused


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
