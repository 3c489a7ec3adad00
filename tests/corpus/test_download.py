"""Downloads continue where they were cut off, from servers that fail in every way we could think of."""

import threading
from functools import partial
from pathlib import Path

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.servers.retry import WAITS, TemporaryFailure
from pipeline.corpus.fetch import http
from pipeline.corpus.fetch.download import PartialFile
from pipeline.corpus.fetch.http import FileChanged, Version, body_start, range_headers, redirect_target, validator_of
from tests.conftest import Refused
from tests.support.dump_server import (
    ARTICLES,
    CONTENT,
    DUMP,
    SUMS,
    Handler,
    Reports,
    Site,
    leave_part,
    sends,
    serve_well,
    status,
    take,
    take_file,
)

# --- continuing ----------------------------------------------------------------------------------------------------------


def test_a_cut_download_continues_where_it_was(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [partial(serve_well, cut=200_000), partial(serve_well, cut=100_000)]
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT
    assert site.ranges(ARTICLES) == [None, "bytes=200000-", "bytes=300000-"]
    assert reports.waits == [1.0, 2.0]
    assert "200000 bytes are in" in reports.lines[0]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 150_000), max_size=5), validator=st.sampled_from(["etag", "weak", "none"]))
def test_any_cuts_leave_the_same_bytes(
    site: Site, tmp_path_factory: pytest.TempPathFactory, cuts: list[int], validator: str
) -> None:
    site.requests.clear()
    site.validator = validator
    site.faults[ARTICLES] = [partial(serve_well, cut=cut) for cut in cuts]
    assert take_file(site, tmp_path_factory.mktemp("cut")) == CONTENT
    sent, expected = 0, []
    for cut in [*cuts, 0]:
        expected.append(f"bytes={sent}-" if sent else None)
        sent += cut
    assert site.ranges(ARTICLES)[: len(expected)] == expected


def test_a_server_without_ranges_starts_again(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [partial(serve_well, cut=70_000), partial(serve_well, ranges=False)]
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT
    assert "cannot resume" in reports.lines[1]
    assert "70000 bytes deleted" in reports.lines[1]


@pytest.mark.parametrize("conditions", [True, False], ids=["200 by If-Range", "206 of another file"])
@pytest.mark.parametrize("grown", [0, 5000])
def test_a_file_that_changed_between_runs_is_started_again(
    site: Site, tmp_path: Path, conditions: bool, grown: int
) -> None:
    old = bytes(len(CONTENT) - grown)
    leave_part(tmp_path, old[:300_000], old)
    site.faults[ARTICLES] = [partial(serve_well, conditions=conditions)]
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT
    assert site.ranges(ARTICLES)[0] == "bytes=300000-"
    assert "deleted" in reports.lines[0]


def test_a_file_of_another_size_is_another_file(site: Site, tmp_path: Path) -> None:
    site.validator = "none"
    part = PartialFile(tmp_path / DUMP.articles)
    part.begin(Version(len(CONTENT) + 1, None))
    part.path.write_bytes(bytes(1000))
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT
    assert f"{len(CONTENT)} bytes now, it had {len(CONTENT) + 1}" in reports.lines[0]


def test_a_file_that_shrank_is_started_again(site: Site, tmp_path: Path) -> None:
    leave_part(tmp_path, bytes(len(CONTENT) + 10), bytes(len(CONTENT) + 20))
    site.faults[ARTICLES] = [partial(serve_well, conditions=False)]
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES) == [f"bytes={len(CONTENT) + 10}-", None]


def test_a_complete_part_is_not_requested(site: Site, tmp_path: Path) -> None:
    leave_part(tmp_path, CONTENT, CONTENT)
    take(site, tmp_path)
    assert site.ranges(ARTICLES) == []


@pytest.mark.parametrize(
    "note",
    [
        "",
        "{}",
        '{"size": "9", "validator": null}',
        '{"size": 9, "validator": 1}',
        "[]",
        '{"size": 8, "validator": null}',
    ],
)
def test_a_part_without_a_good_note_is_started_again(site: Site, tmp_path: Path, note: str) -> None:
    leave_part(tmp_path, b"something", CONTENT)
    PartialFile(tmp_path / DUMP.articles).note.write_text(note)
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES) == [None]


