"""Write a labelled text as CoNLL-U: zeros are empty nodes, entities as in CorefUD."""

from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.files import write_text
from ...language.parsing.lock import read_lock
from ...zero_pronouns.antecedents import read_references
from ...zero_pronouns.documents import read_parallel_text
from ...zero_pronouns.exports.conllu import conllu
from ...zero_pronouns.exports.links import linked_text, name_of
from ..parameters import arg, opt, output
from ..report import Report


def command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels such as <他>_S, a sentence a line.")],
    target: Annotated[Path, arg("TARGET", "English, aligned line by line.")],
    parses: Annotated[Path, opt("Parse lock, which zp parse writes.")],
    out: Annotated[Path, output("the documents (CoNLL-U).")],
    antecedents: Annotated[
        Path | None, opt("Antecedent of each zero (TSV); without it, there are no entities.")
    ] = None,
) -> Report:
    """Write a labelled text as CoNLL-U; exit 1 if a label is malformed.

    A zero is an empty node with its head and relation in DEPS; Entity in MISC joins it with its antecedent, as CorefUD does.
    """
    text = read_parallel_text(source, target)
    table = None if antecedents is None else read_references(antecedents, text)
    name = name_of(source)
    documents = linked_text(text, name, table)
    write_text(out, conllu(documents, read_lock(parses), name))
    sentences = [sentence for document in documents for sentence in document.sentences]
    zeros = sum(len(sentence.sentence.zeros) for sentence in sentences)
    lost = sum(len(pair.source.zeros) for pair in text.pairs) - zeros
    mentions = sum(len(sentence.mentions) for sentence in sentences)
    entities = sum(
        len(
            {
                link.entity
                for sentence in document.sentences
                for link in (*sentence.zeros, *dict(sentence.mentions).values())
            }
        )
        for document in documents
    )
    report = Report(findings=list(map(str, text.findings)))
    report.add(
        f"{out}: {plural(len(text.pairs), 'sentence')} in, {len(sentences)} out in {plural(len(documents), 'document')}; "
        f"{len(text.pairs) - len(sentences)} without a word, with {plural(lost, 'zero')}, left out",
        sentences=len(sentences),
        documents=len(documents),
    )
    report.add(
        f"{plural(zeros, 'zero')} and {plural(mentions, 'mention')} of {entities} entities",
        zeros=zeros,
        mentions=mentions,
        entities=entities,
    )
    return report
