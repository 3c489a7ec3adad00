"""How varied the schemas of a collection are: registers, connectives, frames, reports, kinship terms, surnames, twins; and its suite."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Annotated

import msgspec

from ..core.convert import UNIQUE, Text, Words, keys_of, read_yaml, to_object
from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Item
from ..core.records import item_from_json
from ..core.rules import RULES
from ..core.tables import read_table
from ..core.validation.rows import records, text_of
from ..core.validation.suite import Row, Suite, Value
from ..language.languages import language_of
from ..language.names import person_of
from .analysis import analyses_beside, analysis_table
from .mentions import before_target, own_mentions
from .pairs import contrasts

#: A share of all schemas.
Share = Annotated[float, msgspec.Meta(gt=0, lt=1, description="a number between 0 and 1")]
#: The level of a schema that has none: no connective, no frame, no report.
NONE = "none"
#: Columns of the table of connectives.
_CONNECTIVES = ("lang", "connective", "relation")
_END_OF_CLAUSE = re.compile(r"[，。；：！？、…“”‘’「」,.;:!?]")
#: The level of a schema that has a kinship term for a candidate.
KIN = "kinship"
#: The reports in which a deed says what the clause of the target states, and the level of a schema that has one.
DEEDS, DEED = ("document", "agreement"), "deed"
#: The levels of a schema whose candidates one word tells apart: they are twins, or relatives with a rank.
TWINS, RELATIVES = "twins", "relatives"
_CLAUSE_END = re.compile("[，。；：！？、…]")


#: Words of which one may be empty.
_WordsOrNone = Annotated[tuple[str, ...], msgspec.Meta(min_length=2, description="a list of texts", extra=UNIQUE)]
#: The words of each of several levels.
Levels = Annotated[Mapping[Text, Words], msgspec.Meta(min_length=1, description="a list of words for each")]


class Shares(msgspec.Struct, frozen=True):
    """The greatest share of the schemas that a level of each dimension may have."""

    connective: Share
    frame: Share
    report: Share
    kin: Share
    surname: Share
    twins: Share
    deeds: Share
    before: Share


class TwinWords(msgspec.Struct, frozen=True):
    """What tells twins apart.

    Attributes:
        words: the words of each kind; an empty one stands for none.
        names: what begins a name, and is no noun that two candidates share.
    """

    words: Annotated[Mapping[Text, _WordsOrNone], msgspec.Meta(min_length=1, description="a list of words for each")]
    names: Words


#: What schemas are counted by, and of what no level may be too frequent.
DIMENSIONS = tuple(keys_of(Shares))


class VarietyTable(msgspec.Struct, frozen=True):
    """What a language's schemas are counted by, from rules/variety.

    Attributes:
        frames: the words of each frame: what the first candidate does to the second.
        reports: the words of each report: who says what the clause of the target states.
        kin: kinship terms.
    """

    shares: Shares
    frames: Levels
    reports: Levels
    kin: Words
    twins: TwinWords


@cache
def variety_table(lang: str) -> VarietyTable | None:
    """Return the table of a language, None if it has none."""
    path = RULES / "variety" / f"{lang}.yaml"
    return read_yaml(path, VarietyTable) if path.exists() else None


def connective(item: Item) -> str:
    """Return the connective that joins the target's clause to what goes before it, or `NONE`.

    In Chinese it is the longest listed one with which the text between the last mark and the target begins; in languages with
    blanks, the last listed word between the last mention of a candidate and the target, or the last mark if that is later.
    """
    words = connectives().get(item.lang.split("-")[0], ())
    ends = [match.end() for match in _END_OF_CLAUSE.finditer(item.text, 0, item.target.start)]
    if not language_of(item.lang).spaced:
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


def twins(item: Item, table: VarietyTable) -> str:
    """Return whether one listed word alone tells two candidates apart (红狐 and 灰狐): `TWINS`, `RELATIVES` or `NONE`.

    Relatives are those whom families call so (大哥 and 二哥). People whom a surname tells apart are neither (黄师傅 and 白师傅), nor are
    those of whose names only the beginning is alike (阿黄 and 阿灰).
    """
    alike = [
        pair
        for pair in permutations(item.candidates, 2)
        if _differ_in_a_word(*pair, table.twins)
        and not all((person := person_of(candidate)) and (person.before or person.after) for candidate in pair)
    ]
    if not alike:
        return NONE
    is_kin = all(candidate.endswith(tuple(table.kin)) for pair in alike for candidate in pair)
    return RELATIVES if is_kin else TWINS


def _differ_in_a_word(first: str, second: str, table: TwinWords) -> bool:
    """Return whether two nouns are the same after one listed word of the first is exchanged for another of its kind."""
    return any(
        first.replace(word, other, 1) == second
        for words in table.words.values()
        for word, other in permutations(words, 2)
        if word in first and first.replace(word, "", 1) not in ("", *table.names)
    )


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
    items = list(items)
    places = contrasts(items)
    for item in items:
        people = [person for candidate in item.candidates if (person := person_of(candidate))]
        reported = report(item, table)
        given = {
            "connective": {connective(item)},
            "frame": {frame(item, table)},
            "report": {reported},
            "kin": {KIN for candidate in item.candidates if candidate.endswith(tuple(table.kin))},
            "surname": {person.surname for person in people},
            "twins": {twins(item, table)},
            "deeds": {DEED if reported in DEEDS else NONE},
            "before": {"before" if places.get(item.schema) == "before" else NONE},
        }
        for name, values in given.items():
            levels[name].setdefault(item.schema, set()).update(values)
    return {
        name: Counter(level for values in schemas.values() for level in sorted(values - {NONE}) or [NONE])
        for name, schemas in levels.items()
    }


#: Fewer schemas may all be of one kind.
LEAST_SCHEMAS = 50
#: How far the numbers of two registers may be apart: this share of the greater one.
REGISTERS_APART = 1 / 3


def dimensions(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each dimension of each file: how many schemas have each level, and the share that a level may have.

    A collection that names no registers has no rows, nor has one of fewer schemas than `LEAST_SCHEMAS`, or of a language of which
    rules/variety says nothing. The registers of a build are in its analyses, those of a release in its rows.
    """
    return [row for path in paths for row in _rows(path)]


