"""Checks of the questions of items: they ask for a candidate, tell nothing, and belong to their text."""

import re

from ...core.validation.rows import candidates_of, lang_of, span_of, text_of
from ...core.validation.suite import Value
from ...language.questions import QuestionWords, question_table
from ..pairs import difference
from ..question_words import ASKING, shares_characters, shares_words
from .collection import mates_of

#: What a question with 什么 may ask for besides a candidate: why, when, where, how.
_CIRCUMSTANCE = re.compile("为什么|什么时候|什么地方|什么样")
#: Question words that ask for no person.
_PLACE = re.compile("哪里|哪儿")
#: Question words of which a second one asks for the other candidate too.
_ASKED_ONCE = ("谁", "哪个", "哪一个")


def question_asks(value: Value) -> str:
    """A question asks for the target (谁, not 为什么, nor 什么 for a person; wer, not wen, for er) only once, and ends in its mark."""
    question = text_of(value, "question")
    if lang_of(value) == "de" and question:
        return _asks_in_german(value)
    if lang_of(value) != "zh" or not question:
        return ""
    if not question.endswith("？"):
        return f"found {question!r}, expected a question mark at its end"
    if "？" in question[:-1]:
        return f"found {question!r}, expected one question"
    if twice := next((word for word in _ASKED_ONCE if question.count(word) > 1), ""):
        return f"found {twice} twice in {question!r}, expected one question"
    if kinds := _kinds(question):
        pronoun = _pronoun(value)
        asked = _kinds(_PLACE.sub("", question) if pronoun[:1] in ("他", "她") else question)
        unfit = all(kind.answered_by and pronoun not in kind.answered_by for kind in asked)
        word = kinds[0].words.search(_CIRCUMSTANCE.sub("", question))
        return f"found {word[0]!r} for {pronoun!r} in {question!r}, expected 谁" if pronoun and unfit and word else ""
    why = ": no form can turn alternatives into a statement" if "还是" in question else ""
    return f"found no question word for a candidate in {question!r}, expected one such as 谁{why}"


def _kinds(question: str) -> list[QuestionWords]:
    """Return the question words by which a Chinese question, or a part of one, asks for a candidate."""
    rest = _CIRCUMSTANCE.sub("", question)
    return [kind for kind in question_table("zh").question_words if kind.words.search(rest)]


def question_hides_answer(value: Value) -> str:
    """A Chinese question does not name one candidate, except who says something or stands before 谁的; a German one tells no gender."""
    question = text_of(value, "question")
    if lang_of(value) == "de" and question:
        return _hides_in_german(value)
    named = [name for name in candidates_of(value) if name and name in question]
    if len(named) != 1 or lang_of(value) != "zh":
        return ""
    other = next((name for name in candidates_of(value) if name != named[0]), "")
    name = re.escape(named[0])
    says = re.search(f"{name}[说讲问](.+)", question)
    possessor = re.match(f"(?:[这那][位个名])?{name}[^，]*谁的", question)
    if other in question or possessor or (says and _kinds(says[1])):
        return ""
    return f"found {named[0]!r} in {question!r}, expected neither candidate"


def question_of_text(value: Value) -> str:
    """A Chinese or German question uses words of its text, not of another one, and does not repeat the whole text."""
    question, text = text_of(value, "question"), text_of(value)
    if lang_of(value) == "de" and question:
        return _german_of_text(value)
    if lang_of(value) != "zh" or not question:
        return ""
    if not any(map(str.isalnum, ASKING.sub("", question))) or text.rstrip("。！？") in question:
        return f"found {question!r} for {text!r}, expected some words of it"
    if shares_words(question, text) and shares_characters(question, text):
        return ""
    return f"found {question!r} for {text!r}, expected a question about this text"


def question_of_member(value: Value) -> str:
    """A Chinese or German question has no words that only the text of the other member has."""
    question = text_of(value, "question")
    if lang_of(value) == "de" and question:
        return _german_of_member(value)
    for mate in mates_of(value) if lang_of(value) == "zh" and question else ():
        own, other = (part.strip("。，？！") for part in difference(text_of(value), text_of(mate)))
        if other and other in question and other not in text_of(value) and not (own and own in question):
            return f"found {other!r} of {text_of(mate, 'id')} in {question!r}, expected words of the own text"
    return ""


# --- German ---------------------------------------------------------------------------------------------------------------


#: How many letters of a word must be in the text, because endings differ, and the share of words; umlauts count as their vowels.
_BEGINNING, _WORDS = 4, 0.3
_UMLAUTS = str.maketrans("äöü", "aou")
#: Words that tell the gender of the one who is asked about.
_GENDERED = re.compile(r"(?i)\b(?:er|sie|es|ihn|ihm|(?:sein|ihr)(?:e[mnrs]?)?)\b")


def _asks_in_german(value: Value) -> str:
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


def _hides_in_german(value: Value) -> str:
    """Return which words of a question tell the answer: the noun of a candidate, or a pronoun or possessive, which have genders."""
    question = text_of(value, "question")
    for name in candidates_of(value):
        nouns = [word for word in re.findall(r"\w+", name) if word[:1].isupper() and len(word) >= _BEGINNING]
        if named := next((noun for noun in nouns if re.search(rf"\b{re.escape(noun)}\b", question)), ""):
            return f"found {named!r} in {question!r}, expected neither candidate"
    gendered = _GENDERED.search(question)
    return f"found {gendered[0]!r} in {question!r}, expected no word that has a gender" if gendered else ""


def _german_of_text(value: Value) -> str:
    """Return why a question is about another text: few of its words begin like words of the text."""
    question, text = text_of(value, "question"), text_of(value)
    words = _beginnings(question) - _beginnings("oder")
    shared = [word for word in words if word in text.lower().translate(_UMLAUTS)]
    if words and len(shared) >= _WORDS * len(words) and text.rstrip(".!?") not in question:
        return ""
    return f"found {question!r} for {text!r}, expected a question about this text"


def _german_of_member(value: Value) -> str:
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
    words = re.findall(r"\w+", text.lower().translate(_UMLAUTS))
    return {word[:_BEGINNING] for word in words if len(word) >= _BEGINNING}
