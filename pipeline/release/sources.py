"""SOURCES.toml, which says what each collection was made from, and the licences that a release may name: SPDX identifiers and texts."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ..core.checksums import checksums_of
from ..core.convert import convert, read_yaml
from ..core.errors import PipelineError, shown
from ..core.files import read_bytes, read_text
from ..core.rules import RULES
from ..language.text_checks import foreign_letter

#: Where a repository describes its collections, and has the texts of their licences.
SOURCES, LICENCES = Path("raw/SOURCES.toml"), Path("raw/licences")
#: The page that says how to release a collection.
_PAGE = "docs/collections.md"
#: The authors of the collections in raw/.
DEVELOPERS = "The winoforge developers"
#: The fields of a source that are paths of tables.
_TABLES = ("reading", "fillers", "errata", "earlier", "contested", "predictions")
#: The version of data: three numbers.
Version = Annotated[
    str,
    Meta(
        pattern=r"\A(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}\Z",
        description="three numbers such as 1.0.0",
    ),
]


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of SOURCES.toml.

    Attributes:
        title: title of the collection.
        origin: who made the file, and when.
        licence: identifier of the licence, such as CC-BY-4.0.
        file: path of the source file, or of the folder of a sample of documents.
        sha256: current checksum of the file or folder; an entry that declares one fixes it.
        unchecked: what no human has checked.
        reading: path of a table with the last reading of each item (see `readings`); empty if there is none.
        readers: who read the items, in the plural, such as ``language models``: the card says it where it counts them.
        fillers: path of the fillers of cloze items (see `read_fillers`); empty if there are none.
        errata: path of the errata (see `winograd.errata`); empty if there are none.
        profile: profile of the collection (rules/validation/profiles.yaml); empty if the items tell it.
        canary: a line that identifies the release in training data, where it must not be.
        earlier: path of a table of readings before the last ones; empty if there are none.
        contested: path of a table of items outside the collection on whose answers readers disagree (see `contested_items`), beside
            ``reading-before.tsv``, which has their readings; empty if there is none.
        predictions: path of the answers of systems that were asked (JSON Lines); empty if none was.
        version: version of the data, three numbers; an entry without one is a first draft.
        authors: who is to be credited, in the licence, the citation and the metadata; by default, what `origin` says.
        lang: language of the texts of a collection that `winoforge build` builds.
    """

    title: str
    origin: str
    licence: str
    file: str
    sha256: str
    unchecked: str = ""
    canary: str = ""
    reading: str = ""
    readers: str = "readers"
    fillers: str = ""
    errata: str = ""
    profile: str = ""
    earlier: str = ""
    contested: str = ""
    predictions: str = ""
    version: Version = "0.1.0"
    authors: str = ""
    lang: str = ""


def declared_source(release: Path, name: str) -> Source | None:
    """Return what a SOURCES.toml says of a release: that beside ``build/`` (or in ``raw`` there), or that of the current folder.

    There is none if neither has an entry for it, or if the source file is missing.
    """
    root = release.resolve().parent.parent.parent
    for path, folder in ((root / SOURCES.name, root), (root / SOURCES, root), (SOURCES, Path())):
        entry = _entries(path).get(name) if path.is_file() else None
        if isinstance(entry, dict) and (folder / str(entry.get("file"))).exists():
            return read_source(path, name, folder)
    return None


def declared_licence(release: Path, source: Source) -> str | None:
    """Return the text of a licence as `licence_text` finds it in a folder beside ``build/``, or in that of the current folder."""
    root = release.resolve().parent.parent.parent
    folders = (root / LICENCES.name, root / LICENCES, LICENCES)
    found = next((folder for folder in folders if (folder / f"{source.licence}.txt").is_file()), None)
    return licence_text(source, found) if found else None


def licence_text(source: Source, folder: Path) -> str:
    """Return the text of the licence of a collection: ``LICENCE.txt`` in a folder, else the one that comes with winoforge.

    In our summary of CC BY 4.0, the line at the end credits the authors of the collection.
    """
    name = f"{source.licence}.txt"
    ours = RULES.parent / LICENCES / name
    text = read_text(ours if ours.is_file() and not (folder / name).is_file() else folder / name)
    head, credit, _ = text.partition(_CREDIT)
    if credit and _is_summary(head):
        return f"{head}{credit} {' '.join(f'{source.authors}, {source.title}'.split())}.\n"
    return text


def collection_names(path: Path) -> list[str]:
    """Return the names of the collections that a SOURCES.toml describes; raises `PipelineError` if it is not TOML."""
    return [name for name, entry in _entries(path).items() if isinstance(entry, dict)]


