"""What all tests share: where the real data lie, and what an error of the pipeline looks like."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from pipeline.core.errors import PipelineError
from tests.support.building import built as built
from tests.support.labelstudio import SharedServer
from tests.support.labelstudio import own_server as own_server
from tests.support.labelstudio import server as server
from tests.support.needs import need, untested
from tests.support.postgresql import cluster as cluster
from tests.support.postgresql import migrated as migrated
from tools.published import VARIABLE, data_folder

ROOT = Path(__file__).resolve().parent.parent

# Programs that tests start, wherever they start them, run the code of this checkout.
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]).rstrip(
    os.pathsep
)


class SameModules(MetaPathFinder, Loader):
    """`winoforge`, as the installed package is called, is `pipeline` in tests: the same modules, not a second copy."""

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.partition(".")[0] == "winoforge" else None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(module.__name__.replace("winoforge", "pipeline", 1))


sys.meta_path.insert(0, SameModules())

# The main module of pytest-xdist's workers has no file: pyspark takes that for its own doctests, and exits.
if "PYTEST_XDIST_WORKER" in os.environ:
    sys.ps1 = ""

# A process that OpenMP has given threads cannot be forked, as the tests of signals do: the child would wait for them without end.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A JVM that lives for a test is not worth its second compiler.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

hypothesis.settings.register_profile("winoforge", deadline=None, database=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("winoforge")


#: The files whose tests share what is slow to make: samples of every kind of file, a Label Studio server.
TOGETHER = {
    "samples": tuple(
        f"tests/release/test_{name}.py" for name in ("defects", "derivation", "gate", "release_validation")
    ),
    "seeds": ("tests/cli/test_kills.py", "tests/test_fuzz.py"),
    "server": tuple(
        f"tests/studies/labelstudio/test_{name}.py"
        for name in ("roundtrip", "loops", "push", "screens", "demo", "server")
    ),
}
GROUPS = {file: name for name, files in TOGETHER.items() for file in files}
#: The files that take longest, in the order in which they start, so that no worker is left with a long one at the end.
#: Those of the server come after three others, because it takes half a minute to start in the background.
FIRST = (
    *TOGETHER["samples"],
    *(
        f"tests/{name}.py"
        for name in ("corpus/test_spark", "corpus/test_count", "cli/test_make", "cli/test_raw_faults")
    ),
    *TOGETHER["server"],
    "tests/studies/labelstudio/test_postgresql.py",
    *TOGETHER["seeds"],
    *(f"tests/{name}.py" for name in ("cli/test_recipes", "winograd/test_rules")),
    *(f"tests/{name}.py" for name in ("release/test_release", "cli/test_overlap", "cli/test_commands")),
)

SHARED = pytest.StashKey[SharedServer]()


class Scheduler(LoadScopeScheduling):
    """Runs the tests of a file in one process, and all that share a build or a server in one."""

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """Take what a worker collected, and start the server as soon as it is known that a test needs it."""
        if any(nodeid.startswith(TOGETHER["server"]) for nodeid in collection):
            self.config.stash[SHARED].start()
        super().add_node_collection(node, collection)

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return GROUPS.get(file, file)


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the server that the workers share, if there are any."""
    if config.getoption("dist", "no") != "no":
        config.stash[SHARED] = SharedServer(config)
    # Inspect leaves streams of anyio open after an evaluation; they hold no file and no socket. Tests take the first filter, what is
    # collected after them the second.
    config.addinivalue_line("filterwarnings", "ignore:Unclosed <MemoryObject:ResourceWarning")
    warnings.filterwarnings("ignore", "Unclosed <MemoryObject", ResourceWarning)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Return what says which process runs which tests."""
    return Scheduler(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say last what was not tested, and why."""
    lines = untested(terminalreporter.getreports("skipped"))
    if lines:
        terminalreporter.section("not tested here")
        for line in lines:
            terminalreporter.line(line)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the files that take longest to the front."""
    place = {file: number for number, file in enumerate(FIRST)}
    items.sort(key=lambda item: place.get(item.nodeid.split("::")[0], len(place)))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the published collections, which are never copied into the repository."""
    folder = data_folder()
    need(
        "published collections", "" if folder.is_dir() else f"no real data at {folder}; set {VARIABLE} to their folder"
    )
    return folder


@pytest.fixture(scope="session")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with files of every kind that the commands accept, small and made from our own collections."""
    from tools.fuzz.containers import PASSWORD
    from tools.fuzz.seeds import write_seeds

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WINOFORGE_ARCHIVE_PASSWORD", PASSWORD)
        folder = tmp_path_factory.mktemp("seeds")
        write_seeds(folder)
        yield folder


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
