"""Checks of English wording that templates and the sentences made from them share: typing, names, the place of a pronoun."""

import re
from collections.abc import Sequence

from ..core.errors import shown
from ..language.pronouns import PronounTable

#: Personal pronouns that no set of the table has.
OTHER_PRONOUNS = frozenset(
    {"themselves", "theirselves", "hisself", "ze", "zir", "zirs", "hir", "hirs", "xyrself", "thon"}
)
#: Typing errors by what they are; a full stop may stand inside a word (p.m.) and three may follow each other.
_TYPOS = {
    "a blank too many": re.compile(r" {2,}|^\s|\s$| (?=[.,;:!?])"),
    "no blank after a mark": re.compile(r"[,;:!?](?=[A-Za-z$])|[a-z]\.(?=[A-Z$])"),
    "a mark too many": re.compile(r"(?<!\.)\.\.(?!\.)|[,;:!?][.,;:!?]|\.[,;:]$|(?<!\b[A-Za-z])\.[!?]|^[.,;:!?]"),
    "a word twice": re.compile(r"\b(\w+) \1\b", re.IGNORECASE),
    "a character that is not ASCII": re.compile("[^ -~]"),
    "a digit or a capital inside a word": re.compile(r"[a-z]\d+[a-z]|\b[a-z]{2,}[A-Z]"),
    "a placeholder inside a word": re.compile(r"\w\$|\$[A-Z_]+[a-z0-9]"),
    "no mark at the end": re.compile(r"""(?<![.!?])(?<![.!?]["'])$"""),
    "no capital at the beginning": re.compile("^[a-z]"),
}
_ARTICLE = re.compile(r"\b(an?) ([A-Za-z]+)", re.IGNORECASE)
#: Letters whose names begin with a vowel: an MRI.
_VOWEL_NAMES = "AEFHILMNORSX"
_NAME = re.compile("(?:[a-z]+|[A-Z]{2,})(?:[ '-](?:[a-z]+|[A-Z]{2,}))*")
#: Conjunctions that a subject follows, and no preposition has their form.
_CONJUNCTION = re.compile("because|although|though|while|when|whenever|if|unless|whether|once|that")
#: Verbs that follow a subject only.
_AUXILIARY = re.compile("(?:had|could|would|might|should|must|did|was|were|has|is)(?:n't)?")
#: Words that no subject has directly after it, and no noun begins with.
_NO_VERB = re.compile("to|an?|the|in|for|of|from|with|into|at|by|on|and|or")
_BEFORE = re.compile(r"([\w']*)\W*$")
_AFTER = re.compile(r"^(\W*)([\w']*)")
_WORDS = re.compile(r"[\w']+")


def typing_error(text: str, table: PronounTable) -> str:
    """Return the first typing error of a sentence or template with its place, or an empty string."""
    for what, pattern in _TYPOS.items():
        if match := pattern.search(text):
            return f"found {what} in {text[max(0, match.start() - 12) : match.end() + 4]!r}"
    for match in _ARTICLE.finditer(text):
        article, word = match.groups()
        spelt = word.isupper() and (
            word[0] in _VOWEL_NAMES or word[0] == "U"
        )  # an MRI, a UFO: either may be read as a word
        if not spelt and (article.lower() == "an") is not bool(table.an.search(word)):
            return f"found {match[0]!r}, expected {'a' if article.lower() == 'an' else 'an'} before {word!r}"
    return ""


def name_error(occupation: str, participant: str, table: PronounTable) -> str:
    """Return what is wrong with the names of the two entities, or an empty string."""
    pronouns = {form for entry in table.sets for form in entry.forms.values()}
    for name in (occupation, participant):
        if not _NAME.fullmatch(name):
            return f"found {shown(name)}, expected English words in small letters"
        if name in pronouns:
            return f"found the pronoun {shown(name)}, expected a noun"
    words = occupation.split(), participant.split()
    if occupation != participant and (set(words[0]) <= set(words[1]) or set(words[1]) <= set(words[0])):
        return f"found {shown(occupation)} and {shown(participant)}, expected no name inside the other"
    return ""


def misplaced_pronoun(before: str, after: str, case: str) -> str:
    """Return why a pronoun of a case cannot stand between two texts, or an empty string if it may.

    >>> misplaced_pronoun("He left because ", " had won.", "accusative")
    "found the accusative after 'because', expected the nominative"
    """
    previous = _BEFORE.search(before)
    following = _AFTER.search(after)
    word = previous[1].lower() if previous else ""
    mark, verb = (following[1].strip(), following[2].lower()) if following else ("", "")
    ends = bool(mark) or not verb
    if case in ("accusative", "reflexive") and _CONJUNCTION.fullmatch(word):
        return f"found the {case} after {word!r}, expected the nominative"
    if case == "nominative" and (ends or _NO_VERB.fullmatch(verb)):
        return f"found the nominative before {mark or verb!r}, expected a verb after it"
    if case == "possessive" and (ends or _NO_VERB.fullmatch(verb) or _AUXILIARY.fullmatch(verb)):
        return f"found the possessive before {mark or verb!r}, expected a noun after it"
    return ""


def is_shortened(text: str, short: str) -> bool:
    """Return whether a text has only words of a longer one, in their order.

    >>> is_shortened("paid the bill at last.", "paid at last."), is_shortened("paid the bill.", "paid the rent.")
    (True, False)
    """
    words = iter(_WORDS.findall(text.casefold()))
    return all(word in words for word in _WORDS.findall(short.casefold()))


def nearly_all(answers: Sequence[bool]) -> bool:
    """Return whether all are true but one in fifty; a single exception counts if there are ten or more."""
    return bool(answers) and answers.count(False) <= (max(1, len(answers) // 50) if len(answers) >= 10 else 0)
