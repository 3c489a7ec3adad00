"""Defects of built experiments."""

import json
from collections import Counter
from collections.abc import Callable

from pipeline.core.files import to_json

from .defect import Change, Damage, Defect, Files, Row, put

ELSEWHERE = '<script src="https://example.org/jspsych.js"></script>'
#: The second list, and the place of its first item, filler or practice trial among its trials.
LIST, NUMBER = "list-02", 2


def trials(*changes: Change, where: Callable[[Row], object], last: bool = False) -> Damage:
    """Return the damage that changes a trial of the second list: the first that fits, or the last."""

    def damage(files: Files) -> Files:
        rows = [json.loads(line) for line in files["trials.jsonl"].decode().splitlines()]
        fitting = [row for row in rows if row["list"] == NUMBER and where(row)]
        for change in changes:
            change(fitting[-last])
        return files | {"trials.jsonl": "".join(f"{to_json(row)}\n" for row in rows).encode()}

    return damage


def part(name: str) -> Callable[[Row], bool]:
    """Return whether a trial or a key is of a part."""
    return lambda row: row["part"] == name


def key(change: Callable[[list[Row]], object], name: str) -> Damage:
    """Return the damage that changes the keys of a part in the second list."""

    def damage(files: Files) -> Files:
        header, *lines = (line.split("\t") for line in files["key.tsv"].decode().splitlines())
        rows = [dict(zip(header, line, strict=True)) for line in lines]
        change([row for row in rows if row["list"] == str(NUMBER) and row["part"] == name])
        text = "".join("\t".join(line) + "\n" for line in (header, *(row.values() for row in rows)))
        return files | {"key.tsv": text.encode()}

    return damage


def swap(file: str, old: str, new: str) -> Damage:
    """Return the damage that replaces the first occurrence of a text in a file, which must have it."""

    def damage(files: Files) -> Files:
        text = files[file].decode()
        assert old in text, old
        return files | {file: text.replace(old, new, 1).encode()}

    return damage


def third_of_a_register(rows: list[Row]) -> None:
    """Give one of two items of a register another one that has two already: the list has three of that."""
    first, second = [register for register, number in Counter(row["register"] for row in rows).items() if number == 2][
        :2
    ]
    next(row for row in rows if row["register"] == second)["register"] = first


def same_schema(rows: list[Row]) -> None:
    rows[1]["schema"] = rows[0]["schema"]


def other_id(rows: list[Row]) -> None:
    rows[0]["id"] = "de-999-a"


def other_item(row: Row) -> None:
    """Make the item one that is in another list too: no list has both members of a pair."""
    row["id"] = "de-002-b" if row["id"] != "de-002-b" else "de-002-a"


def other_pronoun(rows: list[Row]) -> None:
    rows[0]["pronoun"] = "sie" if rows[0]["pronoun"] != "sie" else "er"


def always_er(rows: list[Row]) -> None:
    for row in rows:
        row["pronoun"] = "er"


def items_in_a_row(files: Files) -> Files:
    """Make items of four trials in a row."""
    rows = [json.loads(line) for line in files["trials.jsonl"].decode().splitlines()]
    for row in [row for row in rows if row["list"] == NUMBER and row["part"] != "practice"][4:8]:
        row["part"] = "item"
        row.pop("expected", None)
    return files | {"trials.jsonl": "".join(f"{to_json(row)}\n" for row in rows).encode()}


def without_last_row(files: Files) -> Files:
    name = "psychopy/list-02.csv"
    return files | {name: files[name].rsplit(b"\n", 2)[0] + b"\n"}


ALL = "experiment"
CONDITIONS = "psychopy/list-02.csv"
#: Name of the defect, expectation, damage, id of the row that reports it.
_DEFECTS: list[tuple[str, str, Damage, str]] = [
    ("key-of-another-item", "key-fits", key(other_id, "item"), LIST),
    ("key-against-attention", "key-fits", key(other_pronoun, "attention"), LIST),
    ("mates-in-one-list", "pairs-apart", key(same_schema, "item"), LIST),
    ("three-of-a-register", "own-share", key(third_of_a_register, "item"), LIST),
    ("fillers-with-one-pronoun", "fillers-balanced", key(other_pronoun, "filler"), LIST),
    ("begins-with-an-item", "practice-first", trials(put(part="item"), where=part("filler")), LIST),
    ("practice-last", "practice-first", trials(put(part="practice"), where=part("filler"), last=True), LIST),
    ("items-in-a-row", "items-spaced", items_in_a_row, LIST),
    ("one-pronoun-throughout", "pronouns-vary", key(always_er, "filler"), LIST),
    ("conditions-cut-off", "conditions-fit", without_last_row, LIST),
    ("conditions-with-another-option", "conditions-fit", swap(CONDITIONS, ",er,sie,es,", ",er,sie,man,"), LIST),
    ("conditions-with-gold", "conditions-fit", swap(CONDITIONS, ",feedback\n", ",gold\n"), LIST),
    ("item-in-two-lists", "items-once", trials(other_item, where=part("item")), ALL),
    ("filler-used-once", "fillers-even", trials(put(id="fl-99"), where=part("filler")), ALL),
    ("practice-differs", "same-text", trials(put(text="Es ___."), where=part("practice")), ALL),
    ("page-with-another-part", "page-fits", swap("index.html", '"part": "filler"', '"part": "item"'), ALL),
    ("page-with-gold", "page-fits", swap("index.html", '"part": "filler"', '"part": "filler", "gold": 0'), ALL),
    ("page-with-antecedents", "page-fits", swap("index.html", '"minutes"', '"antecedents": {}, "minutes"'), ALL),
    ("script-from-elsewhere", "loads-nothing", swap("index.html", "</head>", f"{ELSEWHERE}</head>"), ALL),
    ("any-address-allowed", "loads-nothing", swap("index.html", "connect-src 'self'", "connect-src *"), ALL),
]
EXPERIMENTS = [
    Defect(f"experiment-{name}", "experiment", expectation, damage, reported_id=reported)
    for name, expectation, damage, reported in _DEFECTS
]
