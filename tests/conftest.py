"""What all tests share: where the real data lie, and what an error of the pipeline looks like."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from pipeline.core.errors import PipelineError
from tests.support.labelstudio import own_server as own_server
from tests.support.labelstudio import server as server

ROOT = Path(__file__).resolve().parent.parent

# The main module of pytest-xdist's workers has no file: pyspark takes that for its own doctests, and exits.
if "PYTEST_XDIST_WORKER" in os.environ:
    sys.ps1 = ""

# A JVM that lives for a test is not worth its second compiler.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

hypothesis.settings.register_profile("winoforge", deadline=None, database=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("winoforge")


#: The files whose tests share what is slow to make: a build, a Label Studio server.
TOGETHER = {
    "tests/cli/test_make.py": "build",
    "tests/cli/test_raw_faults.py": "build",
    "tests/studies/labelstudio/test_demo.py": "server",
    "tests/studies/labelstudio/test_browser.py": "server",
    "tests/studies/labelstudio/test_push.py": "server",
    "tests/studies/labelstudio/test_roundtrip.py": "server",
    "tests/studies/labelstudio/test_server.py": "server",
}


class Scheduler(LoadScopeScheduling):
    """Runs the tests of a file in one process, and those of files that share something."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return TOGETHER.get(file, file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Return what says which process runs which tests."""
    return Scheduler(config, log)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the published collections, which are never copied into the repository."""
    folder = Path(os.environ.get("WINOFORGE_DATA") or ROOT.parent / "shared" / "data")
    if folder.is_dir():
        return folder
    missing = f"no real data at {folder}; set WINOFORGE_DATA to their folder"
    if "CI" in os.environ:
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


Refused = Callable[[Callable[[], object], str, str], str]


@pytest.fixture(scope="session")
def refused() -> Refused:
    """Checks that an action ends in one line of the form ``path:line: [field] reason``, and returns that line."""

    def check(action: Callable[[], object], where: str, field: str) -> str:
        with pytest.raises(PipelineError) as caught:
            action()
        message = str(caught.value)
        assert message.startswith(f"{where}: [{field}] " if where else f"[{field}] ")
        assert len(message.splitlines()) == 1
        return message

    return check


@dataclass(frozen=True)
class Built:
    """A copy of the repository's inputs that was built once, and what the build printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The default build, made once for all tests; one that changes it takes a copy."""
    from tests.cli.test_make import inputs, make

    folder = inputs(tmp_path_factory.mktemp("built"))
    run = make(folder, "build")
    assert run.returncode == 0, run.stderr
    return Built(folder, run.stdout)
