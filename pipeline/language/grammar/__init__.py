"""Grammar for the derived forms: candidates in the target's place, questions as statements.

One module a language (`en`, `zh`), with the words in rules/grammar. Public: `grammar_of`, `Grammar`, `GrammarError`,
`Substitution`, `mere_substitution`.
"""

from collections.abc import Mapping

from . import en, zh
from .base import Grammar, GrammarError, Substitution, mere_substitution

__all__ = ["GRAMMARS", "Grammar", "GrammarError", "Substitution", "grammar_of", "mere_substitution"]

GRAMMARS: Mapping[str, Grammar] = {
    "en": Grammar(en.substitute, en.hypothesis),
    "zh": Grammar(zh.substitute, zh.hypothesis),
}


def grammar_of(lang: str) -> Grammar:
    """Return the grammar of a language; raises `GrammarError` if there is none."""
    if lang not in GRAMMARS:
        raise GrammarError(f"[lang] language without a grammar; found {lang!r}, expected one of {', '.join(GRAMMARS)}")
    return GRAMMARS[lang]
