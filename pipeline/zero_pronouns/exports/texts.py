"""Texts as a system reads them: a sentence a line, alone or after the sentence before it."""

from collections.abc import Iterable
from pathlib import Path

from ...core.errors import PipelineError
from ..documents import Document
from ..sentence import Sentence
from .tokens import TextForm, tokens

#: Stands between a sentence and the one before it.
SEPARATOR = "<sep>"


def exported(
    documents: Iterable[Document], form: TextForm, path: Path, *, words: bool = False, context: bool = False
) -> list[str]:
    """Return the lines of a text, one for each sentence, without the lines between documents.

    Args:
        documents: the documents.
        form: what stands in the places of the zeros: nothing, pronouns or labels.
        path: the file of the documents, for errors.
        words: write words with blanks between them, instead of the text as it was written.
        context: write the sentence before, and `SEPARATOR`, in front of each sentence. The first one of a document has only
            `SEPARATOR` before it, so that every line has exactly one.

    Raises:
        PipelineError: a text has `SEPARATOR` itself, and `context` would hide where the sentence begins.
    """
    lines = []
    for document in documents:
        before = ""
        for pair in document:
            line = _text(pair.source, form, words=words)
            if context and SEPARATOR in line:
                reason = (
                    f"[sentence] separator in the text; found {SEPARATOR}, expected a text without it, or no context"
                )
                raise PipelineError(path, pair.line, reason)
            lines.append(f"{before} {SEPARATOR} {line}".strip() if context else line)
            before = line
    return lines


def _text(sentence: Sentence, form: TextForm, *, words: bool) -> str:
    if words:
        return " ".join(tokens(sentence, form))
    return {"original": sentence.text, "oracle": sentence.oracle, "labelled": sentence.labelled}[form]
