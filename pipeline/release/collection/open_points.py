"""What is left to do before a release of a collection, in the order in which one does it."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, first_names, plural
from ...core.files import read_bytes, read_text
from ...core.notation import expand
from ...winograd.readers import ingest, read_drafts
from ...winograd.readers.draft import skipped_lines
from ..gate import findings, packed
from ..people import EXPORTS
from ..sources import LICENCES, SOURCES, licence_text
from .layout import README, TODO, Collection, examples
from .stages import is_built

#: The keys of SOURCES.toml that the card, the licence or the citation needs.
_NEEDED = ("title", "authors", "origin", "unchecked", "canary")


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """What is left to do: where, and the command that comes after it."""

    what: str
    after: str

    def __str__(self) -> str:
        return f"{self.what}; then: {self.after}"


def open_points(collection: Collection, *, in_release: bool = True) -> list[OpenPoint]:
    """Return what is left to do, in the order in which one does it; nothing if the collection can be released.

    What the suites find in a build is left out until the schemas can be read and the build is that of today; what they find in the
    release, until nothing else is left.

    Args:
        in_release: whether to make the release and look at it too.
    """
    folder = shlex.quote(str(collection.folder))
    build, check = f"winoforge build {folder}", f"winoforge check {folder}"
    points = [OpenPoint(what, build) for what in _in_schemas(collection)]
    if not points and not is_built(collection):
        points.append(OpenPoint(_not_built(collection), build))
    if not points:
        points += [OpenPoint(line, build) for line in _in_build(collection)]
    points += [OpenPoint(what, check) for what in (*_in_sources(collection), *_in_readme(collection))]
    if in_release and not points:
        points += [OpenPoint(line, check) for line in _in_release(collection)]
    return points


def _not_built(collection: Collection) -> str:
    """Return why there is no build of today's files: it was not made, or nothing is kept of which it could be made."""
    kept, rejected = (collection.build / f"{name}.jsonl" for name in ("adjudicated", "adjudicated-rejected"))
    if kept.is_file() and not read_bytes(kept) and is_built(collection, before="zero"):
        return f"{collection.schemas}: nothing is kept of it; mend what is rejected, for the reasons in {rejected}"
    return f"{collection.build}: not built, or not from today's files"


def _in_schemas(collection: Collection) -> Iterator[str]:
    """Yield what is wrong with the file of schemas: it cannot be read, records are skipped, drafts or the example are left."""
    path, lang = collection.schemas, collection.source.lang
    try:
        data = read_bytes(path)
        result = ingest(data, path, "schema-yaml", lang)
    except PipelineError as error:
        yield from map(str, (error, *error.others))
        return
    yield from skipped_lines(result.skipped, path)
    yield from _placeholders(path)
    example = examples().get(lang)
    texts = expand(str(example["text"])) if example else ()
    plain = {text.replace("[", "").replace("]", "") for text in texts}
    if left := [item.id for item in result.items if item.text in plain]:
        yield f"{path}: the example is still in it ({first_names(left)}): write schemas of your own in its place"


def _in_build(collection: Collection) -> Iterator[str]:
    """Yield what the suites find in a build, once for all stages, at the line of the schema that it is about."""
    path = collection.schemas
    drafts = read_drafts(read_bytes(path), path, "schema-yaml", collection.source.lang)
    lines = {name: draft.lines["id"] for draft in drafts for name in (draft.id, draft.schema)}
    seen = set()
    for finding in findings(collection.build, collection.source.profile):
        place, _, what = finding.partition(": ")
        first = next((word for word in re.findall(r"[\w.-]+", what) if word in lines), "")
        if what not in seen:
            yield f"{path}:{lines[first]}: {what}" if first else f"{place}: {what}"
        seen.add(what)


def _in_sources(collection: Collection) -> Iterator[str]:
    path, source = collection.folder / SOURCES.name, collection.source
    yield from _placeholders(path)
    for name in _NEEDED:
        if not getattr(source, name):
            yield f"{path}: [{name}] empty; expected a text"
    try:
        licence_text(source, collection.folder / LICENCES.name)
    except PipelineError as error:
        reason = f"no text of {source.licence}: put it there, or name another licence in {path}"
        yield f"{error.path}: [licence] {reason}"


def _in_readme(collection: Collection) -> Iterator[str]:
    path = collection.folder / README
    if path.is_file():
        yield from _placeholders(path)
    else:
        yield f"{path}: no such file; expected what the collection is for, and how it was written"


def _in_release(collection: Collection) -> Iterator[str]:
    licence = licence_text(collection.source, collection.folder / LICENCES.name)
    try:
        _, lines = packed(collection.build, collection.source, licence, collection.folder / EXPORTS)
        yield from lines
    except PipelineError as error:
        yield str(error)


def _placeholders(path: Path) -> Iterator[str]:
    """Yield a line that says where a file has something to be written in place of a placeholder."""
    lines = [str(number) for number, line in enumerate(read_text(path).split("\n"), 1) if _is_open(line)]
    if lines:
        yield f"{path}:{lines[0]}: {plural(len(lines), TODO)} left, in {'lines' if len(lines) > 1 else 'line'} {', '.join(lines)}"


def _is_open(line: str) -> bool:
    return bool(re.search(rf"\b{TODO}\b", line)) and f"“{TODO}”" not in line
