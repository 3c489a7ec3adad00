"""Our collections and the published ones, each read once for all tests of a process."""

from functools import cache
from pathlib import Path

from pipeline.core.model import Item
from pipeline.winograd.readers import read_drafts
from pipeline.winograd.readers.draft import Draft, assemble
from tests.conftest import ROOT

#: The file of a published collection in the shared data, and its format.
_PUBLISHED = {"pws": ("pws/pws.tsv", "pws-tsv"), "wsc": ("wsc/WSCollection.xml", "wsc-xml")}


@cache
def drafts_of(name: str, shared_data: Path | None = None) -> tuple[Draft, ...]:
    """Return the drafts of a collection: `zh` or `de` of ours, `pws` or `wsc` of the shared data."""
    if shared_data and name in _PUBLISHED:
        file, format_name = _PUBLISHED[name]
        path = shared_data / file
        return tuple(read_drafts(path.read_bytes(), path, format_name))
    path = ROOT / "raw" / name / "schemas.yaml"
    return tuple(read_drafts(path.read_bytes(), path, "schema-yaml", name))


@cache
def items_of(name: str, shared_data: Path | None = None) -> tuple[Item, ...]:
    """Return the items of a collection; see `drafts_of`."""
    return assemble(drafts_of(name, shared_data)).items
