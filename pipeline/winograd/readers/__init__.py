"""Readers of collections: the bytes of a file become drafts, and drafts become items or skipped records.

One module a format, and one line in `READERS`. `draft` holds what they share.

Public: `READERS`, `Reader`, `reader_of`, `ingest`, `patched`, `skipped_lines`.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.model import IngestResult
from ..analysis import Analysis
from .cluewsc import read_cluewsc
from .draft import Draft, assemble, override_targets, skipped_lines
from .patches import Patch, read_patches
from .pws import patch_pws, pws_segmentation, read_pws
from .schema_yaml import read_schema_yaml, schema_yaml_analyses
from .translation import read_translation, translation_analyses
from .wsc import read_wsc
from .xwinograd import read_xwinograd

__all__ = ["READERS", "Reader", "ingest", "patched", "reader_of", "skipped_lines"]


@dataclass(frozen=True, slots=True)
class Reader:
    """What a format gives; each function takes the content of a file, its path (for messages) and the language.

    `drafts` are the questions of the file in its order, `segmentation` the words of each sentence by item id, `analyses`
    what the authors say of each item. `patched` is the file with patches applied, and how many records they change.
    """

    drafts: Callable[[bytes, Path, str | None], list[Draft]]
    segmentation: Callable[[bytes, Path, str | None], Mapping[str, list[str]]] | None = None
    analyses: Callable[[bytes, Path, str | None], list[Analysis]] | None = None
    patched: Callable[[bytes, Path, str | None, Sequence[Patch]], tuple[bytes, int]] | None = None


READERS: Mapping[str, Reader] = {
    "pws-tsv": Reader(read_pws, segmentation=pws_segmentation, patched=patch_pws),
    "wsc-xml": Reader(read_wsc),
    "xwinograd-tsv": Reader(read_xwinograd),
    "cluewsc-jsonl": Reader(read_cluewsc),
    "schema-yaml": Reader(read_schema_yaml, analyses=schema_yaml_analyses),
    "translation-tsv": Reader(read_translation, analyses=translation_analyses),
}
#: The formats that print their sentences in words, that hold the authors' analyses, and that can be patched.
SEGMENTED = tuple(name for name, reader in READERS.items() if reader.segmentation)
ANALYSED = tuple(name for name, reader in READERS.items() if reader.analyses)
PATCHED = tuple(name for name, reader in READERS.items() if reader.patched)


def reader_of(name: str) -> Reader:
    """Return the reader of a format; raises `PipelineError` for an unknown one."""
    if name not in READERS:
        reason = f"[format] unknown format; found {shown(name)}, expected one of {', '.join(READERS)}"
        raise PipelineError(None, None, reason)
    return READERS[name]


def ingest(
    data: bytes, path: Path, format_name: str, lang: str | None = None, targets: Path | None = None
) -> IngestResult:
    """Return the items of a file and its skipped records; together they are all records read.

    Args:
        data: the content of the file.
        path: its path, for messages.
        format_name: a name in `READERS`.
        lang: the language to read from a source that has several.
        targets: a table of targets set by hand (see `override_targets`).

    Raises:
        PipelineError: an unknown format, an empty language or file, or one that the reader or the table of targets refuses.
    """
    reader = reader_of(format_name)
    if lang is not None and not lang.strip():
        raise PipelineError(None, None, "[lang] empty; expected the code of a language (zh, en, …), or no --lang")
    if not data.removeprefix(BOM_UTF8).strip():
        raise PipelineError(path, None, f"[file] empty file; expected records in the format {format_name}")
    try:
        drafts = reader.drafts(data, path, lang)
    except PipelineError as error:
        likely = _likely_format(data)
        if likely in (None, format_name):
            raise
        reason = f"not {format_name}; this looks like {likely}, expected --format {likely}, or another file"
        raise PipelineError(path, 1, f"[format] {reason}") from error
    return assemble(drafts if targets is None else override_targets(drafts, targets))


def patched(data: bytes, path: Path, format_name: str, lang: str | None, patches: Path) -> tuple[bytes, int]:
    """Return the content of a file with the patches of a table applied, and the number of records that they change.

    Raises:
        PipelineError: the format cannot be patched, the file or the table is malformed, or a patch does not fit.
    """
    patch = reader_of(format_name).patched
    if patch is None:
        reason = f"[patches] format cannot be patched; found {shown(format_name)}, expected {' or '.join(PATCHED)}"
        raise PipelineError(None, None, reason)
    return patch(data, path, lang, read_patches(patches))


def _likely_format(data: bytes) -> str | None:
    """Return the format that a file has by its first line; None if it is unclear."""
    line = data.removeprefix(BOM_UTF8).lstrip().partition(b"\n")[0]
    signs = {
        "wsc-xml": line.startswith((b"<?xml", b"<collection")),
        "pws-tsv": b"\tsentence_" in line,
        "cluewsc-jsonl": line.startswith(b"{") and b'"span1_text"' in line,
        "xwinograd-tsv": line.count(b"\t") == 6 and line.endswith((b"]", b"]\r")),
        "schema-yaml": line.startswith(b"- id: "),
        "translation-tsv": line.startswith(b"id\tfield\t"),
    }
    return next((name for name, matches in signs.items() if matches), None)
