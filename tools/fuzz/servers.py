"""A server on loopback that answers with the files of a folder, as Label Studio, DeepL and Wikimedia's mirrors answer."""

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

from pipeline.core.servers import DEEPL_KEY, KEY, TOKEN

#: What a server answers to a request that writes.
WRITTEN = "written.json"
#: The environment of the commands that talk to a server.
SECRETS = {TOKEN: "0123456789abcdef", KEY: "of made-up raters only", DEEPL_KEY: "0123456789abcdef"}


class _Handler(BaseHTTPRequestHandler):
    folder: Path

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.rstrip("/").rpartition("/")[2]
        self._send(self.folder / (f"{name}.json" if self.path.startswith("/api/") else name))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self._send(self.folder / WRITTEN)

    do_PATCH = do_DELETE = do_POST  # noqa: N815 - the names that the base class looks for

    def _send(self, path: Path) -> None:
        with contextlib.suppress(OSError):  # a client that has read enough closes the connection
            data = path.read_bytes() if path.is_file() else b""
            self.send_response(200 if path.is_file() else 404)
            self.send_header("Content-Type", "application/json" if path.suffix == ".json" else "text/plain")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing."""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Yield the address of a server of the files of a folder; meanwhile the secrets are set, and nobody waits between attempts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"folder": folder.resolve()}))
    server.daemon_threads = True
    threading.Thread(target=partial(server.serve_forever, poll_interval=0.01), daemon=True).start()
    try:
        with patch.dict("os.environ", SECRETS), patch("pipeline.core.servers.WAITS", (0.0,)):
            yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
