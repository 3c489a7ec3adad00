"""The suite `cloze`: what items with a gap for a pronoun must meet, alone or beside the other member of their pair."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from ...core.convert import Id, Text
from ...core.validation.rows import lang_of, records, text_of
from ...core.validation.rows import list_of as elements_of
from ...core.validation.suite import Row, Suite, Value, contract
from ...language.grammar.de import article_fault
from ...language.pronoun_classes import GAP, Gender, cloze_languages, is_gender, pronoun_classes
from ...language.text_checks import has_words
from ..pairs import difference

#: Key that the reader of rows adds: the other members of the item's schema.
MATES = "@mates"
#: How many characters may differ between the texts of two members, their gaps included.
_DIFFERENCE = 40


class _Antecedent(msgspec.Struct, frozen=True):
    text: Text
    gender: Gender


class _ClozeRow(msgspec.Struct, frozen=True):
    id: Id
    schema: Id
    lang: Literal["de", "en", "zh"]
    text: Text
    antecedents: tuple[_Antecedent, _Antecedent]
    gold: Literal[0, 1]
    pronoun: Text
    version: str = ""
    source: str = ""
    register: str = ""
    kind: str = ""
    question: str = ""
    gloss: str = ""
    note: str = ""


def cloze_items(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each cloze item; its value also has the other members of its schema in the same file."""
    rows = []
    for path in paths:
        members: dict[str, list[Row]] = defaultdict(list)
        own = records([path])
        for row in own:
            members[text_of(row.value, "schema")].append(row)
        for row in own:
            mates = [mate.value for mate in members[text_of(row.value, "schema")] if mate is not row]
            rows.append(replace(row, value={**row.value, MATES: mates}))
    return rows


def one_gap(value: Value) -> str:
    """The text has one gap: three low lines, and no other low line."""
    text = text_of(value)
    return "" if text.count("_") == len(GAP) and GAP in text else f"found {text!r}, expected {GAP} once"


def genders_differ(value: Value) -> str:
    """The antecedents differ in grammatical gender."""
    genders = _genders(value)
    return f"found {genders[0]} twice" if len(genders) == 2 and genders[0] == genders[1] else ""


def pronoun_of_gender(value: Value) -> str:
    """The pronoun is that of the gender of the right antecedent."""
    gold, genders = value.get("gold"), _genders(value)
    if type(gold) is not int or not 0 <= gold < len(genders):
        return ""
    if lang_of(value) not in cloze_languages():
        return ""
    expected, actual = pronoun_classes(lang_of(value)).pronouns[genders[gold]], text_of(value, "pronoun")
    return "" if actual in (expected, expected.capitalize()) else f"found {actual!r}, expected {expected!r}"


def article_of_gender(value: Value) -> str:
    """A German antecedent has an article that its gender allows in some case, or a preposition before it that contains one."""
    if lang_of(value) != "de":
        return ""
    faults = (article_fault(text_of(value), phrase, gender) for phrase, gender in _antecedents(value))
    return next(filter(None, faults), "")


def antecedents_named_once(value: Value) -> str:
    """The text names each antecedent once, in the order of the list."""
    text, phrases = text_of(value), [phrase for phrase, _ in _antecedents(value)]
    places = []
    for phrase in phrases:
        starts = [match.start() for match in re.finditer(rf"\b{re.escape(phrase)}\b", text)]
        if len(starts) != 1:
            return f"found {phrase!r} {len(starts)} times in {text!r}, expected it once"
        places += starts
    return "" if places == sorted(places) else f"found {', '.join(phrases)}, expected them in the order of {text!r}"


def one_pronoun(value: Value) -> str:
    """The text outside the gap has none of the pronouns to choose from."""
    if lang_of(value) not in cloze_languages():
        return ""
    pronouns = pronoun_classes(lang_of(value)).pronouns.values()
    other = next((word for word in re.findall(r"\w+", text_of(value)) if word.casefold() in pronouns), "")
    return f"found {other!r} in {text_of(value)!r}, expected no other target" if other else ""


def minimal_pair(value: Value) -> str:
    """The item has one mate, which has the same antecedents and, beside the gap, differs from it in one short stretch of words."""
    mates = elements_of(value, MATES, dict)
    if len(mates) != 1:
        return f"found {len(mates)} other members, expected one"
    if _antecedents(mates[0]) != _antecedents(value):
        return f"found other antecedents than in {text_of(mates[0], 'id')}"
    parts = difference(text_of(value), text_of(mates[0]))
    if not any(map(has_words, parts)):
        return f"found {parts[0]!r} and {parts[1]!r}, expected words that differ"
    if max(map(len, parts)) <= _DIFFERENCE:
        return ""
    return f"found {parts[0]!r} and {parts[1]!r}, expected at most {_DIFFERENCE} characters"


def answers_flip(value: Value) -> str:
    """The mate has the other antecedent as answer."""
    for mate in elements_of(value, MATES, dict):
        if mate.get("gold") == value.get("gold"):
            return f"found {value.get('gold')!r} in {text_of(mate, 'id')} too, expected the other antecedent"
    return ""


def _antecedents(value: Value) -> list[tuple[str, Gender]]:
    """Return text and gender of each well-formed antecedent."""
    entries = [(text_of(entry), entry.get("gender")) for entry in elements_of(value, "antecedents", dict)]
    return [(text, gender) for text, gender in entries if text and is_gender(gender)]


def _genders(value: Value) -> list[Gender]:
    return [gender for _, gender in _antecedents(value)]


CLOZE = Suite(
    "cloze",
    "cloze items with the genders of their antecedents (JSON Lines)",
    cloze_items,
    {
        "contract": contract("A cloze item", _ClozeRow, (MATES,)),
        "one-gap": one_gap,
        "genders-differ": genders_differ,
        "pronoun-of-gender": pronoun_of_gender,
        "article-of-gender": article_of_gender,
        "antecedents-named-once": antecedents_named_once,
        "one-pronoun": one_pronoun,
        "minimal-pair": minimal_pair,
        "answers-flip": answers_flip,
    },
)
