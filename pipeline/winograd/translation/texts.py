"""What is translated of a collection, in requests that DeepL accepts, and how: the options and the glossary."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import read_bytes, require_unique, to_json
from ...core.model import Item
from ...core.notation import escape
from ...core.tables import parse_rows, table_text

#: Maximum number of texts in a request (DeepL's reference, "Translate text").
MAX_TEXTS = 50
#: Maximum size of a request in bytes (the same), less what its other fields take at most.
MAX_BYTES = 128 * 1024 - 1024
#: Sentences are not split, so that a pronoun is translated together with the sentence of its antecedent.
SPLIT_SENTENCES = "0"


@dataclass(frozen=True, slots=True)
class Glossary:
    """A glossary of one's own with its entries, or one that DeepL has already.

    A translation depends on its `identity`: ``sha256:`` with the digest of the entries, ``id:`` with DeepL's id, or nothing without a
    glossary.
    """

    identity: str = ""
    entries: Mapping[str, str] = field(default_factory=dict)


def read_glossary(path: Path) -> Glossary:
    """Return the glossary of a table without a header: each row has a term and its translation.

    Raises:
        PipelineError: a line has another number of cells, an empty one or a control character, a term occurs twice, the file is empty.
    """
    entries: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for line, cells in parse_rows(table_text(read_bytes(path), path), path, ("term", "translation")):
        term, translation = (cell.strip() for cell in cells)
        if not all(text and text.isprintable() for text in (term, translation)):
            reason = f"[glossary] not a term with its translation; found {shown(cells)}, expected text in both"
            raise PipelineError(path, line, reason)
        require_unique(lines, term, path, line, "glossary")
        entries[term] = translation
    if not entries:
        raise PipelineError(path, None, "[glossary] no entry; expected lines of a term, a tab and its translation")
    digest = hashlib.sha256(to_json(sorted(entries.items())).encode()).hexdigest()
    return Glossary(f"sha256:{digest}", entries)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that is translated and paid for, and the context that DeepL reads beside it, which is neither."""

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class ItemPart:
    """A part of an item, a row of the draft: its text, its question, or ``candidate-1``, ``candidate-2`` and so on.

    `right` tells whether it is the right candidate; `shown` is the part as people read it: in the text, the target is in brackets.
    """

    id: str
    field: str
    right: bool
    shown: str
    source: SourceText


@dataclass(frozen=True, slots=True)
class Options:
    """What decides a translation besides the text and its context.

    The languages are DeepL's codes, such as EN; `formality` is ``default``, ``more``, ``less``, ``prefer_more`` or ``prefer_less``;
    `glossary` is the identity of a `Glossary`.
    """

    source_lang: str
    target_lang: str
    formality: str = "default"
    glossary: str = ""

    def key(self, source: SourceText) -> str:
        """Return the key of a text in the cache: SHA-256 of the options, the text and its context."""
        values = [*asdict(self).values(), SPLIT_SENTENCES, source.text, source.context]
        return hashlib.sha256(to_json(values).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Batch:
    """One request: at most `MAX_TEXTS` texts that share a context, which may be empty."""

    texts: tuple[str, ...]
    context: str

    @property
    def sources(self) -> list[SourceText]:
        """The texts, each with the context."""
        return [SourceText(text, self.context) for text in self.texts]


def item_parts(items: Iterable[Item]) -> list[ItemPart]:
    """Return the parts of items, in their order: text, question, candidates.

    The text has no context, the question has the text. A candidate has the first text of its schema that lists it, so that the members
    of a pair share one translation of it.
    """
    parts = []
    contexts: dict[tuple[str, str], str] = {}
    for item in items:
        start, end = item.target.start, item.target.end
        head, target, tail = (escape(text) for text in (item.text[:start], item.text[start:end], item.text[end:]))
        parts.append(ItemPart(item.id, "text", False, f"{head}[{target}]{tail}", SourceText(item.text)))
        if item.question.strip():
            question = SourceText(item.question, item.text)
            parts.append(ItemPart(item.id, "question", False, item.question, question))
        for number, candidate in enumerate(item.candidates):
            context = contexts.setdefault((item.schema, candidate), item.text)
            source = SourceText(candidate, context)
            parts.append(ItemPart(item.id, f"candidate-{number + 1}", number == item.answer, candidate, source))
    return parts


def characters(sources: Iterable[SourceText]) -> int:
    """Return how many characters DeepL counts: the code points of the texts, not of their contexts."""
    return sum(len(source.text) for source in sources)


def batches(sources: Sequence[SourceText]) -> list[Batch]:
    """Return the requests that translate texts, each text once: those without context first, then context by context.

    Raises:
        PipelineError: a text is too long for a request of its own.
    """
    by_context: dict[str, list[str]] = {}
    for source in dict.fromkeys(sources):
        by_context.setdefault(source.context, []).append(source.text)
    made = []
    for context in sorted(by_context, key=bool):
        batch: list[str] = []
        left = MAX_BYTES - _size(context)
        for text in by_context[context]:
            size = _size(text)
            if size > MAX_BYTES - _size(context):
                reason = f"found {shown(text)}, expected a request of 128 KiB at most"
                raise PipelineError(None, None, f"[text] too long for DeepL with its context; {reason}")
            if batch and (len(batch) == MAX_TEXTS or size > left):
                made.append(Batch(tuple(batch), context))
                batch, left = [], MAX_BYTES - _size(context)
            batch.append(text)
            left -= size
        made.append(Batch(tuple(batch), context))
    return made


def _size(text: str) -> int:
    """Return how many bytes a text takes in a request, with the comma after it; JSON escapes what is not ASCII."""
    return len(json.dumps(text)) + 2


def translated(parts: Sequence[ItemPart], options: Options, translations: Mapping[str, str]) -> list[str]:
    """Return the machine translation of each part, from translations by key (`Options.key`)."""
    return [translations[options.key(part.source)] for part in parts]
