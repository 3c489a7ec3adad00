"""The records that files carry from stage to stage."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeGuard, get_args

import msgspec

from .convert import Text

ExclusionClass = Literal[
    "ba-object",
    "prenominal-possessor",
    "direct-object",
    "other",
    "pair-mate",
    "already-zero",
    "not-pronoun",
    "defect",
]
#: The classes of WSC-ZA's Table 2 first, in its order, then ours.
CLASSES: tuple[ExclusionClass, ...] = get_args(ExclusionClass)


def is_exclusion_class(name: object) -> TypeGuard[ExclusionClass]:
    """Tell whether `name` is one of `CLASSES`."""
    return name in CLASSES


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Unicode code point offsets [start, end) into a text; empty at the place of a zero."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(
                f"[span] offsets out of order; found [{self.start}, {self.end}), expected 0 <= start <= end"
            )

    @property
    def length(self) -> int:
        """Number of code points. Not `__len__`: the place of a zero would be falsy."""
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the part of `text` that the span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A question as it is in the source; `target` and `answer` are None where the source does not give them."""

    id: str
    schema: str
    version: str
    lang: str
    text: str
    target: Span | None
    candidates: tuple[str, ...]
    answer: int | None
    question: str = ""
    source: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.target is not None and self.target.end > len(self.text):
            raise ValueError(
                f"[target] span outside the text; found end {self.target.end}, expected at most {len(self.text)}"
            )
        if self.answer is not None and not 0 <= self.answer < len(self.candidates):
            raise ValueError(
                f"[answer] no such candidate; found {self.answer}, expected 0 to {len(self.candidates) - 1}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Record):
    """A well-formed question: a target (an anaphor or the place of a zero), candidates, and the right one of them."""

    target: Span
    answer: int

    @property
    def already_zero(self) -> bool:
        """Whether the source text already has a zero as its target."""
        return self.target.length == 0


def item_of(record: Record) -> Item | None:
    """Return the item that a record is; None if it lacks a target or an answer."""
    if record.target is None or record.answer is None:
        return None
    return Item(**{field.name: getattr(record, field.name) for field in fields(record)})


class Finding(msgspec.Struct, frozen=True, rename={"exclusion": "class"}):
    """A reason to reject an item.

    `rule` is a stable id such as ``zh/ba-object``, `span` the place in the item's text if there is one, `evidence` holds JSON
    values with which a maintainer can check the finding.
    """

    rule: str
    exclusion: ExclusionClass
    span: Span | None
    message: str
    evidence: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that leaves the collection, with at least one finding; the first finding gives its class."""

    record: Record
    findings: tuple[Finding, ...]

    def __post_init__(self) -> None:
        if not self.findings:
            raise ValueError(
                f"[findings] rejection without a reason; found none for {self.record.id}, expected at least one"
            )

    @property
    def exclusion(self) -> ExclusionClass:
        """The class under which the record is counted."""
        return self.findings[0].exclusion


@dataclass(frozen=True, slots=True)
class IngestResult:
    """The result of a reader: every record is either an item or skipped."""

    items: tuple[Item, ...]
    skipped: tuple[Rejected, ...]

    @property
    def read(self) -> int:
        """The number of records read."""
        return len(self.items) + len(self.skipped)


def label_counts(records: Iterable[Record]) -> dict[str, int]:
    """Return the number of records by right answer, as a letter: A for the first candidate."""
    counts = Counter(chr(ord("A") + record.answer) for record in records if record.answer is not None)
    return dict(sorted(({"A": 0, "B": 0} | counts).items()))


@dataclass(frozen=True, slots=True)
class PmiTerms:
    """The words to count for one item: one for each candidate, and the reference that they are associated with."""

    candidates: Annotated[
        tuple[Text, ...], msgspec.Meta(min_length=2, max_length=2, description="a list of 2, each text")
    ]
    reference: Text
