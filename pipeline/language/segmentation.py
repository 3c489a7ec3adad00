"""Words of texts: of Chinese by Jieba, with their parts of speech, or by the Penn Chinese Treebank's standard; of English by spaCy."""

import functools
import importlib
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ..core.convert import AnyWords, Text, Words, WordSet, WordTable, convert_node, error_at
from ..core.errors import shown
from ..core.rules import RULES
from ..core.yamlfile import expression_at, line_of, load_yaml

if TYPE_CHECKING:
    from spacy.language import Language

#: The parts of speech of Jieba's dictionary.
TAGS = frozenset({
    "a", "ad", "ag", "an", "b", "c", "d", "df", "dg", "e", "f", "g", "h", "i", "j", "k", "l", "m", "mg", "mq", "n", "ng", "nr", "nrfg",
    "nrt", "ns", "nt", "nz", "o", "p", "q", "r", "rg", "rr", "rz", "s", "t", "tg", "u", "ud", "ug", "uj", "ul", "uv", "uz", "v", "vd",
    "vg", "vi", "vn", "vq", "x", "y", "z", "zg",
})  # fmt: skip
#: Stretches of letters and digits, which Jieba tags one by one.
_STRETCHES = re.compile("([\u4e00-\u9fd5a-zA-Z0-9+#&._]+)")
#: Maximum number of characters without a blank that the tokenizer is given at once: it takes quadratic time for them.
_LONGEST = 200


def jieba_module(name: str = "jieba") -> Any:
    """Import a module of Jieba, which takes most of a second, and keep it silent.

    It logs what it loads, and Python 3.12 and later warn of its patterns when they first compile them.
    """
    with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
        module = importlib.import_module(name)
    sys.modules["jieba"].setLogLevel(60)
    return module


@functools.cache
def _jieba() -> Any:
    made = jieba_module().Tokenizer()
    made.initialize()
    return made


def tokenizer() -> Any:
    """Return a new tokenizer of Jieba with a dictionary of its own, which may be changed."""
    made, loaded = jieba_module().Tokenizer(), _jieba()
    made.FREQ, made.total, made.initialized = dict(loaded.FREQ), loaded.total, True
    return made


@functools.cache
def _tags() -> dict[str, str]:
    with _jieba().get_dict_file() as file:  # jieba.posseg would read it twice
        lines = file.read().decode("utf-8").split("\n")
    return {word: tag for word, _, tag in (line.strip().split(" ") for line in lines if line.strip())}


def any_of(words: Iterable[str]) -> str:
    """Return the regular expression of any of some words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def cut(text: str) -> list[str]:
    """Return the words of `text` without the blanks."""
    return list(_words(text))


def first_word(text: str) -> str:
    """Return the first word of `text`, or an empty text; what follows its clause is not segmented."""
    return next(_words(text), "")


def _words(text: str) -> Iterator[str]:
    return (word for piece in text.split() for word in _jieba().cut(piece))


def tag_of(word: str) -> str:
    """Return the part of speech of a word in Jieba's dictionary (ICTCLAS letters, ``v`` for a verb), or ``x``."""
    return _tags().get(word, "x")


def tagged_words(text: str) -> list[tuple[str, str]]:
    """Return the words of a text with the parts of speech that Jieba's model gives them; ``nr`` is a person's name.

    >>> tagged_words("岳红走了")
    [('岳红', 'nr'), ('走', 'v'), ('了', 'ul')]
    """
    return [pair for stretch in _STRETCHES.split(text) for pair in _tagged_words(stretch)]


@functools.lru_cache(maxsize=4096)  # the members of a schema share most of their stretches
def _tagged_words(stretch: str) -> tuple[tuple[str, str], ...]:
    return tuple((pair.word, pair.flag) for pair in _tagger().cut(stretch))


@functools.cache
def _tagger() -> Any:
    tagger = jieba_module("jieba.posseg").POSTokenizer
    made = tagger.__new__(tagger)  # its __init__ would read the dictionary again
    made.tokenizer, made.word_tag_tab = _jieba(), _tags()
    return made


def inner_places(text: str) -> frozenset[int]:
    """Return the places of a text inside a word of Jieba's dictionary.

    >>> sorted(inner_places("对于海上的事"))
    [1, 3]
    """
    places, end = set[int](), 0
    for word in cut(text):
        start = text.index(word, end)
        end = start + len(word)
        if tag_of(word) != "x":
            places.update(range(start + 1, end))
    return frozenset(places)


