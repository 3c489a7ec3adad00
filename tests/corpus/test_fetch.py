"""Dumps are downloaded whole, verified, from servers that fail in every way we could think of."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.retry import WAITS, Progress
from pipeline.corpus.fetch import http
from pipeline.corpus.fetch.download import PartialFile, download
from pipeline.corpus.fetch.dump_files import Dump, parse_sums, sha1_of
from pipeline.corpus.fetch.fetch import FetchedFile, fetch, read_record
from pipeline.corpus.fetch.http import FileChanged, Version, body_start, range_headers, redirect_target, validator_of
from pipeline.corpus.formats.wikimedia import index_beside
from tests.conftest import ROOT, Refused

DUMP = Dump("zhwiki", "20251101")
DAY = "/zhwiki/20251101"
ARTICLES, INDEX, SUMS = f"{DAY}/{DUMP.articles}", f"{DAY}/{DUMP.index}", f"{DAY}/{DUMP.sums}"
#: No two of its pieces are alike, so that a piece in the wrong place shows.
CONTENT = b"".join(hashlib.sha256(bytes([high, low])).digest() for high in range(64) for low in range(256))


def sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


@dataclass
class Site:
    """What the server has, what it shall do wrong (a request takes the first fault of its path), what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[Callable[["Handler"], None]]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    headers: set[tuple[str | None, str | None]] = field(default_factory=set)
    validator: str = "etag"
    address: str = ""

    def ranges(self, path: str) -> list[str | None]:
        return [found for at, found in self.asked if at == path]


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.site.asked.append((path, self.headers["Range"]))
        self.site.headers.add((self.headers["User-Agent"], self.headers["Accept-Encoding"]))
        faults = self.site.faults.get(path, [])
        (faults.pop(0) if faults else well)(self)

    @property
    def data(self) -> bytes | None:
        return self.site.files.get(urlsplit(self.path).path)

    def head(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def validators(self, data: bytes) -> dict[str, str]:
        known = {"etag": {"ETag": f'"{sha1(data)}"'}, "weak": {"ETag": f'W/"{sha1(data)}"'}, "none": {}}
        return known[self.site.validator]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def well(handler: Handler, cut: int = sys.maxsize, ranges: bool = True, conditions: bool = True) -> None:
    """Answer as a good server does, but for sending `cut` bytes of the body at most."""
    data = handler.data
    if data is None:
        return handler.head(404)
    marks = handler.validators(data)
    wanted, condition = handler.headers["Range"], handler.headers["If-Range"]
    fits = not conditions or condition is None or condition == marks.get("ETag")
    start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and ranges and fits else 0
    if start >= len(data) and start:
        return handler.head(416, Content_Range=f"bytes */{len(data)}")
    if start:
        span = f"bytes {start}-{len(data) - 1}/{len(data)}"
        handler.head(206, Content_Length=len(data) - start, Content_Range=span, **marks)
    else:
        handler.head(200, Content_Length=len(data), **marks)
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
        """Say nothing: a killed client leaves a broken pipe."""


def listed(files: dict[str, bytes]) -> bytes:
    return "".join(f"{sha1(data)}  {path.rpartition('/')[2]}\n" for path, data in files.items()).encode()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def serve() -> Iterator[Callable[[dict[str, bytes]], Site]]:
    """Starts a server of these files with a true list of their digests."""
    servers = []

    def start(files: dict[str, bytes]) -> Site:
        site = Site({**files, SUMS: listed(files)})
        server = Server(("127.0.0.1", 0), type("One", (Handler,), {"site": site}))
        threading.Thread(target=partial(server.serve_forever, poll_interval=0.01), daemon=True).start()
        site.address = f"http://127.0.0.1:{server.server_address[1]}"
        servers.append(server)
        return site

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


Serve = Callable[[dict[str, bytes]], Site]


@pytest.fixture
def site(serve: Serve) -> Site:
    return serve({ARTICLES: CONTENT, INDEX: b"abc"})


@dataclass
class Heard:
    """What a user would have seen, without the waiting."""

    lines: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    @property
    def progress(self) -> Progress:
        return Progress(self.lines.append, self.waits.append)


def take(
    site: Site, folder: Path, heard: Heard | None = None, pins: dict[str, str] | None = None, sums: str = ""
) -> list[FetchedFile]:
    return fetch(DUMP, folder, site.address, sums or site.address, pins or {}, (heard or Heard()).progress)


def take_file(site: Site, folder: Path, heard: Heard | None = None) -> bytes:
    file = download(site.address + ARTICLES, folder / DUMP.articles, (heard or Heard()).progress)
    return file.path.read_bytes()


def begun(folder: Path, came: bytes, whole: bytes) -> None:
    """What a run leaves that was killed after `came`."""
    part = PartialFile(folder / DUMP.articles)
    part.begin(Version(len(whole), f'"{sha1(whole)}"'))
    part.path.write_bytes(came)


# --- the whole of it ---------------------------------------------------------------------------------------------------


def test_a_dump_is_fetched_with_its_index_and_digests(site: Site, tmp_path: Path) -> None:
    rows = take(site, tmp_path / "new" / "folder")
    folder = tmp_path / "new" / "folder"
    assert (folder / DUMP.articles).read_bytes() == CONTENT
    assert (folder / DUMP.sums).read_bytes() == site.files[SUMS]
    # The digests of the three letters abc stand in FIPS 180-4's examples.
    assert rows[0] == FetchedFile(
        DUMP.index,
        3,
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        f"{site.address}{INDEX}",
    )
    assert sorted(path.name for path in folder.iterdir()) == [
        DUMP.record,
        DUMP.index,
        DUMP.articles,
        DUMP.sums,
    ]
    assert [json.loads(line) for line in (folder / DUMP.record).read_text().splitlines()] == [
        vars_of(row) for row in rows
    ]
    assert [row.name for row in rows] == [DUMP.index, DUMP.articles, DUMP.sums]
    [(agent, packing)] = site.headers
    assert agent is not None
    assert agent.startswith("winoforge/")
    assert packing == "identity"


def vars_of(row: FetchedFile) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("name", "size", "sha1", "sha256", "url")}


