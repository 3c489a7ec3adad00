"""A PostgreSQL database for the Label Studio server of `tools.labelstudio`."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pipeline.core.errors import PipelineError, plural
from pipeline.core.invisible import one_line
from pipeline.core.servers import is_host

#: The environment variable with the address of the database. It holds a password, so no option takes it.
VARIABLE = "DATABASE_URL"
FORM = f"{VARIABLE}=postgresql://user:password@host:port/name"
SCHEMES = ("postgresql", "postgres")
PORT = 5432
#: What libpq accepts as `sslmode`, from no encryption to a verified certificate.
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
PROBE = Path(__file__).with_name("postgresql_probe.py")
#: Maximum time in seconds to look at a database; a host with several addresses is tried at each of them.
PROBE_SECONDS = 60
#: Maximum number of characters quoted from the message of a server.
QUOTE_LENGTH = 160
#: A percent sign that begins no escape.
_NO_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


class _MalformedError(Exception):
    """An address that names no database; its text says why and quotes nothing of the address."""


@dataclass(frozen=True)
class Database:
    """The address of a database. Its password is neither in its repr nor in its text."""

    host: str  # a name or an IP address
    port: int
    name: str  # the name of the database
    user: str  # the role that owns it
    password: str = field(default="", repr=False)  # the password of the role; empty where the server wants none
    ssl_mode: str = "prefer"  # one of `SSL_MODES`

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return one_line(f"{self.user}@{host}:{self.port}/{self.name}")

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables from which Label Studio, and the library libpq below it, read the address."""
        return {
            "DJANGO_DB": "default",
            "POSTGRE_HOST": self.host,
            "POSTGRE_PORT": str(self.port),
            "POSTGRE_NAME": self.name,
            "POSTGRE_USER": self.user,
            "POSTGRE_PASSWORD": self.password,
            "PGSSLMODE": self.ssl_mode,
        }


def database_of(environment: Mapping[str, str]) -> Database | None:
    """Return the database that the environment names; None if it names none.

    Raises:
        PipelineError: the address is malformed; the message quotes nothing of it, because any part may belong to the password.
    """
    text = environment.get(VARIABLE, "")
    if not text:
        return None
    try:
        # urlsplit would drop line ends and tabs silently.
        if not text.isprintable() or " " in text or _NO_ESCAPE.search(text):
            raise _MalformedError("a character that must be percent-encoded")
        return _database(urlsplit(text))
    except _MalformedError as error:
        problem = str(error)
    except ValueError:  # of the standard library, which may quote the password
        problem = "no such address"
    reason = f"[{VARIABLE}] malformed address; found {problem}, expected {FORM}"
    raise PipelineError(None, None, f"{reason} with @ : / ? # % in user and password percent-encoded (@ as %40)")


def _database(parts: SplitResult) -> Database:
    """Return the database of an address; raises `ValueError` or `_MalformedError`."""
    if parts.scheme not in SCHEMES:
        raise _MalformedError("another scheme" if parts.scheme else "no scheme")
    address, _, _ = parts.netloc.rpartition("@")
    user, _, password = address.partition(":")
    if not user or "@" in address:
        raise _MalformedError("an @ that is not percent-encoded" if user else "no user")
    host, port = _host_and_port(parts)
    name = parts.path.removeprefix("/")
    if not name or "/" in name or parts.fragment:
        raise _MalformedError(
            "more than the name of a database at the end" if name or parts.fragment else "no database"
        )
    texts = {"name": _decoded(name), "user": _decoded(user), "password": _decoded(password)}
    return Database(host=host, port=port, ssl_mode=_ssl_mode(parts.query), **texts)


def _host_and_port(parts: SplitResult) -> tuple[str, int]:
    host, port = parts.hostname or "", PORT if parts.port is None else parts.port
    if not port or not is_host(host, parts.netloc) or not re.fullmatch(r"[\w.:-]+", host):
        raise _MalformedError("no possible host and port")
    return host, port


def _decoded(text: str) -> str:
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise _MalformedError("percent-encoded bytes that are not UTF-8") from None
    if "\0" in decoded:
        raise _MalformedError("a NUL")
    return decoded


def _ssl_mode(query: str) -> str:
    options = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    if not options:
        return "prefer"
    ((name, value), *others) = options
    if others or name != "sslmode" or value not in SSL_MODES:
        raise _MalformedError(f"options other than sslmode={'|'.join(SSL_MODES)}")
    return value


def require_database(database: Database, python: Path) -> None:
    """Check that Label Studio can keep its data in a database, before it starts; `python` is its interpreter, which has the client.

    Raises:
        PipelineError: the server does not answer or refuses, the database does not exist, holds other data, is not in UTF-8, or
            lets the role create no tables.
    """
    probed = _probed(database, python)
    if "error" in probed:
        quoted = one_line(" ".join(str(probed["error"]).split()))[:QUOTE_LENGTH]
        raise _refused(f"no connection to {database}; found {quoted}, expected a server with this user and database")
    if probed["encoding"] != "UTF8":
        raise _refused(f"{database} cannot hold every text; found the encoding {probed['encoding']}, expected UTF8")
    if probed["tables"] and not probed["is_label_studio"]:
        tables = plural(int(str(probed["tables"])), "table")
        raise _refused(
            f"{database} is not Label Studio's; found {tables} of others, expected a database without tables"
        )
    if not probed["may_create"]:
        expected = f"expected that {one_line(database.user)!r} owns the database"
        raise _refused(f"no tables can be created in {database}; {expected} (ALTER DATABASE … OWNER TO …)")


def _probed(database: Database, python: Path) -> dict[str, object]:
    """Return what `postgresql_probe` says; the password is in the environment of its process only."""
    try:
        done = subprocess.run(
            [python, "-I", PROBE],
            env={"PATH": os.defpath, "LANG": "C.UTF-8", **database.settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {PROBE_SECONDS} s"}
    except subprocess.CalledProcessError as error:
        last = (error.stderr.splitlines() or [""])[-1]
        return {"error": f"a failure of Label Studio's client for PostgreSQL ({last})"}
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def _refused(reason: str) -> PipelineError:
    return PipelineError(None, None, f"[{VARIABLE}] {reason}")
