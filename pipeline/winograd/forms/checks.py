"""Checks that several forms share; most forms have two rows an item, one for each candidate."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from operator import contains
from pathlib import Path

from ...core.errors import PipelineError, plural, shown
from ...core.files import parse_jsonl, read_text
from ...core.validation.rows import list_of, members_of, records, text_of, texts_of
from ...core.validation.suite import Check, Row, Value, described
from ...language.text_checks import checks, lang_of_texts
from ..pairs import DIFFERENCE, difference
from .form import UNMADE

#: Keys that the readers of rows add: the sound rows of the other items of the schema, and whether an item has lost its mate.
MATES, ALONE = "@mates", "@alone"
ADDED = (MATES, ALONE)
#: Share of schemas with two items above which a collection is one of pairs, and a single item has lost its mate.
_OF_PAIRS = 0.98
_HAN = re.compile("[\u3400-\u9fff]+")
#: German articles, which are in nearly every text.
_ARTICLES = frozenset(("der", "die", "das", "den", "dem", "des"))
_ITEM_ID = re.compile(r"(.+)-[a-z]{1,2}")


def schema_of(item: str) -> str:
    """Return the schema of an item id: zh-0001 for zh-0001-a."""
    match = _ITEM_ID.fullmatch(item)
    return match[1] if match else item


def rows_by_item(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item; its value has the item's rows as ``members``. A row without ``item`` is a `PipelineError`."""
    groups: dict[str, list[Row]] = {}
    for row in records(paths):
        if not (item := text_of(row.value, "item")):
            reason = f"[item] missing field; found {shown(row.value.get('item'))}, expected text"
            raise PipelineError(row.path, row.line, reason)
        groups.setdefault(item, []).append(row)
    return [
        Row(name, group[0].path, group[0].line, {"members": [row.value for row in group]})
        for name, group in groups.items()
    ]


def mated(rows_of: Callable[[Sequence[Path]], list[Row]], contract: Check) -> Callable[[Sequence[Path]], list[Row]]:
    """Return a reader of rows, one for each item, whose values also have those of the other items of the schema.

    An item without a mate is expected to have one if nearly all have, unless the file beside says that its mate is unmade.

    Args:
        rows_of: reads the rows; their ids are those of items.
        contract: what a value must meet so that others are compared with it.
    """
    return lambda paths: [row for path in paths for row in _with_mates(rows_of([path]), path, contract)]


def _with_mates(rows: Sequence[Row], path: Path, contract: Check) -> list[Row]:
    schemas: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        schemas[schema_of(row.id)].append(row)
    whole = sum(len({row.id for row in members}) > 1 for members in schemas.values())
    paired = len(schemas) - whole <= max(1, (1 - _OF_PAIRS) * len(schemas)) and whole > 0
    unmade = _unmade_schemas(path.with_name(UNMADE)) if paired and whole < len(schemas) else set()
    sound = {row.id: not contract(row.value) for row in rows}

    def alone(item: str) -> bool:
        schema = schema_of(item)
        return paired and schema not in unmade and len({row.id for row in schemas[schema]}) == 1

    return [
        replace(
            row,
            value={
                **row.value,
                MATES: [mate.value for mate in schemas[schema_of(row.id)] if mate.id != row.id and sound[mate.id]],
                ALONE: alone(row.id),
            },
        )
        for row in rows
    ]


