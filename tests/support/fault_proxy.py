"""A proxy on loopback between a client and a real server that breaks requests as a test asks."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

LOOPBACK = "127.0.0.1"
Answer = tuple[int, dict[str, str], bytes]


@dataclass
class Fault:
    """A fault of the next `times` requests with a method and with `path` in their path.

    Args:
        kind: ``cut-before``: the connection ends before the server gets the request; ``cut-after``: the server acts, its answer
            is lost; ``cut-inside``: half of the answer arrives; ``late``: the connection ends, and the server gets the request
            when `Proxy.release` is called; ``answer``: `answer` arrives instead; ``call``: `call` is called, then the
            connection ends.
        skip: number of such requests that pass first.
    """

    method: str
    path: str
    kind: str
    times: int = 1
    skip: int = 0
    answer: Answer = (503, {}, b"")
    call: Callable[[], None] = lambda: None


@dataclass
class Proxy:
    """The address of a proxy, the requests that it saw, and the faults to come."""

    url: str
    faults: list[Fault] = field(default_factory=list)
    seen: list[tuple[str, str]] = field(default_factory=list)
    late: list[threading.Thread] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, method: str, path: str) -> Fault | None:
        with self.lock:
            self.seen.append((method, path))
            for fault in self.faults:
                if fault.method == method and fault.path in path and fault.times:
                    if fault.skip:
                        fault.skip -= 1
                        return None
                    fault.times -= 1
                    return fault
        return None

    def release(self) -> None:
        """Send the late requests to the server."""
        self.released.set()
        for thread in self.late:
            thread.join()

    def writes(self) -> list[tuple[str, str]]:
        return [(method, path) for method, path in self.seen if method != "GET"]


@contextlib.contextmanager
def proxy_to(upstream: str) -> Iterator[Proxy]:  # noqa: C901 - a handler is a class
    """Serve until the block ends; every connection is closed then."""
    proxy = Proxy("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self) -> None:
            with contextlib.suppress(OSError):
                super().handle_one_request()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "connection")}

            def forward() -> httpx.Response:
                with httpx.Client(base_url=upstream, trust_env=False, timeout=60) as client:
                    return client.request(self.command, self.path, headers=headers, content=body)

            fault = proxy.fault(self.command, self.path)
            if fault is None:
                try:
                    answer = forward()
                except httpx.TransportError:
                    return self._cut()
                return self._answer(
                    answer.status_code, {"Content-Type": answer.headers.get("content-type", "")}, answer.content
                )
            if fault.kind == "answer":
                return self._answer(*fault.answer)
            if fault.kind == "late":
                later = threading.Thread(target=lambda: (proxy.released.wait(), forward()))
                proxy.late.append(later)
                later.start()
            elif fault.kind == "call":
                fault.call()
            elif fault.kind in ("cut-after", "cut-inside"):
                answer = forward()
                if fault.kind == "cut-inside":
                    self.send_response(answer.status_code)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(answer.content)))
                    self.end_headers()
                    self.wfile.write(answer.content[: len(answer.content) // 2])
            self._cut()
            return None

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815

        def _answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            if status != 204:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if status != 204:
                self.wfile.write(content)

        def _cut(self) -> None:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)

    with ThreadingHTTPServer((LOOPBACK, 0), Handler) as server:
        proxy.url = f"http://{LOOPBACK}:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield proxy
        finally:
            proxy.release()
            server.shutdown()
            thread.join()
