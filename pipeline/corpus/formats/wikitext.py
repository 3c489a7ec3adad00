"""The conventions of wikis: which links, elements and templates show running text, and which pages are no articles."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from msgspec import Struct

from ...core.convert import Words, WordSet, WordTable, convert_node
from ...core.files import read_text
from ...core.rules import RULES
from ...core.yamlfile import parse_yaml

_TEMPLATE = re.compile(r"\{\{([^{}|<>\[\]\n]{1,200})")
_TEMPLATE_OR_WORD = re.compile(_TEMPLATE.pattern + "|(?i:__DISAMBIG__)")
_NAMESPACE = re.compile(r"^\s*(?:template|模板|樣板|样板)\s*:", re.IGNORECASE)


class _Templates(Struct, frozen=True, rename={"whole": "is", "inline": "not"}):
    begins: Words
    ends: Words
    whole: WordSet
    inline: Words


class _Disambiguation(Struct, frozen=True):
    titles: Words
    templates: _Templates


class _Elements(Struct, frozen=True):
    seen: WordSet
    unseen: WordSet
    html: WordSet


class Conventions(Struct, frozen=True):
    """The tables of rules/corpus/wikimedia.yaml, which explains each."""

    disambiguation: _Disambiguation
    links: WordSet
    namespaces: WordSet
    redirects: Words
    languages: WordSet
    elements: _Elements
    footnotes: WordSet
    blocks: WordSet
    inlines: WordSet
    variants: WordTable

    def is_disambiguation(self, title: str, wikitext: str) -> bool:
        r"""Return whether a page lists articles of similar names, by its title and its templates.

        >>> conventions().is_disambiguation("苹果", "'''苹果'''可以指：\n* [[苹果公司]]\\n{{Disambig}}")
        True
        >>> conventions().is_disambiguation("苹果", "[[库克]]{{Disambiguation needed|date=2020}}是苹果公司的首席执行官。")
        False
        """
        if title.casefold().endswith(self.disambiguation.titles):
            return True
        pattern = _TEMPLATE_OR_WORD if "__" in wikitext else _TEMPLATE  # the second is four times as fast
        return any(_is_mark(match[1] or match[0]) for match in pattern.finditer(wikitext))


@lru_cache(1 << 12)  # most pages use the same templates
def _is_mark(template: str) -> bool:
    name, marks = comparable_name(_NAMESPACE.sub("", template)), conventions().disambiguation.templates
    if name.startswith(marks.inline):
        return False
    return name in marks.whole or name.startswith(marks.begins) or name.endswith(marks.ends)


@cache
def conventions() -> Conventions:
    """Return the tables, case-folded; raises `PipelineError` at the line of a malformed entry."""
    path = RULES / "corpus" / "wikimedia.yaml"
    return convert_node(parse_yaml(read_text(path).casefold(), path), Conventions, path)


def comparable_name(text: str) -> str:
    """Return a name as wikis compare it: without regard to case, with a blank for a low line."""
    return " ".join(text.replace("_", " ").split()).casefold()


@dataclass(frozen=True, slots=True)
class Site:
    """The names of a wiki's own namespaces, case-folded."""

    links: frozenset[str] = frozenset()  # those of files and categories
    namespaces: frozenset[str] = frozenset()  # these and the others

    def hidden_namespaces(self) -> frozenset[str]:
        """Return the namespaces, and the codes of wikis in other languages, a link to which shows no text."""
        table = conventions()
        return self.links | table.links | table.languages

    def is_article(self, title: str) -> bool:
        """Return whether a page is in the namespace of articles, by its title alone."""
        namespace = namespace_of(title)
        names = self.namespaces | conventions().namespaces | conventions().links
        return namespace not in names and namespace.removesuffix(" talk") not in names


ANY_SITE = Site()


def namespace_of(title: str) -> str:
    """Return the namespace of a link, empty if it has none; a leading colon makes it a normal link."""
    namespace, colon, _ = title.partition(":")
    return comparable_name(namespace) if colon else ""
