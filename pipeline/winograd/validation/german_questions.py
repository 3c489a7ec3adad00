"""What a question about a German item must meet."""

import re
from collections.abc import Iterable

from ...core.validation.rows import candidates_of, span_of, text_of
from ...core.validation.suite import Value
from ...language.questions import question_table
from .collection import mates_of

#: How many letters of a word must be in the text, because endings differ, and the share of words; umlauts count as their vowels.
_BEGINNING, _WORDS = 4, 0.3
_UMLAUTS = str.maketrans("äöü", "aou")
#: Words that tell the gender of the one who is asked about.
_GENDERED = re.compile(r"(?i)\b(?:er|sie|es|ihn|ihm|(?:sein|ihr)(?:e[mnrs]?)?)\b")


def asks(value: Value) -> str:
    """Return why a question does not ask for the target: no or another case, two question words, no question mark at its end."""
    question = text_of(value, "question")
    if question.count("?") != 1 or not question.endswith("?"):
        return f"found {question!r}, expected one question mark, at its end"
    kinds = [kind for kind in question_table("de").question_words if kind.words.search(question)]
    words = [match[0] for kind in kinds for match in kind.words.finditer(question)]
    if len(words) != 1 or not kinds[0].answered_by:
        return f"found {', '.join(words) or 'no question word'} in {question!r}, expected one of wer, was, wen, wem, wessen"
    pronouns = [pronoun for pronoun in map(_pronoun, (value, *mates_of(value))) if pronoun]
    if not set(pronouns) <= question_table("de").by_gender:
        del pronouns[1:]
    unfit = next((pronoun for pronoun in pronouns if pronoun not in kinds[0].answered_by), "")
    return f"found {words[0]!r} for {unfit!r}, expected a question word of its case" if unfit else ""


def _pronoun(value: Value) -> str:
    """Return the target; sie and es may be accusatives, so that the pronoun of the other member tells the case."""
    span = span_of(value, "target")
    return span.of(text_of(value)).lower() if span else ""


def hides_answer(value: Value) -> str:
    """Return which words of a question tell the answer: the noun of a candidate, or a pronoun or possessive, which have genders."""
    question = text_of(value, "question")
    for name in candidates_of(value):
        nouns = [word for word in re.findall(r"\w+", name) if word[:1].isupper() and len(word) >= _BEGINNING]
        if named := next((noun for noun in nouns if re.search(rf"\b{re.escape(noun)}\b", question)), ""):
            return f"found {named!r} in {question!r}, expected neither candidate"
    gendered = _GENDERED.search(question)
    return f"found {gendered[0]!r} in {question!r}, expected no word that has a gender" if gendered else ""


def of_text(value: Value) -> str:
    """Return why a question is about another text: few of its words begin like words of the text."""
    question, text = text_of(value, "question"), text_of(value)
    words = _beginnings(question) - _beginnings("oder")
    shared = [word for word in words if word in text.lower().translate(_UMLAUTS)]
    if words and len(shared) >= _WORDS * len(words) and text.rstrip(".!?") not in question:
        return ""
    return f"found {question!r} for {text!r}, expected a question about this text"


def of_member(value: Value) -> str:
    """Return which words of a question only the text of the other member has."""
    asked, own = _beginnings(text_of(value, "question")), _beginnings(text_of(value))
    for mate in mates_of(value):
        other = _beginnings(text_of(mate))
        strange = sorted(asked & (other - own))
        if strange and not asked & (own - other):
            return f"found {strange[0]!r}… of {text_of(mate, 'id')} in {text_of(value, 'question')!r}, expected words of the own text"
    return ""


def _beginnings(text: str) -> set[str]:
    """Return the first letters of the words of a text that are long enough, umlauts as vowels."""
    return {word[:_BEGINNING] for word in _long_words(text.lower().translate(_UMLAUTS))}


def _long_words(text: str) -> Iterable[str]:
    return (word for word in re.findall(r"\w+", text) if len(word) >= _BEGINNING)
