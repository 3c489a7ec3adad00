"""Mentions: where a text names the candidates of its item."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ..core.model import Item, Record, Span

#: The particle that a possessor's answer may carry (男人的 for 谁的肩膀？).
GENITIVE = "的"
#: The last vowels of a word that Hungarian endings make long (csésze, csészében).
_LONG = {"a": "á", "e": "é"}
#: A character of a script that separates words: a letter or digit, but no Chinese character or kana.
_LETTER = re.compile("[^\\W_\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def mentions(item: Record) -> Iterator[tuple[int, Span]]:
    """Yield (index of the candidate, span) for each place where the text names a candidate, in the order of the text."""
    places = [
        (Span(*match.span()), index)
        for index, candidate in enumerate(item.candidates)
        if candidate
        for match in re.finditer(re.escape(candidate), item.text)
    ]
    for span, index in sorted(places):
        yield index, span


def own_mentions(item: Record) -> tuple[tuple[Span, ...], ...]:
    """Return for each candidate the places that name it, and not a longer expression, in the order of the text.

    A place inside another candidate's mention does not count (羊 in 牧羊人), unless the candidate is named nowhere else (Joe
    in Joe的叔叔). Part of a word written in letters never counts (key in keyhole).
    """
    whole = [(index, span) for index, span in mentions(item) if not cuts_word(item.text, span)]
    outermost = _outermost({span for _, span in whole})
    places = []
    for candidate in range(len(item.candidates)):
        named = [span for index, span in whole if index == candidate]
        places.append(tuple([span for span in named if span in outermost] or named))
    return tuple(places)


def before_target(item: Item, candidate: int | None = None) -> list[Span]:
    """Return the mentions before the target, of one candidate or of all."""
    places = own_mentions(item)
    chosen = places if candidate is None else (places[candidate],)
    return [span for spans in chosen for span in spans if span.end <= item.target.start]


def _outermost(spans: Iterable[Span]) -> set[Span]:
    """Return the spans that are inside no other span."""
    outermost, reach = set[Span](), -1
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.end > reach:
            outermost.add(span)
            reach = span.end
    return outermost


def cuts_word(text: str, span: Span) -> bool:
    """Return whether a span begins or ends inside a word that is written in letters."""
    around = (text[max(0, at - 1) : at + 1] for at in (span.start, span.end))
    return any(len(_LETTER.findall(pair)) == 2 for pair in around)


def mentioned(answer: str, text: str) -> bool:
    """Return whether `text` names the answer: as it stands, or, if the source segments it, by its head.

    The last word of a Chinese noun phrase is its head, so that 抛接 西瓜 的 人 is named by 人. A possessor is named without its
    particle, or its 's. Capitals do not count, nor the length of a last a or e, which is long before a Hungarian ending.

    >>> mentioned("抛接 西瓜 的 人", "看到一个男人在抛接西瓜"), mentioned("The trophy", "put the trophy away")
    (True, True)
    >>> mentioned("Dong's", "Dong Weidong's diary"), mentioned("A csésze", "kávé a csészében"), mentioned("Müller", "Herr Muller")
    (True, True, False)
    """
    words = _plain(re.sub("['’]s$", "", answer).removesuffix(GENITIVE)).split()
    squeezed = "".join(_plain(text).split())
    names = ("".join(words), words[-1]) if words else ()
    return any(name in squeezed or name[:-1] + _LONG.get(name[-1], name[-1]) in squeezed for name in names)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())
