"""Words that stand twice in a row by mistake: "the the" in English, 的的 in Chinese."""

import re
from collections.abc import Iterable

#: A word twice in an English text; two names may be one (Bora Bora).
_ENGLISH = re.compile(r"\b([A-Za-z]+) (?-i:(?=[a-z]))\1\b", re.IGNORECASE)
#: English words that may follow themselves: what it is is clear, she gave her her book, a long long way.
_SOUND = frozenset(
    (
        *("had", "that", "is", "was", "do", "did", "in", "on"),
        *("her", "his", "you"),
        *(
            "very",
            "really",
            "so",
            "too",
            "many",
            "more",
            "much",
            "far",
            "long",
            "again",
            "never",
            "well",
            "no",
            "yes",
            "bye",
        ),
    )
)
#: 的 twice, and not in 目的的, 标的的, 的的确确.
_CHINESE = re.compile("(?<![目标之鹄])的的(?![确士])")


def check_doubled_words(texts: Iterable[str], lang: str) -> str:
    """Check that no English word stands twice in a row, except one that may, and no Chinese 的.

    >>> check_doubled_words(["The ox sank in the the mud."], "en")
    "found 'the the' in 'The ox sank in the the mud.', expected each word once"
    >>> check_doubled_words(["She gave her her book in Bora Bora."], "en")
    ''
    """
    pattern = _ENGLISH if lang == "en" else _CHINESE
    for text in texts if lang == "en" or lang.startswith("zh") else ():
        for match in pattern.finditer(text):
            if match[0].partition(" ")[0].lower() not in _SOUND:
                return f"found {match[0]!r} in {text!r}, expected each word once"
    return ""
