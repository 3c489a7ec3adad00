"""Checks of the questions of items: they ask for a candidate, tell nothing, and belong to their text."""

import re

from ...core.validation.rows import candidates_of, lang_of, text_of
from ...core.validation.suite import Value
from ...language.questions import question_table
from ..pairs import difference
from ..question_words import ASKING, shares_characters, shares_words
from . import german_questions
from .collection import mates_of

#: What a question with 什么 may ask for besides a candidate: why, when, where, how.
_CIRCUMSTANCE = re.compile("为什么|什么时候|什么地方|什么样")
#: Question words of which a second one asks for the other candidate too.
_ASKED_ONCE = ("谁", "哪个", "哪一个")


def question_asks(value: Value) -> str:
    """A question asks for the target (谁, not 为什么; wer, not wen, for er), with 谁 or wer only once, and ends in its question mark."""
    question = text_of(value, "question")
    if lang_of(value) == "de" and question:
        return german_questions.asks(value)
    if lang_of(value) != "zh" or not question:
        return ""
    if not question.endswith("？"):
        return f"found {question!r}, expected a question mark at its end"
    if "？" in question[:-1]:
        return f"found {question!r}, expected one question"
    if twice := next((word for word in _ASKED_ONCE if question.count(word) > 1), ""):
        return f"found {twice} twice in {question!r}, expected one question"
    if _asks(question):
        return ""
    why = ": no form can turn alternatives into a statement" if "还是" in question else ""
    return f"found no question word for a candidate in {question!r}, expected one such as 谁{why}"


def _asks(question: str) -> bool:
    """Return whether a Chinese question, or a part of one, asks for a candidate."""
    rest = _CIRCUMSTANCE.sub("", question)
    return any(kind.words.search(rest) for kind in question_table("zh").question_words)


def question_hides_answer(value: Value) -> str:
    """A Chinese question does not name one candidate, except who says something or stands before 谁的; a German one tells no gender."""
    question = text_of(value, "question")
    if lang_of(value) == "de" and question:
        return german_questions.hides_answer(value)
    named = [name for name in candidates_of(value) if name and name in question]
    if len(named) != 1 or lang_of(value) != "zh":
        return ""
    other = next((name for name in candidates_of(value) if name != named[0]), "")
    name = re.escape(named[0])
    says = re.search(f"{name}[说讲问](.+)", question)
    possessor = re.match(f"(?:[这那][位个名])?{name}[^，]*谁的", question)
    if other in question or possessor or (says and _asks(says[1])):
        return ""
    return f"found {named[0]!r} in {question!r}, expected neither candidate"


def question_of_text(value: Value) -> str:
    """A Chinese or German question uses words of its text, not of another one, and does not repeat the whole text."""
    question, text = text_of(value, "question"), text_of(value)
    if lang_of(value) == "de" and question:
        return german_questions.of_text(value)
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
        return german_questions.of_member(value)
    for mate in mates_of(value) if lang_of(value) == "zh" and question else ():
        own, other = (part.strip("。，？！") for part in difference(text_of(value), text_of(mate)))
        if other and other in question and other not in text_of(value) and not (own and own in question):
            return f"found {other!r} of {text_of(mate, 'id')} in {question!r}, expected words of the own text"
    return ""