def english_words(text: str) -> list[str]:
    """Return the words and marks of a text, without blanks.

    >>> english_words("He's sure he didn't.")
    ['He', "'s", 'sure', 'he', 'did', "n't", '.']
    """
    pieces = [piece[start : start + _LONGEST] for piece in text.split() for start in range(0, len(piece), _LONGEST)]
    return [token.text for piece in pieces for token in _english().tokenizer(piece)]


@functools.cache
def _english() -> "Language":
    from .spacy_parts import blank  # takes a second to load, and only English needs it

    return blank("en")


#: Maximum number of words that are compared with a string of `recut`.
_RECUT_WORDS = 4
#: The ways that 来 and 去 follow (出来, 下去).
_WAY = "上下进出回过起"
_WAYS = ("来", "去")
#: A mark of punctuation is no part of a word.
_PIECES = re.compile("[，。！？；：、…“”]|[^，。！？；：、…“”]+")
_HAN = re.compile("[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words that are divided into the groups of an expression if these have the `tags`, but not those that stay `whole`."""

    words: re.Pattern[str]
    tags: tuple[re.Pattern[str], ...]
    whole: frozenset[str]


class _Pattern(msgspec.Struct, frozen=True):
    words: Text
    tags: Text
    whole: AnyWords


class StandardTable(msgspec.Struct, frozen=True):
    """The table of rules/segmentation, which explains each part."""

    numerals: Words
    classifiers: Words
    patterns: Mapping[Text, _Pattern]
    recut: WordTable
    behind_number: WordSet
    add: Words
    results: WordSet
    possible: WordSet
    attributes: WordSet
    verbs: WordSet
    no_result: WordSet
    ambiguous: WordSet
    cases: Words


@dataclass(frozen=True, slots=True)
class WordStandard:
    """The table with its patterns compiled and its strings to `recut` in words; `number` matches a numeral or a determiner."""

    table: StandardTable
    patterns: tuple[Pattern, ...]
    number: re.Pattern[str]
    recut: Mapping[str, tuple[str, ...]]


@cache
def word_standard() -> WordStandard:
    """Return the table of rules/segmentation; raises `PipelineError` if it is malformed."""
    path = RULES / "segmentation" / "zh.yaml"
    node = load_yaml(path)
    table = convert_node(node, StandardTable, path)
    for word, parts in table.recut.items():
        if parts.replace(" ", "") != word:
            reason = f"other characters; found {shown(parts)}, expected the string in words"
            raise error_at(node, path, ("recut", word), reason)
    numeral, classifier = (f"(?:{any_of(texts)})" for texts in (table.numerals, table.classifiers))
    patterns = []
    for name, pattern in table.patterns.items():
        entry = node["patterns"][name]
        text = pattern.words.replace("{N}", numeral).replace("{M}", classifier).replace("{R}", any_of(table.results))
        words = expression_at(text, path, line_of(entry, "words"), "words")
        tags = [expression_at(tag, path, line_of(entry, "tags"), "tags") for tag in pattern.tags.split()]
        if len(tags) != words.groups:
            reason = f"wrong number; found {len(tags)}, expected one for each group of words ({words.groups})"
            raise error_at(node, path, ("patterns", name, "tags"), reason)
        patterns.append(Pattern(words, tuple(tags), frozenset(pattern.whole)))
    recut = {word: tuple(parts.split(" ")) for word, parts in table.recut.items()}
    return WordStandard(table, tuple(patterns), re.compile(f"[这那哪每各某好整]?{numeral}*"), recut)


def parts_of(word: str) -> list[str]:
    """Return the words that the standard divides a word of a dictionary into, or the word.

    >>> parts_of("太响"), parts_of("每个"), parts_of("一上午"), parts_of("太阳")
    (['太', '响'], ['每', '个'], ['一', '上午'], ['太阳'])
    """
    standard = word_standard()
    if word in standard.recut:
        return list(standard.recut[word])
    if len(word) < 2 or (len(word) == 2 and _reaches(*word)):
        return [word]
    for pattern in standard.patterns:
        match = pattern.words.fullmatch(word)
        if match is None or word in pattern.whole:
            continue
        groups = match.groups(default="")
        if all(tag.fullmatch(tag_of(group)) for tag, group in zip(pattern.tags, groups, strict=True) if group):
            return [part for group in groups if group for part in parts_of(group)]
    return [word]


def _reaches(verb: str, result: str) -> bool:
    """Return whether two characters are a verb and its result, which are one word."""
    standard = word_standard()
    return result in standard.table.results and _is_verb(verb)


def _is_verb(character: str) -> bool:
    standard = word_standard()
    if len(character) != 1 or character in standard.table.no_result:
        return False
    return character in standard.table.verbs or tag_of(character).startswith("v")


@cache
def _tokenizer() -> Any:
    """Return Jieba with the words that its dictionary lacks."""
    jieba = tokenizer()
    for word in word_standard().table.add:
        jieba.add_word(word)
    return jieba


def _cut(text: str) -> list[str]:
    """Return Jieba's words of a text, none of which the standard divides.

    A word that the standard divides is removed from the dictionary when it is met, as `del_word` does, so that the words beside it
    are right too (更|好看, not 更好|看): the best path without it is the one that a dictionary without any such word has.
    """
    jieba = _tokenizer()
    words = list(jieba.cut(text, HMM=False))
    while divided := [word for word in words if len(parts_of(word)) > 1]:
        jieba.FREQ.update(dict.fromkeys(divided, 0))
        words = list(jieba.cut(text, HMM=False))
    return words


def standard_words(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the words of a text without the blanks; each of the `names` is one word.

    >>> standard_words("苏明远没坐稳。", ["苏明远"])
    ['苏明远', '没', '坐稳', '。']
    """
    known = any_of(name for name in names if name)
    pieces = re.split(f"({known})(?!们)", text) if known else [text]
    words: list[str] = []
    for index, piece in enumerate(pieces):
        for stretch in piece.split():
            words += [stretch] if index % 2 else _joined(_cut(stretch))
    return words


def by_standard(words: Sequence[str], names: Iterable[str] = ()) -> list[str]:
    """Return the words of another segmentation, divided and joined as the standard does; the `names` stay as they are.

    >>> by_standard(["太快", "了"])
    ['太', '快', '了']
    """
    kept = set(names)
    pieces = [piece for word in words for piece in ([word] if word in kept else _PIECES.findall(word))]
    return _joined([part for piece in pieces for part in ([piece] if piece in kept else parts_of(piece))])


def _joined(words: Iterable[str]) -> list[str]:
    """Return the words with verbs joined to their results and 们 to its noun, numerals apart from nouns, and strings cut anew."""
    standard = word_standard()
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        if word in standard.table.behind_number and before and standard.number.fullmatch(before):
            joined += [word[0], word[1:]]
        elif before and _belong_together(joined, word):
            joined[-1] += word
        elif word in _WAYS and (parts := _of_way(before)):
            joined[-1:] = [*parts[:-1], parts[-1] + word]
        elif len(joined) > 1 and before == "不" and _is_possible(joined[-2], word):
            joined[-2:] = [joined[-2] + before + word]
        elif len(word) == 2 and word[0] == "不" and _is_possible(before, word[1]):
            joined[-1] += word
        elif len(word) == 2 and word[0] == "不" and _reaches(before, word[1]):
            joined += word
        else:
            joined.append(word)
    return _recut(joined)


def _belong_together(words: Sequence[str], word: str) -> bool:
    """Return whether a word is the result of the verb before it, 们 behind its noun, or a noun of one character behind 幼 or the like.

    A classifier is no verb: 几 截 碎壳.
    """
    before, standard = words[-1], word_standard()
    if _reaches(before, word):
        number = words[-2] if len(words) > 1 else ""
        return not (number and before in standard.table.classifiers and standard.number.fullmatch(number))
    if before in standard.table.attributes:
        return len(word) == 1 and tag_of(word).startswith("n")
    return word == "们" and _HAN.fullmatch(before) is not None


def _of_way(word: str) -> list[str]:
    """Return the verb, 不 if it has it, and the way of a word such as 退出 or 咽不下, or nothing."""
    parts = [word[:1], *(["不"] if word[1:2] == "不" else []), word[-1:]]
    return parts if "".join(parts) == word and parts[-1] in set(_WAY) and _is_verb(parts[0]) else []


def _is_possible(verb: str, result: str) -> bool:
    """Return whether a verb has a result with 不 only, with which it is one word (见不着, 开不了)."""
    return result in word_standard().table.possible and _is_verb(verb)


def _recut(words: list[str]) -> list[str]:
    """Return the words with each stretch of them that the table cuts otherwise cut as it says."""
    standard, cut = word_standard(), list[str]()
    start = 0
    while start < len(words):
        ends = range(min(start + _RECUT_WORDS, len(words)), start, -1)
        end = next((end for end in ends if "".join(words[start:end]) in standard.recut), start + 1)
        stretch = "".join(words[start:end])
        cut += standard.recut.get(stretch, (stretch,))
        start = end
    return cut
