"""The tables of rules/grammar/de.yaml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ...core.rules import RULES
from ...core.yamlfile import load_yaml, mapping_of, require_mapping, table_of, text_of, texts_of
from ..pronoun_classes import GENDERS, Gender

_BY_GENDER = ("articles", "contractions", "nominative")
_LISTS = (
    "strong",
    "strong-endings",
    "other-subjects",
    "stated",
    "unstated",
    "hedges",
    "purposes",
    "purpose-verbs",
)
_FIELDS = frozenset({*_BY_GENDER, *_LISTS, "weak"})


@dataclass(frozen=True, slots=True)
class GermanWords:
    """What the grammar of German knows of words; the file explains each table.

    Attributes:
        articles: articles of a singular noun in any case, by its gender, in lower case.
        contractions: prepositions that contain such an article.
        nominative: the definite article in the nominative.
        weak: nominatives of nouns by their form in the other cases.
        lists: the other tables by name.
    """

    articles: Mapping[Gender, frozenset[str]]
    contractions: Mapping[Gender, frozenset[str]]
    nominative: Mapping[Gender, str]
    weak: Mapping[str, str]
    lists: Mapping[str, frozenset[str]]


@cache
def german_words() -> GermanWords:
    """Return the tables; raises `PipelineError` if one is missing or malformed."""
    path = RULES / "grammar" / "de.yaml"
    node = require_mapping(load_yaml(path), path, required=_FIELDS)
    articles, contractions, nominative = (
        mapping_of(node, name, path, required=frozenset(GENDERS)) for name in _BY_GENDER
    )
    return GermanWords(
        articles={gender: frozenset(texts_of(articles, gender, path)) for gender in GENDERS},
        contractions={gender: frozenset(texts_of(contractions, gender, path)) for gender in GENDERS},
        nominative={gender: text_of(nominative, gender, path) for gender in GENDERS},
        weak=table_of(node, "weak", path),
        lists={name: frozenset(texts_of(node, name, path)) for name in _LISTS},
    )


def has_word(text: str, word: str) -> bool:
    """Return whether a text has a word or a sequence of words, in upper or lower case.

    >>> has_word("Sodass es ging", "so dass"), has_word("So dass es ging", "so dass")
    (False, True)
    """
    return re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None
