"""Items beside the other items of their collection: the members of a schema, and copies under other ids."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...core.validation.rows import candidates_of, lang_of, list_of, records, span_of, text_of
from ...core.validation.suite import Check, Row, Value, described
from ...language.names import person_of, pinyin_of
from ...language.text_checks import CHINESE
from ..analysis import analyses_beside
from ..pairs import difference, letters_of

#: Keys that `collection` adds to a row: the other members of its schema, what it is a copy of, an earlier id that differs in case
#: only, and what holds of the collection (see `_facts`).
MATES, COPIES, LIKE, FACTS = "@mates", "@copies", "@like", "@facts"
#: And the gloss that the analysis beside the file gives it.
GLOSS = "@gloss"
ADDED = (MATES, COPIES, LIKE, FACTS, GLOSS)
#: Facts: the members of a schema have one source; the candidates stand in the order in which the text names them, and
#: their names in the order of the candidates in the gloss.
_ONE_SOURCE, _IN_ORDER, _GLOSS_IN_ORDER = "one source", "in order", "gloss in order"
#: Fact, followed by the source: all items have this one.
_SOURCE = "source: "
#: Share of the items of which a fact holds if it holds of the collection, and fewest items for that.
_NEARLY_ALL, _ENOUGH = 0.98, 10
#: Remarks that every item has if one has it.
_REMARKS = ("question", "source")
#: How many characters may differ between a text and a near copy of it, marks and blanks aside; near copies are reported in Chinese only,
#: since in other languages a letter or two make another verb (is, was).
_NEAR = 2
#: Words that turn a schema into another one.
_NEGATION = re.compile("[不没沒未别別]")
#: Shortest text, in letters, of which a near copy is no accident.
_SHORTEST = 10
#: And in other languages, of one with other names.
_SHORTEST_ELSEWHERE = 40
#: How many neighbours in the order of the texts are compared.
_NEIGHBOURS = 3


def collection(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item; its value also has the other members of its schema, and what it is a copy of."""
    return [row for path in paths for row in in_collection(_with_glosses(path))]


def _with_glosses(path: Path) -> list[Row]:
    """Return the rows of a file with the glosses of analysis.jsonl beside it."""
    rows = records([path])
    glosses = {name: text_of(value, "gloss") for name, value in analyses_beside(path).items()}
    return [replace(row, value={**row.value, GLOSS: glosses[row.id]}) if row.id in glosses else row for row in rows]


