"""Write a labelled text as systems read it: original, oracle or labelled."""

from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.files import write_text
from ...zero_pronouns.documents import read_parallel_text
from ...zero_pronouns.exports.texts import TextForm, english_tokens, export_lines, user_dictionary
from ..parameters import arg, opt, output
from ..report import Report


def command(
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
