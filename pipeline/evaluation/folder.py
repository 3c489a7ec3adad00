"""A release folder, read for its items."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import Any, Literal

from ..core.checksums import CHECKSUMS
from ..core.errors import PipelineError
from ..core.files import parse_jsonl, read_text
from ..core.records import STAMP
from ..core.validation.rows import text_of
from ..core.yamlfile import parse_yaml
from ..winograd.cloze import CLOZE, ITEMS
from ..winograd.forms import FORMS
from ..winopron.instances import VERSIONS
from .items import ReleasedItem, released_items

#: The dataset card of a release, and what its title begins with.
CARD = "README.md"
_PREFIX = "winoforge "
#: What a release is of.
Kind = Literal["collection", "templates", "cloze", "documents"]
Lines = list[tuple[int, dict[str, Any]]]

#: The data file of what readers said of the items.
READINGS = "readings"
#: That of what others said of them before.
EARLIER = "earlier-readings"
#: That of items outside the collection, on whose answers readers disagree.
CONTESTED = "contested"
#: The data files of a collection that are neither its items nor a form of them.
NO_FORMS = (READINGS, EARLIER, CONTESTED)
#: The main data file of a release of labelled documents.
SENTENCES = "sentences"


@dataclass(frozen=True)
class ReleaseFolder:
    """A release folder. Its files are read when they are asked for; a missing one has no rows, or an empty text."""

    path: Path
    #: What is in the folder and in the folders below, by its name: empty for a plain file, else what it is.
    entries: Mapping[str, str]

    @cached_property
    def stems(self) -> set[str]:
        """The names of the data files, without suffix."""
        files = [Path(name) for name in self.entries if name.startswith("data/")]
        return {file.stem for file in files if file.suffix in (".jsonl", ".parquet")}

    @cached_property
    def kind(self) -> Kind:
        """Whether it is of zero forms, of items without zeros (cloze or not), of sentences of templates, or of labelled documents."""
        if CLOZE in self.stems or (ITEMS in self.stems and ITEMS not in (self.path.resolve().name, self._title)):
            return "cloze"
        if SENTENCES in self.stems and SENTENCES not in (self.path.resolve().name, self._title):
            return "documents"
        of_templates = not self.stems.isdisjoint(VERSIONS) and self.stems.isdisjoint(FORMS)
        return "templates" if of_templates else "collection"

    @property
    def of_templates(self) -> bool:
        """Whether the release is of sentences of occupation templates."""
        return self.kind == "templates"

    @cached_property
    def name(self) -> str:
        """The name of the collection: of the main data file of a collection, else that of the card; else that of the folder."""
        folder, title = self.path.resolve().name, self._title
        if self.kind != "collection":
            titles = (f"# {_PREFIX}{folder}\n", f"# {folder}\n")
            return folder if any(line in self.card for line in titles) or not title else title
        others = sorted(self.stems - FORMS.keys() - set(NO_FORMS))
        return next((name for name in (folder, title) if name in others), others[0] if others else folder)

    @property
    def _title(self) -> str:
        return text_of(self.metadata, "pretty_name").removeprefix(_PREFIX)

    @cached_property
    def main(self) -> str:
        """The name of the file that the others are derived from."""
        return {"templates": VERSIONS[0], "cloze": ITEMS, "documents": SENTENCES, "collection": self.name}[self.kind]

    @cached_property
    def items(self) -> list[ReleasedItem]:
        """The items of the main data file; raises `PipelineError` for labelled documents, which ask nothing."""
        if self.kind == "documents":
            reason = "found labelled documents, expected items with candidates, such as build/release/zh"
            raise PipelineError(self.path, None, f"[release] nothing to answer; {reason}")
        return released_items(self.lines(self.main), self.path / "data" / f"{self.main}.jsonl")

    def text(self, name: str) -> str:
        """Return the text of a file."""
        return read_text(self.path / name) if name in self.entries else ""

    @cached_property
    def card(self) -> str:
        """The text of the dataset card."""
        return self.text(CARD)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """The YAML header of the card; empty if it has none."""
        parts = self.card.split("---\n", 2)
        header = parse_yaml(f"\n{parts[1]}", self.path / CARD) if len(parts) == 3 and not parts[0] else None
        return dict(header) if isinstance(header, dict) else {}

    @cached_property
    def _read(self) -> dict[str, Lines]:
        return {}

    def lines(self, name: str) -> Lines:
        """Return (line, row) of a data file, of the provenance or of the rejected records, each row without its `STAMP`."""
        return [
            (line, {field: value for field, value in row.items() if field not in STAMP})
            for line, row in self.stamped_lines(name)
        ]

    def stamped_lines(self, name: str) -> Lines:
        """Return (line, row) of a file as it stands."""
        file = name if name.endswith(".jsonl") else f"data/{name}.jsonl"
        if name not in self._read:
            self._read[name] = list(parse_jsonl(self.text(file), self.path / file))
        return self._read[name]

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of `lines`."""
        return [row for _, row in self.lines(name)]


def read_folder(path: Path) -> ReleaseFolder:
    """Return the release in a folder; raises `PipelineError` if it is no folder, or holds nothing of a release."""
    if not path.is_dir():
        raise PipelineError(path, None, "[release] not a folder; expected build/release/NAME")
    entries = dict(_entries(path))
    if not {CARD, CHECKSUMS, "data"} & entries.keys():
        raise PipelineError(
            path, None, f"[release] no release; found no {CARD}, expected a folder that winoforge release wrote"
        )
    return ReleaseFolder(path, entries)


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (name, what it is) for everything below a folder; links are not followed."""
    for folder, folders, files in os.walk(path):
        for name in sorted([*folders, *files]):
            entry = Path(folder, name)
            mode = entry.lstat().st_mode
            kind = "a folder" if entry.is_dir() else "" if S_ISREG(mode) else "no plain file"
            yield entry.relative_to(path).as_posix(), "a link" if S_ISLNK(mode) else kind
