"""English: candidates in the target's place, quotes turned into statements."""

import re

from ...core.model import Item, Span
from .base import GrammarError, Substitution, mere_substitution
from .english_clauses import statement_of
from .english_nouns import english_tables, noun_phrase, singular_names
from .english_questions import statement

_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s+)[\"'“‘(]*$")
#: What an expression follows without a blank: a blank, an opening bracket or quotation mark, a dash.
_OPEN_END = re.compile(r"[\s(\[“‘—-]$")


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with the candidate in the target's place.

    `changes` are those of `noun_phrase` and: a possessor takes 's (``possessive``), a sentence begins with a capital
    (``capital``), a verb contracted with the pronoun is written out (``contraction``), and blanks set off an expression
    that has no pronoun to replace (``set-off``). The verb of they agrees with a name (``singular-verb``).
    Mandarinograd (LREC 2020), note 6.

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
    if contraction and contraction[0].replace("’", "'") in english_tables().ambiguous_contractions:
        raise GrammarError(
            f"[text] contraction with two readings; found {form + contraction[0]!r}, expected had or would"
        )
    if contraction:
        tail = english_tables().contractions[contraction[0].replace("’", "'")] + tail[contraction.end() :]
        changes.append("contraction")
    verb = re.match(r"\s+([\w'’]+)", tail)
    if (
        verb
        and form.lower() == "they"
        and verb[1].replace("’", "'") in english_tables().singular_verbs
        and singular_names(item)
    ):
        tail = f" {english_tables().singular_verbs[verb[1].replace('’', chr(39))]}{tail[verb.end() :]}"
        changes.append("singular-verb")
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
    tables = english_tables()
    if form.lower() in tables.independent:
        return True
    if form.lower() != "her":
        return form.lower() in tables.possessive
    after = re.match(r"\s+[\"'“‘(]*([\w'’-]+)(?:\s+([\w'’-]+))?", tail)
    if after is None or {after[1].lower(), f"{after[1]} {after[2]}".lower()} & tables.no_noun:
        return False
    before = re.search(r"([\w'’-]+)\s*$", head)
    if before and before[1].lower() in tables.her_verbs:
        raise GrammarError(f"[target] possessor or object; found {before[1]!r}, 'her', {after[1]!r}")
    return True


def hypothesis(item: Item, index: int) -> str:
    """Return a statement that is true if the candidate is the answer (LREC 2020, section 2.2, example 2).

    `statement` turns a question into it. A quote of the text, as in WSC's collection, gives its clause, or as much as its clause
    needs to stand alone (see `statement_of`). An elliptical possessor gets its noun (Tina's -> Tina's drawing), and a possessive
    without its antecedent becomes an article (his son -> the son).

    Raises:
        GrammarError: as `statement`, `statement_of` and `substitute`.
    """
    if item.question.rstrip().endswith("?"):
        return statement(item, index)
    return _with_article(_with_noun(statement_of(substitute(item, index), item), item, index), item, index)


def _with_noun(text: str, item: Item, index: int) -> str:
    """Return a statement about an elliptical possessor with the noun of the other candidate."""
    name = noun_phrase(item, index).text
    others = [other.partition("'s ")[2] for number, other in enumerate(item.candidates) if number != index]
    if not re.search(r"['’]s?$", name) or not others or not others[0]:
        return text
    return re.sub(rf"{re.escape(name)}(?=\s)", f"{name} {others[0]}", text, count=1)


def _with_article(text: str, item: Item, index: int) -> str:
    """Return a statement with the for the possessive of its candidate, if nothing before it is an antecedent."""
    first = noun_phrase(item, index).text.split()[0].lower()
    match = re.search(rf"\b{first}\b", text, re.IGNORECASE)
    if first not in english_tables().possessive or match is None:
        return text
    before = re.findall(r"[\w'’-]+", text[: match.start()])
    plain = english_tables().determiners.keys() | english_tables().prepositions | english_tables().openers
    if any(
        word.lower() in english_tables().pronouns or word[0].isupper() for word in before if word.lower() not in plain
    ):
        return text
    return f"{text[: match.start()]}{'The' if match[0][0].isupper() else 'the'}{text[match.end() :]}"
