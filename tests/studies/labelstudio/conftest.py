"""What the tests of whole studies share: the accounts of their raters, and the secrets of the commands."""

import pytest

from tests.support.rounds import RATERS
from tools.labelstudio import Account, Server


@pytest.fixture(scope="session")
def raters(server: Server) -> list[Account]:
    """Accounts that `tests.support.rounds` lets work."""
    return [server.add_account(f"rater{number}@localhost.invalid") for number in range(RATERS)]


@pytest.fixture
def secrets(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `annotate push` and `annotate pull` read from the environment."""
    monkeypatch.setenv("WINOFORGE_LABEL_STUDIO_TOKEN", server.token)
    monkeypatch.setenv("WINOFORGE_PSEUDONYM_KEY", "a lantern in the fog")
