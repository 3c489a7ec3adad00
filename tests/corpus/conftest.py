"""Servers of dumps for the tests of `corpus fetch`."""

from collections.abc import Iterator

import pytest

from pipeline.corpus import fetch
from tests.support.dump_server import ARTICLES, CONTENT, INDEX, Serve, Site, start_server


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "RETRY", fetch.RETRY.new(backoff_factor=0, retry_after_max=0))


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers, which end with the test."""
    servers = []

    def start(files: dict[str, bytes]) -> Site:
        site, server = start_server(files)
        servers.append(server)
        return site

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def site(serve: Serve) -> Site:
    """A server of a dump and its index."""
    return serve({ARTICLES: CONTENT, INDEX: b"abc"})
