"""How varied the schemas of a collection are: registers, connectives, frames, reports, kinship terms, surnames."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml.comments import CommentedMap

from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Item
from ..core.rules import RULES
from ..core.tables import read_table
from ..core.yamlfile import line_of, load_yaml, mapping_of, require_mapping, texts_of
from ..language.names import person_of
from .mentions import before_target, own_mentions

#: What schemas are counted by, and of what no level may be too frequent.
DIMENSIONS = ("connective", "frame", "report", "kin", "surname")
#: The level of a schema that has none: no connective, no frame, no report.
NONE = "none"
#: Columns of the table of connectives.
_CONNECTIVES = ("lang", "connective", "relation")
_END_OF_CLAUSE = re.compile(r"[，。；：！？、…“”‘’「」,.;:!?]")
_WITHOUT_BLANKS = ("zh", "ja")
#: The level of a schema that has a kinship term for a candidate.
KIN = "kinship"
_CLAUSE_END = re.compile("[，。；：！？、…]")


@dataclass(frozen=True, slots=True)
class VarietyTable:
    """What a language's schemas are counted by, from rules/variety.

    Attributes:
        shares: the greatest share of the schemas that a level of each of `DIMENSIONS` may have, from 0 to 1.
        frames: the words of each frame: what the first candidate does to the second.
        reports: the words of each report: who says what the clause of the target states.
        kin: kinship terms.
    """

    shares: Mapping[str, float]
    frames: Mapping[str, Sequence[str]]
    reports: Mapping[str, Sequence[str]]
    kin: Sequence[str]


@cache
def variety_table(lang: str) -> VarietyTable | None:
    """Return the table of a language, None if it has none."""
    path = RULES / "variety" / f"{lang}.yaml"
    if not path.exists():
        return None
    node = require_mapping(load_yaml(path), path, required=frozenset({"shares", "frames", "reports", "kin"}))
    return VarietyTable(
        _shares(mapping_of(node, "shares", path, required=frozenset(DIMENSIONS)), path),
        _words(node, "frames", path),
        _words(node, "reports", path),
        texts_of(node, "kin", path),
    )


def _words(node: CommentedMap, name: str, path: Path) -> Mapping[str, Sequence[str]]:
    levels = node[name]
    if not isinstance(levels, CommentedMap) or not levels:
        raise PipelineError(path, line_of(node, name), f"[{name}] no {name}; expected a list of words for each")
    return {str(level): texts_of(levels, level, path) for level in levels}


def _shares(node: CommentedMap, path: Path) -> Mapping[str, float]:
    for name, share in node.items():
        if not isinstance(share, float) or not 0 < share < 1:
            reason = f"[{name}] no share; found {shown(share)}, expected a number between 0 and 1"
            raise PipelineError(path, line_of(node, name), reason)
    return {name: float(share) for name, share in node.items()}


def connective(item: Item) -> str:
    """Return the connective that joins the target's clause to what goes before it, or `NONE`.

    In Chinese it is the longest listed one with which the text between the last mark and the target begins; in languages with
    blanks, the last listed word between the last mention of a candidate and the target, or the last mark if that is later.
    """
    words = connectives().get(item.lang.split("-")[0], ())
    ends = [match.end() for match in _END_OF_CLAUSE.finditer(item.text, 0, item.target.start)]
    if item.lang.split("-")[0] in _WITHOUT_BLANKS:
        clause = item.text[max(ends, default=0) : item.target.start]
        return max((word for word in words if clause.startswith(word)), key=len, default=NONE)
    ends = [span.end for span in before_target(item)]
    between = item.text[max(ends, default=0) : item.target.start].casefold()
    listed = [word for word in re.findall(r"\w+", between) if word in words]
    return listed[-1] if listed else NONE


@cache
def connectives() -> Mapping[str, tuple[str, ...]]:
    """Return the connectives of each language, from rules/variety."""
    path = RULES / "variety" / "connectives.tsv"
    words: dict[str, tuple[str, ...]] = {}
    lines: dict[tuple[str, str], int | None] = {}
    for line, row in read_table(path, _CONNECTIVES):
        require_unique(lines, (row["lang"], row["connective"]), path, line, "connective")
        if not all(row[column].strip() for column in _CONNECTIVES):
            raise PipelineError(path, line, f"[connective] empty cell; found {shown(row)}, expected a value in each")
        words[row["lang"]] = (*words.get(row["lang"], ()), row["connective"])
    return words


def frame(item: Item, table: VarietyTable) -> str:
    """Return what the first candidate does to the second in one clause, or `NONE`.

    It is the frame of the longest listed word between their first mentions, if no mark stands between these.
    """
    firsts = sorted(spans[0] for spans in own_mentions(item) if spans)
    if len(firsts) < 2:
        return NONE
    between = item.text[firsts[0].end : firsts[1].start]
    if _CLAUSE_END.search(between):
        return NONE
    return _longest(table.frames, between)


def report(item: Item, table: VarietyTable) -> str:
    """Return who says what the clause of the target states (a document, an agreement, somebody), or `NONE`.

    It is the report of the longest listed word between the last mention of a candidate and the target.
    """
    ends = [span.end for span in before_target(item)]
    return _longest(table.reports, item.text[max(ends, default=0) : item.target.start])


def _longest(levels: Mapping[str, Sequence[str]], text: str) -> str:
    """Return the level of the longest of its words in a text, or `NONE`."""
    words = [(len(word), name) for name, entries in levels.items() for word in entries if word in text]
    return max(words, key=lambda pair: pair[0])[1] if words else NONE


def varieties(items: Iterable[Item], table: VarietyTable) -> dict[str, Counter[str]]:
    """Return how many schemas have each level of each of `DIMENSIONS`.

    A schema has a connective or a surname if one of its members has it, so that it may count for several; what it has none of, it
    counts for as `NONE`.
    """
    levels: dict[str, dict[str, set[str]]] = {name: {} for name in DIMENSIONS}
    for item in items:
        people = [person for candidate in item.candidates if (person := person_of(candidate))]
        given = {
            "connective": {connective(item)},
            "frame": {frame(item, table)},
            "report": {report(item, table)},
            "kin": {KIN for candidate in item.candidates if candidate.endswith(tuple(table.kin))},
            "surname": {person.surname for person in people},
        }
        for name, values in given.items():
            levels[name].setdefault(item.schema, set()).update(values)
    return {
        name: Counter(level for values in schemas.values() for level in sorted(values - {NONE}) or [NONE])
        for name, schemas in levels.items()
    }
