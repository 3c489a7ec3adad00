"""Items from documents: zeros for which two antecedents compete."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...core.model import Item, Span
from ...language.questions import question_table
from ..documents import Document, Mention, ParallelText, Reference
from ..labels import Zero, translation_table

#: The forms whose pronoun can be anything that agrees with it; a reflexive is bound in its clause.
_FREE_FORMS = ("S", "O", "Pa", "P")
#: Maximum number of sentences of an item, as many as a reader can be expected to keep in mind.
_SENTENCES = 4
#: The marks that end a sentence; after another character, a blank separates it from the next one.
_END = re.compile("[。！？!?…][”’」』）)]*$")
#: What no noun phrase ends with or has.
_NO_NOUN = re.compile("[了着吗呢吧的]$|[^\\w]|不|没|把|被|是")


@dataclass(frozen=True, slots=True)
class Conversion:
    """The items of a text, and the number of its other zeros for each reason why they are none."""

    items: tuple[Item, ...]
    left_out: Mapping[str, int]


class _LeftOut(Exception):  # noqa: N818  # a decision, not an error
    """A zero is no item; the argument says why."""


def competing_items(text: ParallelText, name: str, references: Sequence[Reference]) -> Conversion:
    """Return an item for each zero for which two antecedents compete.

    The candidates are its nearest mention and the nearest other words before it to which a zero restored with the same pronoun refers
    somewhere in the document. So whoever labelled the text has decided that both agree with the pronoun in person, number, gender and
    animacy. Nobody has decided that they are two persons or things: before items are used, people have to. Ids begin with `name`.
    """
    items: list[Item] = []
    left_out: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    for document in text.documents:
        lines = {pair.line for pair in document}
        here = [reference for reference in references if reference.line in lines]
        for reference in here:
            try:
                item = _item(document, name, reference, here)
                copy = _letters(item.text), _letters(item.text[: item.target.start])
                if copy in seen:
                    raise _LeftOut("another zero has the same text and place")
            except _LeftOut as reason:
                left_out[str(reason)] = left_out.get(str(reason), 0) + 1
            else:
                seen.add(copy)
                items.append(item)
    return Conversion(tuple(items), left_out)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _item(document: Document, name: str, reference: Reference, others: Iterable[Reference]) -> Item:
    """Return the item of a zero; raises `_LeftOut` if it is none."""
    texts = {pair.line: pair.source.text for pair in document}
    zeros = {(pair.line, number): zero for pair in document for number, zero in enumerate(pair.source.zeros, 1)}
    zero = zeros[reference.line, reference.zero]
    pronoun = _third_person(zero)
    antecedent = reference.antecedent
    if antecedent is None:
        raise _LeftOut("no antecedent in the document")
    if (antecedent.line, antecedent.span.end) > (reference.line, zero.place):
        raise _LeftOut("the antecedent follows")
    words = antecedent.span.of(texts[antecedent.line])
    if not _is_noun(words):
        raise _LeftOut("the antecedent is a pronoun or no plain noun phrase")
    agreeing = {
        other.antecedent.span.of(texts[other.antecedent.line])
        for other in others
        if other.antecedent is not None
        and translation_table().pronoun_of.get(zeros[other.line, other.zero].pronoun) == pronoun
    }
    before_zero = {line: texts[line] if line < reference.line else texts[line][: zero.place] for line in texts}
    rivals = [
        Mention(line, Span(start, start + len(other)))
        for other in sorted(agreeing)
        if _is_noun(other) and other not in words and words not in other
        for line in texts
        if line <= reference.line and (start := before_zero[line].rfind(other)) >= 0
    ]
    if not rivals:
        raise _LeftOut("no other mention that agrees")
    rival = max(rivals, key=lambda mention: (mention.line, mention.span.end, mention.span.start))
    first = min(antecedent.line, rival.line)
    passage = [line for line in texts if first <= line <= reference.line]
    if len(passage) > _SENTENCES:
        raise _LeftOut(f"more than {_SENTENCES} sentences from the mentions to the zero")
    before, shift = _joined([texts[line] for line in passage[:-1]])
    target = shift + zero.place
    full = before + texts[reference.line]
    if any(span.start == target for span in question_table("zh").anaphors(full)) or not full[target:].strip():
        raise _LeftOut("a pronoun or nothing follows")
    candidates = tuple(sorted((words, rival.span.of(texts[rival.line])), key=full.find))
    schema = f"{name}-{reference.line}-{reference.zero}"
    return Item(
        id=f"{schema}-a",
        schema=schema,
        version="a",
        lang="zh",
        text=full,
        target=Span(target, target),
        candidates=candidates,
        answer=candidates.index(words),
        source=f"documents, {name}",
        note=f"line {reference.line}, zero {reference.zero}: {zero.label}",
    )


def _third_person(zero: Zero) -> str:
    """Return the pronoun of a zero whose antecedents can compete; raises `_LeftOut` for another one."""
    pronoun = translation_table().pronoun_of.get(zero.pronoun, "")
    if pronoun not in question_table("zh").pronouns:
        raise _LeftOut("no third person")
    if zero.form not in _FREE_FORMS:
        raise _LeftOut("reflexive or undetermined form")
    return pronoun


def _is_noun(words: str) -> bool:
    """Return whether the words of a mention can be a candidate: no pronoun, no mark, no clause."""
    known = translation_table().pronoun_of
    return words not in known and not _NO_NOUN.search(words) and any(map(str.isalpha, words))


def _joined(sentences: Iterable[str]) -> tuple[str, int]:
    """Return sentences as the beginning of a text, and its length."""
    text = "".join(sentence if _END.search(sentence) else f"{sentence} " for sentence in sentences)
    return text, len(text)