def _entries(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem = "nested too deeply" if isinstance(error, RecursionError) else error
        raise PipelineError(path, None, f"[toml] not TOML; {problem}") from error


def read_source(path: Path, name: str, root: Path = Path()) -> Source:
    """Return the entry ``[name]`` of a SOURCES.toml; the paths in it are relative to `root`.

    Raises:
        PipelineError: not TOML, no such entry, a missing or unknown field, a field that is no text, or a file with another checksum
            than declared.
    """
    if not path.exists():
        reason = (
            "missing; run in the root of the repository, or describe your collections in a file of your own and give it"
        )
        raise PipelineError(path, None, f"[sources] {reason} with --sources ({_PAGE})")
    table = _entries(path)
    entry = table.get(name)
    if not isinstance(entry, dict):
        reason = f"[{name}] unknown source; found {', '.join(table) or 'none'}, expected a table [{name}] with title, origin, licence, file"
        reason += f", here or in another file given with --sources ({_PAGE})"
        raise PipelineError(path, None, reason)
    try:
        source = convert({name: {"sha256": "", **entry}}, dict[str, Source])[name]
    except ValueError as error:
        raise PipelineError(path, None, str(error)) from error
    digest = _digest(root / source.file)
    if source.sha256 not in ("", digest):
        reason = f"[{name}.sha256] file has changed; found {digest}, expected {source.sha256}"
        raise PipelineError(path, None, reason)
    source = replace(source, authors=source.authors.strip() or source.origin.strip())
    remarks = {field: getattr(source, field).strip() for field in entry if field not in ("file", "sha256", "authors")}
    tables = {field: str(root / path) for field in _TABLES if (path := getattr(source, field))}
    # A release is for everybody: where the file lies on this machine is nobody's business.
    public = Path(source.file).name if Path(source.file).is_absolute() else source.file
    return replace(source, **(remarks | tables | {"sha256": digest, "file": public}))


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder, that of the list of its files with their checksums, as SHA256SUMS has it."""
    if not path.is_dir():
        return hashlib.sha256(read_bytes(path)).hexdigest()
    files = {file.relative_to(path).as_posix(): read_bytes(file) for file in path.rglob("*") if file.is_file()}
    return hashlib.sha256(checksums_of(files).encode()).hexdigest()


# --- licences -------------------------------------------------------------------------------------------------------------


#: A licence that SPDX does not list, by its own name.
_OWN = re.compile(r"licenseref-[a-z0-9.-]+")
#: Minimum length of the text of a licence, in characters; a placeholder is shorter.
_SHORTEST = 100
#: The SHA-256 of the words of our summary of CC BY 4.0, which a line with the credit follows.
_CREDIT, _SUMMARY = "Credit:", "6e6987aa624020cf9b92376659c8480284c2ad391d433f181e9b61584c15dfff"
#: A code of Creative Commons: CC BY-SA 4.0, or licenses/by-sa/4.0 in an address.
_CODE = re.compile(r"(?:\bcc[ -]|licenses/)(by(?:-(?:sa|nc|nd))*)[ /-](\d\.\d)")


@cache
def _patterns() -> Mapping[str, str]:
    """Return what is in the text of each licence, by its SPDX identifier."""
    return read_yaml(Path(__file__).with_name("licences.yaml"), dict[str, str])


def _identifier(name: str) -> str:
    """Return the identifier of a licence as SPDX spells it; empty for an unknown one."""
    return next((known for known in _patterns() if known.casefold() == name.casefold()), "")


def label(name: str, source: Source) -> str:
    """Return the name of a release on its card: only what the developers of winoforge wrote has the project's."""
    return f"winoforge {name}" if source.authors == DEVELOPERS else name


def _is_summary(head: str) -> bool:
    return hashlib.sha256(" ".join(head.casefold().split()).encode()).hexdigest() == _SUMMARY


def identifier_fault(name: str) -> str:
    """Return why an identifier of a licence is not known; empty if it is. Case does not matter."""
    if _identifier(name) or _OWN.fullmatch(name.casefold()):
        return ""
    expected = "an SPDX identifier such as CC-BY-4.0, or LicenseRef-NAME for a licence that SPDX does not list"
    return f"found {shown(name)}, expected {expected}"


def text_fault(name: str, text: str) -> str:
    """Return why a text is not that of a licence; empty if it is, or if the licence is none of those with a known text."""
    if odd := foreign_letter(re.sub("[^\\w\\s]", " ", text), ""):
        return f"found {odd}, expected letters of one script in a word"
    flat = " ".join(text.casefold().split())
    known = _identifier(name)
    if len(flat) < _SHORTEST or not re.search(_patterns().get(known, ""), flat):
        return f"found {shown(text)}, expected the text of {known or name}"
    codes = {f"CC-{code}-{version}".upper() for code, version in _CODE.findall(flat)}
    if known and (others := sorted(codes - {known.upper()})):
        return f"found {others[0]} in the text, expected {known} only"
    if known == "CC-BY-4.0" and "this notice is a summary" in flat:
        head, _, credit = text.partition(_CREDIT)
        if not _is_summary(head):
            return "found other words before the credit, expected those of the summary"
        if more := credit.strip().split("\n")[1:]:
            return f"found {shown(more[0])} after the credit, expected nothing"
    return ""
