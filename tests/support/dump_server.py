"""A server of dumps on loopback that fails on request, and downloads from it."""

import hashlib
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.core.servers import Progress
from pipeline.corpus.dumps import Dump
from pipeline.corpus.fetch import FetchedFile, fetch

DUMP = Dump("zhwiki", "20251101")
DAY = "/zhwiki/20251101"
ARTICLES, INDEX, SUMS = f"{DAY}/{DUMP.articles}", f"{DAY}/{DUMP.index}", f"{DAY}/{DUMP.sums}"
#: No two of its pieces are alike, so that a piece in the wrong place shows.
CONTENT = b"".join(hashlib.sha256(bytes([high, low])).digest() for high in range(64) for low in range(256))


def sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


@dataclass
class Site:
    """The files of a server, its faults by path (a request takes the first one of its path), and the requests it received."""

    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    faults: dict[str, list[Callable[["Handler"], None]]] = field(default_factory=dict)
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    headers: set[tuple[str | None, str | None]] = field(default_factory=set)
    address: str = ""

    def ranges(self, path: str) -> list[str | None]:
        return [header for at, header in self.requests if at == path]


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.site.requests.append((path, self.headers["Range"]))
        self.site.headers.add((self.headers["User-Agent"], self.headers["Accept-Encoding"]))
        faults = self.site.faults.get(path, [])
        (faults.pop(0) if faults else serve_well)(self)

    @property
    def data(self) -> bytes | None:
        return self.site.files.get(urlsplit(self.path).path)

    def head(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def serve_well(handler: Handler, cut: int = sys.maxsize, *, ranges: bool = True) -> None:
    """Answer as a good server does, but send at most `cut` bytes of the body."""
    data = handler.data
    if data is None:
        return handler.head(404)
    wanted = handler.headers["Range"]
    start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and ranges else 0
    if start >= len(data) and start:
        return handler.head(416, Content_Range=f"bytes */{len(data)}")
    if start:
        span = f"bytes {start}-{len(data) - 1}/{len(data)}"
        handler.head(206, Content_Length=len(data) - start, Content_Range=span)
    else:
        handler.head(200, Content_Length=len(data))
    handler.wfile.write(data[start:][:cut])
    return None


def status(code: int, **headers: object) -> Callable[[Handler], None]:
    return lambda handler: handler.head(code, **headers)


def sends(body: bytes, code: int = 200, **headers: object) -> Callable[[Handler], None]:
    def answer(handler: Handler) -> None:
        handler.head(code, **headers)
        handler.wfile.write(body)

    return answer


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: a killed client leaves a broken pipe."""


def sums_of(files: dict[str, bytes]) -> bytes:
    """Return the list of digests of files by path."""
    return "".join(f"{sha1(data)}  {path.rpartition('/')[2]}\n" for path, data in files.items()).encode()


def start_server(files: dict[str, bytes]) -> tuple[Site, Server]:
    """Start a server of these files, with a true list of their digests."""
    site = Site({**files, SUMS: sums_of(files)})
    server = Server(("127.0.0.1", 0), type("SiteHandler", (Handler,), {"site": site}))
    threading.Thread(target=partial(server.serve_forever, poll_interval=0.01), daemon=True).start()
    site.address = f"http://127.0.0.1:{server.server_address[1]}"
    return site, server


Serve = Callable[[dict[str, bytes]], Site]


def take(
    site: Site, folder: Path, lines: list[str] | None = None, pins: dict[str, str] | None = None, sums: str = ""
) -> list[FetchedFile]:
    """Fetch the dump; `lines` receives what a user would read."""
    progress = Progress(([] if lines is None else lines).append)
    return fetch(DUMP, folder, site.address, sums or site.address, pins or {}, progress)
