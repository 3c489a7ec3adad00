"""Commands that check artifacts, pack and verify releases, compare two editions of a collection, and fetch a published one."""

import hashlib
import json
import os
import shlex
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..core.archives import PASSWORD, archived_files, encrypt
from ..core.checksums import CHECKSUMS, verify_archive
from ..core.convert import to_object
from ..core.errors import PipelineError, plural
from ..core.files import lines_of, read_text, write_text
from ..core.hints import near_name
from ..core.outputs import require_outside, write_bytes
from ..core.pages import write_page
from ..core.servers import server_address
from ..core.validation.documents import PATTERNS, Passed, documents, outdated, validate
from ..core.validation.profiles import profiles
from ..core.validation.suite import Severity, Suite, severity_of
from ..release.collection.layout import Collection, is_collection, read_collection
from ..release.collection.open_points import open_points
from ..release.comparison import (
    compare,
    comparison_page,
    comparison_to_json,
    item_lines,
    summary_lines,
    version_fault,
)
from ..release.derivation import DERIVATION
from ..release.editions import read_edition, read_reasons, require_one_kind
from ..release.gate import (
    BUILD,
    SUITES,
    findings_beside_suites,
    packed,
    plan,
    unseen_by_verification,
    verify,
    write_release,
)
from ..release.manifest import manifest
from ..release.people import EXPORTS
from ..release.sources import LICENCES, SOURCES, Source, licence_text, read_source
from ..release.validation.folder import read_release, releases_in
from ..release.validation.suite import RELEASES
from ..release.winograd import require_choices
from .parameters import arg, opt, output, server_progress, tracked
from .report import Quiet, Report, Writes


def _list_suites(wanted: bool) -> None:
    if wanted:
        for suite in SUITES.values():
            typer.echo(f"{suite.name}: {suite.what}")
            for name, what in suite.expectations.items():
                severity = severity_of(name)
                typer.echo(f"  {name:<26} {what}{'' if severity is Severity.CRITICAL else f' ({severity})'}")
        typer.echo("profiles:")
        for name, profile in profiles().items():
            typer.echo(f"  {name:<26} {profile.what}")
        raise typer.Exit


def validate_command(
    suite: Annotated[
        str,
        arg("SUITE", f"{BUILD} to check build folders, or names of suites separated by commas: {', '.join(SUITES)}."),
    ],
    files: Annotated[list[Path], arg("FILE", "Files to check; folders for build, study and releases.")],
    docs: Annotated[
        Path | None,
        output("folder of HTML pages, failing rows (TSV), and suites and results for Great Expectations (JSON)."),
        Writes(PATTERNS),
    ] = None,
    profile: Annotated[
        str,
        opt(
            "Profile of the collection, as --list shows them. Default: the one that the items or templates tell.",
            metavar="NAME",
        ),
    ] = "",
    made: Annotated[
        Path | None,
        opt(
            "Folder of what a build has on record: a build folder that is as its *.made say is not derived again, "
            "and with --docs rows that have passed a suite (passed.json) are not shown to it again."
        ),
    ] = None,
    timings: Annotated[bool, opt("Print how many seconds each suite took.", "--timings")] = False,
    _: Annotated[
        bool,
        opt(
            "List all suites with their expectations, and all profiles, and exit.",
            "--list",
            callback=_list_suites,
            is_eager=True,
        ),
    ] = False,
    quiet: Quiet = False,
) -> Report:
    """Check data files against suites of expectations; exit 1 if one fails.

    Prints one line per failed expectation, with the ids of the failing rows.
    With --docs, Great Expectations runs them, and its results are kept too.
    `validate releases` is `verify`.
    """
    report = Report()
    steps = list(plan(suite, files, profile, made))
    passed = Passed(made if docs and suite == BUILD else None)
    run = partial(validate, passed=passed) if docs else Suite.check
    releases = releases_in(files) if RELEASES.name in [entry.name for entry, _ in steps] else []
    report.lines += [line] if releases and (line := unseen_by_verification()) else []
    validations = [(run(entry, paths), paths) for entry, paths in tracked(steps, "suites", quiet=quiet)]
    for validation, paths in validations:
        report.findings += validation.lines()
        expectations = len(validation.suite.expectations)
        seconds = f"; {validation.seconds:.2f} s" if timings else ""
        report.add(
            f"{', '.join(map(str, paths))}: {validation.suite.name}: {expectations - len(validation.failed())} of "
            f"{expectations} expectations met by {plural(validation.rows, 'row')}{seconds}"
        )
    report.findings += [line for path in releases for line in findings_beside_suites(read_release(path))]
    if made and suite == BUILD and not any(validation.suite is DERIVATION for validation, _ in validations):
        report.add(f"not derived again: {', '.join(map(str, files))}, as {made} has them on record")
    if docs is not None:
        texts = documents(SUITES.values(), validations)
        for name, text in texts.items():
            (write_page if name.endswith(".html") else write_text)(docs / name, text)
        for path in outdated(docs, texts, SUITES.values()):
            path.unlink()
        passed.write()
        report.add(f"{docs / 'index.html'}: {plural(len(validations), 'validation')}")
    report.figures["suites"] = [
        {
            "suite": validation.suite.name,
            "files": [str(path) for path in paths],
            "rows": validation.rows,
            "expectations": len(validation.suite.expectations),
            "failed": {
                check: [failure.row.id for failure in failures] for check, failures in validation.failed().items()
            },
            "severities": {check: severity_of(check).value for check in validation.failed()},
        }
        for validation, paths in validations
    ]
    return report


