"""Write sentences in the input format of a coreference system."""

from pathlib import Path
from typing import Annotated

from ...core.files import write_jsonl
from ...winopron.instances import read_instances
from ...winopron.systems import SYSTEMS, SystemName
from ..parameters import arg, opt, output
from ..report import Report


def command(
    items: Annotated[Path, arg("ITEMS", "Sentences (double.jsonl or single.jsonl).")],
    system: Annotated[SystemName, opt("Coreference system.", "--format")],
    out: Annotated[Path, output("input for the system (JSON Lines).")],
    vocabulary: Annotated[Path | None, opt("Word pieces of a cased BERT (vocab.txt); required for spanbert.")] = None,
) -> Report:
    """Write sentences in the input format of a coreference system."""
    report = Report()
    sentences = read_instances(items)
    document = SYSTEMS[system].writer(vocabulary)
    write_jsonl(out, [document(sentence.item.id, sentence.item.text) for sentence in sentences])
    report.add(f"{out}: {len(sentences)} sentences in, {len(sentences)} documents out", documents=len(sentences))
    return report
