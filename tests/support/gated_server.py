"""A small HTTP server that can keep those waiting who ask after a number of answers."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

_Server = TypeVar("_Server", bound="GatedServer")


class GatedServer(ThreadingHTTPServer):
    """A server on a free port of this machine."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.requests: list[dict[str, Any]] = []  # the bodies of all requests, answered or not
        self.limit = 10**9  # who asks after this many answers waits until `resume` is called
        self.lock = threading.Lock()  # held to change what is counted
        self._open, self.full = threading.Event(), threading.Event()  # `full` is set when somebody waits

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def resume(self) -> None:
        self.limit = 10**9
        self._open.set()

    def wait(self) -> None:
        self.full.set()
        self._open.wait(60)


class QuietHandler(BaseHTTPRequestHandler):
    """Sends JSON, and logs nothing."""

    def send_json(self, status: int, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_json_head(status, len(data), headers)
        self.wfile.write(data)

    def send_json_head(self, status: int, length: int, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, content in (headers or {}).items():
            self.send_header(name, content)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in the standard library
        pass


@contextmanager
def serving(server: _Server) -> Iterator[_Server]:
    """Run a server in a thread of its own, and end it with everybody who waits."""
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.resume()
            server.shutdown()
            thread.join()
