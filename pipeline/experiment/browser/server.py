"""The server of a laboratory: serves the page of an experiment, assigns lists, stores records."""

import asyncio
import logging
import re
import socket
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from ipaddress import ip_address
from signal import SIGINT, SIGTERM, signal
from types import FrameType
from typing import TYPE_CHECKING, Any

from ...core.convert import convert
from ...core.errors import PipelineError
from ...core.files import from_json, to_json
from ...core.pages import csp_hash, page_environment
from .records import Experiment, SessionId, session_record
from .store import RefusedError, Store

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

#: Maximum length of a record in bytes; a trial takes 250.
MAX_RECORD = 4096
#: Seconds that the body of a request may take.
_PATIENCE = 15.0
#: Maximum number of connections at once; more are answered with 503.
_CONNECTIONS = 500
#: Seconds that requests may take after the server was told to end.
_GRACE = 5
#: Headers of every answer besides the content security policy.
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
#: Headers that a proxy adds: the address of the connection is then the proxy's.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
#: The content of a script of the page; one that has no hash in the policy does not run.
_INLINE_SCRIPT = re.compile(r"<script\b(?![^>]*\ssrc\s*=)[^>]*>(.*?)</script", re.DOTALL | re.IGNORECASE)
_LOG = logging.getLogger(__name__)


def application(
    page: str, experiment: Experiment, store: Store, *, loopback: bool = True, public: str = ""
) -> "Starlette":
    """Return the server as an ASGI application.

    ``GET /`` gives the page, ``GET /api/assignment?session=ID`` a list, ``POST /api/records`` stores a record, ``GET /api/progress`` and
    ``GET /progress`` give the counts to this machine alone. Other paths do not exist.

    Args:
        store: where records go. All requests run in one thread, so that no two of them use it at once.
        loopback: it answers on this machine alone: requests with the name of another host are refused.
        public: the origin under which a proxy publishes it; empty without one.
    """
    from starlette.applications import Starlette
    from starlette.responses import HTMLResponse, JSONResponse
    from starlette.routing import Route

    policy = content_policy(page)
    is_own = partial(is_own_request, loopback=loopback, public=public)

    async def show_page(_: "Request") -> "Response":
        return HTMLResponse(page, headers={"Content-Security-Policy": policy})

    async def assign(request: "Request") -> "Response":
        try:
            session = convert(request.query_params.get("session"), SessionId)
        except ValueError as error:
            raise RefusedError(400, str(error).replace("[record]", "[session]", 1)) from error
        number = store.list_of(session)
        if number is None:
            raise RefusedError(410, "[session] withdrawn; expected a new session")
        return JSONResponse({"list": number})

    async def add(request: "Request") -> "Response":
        value = await _record(request)
        try:
            record = session_record(value, experiment)
        except ValueError as error:
            raise RefusedError(400, str(error)) from error
        return JSONResponse({"stored": store.add(record)})

    async def progress(request: "Request") -> "Response":
        counts = _progress(request, store)
        if request.url.path.startswith("/api/"):
            return JSONResponse(counts)
        html = page_environment().get_template("experiment/browser/progress.html.j2").render(counts)
        return HTMLResponse(html, headers={"Content-Security-Policy": content_policy(html)})

    routes = (
        ("GET", "/", show_page),
        ("GET", "/api/assignment", assign),
        ("POST", "/api/records", add),
        ("GET", "/api/progress", progress),
        ("GET", "/progress", progress),
    )
    return Starlette(
        routes=[Route(path, _guarded(answer, is_own), methods=[method]) for method, path, answer in routes],
        exception_handlers={404: _unknown, 405: _unknown},
    )


def _guarded(
    answer: "Callable[[Request], Awaitable[Response]]", is_own: Callable[[Mapping[str, str]], bool]
) -> "Callable[[Request], Awaitable[Response]]":
    """Return an endpoint that turns what is refused into an answer, and adds the headers of every answer."""
    from starlette.requests import ClientDisconnect

    async def guarded(request: "Request") -> "Response":
        try:
            if not is_own(request.headers):
                raise RefusedError(403, "[host] request of another site; expected the page of this server")
            response = await answer(request)
        except RefusedError as error:
            response = _refusal(error.status, str(error))
        except ClientDisconnect:
            response = _refusal(400, "[record] cut off")
        except sqlite3.Error:
            response = _refusal(503, "[data] the database is not available; try again")
        except Exception as error:  # the message of an exception could hold what a person sent
            _LOG.error("a fault of winoforge: %s at %s", type(error).__name__, request.url.path)
            response = _refusal(500, "[internal] a fault of the server")
        response.headers.update(HEADERS)
        return response

    return guarded


