"""Write the lists of a study as documents for INCEpTION."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import plural
from ...core.files import write_text
from ...core.outputs import remove
from ...studies.model.study import read_study
from ..report import Report, Writes


def command(
    folder: Annotated[
        Path, typer.Argument(metavar="STUDY", help="Folder that `annotate design` wrote.", show_default=False)
    ],
    out: Annotated[
        Path,
        typer.Option(help="Output: folder of a document (XMI) for each list and TypeSystem.xml.", show_default=False),
        Writes(("TypeSystem.xml", "list-*.xmi")),
    ],
) -> Report:
    """Write the lists of a study as documents for INCEpTION, in which people link each anaphor to its antecedent.

    A document is a UIMA CAS with sentences, words, and the anaphor and the
    candidates as chains of one mention each. The right answers are not in it.
    """
    from ...studies.inception import TYPES, document, documents, type_system

    study, tasks = read_study(folder)
    lists = list(documents(study, tasks, folder / "study.json"))
    types = type_system()
    texts = {
        out / f"list-{number:02}.xmi": document(sentences, study.lang, types)
        for number, (_, sentences) in enumerate(lists, 1)
    }
    report = Report(figures={"lists": len(lists), "sentences": sum(len(sentences) for _, sentences in lists)})
    for (path, text), (name, sentences) in zip(texts.items(), lists, strict=True):
        write_text(path, text)
        counts = (
            f"{plural(len(sentences), 'sentence')}, {plural(sum(len(row.candidates) for row in sentences), 'mention')}"
        )
        report.add(f"{path}: list {name}, {counts} of candidates")
    for earlier in sorted(set(out.glob("list-*.xmi")) - set(texts)):
        remove(earlier)
    write_text(out / TYPES, str(types.to_xml()))
    return report
