"""Question tables, from rules/questions: the question words of a language and the anaphors that can answer them."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..core.errors import PipelineError
from ..core.model import Span
from ..core.rules import RULES
from ..core.yamlfile import load_yaml, require_mapping

_FIELDS = frozenset({"lang", "pronouns", "never", "questions", "proforms", "copulas", "particles", "connectives"})


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """Question words of one kind, and the pronouns that can answer them."""

    words: re.Pattern[str]
    answered_by: frozenset[str]


@dataclass(frozen=True, slots=True)
class QuestionTable:
    """Anaphors and question words of one language."""

    lang: str
    #: Whether blanks separate words, so that a zero can only be at the boundary of a word.
    segmented: bool
    pronouns: frozenset[str]
    anaphor: re.Pattern[str]
    question_words: tuple[QuestionWords, ...]
    proform: re.Pattern[str]
    #: Proforms that precede a noun (这个 in 这个名字).
    determiner: re.Pattern[str]
    copula: re.Pattern[str]
    particles: re.Pattern[str]
    connectives: re.Pattern[str]
    #: Verbal prefixes that a question separates from the verb (Hungarian el in Ki tévedt el?).
    prefix: re.Pattern[str]

    def anaphors(self, text: str) -> list[Span]:
        """Return the spans of the third-person pronouns in `text`, in order."""
        return [Span(*match.span("pronoun")) for match in self.anaphor.finditer(text) if match["pronoun"]]

    def is_pronoun(self, form: str) -> bool:
        """Tell whether `form`, in upper or lower case, is a third-person pronoun of the language."""
        return form.lower() in self.pronouns


def _any_of(words: list[str], *, whole_words: bool) -> str:
    longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"
    return rf"\b(?:{longest_first})\b" if whole_words else f"(?:{longest_first})"


def _expression(alternatives: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives) or r"(?!)", re.IGNORECASE)


def languages() -> list[str]:
    """Return the codes of the languages that have a table."""
    return sorted(path.stem for path in (RULES / "questions").glob("*.yaml"))


@cache
def question_table(lang: str) -> QuestionTable:
    """Return the table of `lang` (an ISO 639-1 code).

    Raises:
        PipelineError: the language has no table, or the table is malformed.
    """
    if lang not in languages():
        raise PipelineError(
            None, None, f"[lang] no question table; found {lang!r}, expected one of {', '.join(languages())}"
        )
    path = RULES / "questions" / f"{lang}.yaml"
    try:
        return _table(path)
    except (AttributeError, KeyError, TypeError, re.error) as error:
        raise PipelineError(path, None, f"[questions] malformed table; {error!r}") from error


def _table(path: Path) -> QuestionTable:
    node = require_mapping(
        load_yaml(path), path, required=_FIELDS, optional=frozenset({"segmented", "prefixes", "determiners"})
    )
    whole = bool(node.get("segmented", True))
    never, pronouns = _any_of(node["never"], whole_words=whole), _any_of(node["pronouns"], whole_words=whole)
    question_words = tuple(
        QuestionWords(
            re.compile(_any_of(entry["asks"], whole_words=whole), re.IGNORECASE),
            frozenset(entry["answered_by"]),
        )
        for entry in node["questions"]
    )
    return QuestionTable(
        lang=node["lang"],
        segmented=whole,
        pronouns=frozenset(node["pronouns"]),
        anaphor=re.compile(f"{never}|(?P<pronoun>{pronouns})", re.IGNORECASE),
        question_words=question_words,
        proform=_expression([*node["proforms"], *node.get("determiners", [])]),
        determiner=_expression(node.get("determiners", [])),
        copula=re.compile(_any_of(node["copulas"], whole_words=whole), re.IGNORECASE),
        particles=re.compile(rf"^(?:{_any_of(node['particles'], whole_words=whole)})+$", re.IGNORECASE),
        connectives=re.compile(_any_of(node["connectives"], whole_words=whole), re.IGNORECASE),
        prefix=re.compile(_any_of(node.get("prefixes", []), whole_words=False), re.IGNORECASE),
    )
