"""Labelled texts as systems read them: words, a label always one; original, oracle or labelled sentences, alone or with context."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Literal, get_args

from ...core.errors import PipelineError
from ...language.segmentation import cut, english_words
from ..documents import Document
from ..labels import FORMS, Sentence, Zero, translation_table

#: What a text has in the places of its zeros: nothing, pronouns or labels.
TextForm = Literal["original", "oracle", "labelled"]
TEXT_FORMS: tuple[TextForm, ...] = get_args(TextForm)
#: The frequency of a label in the user dictionary. Its signs are no words of Jieba's, so the least one is enough; high ones would
#: change how Jieba divides other words, since it compares shares of the sum of all frequencies.
_FREQUENCY = 1


def tokens(sentence: Sentence, form: TextForm = "labelled") -> list[str]:
    """Return the words of a sentence by Jieba, without blanks.

    The labelled sentence and its oracle have the same words, but for the label or the pronoun in each zero's place: both are cut at
    the zeros, so that nothing merges with a label. The original is cut as it stands: a boundary where a zero would be must not tell
    a system that it is there. Most of its words are those of the labelled sentence without the labels.

    >>> from ..labels import parse_sentence
    >>> sentence, _ = parse_sentence("<他>_S不来了。")
    >>> tokens(sentence), tokens(sentence, "oracle"), tokens(sentence, "original")
    (['<他>_S', '不来', '了', '。'], ['他', '不来', '了', '。'], ['不来', '了', '。'])
    """
    if form == "original":
        return cut(sentence.text)
    restored = [*(_in_place(zero, form) for zero in sentence.zeros), []]
    return [*chain.from_iterable([*cut(text), *word] for text, word in zip(sentence.pieces, restored, strict=True))]


def english_tokens(text: str) -> list[str]:
    """Return the words of an English sentence by spaCy's tokenizer, in small letters, without blanks.

    >>> english_tokens("He's sure he didn't.")
    ['he', "'s", 'sure', 'he', 'did', "n't", '.']
    """
    return english_words(text.lower())


def _in_place(zero: Zero, form: TextForm) -> list[str]:
    """Return the word that stands for a zero; none if its label is malformed, without a pronoun."""
    word = "".join((zero.label if form == "labelled" else zero.pronoun).split())
    return [word] if word else []


def user_dictionary(zeros: Iterable[Zero]) -> str:
    """Return a user dictionary for Jieba with the labels of the table of pronouns and those of some zeros, a word a line.

    A line is ``word frequency tag``. Jieba divides a text at angle brackets before it looks into a dictionary; docs/zero_pronouns.md
    has the line that lets them be part of words.
    """
    table = [Zero(0, pronoun, form).label for pronoun in translation_table().pronoun_of for form in ("", *FORMS)]
    more = {"".join(zero.label.split()) for zero in zeros} - {*table}
    return "".join(f"{label} {_FREQUENCY} r\n" for label in (*table, *sorted(more)))


#: Stands between a sentence and the one before it.
SEPARATOR = "<sep>"


def export_lines(
    documents: Iterable[Document], form: TextForm, path: Path, *, words: bool = False, context: bool = False
) -> list[str]:
    """Return the lines of a text, one for each sentence, without the lines between documents; `words` have blanks between them.

    With `context`, the sentence before and `SEPARATOR` stand in front of each sentence. The first one of a document has only `SEPARATOR`
    before it, so that every line has exactly one.

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
