"""Drafts of schemas from a table: two rows that differ in some words become one entry; what cannot become one is kept as a comment."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ...core.invisible import one_line
from ...core.model import IngestResult, Item, Record
from ...core.notation import MEMBERS, escape, expand, marked
from ...language.pronoun_classes import cloze_languages, pronoun_classes
from .layout import TODO, entry_text

#: Words, or characters where there are no blanks between words: what the members of a pair may differ in.
_WORDS = re.compile(r"[^\W\u3040-\u9fff]+|.", re.DOTALL)
_ID = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Drafts:
    """The entries that the rows of a table became, as YAML, and how many rows of each kind there are."""

    text: str
    paired: int
    lone: int
    unreadable: int


def draft_schemas(result: IngestResult) -> Drafts:
    """Return the records of a table as schemas; records without a mate, and skipped ones, are comments with the reason."""
    groups: dict[str, list[Item]] = {}
    for item in result.items:
        groups.setdefault(item.schema, []).append(item)
    entries: list[str] = []
    comments: list[str] = []
    for schema, items in groups.items():
        fields = _schema(items)
        if fields:
            entries.append(entry_text(_ID.sub("-", schema).strip("-._") or f"s-{len(entries)}", fields))
        else:
            many = "needs a mate" if len(items) == 1 else f"are {len(items)} members that one entry cannot hold"
            comments += [_comment(item, many) for item in items]
    paired = len(result.items) - len(comments)
    comments += [_comment(entry.record, entry.findings[0].message) for entry in result.skipped]
    lone = len(result.items) - paired
    return Drafts("".join((*entries, *comments)), paired, lone, len(result.skipped))


def _schema(items: Sequence[Item]) -> Mapping[str, str | Sequence[str]] | None:
    """Return the fields of the schema that two items are the members of, with the candidates as the text has them; else None."""
    if len(items) != MEMBERS or items[0].candidates != items[1].candidates:
        return None
    first, second = items
    parts = [
        (item.text[: item.target.start], item.target.of(item.text), item.text[item.target.end :]) for item in items
    ]
    left, target, right = (factored(*part) for part in zip(*parts, strict=True))
    question = factored(first.question, second.question)
    if left is None or target is None or right is None or question is None:
        return None
    names = sorted(first.candidates, key=first.text.find)
    fields: dict[str, str | Sequence[str]] = {
        "text": f"{left}[{target}]{right}",
        "question": question,
        "candidates": names,
        "answers": [item.candidates[item.answer] for item in items],
    }
    genders = dict(_genders(items))
    if len(set(genders.values())) == len(first.candidates):  # the same pronoun for both says nothing of them
        fields["genders"] = [genders[name] for name in names]
    if first.source:
        fields["source"] = first.source
    if note := "; ".join(dict.fromkeys(item.note for item in items if item.note)):
        fields["note"] = note
    return fields


def _genders(items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """Yield the gender of each right answer, as the pronoun that stands for it says it."""
    for item in items:
        pronoun = item.target.of(item.text)
        gender = pronoun_classes(item.lang).gender_of(pronoun) if item.lang in cloze_languages() else None
        if gender:
            yield item.candidates[item.answer], gender


def factored(first: str, second: str) -> str | None:
    """Return two texts as one, with braces where they differ; None if one of them lacks words there and has none beside it.

    >>> factored("weil er groß war", "weil er sehr klein war"), factored("因为太大", "因为太小"), factored("", "so")
    ('weil er {groß|sehr klein} war', '因为太{大|小}', None)
    """
    words, others = _WORDS.findall(first), _WORDS.findall(second)
    start = _shared(words, others)
    end = _shared(words[start:][::-1], others[start:][::-1])
    if start == len(words) == len(others):
        return escape(first)
    if min(len(words), len(others)) == start + end:  # one of them has no word there: take one from beside it
        start, end = (start - 1, end) if start else (start, end - 1)
    if end < 0:
        return None
    middle = [escape("".join(part[start : len(part) - end])) for part in (words, others)]
    text = f"{escape(''.join(words[:start]))}{{{'|'.join(middle)}}}{escape(''.join(words[len(words) - end :]))}"
    return text if expand(text) == (escape(first), escape(second)) and all(part.strip() for part in middle) else None


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words two texts begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False)))


def _comment(record: Item | Record, reason: str) -> str:
    """Return a record as a comment: what it lacks, and what the table says of it."""
    answer = record.candidates[record.answer] if record.answer is not None else ""
    text = marked(record.text, record.target) if record.target else record.text
    values = {"text": text, "question": record.question, "candidates": " / ".join(record.candidates)}
    lines = [f"# {TODO} {record.id}: {reason}", *(f"#   {name}: {text}" for name, text in values.items())]
    return "".join(f"{one_line(line)}\n" for line in (*lines, f"#   answer: {answer}"))