async def _unknown(_: "Request", error: Any) -> "Response":
    response = _refusal(error.status_code, "[path] no such path or method")
    response.headers.update({**HEADERS, **(error.headers or {})})
    return response


def _refusal(status: int, reason: str) -> "Response":
    from starlette.responses import Response

    # Half a character, as of an escape in a refused record, becomes a question mark.
    content = to_json({"error": reason}).encode("utf-8", "replace")
    headers = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
    return Response(content, status, headers, "application/json")


async def _record(request: "Request") -> Mapping[str, Any]:
    """Return the JSON object that a request brings."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "[content-type] expected application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(_PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > MAX_RECORD:
                    raise RefusedError(413, f"[record] too long; expected at most {MAX_RECORD} bytes")
    except TimeoutError:
        raise RefusedError(408, "[record] too slow") from None
    try:
        value = from_json(body.decode())
    except ValueError as error:
        raise RefusedError(400, f"[json] not JSON; {error}") from error
    if not isinstance(value, dict):
        raise RefusedError(400, "[json] expected an object")
    return value


def _progress(request: "Request", store: Store) -> dict[str, Any]:
    if not is_experimenter(request.client and request.client.host, request.headers):
        raise RefusedError(403, "[host] expected a browser on the machine of the server")
    counts, running = store.counts(), store.running()
    lists = [
        {"list": number, "completed": done, "running": running.get(number, 0)} for number, done in counts.lists.items()
    ]
    return {**asdict(counts), "lists": lists}


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0 stands for a free one.

    Raises:
        PipelineError: the port is in use, or the address is none of this machine.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
        raise PipelineError(None, None, f"[port] cannot listen on {host}, port {port}; {reason}") from error


def address_of(listening: socket.socket) -> str:
    """Return the address of a server as a browser takes it."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def serve(app: "Starlette", listening: socket.socket) -> None:
    """Answer requests until the process gets SIGINT or SIGTERM; then finish those that have begun.

    No request is logged, so that no address is kept.
    """
    import uvicorn

    class _Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """End on a signal, and go on with the command afterwards: uvicorn would raise the signal again."""

            def end(number: int, frame: FrameType | None) -> None:
                self.handle_exit(number, frame)

            before = {number: signal(number, end) for number in (SIGINT, SIGTERM)}
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal(number, handler)

    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
    )
    _Server(config).run(sockets=[listening])


# --- security -----------------------------------------------------------------------------------------------------------


def content_policy(page: str) -> str:
    """Return the content security policy of a page: its own inline scripts run, nothing is loaded from anywhere else.

    Styles may be inline: jsPsych sets some as attributes, and a style runs no code.
    """
    # A browser hashes a script with the line ends that it makes of all others.
    scripts = _INLINE_SCRIPT.findall(page.replace("\r\n", "\n").replace("\r", "\n"))
    hashes = " ".join(f"'{csp_hash(script)}'" for script in dict.fromkeys(scripts)) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; media-src data:; font-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, True, False, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_own_request(headers: Mapping[str, str], *, loopback: bool, public: str = "") -> bool:
    """Return whether a request comes from the server's own page.

    A page from elsewhere gives its own origin; a page that points its own name at this machine (DNS rebinding) gives that name as host.

    Args:
        public: the origin under which a proxy publishes the server, such as https://lab.example; empty without one. A proxy may give
            any host.
    """
    if public:
        return headers.get("origin") in (None, public)
    host = headers.get("host", "")
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    if loopback and not is_loopback(name.strip("[]")):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == host


def is_experimenter(client: str | None, headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from a program on this machine, not through a proxy."""
    return client is not None and is_loopback(client) and not any(name in headers for name in _FORWARDED)
