"""What Wikipedias write in their pages, from rules/corpus/wikimedia.yaml: which are no articles, what is no text."""

import re
from dataclasses import dataclass
from functools import cache

from ...core.rules import RULES
from ...core.yamlfile import load_yaml, require_mapping

_TEMPLATE = re.compile(r"\{\{([^{}|<>\[\]\n]{1,200})|(__DISAMBIG__)", re.IGNORECASE)
_NAMESPACE = re.compile(r"^\s*(?:template|模板|樣板|样板)\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conventions:
    """The words of the table, folded in case."""

    titles: tuple[str, ...]
    begins: tuple[str, ...]
    ends: tuple[str, ...]
    names: frozenset[str]
    inline: tuple[str, ...]
    links: frozenset[str]
    elements: frozenset[str]
    variants: tuple[str, ...]

    def is_disambiguation(self, title: str, wikitext: str) -> bool:
        r"""Return whether a page lists articles of like name; the templates that it uses tell it, or else its title.

        >>> conventions().is_disambiguation("苹果", "'''苹果'''可以指：\n* [[苹果公司]]\\n{{Disambig}}")
        True
        >>> conventions().is_disambiguation("苹果", "[[库克]]{{Disambiguation needed|date=2020}}是苹果公司的首席执行官。")
        False
        """
        if title.casefold().endswith(self.titles):
            return True
        return any(self._marks(match[1] or match[2]) for match in _TEMPLATE.finditer(wikitext))

    def _marks(self, template: str) -> bool:
        name = " ".join(_NAMESPACE.sub("", template).replace("_", " ").split()).casefold()
        if name.startswith(self.inline):
            return False
        return name in self.names or name.startswith(self.begins) or name.endswith(self.ends)


@cache
def conventions() -> Conventions:
    """Return the table.

    Raises:
        PipelineError: it is no mapping with its fields.
    """
    path = RULES / "corpus" / "wikimedia.yaml"
    fields = frozenset({"disambiguation", "links", "elements", "variants"})
    node = require_mapping(load_yaml(path), path, required=fields)
    marks = require_mapping(node["disambiguation"], path, required=frozenset({"titles", "templates"}))
    names = require_mapping(marks["templates"], path, required=frozenset({"begins", "ends", "is", "not"}))

    def words(entries: list[str]) -> tuple[str, ...]:
        return tuple(str(entry).casefold() for entry in entries)

    return Conventions(
        titles=words(marks["titles"]),
        begins=words(names["begins"]),
        ends=words(names["ends"]),
        names=frozenset(" ".join(name.replace("_", " ").split()) for name in words(names["is"])),
        inline=words(names["not"]),
        links=frozenset(words(node["links"])),
        elements=frozenset(words(node["elements"])),
        variants=words(node["variants"]),
    )
