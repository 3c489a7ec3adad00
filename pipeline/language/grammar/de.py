"""German: candidates in the target's place, questions as statements."""

import re

from ...core.model import Item, Span
from ..questions import question_table
from ..text_checks import has_words
from .base import Genders, GrammarError, Substitution, clause_at, mere_substitution
from .german_nouns import nominative
from .german_words import german_words, has_word

#: The pronoun that the question words for a subject stand for, and no other question word.
_SUBJECT = "er"
_SENTENCE = ".!?;:"
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"“”’)]*\s+)[\"„»(]*$")


def substitute(item: Item, index: int, genders: Genders) -> Substitution:
    """Return the text with the candidate in the target's place, in the nominative.

    `changes` are those of `nominative` and: a sentence begins with a capital (``capital``). A pronoun and a noun phrase have
    the same place in a German clause, so that no other word moves.

    Raises:
        GrammarError: as `nominative`; the target is no subject.
    """
    subject_words(item)
    head, tail = item.text[: item.target.start], item.text[item.target.end :]
    expression, changes = nominative(item, index, genders)
    if _SENTENCE_START.search(head):
        expression, changes = capitalised(expression), (*changes, "capital")
    text = f"{head}{expression}{tail}"
    span = Span(len(head), len(head) + len(expression))
    return Substitution(text, span, span, () if text == mere_substitution(item, index) else changes)


def hypothesis(item: Item, index: int, genders: Genders) -> str:
    """Return the question as a statement: the candidate for the question word (LREC 2020, section 2.2, example 2).

    In a question for the subject the verb is the second constituent, as in a main clause, so that no word moves: Wer hatte
    Fieber? Der Schweißer hatte Fieber.

    Raises:
        GrammarError: as `nominative`; the question is not for the subject, or does not begin with its word; a word of the
            text leaves open whether the clause of the target is true, and the question does not say so.
    """
    rest = item.question.strip()[len(subject_words(item)) :].rstrip(" ?")
    if reason := _open_truth(item):
        raise GrammarError(reason)
    expression, _ = nominative(item, index, genders)
    return f"{capitalised(expression)}{rest}."


def capitalised(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def subject_words(item: Item) -> str:
    """Return the words that ask for the subject at the beginning of the question: wer, was, wer oder was.

    Raises:
        GrammarError: there are none; the target is no nominative pronoun; the question has another subject.
    """
    table = question_table("de")
    form = item.target.of(item.text)
    if form.lower() not in table.by_gender:
        expected = ", ".join(sorted(table.by_gender))
        raise GrammarError(f"[target] no pronoun in the nominative singular; found {form!r}, expected {expected}")
    asks = next(kind.words for kind in table.question_words if _SUBJECT in kind.answered_by)
    question = item.question.strip()
    words = asks.match(question)
    if words is None or not question.endswith("?") or not has_words(question[words.end() :]):
        raise GrammarError(
            f"[question] no question for the subject; found {item.question!r}, expected Wer …? or Was …?"
        )
    rest = question[words.end() :]
    other = next((match for kind in table.question_words if (match := kind.words.search(rest))), None)
    if other or any(has_word(rest, word) for word in german_words().lists["other-subjects"]):
        raise GrammarError(f"[question] not only for the subject; found {item.question!r}")
    return words[0]


def _open_truth(item: Item) -> str:
    """Return why a statement of the target's clause need not be true although the text is; empty if it must."""
    lists = german_words().lists
    sentence = clause_at(item.text, item.target, _SENTENCE).of(item.text)
    for words in lists["stated"]:
        sentence = re.sub(rf"\b{re.escape(words)}\b", "", sentence, flags=re.IGNORECASE)
    for word in sorted(lists["unstated"], key=lambda word: (-len(word), word)):
        if has_word(sentence, word):
            return f"[text] the clause is not said to be true; found {word!r}, expected a clause that the text asserts"
    for word in sorted(lists["hedges"]):
        if has_word(sentence, word) and not has_word(item.question, word):
            return (
                f"[question] a guess becomes a fact; found {word!r} in the text only, expected it in the question too"
            )
    verbs = sorted(lists["purpose-verbs"])
    for word in sorted(lists["purposes"]):
        if has_word(sentence, word) and not any(has_word(item.question, verb) for verb in verbs):
            return f"[question] a purpose becomes a fact; found {word!r} in the text, expected {' or '.join(verbs)} in the question"
    return ""
