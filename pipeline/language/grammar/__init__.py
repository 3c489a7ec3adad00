"""Grammar for the derived forms: candidates in the target's place, questions as statements.

What the modules `grammar` of the languages share; their words are in rules/grammar. Public: `Grammar`, `Genders`, `GrammarError`,
`Substitution`, `mere_substitution`.
"""

from .base import Genders, Grammar, GrammarError, Substitution, mere_substitution

__all__ = ["Genders", "Grammar", "GrammarError", "Substitution", "mere_substitution"]
