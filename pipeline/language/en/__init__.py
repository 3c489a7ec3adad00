"""English: derived forms; no rule says where a pronoun may be left out."""

from ..grammar import Grammar
from ..language import Language
from . import grammar

ENGLISH = Language(
    "en",
    grammar=Grammar(
        lambda item, index, _: grammar.substitute(item, index), lambda item, index, _: grammar.hypothesis(item, index)
    ),
)
