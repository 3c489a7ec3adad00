"""Changes of files, drawn from a generator of random numbers: the same numbers give the same change."""

import contextlib
import re
from collections.abc import Callable
from pathlib import PurePath
from random import Random

from . import values
from .containers import changed_archive, changed_bzip2, changed_parquet
from .documents import changed_json, changed_json_lines, changed_toml, changed_xml, changed_yaml

_YAML_VALUE = re.compile(r"(?m)(?<=[:\-] )[^\n]*|(?<=[\[,{] )[^\],}\n]*|(?<=: )[^,}\n]*")
_WORDS = re.compile(rb"[^\s<>\"'=,;|/]+")


def mutated(data: bytes, name: str, random: Random) -> bytes:
    """Return the content of a file with one to three changes that suit its name."""
    suffix = PurePath(name).suffix
    if suffix == ".zip" and random.random() < 0.8:
        return changed_archive(data, random, mutated)
    if suffix == ".bz2" and random.random() < 0.7:
        return changed_bzip2(data, name, random, mutated)
    changes = _CHANGES.get(suffix, [])
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change = random.choice([*changes * 4, _bytes, _lines, _words])
        with contextlib.suppress(RecursionError):  # an earlier change nested it too deeply for a change of its values
            data = change(data, random)
    return data


def _bytes(data: bytes, random: Random) -> bytes:
    start = random.randint(0, len(data))
    end = min(len(data), start + random.choice((0, 0, 1, 1, 2, 3, 8, 64, len(data))))
    kind = random.randrange(4)
    if kind == 0:
        return data[:start] + random.choice(values.BYTES) + data[end:]
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
    new = random.choice((random.choice(words)[0], str(random.choice(values.JSON)).encode("utf-8", "replace"), b""))
    return data[: word.start()] + new + data[word.end() :]


def _cells(data: bytes, random: Random) -> bytes:
    """Change a cell of a table, or a whole column."""
    lines = data.split(b"\n")
    number = random.randrange(len(lines))
    cells = lines[number].split(b"\t")
    place = random.randrange(len(cells))
    kind = random.randrange(6)
    if kind == 0:
        del cells[place]
    elif kind == 1:
        cells.insert(place, b"")
    elif kind == 2:
        cells[place] = random.choice(random.choice(lines).split(b"\t"))
    elif kind == 3:  # a column gone
        return b"\n".join(b"\t".join(row[:place] + row[place + 1 :]) for row in (line.split(b"\t") for line in lines))
    elif kind == 4:  # the cell of the same column in another row
        other = random.choice(lines).split(b"\t")
        cells[place] = other[min(place, len(other) - 1)]
    else:
        cells[place] = str(random.choice(values.JSON)).encode("utf-8", "replace")
    lines[number] = b"\t".join(cells)
    return b"\n".join(lines)


def _yaml_text(data: bytes, random: Random) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    places = list(_YAML_VALUE.finditer(text))
    if not places:
        return data
    value = random.choice(places)
    new = random.choice((random.choice(values.YAML), random.choice(places)[0]))
    return (text[: value.start()] + new + text[value.end() :]).encode("utf-8", "surrogateescape")


_CHANGES: dict[str, list[Callable[[bytes, Random], bytes]]] = {
    ".jsonl": [changed_json_lines],
    ".json": [changed_json],
    ".tsv": [_cells],
    ".conllu": [_cells],
    ".yaml": [changed_yaml, _yaml_text],
    ".md": [changed_yaml, _yaml_text],
    ".toml": [changed_toml],
    ".xml": [changed_xml],
    ".parquet": [changed_parquet],
}