def items_by_register(path: Path) -> tuple[list[Item], dict[str, str]]:
    """Return the well-formed items of a build or of a release, and the register of each that has one, by id.

    The registers of a build are in the analyses beside its items.
    """
    beside = analyses_beside(path)
    items: list[Item] = []
    registers: dict[str, str] = {}
    for row in records([path]):
        try:
            items.append(item_from_json(row.value))
        except ValueError:  # the suite of the items reports it
            continue
        if register := text_of(row.value, "register") or text_of(beside.get(row.id, {}), "register"):
            registers[row.id] = register
    return items, registers


def _rows(path: Path) -> Iterator[Row]:
    every, by_item = items_by_register(path)
    items = [item for item in every if item.id in by_item]
    registers = {item.schema: by_item[item.id] for item in items}
    table = variety_table(items[0].lang) if items else None
    if table is None or len(registers) < LEAST_SCHEMAS:
        return
    known = analysis_table(items[0].lang).registers
    counts: Mapping[str, Counter[str]] = varieties(items, table)
    yield Row("register", path, 1, {"counts": {**dict.fromkeys(known, 0), **Counter(registers.values())}})
    for name, share in to_object(table.shares).items():
        levels = {level: number for level, number in counts[name].items() if level != NONE}
        yield Row(name, path, 1, {"levels": levels, "schemas": len(registers), "share": share})


def registers_even(value: Value) -> str:
    """Each register has about as many schemas as the others: two of them differ by a third of the greater one at most."""
    counts = value.get("counts")
    return uneven(counts, REGISTERS_APART) if counts else ""


def uneven(counts: Mapping[str, int], share: float, least: int = 0) -> str:
    """Return which two levels are farther apart than by a share of the greater one, and by at least so many; empty if none are."""
    fewest, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    allowed = max(least, int(share * counts[most]))
    if counts[most] - counts[fewest] <= allowed:
        return ""
    return f"found {most} {counts[most]} and {fewest} {counts[fewest]}, expected a difference of at most {allowed}"


def none_too_frequent(value: Value) -> str:
    """No connective, frame, report or surname is in too many schemas, nor are kinship terms, twins, deeds, contrasts before the target."""
    if "levels" not in value:
        return ""
    allowed = int(value["share"] * value["schemas"])
    frequent = [f"{level} in {number}" for level, number in value["levels"].items() if number > allowed]
    if not frequent:
        return ""
    return f"found {', '.join(frequent)} of {value['schemas']} schemas, expected at most {allowed}"


VARIETY = Suite(
    "variety",
    "zero forms of a collection whose analyses name registers (JSON Lines)",
    dimensions,
    {"registers-even": registers_even, "none-too-frequent": none_too_frequent},
    unique=False,
    may_be_empty=True,
)
