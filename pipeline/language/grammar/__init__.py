"""What the derived forms must know of a language: one module a language, whose words stand in rules/grammar."""

from collections.abc import Mapping

from . import en, zh
from .base import Grammar

GRAMMARS: Mapping[str, Grammar] = {
    "en": Grammar(en.substitute, en.hypothesis),
    "zh": Grammar(zh.substitute, zh.hypothesis),
}
