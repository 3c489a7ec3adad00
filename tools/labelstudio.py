"""A Label Studio server on loopback, for trying out studies and for tests.

DATABASE_URL is read from the environment, to which make adds the variables of its command line: a password is in no recipe.
"""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import httpx
import typer

from pipeline.core.errors import PipelineError
from pipeline.core.files import parse_jsonl, read_text, to_json
from tools.postgresql import Database, database_of, require_database

VENV = Path(__file__).resolve().parent.parent / ".venv-labelstudio"
PROGRAM = VENV / "bin" / "label-studio"
LOOPBACK = "127.0.0.1"
#: Maximum time in seconds for a start. The first one migrates the database, which took 60 s on two busy cores.
READY_SECONDS = 240
#: The same where the database is on a server, each of whose answers may have to come from afar.
DATABASE_READY_SECONDS = 900
#: Maximum time in seconds for an orderly end.
STOP_SECONDS = 15

#: Settings that keep the server from contacting other machines. Sentry has a built-in address, which only an empty one replaces.
SETTINGS = {
    "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "true",
    "COLLECT_ANALYTICS": "False",
    "LATEST_VERSION_CHECK": "False",
    "CONVERTER_DOWNLOAD_RESOURCES": "False",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
    "LOG_LEVEL": "WARNING",
}
#: The environment variables that name the first account.
VARIABLES = {"username": "LABEL_STUDIO_USERNAME", "password": "LABEL_STUDIO_PASSWORD"}
DATABASE = "label_studio.sqlite3"


@dataclass(frozen=True)
class Account:
    """A user of the server. Its secrets are not in its repr."""

    username: str
    password: str = field(repr=False)
    token: str = field(repr=False)


def administrator(data_dir: Path, environment: Mapping[str, str]) -> Account:
    """Return the first account of a data folder, created where there is none; before, `environment` may name it (`VARIABLES`).

    It is in the folder's ``credentials.json``, which only the owner can read.

    Raises:
        PipelineError: `environment` and the folder name different accounts, or ``credentials.json`` is malformed.
    """
    path = data_dir / "credentials.json"
    named = {key: environment[name] for key, name in VARIABLES.items() if environment.get(name)}
    if not path.exists():
        account = {"username": "admin@localhost.invalid", "password": secrets.token_urlsafe(12)} | named
        account["token"] = secrets.token_hex(20)
        try:
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise PipelineError(
                data_dir, None, f"[data] {error.strerror}; expected a folder that exists or can be created"
            ) from error
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=data_dir, delete=False) as stream:  # mode 600
            stream.write(to_json(account) + "\n")
        Path(stream.name).replace(path)
    kept = next((row for _, row in parse_jsonl(read_text(path), path)), {})
    if set(kept) != {"username", "password", "token"}:
        raise PipelineError(
            path, 1, f"[keys] malformed account; found {sorted(kept)}, expected username, password and token"
        )
    for key, value in named.items():
        if value != kept[key]:
            raise PipelineError(path, 1, f"[{VARIABLES[key]}] found another {key}, expected that of the first start")
    return Account(**kept)


class Server:
    """A server with its data folder. It keeps its port and its accounts when it is started again."""

    def __init__(
        self,
        data_dir: Path,
        port: int = 0,
        environment: Mapping[str, str] = os.environ,
        database: Database | None = None,
    ) -> None:
        self.data_dir = data_dir.resolve()
        self.database = database
        self.admin = administrator(self.data_dir, environment)
        self.port = port or free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self.log = self.data_dir / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def token(self) -> str:
        """The legacy API token of the administrator."""
        return self.admin.token

    def start(self) -> None:
        """Start the server and return when it answers.

        Raises:
            PipelineError: the port is taken; the database cannot be used, or has other accounts than the folder; the server is not
                installed, ends, or is not ready in time.
        """
        # Label Studio would silently take the next port.
        with socket.socket() as probe:
            if probe.connect_ex((LOOPBACK, self.port)) == 0:
                raise PipelineError(None, None, f"[port] taken; found {self.port} in use, expected a free one")
        _require_installed()
        if self.database is not None:
            require_database(self.database, VENV / "bin" / "python")
        elif not (self.data_dir / DATABASE).exists():
            copied = self.data_dir / f"{DATABASE}.tmp"
            copied.touch(mode=0o600)
            shutil.copyfile(_migrated(), copied)
            copied.replace(self.data_dir / DATABASE)
        account = {name: getattr(self.admin, key) for key, name in VARIABLES.items()}
        account["LABEL_STUDIO_USER_TOKEN"] = self.token
        arguments = ["start", "--no-browser", "--internal-host", LOOPBACK, "--port", str(self.port)]
        self._process = label_studio(arguments, self.data_dir, self.log, account, self.database)
        try:
            self._await_ready()
            self.require_account()
        except BaseException:
            self.kill()
            raise

    def _await_ready(self) -> None:
        assert self._process is not None
        seconds = READY_SECONDS if self.database is None else DATABASE_READY_SECONDS
        give_up = time.monotonic() + seconds
        # The proxies that the environment names must not be used for loopback.
        with httpx.Client(base_url=self.url, trust_env=False, timeout=10) as client:
            while time.monotonic() < give_up:
                if (status := self._process.poll()) is not None:
                    raise PipelineError(self.log, None, f"[server] ended; found status {status}, expected it to run")
                with contextlib.suppress(httpx.TransportError):
                    if client.get("/health").status_code == httpx.codes.OK:
                        return
                time.sleep(0.05)
        raise PipelineError(self.log, None, f"[server] not ready; found no answer in {seconds} s")

    def require_account(self) -> None:
        """Check that the running server knows the administrator of the folder: its database may have begun from another folder.

        Raises:
            PipelineError: it does not.
        """
        authorised = {"Authorization": f"Token {self.token}"}
        try:
            status = httpx.get(
                f"{self.url}/api/current-user/whoami", headers=authorised, trust_env=False, timeout=60
            ).status_code
        except httpx.TransportError as error:
            reason = f"[server] ended or stopped answering; found {type(error).__name__}, expected it to run"
            raise PipelineError(self.log, None, reason) from None
        if status != httpx.codes.OK:
            reason = (
                f"[token] not of this database; found status {status}, expected the folder in which the database began"
            )
            raise PipelineError(self.data_dir / "credentials.json", 1, reason)

    def wait(self) -> int:
        """Wait for the end of the server and return its exit status."""
        assert self._process is not None
        return self._process.wait()

    def stop(self) -> None:
        """Ask the server to end; kill it if it does not."""
        if self._process is not None:
            self._process.terminate()  # a server started by a background shell ignores interrupts
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the server at once, as a failure of the machine would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def add_account(self, username: str) -> Account:
        """Create the account of an ordinary annotator through an invitation link, as a person would.

        Raises:
            PipelineError: the server refuses it, for example because the address has an account.
        """
        authorised = {"Authorization": f"Token {self.token}"}
        with httpx.Client(base_url=self.url, trust_env=False, timeout=60) as client:
            link = client.get("/api/invite", headers=authorised).raise_for_status().json()["invite_url"]
            client.cookies.clear()
            client.get(link).raise_for_status()
            password = secrets.token_urlsafe(12)
            form = {"email": username, "password": password, "csrfmiddlewaretoken": client.cookies["csrftoken"]}
            answer = client.post(link, data=form, headers={"Referer": self.url})
            if answer.status_code != httpx.codes.FOUND:
                raise PipelineError(
                    None, None, f"[username] refused; found {username!r}, expected a new e-mail address"
                )
            token = client.get("/api/current-user/token").raise_for_status().json()["token"]
        return Account(username, password, token)


