"""From what a source says of a question to an item, or to a rejected record with every reason."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.model import Finding, IngestResult, Item, Record, Rejected, Span
from ...language.questions import QuestionTable, question_table
from .target import Place, locate

_ALTERNATION = re.compile(r"\[[^\[\]]*/[^\[\]]*\]")
#: The particle that a possessor's answer may carry (男人的 for 谁的肩膀？).
_GENITIVE = "的"


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as its source has it, before anything is checked.

    `candidates` and `gold` are the source's answers as it writes them (blanks between Chinese words allowed);
    `target` is None where the format gives no offset, so that the question has to tell.
    """

    id: str
    schema: str
    version: str
    lang: str
    text: str
    candidates: tuple[str, ...]
    gold: str | None
    target: Span | None = None
    question: str = ""
    source: str = ""
    note: str = ""
    defects: tuple[Finding, ...] = field(default=())


def defect(message: str, span: Span | None = None, **evidence: object) -> Finding:
    """Return a finding that the item itself is broken."""
    return Finding("ingest/defect", "defect", span, message, evidence)


def member(index: int) -> str:
    """Return the version letter of the `index`-th member of a schema: a, b, and so on.

    >>> member(0), member(27)
    ('a', 'ab')
    """
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[index] if index < len(letters) else member(index // len(letters) - 1) + letters[index % len(letters)]


def collapse(text: str) -> str:
    """Return `text` with every run of white space as one blank, none at the ends."""
    return " ".join(text.split())


def name_of(answer: str, lang: str) -> str:
    """Return an answer as a candidate of the record: Chinese without blanks and genitive particle.

    >>> name_of("Tom 的", "zh"), name_of("the  trophy ", "en")
    ('Tom', 'the trophy')
    """
    if lang != "zh":
        return collapse(answer)
    return "".join(answer.split()).removesuffix(_GENITIVE)


def mentioned(answer: str, text: str) -> bool:
    """Tell whether `text` names the answer: as it stands, or, where the source segments it, by its head.

    A described candidate (抛接 西瓜 的 人 for 一个男人在抛接西瓜) counts as named by its last word, the head of a
    Chinese noun phrase.

    >>> mentioned("抛接 西瓜 的 人", "看到一个男人在抛接西瓜"), mentioned("The trophy", "put the trophy away")
    (True, True)
    """
    words = answer.removesuffix(_GENITIVE).split()
    squeezed = "".join(text.split()).casefold()
    return bool(words) and ("".join(words).casefold() in squeezed or words[-1].casefold() in squeezed)


def _defects(draft: Draft, twins: set[tuple[str, str]]) -> list[Finding]:
    found = list(draft.defects)
    found += [
        defect(f"an alternation is left unresolved; found {match[0]!r} in the {part}", found=match[0])
        for part, text in (("text", draft.text), ("question", draft.question))
        for match in _ALTERNATION.finditer(text)
    ]
    if (draft.schema, draft.text) in twins:
        found.append(defect("the members of the schema are the same text"))
    names = [name_of(candidate, draft.lang) for candidate in draft.candidates]
    if len(set(names)) < 2:
        found.append(defect(f"fewer than two candidates; found {', '.join(names) or 'none'}", candidates=names))
    for candidate in draft.candidates:
        if not mentioned(candidate, draft.text):
            found.append(
                defect(f"a candidate does not occur in the text; found {collapse(candidate)!r}", candidate=candidate)
            )
    if draft.gold is None:
        found.append(defect("the source gives no right answer"))
    elif name_of(draft.gold, draft.lang) not in names:
        reason = f"the right answer is none of the candidates; found {collapse(draft.gold)!r}, expected one of {names}"
        found.append(defect(reason, answer=draft.gold, candidates=names))
    return found


def _place(draft: Draft, table: QuestionTable) -> tuple[Span | None, Finding | None]:
    """Return the target, and why it does not serve if it does not."""
    if draft.target is None and draft.defects:  # the reader has said why
        return None, None
    if draft.target is None:
        names = [name_of(candidate, draft.lang) for candidate in draft.candidates]
        found = locate(draft.text, draft.question, names, table)
        if not isinstance(found, Place):
            return None, defect(found.reason, question=draft.question)
        span, overt = found.span, found.kind != "zero"
    else:
        span, overt = draft.target, draft.target.length > 0
    form = span.of(draft.text)
    if overt and not table.is_pronoun(form):
        return span, Finding(
            "ingest/not-pronoun",
            "not-pronoun",
            span,
            f"no third-person pronoun stands there; found {form!r}",
            {"form": form},
        )
    return span, None


def _assemble(draft: Draft, twins: set[tuple[str, str]]) -> Item | Rejected:
    span, misplaced = _place(draft, question_table(draft.lang))
    findings = _defects(draft, twins) + ([misplaced] if misplaced else [])
    names = tuple(name_of(candidate, draft.lang) for candidate in draft.candidates)
    gold = None if draft.gold is None else name_of(draft.gold, draft.lang)
    parts: dict[str, Any] = {
        "id": draft.id,
        "schema": draft.schema,
        "version": draft.version,
        "lang": draft.lang,
        "text": draft.text,
        "target": span,
        "candidates": names,
        "answer": names.index(gold) if gold in names else None,
        "question": draft.question,
        "source": draft.source,
        "note": draft.note,
    }
    return Rejected(Record(**parts), tuple(findings)) if findings else Item(**parts)


def assemble(drafts: Iterable[Draft]) -> IngestResult:
    """Return every draft as an item or as a rejected record, in their order; nothing is lost."""
    rows: Sequence[Draft] = list(drafts)
    seen: dict[tuple[str, str], int] = {}
    for draft in rows:
        seen[draft.schema, draft.text] = seen.get((draft.schema, draft.text), 0) + 1
    twins = {key for key, count in seen.items() if count > 1}
    made = [_assemble(draft, twins) for draft in rows]
    return IngestResult(
        items=tuple(entry for entry in made if isinstance(entry, Item)),
        skipped=tuple(entry for entry in made if isinstance(entry, Rejected)),
    )
