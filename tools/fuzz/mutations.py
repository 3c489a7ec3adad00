"""Changes of files, drawn from a generator of random numbers: the same numbers give the same change."""

import json
import re
from collections.abc import Callable
from pathlib import PurePath
from random import Random
from typing import Any

#: Bytes that readers tend to trip over: marks of encodings and of other formats, invisible and wide characters, ends.
_BYTES: list[bytes | str] = [
    *(
        b"",
        b"\0",
        b"\r",
        b"\n\n",
        b"\t",
        b'"',
        b"'",
        b"\\",
        b"[",
        b"]",
        b"{",
        b"}",
        b"<",
        b">",
        b"&",
        b"#",
        b"|",
        b": ",
        b"- ",
    ),
    *(
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\x80",
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"PAR1",
        b"-1",
        b"0",
        b"1e999",
    ),
    *("\u200b", "\u2028", "\x85", "\ufe0f", "\U000e0041", "\ue000", "\uffff", "Ø", "它", "（", "，", "𠀀", "e\u0301"),
    *(b"&a;", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<<: *a", b"&a [*a]", b"!!python/object:os.system x", b"%s", b"{0}"),
]
#: JSON values of every kind and at every limit.
_VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        10**6,
        2**31,
        2**53,
        2**63,
        10**30,
        0.5,
        -0.5,
        1e300,
        float("inf"),
        float("nan"),
    ),
    *(
        "",
        " ",
        "a",
        "0",
        "-1",
        "1e999",
        "Ø",
        "它",
        "[它]",
        "\0",
        "\n",
        "\t",
        "\u200b",
        "\u2028",
        "\ud800",
        "=1+1",
        "a" * 5000,
    ),
    *([], [None], [0], [1, 0], ["a"], [[]], [[0, 1]], {}, {"a": 1}, {"start": 0, "end": 1}, {"start": 9, "end": 1}),
]
#: Values of YAML, as they are written.
_YAML = [
    *("", "~", "true", "0", "-1", "1.5", ".inf", ".nan", "1e999", f"0x{'f' * 4000}", "0o7", "2020-01-01", "2020-99-99"),
    *(
        "[]",
        "[[]]",
        "[a, b]",
        "{}",
        "{a: b}",
        "'",
        '"',
        '"\\ud800"',
        '"\\U00110000"',
        "|",
        ">",
        "&a b",
        "*a",
        "!!int x",
        "? a",
    ),
    *("[它]", "{大|小}", "\\[", "a: b", "- a", "# a", "@a", "`a", "%a", "[" * 60, "Ø", "\u200b", "a" * 5000),
]
_YAML_VALUE = re.compile(r"(?m)(?<=[:\-] )[^\n]*|(?<=[\[,{] )[^\],}\n]*|(?<=: )[^,}\n]*")
_WORDS = re.compile(rb"[^\s<>\"'=,;|/]+")


def mutated(data: bytes, name: str, random: Random) -> bytes:
    """Return the content of a file with one to three changes that suit its name."""
    changes = _CHANGES.get(PurePath(name).suffix, [])
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change = random.choice([*changes * 3, _bytes, _lines, _words])
        data = change(data, random)
    return data


def _bytes(data: bytes, random: Random) -> bytes:
    start = random.randint(0, len(data))
    end = min(len(data), start + random.choice((0, 0, 1, 1, 2, 3, 8, 64, len(data))))
    kind = random.randrange(4)
    if kind == 0:
        inserted = random.choice(_BYTES)
        return data[:start] + (inserted if isinstance(inserted, bytes) else inserted.encode()) + data[end:]
    if kind == 1 and data:
        return data[: start - 1] + bytes([random.randrange(256)]) + data[start:]
    if kind == 2:
        return data[:end] + data[start:]  # what is between stands twice
    return data[:start] + data[end:]


def _lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data + b"\n"
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(5)
    if kind == 0:
        del lines[first]
    elif kind == 1:
        lines.insert(second, lines[first])
    elif kind == 2:
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == 3:
        lines = lines[:first]
    else:
        lines[first] = lines[first].rstrip(b"\n") + lines[second]
    return b"".join(lines)


def _words(data: bytes, random: Random) -> bytes:
    """Put another word of the file, or an odd value, in the place of a word."""
    words = list(_WORDS.finditer(data))
    if not words:
        return data
    word = random.choice(words)
    new = random.choice((random.choice(words)[0], str(random.choice(_VALUES)).encode("utf-8", "replace"), b""))
    return data[: word.start()] + new + data[word.end() :]


def _json_lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    number = random.randrange(len(lines))
    lines[number] = _json(lines[number], random)
    return b"".join(lines)


def _json(data: bytes, random: Random) -> bytes:
    """Change a value anywhere in a JSON document: another value, no value, a value of another place."""
    try:
        document = json.loads(data)
    except ValueError:
        return data
    places = list(_places(document))
    if not places:
        return data
    parent, key = random.choice(places)
    kind = random.randrange(5)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, dict):
        parent[random.choice(("", "id", "extra", "text", key + " "))] = random.choice(_VALUES)
    elif kind == 2:
        other, place = random.choice(places)
        parent[key] = json.loads(json.dumps(other[place]))
    else:
        parent[key] = random.choice(_VALUES)
    return json.dumps(document, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass") + b"\n"


def _places(value: Any) -> Any:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _cells(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    number = random.randrange(len(lines))
    cells = lines[number].split(b"\t")
    place = random.randrange(len(cells))
    kind = random.randrange(4)
    if kind == 0:
        del cells[place]
    elif kind == 1:
        cells.insert(place, b"")
    elif kind == 2:
        cells[place] = random.choice(random.choice(lines).split(b"\t"))
    else:
        cells[place] = str(random.choice(_VALUES)).encode("utf-8", "replace")
    lines[number] = b"\t".join(cells)
    return b"\n".join(lines)


def _yaml(data: bytes, random: Random) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    values = list(_YAML_VALUE.finditer(text))
    if not values:
        return data
    value = random.choice(values)
    new = random.choice((random.choice(_YAML), random.choice(values)[0]))
    return (text[: value.start()] + new + text[value.end() :]).encode("utf-8", "surrogateescape")


_CHANGES: dict[str, list[Callable[[bytes, Random], bytes]]] = {
    ".jsonl": [_json_lines],
    ".json": [_json],
    ".tsv": [_cells],
    ".conllu": [_cells],
    ".yaml": [_yaml],
    ".md": [_yaml],
    ".toml": [_words],
}
