"""A PostgreSQL server for the tests that talk to one, started from Debian's packages and gone with them."""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.labelstudio import installed
from tests.support.needs import need
from tools.labelstudio import LOOPBACK, VENV, free_port, label_studio
from tools.postgresql import Database

#: Where Debian keeps the programs of each version, and where others are found on the path.
DEBIAN = Path("/usr/lib/postgresql")
#: PostgreSQL refuses to run as root. Debian's package makes this account; no other account needs it.
ACCOUNT = "postgres"
#: The role that makes databases and roles, and the one that owns the databases of Label Studio and may do nothing else.
SUPERUSER, ROLE = "postgres", "wei@study"
#: The password of both, which an address can hold only if it is encoded.
PASSWORD = f"s:/?#[%@ {secrets.token_hex(8)}"
#: A database of Label Studio without accounts, made once for this installation: the migration takes most of a first start.
MIGRATED = VENV / "migrated.sql"


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; None if it is not installed."""
    newest = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name))
    initdb = newest[-1] if newest else shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


@dataclass(frozen=True)
class Cluster:
    """A running server with its data."""

    programs: Path  # the folder of PostgreSQL's programs
    folder: Path  # what goes with the server
    port: int = field(default_factory=free_port)  # its port on loopback

    def database(self, name: str) -> Database:
        """Return the address of a database, whether it exists or not."""
        return Database(LOOPBACK, self.port, name, ROLE, PASSWORD)

    def url(self, name: str) -> str:
        """Return the same address as a user gives it."""
        return f"postgresql://{quote(ROLE, safe='')}:{quote(PASSWORD, safe='')}@{LOOPBACK}:{self.port}/{quote(name)}"

    def sql(self, database: str, statement: str) -> str:
        """Run a statement as the superuser and return what psql prints of its rows."""
        psql = ("psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align")
        return self._client(SUPERUSER, *psql, "--command", statement, database)

    def create(self, database: str) -> None:
        """Make an empty database that `ROLE` owns."""
        self._client(SUPERUSER, "createdb", "--owner", ROLE, database)

    def load(self, database: str, script: Path) -> None:
        """Run the statements of a file as `ROLE`."""
        psql = ("psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1")
        self._client(ROLE, *psql, "--file", str(script), database)

    def dump(self, database: str, script: Path) -> None:
        """Write the statements that make a database again, without its owner."""
        self._client(ROLE, "pg_dump", "--no-owner", "--file", str(script), database)

    def start(self) -> None:
        """Make the cluster and start its server, which then accepts connections."""
        password = self.folder / "password"
        password.write_text(f"{PASSWORD}\n", encoding="utf-8")
        data = self.folder / "data"
        if os.geteuid() == 0:
            for path in (self.folder, password):
                shutil.chown(path, ACCOUNT)
        initialise = ["--username", SUPERUSER, "--pwfile", password, "--auth", "scram-sha-256", "--encoding", "UTF8"]
        self._server("initdb", "--pgdata", data, *initialise, "--locale", "C.UTF-8", "--no-sync")
        password.unlink()
        settings = {"port": self.port, "listen_addresses": LOOPBACK, "unix_socket_directories": self.folder}
        settings |= dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes"), "off")
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._server("pg_ctl", "--pgdata", data, "--wait", "--log", self.folder / "log", "--options", options, "start")
        self.sql("postgres", f"CREATE ROLE \"{ROLE}\" LOGIN PASSWORD '{PASSWORD}'")

    def stop(self) -> None:
        """End the server, whoever is connected."""
        self._server("pg_ctl", "--pgdata", self.folder / "data", "--wait", "--mode", "immediate", "stop")

    def _server(self, program: str, *arguments: object) -> None:
        """Run a program as the account of the server, with its output in a file that a server left behind cannot keep open."""
        with (self.folder / "output").open("w+", encoding="utf-8") as output:
            done = subprocess.run(
                [self.programs / program, *map(str, arguments)],
                cwd=self.folder,
                env={"PATH": os.defpath, "LANG": "C.UTF-8"},
                user=ACCOUNT if os.geteuid() == 0 else None,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            output.seek(0)
            assert done.returncode == 0, f"{program}: {output.read()}"

    def _client(self, role: str, program: str, *arguments: str) -> str:
        address = {"PGHOST": LOOPBACK, "PGPORT": str(self.port), "PGUSER": role, "PGPASSWORD": PASSWORD}
        done = subprocess.run(
            [self.programs / program, *arguments],
            env={"PATH": os.defpath, "LANG": "C.UTF-8", **address},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL server for all tests, without databases of ours."""
    folder_of_programs = programs()
    need("PostgreSQL", "" if folder_of_programs else "not installed; Debian's package is postgresql")
    assert folder_of_programs is not None
    with tempfile.TemporaryDirectory(prefix="postgresql-") as folder:
        made = Cluster(folder_of_programs, Path(folder))
        made.start()
        try:
            yield made
        finally:
            made.stop()


@pytest.fixture
def migrated(cluster: Cluster, tmp_path: Path) -> Iterator[Database]:
    """A database as Label Studio's first start leaves it, without accounts."""
    installed()
    database = cluster.database("labels")
    cluster.create("labels")
    if MIGRATED.exists():
        cluster.load("labels", MIGRATED)
    else:
        log = tmp_path / "log"
        status = label_studio(["init", "--quiet"], tmp_path, log, {}, database).wait()
        assert status == 0, log.read_text(encoding="utf-8")
        cluster.dump("labels", MIGRATED.with_suffix(".tmp"))
        MIGRATED.with_suffix(".tmp").replace(MIGRATED)
    yield database
    cluster.sql("postgres", "DROP DATABASE labels WITH (FORCE)")
