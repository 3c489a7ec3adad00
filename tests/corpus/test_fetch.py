"""Dumps are fetched whole and verified, continue where they were cut off, and have a record of their files."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.core.servers import Progress
from pipeline.corpus import fetch
from pipeline.corpus.dumps import Dump, parse_sums, sha1_of
from pipeline.corpus.fetch import FetchedFile
from tests.conftest import ROOT, Refused
from tests.support.dump_server import (
    ARTICLES,
    CONTENT,
    DUMP,
    INDEX,
    SUMS,
    Handler,
    Serve,
    Site,
    sends,
    serve_well,
    sha1,
    status,
    sums_of,
    take,
)

PART = f"{DUMP.articles}.part"

# --- a whole dump ------------------------------------------------------------------------------------------------------


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
    assert sorted(path.name for path in folder.iterdir()) == [DUMP.record, DUMP.index, DUMP.articles, DUMP.sums]
    assert [json.loads(line) for line in (folder / DUMP.record).read_text().splitlines()] == list(map(asdict, rows))
    assert [row.name for row in rows] == [DUMP.index, DUMP.articles, DUMP.sums]
    [(agent, packing)] = site.headers
    assert agent is not None
    assert agent.startswith("winoforge/")
    assert packing == "identity"


def test_files_already_there_are_not_requested_again(site: Site, tmp_path: Path) -> None:
    first = take(site, tmp_path)
    record = (tmp_path / DUMP.record).read_bytes()
    site.requests.clear()
    elsewhere = Site(address="http://127.0.0.1:1")
    assert take(elsewhere, tmp_path) == first
    assert site.requests == []
    assert (tmp_path / DUMP.record).read_bytes() == record


def test_a_file_from_another_hand_is_taken_without_an_address(site: Site, tmp_path: Path) -> None:
    (tmp_path / DUMP.articles).write_bytes(CONTENT)
    rows = {row.name: row for row in take(site, tmp_path)}
    assert rows[DUMP.articles].url is None
    assert rows[DUMP.articles].size == 64 * 256 * 32
    assert site.ranges(ARTICLES) == []


def test_a_file_under_the_final_name_with_another_digest_stays(site: Site, tmp_path: Path, refused: Refused) -> None:
    take(site, tmp_path)
    (tmp_path / DUMP.articles).write_bytes(CONTENT[:-1])
    message = refused(lambda: take(site, tmp_path), str(tmp_path / DUMP.articles), "sha1")
    assert f"found {sha1(CONTENT[:-1])}, expected {sha1(CONTENT)}" in message
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT[:-1]


# --- digests -----------------------------------------------------------------------------------------------------------


def test_a_wrong_body_leaves_nothing(site: Site, tmp_path: Path, refused: Refused) -> None:
    wrong = CONTENT[:1000] + b"X" + CONTENT[1001:]
    site.faults[ARTICLES] = [sends(wrong, Content_Length=len(wrong))]
    message = refused(lambda: take(site, tmp_path), "", "sha1")
    assert f"found {sha1(wrong)} at {site.address}{ARTICLES}, expected {sha1(CONTENT)}" in message
    assert not list(tmp_path.glob(f"{DUMP.articles}*"))
    take(site, tmp_path)
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT


def test_a_mirror_does_not_vouch_for_itself(serve: Serve, site: Site, tmp_path: Path, refused: Refused) -> None:
    forged = serve({ARTICLES: b"forged", INDEX: b"abc"})
    refused(lambda: take(forged, tmp_path, sums=site.address), "", "sha1")
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
    site.files[SUMS] = sums_of({INDEX: b"abc"})
    message = refused(lambda: take(site, tmp_path), str(tmp_path / DUMP.sums), "sha1")
    assert DUMP.articles in message
    assert "not finished" in message
    site.files[SUMS] = sums_of({INDEX: b"abc", ARTICLES: CONTENT})
    take(site, tmp_path)


def test_a_list_that_is_a_page_is_refused(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.files[SUMS] = b"<html>please log in</html>\n"
    refused(lambda: take(site, tmp_path), f"{tmp_path / DUMP.sums}:1", "sha1")
    assert list(tmp_path.iterdir()) == []


def test_the_list_is_read_line_by_line(tmp_path: Path, refused: Refused) -> None:
    first, second = "1" * 40, "2" * 40
    assert parse_sums(f"{first}  a\n\n{second} *b\n", tmp_path) == {"a": first, "b": second}
    refused(lambda: parse_sums(f"{first}  a\n{first[1:]}  b\n", tmp_path), f"{tmp_path}:2", "sha1")
    refused(lambda: parse_sums(f"{first}  a\n{second}  a\n", tmp_path), f"{tmp_path}:2", "sha1")


# --- continuing --------------------------------------------------------------------------------------------------------


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(1, 150_000), max_size=5))
def test_any_cuts_leave_the_same_bytes(site: Site, tmp_path_factory: pytest.TempPathFactory, cuts: list[int]) -> None:
    folder, lines = tmp_path_factory.mktemp("cut"), list[str]()
    site.requests.clear()
    site.faults[ARTICLES] = [partial(serve_well, cut=cut) for cut in cuts]
    take(site, folder, lines)
    assert (folder / DUMP.articles).read_bytes() == CONTENT
    received = [sum(cuts[:number]) for number in range(1, len(cuts) + 1)]
    assert site.ranges(ARTICLES) == [None, *(f"bytes={size}-" for size in received)]
    assert [line.rpartition("; ")[2] for line in lines] == [f"continuing behind {size} bytes" for size in received]


def test_a_server_without_ranges_starts_again(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [partial(serve_well, cut=70_000), partial(serve_well, ranges=False)]
    take(site, tmp_path)
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT


def test_a_server_that_always_starts_again_is_given_up(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [partial(serve_well, cut=70_000, ranges=False)] * 100
    message = refused(lambda: take(site, tmp_path), "", "server")
    assert "it continues from there" in message
    assert (tmp_path / PART).read_bytes() == CONTENT[:70_000]


def test_another_range_than_requested_is_not_appended(site: Site, tmp_path: Path, refused: Refused) -> None:
    (tmp_path / PART).write_bytes(CONTENT[:5])
    claimed = f"bytes 4-{len(CONTENT) - 1}/{len(CONTENT)}"
    site.faults[ARTICLES] = [sends(CONTENT[4:], 206, Content_Length=len(CONTENT) - 4, Content_Range=claimed)]
    refused(lambda: take(site, tmp_path), "", "sha1")
    assert not (tmp_path / PART).exists()


@pytest.mark.parametrize("received", [CONTENT, CONTENT + b"more", b"other" * len(CONTENT)])
def test_a_part_of_the_whole_length_is_the_file_or_goes(
    site: Site, tmp_path: Path, refused: Refused, received: bytes
) -> None:
    (tmp_path / PART).write_bytes(received)
    if received != CONTENT:
        refused(lambda: take(site, tmp_path), "", "sha1")
        assert not (tmp_path / PART).exists()
    take(site, tmp_path)
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT


# --- what servers answer -----------------------------------------------------------------------------------------------


def test_a_server_in_trouble_is_asked_again(site: Site, tmp_path: Path) -> None:
    site.faults[ARTICLES] = [status(500), status(429, Retry_After=7), status(503, Retry_After=3600), status(503)]
    take(site, tmp_path)
    assert len(site.ranges(ARTICLES)) == 5


def test_attempts_end(site: Site, tmp_path: Path, refused: Refused) -> None:
    (tmp_path / PART).write_bytes(CONTENT[:5])
    site.faults[ARTICLES] = [status(503)] * 100
    message = refused(lambda: take(site, tmp_path), "", "server")
    assert "503" in message
    assert "it continues from there" in message
    assert len(site.ranges(ARTICLES)) == 6
    site.faults.clear()
    take(site, tmp_path)
    assert site.ranges(ARTICLES)[-1] == "bytes=5-"


def test_a_silent_server_times_out(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "TIMEOUT", (1.0, 0.2))
    over = threading.Event()

    def silent(handler: Handler) -> None:
        serve_well(handler, cut=100)
        handler.wfile.flush()
        over.wait(5)

    site.faults[ARTICLES] = [silent]
    take(site, tmp_path)
    over.set()
    assert site.ranges(ARTICLES) == [None, "bytes=100-"]


def test_a_server_that_is_not_there(tmp_path: Path, refused: Refused) -> None:
    message = refused(lambda: take(Site(address="http://127.0.0.1:1"), tmp_path), "", "server")
    assert "Connection refused" in message


def test_a_dump_that_is_gone_is_named(site: Site, tmp_path: Path, refused: Refused) -> None:
    site.faults[ARTICLES] = [status(403)]
    assert "403" in refused(lambda: take(site, tmp_path), "", "server")
    del site.files[SUMS]
    message = refused(lambda: take(site, tmp_path), "", "url")
    assert f"{site.address}{SUMS}" in message
    assert "some months" in message


def test_a_redirect_to_the_file_is_followed(site: Site, tmp_path: Path) -> None:
    site.files["/elsewhere"] = CONTENT
    site.faults[ARTICLES] = [status(302, Location="/elsewhere")] * 2
    site.faults["/elsewhere"] = [partial(serve_well, cut=9)]
    take(site, tmp_path)
    assert site.ranges("/elsewhere") == [None, "bytes=9-"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "https://", ARTICLES])
def test_a_redirect_elsewhere_or_in_a_ring_is_refused(
    site: Site, tmp_path: Path, refused: Refused, target: str
) -> None:
    site.faults[ARTICLES] = [status(301, Location=target)] * 100
    refused(lambda: take(site, tmp_path), "", "server")
    assert not list(tmp_path.glob(f"{DUMP.articles}*"))


def test_https_is_never_left(tmp_path: Path, refused: Refused) -> None:
    forged, hop = requests.Response(), requests.Response()
    forged.url, forged.status_code, forged.history, forged.raw = "https://a/c", 200, [hop], Mock()
    hop.url = "http://a/b"
    session = Mock(get=Mock(return_value=forged))
    refused(lambda: fetch.download(session, "https://a/b", tmp_path / PART, Progress(print)), "", "redirect")


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


def test_a_killed_run_continues_where_it_was(site: Site, tmp_path: Path) -> None:
    over = threading.Event()

    def stalling(handler: Handler) -> None:
        serve_well(handler, cut=300_000)
        handler.wfile.flush()
        over.wait(60)

    site.faults[ARTICLES] = [stalling]
    process = subprocess.Popen(
        arguments(site, tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    part = tmp_path / PART
    deadline = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    over.set()
    received = part.stat().st_size
    assert 0 < received <= 300_000
    assert part.read_bytes() == CONTENT[:received]

    finished = run(site, tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert site.ranges(ARTICLES) == [None, f"bytes={received}-"]
    assert (tmp_path / DUMP.articles).read_bytes() == CONTENT
    assert f"sha1 {sha1(CONTENT)}" in finished.stdout


def test_a_full_disk_is_a_message(site: Site, tmp_path: Path) -> None:
    finished = run(site, tmp_path, before=NO_LARGE_FILE)
    assert finished.returncode == 2
    assert finished.stderr.startswith(f"{tmp_path / PART}: [file] cannot be written")
    assert len(finished.stderr.splitlines()) == 1
    assert not (tmp_path / DUMP.articles).exists()
    received = (tmp_path / PART).stat().st_size
    assert received <= 100_000
    take(site, tmp_path)
    assert site.ranges(ARTICLES)[-1] == f"bytes={received}-"


def test_a_folder_that_is_a_file(site: Site, tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "file").write_text("")
    refused(lambda: take(site, tmp_path / "file"), str(tmp_path / "file" / DUMP.sums), "file")


def test_wrong_usage_is_one_line_and_exit_two(site: Site, tmp_path: Path) -> None:
    finished = run(site, tmp_path, "--sha1", "nothing")
    assert finished.returncode == 2
    assert finished.stderr == "[sha1] not a SHA-1; found 'nothing', expected 40 hexadecimal digits\n"
    assert site.requests == []