def in_collection(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a file with what `collection` adds to them."""
    members: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        members[text_of(row.value, "schema")].append(row)
    facts, copies = _facts(rows, members), _copies(rows)
    first_ids: dict[str, str] = {}
    for row in rows:
        first_ids.setdefault(row.id.casefold(), row.id)
    return [
        replace(
            row,
            value={
                **row.value,
                MATES: [mate.value for mate in members[text_of(row.value, "schema")] if mate is not row],
                COPIES: copies[number],
                LIKE: first_ids[row.id.casefold()],
                FACTS: facts,
            },
        )
        for number, row in enumerate(rows)
    ]


def _facts(rows: Sequence[Row], members: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return the remarks that some items have, and of `_ONE_SOURCE` and `_IN_ORDER` what holds of nearly all items."""
    sources = [len({text_of(row.value, "source") for row in schema}) == 1 for schema in members.values() if schema[1:]]
    orders = [order for row in rows if (order := _in_order(row.value)) is not None]
    glosses = [order for row in rows if (order := _gloss_in_order(row.value)) is not None]
    facts = [field for field in _REMARKS if any(text_of(row.value, field) for row in rows)]
    source, count = Counter(text_of(row.value, "source") for row in rows).most_common(1)[0] if rows else ("", 0)
    if _nearly_all([number < count for number in range(len(rows))]):
        facts.append(f"{_SOURCE}{source}")
    if _nearly_all(glosses):
        facts.append(_GLOSS_IN_ORDER)
    if _nearly_all(sources):
        facts.append(_ONE_SOURCE)
        if _nearly_all(orders):  # those who publish other people's items keep their candidates in any order
            facts.append(_IN_ORDER)
    return facts


def _nearly_all(holds: Sequence[bool]) -> bool:
    return len(holds) >= _ENOUGH and sum(holds) >= min(len(holds) - 2, _NEARLY_ALL * len(holds))


def _in_order(value: Value) -> bool | None:
    """Return whether the text names the first candidate first; None if it does not name both, or one inside the other."""
    names = candidates_of(value)
    places = [text_of(value).find(name) for name in names]
    if len(names) != 2 or min(places) < 0 or names[0] in names[1] or names[1] in names[0]:
        return None
    return places[0] < places[1]


def _gloss_in_order(value: Value) -> bool | None:
    """Return whether the gloss of a Chinese text names two people in the order of the text; None if it does not name both in pinyin."""
    gloss = text_of(value, "gloss") or text_of(value, GLOSS)
    people = [person_of(name) for name in candidates_of(value)] if gloss and lang_of(value) in CHINESE else []
    order = _in_order(value)
    if len(people) != 2 or order is None:
        return None
    places = [gloss.find(" ".join(pinyin_of(person))) if person else -1 for person in people]
    return None if min(places) < 0 or places[0] == places[1] else (places[0] < places[1]) == order


def _copies(rows: Sequence[Row]) -> dict[int, list[Value]]:
    """Return for rows, by their numbers, the items of other schemas before them with the same text or almost the same one.

    Copies with other candidates are found by the texts without these.
    """
    copies: dict[int, list[Value]] = defaultdict(list)
    for letters, is_copy in (
        ([letters_of(text_of(row.value)) for row in rows], _is_copy),
        ([_letters_besides_names(row.value) for row in rows], _is_renamed_copy),
    ):
        for key in (str, lambda text: text[::-1]):
            order = sorted((number for number, text in enumerate(letters) if text), key=lambda at: key(letters[at]))
            for place, number in enumerate(order):
                for other in order[place + 1 : place + 1 + _NEIGHBOURS]:
                    first, second = rows[number].value, rows[other].value
                    apart = text_of(first, "schema") != text_of(second, "schema") and lang_of(first) == lang_of(second)
                    if apart and is_copy(first, second, letters[number], letters[other]):
                        copies[max(number, other)].append(rows[min(number, other)].value)
    return copies


def _letters_besides_names(value: Value) -> str:
    """Return the letters of a text with numbers in place of its candidates; none of a short one, or of a sentence of a template."""
    text, names = text_of(value), candidates_of(value)
    for place, name in enumerate(names):
        noun = name if lang_of(value) in CHINESE else name.split(" ")[-1]
        text = text.replace(noun, f"<{place}>") if noun else text
    letters = letters_of(text)
    shortest = _SHORTEST if lang_of(value) in CHINESE else _SHORTEST_ELSEWHERE
    return "" if "case" in value or len(letters) < shortest else letters


def _is_renamed_copy(first: Value, second: Value, letters: str, others: str) -> bool:
    return _names(first) != _names(second) and _almost_same(letters, others, lang_of(first))


def _is_copy(first: Value, second: Value, letters: str, others: str) -> bool:
    if "case" in first or _names(first) != _names(second):  # sentences of one template differ in their pronouns only
        return False
    if letters == others:
        return _letters_before_target(first) == _letters_before_target(second)
    return len(letters) >= _SHORTEST and _almost_same(letters, others, lang_of(first))


def _almost_same(letters: str, others: str, lang: str) -> bool:
    if letters == others or lang not in CHINESE:
        return letters == others
    parts = difference(letters, others)
    return max(map(len, parts)) <= _NEAR and not any(map(_NEGATION.search, parts))


def _letters_before_target(value: Value) -> int:
    span = span_of(value)
    return len(letters_of(text_of(value)[: span.start])) if span else 0


def _names(value: Value) -> set[str]:
    return {name.casefold() for name in candidates_of(value)}


def _answer(value: Value) -> str:
    answer, names = value.get("answer"), candidates_of(value)
    return names[answer].casefold() if type(answer) is int and 0 <= answer < len(names) else ""


def mates_of(value: Value) -> list[Value]:
    """Return the other members of an item's schema; none if the row is not of `collection`."""
    return list_of(value, MATES, dict)


def no_copy(value: Value) -> str:
    """No item of another schema before it has the same text, marks and candidates aside; in Chinese not within two characters either."""
    copies = list_of(value, COPIES, dict)
    return f"found {text_of(copies[0])!r} in {text_of(copies[0], 'id')} too" if copies else ""


def no_contradiction(value: Value) -> str:
    """A copy of an item under another id has the same answer."""
    for copy in list_of(value, COPIES, dict):
        same = letters_of(text_of(value)) == letters_of(text_of(copy))
        if same and _answer(value) and _answer(copy) and _answer(value) != _answer(copy):
            return f"found {_answer(value)!r}, but {_answer(copy)!r} in {text_of(copy, 'id')}"
    return ""


def given(field: str) -> Check:
    """Return the check that every item of a collection has a remark if one has it."""

    def missing(value: Value) -> str:
        lacks = field in list_of(value, FACTS, str) and not text_of(value, field).strip()
        return f"found no {field}, although other items have one" if lacks else ""

    return described(f"If one item of the collection has a {field}, all have one.", missing)


def one_source(value: Value) -> str:
    """If the members of nearly all schemas have one source, those of each have; if nearly all items have one, each has."""
    source, facts = text_of(value, "source"), list_of(value, FACTS, str)
    usual = next((fact.removeprefix(_SOURCE) for fact in facts if fact.startswith(_SOURCE)), source)
    if source and source != usual:
        return f"found {source!r}, but {usual!r} in nearly all other items"
    other = next((mate for mate in mates_of(value) if text_of(mate, "source") != text_of(value, "source")), None)
    if other is None or _ONE_SOURCE not in list_of(value, FACTS, str):
        return ""
    return f"found {text_of(value, 'source')!r}, but {text_of(other, 'source')!r} in {text_of(other, 'id')}"


def candidates_in_order(value: Value) -> str:
    """If nearly all items list their candidates, or their glosses name them, in the order of the text, each does."""
    if _GLOSS_IN_ORDER in list_of(value, FACTS, str) and _gloss_in_order(value) is False:
        gloss = text_of(value, "gloss") or text_of(value, GLOSS)
        return f"found {gloss!r}, expected its names in the order of {text_of(value)!r}"
    if _IN_ORDER not in list_of(value, FACTS, str) or _in_order(value) is not False:
        return ""
    return f"found {', '.join(candidates_of(value))}, expected them in the order of {text_of(value)!r}"


def id_of_its_own(value: Value) -> str:
    """No id differs from another one in its case only."""
    like = text_of(value, LIKE)
    return f"found {value['id']!r}, but {like!r} before it" if like and like != value.get("id") else ""
