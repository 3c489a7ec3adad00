"""The suite `fillers`: what sentences with one antecedent and a gap for its pronoun must meet."""

from typing import Literal

import msgspec

from ...core.convert import Id, Text
from ...core.validation.rows import lang_of, records, text_of
from ...core.validation.suite import Suite, Value, contract
from ...language.pronoun_classes import cloze_languages, pronoun_classes
from .cloze import one_gap


class _Filler(msgspec.Struct, frozen=True):
    id: Id
    lang: Literal["de", "en", "zh"]
    register: str
    text: Text
    answer: Text
    antecedent: Text


def answer_of_antecedent(value: Value) -> str:
    """The answer is a pronoun of the gender that the article of the antecedent has in the nominative."""
    if lang_of(value) not in cloze_languages():
        return ""
    table = pronoun_classes(lang_of(value))
    answer, (article, *noun) = text_of(value, "answer"), text_of(value, "antecedent").casefold().split() or [""]
    gender = table.gender_of(answer)
    if gender is None:
        return f"found {answer!r}, expected one of {', '.join(table.pronouns.values())}"
    known = table.words().get(article) if noun else None
    return f"found {answer!r}, expected {table.pronouns[known]!r} of {article!r}" if known not in (None, gender) else ""


def antecedent_in_text(value: Value) -> str:
    """The text has the last word of the antecedent."""
    text, words = text_of(value), text_of(value, "antecedent").split()
    return f"found no {words[-1]!r} in {text!r}, expected it" if words and words[-1] not in text else ""


FILLERS = Suite(
    "fillers",
    "fillers of a cloze experiment (JSON Lines)",
    records,
    {
        "contract": contract("A filler", _Filler),
        "one-gap": one_gap,
        "answer-of-antecedent": answer_of_antecedent,
        "antecedent-in-text": antecedent_in_text,
    },
)
