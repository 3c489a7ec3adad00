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
_WORDS = ("no", "yes", "corrections", "judgements")
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
#: What keeps a shape from taking a negation for any other word.
_NO_NEGATION = r"(?!(?:not|no|never|hardly|nicht|nie|kaum)\b)"
#: What ends a clause; a question that a comparison is part of; a negation before a comparison in its sentence.
_CLAUSE_END = re.compile(r"[.,!?。;\n]")
_ASKED = re.compile(r"[^.!。\n;]*\?")
_NEGATED = re.compile(
    r"(?:\b(?:no|not|never|nobody|doubt|nicht|kaum|niemand|bezweifle)\b|n't\b|不(?!过)|[没并]非?[^.!?。\n;]{0,3}[觉认是])[^.!?。\n;,]*\Z",
    re.IGNORECASE,
)


class _Shapes(Struct, frozen=True):
    """The shapes of a language: those that say one option, that deny one, that say nothing; words of replies, corrections, judgements."""

    chosen: Words
    denied: Words
    open: Words
    no: Words
    yes: Words
    corrections: Words
    judgements: Words


class _Languages(Struct, frozen=True):
    en: _Shapes
    de: _Shapes
    zh: _Shapes


@cache
def shape_table() -> Mapping[str, Sequence[re.Pattern[str]]]:
    """Return the shapes of each kind in all languages, with groups x and y for the options; words of a kind are one pattern.

    Raises:
        PipelineError: the table is malformed, or has an entry that is no regular expression.
    """
    path = RULES / "answers" / "shapes.yaml"
    node = load_yaml(path)
    by_language = convert_node(node, _Languages, path)
    table: dict[str, list[re.Pattern[str]]] = {}
    for kind in keys_of(_Shapes):
        words: list[str] = []
        patterns: list[re.Pattern[str]] = []
        for language in keys_of(_Languages):
            for number, shape in enumerate(getattr(getattr(by_language, language), kind)):
                line = line_of(node[language][kind], number)
                expression_at(shape, path, line, kind)
                marked = re.sub(r"([XY])(?![A-Za-z])", lambda match: f"(?P<{match[1].lower()}>{_OPTION})", shape)
                marked = marked.replace(r"\w+", rf"{_NO_NEGATION}\w+")
                words.append(marked if language == "zh" or kind in _WORDS else rf"(?<![^\W\d_]){marked}")
                patterns.append(expression_at(words[-1], path, line, kind, re.IGNORECASE))
        if kind in _WORDS:  # two with the same group are not one pattern
            together = "|".join(sorted(words, key=len, reverse=True))
            patterns = [expression_at(together, path, line_of(node["en"], kind), kind, re.IGNORECASE)]
        table[kind] = patterns
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
    marked = _reply().sub(lambda match: _replied(match, names), marked)
    for pattern in (*shape_table()["open"], re.compile(_QUESTION)):
        rest = pattern.sub("", marked)
        if re.search(_OPTION, rest):
            marked = rest
        elif rest != marked and pattern.groupindex:
            return "both" if "y" in pattern.groupindex else "…"
    for pattern in shape_table()["chosen"]:
        marked = pattern.sub(lambda match: f"{match['x']}." if _chooses(match, names) else match[0], marked)
    for pattern in shape_table()["denied"]:
        marked = pattern.sub(lambda match: f" not {match['y']}.", marked)
    if marked == before:
        return text
    return re.sub(_OPTION, lambda match: names[match[0]], marked).strip(" ,;:–—-")


def _replied(match: re.Match[str], names: Mapping[str, str]) -> str:
    asked = set(re.findall(_OPTION, match["question"]))
    replies = len(asked) == 1 and _judges(match["question"], names)
    return f"{'' if match['yes'] else 'not '}{asked.pop()}. " if replies else match[0]


def _chooses(match: re.Match[str], names: Mapping[str, str]) -> bool:
    """Tell whether a shape is said of its options as answers, and neither asked nor denied."""
    text, end = match.string, match.end()
    clause = match[0] + _CLAUSE_END.split(text[end:], maxsplit=1)[0]
    is_said = not _ASKED.match(text, end) and not _NEGATED.search(text[: match.start()])
    return match["x"] != match["y"] and is_said and _judges(clause, names)


def _judges(text: str, names: Mapping[str, str]) -> bool:
    """Tell whether a text is about options as answers: by letter, alone, or with a word such as likely.

    "George is not as strong as Eric" is what a sentence tells of people with these names, and says nothing of the answer.
    """
    by_letter = any(re.fullmatch("[A-J]", names[sign]) for sign in re.findall(_OPTION, text))
    return (
        by_letter
        or not re.search(r"\w", re.sub(_OPTION, "", text))
        or bool(shape_table()["judgements"][0].search(text))
    )


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
