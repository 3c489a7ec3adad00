"""Question tables, from rules/questions: the question words of a language and the anaphors that can answer them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Span
from ..core.rules import RULES
from ..core.yamlfile import expression_at, flag_of, line_of, load_yaml, mapping_of, require_mapping, texts_of

_FIELDS = frozenset({"lang", "pronouns", "never", "questions", "proforms", "copulas", "particles", "connectives"})
#: The lists of words, which may be empty.
_LISTS = ("never", "copulas", "particles", "connectives", "prefixes")


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
    #: Nominative singular pronouns, one for each grammatical gender: the members of a pair may have different ones.
    by_gender: frozenset[str] = frozenset()

    def anaphors(self, text: str) -> list[Span]:
        """Return the spans of the third-person pronouns in `text`, in order."""
        return [Span(*match.span("pronoun")) for match in self.anaphor.finditer(text) if match["pronoun"]]

    def is_pronoun(self, form: str) -> bool:
        """Tell whether `form`, in upper or lower case, is a third-person pronoun of the language."""
        return form.lower() in self.pronouns


def _any_of(words: list[str], *, whole_words: bool) -> str:
    longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"
    return rf"\b(?:{longest_first})\b" if whole_words else f"(?:{longest_first})"


def _expression(node: Any, key: str, path: Path) -> str:
    """Return the alternatives of a list of regular expressions, empty if there is no such list."""
    if key not in node:
        return ""
    alternatives = texts_of(node, key, path, empty=True)
    for index, text in enumerate(alternatives):
        expression_at(text, path, line_of(node[key], index), key)
    return "|".join(alternatives)


def _compiled(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, alternatives)) or r"(?!)", re.IGNORECASE)


def languages() -> list[str]:
    """Return the codes of the languages that have a table."""
    return list(_languages(RULES))


@cache
def _languages(rules: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (rules / "questions").glob("*.yaml")))


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
    return _table(path)


def _table(path: Path) -> QuestionTable:
    node = require_mapping(
        load_yaml(path),
        path,
        required=_FIELDS,
        optional=frozenset({"segmented", "prefixes", "determiners", "by_gender"}),
    )
    if node["lang"] != path.stem:
        reason = f"[lang] language is not the file's name; found {shown(node['lang'])}, expected {path.stem!r}"
        raise PipelineError(path, line_of(node, "lang"), reason)
    whole = flag_of(node, "segmented", path, default=True)
    words = {name: texts_of(node, name, path, empty=True) for name in _LISTS if name in node}
    pronouns = texts_of(node, "pronouns", path)
    by_gender = texts_of(node, "by_gender", path) if "by_gender" in node else []
    for index, form in enumerate(by_gender):
        if form not in pronouns:
            reason = f"[by_gender] no pronoun of the table; found {shown(form)}, expected one of pronouns"
            raise PipelineError(path, line_of(node["by_gender"], index), reason)
    determiners = _expression(node, "determiners", path)

    def expression(name: str, form: str = "{}") -> re.Pattern[str]:
        return re.compile(form.format(_any_of(words[name], whole_words=whole)), re.IGNORECASE)

    never = _any_of(words["never"], whole_words=whole)
    return QuestionTable(
        lang=path.stem,
        segmented=whole,
        pronouns=frozenset(pronouns),
        anaphor=re.compile(f"{never}|(?P<pronoun>{_any_of(pronouns, whole_words=whole)})", re.IGNORECASE),
        question_words=tuple(_question_words(node, path, frozenset(pronouns), whole_words=whole)),
        proform=_compiled(_expression(node, "proforms", path), determiners),
        determiner=_compiled(determiners),
        copula=expression("copulas"),
        particles=expression("particles", "^(?:{})+$"),
        connectives=expression("connectives"),
        prefix=re.compile(_any_of(words.get("prefixes", []), whole_words=False), re.IGNORECASE),
        by_gender=frozenset(by_gender),
    )


def _question_words(node: Any, path: Path, pronouns: frozenset[str], *, whole_words: bool) -> Iterator[QuestionWords]:
    entries = node["questions"]
    if not isinstance(entries, list) or not entries:
        reason = "[questions] no question words; expected a list of entries with asks and answered_by"
        raise PipelineError(path, line_of(node, "questions"), reason)
    lines: dict[str, int | None] = {}
    for index in range(len(entries)):
        entry = mapping_of(entries, index, path, required=frozenset({"asks", "answered_by"}))
        asks, answers = texts_of(entry, "asks", path), texts_of(entry, "answered_by", path, empty=True)
        for number, word in enumerate(asks):
            require_unique(lines, word, path, line_of(entry["asks"], number), "asks")
        for number, answer in enumerate(answers):
            if answer not in pronouns:
                reason = f"[answered_by] no pronoun of the table; found {shown(answer)}, expected one of pronouns"
                raise PipelineError(path, line_of(entry["answered_by"], number), reason)
        yield QuestionWords(re.compile(_any_of(asks, whole_words=whole_words), re.IGNORECASE), frozenset(answers))
