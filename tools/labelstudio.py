"""A Label Studio server on loopback, for annotators to try and for tests to talk to."""

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

VENV = Path(__file__).resolve().parent.parent / ".venv-labelstudio"
LOOPBACK = "127.0.0.1"
READY_SECONDS = 240  # a first start migrates the database, which took 60 s on two busy cores
STOP_SECONDS = 15

# Everything that would leave loopback is off: Sentry has an address built in that only an empty one replaces.
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


VARIABLES = {"username": "LABEL_STUDIO_USERNAME", "password": "LABEL_STUDIO_PASSWORD"}
DATABASE = "label_studio.sqlite3"


@dataclass(frozen=True)
class Account:
    """Who can log in; its secrets stay out of what is printed of it."""

    username: str
    password: str = field(repr=False)
    token: str = field(repr=False)


def administrator(data_dir: Path, environment: Mapping[str, str]) -> Account:
    """Return the account of a data folder's first user, made up where there is none yet.

    Args:
        data_dir: the folder; ``credentials.json`` in it holds the account, and only its owner may read it.
        environment: may name the account before the first start (`VARIABLES`).

    Raises:
        PipelineError: `environment` names another account than the folder has.
    """
    path = data_dir / "credentials.json"
    named = {key: environment[name] for key, name in VARIABLES.items() if environment.get(name)}
    if not path.exists():
        made = {"username": "admin@localhost.invalid", "password": secrets.token_urlsafe(12)} | named
        made["token"] = secrets.token_hex(20)
        try:
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise PipelineError(
                data_dir, None, f"[data] {error.strerror}; expected a folder, or room for one"
            ) from error
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=data_dir, delete=False) as stream:  # mode 600
            stream.write(to_json(made) + "\n")
        Path(stream.name).replace(path)
    kept = next((row for _, row in parse_jsonl(read_text(path), path)), {})
    if set(kept) != {"username", "password", "token"}:
        raise PipelineError(path, 1, f"[keys] no account; found {sorted(kept)}, expected username, password and token")
    for key, value in named.items():
        if value != kept[key]:
            raise PipelineError(path, 1, f"[{VARIABLES[key]}] found another {key}, expected that of the first start")
    return Account(**kept)


