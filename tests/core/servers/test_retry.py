import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.servers.retry import LONGEST, WAITS, Progress, Retries, TemporaryFailure, is_temporary, retry_after


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def retries(waited: list[float], lines: list[str]) -> Retries:
    return Retries(Progress(lines.append, waited.append))


def test_waits_grow_and_start_again_after_a_success(retries: Retries, waited: list[float], lines: list[str]) -> None:
    for wait in (None, None, 30.0):
        retries.wait(TemporaryFailure("http://a: status 503", wait))
    retries.reset()
    retries.wait(TemporaryFailure("http://a: ReadTimeout"))
    assert waited == [1.0, 2.0, 30.0, 1.0]
    assert lines[-1] == "http://a: ReadTimeout; next attempt in 1 s"


def test_too_many_failures_end_it(retries: Retries, waited: list[float]) -> None:
    for _ in WAITS:
        retries.wait(TemporaryFailure("http://a: status 503"))
    with pytest.raises(PipelineError, match=r"\[server\] given up after 7 attempts; found http://a: status 503; run"):
        retries.wait(TemporaryFailure("http://a: status 503"))
    assert waited == list(WAITS)


def test_a_server_may_ask_for_the_longest_wait_and_no_more(retries: Retries, waited: list[float]) -> None:
    retries.wait(TemporaryFailure("busy", LONGEST))
    with pytest.raises(PipelineError, match=r"\[server\] asks to wait 301 s; found busy; run"):
        retries.wait(TemporaryFailure("busy", LONGEST + 1))
    assert waited == [LONGEST]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 503, 599])
def test_temporary_statuses(status: int) -> None:
    assert is_temporary(status)


@pytest.mark.parametrize("status", [200, 301, 400, 401, 403, 404, 410, 416])
def test_other_statuses_are_final(status: int) -> None:
    assert not is_temporary(status)


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("Sat, 01 Nov 2025 10:00:00 GMT", 10.0),  # 10:00:00 is second 1761991200
        ("Sat, 01 Nov 2025 10:00:00 -0000", 10.0),  # a date without a zone is in UTC
        ("Sat, 01 Nov 2025 09:00:00 GMT", 0.0),
        (" 7 ", 7.0),
        ("9" * 10, None),
        ("Sat, 01 Nov 99999 10:00:00 GMT", None),
        ("-3", None),
        ("1.5", None),
        ("٣", None),
        ("", None),
    ],
)
def test_retry_after_is_a_number_of_seconds_or_a_date(value: str, wait: float | None) -> None:
    assert retry_after({"RETRY-AFTER": value, "Date": "1"}, 1_761_991_190.0) == wait


def test_a_server_need_not_say_how_long() -> None:
    assert retry_after({}) is None
