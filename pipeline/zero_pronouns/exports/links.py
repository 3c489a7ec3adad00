"""Documents with entities: which zeros and mentions refer to the same thing."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.model import Item, Span
from ...language.parsing.trees import sentence_of, sentences
from ..documents import ParallelText, Reference
from ..labels import Sentence, Zero, translation_table

#: Restores a zero for the parser where the source has no pronoun for it.
_ANY_PRONOUN = "他"


@dataclass(frozen=True, slots=True)
class Link:
    """The entity of a zero or of a mention in its document; `kind` says why an entity has no mention (speaker, addressee, …)."""

    entity: Hashable
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence with the entity of each zero, none where entities are unknown, and the spans that name an entity.

    Mentions are in the order of the text, an outer one before an inner one. Where the pronouns of the zeros are not known, they only help
    the parser: `restored` is false.
    """

    id: str
    sentence: Sentence
    zeros: tuple[Link, ...] = ()
    mentions: tuple[tuple[Span, Link], ...] = ()
    translation: str = ""
    restored: bool = True


@dataclass(frozen=True, slots=True)
class LinkedDocument:
    """The sentences of a document, with its id."""

    id: str
    sentences: tuple[LinkedSentence, ...]


def linked_text(text: ParallelText, name: str, references: Sequence[Reference] | None) -> list[LinkedDocument]:
    """Return the documents of a text with the entities that follow from the antecedents of its zeros.

    A zero and its nearest mention are one entity. So are mentions with the same words in a document, unless they are pronouns, and
    thereby the zeros of each. A zero that nothing in the document names is an entity of its own: two speakers may both be 我.
    Sentences without a character are left out. Ids begin with `name`.
    """
    texts = {pair.line: pair.source.text for pair in text.pairs}
    of_zeros: dict[int, list[Link]] = {}
    of_mentions: dict[int, dict[Span, Link]] = {}
    for reference in references or ():
        link = _link(reference, texts)
        of_zeros.setdefault(reference.line, []).append(link)
        if reference.antecedent is not None:
            of_mentions.setdefault(reference.antecedent.line, {})[reference.antecedent.span] = link
    documents = []
    for number, document in enumerate(text.documents, 1):
        linked = []
        for pair in document:
            spans = of_mentions.get(pair.line, {})
            mentions = tuple((span, spans[span]) for span in sorted(spans, key=_outer_first))
            zeros = tuple(of_zeros.get(pair.line, ()))
            if pair.source.text.strip():
                linked.append(LinkedSentence(f"{name}-{pair.line}", pair.source, zeros, mentions, pair.target))
        if linked:
            documents.append(LinkedDocument(f"{name}-d{number}", tuple(linked)))
    return documents


def _outer_first(span: Span) -> tuple[int, int]:
    return span.start, -span.end


def _link(reference: Reference, texts: Mapping[int, str]) -> Link:
    """Return the entity of a zero: its mention's words or, if they are a pronoun, the mention; without a mention, the zero itself."""
    if reference.antecedent is None:
        return Link((reference.line, reference.zero), reference.kind)
    words = reference.antecedent.span.of(texts[reference.antecedent.line])
    return Link(reference.antecedent if words in translation_table().pronoun_of else words)


def linked_item(item: Item, mentions: Sequence[Iterable[Span]]) -> LinkedDocument:
    """Return an item as a document: its target is a zero, each candidate with its mentions an entity, and the zero that of the answer.

    Raises:
        ValueError: nothing is left of a sentence without its target.
    """
    name = re.sub(r"[\s/]", "_", item.id)
    whole = sentence_of(item.text, item.target)
    parts = [span for span in sentences(item.text) if span.end <= whole.start or whole.end <= span.start]
    linked = []
    for number, part in enumerate(sorted([*parts, whole]), 1):
        target = Span(item.target.start - part.start, item.target.end - part.start) if part == whole else None
        text, zeros = part.of(item.text), []
        if target is not None:
            zeros = [Zero(target.start, target.of(text) or _ANY_PRONOUN, "")]
            text = text[: target.start] + text[target.end :]
        if not text.strip():
            raise ValueError(f"[text] nothing but the target in a sentence of {item.id}; expected a clause around it")
        spans = {
            _without(Span(span.start - part.start, span.end - part.start), target): Link(candidate)
            for candidate, places in enumerate(mentions)
            for span in places
            if part.start <= span.start and span.end <= part.end and _keeps_words(span, item.target)
        }
        linked.append(
            LinkedSentence(
                f"{name}-{number}",
                Sentence(text, tuple(zeros)),
                (Link(item.answer),) * len(zeros),
                tuple((span, spans[span]) for span in sorted(spans, key=_outer_first)),
                restored=not item.already_zero,
            )
        )
    return LinkedDocument(name, tuple(linked))


def _keeps_words(span: Span, target: Span) -> bool:
    """Return whether a mention is outside the target, or contains it with other words."""
    outside = span.end <= target.start or target.end <= span.start
    return outside or (span.start <= target.start and target.end <= span.end and span.length > target.length)


def _without(span: Span, target: Span | None) -> Span:
    """Return a span as it is after the target is left out."""
    if target is None or span.end <= target.start:
        return span
    inside = target.length if span.start >= target.end else 0
    return Span(span.start - inside, span.end - target.length)


def name_of(path: Path) -> str:
    """Return the letters and digits of a file's name without its ending, as ids begin with them."""
    return "".join(re.findall("[A-Za-z0-9]", path.stem)) or "text"
