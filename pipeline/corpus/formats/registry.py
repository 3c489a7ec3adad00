"""The table of corpus formats: how a file is divided into shards, and how a shard is read."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ...core.errors import PipelineError
from .extractor import extractor_documents, extractor_ranges
from .lines import cirrus_documents, json_documents, line_ranges, text_documents, text_ranges
from .parquet import parquet_documents, row_group_ranges
from .reading import INVISIBLE, TEXT_FIELD, DamageHandler, Document, FormatName, LeftOut, Shard
from .wikimedia import stream_ranges, wikimedia_articles, wikimedia_documents


@dataclass(frozen=True, slots=True)
class Format:
    """How the files of a format are read."""

    #: Takes a file, the size of a shard in bytes (1 or more), the index of a dump or None, and the field of the text. Returns the start
    #: and the end of each shard, in order; together they hold each document once.
    ranges: Callable[[Path, int, Path | None, str], list[tuple[int, int]]]
    #: Yields the text of each document of a shard that is not blank.
    documents: Callable[[Shard, DamageHandler, LeftOut], Iterator[str]]
    #: Yields each document with its markup; None if the format has none.
    marked: Callable[[Shard, DamageHandler, LeftOut], Iterator[Document]] | None = None
    has_fields: bool = False  # whether the text of a document is in a field with a name


#: The formats by name.
FORMATS: Mapping[FormatName, Format] = {
    "text": Format(text_ranges, text_documents),
    "jsonl": Format(line_ranges, json_documents, has_fields=True),
    "parquet": Format(row_group_ranges, parquet_documents, has_fields=True),
    "wikimedia-xml": Format(stream_ranges, wikimedia_documents, wikimedia_articles),
    "wikiextractor": Format(extractor_ranges, extractor_documents),
    "cirrus": Format(line_ranges, cirrus_documents),
}


def shards_of_corpus(
    paths: Sequence[Path], format_name: FormatName, size: int, index: Path | None = None, field: str = TEXT_FIELD
) -> list[Shard]:
    """Divide the files of a corpus into shards; see `shards`.

    Raises:
        PipelineError: a file is given twice, under any name: it would be counted twice.
    """
    seen: dict[Path, Path] = {}
    for path in paths:
        file = path.resolve()
        if file in seen:
            raise PipelineError(path, None, f"[corpus] given twice; found it as {seen[file]} too, expected it once")
        seen[file] = path
    return [shard for path in paths for shard in shards(path, format_name, size, index, field)]


def shards(
    path: Path, format_name: FormatName, size: int, index: Path | None = None, field: str = TEXT_FIELD
) -> list[Shard]:
    """Divide a file into shards, in its order; the same file is always divided alike.

    Text and JSON Lines are cut every `size` bytes. Parquet is cut at row groups, and a multistream dump at the streams in its
    index, as soon as a shard has `size` bytes. Other dumps are one shard.

    Args:
        size: the size of a shard in bytes, about; 1 or more.
        index: the index of a dump, unless it lies beside it under Wikimedia's name.
        field: the field that holds the text of a document; a dot leads into objects.

    Raises:
        PipelineError: the file is missing or damaged, or its index does not fit.
    """
    chosen = FORMATS[format_name]
    if field != TEXT_FIELD and not chosen.has_fields:
        known = " or ".join(name for name, form in FORMATS.items() if form.has_fields)
        raise PipelineError(None, None, f"[field] no fields; found --format {format_name}, expected {known}")
    return [Shard(path, format_name, start, end, field) for start, end in chosen.ranges(path, size, index, field)]


def documents(shard: Shard, damage: DamageHandler, left_out: LeftOut | None = None) -> Iterator[str]:
    """Yield the text of each document of a shard, in its order; blank documents are left out, and invisible characters of texts.

    Memory does not grow with the file. A damaged document is reported at its byte; if `damage` returns, reading continues with the
    next one.

    Args:
        left_out: counts the documents that are left out because they are no running text.

    Raises:
        PipelineError: the file cannot be read, or `damage` refuses.
    """
    left_out = Counter() if left_out is None else left_out
    for text in FORMATS[shard.format].documents(shard, damage, left_out):
        if shown := visible_text(text):
            yield shown


def marked_documents(shard: Shard, damage: DamageHandler, left_out: LeftOut) -> Iterator[Document]:
    """Yield each document of a shard with its markup; their texts are those of `documents` and empty ones. Raises the same."""
    chosen = FORMATS[shard.format]
    if chosen.marked is None:
        for shown in documents(shard, damage, left_out):
            yield Document(shown, partial(str, shown))
    else:
        for document in chosen.marked(shard, damage, left_out):
            yield Document(document.source, partial(_shown_text, document))


def _shown_text(document: Document) -> str:
    return visible_text(document.text())


def visible_text(text: str) -> str:
    """Return a text without the characters that show nothing; empty if only blanks are left."""
    text = INVISIBLE.sub("", text)
    return text if text.strip() else ""