def test_what_is_there_is_not_asked_for_again(site: Site, tmp_path: Path) -> None:
    first = take(site, tmp_path)
    record = (tmp_path / DUMP.record).read_bytes()
    site.asked.clear()
    elsewhere = Site(address="http://127.0.0.1:1")
    assert take(elsewhere, tmp_path) == first
    assert site.asked == []
    assert (tmp_path / DUMP.record).read_bytes() == record


def test_the_reader_of_dumps_finds_the_index_by_its_name(site: Site, tmp_path: Path) -> None:
    take(site, tmp_path)
    assert index_beside(tmp_path / DUMP.articles) == tmp_path / DUMP.index


def test_a_file_from_another_hand_is_taken_without_an_address(site: Site, tmp_path: Path) -> None:
    (tmp_path / DUMP.articles).write_bytes(CONTENT)
    rows = {row.name: row for row in take(site, tmp_path)}
    assert rows[DUMP.articles].url is None
    assert rows[DUMP.articles].size == 64 * 256 * 32
    assert site.ranges(ARTICLES) == []


def test_a_damaged_file_under_the_final_name_is_put_aside(site: Site, tmp_path: Path) -> None:
    take(site, tmp_path)
    (tmp_path / DUMP.articles).write_bytes(CONTENT[:-1])
    heard = Heard()
    take(site, tmp_path, heard)
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT
    assert (tmp_path / f"{DUMP.articles}.bad").read_bytes() == CONTENT[:-1]
    assert sha1(CONTENT[:-1]) in heard.lines[0]
    assert sha1(CONTENT) in heard.lines[0]


# --- digests -----------------------------------------------------------------------------------------------------------


def test_a_wrong_body_never_gets_the_final_name(site: Site, tmp_path: Path, refused: Refused) -> None:
    wrong = CONTENT[:1000] + b"X" + CONTENT[1001:]
    for name in (f"{DUMP.articles}.bad", f"{DUMP.articles}.bad2"):
        site.faults[ARTICLES] = [sends(wrong, Content_Length=len(wrong))]
        message = refused(lambda: take(site, tmp_path), str(tmp_path / name), "sha1")
        assert f"found {sha1(wrong)}, expected {sha1(CONTENT)}" in message
        assert (tmp_path / name).read_bytes() == wrong
        assert not (tmp_path / DUMP.articles).exists()
        assert not (tmp_path / f"{DUMP.articles}.part").exists()
    take(site, tmp_path)
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT


def test_a_mirror_does_not_vouch_for_itself(serve: Serve, site: Site, tmp_path: Path, refused: Refused) -> None:
    forged = serve({ARTICLES: b"forged", INDEX: b"abc"})
    bad = str(tmp_path / f"{DUMP.articles}.bad")
    refused(lambda: take(forged, tmp_path, sums=site.address), bad, "sha1")
    # If it may, it is believed: this is what the digests are taken from another server for.
    assert take(forged, tmp_path / "believed")[1].size == len(b"forged")


def test_a_digest_known_from_elsewhere_stops_before_the_download(site: Site, tmp_path: Path, refused: Refused) -> None:
    sums = str(tmp_path / DUMP.sums)
    for name, path in ((DUMP.articles, ARTICLES), (DUMP.index, INDEX)):
        message = refused(lambda name=name: take(site, tmp_path, pins={name: "0" * 40}), sums, "sha1")  # type: ignore[misc]
        assert f"found {sha1(site.files[path])}, expected {'0' * 40}" in message
        assert site.ranges(path) == []
    take(site, tmp_path, pins={DUMP.articles: sha1(CONTENT)})
    refused(lambda: take(site, tmp_path, pins={DUMP.articles: "0" * 40}), sums, "sha1")


def test_a_dump_that_is_being_made_is_not_there_yet(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.files[SUMS] = listed({INDEX: b"abc"})
    message = refused(lambda: take(site, tmp_path), str(tmp_path / DUMP.sums), "sha1")
    assert DUMP.articles in message
    assert "not finished" in message
    site.files[SUMS] = listed({INDEX: b"abc", ARTICLES: CONTENT})
    take(site, tmp_path)


def test_a_list_that_is_a_page_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.files[SUMS] = b"<html>please log in</html>\n"
    refused(lambda: take(site, tmp_path), f"{tmp_path / DUMP.sums}.part:1", "sha1")
    assert list(tmp_path.iterdir()) == []


def test_a_list_without_end_is_not_read(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[SUMS] = [sends(b"", Content_Length=2**24 + 1)]
    assert str(2**24 + 1) in refused(lambda: take(site, tmp_path), "", "length")


def test_the_list_is_read_line_by_line(tmp_path: Path, refused: Refused) -> None:
    one, two = "1" * 40, "2" * 40
    assert parse_sums(f"{one}  a\n\n{two} *b\n", tmp_path) == {"a": one, "b": two}
    refused(lambda: parse_sums(f"{one}  a\n{one[1:]}  b\n", tmp_path), f"{tmp_path}:2", "sha1")
    refused(lambda: parse_sums(f"{one}  a\n{two}  a\n", tmp_path), f"{tmp_path}:2", "sha1")


# --- going on ----------------------------------------------------------------------------------------------------------


def test_a_cut_download_goes_on_where_it_was(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [partial(well, cut=200_000), partial(well, cut=100_000)]
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT
    assert site.ranges(ARTICLES) == [None, "bytes=200000-", "bytes=300000-"]
    assert heard.waits == [1.0, 2.0]
    assert "200000 bytes are in" in heard.lines[0]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 150_000), max_size=5), validator=st.sampled_from(["etag", "weak", "none"]))
def test_any_cuts_leave_the_same_bytes(
    site: Site, tmp_path_factory: pytest.TempPathFactory, cuts: list[int], validator: str
) -> None:
    site.asked.clear()
    site.validator = validator
    site.faults[ARTICLES] = [partial(well, cut=cut) for cut in cuts]
    assert take_file(site, tmp_path_factory.mktemp("cut")) == CONTENT
    sent, expected = 0, []
    for cut in [*cuts, 0]:
        expected.append(f"bytes={sent}-" if sent else None)
        sent += cut
    assert site.ranges(ARTICLES)[: len(expected)] == expected


