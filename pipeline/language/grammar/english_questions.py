"""English questions as statements: who and what, whose, where, with and without do."""

import re

from ...core.model import Item
from .base import GrammarError
from .english_nouns import english_tables, noun_phrase

_PARTS = re.compile(r"(?P<ask>who or what|whose|whom|who|what|which|where)\b\s*(?P<rest>.*)", re.IGNORECASE)
_DO = {"did": "VBD", "does": "VBZ", "do": "VB"}
_BE = frozenset({"is", "are", "was", "were"})
_PRONOUN_SUBJECTS = frozenset({"i", "we", "you", "they", "he", "she", "it"})


def statement(item: Item, index: int) -> str:
    """Return a question as a statement with the candidate as its answer.

    Raises:
        GrammarError: no question word; a subject, verb or preposition that cannot be determined.
    """
    question = item.question.strip().rstrip("?").strip()
    match = _PARTS.fullmatch(question)
    if match is None:
        raise GrammarError(f"[question] no question word at the start; found {item.question!r}, expected who, what, …")
    phrase = noun_phrase(item, index)
    ask, rest = match["ask"].lower(), match["rest"].split()
    if not rest:
        raise GrammarError(f"[question] only a question word; found {item.question!r}")
    if ask == "whose":
        statement_words = _whose(item, phrase.genitive(), rest)
    elif _auxiliary(rest[0]) and (ask == "where" or _is_inverted(rest)):
        statement_words = _turned(item, _placed(item, index) if ask == "where" else phrase.text, rest)
    elif ask == "where":
        raise GrammarError(f"[question] where without an auxiliary; found {item.question!r}")
    else:
        statement_words = [phrase.text, *rest]
    text = " ".join(statement_words)
    return f"{text[0].upper()}{text[1:]}."


def _auxiliary(word: str) -> str:
    """Return the auxiliary without its negation (can for can't), or nothing."""
    base = {"can't": "can", "won't": "will"}.get(word.lower(), word.lower().removesuffix("n't"))
    return base if base in english_tables().auxiliaries else ""


def _is_inverted(rest: list[str]) -> bool:
    """Return whether an auxiliary stands before its subject: who did …, whom can I …, who was Ann angry with."""
    auxiliary, *others = rest
    base = _auxiliary(auxiliary)
    if base in _DO:
        return bool(_verbs(others))  # none in: who did the work
    if (
        base in english_tables().modals
        and others
        and (others[0].lower() in english_tables().determiners or others[0][0].isupper())
    ):
        return True
    return bool(others) and (
        others[0].lower() in _PRONOUN_SUBJECTS
        or (len(others) > 1 and others[-1].lower() in english_tables().prepositions)
    )


def _whose(item: Item, genitive: str, rest: list[str]) -> list[str]:
    """Return the statement for whose, with the noun after the possessor: whose bishop did Tom move, whose dog barked."""
    for at, word in enumerate(rest):
        if _auxiliary(word):
            owned = [genitive, *rest[:at]]
            return _turned(item, " ".join(owned), rest[at:]) if at and _is_inverted(rest[at:]) else [*owned, *rest[at:]]
    return [genitive, *rest]


def _turned(item: Item, answer: str, rest: list[str]) -> list[str]:
    """Return the statement for an inverted question: subject, verb, answer."""
    auxiliary, *others = rest
    base = _auxiliary(auxiliary)
    if base not in _DO:
        at = len(others) if base in _BE and len(others) == 1 else _subject_of(item, others)
        return [*others[:at], auxiliary, *_answered(others[at:], answer)]
    at = _verb_of(item, others, _DO[base])
    if auxiliary.lower() != base:
        return [*others[:at], auxiliary, *_answered(others[at:], answer)]
    return [*others[:at], _inflected(others[at], _DO[base]), *_answered(others[at:], answer)[1:]]


def _answered(predicate: list[str], answer: str) -> list[str]:
    """Return the predicate with the answer after its stranded preposition or after its verb, or the answer alone."""
    if len(predicate) > 1 and predicate[-1].lower() in english_tables().prepositions:
        return [*predicate, answer]
    return [*predicate[:1], answer, *predicate[1:]]


def _subject_of(item: Item, others: list[str]) -> int:
    """Return the number of words of the subject, which must be a pronoun or a name."""
    name = len(others) > 1 and others[0][0].isupper() and not others[1][0].isupper()
    if others[0].lower() in _PRONOUN_SUBJECTS or name:
        return 1
    raise GrammarError(f"[question] unclear subject; found {item.question!r}, expected a pronoun or a name")


def _verb_of(item: Item, others: list[str], tag: str) -> int:
    """Return the index of the verb: the one whose inflected form is in the text, else the word after a pronoun or a name."""
    text_words = set(re.findall(r"[\w'’-]+", item.text.lower()))
    places = [
        at for at in range(1, len(others)) if _is_verb(others[at]) and _inflected(others[at], tag).lower() in text_words
    ]
    if len(places) == 1:
        return places[0]
    at = _subject_of(item, others)
    if not _is_verb(others[at]):
        raise GrammarError(f"[question] no verb after the subject; found {item.question!r}")
    return at


def _verbs(others: list[str]) -> list[int]:
    """Return the indices of possible verbs: not the first word, not after a determiner."""
    return [
        at
        for at in range(1, len(others))
        if _is_verb(others[at]) and others[at - 1].lower() not in english_tables().determiners
    ]


def _is_verb(word: str) -> bool:
    import lemminflect  # takes a second to load, and only questions with do need it

    return word.lower() in lemminflect.getAllLemmas(word.lower(), upos="VERB").get("VERB", ())


def _inflected(verb: str, tag: str) -> str:
    import lemminflect

    forms = lemminflect.getInflection(verb.lower(), tag)
    return str(forms[0]) if forms else verb


def _placed(item: Item, index: int) -> str:
    """Return a place with its preposition, taken from the candidate or from the text."""
    candidate = item.candidates[index]
    if candidate.split()[0].lower() in english_tables().prepositions:
        return candidate
    before = re.search(rf"([\w'’-]+)\s+{re.escape(candidate)}\b", item.text)
    if before and before[1].lower() in english_tables().prepositions:
        return f"{before[1]} {noun_phrase(item, index).text}"
    raise GrammarError(f"[candidates] place without a preposition; found {candidate!r}, expected one like in or at")
