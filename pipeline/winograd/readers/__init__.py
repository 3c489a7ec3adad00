"""Readers of collections: the bytes of a file become drafts, and drafts become items or skipped records.

A format is one line: in `READERS`, with a module of its own, or in `formats.FORMATS`, with the columns of its rows. `draft` holds what
they share.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.hints import known_names, signature_hint
from ...core.model import IngestResult
from ...core.tables import separated, table_text
from .cluewsc import read_cluewsc, read_superglue
from .draft import Draft, assemble, override_targets
from .formats import FORMATS, PLAIN, known_format, read_format
from .pws import SEGMENTED, Patch, patch_pws, read_patches, read_pws
from .schema_yaml import read_schema_yaml
from .translation import read_translation
from .wsc import read_wsc
from .xwinograd import read_xwinograd


@dataclass(frozen=True, slots=True)
class Reader:
    """A format; its functions take the content of a file, its path (for messages) and the language.

    `read` returns the drafts of a file in its order; `fits` tells from the first line of a file whether it has this format. Formats of
    `FORMATS` are known by the names of their fields (`known_format`), or by more lines than one.
    `segmented` has the languages whose texts a file prints in words, and `analysed` tells whether drafts have an analysis.
    `patch` returns the file with patches applied, and how many records they change.
    """

    read: Callable[[bytes, Path, str | None], list[Draft]]
    fits: Callable[[bytes], bool] = lambda _: False
    segmented: tuple[str, ...] = ()
    analysed: bool = False
    patch: Callable[[bytes, Path, str | None, Sequence[Patch]], tuple[bytes, int]] | None = None


#: Number of lines above the header of a table, such as a title, that a message speaks of.
_TITLE_LINES = 4
_PWS = re.compile(rb'[\t,;]"?sentence_')
_XWINO = re.compile(rb'[^\t]+(?:\t[^\t]*){5}\t[^\t]*\]"?\r?|"?[a-z]{2}"?([,;]).*\1"\[\["".*\]\]"\r?')
READERS: Mapping[str, Reader] = {
    "pws-tsv": Reader(read_pws, lambda line: bool(_PWS.search(line)), segmented=SEGMENTED, patch=patch_pws),
    "wsc-xml": Reader(read_wsc, lambda line: line.startswith((b"<?xml", b"<collection"))),
    "xwinograd-tsv": Reader(read_xwinograd, lambda line: bool(_XWINO.fullmatch(line))),
    "cluewsc-jsonl": Reader(read_cluewsc),
    "superglue-wsc": Reader(read_superglue),
    "schema-yaml": Reader(read_schema_yaml, lambda line: line.startswith(b"- id: "), analysed=True),
    "translation-tsv": Reader(read_translation, lambda line: line.startswith(b"id\tfield\t"), analysed=True),
    **{name: Reader(partial(read_format, name=name)) for name in (*FORMATS, PLAIN)},
}


def reader_of(name: str) -> Reader:
    """Return the reader of a format; raises `PipelineError` for an unknown one."""
    if name not in READERS:
        reason = f"[format] unknown format; found {shown(name)}, {known_names(name, list(READERS))}"
        raise PipelineError(None, None, reason)
    return READERS[name]


def found_format(data: bytes, path: Path) -> str:
    """Return the format of a file by its first lines or the names of its fields; raises `PipelineError` without one, or without UTF-8."""
    if found := _likely_format(data, path):
        return found
    if hint := signature_hint(data):
        raise PipelineError(path, None, f"[format] no text{hint}")
    table_text(data, path)  # which says what is wrong with the encoding
    line = data[:80].decode(errors="replace").strip().partition("\n")[0]
    rest = data
    for _ in range(_TITLE_LINES):
        rest = rest.partition(b"\n")[2]
        if (likely := _likely_format(rest, path)) not in ("", PLAIN):
            reason = (
                f"lines above the header or the first record; found {shown(line)}, expected {likely} from line 1 on"
            )
            raise PipelineError(path, 1, f"[format] {reason}: delete the lines above")
    expected = f"expected --format, one of {', '.join(READERS)}"
    raise PipelineError(path, 1, f"[format] not known by the content; found {shown(line)}, {expected}")


def _require_format(data: bytes, path: Path, format_name: str, error: PipelineError | None = None) -> None:
    """Refuse a file from which nothing was read because it has another format, if its content tells that format."""
    likely = _likely_format(data, path)
    if likely not in ("", PLAIN, format_name) and format_name != PLAIN:
        reason = f"not {format_name}; this looks like {likely}, expected --format {likely}, or another file"
        raise PipelineError(path, 1, f"[format] {reason}") from error


def _likely_format(data: bytes, path: Path) -> str:
    with suppress(PipelineError):  # Parquet, or an encoding that the reader refuses
        data = table_text(data, path).encode()  # a spreadsheet may have saved it as UTF-16
    content = data.removeprefix(BOM_UTF8).lstrip(b" \r\n")  # a tab separates from a column without a name
    line = separated(content.decode(errors="replace"))[0].lstrip().partition("\n")[0].encode()
    return next((name for name, reader in READERS.items() if reader.fits(line)), "") or known_format(content, path)


def read_drafts(
    data: bytes,
    path: Path,
    format_name: str,
    lang: str | None = None,
    targets: Path | None = None,
    columns: Mapping[str, str] | None = None,
) -> list[Draft]:
    """Return the questions of a file in its order.

    Args:
        format_name: a name in `READERS`.
        lang: the language to read from a source that has several.
        targets: a table of targets set by hand (see `override_targets`).
        columns: the columns of a plain table by what they hold (see `layouts.parse_columns`).

    Raises:
        PipelineError: an unknown format, an empty language or file, or one that the reader or the table of targets refuses.
    """
    reader = reader_of(format_name)
    if columns and format_name != PLAIN:
        raise PipelineError(None, None, f"[columns] only with --format {PLAIN}; found --format {format_name}")
    if lang is not None and not lang.strip():
        raise PipelineError(None, None, "[lang] empty; expected the code of a language (zh, en, …), or no --lang")
    if not data.removeprefix(BOM_UTF8).strip():
        raise PipelineError(path, None, f"[file] empty file; expected records in the format {format_name}")
    try:
        read = partial(read_format, name=PLAIN, columns=columns) if columns else reader.read
        drafts = read(data, path, lang)
    except PipelineError as error:
        _require_format(data, path, format_name, error)
        raise
    if all(draft.defects for draft in drafts):
        _require_format(data, path, format_name)
    return drafts if targets is None else override_targets(drafts, targets)


def ingest(
    data: bytes, path: Path, format_name: str, lang: str | None = None, targets: Path | None = None
) -> IngestResult:
    """Return the items of a file and its skipped records; together they are all records read. See `read_drafts`."""
    return assemble(read_drafts(data, path, format_name, lang, targets))


def patched(data: bytes, path: Path, format_name: str, lang: str | None, patches: Path) -> tuple[bytes, int]:
    """Return the content of a file with the patches of a table applied, and the number of records that they change.

    Raises:
        PipelineError: the format cannot be patched, the file or the table is malformed, or a patch does not fit.
    """
    patch = reader_of(format_name).patch
    if patch is None:
        formats = " or ".join(name for name, reader in READERS.items() if reader.patch)
        reason = f"[patches] format cannot be patched; found {shown(format_name)}, expected {formats}"
        raise PipelineError(None, None, reason)
    return patch(data, path, lang, read_patches(patches))
