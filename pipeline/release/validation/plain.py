"""The files of a release as bytes, and what its rows remark: plain UTF-8, as a release writes it, with nothing that tells who made it."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import json_lines, parse_jsonl, read_bytes, read_text
from ...core.validation.derivation import fault, id_of, odd_bytes
from ...core.validation.suite import Row
from ...evaluation.folder import Lines
from ...language.personal_data import HOME
from ...language.text_checks import check_personal_data
from ...winograd.forms.form import OPTIONS
from ..manifest import PROVENANCE
from ..people import STUDIES
from .folder import REJECTED, Release

#: What each file must be, by expectation.
PLAIN: Mapping[str, str] = {
    "written-plainly": "A file has no byte order mark, no carriage return and no path of a home, and its JSON is as a release writes it.",
    "no-personal-data": "No remark, gloss, source or reason of a row has an address, telephone number or identity number of a person.",
}
_PLAIN, _PERSONAL = PLAIN
#: Fields of a row that somebody has written besides the texts themselves.
_REMARKS = frozenset(["source", "note", "gloss", "remark", "reader", "message", "reason", "study"])


def plain_rows(release: Release) -> Iterator[Row]:
    """Yield a row for each text file of a release, and one for each fault."""
    for name in release.files:
        if name not in release.entries or name.endswith(".parquet"):
            continue
        path, row_id = release.path / name, f"{release.name}/{name}"
        data = read_bytes(path)
        yield Row(row_id, path, 1, {"artifact": _PLAIN})
        is_rows = name.startswith("data/")  # which `formats-agree` compares byte by byte
        if not is_rows:
            yield from odd_bytes(data, _PLAIN, path, row_id)
        if name in (PROVENANCE, REJECTED):
            yield from written_otherwise(_PLAIN, path, row_id, list(parse_jsonl(read_text(path), path)))
        elif name in (OPTIONS, STUDIES):
            with suppress(PipelineError):  # another expectation reports what is no JSON
                yield from written_otherwise(_PLAIN, path, row_id, list(parse_jsonl(read_text(path), path)))
        for line, text in enumerate(data.decode(errors="replace").split("\n"), 1):
            if home := HOME.search(text):
                yield fault(_PLAIN, path, line, row_id, f"found {home[0]!r}, expected no path of a machine")
        if name.endswith(".jsonl"):
            yield from _personal(path, release.lines(path.stem if is_rows else name))


def written_otherwise(expectation: str, path: Path, row_id: str, lines: Lines) -> Iterator[Row]:
    """Yield a row for the first line of a file that is not the JSON of its row: a byte order mark, a carriage return, other blanks."""
    here = read_bytes(path).splitlines(keepends=True)
    there = json_lines(row for _, row in lines).splitlines(keepends=True)
    for line, (actual, expected) in enumerate(zip_longest(here, there, fillvalue=b""), 1):
        if actual != expected:
            pairs = zip(actual, expected, strict=False)
            same = next((at for at, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(actual), len(expected)))
            parts = [ascii(part[max(0, same - 10) : same + 20].decode(errors="replace")) for part in (actual, expected)]
            reason = f"not as a release writes it; found {parts[0]}, expected {parts[1]}"
            yield fault(expectation, path, line, row_id, reason)
            return


def _personal(path: Path, lines: Lines) -> Iterator[Row]:
    for line, row in lines:
        if reason := check_personal_data(_remarks(row), ""):
            yield fault(_PERSONAL, path, line, id_of(row) or f"line {line}", reason)


def _remarks(value: Any) -> Iterator[str]:
    """Yield the remarks of a row and of what is in it."""
    if isinstance(value, list):
        for entry in value:
            yield from _remarks(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            if isinstance(entry, str):
                yield from (entry,) if key in _REMARKS else ()
            else:
                yield from _remarks(entry)
