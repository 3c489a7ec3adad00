"""Read a public format into items; a defective record is skipped with its reasons, a broken file stops the run."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PipelineError
from ..core.files import read_bytes, require_distinct, write_tsv
from ..core.records import write_items, write_rejected
from ..winograd.forms.corrections import COLUMNS as CORRECTION_COLUMNS
from ..winograd.readers import READERS, SEGMENTATIONS, ingest


def command(
    file: Annotated[Path, typer.Argument(help="The source.", show_default=False)],
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(READERS)}.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the items go (JSON Lines).", show_default=False)],
    skipped: Annotated[
        Path, typer.Option(help="Where the skipped records go, with their reasons.", show_default=False)
    ],
    lang: Annotated[
        str | None,
        typer.Option(
            help="The language wanted of a source that has several: without it, Mandarin of pws-tsv and all languages of "
            "xwinograd-tsv. For the other formats, the language that the items are said to be in: without it, en for "
            "wsc-xml, zh for cluewsc-jsonl and schema-yaml.",
            show_default=False,
        ),
    ] = None,
    targets: Annotated[Path | None, typer.Option(help="A table of targets set by hand.", show_default=False)] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(
            help=f"Where the source's own segmentation goes (TSV), of {', '.join(SEGMENTATIONS)}.", show_default=False
        ),
    ] = None,
) -> None:
    """Read a public format into items; defective records are skipped, each with its reasons."""
    require_distinct({"--out": out, "--skipped": skipped, "--tokens": tokens})
    data = read_bytes(file)
    result = ingest(data, file, form, lang, targets)
    if tokens is not None:
        if form not in SEGMENTATIONS:
            raise PipelineError(None, None, f"[tokens] no segmentation in {form}; expected {', '.join(SEGMENTATIONS)}")
        segmentation = SEGMENTATIONS[form](data, file, lang)
        rows = [(item.id, " ".join(segmentation[item.id]), file.name) for item in result.items]
        write_tsv(tokens, CORRECTION_COLUMNS, rows)
    write_items(out, result.items)
    write_rejected(skipped, result.skipped)
    typer.echo(f"{file}: {len(result.items)} items + {len(result.skipped)} skipped = {result.read} records read")
