"""The words that Mandarin grammar needs, from rules/grammar/zh.yaml and rules/words/zh.yaml."""

import re
from dataclasses import dataclass
from functools import cache

import msgspec

from ...core.convert import AnyWords, Text, Words, WordSet, convert_node
from ...core.errors import PipelineError
from ...core.rules import RULES
from ...core.yamlfile import expression_at, line_of, load_yaml
from ..segmentation import any_of


class _Table(msgspec.Struct, frozen=True, rename="kebab"):
    asks: Words
    asks_nothing: Words
    which: Text
    particles: Words
    bare_kin: AnyWords
    reflexive: Text
    place_coverbs: WordSet
    leaning: WordSet
    dangling: WordSet
    determiners: Text
    says: Text
    hears: Words
    messages: Words
    sends_others: Words


@dataclass(frozen=True, slots=True)
class MandarinWords:
    """The tables of rules/grammar/zh.yaml, and from rules/words the kinship terms that take a possessor with 的."""

    asks: re.Pattern[str]
    particles: re.Pattern[str]
    kin: frozenset[str]
    reflexive: str
    place_coverbs: frozenset[str]
    leaning: frozenset[str]
    dangling: frozenset[str]
    determiner: re.Pattern[str]
    says: re.Pattern[str]
    hears: re.Pattern[str]
    message: re.Pattern[str]
    sends_others: re.Pattern[str]


@cache
def words() -> MandarinWords:
    """Return the tables; raises `PipelineError` if one is missing or malformed."""
    path = RULES / "grammar" / "zh.yaml"
    node = load_yaml(path)
    table = convert_node(node, _Table, path)
    asks, nothing, particles = map(any_of, (table.asks, table.asks_nothing, table.particles))
    expression_at(table.which, path, line_of(node, "which"), "which")
    lists = RULES / "words" / "zh.yaml"
    document = load_yaml(lists)
    if not isinstance(document, dict) or "kin" not in document:
        raise PipelineError(lists, None, "[kin] missing list; expected the kinship terms that take a possessor bare")
    return MandarinWords(
        asks=re.compile(f"(?:{nothing})|(?P<ask>{table.which}|{asks})"),
        particles=re.compile(f"(?:{particles})+$"),
        kin=convert_node(document["kin"], WordSet, lists) - {*table.bare_kin},
        reflexive=table.reflexive,
        place_coverbs=table.place_coverbs,
        leaning=table.leaning,
        dangling=table.dangling,
        determiner=expression_at(table.determiners, path, line_of(node, "determiners"), "determiners"),
        says=expression_at(table.says, path, line_of(node, "says"), "says"),
        hears=re.compile(f"(?:{any_of(table.hears)})$"),
        message=re.compile(f"(?P<how>{any_of(table.messages)})?给(?P<to>.+?)(?(how)|(?:{any_of(table.messages)}))"),
        sends_others=re.compile(any_of(table.sends_others)),
    )
