"""Published collections: a table of what they are and where they lie, and their download, verified by SHA-256."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated

from msgspec import Meta

from ..core.convert import Count, Text, convert_node, error_at, write_records
from ..core.errors import PipelineError, shown
from ..core.hints import known_names
from ..core.rules import RULES
from ..core.servers import Progress, server_address
from ..core.yamlfile import load_yaml
from .fetch import FetchedFile, digests, fetch_file, open_session, read_record

Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description="64 hexadecimal digits")]


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of a collection: its size in bytes, and its digest."""

    size: Count
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class Part:
    """Files at one address, by name, and the folder inside that of the collection in which they come to lie."""

    url: Text
    files: Annotated[Mapping[Text, PublishedFile], Meta(min_length=1, description="'name: {size, sha256}' entries")]
    folder: str = ""


@dataclass(frozen=True, slots=True)
class PublishedCollection:
    """A published collection.

    Attributes:
        what: what it is, and who made it.
        licence: SPDX identifier of its licence, or what it may be used for.
        page: address of its page.
        version: the commit or the date of its files.
        read: a command that reads it; ``{folder}`` is the folder of its files.
    """

    what: Text
    licence: Text
    page: Text
    version: Text
    read: Text
    parts: Annotated[tuple[Part, ...], Meta(min_length=1, description="a list of parts")]

    @property
    def files(self) -> dict[str, tuple[str, PublishedFile]]:
        """Address, size and digest of each file, by its path in the folder of the collection."""
        return {
            (PurePosixPath(part.folder) / name).as_posix(): (f"{part.url}/{name}", file)
            for part in self.parts
            for name, file in part.files.items()
        }

    @property
    def size(self) -> int:
        """The number of bytes of all files."""
        return sum(file.size for _, file in self.files.values())


@functools.cache
def published_collections(path: Path | None = None) -> Mapping[str, PublishedCollection]:
    """Return the published collections by name.

    Args:
        path: a table in place of ours.

    Raises:
        PipelineError: the table is malformed, an address is none of a server, or a file would lie outside the folder of its collection
            or in the place of another.
    """
    path = path or RULES / "published" / "collections.yaml"
    document = load_yaml(path)
    collections = convert_node(document, dict[Text, PublishedCollection], path)
    for name, collection in collections.items():
        targets = set[PurePosixPath]()
        for number, part in enumerate(collection.parts):
            try:
                server_address(part.url, "url")
            except PipelineError as error:
                raise error_at(document, path, (name, "parts", number, "url"), error.reason) from None
            for file in part.files:
                target = PurePosixPath(name, part.folder, file)
                if target.is_absolute() or ".." in target.parts or target in targets:
                    problem = "not unique" if target in targets else "leaves the folder of the collection"
                    reason = f"{problem}; found {shown(target.as_posix())}"
                    raise error_at(document, path, (name, "parts", number, "files", file), reason)
                targets.add(target)
    return collections


def published_collection(name: str, path: Path | None = None) -> PublishedCollection:
    """Return a published collection; raises `PipelineError` with the known names if there is none of this name."""
    collections = published_collections(path)
    if name not in collections:
        found = f"unknown collection; found {shown(name)}, {known_names(name, list(collections))}"
        reason = (
            found
            if name
            else f"missing; expected one of {', '.join(collections)}; `winoforge fetch --list` tells of them"
        )
        raise PipelineError(None, None, f"[name] {reason}")
    return collections[name]


def fetch_published(
    name: str, collection: PublishedCollection, folder: Path, mirror: str, progress: Progress
) -> list[FetchedFile]:
    """Fetch the files that a folder lacks; a file gets its name once it has its digest. NAME-fetched.jsonl there is the record of all.

    Args:
        folder: the folder of the collection, created if it is missing.
        mirror: a server that has NAME/FILE for each file of each collection; empty for the addresses of the table.

    Returns:
        A row for each file, in the order of the table; its address is None if it was already in the folder. The record keeps the
        address from which it came.

    Raises:
        PipelineError: a file cannot be fetched (see `fetch_file`), or another file has its name.
    """
    rows = []
    record = folder / f"{name}-fetched.jsonl"
    kept = read_record(record)
    way_out = f"see {collection.page}, or give a server that has a copy with --mirror"
    with open_session() as session:
        for file, (address, published) in collection.files.items():
            path, url = folder / file, None
            if path.is_file():
                found = digests(path, progress)
                if found.sha256 != published.sha256:
                    reason = f"not the published file; found {found.sha256}, expected {published.sha256}"
                    raise PipelineError(path, None, f"[sha256] {reason}; move it away and run again")
            else:
                url = f"{mirror}/{name}/{file}" if mirror else address
                found = fetch_file(session, url, path, "sha256", published.sha256, progress, way_out)
            row = FetchedFile(file, found.size, found.sha1, found.sha256, url)
            rows.append(row)
            if url or file not in kept:
                kept[file] = row
                write_records(record, kept.values())
    return rows
