"""English clauses: the part of a text that makes a statement of its own."""

import re

from ...core.model import Item
from .base import GrammarError, Substitution
from .english_nouns import english_tables
from .operators import Governed, governed, sentence_at

_CLAUSE_END = re.compile(r"[.!?;,](?=\s|$)|$")
#: What a statement does without at its beginning.
_LEAD = re.compile(r"(?:and|but|so|because|or|yet|then)\b,?\s+", re.IGNORECASE)
#: A comma or semicolon with a conjunction, after which a clause with a subject of its own may begin.
_JOINT = re.compile(r"(?:,\s+(?:and then|and|but|so|because)|;)\s+")
#: Subjects that a reader of their clause alone does not understand.
_NEED_ANTECEDENT = frozenset({"it", "they", "xe"})
_MARKS = re.compile(r"[.!?]+[\"'”’)]*$")
_COORDINATED = re.compile(r"\s+(?:and|or|but)\s+(?P<verb>[a-z]+)")


def statement_of(whole: Substitution, item: Item) -> str:
    """Return the clause of the target as a sentence, or as much of the text as it needs to stand alone.

    A clause that its text does not assert keeps the words that say so (see `operators`).

    Raises:
        GrammarError: a quotation cut in two.
    """
    entry = governed(item.text, item.target, "en")
    start, end = _governed_part(whole, item, entry) if entry else _clause(whole, item) or _sentence(whole)
    clause = whole.text[start:end].strip()
    if clause.count('"') % 2:
        raise GrammarError(f"[text] quotation cut in two; found {clause!r}")
    lead = _LEAD.match(clause)
    clause = clause[lead.end() :] if lead else clause
    return f"{clause[0].upper()}{clause[1:]}."


def _governed_part(whole: Substitution, item: Item, entry: Governed) -> tuple[int, int]:
    """Return the bounds of what an operator keeps in the text with the candidate."""
    grown = len(whole.text) - len(item.text)
    start = entry.kept.start
    if re.match(r"\w+ing\b", item.text[start:]):  # …, leaving us to wonder why: no clause of its own
        start = sentence_at(item.text, item.target).start
    return start, entry.kept.end + (grown if entry.kept.end > item.target.start else 0)


def _clause(whole: Substitution, item: Item) -> tuple[int, int] | None:
    """Return the bounds of the clause that begins with the subject of the quote, or None if it cannot stand alone."""
    start = _subject(item)
    head = item.text[:start] if start is not None else ""
    if start is None or not _opens(head):
        return None
    end = _CLAUSE_END.search(whole.text, whole.span.end)
    stop = end.start() if end else len(whole.text)
    return start, _end_of_complement(whole, item, head, stop)


def _end_of_complement(whole: Substitution, item: Item, head: str, stop: int) -> int:
    """Return where a clause with that ends: before the next verb of its main clause (told Ann that he was ill and left)."""
    quote = item.question.strip().rstrip(".")
    form = item.target.of(item.text)
    if not re.search(r"\bthat\s+$", head) or not quote.lower().startswith(form.lower()):
        return stop
    quoted = whole.span.end + len(quote) - len(form)
    if whole.text[whole.span.end : quoted].lower() != quote[len(form) :].lower():
        return stop
    joined = _COORDINATED.match(whole.text, quoted)
    return quoted if joined and quoted < stop and joined["verb"].endswith("ed") else stop


def _subject(item: Item) -> int | None:
    """Return where the subject of the target's clause begins: the target, or a pronoun that opens the quote (we punished them)."""
    tables, form = english_tables(), item.target.of(item.text).lower()
    if form in tables.nominative:
        return item.target.start
    quote = item.question.strip().rstrip(".")
    if quote.split()[:1] and quote.split()[0].lower() in tables.subjects:
        start = item.text.lower().rfind(quote.lower(), 0, item.target.end + len(quote))
        return start if 0 <= start <= item.target.start else None
    possessed = form in tables.possessive and item.text[: item.target.start].strip()
    return item.target.start if possessed else None


def _opens(head: str) -> bool:
    """Return whether a clause that can stand alone begins after `head`: at a mark, or after a conjunction."""
    if head.rstrip()[-1:] in ("", ".", "!", "?", ";", ",", ":"):
        return True
    before = re.search(r"([\w'’-]+)\s*$", head)
    return before is not None and before[1].lower() in english_tables().openers


def _sentence(whole: Substitution) -> tuple[int, int]:
    """Return the bounds of the sentence, or of its last part with a subject of its own (…, so we couldn't use it)."""
    sentence = sentence_at(whole.text, whole.span)
    mark = _MARKS.search(whole.text, whole.span.end, sentence.end)
    end = mark.start() if mark else sentence.end
    starts = [match.end() for match in _JOINT.finditer(whole.text, sentence.start, whole.span.start)]
    own = [start for start in starts if _has_subject(whole.text[start : whole.span.start])]
    return (own[-1] if own else sentence.start), end


def _has_subject(words_before: str) -> bool:
    """Return whether words begin a clause of their own: a pronoun, there, a name or a noun phrase, or an adverbial of time."""
    tables = english_tables()
    first = re.match(r"[\w'’-]+", words_before)
    if first is None:
        return False
    word = first[0].lower()
    if word in _NEED_ANTECEDENT:
        return False
    return (
        word == "there"
        or word in tables.subjects
        or (word in english_tables().determiners and word not in tables.possessive)
    )
