"""Write WinoPron's sentences in the format that a coreference system reads."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError
from ...core.files import write_jsonl
from ...winopron.instances import read_instances
from ...winopron.systems import WRITERS


def command(
    items: Annotated[Path, typer.Argument(help="The sentences (double.jsonl or single.jsonl).", show_default=False)],
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(WRITERS)}.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the system's input goes (JSON Lines).", show_default=False)],
    vocabulary: Annotated[
        Path | None, typer.Option(help="The word pieces of a cased BERT (vocab.txt), for spanbert.", show_default=False)
    ] = None,
) -> None:
    """Write WinoPron's sentences in the format that a coreference system reads."""
    if form not in WRITERS:
        raise PipelineError(None, None, f"[format] unknown; found {form!r}, expected one of {', '.join(WRITERS)}")
    sentences = read_instances(items)
    document = WRITERS[form](vocabulary)
    write_jsonl(out, [document(one.item.id, one.item.text) for one in sentences])
    typer.echo(f"{out}: {len(sentences)} sentences in, {len(sentences)} documents out")
