"""Read a release folder for its suite."""

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.archives import MAX_SIZE
from ...core.checksums import CHECKSUMS, checksum_faults, is_as_recorded
from ...core.errors import PipelineError
from ...core.files import from_json, read_bytes
from ...core.model import Item
from ...core.records import item_from_json
from ...core.validation.rows import text_of
from ...evaluation.folder import CARD, NO_FORMS, READINGS, SENTENCES, ReleaseFolder, read_folder
from ...winograd.cloze import CLOZE
from ...winograd.cloze import ITEMS as CLOZE_ITEMS
from ...winograd.derivation import forms_again
from ...winograd.forms import FORMS
from ...winograd.forms.form import OPTIONS
from ...winopron.instances import VERSIONS
from .. import cloze, documents
from ..changes import CHANGES, ERRATA
from ..harness.tasks import FOLDER, file_names
from ..manifest import PROVENANCE
from ..people import STUDIES
from ..sources import Source, declared_source
from ..systems import PREDICTIONS, TABLES
from ..tables import CITATION, CROISSANT, read_source_of, stamp

if TYPE_CHECKING:
    import pyarrow

#: Maximum number of rows of a table of a release: a few bytes can stand for all rows of a column. Ours have hundreds.
MAX_ROWS = 10_000_000
LICENCE, REJECTED = "LICENSE", "rejected.jsonl"


@dataclass(frozen=True)
class Release(ReleaseFolder):
    """A release folder, with what its checks read.

    Attributes:
        is_made: whether a build has just packed it from files that passed their suites, so that its forms need not be made again.
    """

    is_made: bool = False

    @cached_property
    def faults(self) -> Sequence[tuple[str, str]]:
        """What `checksum_faults` finds; nothing without SHA256SUMS."""
        return checksum_faults(self.path) if CHECKSUMS in self.entries else ()

    @cached_property
    def source(self) -> Source | None:
        """What SOURCES.toml says of the collection, if there is one with an entry for it."""
        return declared_source(self.path, self.name)

    @cached_property
    def origin(self) -> Source:
        """What SOURCES.toml says of the collection; without an entry, what its Croissant metadata say."""
        return self.source or self.stated

    @cached_property
    def stated(self) -> Source:
        """What the Croissant metadata of the release say of the collection."""
        with contextlib.suppress(ValueError):
            if isinstance(value := from_json(self.text(CROISSANT)), dict):
                return read_source_of(value)
        return read_source_of({})

    @property
    def stamp(self) -> dict[str, str]:
        """The last fields of each row."""
        return stamp(self.name, self.origin)

    @cached_property
    def data(self) -> Sequence[str]:
        """The names of the data files that the release must have, in the order of its configurations."""
        if self.kind == "templates":
            return VERSIONS
        if self.kind == "cloze":
            optional = [name for name in (cloze.FILLERS, READINGS) if name in self.stems]
            gaps = [CLOZE] if CLOZE in self.stems or any(row.get("genders") for row in self.rows(CLOZE_ITEMS)) else []
            forms = [name for name in cloze.DERIVED if name in self.stems or name not in self._unmade]
            return (*gaps, CLOZE_ITEMS, *forms, *optional)
        if self.kind == "documents":
            optional = [name for name in (documents.TRANSLATIONS, READINGS) if name in self.stems]
            return (SENTENCES, documents.ZEROS, *optional)
        languages = {text_of(row, "lang") for _, row in self.lines(self.main)}
        forms = [name for name, form in FORMS.items() if form.is_of(*languages)]
        return (
            self.main,
            *(name for name in forms if name in self.stems or name not in self._unmade),
            *(name for name in NO_FORMS if name in self.stems),
        )

    @cached_property
    def _unmade(self) -> Collection[str]:
        """The forms of which no item is made, so that the release has none of their files; none if that cannot be told."""
        items = well_formed_items(self.rows(self.main))
        glosses = {text_of(row, "id"): text_of(row, "gloss") for row in self.rows(self.main)}
        with contextlib.suppress(PipelineError):
            made = forms_again(items, self.path / OPTIONS, glosses)
            return {name for name, form in made.items() if items and not form.rows}
        return ()

    @cached_property
    def files(self) -> Sequence[str]:
        """The names of the files that the release must have."""
        others = {
            "templates": (PROVENANCE,),
            "cloze": (PROVENANCE, OPTIONS),
            "documents": (PROVENANCE,),
            "collection": (PROVENANCE, REJECTED, OPTIONS),
        }
        data = [f"data/{name}.{suffix}" for name in self.data for suffix in ("jsonl", "parquet")]
        optional = [file for file in (STUDIES, PREDICTIONS) if file in self.entries]
        optional += TABLES if PREDICTIONS in self.entries else ()
        optional += [ERRATA, CHANGES] if ERRATA in self.entries or CHANGES in self.entries else []
        return (
            CARD,
            CITATION,
            CROISSANT,
            LICENCE,
            CHECKSUMS,
            *others[self.kind],
            *optional,
            *data,
            *file_names(self.kind),
        )

    def table(self, name: str) -> "pyarrow.Table | None":
        """Return the Parquet table of a data file, None if there is none."""
        file = f"data/{name}.parquet"
        return table_of(read_bytes(self.path / file), self.path / file) if file in self.entries else None


def table_of(data: bytes, path: Path) -> "pyarrow.Table":
    """Return the table of a Parquet file; raises `PipelineError` if it cannot be read, or unpacks to too much."""
    from pyarrow import ArrowException, parquet

    try:
        file = parquet.ParquetFile(BytesIO(data))
        size = sum(file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups))
        for amount, limit, what in ((size, MAX_SIZE, "bytes"), (file.metadata.num_rows, MAX_ROWS, "rows")):
            if amount > limit:
                reason = f"unpacks to too much; found {amount} {what}, expected at most {limit}"
                raise PipelineError(path, None, f"[parquet] {reason}")
        table = file.read()
        table.validate(full=True)  # texts that are no UTF-8 are read like others
    except (ArrowException, OSError, ValueError) as error:
        raise PipelineError(path, None, f"[parquet] unreadable file; {error}") from error
    return table


def read_release(path: Path, made: Path | None = None) -> Release:
    """Return the release in a folder, for its suite; `made` are records of what a build has just written (`is_as_recorded`)."""
    folders = ("data", FOLDER, *{str(Path(name).parent) for name in TABLES})
    entries = read_folder(path).entries
    files = {name: kind for name, kind in entries.items() if name not in folders or kind != "a folder"}
    return Release(path, files, made is not None and is_as_recorded(path, made))


def releases_in(paths: Sequence[Path]) -> list[Path]:
    """Return the release folders that are given, and those in a given folder of releases."""
    folders: list[Path] = []
    for path in paths:
        inside = sorted(card.parent for card in path.glob(f"*/{CARD}")) if path.is_dir() else []
        folders += inside if inside and not (path / CARD).exists() and not (path / "data").exists() else [path]
    return folders


def well_formed_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of the rows that are well-formed; the others are reported by the suite of their file."""
    items = []
    for row in rows:
        with contextlib.suppress(ValueError):
            items.append(item_from_json(row))
    return items
