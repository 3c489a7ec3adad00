"""Compare the words of a question, or of a statement made of it, with the text it is about."""

import re

#: What of a question or of a hypothesis need not be in its text: question words, particles, marks.
ASKING = re.compile("谁|什么东西|什么|哪一个|哪个|哪|[的了？。，]")
#: Shares of characters and of pairs of characters; a statement with fewer in common with its text is about another one.
_CHARACTERS, _PAIRS = 0.6, 0.1
#: In languages with letters: how many letters of a word must be in the text, and the share of such words.
_BEGINNING, _WORDS = 4, 0.5
#: 哪 with its classifier and noun, as far as they go.
_WHICH = re.compile("哪(.{1,3})")
_CHINESE = re.compile("[\u3400-\u9fff]")
_LETTERS = re.compile(rf"[^\W\d_\u3400-\u9fff]{{{_BEGINNING},}}")


def shares_words(statement: str, text: str) -> bool:
    """Return whether a statement or question has more in common with a text than single characters, or half of its words."""
    characters = _CHINESE.findall(ASKING.sub("", statement))
    if not characters:
        words = [word[:_BEGINNING] for word in _LETTERS.findall(statement.casefold())]
        return sum(word in text.casefold() for word in words) >= _WORDS * len(words)
    pairs = _pairs(statement)
    return shares_characters(statement, text) or sum(pair in text for pair in pairs) >= max(1, _PAIRS * len(pairs))


def shares_characters(question: str, text: str) -> bool:
    """Return whether a text has most Chinese characters of a question, or the question has none.

    The noun of 哪 (哪只动物) says what kind of thing is asked for, and need not be in the text.

    >>> shares_characters("谁跳下去救人？", "幸好他被救了上来"), shares_characters("谁被救了上来？", "幸好他被救了上来")
    (False, True)
    """
    asked = _WHICH.sub(lambda match: "".join(filter(text.__contains__, match[1])), question)
    characters = _CHINESE.findall(ASKING.sub("", asked))
    return sum(character in text for character in characters) >= _CHARACTERS * len(characters)


def words_lost(question: str, before: str, after: str) -> list[str]:
    """Return what a question shares with a text, but no longer with the text that replaces it.

    In Chinese these are pairs of adjacent characters, in other languages words of four letters or more.

    >>> words_lost("船工赶紧跳下去救谁？", "船工跳下去救他。", "他被船工救了上来。")
    ['跳下', '下去', '去救']
    >>> words_lost("Who was asleep?", "The man was asleep.", "The man woke up.")
    ['asleep']
    """
    units = _pairs(question) or _LETTERS.findall(question.casefold())
    old, new = before.casefold(), after.casefold()
    return [unit for unit in dict.fromkeys(units) if unit in old and unit not in new]


def _pairs(statement: str) -> list[str]:
    parts = ASKING.sub(" ", statement).split()
    return [part[at : at + 2] for part in parts for at in range(len(part) - 1) if _CHINESE.search(part[at : at + 2])]
