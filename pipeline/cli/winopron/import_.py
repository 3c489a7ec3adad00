"""Turn the clusters that a coreference system found into its answers."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, write_jsonl
from ...winopron.instances import read_instances
from ...winopron.systems import READERS, answer


def command(
    output: Annotated[Path, typer.Argument(help="What the system wrote (JSON Lines).", show_default=False)],
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(READERS)}.", show_default=False)],
    items: Annotated[Path, typer.Option(help="The sentences that it was given.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the answers go (JSON Lines of id, answer).", show_default=False)],
) -> None:
    """Turn the clusters that a coreference system found into its answers, for score."""
    if form not in READERS:
        raise PipelineError(None, None, f"[format] unknown; found {form!r}, expected one of {', '.join(READERS)}")
    sentences = read_instances(items)
    documents = list(parse_jsonl(read_text(output), output))
    if len(documents) != len(sentences):
        reason = (
            f"[documents] wrong number; found {len(documents)}, expected one for each of the {len(sentences)} items"
        )
        raise PipelineError(output, None, reason)
    rows = []
    for (line, value), one in zip(documents, sentences, strict=True):
        try:
            found = READERS[form](value, one.item.id, one.item.text)
        except ValueError as error:
            raise PipelineError(output, line, str(error)) from error
        rows.append({"id": one.item.id, "answer": answer(one, found)})
    write_jsonl(out, rows)
    linked = sum(bool(row["answer"]) for row in rows)
    typer.echo(f"{out}: {len(documents)} documents in, {len(rows)} answers out; {linked} pronouns linked")
