"""Addresses of servers."""

import pytest

from pipeline.core.servers.addresses import server_address
from tests.conftest import Refused


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "ftp://a",
        "http://",
        "example.org",
        "file:///a",
        "http://a#b",
        "http://a:x",
        "http://a:b@c",
        "http://a?b",
        "http://a:99999",
        "http://[",
        "http://a b",
        "http://:secret@127.0.0.1:1",
        "http://192.168.1.300:8080",
        "http://[v1.a]/",
        f"http://{64 * 'a'}/",
    ],
)
def test_an_invalid_address_is_refused(url: str, refused: Refused) -> None:
    refused(lambda: server_address(url, "url"), "", "url")


def test_an_address_may_have_a_path() -> None:
    assert server_address("https://labels.invalid/studio/", "url") == "https://labels.invalid/studio"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080", "http://[::1]:8080", "http://标注.invalid", "http://1.example"]
)
def test_a_host_is_a_name_or_a_number(url: str) -> None:
    assert server_address(url, "url") == url


def test_a_password_is_refused_and_not_quoted(refused: Refused) -> None:
    assert "secret" not in refused(lambda: server_address("https://me:secret@a/", "mirror"), "", "mirror")
