"""`winoforge fetch`: published collections from a server on loopback, continued, verified, refused in a line."""

import hashlib
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.corpus.published import published_collections
from tests.conftest import ROOT
from tests.support.commands import Run, winoforge
from tests.support.dump_server import CONTENT, Serve, Site, serve_well, status

FILES = {"one.tsv": CONTENT, "two.tsv": b"two\n"}


@pytest.fixture
def site(serve: Serve) -> Site:
    """A server of a collection: a file at its address, one in a folder; the mirror has both."""
    return serve(
        {"/data/one.tsv": CONTENT, "/more/two.tsv": b"two\n", "/mine/one.tsv": CONTENT, "/mine/part/two.tsv": b"two\n"}
    )


@pytest.fixture
def fetch(site: Site, tmp_path: Path) -> Callable[..., Run]:
    files = {
        name: f"{name}: {{size: {len(data)}, sha256: {hashlib.sha256(data).hexdigest()}}}"
        for name, data in FILES.items()
    }
    (tmp_path / "registry.yaml").write_text(
        "mine: {what: Mine, licence: CC0-1.0, page: 'https://example.org', version: '1', read: 'cat {folder}/one.tsv', parts: ["
        f"{{url: '{site.address}/data', files: {{{files['one.tsv']}}}}}, "
        f"{{url: '{site.address}/more', folder: part, files: {{{files['two.tsv']}}}}}]}}\n",
        encoding="utf-8",
    )
    return partial(winoforge, "fetch", "mine", "--registry", tmp_path / "registry.yaml", cwd=tmp_path)


def test_licence_and_digests_are_shown_and_nothing_is_fetched_twice(
    fetch: Callable[..., Run], site: Site, tmp_path: Path
) -> None:
    run = fetch()
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [
        "mine: Mine; 1",
        "licence: CC0-1.0; https://example.org",
        *(f"published/mine/{at}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}" for at, data in
          (("one.tsv", CONTENT), ("part/two.tsv", b"two\n"))),
        "published/mine: 2 fetched + 0 there already = 2 files",
        "read it with: cat published/mine/one.tsv",
    ]  # fmt: skip
    assert (tmp_path / "published/mine/one.tsv").read_bytes() == CONTENT
    record = (tmp_path / "published/mine/mine-fetched.jsonl").read_text(encoding="utf-8")
    assert f'"url": "{site.address}/more/two.tsv"' in record
    assert "0 fetched + 2 there already" in fetch().stdout
    assert (tmp_path / "published/mine/mine-fetched.jsonl").read_text(encoding="utf-8") == record
    assert len(site.requests) == 2


def test_a_cut_off_download_continues(fetch: Callable[..., Run], site: Site, tmp_path: Path) -> None:
    site.faults["/data/one.tsv"] = [partial(serve_well, cut=70_000), *[status(503)] * 6]
    first = fetch()
    assert first.returncode == 2
    assert first.stderr.splitlines()[-1].endswith("run the same command again later, it continues from there")
    assert (tmp_path / "published/mine/one.tsv.part").read_bytes() == CONTENT[:70_000]
    assert fetch().returncode == 0
    assert site.ranges("/data/one.tsv")[-1] == "bytes=70000-"
    assert (tmp_path / "published/mine/one.tsv").read_bytes() == CONTENT


def test_a_mirror_takes_the_place_of_all_addresses(fetch: Callable[..., Run], site: Site) -> None:
    figures = json.loads(fetch("--mirror", f"{site.address}/", "--out", "elsewhere", "--json").stdout)
    assert [row["url"] for row in figures["files"]] == [
        f"{site.address}/mine/one.tsv",
        f"{site.address}/mine/part/two.tsv",
    ]
    assert [path for path, _ in site.requests] == ["/mine/one.tsv", "/mine/part/two.tsv"]


def test_a_table_of_ones_own_is_listed_and_a_folder_is_quoted(fetch: Callable[..., Run]) -> None:
    assert fetch("--list").stdout == f"mine: Mine; CC0-1.0; 2 files, {len(CONTENT) + 4} bytes\n"
    assert fetch("--out", "my data").stdout.endswith("\nread it with: cat 'my data/mine'/one.tsv\n")


def test_what_is_wrong_is_one_line(fetch: Callable[..., Run], site: Site, tmp_path: Path) -> None:
    site.files["/more/two.tsv"] = b"too\n"
    changed = fetch()
    assert re.fullmatch(
        r"\[sha256\] not the expected file; found \w{64} at http\S+/more/two.tsv, expected \w{64}; deleted, .*\n",
        changed.stderr,
    )
    assert [path.name for path in (tmp_path / "published/mine/part").iterdir()] == []
    record = (tmp_path / "published/mine/mine-fetched.jsonl").read_text(encoding="utf-8")
    assert f'"url": "{site.address}/data/one.tsv"' in record  # the next run does not fetch it, and would not know
    del site.files["/more/two.tsv"]
    gone = fetch()
    assert gone.stderr.startswith(
        f"[url] no such file; found status 404 at {site.address}/more/two.tsv; see https://example.org, or give a server"
    )
    (tmp_path / "published/mine/one.tsv").write_bytes(b"")
    other = fetch()
    assert other.stderr.startswith("published/mine/one.tsv: [sha256] not the published file; found e3b0c442")
    offline = fetch("--mirror", "http://127.0.0.1:1", "--out", "new")
    assert (
        "[server] cannot be reached; found [Errno 111] Connection refused, expected http://127.0.0.1:1/mine/one.tsv;"
        in offline.stderr
    )
    unknown = winoforge("fetch", "pwz", cwd=tmp_path)
    assert unknown.stderr.startswith("[name] unknown collection; found 'pwz', expected one of pws, wsc, pdp,")
    assert unknown.stderr.endswith("did you mean pws?\n")
    for run in (changed, gone, other, offline, unknown):
        assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(("before", "after", "line", "reason"), [
    ("pws.tsv: {", "../pws.tsv: {", 12, "[pws.parts.files.../pws.tsv] leaves the folder of the collection; found 'pws/../pws.tsv'"),
    ("pws.tsv: {", "/pws.tsv: {", 12, "[pws.parts.files./pws.tsv] leaves the folder of the collection; found '/pws.tsv'"),
    ("- url: https://raw", "- url: ftp://raw", 10, "[url] not a server's address; found 'ftp://"),
    ("sha256: 26b4", "sha256: 26b", 12, "[pws.parts.files.pws.tsv.sha256] wrong value"),
])  # fmt: skip
def test_a_mistake_in_the_table_is_told_with_its_line(
    tmp_path: Path, before: str, after: str, line: int, reason: str
) -> None:
    path = tmp_path / "collections.yaml"
    text = (ROOT / "rules/published/collections.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        published_collections(path)
    assert (caught.value.line, caught.value.reason[: len(reason)]) == (line, reason)


def test_the_table_has_the_files_as_they_were_published(shared_data: Path) -> None:
    for name, collection in published_collections().items():
        for file, (_, published) in collection.files.items():
            data = (shared_data / name / file).read_bytes()
            assert (len(data), hashlib.sha256(data).hexdigest()) == (published.size, published.sha256), file


def test_no_build_fetches() -> None:
    """Whoever builds is offline: no rule of the Makefile calls `winoforge fetch`."""
    assert "$(WINOFORGE) fetch" not in (ROOT / "Makefile").read_text(encoding="utf-8")
