"""A dump made of words of our prose, whose pages have the markup, the lengths and the kinds of Wikipedia's."""

import bz2
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

from opencc import OpenCC

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="zh">\n  <siteinfo>\n'
    '    <sitename>Wikipedia</sitename>\n    <dbname>zhwiki</dbname>\n    <namespaces>\n      <namespace key="0" case="first-letter" />\n'
    '      <namespace key="6" case="first-letter">File</namespace>\n      <namespace key="10" case="first-letter">Template</namespace>\n'
    '      <namespace key="14" case="first-letter">Category</namespace>\n    </namespaces>\n  </siteinfo>\n'
)
TAIL = "</mediawiki>\n"
#: Number of sentences to draw from: several blocks of bzip2, so that it does not find them again.
_SENTENCES = 30_000
#: Number of pages of a stream, as in Wikimedia's dumps.
_TOGETHER = 100
#: A reference as articles have it.
_CITE = "{{{{cite web |url=http://www.example.org/{0} |title={1} |author={2} |date=2019-0{3}-17 |publisher=[[{2}]] |language=zh}}}}"


@dataclass(frozen=True)
class Words:
    """The words of a dump, each with a weight, and those that only the pages in want of a term have."""

    ranked: Sequence[str]  # without terms
    terms: Sequence[str]


