"""Write sentences in the input format of a coreference system."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.files import write_jsonl
from ...winopron.instances import read_instances
from ...winopron.systems import SYSTEMS, SystemName
from ..report import Report


def command(
    items: Annotated[
        Path, typer.Argument(metavar="ITEMS", help="Sentences (double.jsonl or single.jsonl).", show_default=False)
    ],
    system: Annotated[SystemName, typer.Option("--format", help="Coreference system.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Output: input for the system (JSON Lines).", show_default=False)],
    vocabulary: Annotated[
        Path | None,
        typer.Option(help="Word pieces of a cased BERT (vocab.txt); required for spanbert.", show_default=False),
    ] = None,
) -> Report:
    """Write sentences in the input format of a coreference system."""
    report = Report()
    sentences = read_instances(items)
    document = SYSTEMS[system].writer(vocabulary)
    write_jsonl(out, [document(sentence.item.id, sentence.item.text) for sentence in sentences])
    report.add(f"{out}: {len(sentences)} sentences in, {len(sentences)} documents out", documents=len(sentences))
    return report
