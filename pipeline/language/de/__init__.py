"""German: derived forms, whose nouns have genders; no rule says where a pronoun may be left out."""

from ..grammar import Grammar
from ..language import Language
from . import grammar

GERMAN = Language("de", grammar=Grammar(grammar.substitute, grammar.hypothesis))
