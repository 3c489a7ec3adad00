"""English: candidates in the target's place, quotes turned into statements."""

import re

from ...core.model import Item, Span
from .base import GrammarError, Substitution, mere_substitution
from .english_nouns import noun_phrase, words
from .english_questions import statement

_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s+)[\"'“‘(]*$")
_SENTENCE_END = re.compile(r"[.!?](?=[\"'”’)]*(?:\s+[\"'“‘(]*[A-Z]|\s*$))")
#: What an expression follows without a blank: a blank, an opening bracket or quotation mark, a dash.
_OPEN_END = re.compile(r"[\s(\[“‘—-]$")
_CLAUSE_END = re.compile(r"[.!?;,](?=\s|$)|$")


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with the candidate in the target's place.

    `changes` are those of `noun_phrase` and: a possessor takes 's (``possessive``), a sentence begins with a capital
    (``capital``), a verb contracted with the pronoun is written out (``contraction``), and blanks set off an expression
    that has no pronoun to replace (``set-off``). Mandarinograd (LREC 2020), note 6.

    Raises:
        GrammarError: as `noun_phrase`; a contraction with two readings (he'd).
    """
    head, form, tail = item.text[: item.target.start], item.target.of(item.text), item.text[item.target.end :]
    phrase = noun_phrase(item, index)
    changes = list(phrase.changes)
    expression = phrase.text
    if not form:
        head += " " if head and not _OPEN_END.search(head) else ""
        tail = f" {tail}" if tail[:1].isalnum() else tail
        changes.append("set-off")
    if is_possessive(head, form, tail):
        expression = phrase.genitive()
        changes.append("possessive")
    contraction = re.match(r"['’](?:re|ve|ll|d)\b", tail)
    if contraction and contraction[0].replace("’", "'") in words().lists["ambiguous-contractions"]:
        raise GrammarError(
            f"[text] contraction with two readings; found {form + contraction[0]!r}, expected had or would"
        )
    if contraction:
        tail = words().contractions[contraction[0].replace("’", "'")] + tail[contraction.end() :]
        changes.append("contraction")
    if _SENTENCE_START.search(head) and not expression[0].isupper():
        expression = expression[0].upper() + expression[1:]
        changes.append("capital")
    text = f"{head}{expression}{tail}"
    if mere_substitution(item, index) == text:
        changes = []  # the candidate opens the sentence as before: lower-case and capital undo each other
    name = Span(len(head), len(head) + len(phrase.text))
    return Substitution(text, Span(len(head), len(head) + len(expression)), name, tuple(changes))


def is_possessive(head: str, form: str, tail: str) -> bool:
    """Return whether a pronoun is a possessor; her is one if a noun phrase may follow.

    Raises:
        GrammarError: her after a verb whose object may be she or what she owns (took her home, took her coat).
    """
    lists = words().lists
    if form.lower() in lists["independent"]:
        return True
    if form.lower() != "her":
        return form.lower() in lists["possessive"]
    after = re.match(r"\s+[\"'“‘(]*([\w'’-]+)(?:\s+([\w'’-]+))?", tail)
    if after is None or {after[1].lower(), f"{after[1]} {after[2]}".lower()} & lists["no-noun"]:
        return False
    before = re.search(r"([\w'’-]+)\s*$", head)
    if before and before[1].lower() in lists["her-verbs"]:
        raise GrammarError(f"[target] possessor or object; found {before[1]!r}, 'her', {after[1]!r}")
    return True


def hypothesis(item: Item, index: int) -> str:
    """Return a statement that is true if the candidate is the answer (LREC 2020, section 2.2, example 2).

    `statement` turns a question into it. A quote of the text, as in WSC's collection, gives its clause, or its whole
    sentence if the clause cannot stand alone (through it; the toaster he had bought).

    Raises:
        GrammarError: as `statement` and `substitute`; a quotation cut in two.
    """
    if item.question.rstrip().endswith("?"):
        return statement(item, index)
    whole = substitute(item, index)
    start, end = _clause(whole, item) or _sentence(whole)
    clause = whole.text[start:end].strip()
    if clause.count('"') % 2:
        raise GrammarError(f"[text] quotation cut in two; found {clause!r}")
    return f"{clause[0].upper()}{clause[1:]}."


def _clause(whole: Substitution, item: Item) -> tuple[int, int] | None:
    """Return the bounds of the clause that begins with the subject of the quote, or None if it cannot stand alone."""
    start = _subject(item)
    head = item.text[:start] if start is not None else ""
    if start is None or not _opens(head):
        return None
    end = _CLAUSE_END.search(whole.text, whole.span.end)
    return start, end.start() if end else len(whole.text)


def _subject(item: Item) -> int | None:
    """Return where the subject of the target's clause begins: the target, or a pronoun that opens the quote (we punished them)."""
    lists, form = words().lists, item.target.of(item.text).lower()
    if form in lists["nominative"]:
        return item.target.start
    quote = item.question.strip().rstrip(".")
    if quote.split()[:1] and quote.split()[0].lower() in lists["subjects"]:
        start = item.text.lower().rfind(quote.lower(), 0, item.target.end + len(quote))
        return start if 0 <= start <= item.target.start else None
    possessed = form in lists["possessive"] and item.text[: item.target.start].strip()
    return item.target.start if possessed else None


def _opens(head: str) -> bool:
    """Return whether a clause that can stand alone begins after `head`: at a mark, or after a conjunction."""
    if head.rstrip()[-1:] in ("", ".", "!", "?", ";", ",", ":"):
        return True
    before = re.search(r"([\w'’-]+)\s*$", head)
    return before is not None and before[1].lower() in words().lists["openers"]


def _sentence(whole: Substitution) -> tuple[int, int]:
    starts = [match.end() for match in _SENTENCE_END.finditer(whole.text, 0, whole.span.start)]
    end = _SENTENCE_END.search(whole.text, whole.span.end)
    return (starts[-1] if starts else 0), (end.start() if end else len(whole.text.rstrip()))