@contextlib.contextmanager
def running(
    data_dir: Path, port: int = 0, environment: Mapping[str, str] = os.environ, database: Database | None = None
) -> Iterator[Server]:
    """Start a server with the data in `data_dir` (on a free port for port 0) and stop it at the end.

    With `database`, only the account and the log are in `data_dir`.

    Raises:
        PipelineError: as `administrator` and `Server.start`.
    """
    server = Server(data_dir, port, environment, database)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _migrated() -> Path:
    """Return a database without accounts, migrated once for this installation, because that takes most of a first start."""
    path = VENV / "migrated.sqlite3"
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=VENV if VENV.is_dir() else None) as folder:
            status = label_studio(["init", "--quiet"], Path(folder), Path(folder) / "log", {}).wait()
            if status:
                last = (Path(folder) / "log").read_text(encoding="utf-8").splitlines()[-1:]
                raise PipelineError(None, None, f"[labelstudio] no database; its log ends with {last}")
            (Path(folder) / DATABASE).replace(path)
    return path


def _require_installed() -> None:
    if not PROGRAM.exists():
        raise PipelineError(PROGRAM, None, "[labelstudio] not installed; run `make labelstudio`, which installs it")


def label_studio(
    arguments: list[str], data_dir: Path, log: Path, account: dict[str, str], database: Database | None = None
) -> "subprocess.Popen[bytes]":
    """Start Label Studio's program and return its process, in a group of its own and without most of our environment.

    Args:
        arguments: of the program; nothing secret, because every account of the machine sees them.
        data_dir: the folder of its data.
        log: the file to which its output is added.
        database: the database; None for SQLite in the folder.

    Raises:
        PipelineError: it is not installed.
    """
    _require_installed()
    # The rest of the environment is not passed on: a LABEL_STUDIO_*, DJANGO_* or proxy variable would change the server.
    environment = {"PATH": os.defpath, "HOME": str(data_dir), "LANG": "C.UTF-8"}
    environment["LABEL_STUDIO_BASE_DATA_DIR"] = str(data_dir)
    log.touch(mode=0o600)
    with log.open("ab") as stream:
        return subprocess.Popen(
            [PROGRAM, *arguments],
            cwd=data_dir,
            env=environment | SETTINGS | account | (database.settings if database else {}),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            umask=0o077,  # the database holds tokens
            start_new_session=True,  # Ctrl-C reaches only this process, which then stops the server in order
        )


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def main(
    data: Annotated[Path, typer.Option(help="Folder of the database.")] = Path(".labelstudio"),
    port: Annotated[int, typer.Option(help="Port on loopback.", min=1, max=65535)] = 8080,
) -> None:
    """Serve until Ctrl-C, from the PostgreSQL database that DATABASE_URL names, or from SQLite in the folder."""

    def ended(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    for ending in (signal.SIGINT, signal.SIGTERM):  # a background shell makes its children ignore SIGINT
        signal.signal(ending, ended)
    try:
        database = database_of(os.environ)
        typer.echo("Starting Label Studio takes some seconds, the first time a minute.")
        with running(data, port, database=database) as server:
            if database:
                typer.echo(f"Projects and answers are in the database {database}.")
            typer.echo(f"{server.url} is ready. Log in as {server.admin.username}; password and API token are in")
            typer.echo(f"{server.data_dir / 'credentials.json'}, which only you can read. Ctrl-C ends it.")
            status = server.wait()
        typer.echo(f"The server ended unexpectedly with status {status}; see {server.log}", err=True)
        raise typer.Exit(1)
    except PipelineError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("The server has ended; its data are kept.")


def program() -> None:
    """Run the server with the arguments of the command line."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()


if __name__ == "__main__":
    program()
