"""A real Label Studio server for the tests that talk to one.

Where pytest runs with several workers, its controller starts the server in the background as soon as it knows that a test
needs one: the start takes half a minute, in which other tests run.
"""

import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from tests.support.needs import need
from tools.labelstudio import READY_SECONDS, VENV, Server, running

#: Memory, where there is a folder for it: the server waits for the disk at every answer that it keeps.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
#: The environment variable that names the folder of the shared server to the workers.
FOLDER = "WINOFORGE_TEST_SERVER"


def installed() -> None:
    """Skip where the server is not installed; in CI that is a failure."""
    installed = (VENV / "bin" / "label-studio").exists()
    need("Label Studio", "" if installed else f"none in {VENV}; `make labelstudio` installs it")


class SharedServer:
    """The server of a run with several workers, which its controller starts in the background and stops at the end."""

    def __init__(self, config: pytest.Config) -> None:
        """Make the folder in which the workers find the server; it goes with the server when pytest ends."""
        config.add_cleanup(self.stop)
        self.folder = Path(tempfile.mkdtemp(prefix="labelstudio-", dir=MEMORY))
        self._server: Server | None = None
        self._thread = threading.Thread(target=self._start)
        os.environ[FOLDER] = str(self.folder)

    def start(self) -> None:
        """Start the server and return at once; a second call changes nothing."""
        if self._thread.ident is None and (VENV / "bin" / "label-studio").exists():
            self._thread.start()

    def _start(self) -> None:
        try:
            self._server = Server(self.folder / "data", environment={})
            self._server.start()
        except PipelineError as error:
            self._tell("failed", str(error))
        else:
            self._tell("port", str(self._server.port))

    def _tell(self, name: str, text: str) -> None:
        (self.folder / "message").write_text(text, encoding="utf-8")
        (self.folder / "message").replace(self.folder / name)

    def stop(self) -> None:
        """Stop the server and delete its folder."""
        if self._thread.ident is not None:
            self._thread.join()
        if self._server is not None:
            self._server.stop()
        shutil.rmtree(self.folder)


def join(folder: Path) -> Server:
    """Wait for the shared server and return it."""
    give_up = time.monotonic() + READY_SECONDS
    while not (folder / "port").exists():
        if (folder / "failed").exists():
            pytest.fail((folder / "failed").read_text(encoding="utf-8"))
        if time.monotonic() > give_up:
            pytest.fail(f"the controller started no Label Studio in {READY_SECONDS} s")
        time.sleep(0.05)
    return Server(folder / "data", int((folder / "port").read_text(encoding="utf-8")), environment={})


@contextlib.contextmanager
def temporary_server() -> Iterator[Server]:
    """Run a server whose data go with it."""
    with (
        tempfile.TemporaryDirectory(prefix="labelstudio-", dir=MEMORY) as folder,
        running(Path(folder) / "data", environment={}) as started,
    ):
        yield started


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests; each makes its own projects, and none stops it."""
    installed()
    if FOLDER in os.environ:
        yield join(Path(os.environ[FOLDER]))
        return
    with temporary_server() as started:
        yield started


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server for one test, which may kill it and start it again."""
    installed()
    with temporary_server() as started:
        yield started
