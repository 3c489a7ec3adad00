"""What was fetched, written down so that a build can cite it: no moment, nor the name of a machine."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.digests import Digests
from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, write_jsonl

_KINDS = {"name": str, "size": int, "sha1": str, "sha256": str, "url": str}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is whole; `url` is None where another hand than ours put it there."""

    name: str
    size: int
    sha1: str
    sha256: str
    url: str | None


def read_record(path: Path) -> dict[str, Fetched]:
    """Return the rows of a record by name; none where there is no record yet.

    Raises:
        PipelineError: at a line that is no row.
    """
    rows = {}
    if path.exists():
        for number, value in parse_jsonl(read_text(path), path):
            kinds = {key: type(cell) for key, cell in value.items()}
            if kinds not in (_KINDS, {**_KINDS, "url": type(None)}):
                expected = ", ".join(_KINDS)
                raise PipelineError(path, number, f"[record] no row; found {', '.join(value)}, expected {expected}")
            rows[value["name"]] = Fetched(**value)
    return rows


def noted(rows: Mapping[str, Fetched], name: str, found: Digests, url: str | None) -> dict[str, Fetched]:
    """Return the rows with that of a file that has these digests.

    Args:
        rows: what was noted before.
        name: the file's.
        found: its digests.
        url: where it was fetched from just now; None if it was there, so that its old row says it, if it fits.
    """
    old = rows.get(name)
    if url is None and old is not None and old.sha256 == found.sha256:
        url = old.url
    return {**rows, name: Fetched(name, found.size, found.sha1, found.sha256, url)}


def write_record(path: Path, rows: Mapping[str, Fetched]) -> None:
    """Write the rows, sorted by name."""
    write_jsonl(path, (asdict(rows[name]) for name in sorted(rows)))
