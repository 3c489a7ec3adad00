"""Errors of the client: a line for the user, never the token. No server is needed."""

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.servers import TOKEN, Progress, Secret, TemporaryFailure
from pipeline.studies.labelstudio.client import connected, response_error


@pytest.mark.parametrize(
    ("url", "warnings"),
    [("http://studies.example:8080", 1), ("https://studies.example", 0), ("http://127.0.0.1:8080", 0)],
)
def test_a_token_that_goes_without_encryption_to_another_machine_is_reported(url: str, warnings: int) -> None:
    lines: list[str] = []
    with connected(url, Secret(TOKEN, "t"), Progress(lines.append)):
        assert len([line for line in lines if line.startswith(url) and "without encryption" in line]) == warnings


def test_how_long_to_wait_is_read_from_the_answer() -> None:
    error = response_error("http://a", Secret(TOKEN, "secret"), 503, {"Retry-After": "7"}, "<html>")
    assert isinstance(error, TemporaryFailure)
    assert error.wait == 7


@pytest.mark.parametrize(
    ("status", "body", "quoted"),
    [
        (400, {"detail": "x", "validation_errors": {"title": ["too long"]}}, "too long"),
        (401, {"detail": "secret\nis\x1b[31m no token"}, "[WINOFORGE_LABEL_STUDIO_TOKEN]"),
        (403, "<html>secret</html>", "[WINOFORGE_LABEL_STUDIO_TOKEN]"),
        (302, None, "[url]"),
        (404, {"detail": "x" * 9999}, "404"),
        (404, "<html>no such page</html>", "http://a; found status 404, expected an answer of Label Studio"),
        (None, None, "[server]"),
    ],
)
def test_a_permanent_failure_is_one_line_without_the_token(status: int | None, body: object, quoted: str) -> None:
    error = response_error("http://a", Secret(TOKEN, "secret"), status, {}, body)
    assert isinstance(error, PipelineError)
    line = str(error)
    assert quoted in line
    assert "secret" not in line
    assert line.isprintable()
    assert len(line) < 400