def release_command(
    directories: Annotated[
        list[Path], arg("BUILD", "Built collections (build/NAME), or folders of collections that `init` laid out.")
    ],
    out: Annotated[
        Path | None,
        output("folder of the releases; default: build/release, here or in the folder of a collection."),
        Writes(home="licences"),
    ] = None,
    sources: Annotated[
        Path | None,
        opt(f"Sources and licences of the collections (TOML); default: {SOURCES}, or that of a collection."),
    ] = None,
    licences: Annotated[
        Path | None,
        opt(f"Folder of the licence texts (NAME.txt); default: {LICENCES}, or that of a collection, or our own texts."),
    ] = None,
    exports: Annotated[
        Path | None,
        opt(f"Exports of studies, a folder each; what people judged stands on the card. Default: {EXPORTS}."),
    ] = None,
    made: Annotated[
        Path | None,
        opt(
            "Records of a build (*.made) that was just validated: a collection that is as they say is not validated again."
        ),
    ] = None,
    archive: Annotated[
        bool,
        opt(f"Also write each release as NAME.zip, encrypted (AES-256) with the password in {PASSWORD}.", "--archive"),
    ] = False,
) -> Report:
    """Pack built collections into releases.

    A release is a folder with data files (JSON Lines, Parquet), dataset card,
    licence and checksums. Nothing is packed if a file of a collection fails
    a suite of `validate build`, or the release would fail `validate releases`:
    the findings are printed, exit 1.
    """
    report = Report()
    password = os.environ.get(PASSWORD, "")
    if archive and not password:
        raise PipelineError(None, None, f"[password] missing password; an archive needs one, expected it in {PASSWORD}")
    jobs = []
    for path in directories:
        collection = read_collection(path) if is_collection(path) and not sources else None
        home, build = (path, collection.build) if collection else (Path(), path)
        texts = licences or (home / LICENCES.name if collection else LICENCES)
        target = (out or home / "build" / "release") / build.name
        jobs.append(_Job(build, collection, target, texts, exports or home / EXPORTS))
    if twice := [job.build for job in jobs if [other.target for other in jobs].count(job.target) > 1]:
        reason = f"two releases of the same name; found {twice[0]} and {twice[1]}, expected one of them at a time"
        raise PipelineError(None, None, f"[out] {reason}")
    require_outside({"--out": [job.target for job in jobs]}, {"BUILD": [job.build for job in jobs]}, releases=True)
    releases = {}
    sources_of = [job.collection.source if job.collection else _source(job.build, sources) for job in jobs]
    for job, source in zip(jobs, sources_of, strict=True):
        lines = list(map(str, open_points(job.collection, in_release=False) if job.collection else ()))
        if not lines:
            text = licence_text(source, job.licences)
            releases[job.target], lines = packed(job.build, source, text, job.exports, made)
        report.findings += lines
    if report.findings:
        return report
    for target, files in releases.items():
        write_release(target, files)
        digest = hashlib.sha256(files[CHECKSUMS]).hexdigest()
        report.add(f"{target}: {plural(len(files), 'file')}, sha256 of the checksums {digest[:12]}")
        report.figures[target.name] = {"files": len(files), "sha256": digest}
        if archive:
            path = target.with_name(f"{target.name}.zip")
            write_bytes(path, encrypt({f"{target.name}/{name}": data for name, data in files.items()}, password))
            report.add(f"{path}: {plural(len(files), 'file')}, encrypted")
    if any(job.collection for job in jobs):
        report.add(f"next: winoforge verify {shlex.join(str(target) for target in releases)}")
    return report


