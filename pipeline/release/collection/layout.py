"""The files of a collection's folder: what `init` writes, and how a folder is recognized."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from ...core.convert import read_yaml
from ...core.errors import PipelineError, shown
from ...core.files import decode, read_bytes
from ...core.pages import render_card
from ...evaluation.folder import NO_FORMS, SENTENCES
from ...winograd.analysis import analysis_table
from ...winograd.cloze import CLOZE, ITEMS
from ...winograd.forms import FORMS
from ...winopron.instances import VERSIONS
from ..cloze import FILLERS
from ..sources import SOURCES, Source, collection_names, read_source

SCHEMAS, README = "schemas.yaml", "README.md"
#: What stands where an author has to write something.
TODO = "TODO"
#: Names that a collection cannot have: those of other files of a release or a build.
_TAKEN = frozenset({*FORMS, *VERSIONS, *NO_FORMS, SENTENCES, CLOZE, ITEMS, FILLERS, "default", "release"})


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder with schemas and their SOURCES.toml; `build` and `release` are the folders that are made in it."""

    folder: Path
    name: str
    source: Source

    @property
    def build(self) -> Path:
        """The folder of what the stages write."""
        return self.folder / "build" / self.name

    @property
    def release(self) -> Path:
        """The folder of the release."""
        return self.folder / "build" / "release" / self.name

    @property
    def schemas(self) -> Path:
        """The file of the schemas."""
        return self.folder / SCHEMAS

    @property
    def has_genders(self) -> bool:
        """Whether the schemas give the genders of their candidates, so that a gap asks for the pronoun that agrees."""
        return re.search(r"^[- ]*genders *:", decode(read_bytes(self.schemas), self.schemas), re.MULTILINE) is not None

    def tables(self, *names: str) -> list[Path]:
        """Return the files of these names that the folder has, in this order."""
        return [self.folder / name for name in names if (self.folder / name).is_file()]


def is_collection(folder: Path) -> bool:
    """Return whether a folder is that of a collection, and not a build or a release."""
    return (folder / SOURCES.name).is_file()


def read_collection(folder: Path) -> Collection:
    """Return the collection in a folder.

    Raises:
        PipelineError: the folder is none of a collection; its SOURCES.toml is malformed, or describes more than one, or no language.
    """
    path = folder / SOURCES.name
    if not path.is_file():
        reason = f"found no {SOURCES.name}, expected a folder that `winoforge init {folder} --lang LANG` laid out"
        raise PipelineError(folder, None, f"[collection] no collection; {reason}")
    names = collection_names(path)
    if len(names) != 1:
        found = f"found {', '.join(names) or 'none'}, expected one table [NAME]"
        raise PipelineError(path, None, f"[sources] not the description of one collection; {found}")
    if (expected := name_of_folder(Path("/", names[0]))) != names[0]:
        raise PipelineError(
            path, None, f"[sources] no name of a collection; found {shown(names[0])}, expected {expected}"
        )
    source = read_source(path, names[0], folder)
    if not source.lang:
        raise PipelineError(path, None, f'[{names[0]}.lang] missing; expected the language, such as lang = "zh"')
    return Collection(folder, names[0], source)


def name_of_folder(folder: Path) -> str:
    """Return the name of a collection that its folder suggests: letters, digits, ``-``, ``_`` and ``.``.

    >>> name_of_folder(Path("/tmp/My schemas 中文")), name_of_folder(Path("/tmp/nli"))
    ('My-schemas-中文', 'nli-items')
    """
    name = re.sub(r"[^\w.-]+", "-", folder.resolve().name).strip("-._") or "collection"
    return f"{name}-items" if name in _TAKEN else name


def examples() -> Mapping[str, Mapping[str, str | Sequence[str]]]:
    """Return the example of each language that has one, its fields by name."""
    return read_yaml(Path(__file__).with_name("examples.yaml"), dict[str, dict[str, str | list[str]]])


def entry_text(entry_id: str, fields: Mapping[str, str | Sequence[str]]) -> str:
    """Return an entry of a file of schemas (YAML)."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in {"id": entry_id, **fields}.items()]
    return "- " + "\n  ".join(lines) + "\n"


def example_text(name: str, lang: str) -> str:
    """Return the first schema of a new collection; empty if there is none in its language."""
    fields = examples().get(lang)
    return entry_text(f"{name}-0001", fields) if fields else ""


def new_files(name: str, lang: str, entries: str, origin: str = "") -> dict[str, str]:
    """Return the files of a new collection by name.

    Args:
        entries: its schemas (YAML), or its first example.
        origin: what the schemas were read from; empty if they are an example.
    """
    table = analysis_table(lang)
    values = {
        "name": name,
        "lang": lang,
        "entries": entries,
        "origin": origin,
        "canary": f"Test data, not for training: {name} {uuid4()}",
        "genders": "genders" in examples().get(lang, {}),
        "words": {"kind": table.kinds, "role": table.roles, "register": table.registers},
        "todo": TODO,
        "quoted": lambda text: json.dumps(text, ensure_ascii=False),
    }
    files = (SCHEMAS, SOURCES.name, README)
    return {file: render_card(f"release/collection/{file}.j2", **values) for file in files}