class Server:
    """A server over one data folder; it keeps its port and its accounts when it is started again."""

    def __init__(self, data_dir: Path, port: int = 0, environment: Mapping[str, str] = os.environ) -> None:
        self.data_dir = data_dir.resolve()
        self.admin = administrator(self.data_dir, environment)
        self.port = port or _free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self.log = self.data_dir / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def token(self) -> str:
        """The legacy API token of the administrator."""
        return self.admin.token

    def start(self) -> None:
        """Start and return when the server answers.

        Raises:
            PipelineError: the port is taken, the server is not installed, ends or does not get ready.
        """
        # Label Studio would take the next port without a word.
        with socket.socket() as probe:
            if probe.connect_ex((LOOPBACK, self.port)) == 0:
                raise PipelineError(None, None, f"[port] taken; found {self.port} in use, expected a free one")
        if not (self.data_dir / DATABASE).exists():
            copied = self.data_dir / f"{DATABASE}.tmp"
            copied.touch(mode=0o600)
            shutil.copyfile(_migrated(), copied)
            copied.replace(self.data_dir / DATABASE)
        account = {name: getattr(self.admin, key) for key, name in VARIABLES.items()}
        account["LABEL_STUDIO_USER_TOKEN"] = self.token
        arguments = ["start", "--no-browser", "--internal-host", LOOPBACK, "--port", str(self.port)]
        self._process = _label_studio(arguments, self.data_dir, self.log, account)
        try:
            self._await_ready()
        except BaseException:
            self.kill()
            raise

    def _await_ready(self) -> None:
        assert self._process is not None
        give_up = time.monotonic() + READY_SECONDS
        # Proxies of the environment have no say about loopback.
        with httpx.Client(base_url=self.url, trust_env=False, timeout=10) as client:
            while time.monotonic() < give_up:
                if (status := self._process.poll()) is not None:
                    raise PipelineError(self.log, None, f"[server] ended; found status {status}, expected it to serve")
                with contextlib.suppress(httpx.TransportError):
                    if client.get("/health").status_code == httpx.codes.OK:
                        return
                time.sleep(0.05)
        raise PipelineError(self.log, None, f"[server] not ready; found no answer in {READY_SECONDS} s, expected one")

    def wait(self) -> int:
        """Return the status of the server when it has ended."""
        assert self._process is not None
        return self._process.wait()

    def stop(self) -> None:
        """Ask the server to end, and make it where it does not."""
        if self._process is not None:
            self._process.terminate()  # an interrupt it may have learnt to ignore, from a shell that started us in the background
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the server as a failure of the machine would: at once, in the middle of what it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def add_account(self, username: str) -> Account:
        """Make an account of an ordinary annotator, as a person does: by the link of an invitation.

        Args:
            username: an e-mail address that no account has.

        Returns:
            The account with a password and a legacy API token of its own.

        Raises:
            PipelineError: the server refuses it, so for an address that it knows.
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
def running(data_dir: Path, port: int = 0, environment: Mapping[str, str] = os.environ) -> Iterator[Server]:
    """Start a server over `data_dir` (on a free port for port 0) and stop it at the end.

    Raises:
        PipelineError: as `administrator` and `Server.start`.
    """
    server = Server(data_dir, port, environment)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _migrated() -> Path:
    """The path of a database without accounts, migrated once for this installation: that takes most of a first start."""
    path = VENV / "migrated.sqlite3"
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=VENV if VENV.is_dir() else None) as folder:
            status = _label_studio(["init", "--quiet"], Path(folder), Path(folder) / "log", {}).wait()
            if status:
                said = (Path(folder) / "log").read_text(encoding="utf-8").splitlines()[-1:]
                raise PipelineError(None, None, f"[labelstudio] no database; found {said}, expected one")
            (Path(folder) / DATABASE).replace(path)
    return path


def _label_studio(
    arguments: list[str], data_dir: Path, log: Path, account: dict[str, str]
) -> "subprocess.Popen[bytes]":
    program = VENV / "bin" / "label-studio"
    if not program.exists():
        raise PipelineError(
            program, None, "[labelstudio] not installed; found nothing, expected what `make labelstudio` makes"
        )
    # Nothing else of the environment: any LABEL_STUDIO_*, DJANGO_* or proxy variable would change the server.
    environment = {
        "PATH": os.defpath,
        "HOME": str(data_dir),
        "LANG": "C.UTF-8",
        "LABEL_STUDIO_BASE_DATA_DIR": str(data_dir),
    }
    log.touch(mode=0o600)
    with log.open("ab") as stream:
        return subprocess.Popen(
            [program, *arguments],
            cwd=data_dir,
            env=environment | SETTINGS | account,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            umask=0o077,  # the database holds tokens
            start_new_session=True,  # a Ctrl-C is for us, who then stop it in order
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def main(
    data: Annotated[Path, typer.Option(help="Folder of the database.")] = Path(".labelstudio"),
    port: Annotated[int, typer.Option(help="Port on loopback.", min=1, max=65535)] = 8080,
) -> None:
    """Serve until Ctrl-C."""

    def ended(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    for ending in (signal.SIGINT, signal.SIGTERM):  # the first is ignored where a shell started us in the background
        signal.signal(ending, ended)
    try:
        typer.echo("Label Studio starts: some seconds, a minute the first time.")
        with running(data, port) as server:
            typer.echo(f"{server.url} is ready. Log in as {server.admin.username}; password and API token stand in")
            typer.echo(f"{server.data_dir / 'credentials.json'}, which you alone can read. Ctrl-C ends it.")
            status = server.wait()
        typer.echo(f"The server ended by itself with status {status}; see {server.log}", err=True)
        raise typer.Exit(1)
    except PipelineError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("The server has ended; its data stay.")


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()