@dataclass(frozen=True, slots=True)
class _Job:
    """A release to be packed: of which build and, if there is one, of which collection; where to, and what else it is made from."""

    build: Path
    collection: Collection | None
    target: Path
    licences: Path
    exports: Path


def _source(build: Path, sources: Path | None) -> Source:
    """Return the source of a build; raises `PipelineError` if it has none, or is of no build with choices."""
    if not build.is_dir():
        raise PipelineError(build, None, "[build] not a folder; expected a build folder such as build/zh")
    if not sources and is_collection(folder := build.absolute().parent.parent):
        raise PipelineError(build, None, f"[build] the build of a collection; expected its folder, {folder}")
    require_build(build)
    require_choices(build)
    return read_source(sources or SOURCES, build.name)


def require_build(directory: Path) -> None:
    """Raise `PipelineError` for a release, or a folder of builds, in place of a build."""
    if (directory / CHECKSUMS).is_file():
        raise PipelineError(
            directory, None, "[build] a release; expected the build that it was made of, such as build/zh"
        )
    inside = sorted(path.name for path in directory.glob("*") if (path / "kept.jsonl").is_file())
    if inside and not any(directory.glob("*.jsonl")):
        reason = f"found the builds {', '.join(inside)} in it, expected one of them, such as {directory / inside[0]}"
        raise PipelineError(directory, None, f"[build] a folder of builds; {reason}")


def require_release(directory: Path) -> None:
    """Raise `PipelineError` with the way out if a folder is no release, and no folder of releases: a build, or none at all."""
    if (directory / CHECKSUMS).is_file() or any(directory.glob(f"*/{CHECKSUMS}")):
        return
    reason = f"found no {CHECKSUMS}, expected a folder that winoforge release wrote"
    if not directory.is_dir():
        reason = f"found no such folder, expected one that winoforge release wrote{near_name(directory)}"
    elif (directory / "kept.jsonl").is_file():
        reason = f"found a build, expected a release: `winoforge validate build {directory}` checks it"
    raise PipelineError(directory, None, f"[release] no release; {reason}")


def verify_command(
    releases: Annotated[
        list[Path], arg("RELEASE", "Release folders (build/release/NAME), a folder of them, or an archive (NAME.zip).")
    ],
    load: Annotated[
        bool, opt("Load each configuration with pandas, DuckDB, datasets and mlcroissant.", "--load/--no-load")
    ] = True,
    made: Annotated[
        Path | None,
        opt(
            "Records of a build (*.made) that was just validated: of a release that is as they say, no forms are made again."
        ),
    ] = None,
) -> Report:
    """Verify everything that a release promises, offline; exit 1 if something does not hold.

    Checksums; rows derived again from its items; card, citation, Croissant
    metadata, licence, provenance and tasks against its data; the manifest of
    its build; each configuration as pandas, DuckDB, datasets and mlcroissant
    load it (the extra `verify`; what is not installed is said first).
    """
    report = Report()
    for release in releases:
        if release.suffix == ".zip":
            files = archived_files(release)
            report.findings += verify_archive(release, files)
            report.figures["files"] = len(files) - 1
            if not report.findings:
                report.add(f"{release}: {plural(len(files) - 1, 'file')} as released")
            continue
        require_release(release)
        if (unseen := unseen_by_verification(load=load)) and unseen not in report.lines:
            report.lines.insert(0, unseen)
        for path in releases_in([release]):
            findings = list(verify(path, load=load, made=made))
            report.findings += findings
            count = len(lines_of(read_text(path / CHECKSUMS))) if (path / CHECKSUMS).exists() else 0
            report.figures["files"] = report.figures.get("files", 0) + count
            if not findings:
                report.add(f"{path}: {plural(count, 'file')} as released")
    return report


def manifest_command(
    releases: Annotated[Path, arg("RELEASES", "Folder of the releases.")],
    parses: Annotated[list[Path], opt("Parse lock; repeat for several.", metavar="<path>")],
    out: Annotated[Path, output("the manifest (JSON).")],
) -> Report:
    """Write the manifest of a build: checksums of released files, versions of parsers and rules."""
    content = manifest(releases, parses)
    write_text(out, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    return Report().add(f"{out}: {len(content['files'])} released files", files=len(content["files"]))


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
