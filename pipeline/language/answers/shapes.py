"""Shapes of sentences on options, which are data (rules/answers/shapes.yaml): comparisons, denials, questions with replies, corrections."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from ...core.convert import Words, convert_node, keys_of
from ...core.rules import RULES
from ...core.yamlfile import expression_at, line_of, load_yaml
from .mentions import Mention

#: The kinds whose entries stand between others in one pattern.
_WORDS = ("no", "yes", "corrections")
#: A character of Unicode's private area stands for each option in a shape; two shapes in a row have different options.
_FIRST = 0xE000
_OPTION = f"[{chr(_FIRST)}-{chr(_FIRST + 9)}]"
#: What may stand before an option and belongs to it, such as an article.
_BEFORE = re.compile(
    r"(?:选项|(?<![A-Za-z])(?:(?:the|der|die|das|den|dem)\s+)?(?:(?:option|choice|answer)\s+)?)$", re.IGNORECASE
)
#: A question about options, and what a correction takes back; a correction ends within some characters.
_QUESTION = rf"[^.!?。\n;]*{_OPTION}[^.!?。\n;]*\?"
_WHETHER = rf"[^.!?。\n;]*\b(?:whether|ob)\b[^.!?。\n;]*{_OPTION}[^.!?。\n;]*\."
_SHORT = 40


class _Shapes(Struct, frozen=True):
    """The shapes of a language: those that say one option, that deny one, that say nothing; replies, and what begins a correction."""

    chosen: Words
    denied: Words
    open: Words
    no: Words
    yes: Words
    corrections: Words


class _Languages(Struct, frozen=True):
    en: _Shapes
    de: _Shapes
    zh: _Shapes


@cache
def shape_table() -> Mapping[str, Sequence[re.Pattern[str]]]:
    """Return the shapes of each kind in all languages, with groups x and y for the options; replies and corrections are one pattern.

    Raises:
        PipelineError: the table is malformed, or has an entry that is no regular expression.
    """
    path = RULES / "answers" / "shapes.yaml"
    node = load_yaml(path)
    by_language = convert_node(node, _Languages, path)
    table: dict[str, list[re.Pattern[str]]] = {}
    for kind in keys_of(_Shapes):
        words: list[str] = []
        for language in keys_of(_Languages):
            for number, shape in enumerate(getattr(getattr(by_language, language), kind)):
                expression_at(shape, path, line_of(node[language][kind], number), kind)
                marked = re.sub(r"([XY])(?![A-Za-z])", lambda match: f"(?P<{match[1].lower()}>{_OPTION})", shape)
                words.append(marked if language == "zh" or kind in _WORDS else rf"(?<![^\W\d_]){marked}")
        sources = ["|".join(sorted(words, key=len, reverse=True))] if kind in _WORDS else words
        table[kind] = [re.compile(source, re.IGNORECASE) for source in sources]
    return table


def _words(kind: str) -> str:
    return shape_table()[kind][0].pattern


@cache
def _correction() -> re.Pattern[str]:
    return re.compile(
        rf"{_OPTION}\s*(?:[.。…]+|[-–—]+|,)\s*(?:h+m+[,. ]*)?(?:{_words('corrections')})(?:\s*[,:!.。–—-]+\s*|\s+)"
        rf"(?=[^;\n]{{1,{_SHORT}}}\Z)",
        re.IGNORECASE,
    )


@cache
def _reply() -> re.Pattern[str]:
    end = r"(?=[.,;!。\s–—-]|$)"
    return re.compile(
        rf"(?P<question>{_QUESTION}|{_WHETHER})\s*(?:(?P<no>{_words('no')})|(?P<yes>{_words('yes')})){end}[.,;!。\s]*",
        re.IGNORECASE,
    )


def in_plain(text: str, mentions: Iterable[Mention]) -> str:
    """Return a text with its shapes in plain words: the option that one chooses, "not" and the one that it denies, nothing for the others.

    A question that is repeated before an answer is left out. A text of which nothing on options would be left is returned as it is.

    Args:
        text: an answer in plain letters.
        mentions: the options that it names, by letter or name.
    """
    marked, names = _marked(text, mentions)
    if not names:
        return text
    before = marked
    if correction := _correction().search(marked):
        after = marked[correction.end() :]
        marked = after if re.search(_OPTION, after) else marked
    marked = _reply().sub(_replied, marked)
    for pattern in (*shape_table()["open"], re.compile(_QUESTION)):
        rest = pattern.sub("", marked)
        if re.search(_OPTION, rest):
            marked = rest
        elif rest != marked and "y" in pattern.groupindex:
            return "both"
    for pattern in shape_table()["chosen"]:
        marked = pattern.sub(lambda match: f"{match['x']}." if match["x"] != match["y"] else match[0], marked)
    for pattern in shape_table()["denied"]:
        marked = pattern.sub(lambda match: f" not {match['y']}.", marked)
    if marked == before:
        return text
    return re.sub(_OPTION, lambda match: names[match[0]], marked).strip(" ,;:–—-")


def _replied(match: re.Match[str]) -> str:
    asked = set(re.findall(_OPTION, match["question"]))
    return f"{'' if match['yes'] else 'not '}{asked.pop()}. " if len(asked) == 1 else match[0]


def _marked(text: str, mentions: Iterable[Mention]) -> tuple[str, dict[str, str]]:
    """Return a text with a sign for each option that it names, with its article, and what stands in the text for each sign."""
    pieces, end = [], 0
    names: dict[str, str] = {}
    for mention in sorted(mentions, key=lambda mention: mention.start):
        if mention.start >= end:
            sign = chr(_FIRST + mention.index)
            names.setdefault(sign, text[mention.start : mention.end].strip("()[]"))
            pieces += [_BEFORE.sub("", text[end : mention.start]), sign]
            end = mention.end
    return "".join([*pieces, text[end:]]), names
