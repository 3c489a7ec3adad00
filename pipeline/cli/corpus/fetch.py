"""Download a dump from Wikimedia or a mirror."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from ...core.servers.addresses import server_address
from ...corpus.dumps import ORIGIN, Dump, sha1_of
from ..output import server_progress
from ..parameters import arg, opt, output
from ..report import Quiet, Report, Writes


def command(
    wiki: Annotated[str, arg("WIKI", "Wikimedia's name of the wiki, such as zhwiki.")],
    date: Annotated[str, arg("DATE", "Date of the dump, such as 20261101.")],
    out: Annotated[Path, output("folder of the files."), Writes()],
    mirror: Annotated[str, opt("Server to download the files from.")] = ORIGIN,
    sums: Annotated[
        str, opt("Server of the SHA-1 digests. Digests from the mirror itself reveal damage, not manipulation.")
    ] = ORIGIN,
    sha1: Annotated[str | None, opt("SHA-1 of the dump, if known from another source.")] = None,
    index_sha1: Annotated[str | None, opt("SHA-1 of the index, if known from another source.")] = None,
    quiet: Quiet = False,
) -> Report:
    """Download a Wikimedia dump and its index, and verify both.

    An interrupted download continues with the next run.
    """
    report = Report()
    dump = Dump(wiki, date)
    mirror, sums = server_address(mirror, "mirror"), server_address(sums, "sums")
    given = ((dump.articles, sha1, "sha1"), (dump.index, index_sha1, "index-sha1"))
    pins = {name: sha1_of(text, option) for name, text, option in given if text is not None}
    from ...corpus.fetch import fetch

    with server_progress(quiet=quiet, in_bytes=True) as progress:
        rows = fetch(dump, out, mirror, sums, pins, progress)
    for row in rows:
        report.add(f"{out / row.name}: {row.size} bytes, sha1 {row.sha1}, sha256 {row.sha256}")
    report.figures["files"] = [asdict(row) for row in rows]
    return report
