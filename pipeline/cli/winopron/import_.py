"""Convert the output of a coreference system to answers."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError
from ...core.files import parse_jsonl, read_text, write_jsonl
from ...winopron.instances import read_instances
from ...winopron.systems import SYSTEMS, SystemName, answer
from ..parameters import arg, opt, output
from ..report import Report


def command(
    output: Annotated[Path, arg("OUTPUT", "Output of the system (JSON Lines).")],
    system: Annotated[SystemName, opt("Coreference system.", "--format")],
    items: Annotated[Path, opt("Sentences that were exported (JSON Lines).")],
    out: Annotated[Path, output("answers by id (JSON Lines).")],
) -> Report:
    """Convert the clusters of a coreference system to answers for `winopron score`."""
    report = Report()
    sentences = read_instances(items)
    documents = list(parse_jsonl(read_text(output), output))
    if len(documents) != len(sentences):
        reason = (
            f"[documents] wrong number; found {len(documents)}, expected one for each of the {len(sentences)} items"
        )
        raise PipelineError(output, None, reason)
    rows = []
    for (line, document), sentence in zip(documents, sentences, strict=True):
        try:
            clusters = SYSTEMS[system].clusters(document, sentence.item.id, sentence.item.text)
        except ValueError as error:
            raise PipelineError(output, line, str(error)) from error
        rows.append({"id": sentence.item.id, "answer": answer(sentence, clusters)})
    write_jsonl(out, rows)
    linked = sum(bool(row["answer"]) for row in rows)
    report.add(
        f"{out}: {len(documents)} documents in, {len(rows)} answers out; {linked} pronouns linked",
        documents=len(documents),
        answers=len(rows),
        linked=linked,
    )
    return report