def test_a_server_without_ranges_begins_again(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [partial(well, cut=70_000), partial(well, ranges=False)]
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT
    assert "cannot resume" in heard.lines[1]
    assert "70000 bytes deleted" in heard.lines[1]


@pytest.mark.parametrize("conditions", [True, False], ids=["200 by If-Range", "206 of another file"])
@pytest.mark.parametrize("grown", [0, 5000])
def test_a_file_that_changed_between_runs_is_begun_again(
    site: Site, tmp_path: Path, conditions: bool, grown: int
) -> None:
    old = bytes(len(CONTENT) - grown)
    begun(tmp_path, old[:300_000], old)
    site.faults[ARTICLES] = [partial(well, conditions=conditions)]
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT
    assert site.ranges(ARTICLES)[0] == "bytes=300000-"
    assert "deleted" in heard.lines[0]


def test_a_file_of_another_size_is_another_file(site: Site, tmp_path: Path) -> None:
    site.validator = "none"
    part = PartialFile(tmp_path / DUMP.articles)
    part.begin(Version(len(CONTENT) + 1, None))
    part.path.write_bytes(bytes(1000))
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT
    assert f"{len(CONTENT)} bytes now, it had {len(CONTENT) + 1}" in heard.lines[0]


def test_a_file_that_shrank_is_begun_again(site: Site, tmp_path: Path) -> None:
    begun(tmp_path, bytes(len(CONTENT) + 10), bytes(len(CONTENT) + 20))
    site.faults[ARTICLES] = [partial(well, conditions=False)]
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES) == [f"bytes={len(CONTENT) + 10}-", None]


def test_a_part_that_was_whole_is_not_asked_for(site: Site, tmp_path: Path) -> None:
    begun(tmp_path, CONTENT, CONTENT)
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
def test_a_part_without_a_good_note_is_begun_again(site: Site, tmp_path: Path, note: str) -> None:
    begun(tmp_path, b"something", CONTENT)
    PartialFile(tmp_path / DUMP.articles).note.write_text(note)
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES) == [None]


# --- what servers say --------------------------------------------------------------------------------------------------


def test_a_server_in_trouble_is_asked_again(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [status(500), status(429, Retry_After=7), status(503, Retry_After=1), status(503)]
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT
    # The n-th wait is 2^(n-1) seconds, or what the server asks for, if that is more.
    assert heard.waits == [1.0, 7.0, 4.0, 8.0]
    assert "status 500" in heard.lines[0]


def test_patience_ends(site: Site, tmp_path: Path, refused: Refused) -> None:
    begun(tmp_path, CONTENT[:5], CONTENT)
    site.faults[ARTICLES] = [status(503)] * 100
    heard = Heard()
    message = refused(lambda: take_file(site, tmp_path, heard), "", "server")
    assert heard.waits == list(WAITS)
    assert "5 bytes are in" in message
    assert "it continues from there" in message
    site.faults.clear()
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES)[-1] == "bytes=5-"


