"""The suites of cloze items: `cloze` (items with a gap, alone and beside their pair-mates), `balance`, `genders` and `fillers`."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Literal

import msgspec

from ...core.convert import Id, Text
from ...core.validation.rows import lang_of, list_of, records, text_of
from ...core.validation.rows import list_of as elements_of
from ...core.validation.suite import Row, Suite, Value, contract
from ...language.de.grammar import LexiconEntry, article_fault, gender_lexicon, judged_genders
from ...language.pronoun_classes import GAP, GENDERS, Gender, cloze_languages, is_gender, pronoun_classes
from ...language.text_checks import has_words
from ..cloze import OR, ClozeRow
from ..pairs import difference
from ..variety import uneven

#: Key that the reader of rows adds: the other members of the item's schema.
MATES = "@mates"
#: How many characters may differ between the texts of two members, their gaps included.
_DIFFERENCE = 40


class _ClozeRow(ClozeRow, frozen=True):
    id: Id
    schema: Id
    lang: Literal["de", "en", "zh"]


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


# --- balance --------------------------------------------------------------------------------------------------------------


#: How far the numbers of two levels may be apart: this share of the greater one, and at least so many.
_SHARE, _LEAST = 0.1, 2
_PLACES = ("first", "second")


def dimensions(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each dimension of each file, with the number of schemas or items of each level.

    ``genders`` (of the antecedents in their order) and ``register`` count schemas; ``pronoun``, ``place`` (of the right antecedent)
    and ``pronoun place`` count items. A level that could occur and does not counts 0; a collection without registers has no such row.
    """
    rows = []
    for path in paths:
        items = cloze_items([path])
        if not items:
            continue
        for name, counts in _counts([row.value for row in items]):
            rows.append(Row(name, path, items[0].line, {"counts": dict(counts)}))
    return rows


def _counts(items: Sequence[Value]) -> Iterator[tuple[str, Counter[str]]]:
    schemas = {text_of(item, "schema"): item for item in reversed(items)}.values()
    orders = [" ".join(genders) for item in schemas if len(set(genders := _genders(item))) == 2]
    yield "genders", _counted(map(" ".join, permutations(GENDERS, 2)), orders)
    if registers := [register for item in schemas if (register := text_of(item, "register"))]:
        yield "register", Counter(registers)
    answers = [
        (item["gold"], _genders(item)) for item in items if type(item.get("gold")) is int and item["gold"] in (0, 1)
    ]
    right = [(genders[gold], _PLACES[gold]) for gold, genders in answers if len(genders) == 2]
    yield "pronoun", _counted(GENDERS, [gender for gender, _ in right])
    yield "place", _counted(_PLACES, [place for _, place in right])
    yield "pronoun place", _counted(map(" ".join, product(GENDERS, _PLACES)), map(" ".join, right))


def _counted(levels: Iterable[str], values: Iterable[str]) -> Counter[str]:
    """Return how often each level occurs; a level that does not counts 0."""
    counts = Counter(dict.fromkeys(levels, 0))
    counts.update(values)
    return counts


def balanced(value: Value) -> str:
    """The levels are about equally frequent: two of them differ by a tenth of the greater one or by two."""
    return uneven(value["counts"], _SHARE, _LEAST)


BALANCE = Suite(
    "balance",
    "cloze items, counted by genders, register, pronoun and place (JSON Lines)",
    dimensions,
    {"balanced": balanced},
    unique=False,
)


# --- genders of nouns -----------------------------------------------------------------------------------------------------


#: Key that the reader of rows adds: what the lexicon has of the last word of each antecedent, in their order.
LEXICON = "@lexicon"


def antecedents(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each cloze item in German, with what the lexicon has of the nouns of its antecedents.

    Raises:
        PipelineError: the lexicon is not installed.
    """
    lexicon = gender_lexicon()
    rows = []
    for row in records(paths):
        if lang_of(row.value) == "de":
            nouns = [(text_of(entry).split() or [""])[-1] for entry in list_of(row.value, "antecedents", dict)]
            rows.append(replace(row, value={**row.value, LEXICON: [lexicon.entry(noun) for noun in nouns]}))
    return rows


def _nouns(value: Value) -> Iterator[tuple[str, str, LexiconEntry | None]]:
    """Yield phrase, gender and entry of the lexicon of each antecedent."""
    entries = list_of(value, "antecedents", dict)
    for entry, known in zip(entries, value[LEXICON], strict=False):
        yield text_of(entry), text_of(entry, "gender"), known


def noun_in_lexicon(value: Value) -> str:
    """The lexicon has the last word of each antecedent, or the last part of that compound; a name of a person is not checked."""
    phrase = next((phrase for phrase, _, known in _nouns(value) if known is None), None)
    return f"not checked; found {phrase!r}, which is not in the lexicon" if phrase is not None else ""


def gender_in_lexicon(value: Value) -> str:
    """The gender of each antecedent is one that the lexicon gives its noun."""
    for phrase, gender, known in _nouns(value):
        if known is not None and gender not in known.genders:
            return f"found {gender!r} of {phrase!r}, expected {' or '.join(sorted(known.genders))} of {known.noun!r}"
    return ""


def one_gender(value: Value) -> str:
    """The lexicon gives the noun of each antecedent one gender, or rules/grammar/de-genders.yaml says which one it is."""
    for phrase, gender, known in _nouns(value):
        if known is not None and len(known.genders) > 1 and judged_genders().get(known.noun) != gender:
            several = " and ".join(sorted(known.genders))
            return f"found {several} of {known.noun!r} in {phrase!r} ({gender}), expected one gender: take another noun"
    return ""


GENDERS_OF_NOUNS = Suite(
    "genders",
    "German cloze items, compared with the lexicon of the package german-nouns (JSON Lines)",
    antecedents,
    {"noun-in-lexicon": noun_in_lexicon, "gender-in-lexicon": gender_in_lexicon, "one-gender": one_gender},
)


# --- fillers --------------------------------------------------------------------------------------------------------------


class _Filler(msgspec.Struct, frozen=True):
    id: Id
    lang: Literal["de", "en", "zh"]
    register: str
    text: Text
    answer: Text
    antecedent: Text


def answer_of_antecedent(value: Value) -> str:
    """The answer is a pronoun of the gender that the article of the antecedent has in the nominative; or several, without an article."""
    if lang_of(value) not in cloze_languages():
        return ""
    table = pronoun_classes(lang_of(value))
    answer, (article, *noun) = text_of(value, "answer"), text_of(value, "antecedent").casefold().split() or [""]
    genders = [table.gender_of(word) for word in answer.split(OR)]
    if None in genders or len(set(genders)) < len(genders):
        several = f", or several of them with {OR} between them"
        return f"found {answer!r}, expected one of {', '.join(table.pronouns.values())}{several}"
    known = table.words().get(article) if noun else None
    return (
        f"found {answer!r}, expected {table.pronouns[known]!r} of {article!r}" if known and genders != [known] else ""
    )


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
