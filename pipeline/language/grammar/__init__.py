"""Grammar for the derived forms: candidates in the target's place, questions as statements.

One module a language (`de`, `en`, `zh`), with the words in rules/grammar. Public: `grammar_of`, `Grammar`, `Genders`,
`GrammarError`, `Substitution`, `mere_substitution`.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from ...core.model import Item
from . import de, en, zh
from .base import Genders, Grammar, GrammarError, Substitution, mere_substitution

__all__ = ["GRAMMARS", "Genders", "Grammar", "GrammarError", "Substitution", "grammar_of", "mere_substitution"]

T = TypeVar("T")


def _whatever_gender(function: Callable[[Item, int], T]) -> Callable[[Item, int, Genders], T]:
    """Return a function of a language whose nouns have no gender."""
    return lambda item, index, _: function(item, index)


GRAMMARS: Mapping[str, Grammar] = {
    "de": Grammar(de.substitute, de.hypothesis),
    "en": Grammar(_whatever_gender(en.substitute), _whatever_gender(en.hypothesis)),
    "zh": Grammar(_whatever_gender(zh.substitute), _whatever_gender(zh.hypothesis)),
}


def grammar_of(lang: str) -> Grammar:
    """Return the grammar of a language; raises `GrammarError` if there is none."""
    if lang not in GRAMMARS:
        raise GrammarError(f"[lang] language without a grammar; found {lang!r}, expected one of {', '.join(GRAMMARS)}")
    return GRAMMARS[lang]
