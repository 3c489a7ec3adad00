"""Write items as documents in CoNLL-U: the target is an empty node, the candidates are entities."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.files import write_text
from ...core.records import read_items
from ...language.parsing.lock import read_lock
from ...winograd.mentions import own_mentions
from ...winograd.zero_forms import require_language_with_zeros
from ...zero_pronouns.exports.conllu import conllu
from ...zero_pronouns.exports.links import linked_item, name_of
from ..parameters import arg, opt, output
from ..report import Report


def command(
    items_path: Annotated[Path, arg("ITEMS", "Items, or their zero forms (JSON Lines).")],
    parses: Annotated[Path, opt("Parse lock, which zp parse --items writes.")],
    out: Annotated[Path, output("a document for each item (CoNLL-U).")],
) -> Report:
    """Write items as documents for coreference systems (CoNLL-U, entities as in CorefUD).

    The target is a zero and one entity with the answer; the other candidate is an entity of its own.
    """
    items = read_items(items_path, zero_forms=True)
    require_language_with_zeros(items, items_path)
    try:
        documents = [linked_item(item, own_mentions(item)) for item in items]
    except ValueError as error:
        raise PipelineError(items_path, None, str(error)) from error
    write_text(out, conllu(documents, read_lock(parses), name_of(items_path)))
    unnamed = sum(
        not any(link.entity == item.answer for sentence in document.sentences for _, link in sentence.mentions)
        for item, document in zip(items, documents, strict=True)
    )
    report = Report()
    report.add(
        f"{out}: {plural(len(items), 'item')} in, {plural(len(documents), 'document')} out; "
        f"{plural(unnamed, 'zero')} whose answer the text does not name in these words",
        items=len(items),
        documents=len(documents),
        unnamed=unnamed,
    )
    return report
