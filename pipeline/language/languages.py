"""The table of languages: `language_of` returns what the stages need of one."""

from collections.abc import Mapping

from .de import GERMAN
from .en import ENGLISH
from .grammar import Grammar, GrammarError
from .ja import JAPANESE
from .language import Language
from .zh import CHINESE

#: A language is a line here, a folder beside this module, and its files in rules/ (see docs/adding.md, "Add a language").
LANGUAGES: Mapping[str, Language] = {language.code: language for language in (GERMAN, ENGLISH, JAPANESE, CHINESE)}


def language_of(code: str) -> Language:
    """Return the language of a code such as zh or zh-Hant-TW; one that is not in the table knows nothing but its code.

    >>> language_of("zh-Hant-TW").code, language_of("fr").spaced, language_of("ja").spaced
    ('zh', True, False)
    """
    return LANGUAGES.get(code.partition("-")[0]) or Language(code)


def grammar_of(code: str) -> Grammar:
    """Return the grammar of a language; raises `GrammarError` if there is none."""
    if (language := LANGUAGES.get(code)) is None or language.grammar is None:
        known = ", ".join(other.code for other in LANGUAGES.values() if other.grammar)
        raise GrammarError(f"[lang] language without a grammar; found {code!r}, expected one of {known}")
    return language.grammar


def parsed_languages() -> list[str]:
    """Return the codes of the languages that have a parser."""
    return [code for code, language in LANGUAGES.items() if language.parsers]