def _unmade_schemas(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    return {schema_of(text_of(row, "item")) for _, row in parse_jsonl(read_text(path), path)}


def mates_of(value: Value) -> list[Value]:
    """Return the values of the other items of the schema."""
    return list_of(value, MATES, dict)


def first_failure(value: Value, check: Check) -> str:
    """Return what a check of single rows finds in the first member that fails it."""
    return next((reason for member in members_of(value) if (reason := check(member))), "")


def of_members(check: Check) -> Check:
    """Return the check of an item's rows: each of them passes a check of single rows."""
    return described(check.__doc__ or "", lambda value: first_failure(value, check))


def text_checks(*fields: str, named: tuple[str, ...] = (), finished: str = "") -> dict[str, Check]:
    """Return the checks of text for rows that do not say their language: it is that of all their texts.

    Args:
        fields: fields with text.
        named: fields with names, in the letters of any language, or with parts of texts.
        finished: a field that must end like a sentence.
    """

    def lang(value: Value) -> str:
        lists = [text for field in (*fields, *named) for text in list_of(value, field, str)]
        return lang_of_texts([*texts_of(value, *fields, *named), *lists])

    return checks(*fields, finished=finished, named=named, plain=("item", "schema"), lang=lang)


def text_checks_of_members(*fields: str, named: tuple[str, ...] = (), finished: str = "") -> dict[str, Check]:
    """Return `text_checks` of each row of an item."""
    by_id = text_checks(*fields, named=named, finished=finished)
    return {name: of_members(check) for name, check in by_id.items()}


def two_rows(value: Value) -> str:
    """An item has a row for each of its two candidates."""
    ids = [text_of(member, "id") for member in members_of(value)]
    expected = [f"{text_of(members_of(value)[0], 'item')}-{index}" for index in (0, 1)] if ids else []
    return "" if ids == expected else f"found {', '.join(ids)}, expected {', '.join(expected)}"


def schema_of_item(value: Value) -> str:
    """The schema is the item's id without the letter of the member."""
    for row in members_of(value) or [value]:
        expected = schema_of(text_of(row, "item"))
        if row.get("schema") != expected or expected == row.get("item"):
            return f"found {shown(row.get('schema'))} for item {shown(row.get('item'))}, expected {expected!r}"
    return ""


def id_of_item(value: Value) -> str:
    """The id is that of the item."""
    same = value.get("id") == value.get("item")
    return "" if same else f"found {shown(value.get('id'))} for item {shown(value.get('item'))}, expected the same"


def both_members(value: Value) -> str:
    """If nearly all schemas of the file have two members, each has."""
    return "found one member of the schema, expected two" if value.get(ALONE) else ""


def one_correct(value: Value) -> str:
    """One of an item's texts is marked as correct."""
    count = sum(member.get("correct") is True for member in members_of(value))
    return "" if count == 1 else f"found {count}, expected 1"


def answers_flip(answer_of: Callable[[Value], object]) -> Check:
    """Return the check that the two members of a schema have different answers."""

    def check(value: Value) -> str:
        answers = [answer_of(value), *map(answer_of, mates_of(value))]
        same = len(answers) == 2 and answers[0] == answers[1] and answers[0] is not None
        return f"found {answers[0]} in both members, expected another answer in each" if same else ""

    return described("The two members of a schema have different answers.", check)


def right_row(field: str, right: object) -> Callable[[Value], object]:
    """Return the function from an item to the number of its row whose field has the right value; None if there is no such row."""

    def answer(value: Value) -> object:
        return next((number for number, row in enumerate(members_of(value)) if row.get(field) == right), None)

    return answer


def same_candidates(names_of: Callable[[Value], Sequence[str]], text_of_item: Callable[[Value], str]) -> Check:
    """Return the check that the two members of a schema have the same candidates, unless a candidate is what differs."""

    def check(value: Value) -> str:
        mates = mates_of(value)
        if len(mates) != 1 or names_of(value) == names_of(mates[0]):
            return ""
        parts = difference(text_of_item(value), text_of_item(mates[0]))
        pairs = zip(names_of(value), names_of(mates[0]), strict=False)
        if all(name == other or all(map(contains, parts, difference(name, other))) for name, other in pairs):
            return ""
        return f"found {', '.join(names_of(value))} and {', '.join(names_of(mates[0]))}, expected the same"

    return described(
        "The two members of a schema have the same candidates in the same order, unless their texts differ in one.",
        check,
    )


def small_difference(text_of_item: Callable[[Value], str]) -> Check:
    """Return the check that the texts of the two members of a schema differ, and in one short stretch."""

    def check(value: Value) -> str:
        mates = mates_of(value)
        if len(mates) != 1:
            return ""
        text, other = text_of_item(value), text_of_item(mates[0])
        parts = difference(text, other)
        if text == other:
            return f"found {text!r} in both members"
        if lang_of_texts([text]) != "zh" or max(map(len, parts)) <= DIFFERENCE:
            return ""
        return f"found {parts[0]!r} and {parts[1]!r}, expected at most {plural(DIFFERENCE, 'character')}"

    return described(
        "The texts of the two members of a schema differ; in Chinese, they do in one short stretch.", check
    )


def pair_checks(
    answer_of: Callable[[Value], object] | None,
    names_of: Callable[[Value], Sequence[str]] | None,
    text_of_item: Callable[[Value], str],
) -> Mapping[str, Check]:
    """Return the checks of the two members of a schema: both are there, with different answers, and texts that hardly differ.

    Args:
        answer_of: gives the answer of an item; None for a form without answers.
        names_of: gives the candidates; None for a form without their names.
        text_of_item: gives the text.
    """
    candidates = {"same-candidates": same_candidates(names_of, text_of_item)} if names_of else {}
    return {
        "both-members": both_members,
        **({"answers-flip": answers_flip(answer_of)} if answer_of else {}),
        **candidates,
        "small-difference": small_difference(text_of_item),
    }


def missing_name(names: Sequence[str], text: str) -> str:
    """Return the first name of which a text has too little: half of its Chinese characters, or one of its words.

    Of two Chinese names that begin or end alike, the text must have what tells one from the other (黑 and 黄 of 黑牛 and 黄牛).
    """
    simple = text.casefold()
    parts = difference(*names) if len(names) == 2 else ("", "")
    if parts == tuple(names) or not all(map(_HAN.fullmatch, names)):
        parts = ("", "")
    return next(
        (
            name
            for name, part in zip_longest(names, parts[: len(names)], fillvalue="")
            if not _is_named(name.casefold(), simple) or part not in text
        ),
        "",
    )


def slack(name: str) -> int:
    """Return how many characters an expression may have besides the name of its candidate (the …'s own, …自己的)."""
    return 3 if re.search("[\u3400-\u9fff]", name) else 12


def _is_named(name: str, text: str) -> bool:
    chinese = "".join(_HAN.findall(name))
    words = [word for word in re.findall(r"[^\W\d_\u3400-\u9fff]{3,}", name) if word not in _ARTICLES]
    if name in text:
        return name != ""
    known = sum(character in text for character in chinese)
    return (bool(chinese) and 2 * known >= len(chinese)) or any(word[:3] in text for word in words)
