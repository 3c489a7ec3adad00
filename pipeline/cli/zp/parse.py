"""Bring the parse lock of labelled texts or of items up to date."""

from functools import partial
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError
from ...core.files import write_text
from ...core.outputs import require_writable
from ...core.records import read_items
from ...language.parsing import BackendName
from ...language.parsing.trees import trees_to_conllu
from ...winograd.mentions import own_mentions
from ...zero_pronouns.antecedents import read_references
from ...zero_pronouns.documents import read_parallel_text
from ...zero_pronouns.exports.links import LinkedDocument, linked_item, linked_text, name_of
from ...zero_pronouns.exports.parses import renew_trees
from ..output import tracked
from ..parameters import arg, opt
from ..report import Quiet, Report


def command(
    lock: Annotated[Path, opt("Parse lock to update (CoNLL-U); created if missing.")],
    sources: Annotated[
        list[Path] | None, arg("SOURCE", "Chinese with labels such as <他>_S, a sentence a line.")
    ] = None,
    antecedents: Annotated[
        Path | None, opt("Folder of antecedents, a table for each text (fiction.tsv for fiction.zh).")
    ] = None,
    items: Annotated[Path | None, opt("Items, or their zero forms (JSON Lines).")] = None,
    backend: Annotated[BackendName, opt("Parser.")] = "udpipe",
    quiet: Quiet = False,
) -> Report:
    """Update the parse lock that `zp conllu` and `zp coref` read: parse new sentences, drop unused ones.

    Sentences are parsed with their pronouns restored; words end where zeros and mentions begin and end.
    """
    require_writable(lock)
    documents: list[LinkedDocument] = []
    for source in sources or ():
        text = read_parallel_text(source, source)
        table = None if antecedents is None else read_references(antecedents / f"{source.stem}.tsv", text)
        documents += linked_text(text, name_of(source), table)
    for item in read_items(items, zero_forms=True) if items is not None else ():
        try:
            documents.append(linked_item(item, own_mentions(item)))
        except ValueError as error:
            raise PipelineError(items, None, str(error)) from error
    if not documents:
        raise PipelineError(None, None, "[source] no text; expected labelled texts, --items, or both")
    result = renew_trees(documents, backend, lock, track=partial(tracked, label="parsing", quiet=quiet))
    write_text(lock, trees_to_conllu(result.trees))
    report = Report()
    report.add(
        f"{lock}: {result.kept} trees kept + {result.parsed} parsed = {len(result.trees)}; {result.dropped} dropped",
        kept=result.kept,
        parsed=result.parsed,
        trees=len(result.trees),
        dropped=result.dropped,
    )
    return report