def test_a_link_stays_and_its_target_is_downloaded(site: Site, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    link, target = tmp_path / DUMP.articles, tmp_path / "disk" / "dump"
    link.symlink_to(target)
    take(site, tmp_path)
    assert link.is_symlink()
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


# --- what servers say --------------------------------------------------------------------------------------------------


def test_a_server_in_trouble_is_tried_again(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [status(500), status(429, Retry_After=7), status(503, Retry_After=1), status(503)]
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT
    # The n-th wait is 2^(n-1) seconds, or what the server asks for, if that is more.
    assert reports.waits == [1.0, 7.0, 4.0, 8.0]
    assert "status 500" in reports.lines[0]


def test_attempts_end(site: Site, tmp_path: Path, refused: Refused) -> None:
    leave_part(tmp_path, CONTENT[:5], CONTENT)
    site.faults[ARTICLES] = [status(503)] * 100
    reports = Reports()
    message = refused(lambda: take_file(site, tmp_path, reports), "", "server")
    assert reports.waits == list(WAITS)
    assert "5 bytes are in" in message
    assert "it continues from there" in message
    site.faults.clear()
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES)[-1] == "bytes=5-"


def test_a_server_that_asks_for_an_hour_gets_it(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [status(429, Retry_After=3600)]
    reports = Reports()
    assert "asks to wait 3600 s" in refused(lambda: take_file(site, tmp_path, reports), "", "server")
    assert reports.waits == []


def test_new_bytes_reset_the_count_of_failures(site: Site, tmp_path: Path) -> None:
    # Four MiB in eight pieces of half a one make seven failures, one more than there are waits. Each whole MiB that the
    # furthest byte passes makes one the first again: those at 1, 2 and 3 MiB.
    site.files[ARTICLES] = CONTENT * 8
    site.faults[ARTICLES] = [partial(serve_well, cut=2**19)] * 7
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT * 8
    assert reports.waits == [1.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]


def test_a_server_that_always_starts_again_is_given_up(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.files[ARTICLES] = CONTENT * 8
    site.faults[ARTICLES] = [partial(serve_well, cut=2**21, ranges=False)] * 100
    refused(lambda: take_file(site, tmp_path), "", "server")


def test_a_silent_server_times_out(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "TIMEOUT", (1.0, 0.2))
    over = threading.Event()

    def silent(handler: Handler) -> None:
        serve_well(handler, cut=100)
        handler.wfile.flush()
        over.wait(5)

    site.faults[ARTICLES] = [silent]
    reports = Reports()
    assert take_file(site, tmp_path, reports) == CONTENT
    over.set()
    assert "timed out" in reports.lines[0]


def test_a_server_that_is_not_there(tmp_path: Path, refused: Refused) -> None:
    assert "refused" in refused(lambda: take_file(Site(address="http://127.0.0.1:1"), tmp_path), "", "server")


def test_a_ring_of_causes_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    outer, inner = requests.ConnectionError("outer"), OSError("inner")
    outer.__cause__, inner.__context__ = inner, outer

    def fail(*_: object, **__: object) -> None:
        raise outer

    monkeypatch.setattr(http.Session, "get", fail)
    with pytest.raises(TemporaryFailure, match="inner"):
        http.request_file(http.Session(), "http://127.0.0.1:1/dump", 0, None)


def test_a_dump_that_is_gone_is_named(site: Site, tmp_path: Path, refused: Refused) -> None:
    del site.files[SUMS]
    message = refused(lambda: take(site, tmp_path), "", "url")
    assert f"{site.address}{SUMS}" in message
    assert "some months" in message
    site.faults[ARTICLES] = [status(403)]
    assert "403" in refused(lambda: take_file(site, tmp_path), "", "status")


@pytest.mark.parametrize(
    "template",
    [
        "bytes 4-{last}/{size}",
        "bytes 6-{last}/{size}",
        "bytes 5-4/{size}",
        "bytes 5-{size}/{size}",
        "bytes 5-{last}/*",
        "items 5-{last}/{size}",
        "",
    ],
)
def test_another_range_than_requested_is_refused(site: Site, tmp_path: Path, refused: Refused, template: str) -> None:
    leave_part(tmp_path, CONTENT[:5], CONTENT)
    claimed = template.format(last=len(CONTENT) - 1, size=len(CONTENT))
    site.faults[ARTICLES] = [sends(b"?" * 50, 206, Content_Length=50, Content_Range=claimed)]
    assert repr(claimed) in refused(lambda: take_file(site, tmp_path), "", "range")
    assert PartialFile(tmp_path / DUMP.articles).path.read_bytes() == CONTENT[:5]


def test_an_unrequested_range_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [sends(b"?", 206, Content_Length=1, Content_Range="bytes 0-0/9")]
    refused(lambda: take_file(site, tmp_path), "", "range")


def test_a_shorter_range_than_requested_is_continued(site: Site, tmp_path: Path) -> None:
    leave_part(tmp_path, CONTENT[:5], CONTENT)
    some = f"bytes 5-8/{len(CONTENT)}"
    site.faults[ARTICLES] = [sends(CONTENT[5:9], 206, Content_Length=4, Content_Range=some)]
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES) == ["bytes=5-", "bytes=9-"]


def test_more_than_announced_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    leave_part(tmp_path, CONTENT[:5], CONTENT[:9])
    site.faults[ARTICLES] = [sends(b"?" * 10, 206, Content_Length=10, Content_Range="bytes 5-8/9")]
    refused(lambda: take_file(site, tmp_path), f"{tmp_path / DUMP.articles}.part", "length")


def test_a_file_of_unknown_length_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [sends(CONTENT)]
    refused(lambda: take_file(site, tmp_path), "", "length")


@settings(max_examples=100)
@given(
    code=st.sampled_from([200, 206, 416]),
    headers=st.dictionaries(
        st.sampled_from(["Content-Range", "Content-Length", "ETag", "Last-Modified"]),
        st.text(max_size=30) | st.from_regex(r"bytes [0-9]{1,2}-[0-9]{1,2}/[0-9]{1,2}", fullmatch=True),
    ),
    offset=st.integers(0, 20),
    size=st.integers(21, 30),
)
def test_no_answer_puts_a_body_elsewhere(code: int, headers: dict[str, str], offset: int, size: int) -> None:
    try:
        start, version = body_start(code, headers, offset, Version(size, None))
    except (PipelineError, FileChanged):
        return
    assert start == (offset if code == 206 else 0)
    assert code == 200 or version == Version(size, None)


def test_only_what_tells_versions_apart_is_a_condition() -> None:
    date = "Sat, 01 Nov 2025 10:00:00 GMT"
    assert validator_of({"ETag": '"a"', "Last-Modified": date}) == '"a"'
    assert validator_of({"ETag": 'W/"a"', "Last-Modified": date}) == date
    assert validator_of({"ETag": "a"}) is None
    assert validator_of({"ETag": '"a\r\n b"', "Last-Modified": date}) == date  # a folded header
    assert validator_of({"Last-Modified": "yesterday"}) is None
    assert range_headers(7, Version(9, date)) == {"Range": "bytes=7-", "If-Range": date}
    assert range_headers(7, Version(9, None)) == {"Range": "bytes=7-"}
    assert range_headers(0, Version(9, date)) == {}


# --- redirects ---------------------------------------------------------------------------------------------------------


def test_a_redirect_to_the_file_is_followed(site: Site, tmp_path: Path) -> None:
    site.files["/elsewhere"] = CONTENT
    site.faults[ARTICLES] = [status(302, Location="/elsewhere")] * 2
    site.faults["/elsewhere"] = [partial(serve_well, cut=9)]
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges("/elsewhere") == [None, "bytes=9-"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "", "https://", "http://["])
def test_a_redirect_elsewhere_is_refused(site: Site, tmp_path: Path, refused: Refused, target: str) -> None:
    site.faults[ARTICLES] = [status(301, Location=target)]
    refused(lambda: take_file(site, tmp_path), "", "redirect")
    assert list(tmp_path.iterdir()) == []


def test_a_ring_of_redirects_ends(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [status(307, Location=ARTICLES)] * 100
    refused(lambda: take_file(site, tmp_path), "", "redirect")
    assert len(site.requests) == 6


def test_https_is_never_left(refused: Refused) -> None:
    assert redirect_target("https://a/b", "//c/d") == "https://c/d"
    assert redirect_target("http://a/b", "https://c/d") == "https://c/d"
    refused(lambda: redirect_target("https://a/b", "http://a/b"), "", "redirect")


@given(
    secure=st.booleans(), location=st.text(max_size=20) | st.from_regex(r"[a-z]{1,6}:/{0,3}[a-z]{0,3}", fullmatch=True)
)
def test_redirects_stay_on_the_web(secure: bool, location: str) -> None:
    try:
        target = redirect_target("https://a/b" if secure else "http://a/b", location)
    except PipelineError:
        return
    assert target.startswith(("https://",) if secure else ("http://", "https://"))