def test_a_server_that_asks_for_an_hour_gets_it(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [status(429, Retry_After=3600)]
    heard = Heard()
    assert "asks to wait 3600 s" in refused(lambda: take_file(site, tmp_path, heard), "", "server")
    assert heard.waits == []


def test_new_bytes_win_new_patience(site: Site, tmp_path: Path) -> None:
    # Four MiB in eight pieces of half a one make seven failures, one more than there are waits. Each whole MiB that the
    # furthest byte passes makes one the first again: those at 1, 2 and 3 MiB.
    site.files[ARTICLES] = CONTENT * 8
    site.faults[ARTICLES] = [partial(well, cut=2**19)] * 7
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT * 8
    assert heard.waits == [1.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]


def test_a_server_that_begins_again_for_ever_is_left(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.files[ARTICLES] = CONTENT * 8
    site.faults[ARTICLES] = [partial(well, cut=2**21, ranges=False)] * 100
    refused(lambda: take_file(site, tmp_path), "", "server")


def test_silence_is_not_waited_out(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "TIMEOUT", (1.0, 0.2))
    over = threading.Event()

    def silent(handler: Handler) -> None:
        well(handler, cut=100)
        handler.wfile.flush()
        over.wait(5)

    site.faults[ARTICLES] = [silent]
    heard = Heard()
    assert take_file(site, tmp_path, heard) == CONTENT
    over.set()
    assert "timed out" in heard.lines[0]


def test_nobody_there(tmp_path: Path, refused: Refused) -> None:
    assert "refused" in refused(lambda: take_file(Site(address="http://127.0.0.1:1"), tmp_path), "", "server")


def test_a_dump_that_is_gone_is_named(site: Site, tmp_path: Path, refused: Refused) -> None:
    del site.files[SUMS]
    message = refused(lambda: take(site, tmp_path), "", "url")
    assert f"{site.address}{SUMS}" in message
    assert "some months" in message
    site.faults[ARTICLES] = [status(403)]
    assert "403" in refused(lambda: take_file(site, tmp_path), "", "status")


@pytest.mark.parametrize(
    "found",
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
def test_another_range_than_was_asked_for_is_refused(site: Site, tmp_path: Path, refused: Refused, found: str) -> None:
    begun(tmp_path, CONTENT[:5], CONTENT)
    told = found.format(last=len(CONTENT) - 1, size=len(CONTENT))
    site.faults[ARTICLES] = [sends(b"?" * 50, 206, Content_Length=50, Content_Range=told)]
    assert repr(told) in refused(lambda: take_file(site, tmp_path), "", "range")
    assert PartialFile(tmp_path / DUMP.articles).path.read_bytes() == CONTENT[:5]


def test_a_range_that_nobody_asked_for_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [sends(b"?", 206, Content_Length=1, Content_Range="bytes 0-0/9")]
    refused(lambda: take_file(site, tmp_path), "", "range")


def test_a_shorter_range_than_was_asked_for_is_gone_on_from(site: Site, tmp_path: Path) -> None:
    begun(tmp_path, CONTENT[:5], CONTENT)
    some = f"bytes 5-8/{len(CONTENT)}"
    site.faults[ARTICLES] = [sends(CONTENT[5:9], 206, Content_Length=4, Content_Range=some)]
    assert take_file(site, tmp_path) == CONTENT
    assert site.ranges(ARTICLES) == ["bytes=5-", "bytes=9-"]


def test_more_than_was_told_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    begun(tmp_path, CONTENT[:5], CONTENT[:9])
    site.faults[ARTICLES] = [sends(b"?" * 10, 206, Content_Length=10, Content_Range="bytes 5-8/9")]
    refused(lambda: take_file(site, tmp_path), f"{tmp_path / DUMP.articles}.part", "length")


def test_a_file_of_no_told_length_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
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
    assert range_headers(7, Version(9, date)) == {"Range": "bytes=7-", "If-Range": date}
    assert range_headers(7, Version(9, None)) == {"Range": "bytes=7-"}
    assert range_headers(0, Version(9, date)) == {}


# --- redirects ---------------------------------------------------------------------------------------------------------


def test_a_redirect_to_the_file_is_followed(site: Site, tmp_path: Path) -> None:
    site.files["/elsewhere"] = CONTENT
    site.faults[ARTICLES] = [status(302, Location="/elsewhere")] * 2
    site.faults["/elsewhere"] = [partial(well, cut=9)]
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
    assert len(site.asked) == 6


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


# --- what users write --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wiki", ["", "ZHWIKI", "../etc", "zh wiki", "zhwiki/", "zhwiki\n", "中文", "-x", "z" * 64])
def test_no_name_of_a_wiki(wiki: str, refused: Refused) -> None:
    refused(lambda: Dump(wiki, "20251101"), "", "wiki")


@pytest.mark.parametrize(
    "date", ["", "latest", "2025-11-01", "20251301", "20250230", "20251101\n", "２０２５１１０１", ".."]
)
def test_no_date(date: str, refused: Refused) -> None:
    refused(lambda: Dump("zhwiki", date), "", "date")


def test_names_are_those_of_wikimedia() -> None:
    dump = Dump("zh_classicalwiki", "20240229")
    assert dump.articles == "zh_classicalwiki-20240229-pages-articles-multistream.xml.bz2"
    assert dump.index == "zh_classicalwiki-20240229-pages-articles-multistream-index.txt.bz2"
    assert (
        dump.url("https://a", dump.sums) == "https://a/zh_classicalwiki/20240229/zh_classicalwiki-20240229-sha1sums.txt"
    )


def test_a_digest_has_forty_digits(refused: Refused) -> None:
    assert sha1_of("AB" * 20, "sha1") == "ab" * 20
    refused(lambda: sha1_of("ab" * 19, "sha1"), "", "sha1")


@pytest.mark.parametrize("line", ['{"name": "a"}', '{"name": 1, "size": 1, "sha1": "", "sha256": "", "url": null}'])
def test_a_record_that_somebody_wrote_in(tmp_path: Path, refused: Refused, line: str) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(f"\n{line}\n")
    refused(lambda: read_record(path), f"{path}:2", "record")


# --- the disk, the process ---------------------------------------------------------------------------------------------

COMMAND = """
import sys
from pipeline.cli import main
sys.argv[0] = "winoforge"
main()
"""
NO_LARGE_FILE = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"


def arguments(site: Site, folder: Path, *more: str, before: str = "") -> Sequence[str]:
    command = [sys.executable, "-c", before + COMMAND, "corpus", "fetch", DUMP.wiki, DUMP.date, "--out", str(folder)]
    return [*command, "--mirror", site.address, "--sums", site.address, *more]


def run(site: Site, folder: Path, *more: str, before: str = "") -> subprocess.CompletedProcess[str]:
    command = arguments(site, folder, *more, before=before)
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_a_killed_run_goes_on_where_it_was(site: Site, tmp_path: Path) -> None:
    over = threading.Event()

    def stalling(handler: Handler) -> None:
        well(handler, cut=300_000)
        handler.wfile.flush()
        over.wait(60)

    site.faults[ARTICLES] = [stalling]
    process = subprocess.Popen(
        arguments(site, tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    part = tmp_path / f"{DUMP.articles}.part"
    deadline = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    over.set()
    came = part.stat().st_size
    assert 0 < came <= 300_000
    assert part.read_bytes() == CONTENT[:came]

    finished = run(site, tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert site.ranges(ARTICLES) == [None, f"bytes={came}-"]
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT
    assert f"sha1 {sha1(CONTENT)}" in finished.stdout


def test_a_full_disk_is_a_message(site: Site, tmp_path: Path) -> None:
    finished = run(site, tmp_path, before=NO_LARGE_FILE)
    assert finished.returncode == 2
    assert finished.stderr.startswith(f"{tmp_path / DUMP.articles}.part: [file] cannot be written")
    assert len(finished.stderr.splitlines()) == 1
    assert not (tmp_path / DUMP.articles).exists()
    came = (tmp_path / f"{DUMP.articles}.part").stat().st_size
    assert came <= 100_000
    take(site, tmp_path)
    assert site.ranges(ARTICLES)[-1] == f"bytes={came}-"


def test_what_has_no_room_is_not_begun(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [sends(b"", Content_Length=10**14)]
    assert str(10**14) in refused(lambda: take_file(site, tmp_path), f"{tmp_path / DUMP.articles}.part", "disk")


def test_a_folder_that_is_a_file(site: Site, tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "file").write_text("")
    refused(lambda: take(site, tmp_path / "file"), str(tmp_path / "file"), "file")


def test_two_runs_do_not_write_into_one_part(site: Site, tmp_path: Path, refused: Refused) -> None:
    met = []

    def second(handler: Handler) -> None:
        with pytest.raises(PipelineError) as caught:
            take(site, tmp_path)
        met.append(str(caught.value))
        well(handler)

    site.faults[ARTICLES] = [second]
    take(site, tmp_path)
    assert met == [f"{tmp_path}: [folder] in use; found another run that fetches into it"]
    take(site, tmp_path)


def test_a_mistake_is_one_line_and_exit_two(site: Site, tmp_path: Path) -> None:
    finished = run(site, tmp_path, "--sha1", "nothing")
    assert finished.returncode == 2
    assert finished.stderr == "[sha1] not a SHA-1; found 'nothing', expected 40 hexadecimal digits\n"
    assert site.asked == []
