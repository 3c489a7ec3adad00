"""A real Label Studio server for the tests that talk to one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.labelstudio import VENV, Server, running


def installed() -> None:
    """Skip where the server is not installed; in CI that is a failure."""
    if (VENV / "bin" / "label-studio").exists():
        return
    missing = f"no Label Studio in {VENV}; `make labelstudio` installs it"
    if "CI" in os.environ:
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests; each makes its own projects, and none stops it."""
    installed()
    with running(tmp_path_factory.mktemp("labelstudio") / "data", environment={}) as started:
        yield started


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it and start it again."""
    installed()
    with running(tmp_path / "data", environment={}) as started:
        yield started