class Writer:
    """Writes pages, the same for the same seed."""

    def __init__(self, words: Words, needed: float, seed: int, sentences: int) -> None:
        self._random = Random(seed)
        self._ranked, self._terms, self._needed = words.ranked, words.terms, needed
        self._odds = list(accumulate(1 / rank for rank in range(1, len(self._ranked) + 1)))
        self._sentences = [self._sentence() for _ in range(sentences)]
        traditional = OpenCC("s2t")
        self._traditional = [traditional.convert(sentence) for sentence in self._sentences[: sentences // 10]]

    def pages(self) -> Iterator[str]:
        """Yield pages without end: of ten, five are articles, three redirects, two in other namespaces; one in fifty lists articles."""
        number = 0
        while True:
            number += 1
            title = f"{''.join(self._words(2))}{number}"
            kind = self._random.random()
            if kind < 0.3:
                yield self._page(title, f"#重定向 [[{''.join(self._words(2))}]]", 0, number, redirect=True)
            elif kind < 0.5:
                yield self._page(f"Template:{title}", self._infobox() + "<noinclude>{{doc}}</noinclude>", 10, number)
            elif kind < 0.52:
                yield self._page(title, f"'''{title}'''可以指：\n* [[{title}]]\n{{{{disambig}}}}", 0, number)
            else:
                yield self._page(title, self._article(title), 0, number)

    def _length(self, median: float, spread: float) -> float:
        return self._random.lognormvariate(math.log(median), spread)

    def _words(self, count: int) -> list[str]:
        """Return words by Zipf's law, without a term, however they follow each other."""
        while True:
            words = self._random.choices(self._ranked, cum_weights=self._odds, k=count)
            text = "".join(words)
            if not any(term in text for term in self._terms):
                return words

    def _sentence(self) -> str:
        """Return a sentence of about 25 words; one word in ten is a link, one sentence in four has a reference."""
        random, words = self._random, self._words(max(round(self._length(22, 0.5)), 4))
        for place, word in enumerate(words):
            chance = random.random()
            if chance < 0.05:
                words[place] = f"[[{word}]]"
            elif chance < 0.1:
                words[place] = f"[[{''.join(self._words(2))}|{word}]]"
            elif chance < 0.11:
                words[place] = f"'''{word}'''"
            elif chance < 0.2:
                words[place] += "，"
        text = "".join(words) + "。"
        if random.random() < 0.02:
            first, second = self._words(2)
            text += f"-{{zh-hans:{first}; zh-hant:{second}}}-"
        if random.random() < 0.05:
            text += f"{random.randrange(1, 999)}&nbsp;km，<!-- {''.join(self._words(3))} -->"
        return text + (self._reference() if random.random() < 0.25 else "")

    def _reference(self) -> str:
        word = "".join(self._words(3))
        cite = _CITE.format(self._random.randrange(10**6), word, "".join(self._words(2)), self._random.randrange(1, 9))
        return f'<ref name="{word}">{cite}</ref>' if self._random.random() < 0.5 else f"<ref>{cite}</ref>"

    def _infobox(self) -> str:
        rows = [f"| {self._words(1)[0]} = {''.join(self._words(3))}" for _ in range(self._random.randrange(4, 20))]
        rows.insert(
            2, f"| image = [[File:{self._words(1)[0]}.jpg|250px]]\n| date = {{{{birth date|1950|3|{len(rows)}}}}}"
        )
        return "{{Infobox\n" + "\n".join(rows) + "\n}}\n"

    def _table(self) -> str:
        rows = "".join(f"|-\n| {word} || [[{word}]] || {number}\n" for number, word in enumerate(self._words(20)))
        return f'{{| class="wikitable sortable"\n! 名 !! 事 !! 年\n{rows}|}}\n'

    def _article(self, title: str) -> str:
        random = self._random
        sentences = self._traditional if random.random() < 0.1 else self._sentences
        prose = random.choices(sentences, k=min(round(self._length(9, 1.2)) + 1, 1500))
        if random.random() < self._needed:
            place = random.randrange(len(prose))
            prose[place] = f"{'和'.join(random.sample(self._terms, 2))}，{prose[place]}"
        parts = [f"'''{title}'''（{{{{lang-en|{title}}}}}）是"]
        if random.random() < 0.6:
            parts.insert(0, self._infobox())
        for section, sentences_of in enumerate(_batches(prose, 12)):
            if section:
                parts.append(f"\n== {self._words(1)[0]} ==\n")
                if random.random() < 0.15:
                    parts.append(f"[[File:{title}.jpg|thumb|right|{''.join(self._words(6))}[[{self._words(1)[0]}]]]]\n")
                if random.random() < 0.1:
                    parts.append(self._table())
                if random.random() < 0.15:
                    parts.append("".join(f"* {sentence}\n" for sentence in sentences_of))
                    continue
            for paragraph in _batches(sentences_of, 4):
                parts.append("".join(paragraph) + "\n\n")
        if random.random() < 0.3:
            parts.append(
                f"== 外部連結 ==\n* [http://www.example.org/{random.randrange(10**6)} {title}]\n* {{{{Official|{title}}}}}\n"
            )
        parts.append("== 参考文献 ==\n{{reflist|2}}\n{{Navbox|" + "|".join(self._words(12)) + "}}\n")
        parts += [f"[[Category:{word}]]\n" for word in self._words(4)]
        return "".join(parts)

    def _page(self, title: str, text: str, namespace: int, number: int, *, redirect: bool = False) -> str:
        mark = '    <redirect title="某" />\n' if redirect else ""
        return (
            f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>{number}</id>\n{mark}    <revision>\n"
            f"      <id>{number + 10**7}</id>\n      <parentid>{number + 10**6}</parentid>\n"
            "      <timestamp>2019-03-17T10:21:33Z</timestamp>\n"
            f"      <contributor>\n        <username>某人</username>\n        <id>{number % 977}</id>\n      </contributor>\n"
            "      <comment>改</comment>\n      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
            f'      <text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text>\n'
            f"      <sha1>{self._random.getrandbits(128):031x}</sha1>\n    </revision>\n  </page>\n"
        )


def _batches(items: Sequence[str], size: int) -> list[Sequence[str]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def write_dump(
    folder: Path, words: Words, size: int, needed: float, *, seed: int = 9, sentences: int = _SENTENCES
) -> tuple[Path, int]:
    """Write a multistream dump and its index, about `size` bytes of XML; return its path and the exact number of bytes.

    Args:
        needed: the share of the articles that have a term.
        sentences: the number of sentences to draw from.
    """
    dump = folder / "zhwiki-20261101-pages-articles-multistream.xml.bz2"
    pages = Writer(words, needed, seed, sentences).pages()
    entries: list[str] = []
    number = written = 0
    with dump.open("wb") as stream, ThreadPoolExecutor(2) as pool:
        stream.write(bz2.compress(HEAD.encode()))
        while written < size:
            contents = ["".join(islice(pages, _TOGETHER)).encode() for _ in range(16)]
            for content, packed in zip(contents, pool.map(bz2.compress, contents), strict=True):
                entries += [f"{stream.tell()}:{number + place}:某{number + place}\n" for place in range(_TOGETHER)]
                number += _TOGETHER
                written += len(content)
                stream.write(packed)
        stream.write(bz2.compress(TAIL.encode()))
    index = dump.with_name("zhwiki-20261101-pages-articles-multistream-index.txt.bz2")
    index.write_bytes(bz2.compress("".join(entries).encode()))
    return dump, written + len(HEAD) + len(TAIL)
