"""Commands on editions of data: compare two editions of a collection, fetch a published one."""

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from ..core.convert import to_object
from ..core.errors import plural
from ..core.pages import write_page
from ..core.servers import server_address
from ..release.comparison import compare
from ..release.comparison_report import comparison_page, comparison_to_json, item_lines, summary_lines, version_fault
from ..release.editions import read_edition, read_reasons, require_one_kind
from .output import server_progress
from .parameters import arg, opt, output
from .report import Quiet, Report, Writes


def diff_command(
    old: Annotated[Path, arg("OLD", "The earlier edition: a release, a build, or a file of items (JSON Lines).")],
    new: Annotated[Path, arg("NEW", "The later edition, of the same kind.")],
    reasons: Annotated[
        list[Path] | None,
        opt(
            "Why items changed or left: errata (YAML), or a table with id and why (TSV); may be repeated.",
            metavar="<path>",
        ),
    ] = None,
    out: Annotated[Path | None, output("page of all changes (HTML).")] = None,
) -> Report:
    """Compare two editions of a collection item by item, with the reason of each change.

    Prints a line for each item that is dropped (-), added (+) or changed (~):
    its answer, candidates, text, question, form or metadata. Then the counts,
    and the version that NEW should have after OLD: major if an answer changed
    or an item, its id, a field or a form is gone; minor if some were added;
    patch otherwise. Exit status 1 if NEW states a lower version than that.
    """
    editions = read_edition(old), read_edition(new)
    require_one_kind(*editions)
    result = compare(*editions, read_reasons(reasons or ()))
    summary = summary_lines(result)
    report = Report([*item_lines(result), *summary], comparison_to_json(result))
    if fault := version_fault(result):
        report.findings.append(fault)
    if out is not None:
        write_page(out, comparison_page(result))
    return report


def fetch_command(
    name: Annotated[str, arg("NAME", "Name of the collection, as --list shows it, such as pws.")] = "",
    out: Annotated[Path, output("folder of all collections; the files come into out/NAME."), Writes()] = Path(
        "published"
    ),
    mirror: Annotated[str, opt("Server with copies at <url>/NAME/FILE, in place of the published addresses.")] = "",
    registry: Annotated[Path | None, opt("Table of collections in place of ours (YAML).")] = None,
    listing: Annotated[bool, opt("List all collections, and download none.", "--list")] = False,
    quiet: Quiet = False,
) -> Report:
    """Download a published collection, verified by SHA-256; show its licence.

    A file that is there already is only verified. An interrupted download
    continues with the next run. Only this command and `corpus fetch` download
    data.
    """
    from ..corpus.published import fetch_published, published_collection, published_collections

    if listing:
        report = Report()
        for key, entry in published_collections(registry).items():
            files = f"{plural(len(entry.files), 'file')}, {entry.size} bytes"
            report.add(f"{key}: {entry.what}; {entry.licence}; {files}", **{key: to_object(entry)})
        return report
    collection = published_collection(name, registry)
    mirror = server_address(mirror, "mirror") if mirror else ""
    folder = out / name
    report = Report().add(f"{name}: {collection.what}; {collection.version}")
    report.add(f"licence: {collection.licence}; {collection.page}", licence=collection.licence, page=collection.page)
    with server_progress(quiet=quiet, in_bytes=True) as progress:
        rows = fetch_published(name, collection, folder, mirror, progress)
    for row in rows:
        report.add(f"{folder / row.name}: {row.size} bytes, sha256 {row.sha256}")
    new = sum(row.url is not None for row in rows)
    report.add(
        f"{folder}: {new} fetched + {len(rows) - new} there already = {plural(len(rows), 'file')}",
        files=[asdict(row) for row in rows],
    )
    command = collection.read.replace("{folder}", shlex.quote(str(folder)))
    return report.add(f"read it with: {command}", read=command)
