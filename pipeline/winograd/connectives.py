"""Connectives: the words that join the target's clause to what goes before it."""

import re
from collections.abc import Mapping
from functools import cache

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text, require_unique
from ..core.model import Item
from ..core.rules import RULES
from .mentions import before_target

#: What stands in place of a connective where an item has none.
NONE = "none"
#: Columns of the table of connectives.
COLUMNS = ("lang", "connective", "relation")
_CLAUSE_END = re.compile(r"[，。；：！？、…“”‘’「」,.;:!?]")
_WITHOUT_BLANKS = ("zh", "ja")


def connective(item: Item) -> str:
    """Return the connective that joins the target's clause to what goes before it, or `NONE`.

    In Chinese it is the longest listed one with which the text between the last mark and the target begins; in languages with
    blanks, the last listed word between the last mention of a candidate and the target, or the last mark if that is later.
    """
    words = connectives().get(item.lang.split("-")[0], ())
    ends = [match.end() for match in _CLAUSE_END.finditer(item.text, 0, item.target.start)]
    if item.lang.split("-")[0] in _WITHOUT_BLANKS:
        clause = item.text[max(ends, default=0) : item.target.start]
        return max((word for word in words if clause.startswith(word)), key=len, default=NONE)
    ends = [span.end for span in before_target(item)]
    between = item.text[max(ends, default=0) : item.target.start].casefold()
    listed = [word for word in re.findall(r"\w+", between) if word in words]
    return listed[-1] if listed else NONE


@cache
def connectives() -> Mapping[str, tuple[str, ...]]:
    """Return the connectives of each language, from rules/variety.

    Raises:
        PipelineError: the table is malformed or has a connective twice.
    """
    path = RULES / "variety" / "connectives.tsv"
    words: dict[str, tuple[str, ...]] = {}
    lines: dict[tuple[str, str], int | None] = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        require_unique(lines, (row["lang"], row["connective"]), path, line, "connective")
        if not all(row[column].strip() for column in COLUMNS):
            raise PipelineError(path, line, f"[connective] empty cell; found {shown(row)}, expected a value in each")
        words[row["lang"]] = (*words.get(row["lang"], ()), row["connective"])
    return words
