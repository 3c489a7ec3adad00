"""Question tables, from rules/questions: the question words of a language and the anaphors that can answer them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..core.convert import AnyWords, Text, Words, convert_node, error_at
from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Span
from ..core.rules import RULES
from ..core.yamlfile import expression_at, line_of, load_yaml
from .segmentation import any_of


class _Question(msgspec.Struct, frozen=True):
    asks: Words
    answered_by: AnyWords


class _Table(msgspec.Struct, frozen=True):
    lang: Text
    pronouns: Words
    never: AnyWords
    questions: Annotated[
        tuple[_Question, ...], msgspec.Meta(min_length=1, description="a list of entries with asks and answered_by")
    ]
    proforms: AnyWords
    copulas: AnyWords
    particles: AnyWords
    connectives: AnyWords
    segmented: bool = True
    prefixes: AnyWords = ()
    determiners: AnyWords = ()
    by_gender: Words = ()
    attaches: AnyWords = ()
    may_attach: AnyWords = ()
    articles: AnyWords = ()


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
    #: The last word before a pronoun, a blank, and the pronoun, where they are written as one (qu' il); and where they may be.
    attaches: re.Pattern[str] = re.compile(r"(?!)")
    may_attach: re.Pattern[str] = re.compile(r"(?!)")
    #: Pronouns that are nearly always articles, unless they are marked as targets (le, la).
    articles: frozenset[str] = frozenset()

    def anaphors(self, text: str) -> list[Span]:
        """Return the spans of the third-person pronouns in `text`, in order."""
        return [Span(*match.span("pronoun")) for match in self.anaphor.finditer(text) if match["pronoun"]]

    def is_pronoun(self, form: str) -> bool:
        """Tell whether `form`, in upper or lower case, is a third-person pronoun of the language."""
        return form.lower() in self.pronouns


def _any_of(words: Sequence[str], *, whole_words: bool) -> str:
    longest_first = any_of(words) or r"(?!)"
    return rf"\b(?:{longest_first})\b" if whole_words else f"(?:{longest_first})"


def _compiled(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, alternatives)) or r"(?!)", re.IGNORECASE)


#: The codes of ISO 639-1.
_CODES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff "
    "fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks "
    "ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps "
    "pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz "
    "ve vi vo wa wo xh yi yo za zh zu"
)
#: Longer codes of languages that have a table; under these its rules would not be found.
_LONG_CODES = "chi cmn deu eng fra fre ger heb hun ita jpn por rus spa zho"


def is_language(code: str) -> bool:
    """Return whether a text is the code of a language: one that has a table, or another one of ISO 639, by its shortest code.

    >>> [is_language(code) for code in ("zh", "xh", "haw", "zh-CN", "cn", "eng", "")]
    [True, True, True, False, False, False, False]
    """
    longer = re.fullmatch("[a-z]{3}", code) is not None and code not in _LONG_CODES.split()
    return code in languages() or code in _CODES.split() or longer


def languages() -> list[str]:
    """Return the codes of the languages that have a table."""
    return list(_languages(RULES))


@cache
def _languages(rules: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (rules / "questions").glob("*.yaml")))


@cache
def question_table(lang: str) -> QuestionTable:
    """Return the table of `lang` (an ISO 639-1 code); raises `PipelineError` if it has none, or it is malformed."""
    if lang not in languages():
        raise PipelineError(
            None, None, f"[lang] no question table; found {lang!r}, expected one of {', '.join(languages())}"
        )
    path = RULES / "questions" / f"{lang}.yaml"
    node = load_yaml(path)
    table = convert_node(node, _Table, path)
    if table.lang != lang:
        reason = f"language is not the file's name; found {shown(table.lang)}, expected {lang!r}"
        raise error_at(node, path, ("lang",), reason)
    for index, form in enumerate(table.by_gender):
        _require_pronoun(form, table, node, path, ("by_gender", index))
    for key in ("proforms", "determiners", "attaches", "may_attach"):
        for index, text in enumerate(getattr(table, key)):
            expression_at(text, path, line_of(node[key], index), key)

    def any_of(words: Sequence[str]) -> str:
        return _any_of(words, whole_words=table.segmented)

    return QuestionTable(
        lang=lang,
        segmented=table.segmented,
        pronouns=frozenset(table.pronouns),
        anaphor=re.compile(f"{any_of(table.never)}|(?P<pronoun>{any_of(table.pronouns)})", re.IGNORECASE),
        question_words=tuple(_question_words(table, node, path)),
        proform=_compiled(*table.proforms, *table.determiners),
        determiner=_compiled(*table.determiners),
        copula=_compiled(any_of(table.copulas)),
        particles=_compiled(f"^(?:{any_of(table.particles)})+$"),
        connectives=_compiled(any_of(table.connectives)),
        prefix=_compiled(_any_of(table.prefixes, whole_words=False)),
        by_gender=frozenset(table.by_gender),
        attaches=_compiled(*table.attaches),
        may_attach=_compiled(*table.may_attach),
        articles=frozenset(table.articles),
    )


def _question_words(table: _Table, node: Any, path: Path) -> Iterator[QuestionWords]:
    lines: dict[str, int | None] = {}
    for number, (question, entry) in enumerate(zip(table.questions, node["questions"], strict=True)):
        for index, word in enumerate(question.asks):
            require_unique(lines, word, path, line_of(entry["asks"], index), "asks")
        for index, answer in enumerate(question.answered_by):
            _require_pronoun(answer, table, node, path, ("questions", number, "answered_by", index))
        words = _any_of(question.asks, whole_words=table.segmented)
        yield QuestionWords(_compiled(words), frozenset(question.answered_by))


def _require_pronoun(form: str, table: _Table, node: Any, path: Path, place: tuple[Any, ...]) -> None:
    if form not in table.pronouns:
        reason = f"[{place[-2]}] no pronoun of the table; found {shown(form)}, expected one of pronouns"
        raise error_at(node, path, place, reason)
