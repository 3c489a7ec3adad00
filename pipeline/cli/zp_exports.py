"""Commands that write labelled texts and items in formats of other tools."""

from functools import partial
from pathlib import Path
from typing import Annotated

from ..core.convert import to_object
from ..core.errors import PipelineError, errors_at, plural
from ..core.files import write_jsonl, write_text
from ..core.outputs import require_writable
from ..core.records import read_items
from ..language.parsing.backends import BackendName
from ..language.parsing.lock import read_lock
from ..language.parsing.trees import trees_to_conllu
from ..winograd.mentions import own_mentions
from ..winograd.zero_forms import require_language_with_zeros
from ..zero_pronouns.documents import read_parallel_text, read_references
from ..zero_pronouns.exports.competition import competing_items
from ..zero_pronouns.exports.conllu import LinkedDocument, conllu, linked_item, linked_text, name_of, renew_trees
from ..zero_pronouns.exports.texts import TextForm, english_tokens, export_lines, user_dictionary
from .parameters import arg, opt, output, tracked
from .report import Quiet, Report, Updates


def export_command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels such as <他>_S, a sentence a line.")],
    target: Annotated[Path, arg("TARGET", "English, aligned line by line.")],
    form: Annotated[TextForm, opt("In the places of zeros: nothing, pronouns or labels.", "--as")],
    out: Annotated[Path, output("the Chinese text, a sentence a line.")],
    target_out: Annotated[Path | None, output("the translations of these lines.")] = None,
    dictionary: Annotated[Path | None, output("the labels as a user dictionary for Jieba.")] = None,
    words: Annotated[
        bool, opt("Words by Jieba and, in small letters, by spaCy, with blanks between them.", "--words")
    ] = False,
    context: Annotated[bool, opt("Begin each line with the sentence before and <sep>.", "--context")] = False,
) -> Report:
    """Write a labelled text as original, oracle or labelled text; exit 1 if a label is malformed.

    Lines with [doc] are left out; context never reaches over them.
    """
    text = read_parallel_text(source, target)
    report = Report(findings=list(map(str, text.findings)))
    lines = export_lines(text.documents, form, source, words=words, context=context)
    zeros = [zero for pair in text.pairs for zero in pair.source.zeros]
    write_text(out, "".join(f"{line}\n" for line in lines))
    report.add(
        f"{out}: {plural(len(text.pairs), 'sentence')} in, {len(lines)} out, with {plural(len(zeros), 'zero')}",
        sentences=len(lines),
        zeros=len(zeros),
    )
    if target_out is not None:
        targets = (" ".join(english_tokens(pair.target)) if words else pair.target for pair in text.pairs)
        write_text(target_out, "".join(f"{line}\n" for line in targets))
        report.add(f"{target_out}: {plural(len(text.pairs), 'translation')}", translations=len(text.pairs))
    if dictionary is not None:
        entries = user_dictionary(zeros)
        write_text(dictionary, entries)
        report.add(f"{dictionary}: {plural(entries.count(chr(10)), 'label')}", labels=entries.count("\n"))
    return report


def parse_command(
    lock: Annotated[Path, opt("Parse lock to update (CoNLL-U); created if missing."), Updates],
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
        with errors_at(items):
            documents.append(linked_item(item, own_mentions(item)))
    if not documents:
        raise PipelineError(None, None, "[source] no text; expected labelled texts, --items, or both")
    result = renew_trees(documents, backend, lock, track=partial(tracked, label="parsing", quiet=quiet))
    write_text(lock, trees_to_conllu(result.trees))
    return Report().add(
        f"{lock}: {result.kept} trees kept + {result.parsed} parsed = {len(result.trees)}; {result.dropped} dropped",
        kept=result.kept,
        parsed=result.parsed,
        trees=len(result.trees),
        dropped=result.dropped,
    )


def conllu_command(
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


def coref_command(
    items_path: Annotated[Path, arg("ITEMS", "Items, or their zero forms (JSON Lines).")],
    parses: Annotated[Path, opt("Parse lock, which zp parse --items writes.")],
    out: Annotated[Path, output("a document for each item (CoNLL-U).")],
) -> Report:
    """Write items as documents for coreference systems (CoNLL-U, entities as in CorefUD).

    The target is a zero and one entity with the answer; the other candidate is an entity of its own.
    """
    items = read_items(items_path, zero_forms=True)
    require_language_with_zeros(items, items_path)
    with errors_at(items_path):
        documents = [linked_item(item, own_mentions(item)) for item in items]
    write_text(out, conllu(documents, read_lock(parses), name_of(items_path)))
    unnamed = sum(
        not any(link.entity == item.answer for sentence in document.sentences for _, link in sentence.mentions)
        for item, document in zip(items, documents, strict=True)
    )
    return Report().add(
        f"{out}: {plural(len(items), 'item')} in, {plural(len(documents), 'document')} out; "
        f"{plural(unnamed, 'zero')} whose answer the text does not name in these words",
        items=len(items),
        documents=len(documents),
        unnamed=unnamed,
    )


def items_command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels such as <他>_S, a sentence a line.")],
    antecedents: Annotated[Path, opt("Antecedent of each zero (TSV).")],
    out: Annotated[Path, output("the items (JSON Lines).")],
) -> Report:
    """Write the zeros for which two antecedents compete as items, with the count of the others by reason.

    Both candidates are antecedents of zeros with the same pronoun. Read the items: two names may be of one person.
    """
    text = read_parallel_text(source, source)
    conversion = competing_items(text, name_of(source), read_references(antecedents, text))
    write_jsonl(out, map(to_object, conversion.items))
    report = Report()
    total = len(conversion.items) + sum(conversion.left_out.values())
    report.add(
        f"{out}: {plural(total, 'zero')} in, {plural(len(conversion.items), 'item')} out",
        zeros=total,
        items=len(conversion.items),
        left_out=dict(conversion.left_out),
    )
    for reason, count in conversion.left_out.items():
        report.add(f"{count} left out: {reason}")
    return report
