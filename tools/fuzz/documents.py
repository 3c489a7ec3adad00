"""Changes of JSON values, and of YAML, TOML and XML documents as such values or trees."""

import copy
import io
import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any
from xml.etree import ElementTree

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from . import values

#: Depth of a value that is put into itself.
_DEPTH = 60


def changed_value(document: Any, random: Random, others: Sequence[Any] = ()) -> Any:
    """Return a JSON value with one change, anywhere in it: a value that is gone, odd, doubled, of another type or another place.

    Args:
        document: the value; it is changed itself.
        others: values of the same kind, such as the other rows of a file, of which a part may take the place of a part.
    """
    places = list(_places(document))
    if not places or random.random() < 0.03:
        return random.choice(values.JSON)
    parent, key = random.choice(places)
    kind = random.randrange(8)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, dict):
        parent[random.choice(("", "id", "extra", "text", f"{key} ", str(key).upper()))] = random.choice(values.JSON)
    elif kind == 1:
        parent.insert(random.randint(0, len(parent)), _copy(random.choice((parent[key], *values.JSON))))
    elif kind == 2:
        other, place = random.choice(places)
        parent[key] = _copy(other[place])
    elif kind == 3:
        parent[key] = _other_type(parent[key], random)
    elif kind == 4 and others:
        other = random.choice(others)
        same = [value for holder, name in _places(other) for value in [holder[name]] if name == key]
        parent[key] = _copy(random.choice(same or [other]))
    elif kind == 5 and isinstance(parent, dict) and isinstance(key, str):
        parent[random.choice((key[:-1], f"{key}s", key.title(), ""))] = parent.pop(key)
    else:
        parent[key] = random.choice(values.JSON)
    return document


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _other_type(value: Any, random: Random) -> Any:
    """Return the value as another type holds it."""
    nested = value
    for _ in range(_DEPTH):
        nested = [nested]
    wrapped = [[value], {"value": value}, [value, value], [value] * 300, str(value), nested]
    if isinstance(value, str):
        wrapped += [list(value), len(value), value * 50, value[:-1], f" {value}", value.swapcase()]
    elif isinstance(value, int | float):
        wrapped += [float(value), -value, value + 1, value * 10**6, bool(value)]
    elif isinstance(value, dict):
        pairs = list(value.items())
        wrapped += [list(value), list(value.values()), dict(reversed(pairs)), [list(pair) for pair in pairs]]
    elif isinstance(value, list):
        wrapped += [dict(enumerate(value)), value[::-1], value[:1], value * 2, value[0] if value else None]
    return random.choice(wrapped)


def changed_json(data: bytes, random: Random) -> bytes:
    """Return a JSON document with one change of its value."""
    try:
        document = json.loads(data)
    except ValueError:
        return data
    return _dumped(changed_value(document, random), random)


def changed_json_lines(data: bytes, random: Random) -> bytes:
    """Return JSON Lines with one change of the value of a line."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    number = random.randrange(len(lines))
    try:
        rows = [json.loads(line) for line in lines]
    except ValueError:
        return data
    if random.random() < 0.15:  # the same change in all lines, as a faulty program makes it
        state = random.getstate()
        for place, row in enumerate(rows):
            random.setstate(state)
            lines[place] = _dumped(changed_value(row, random), random)
        return b"".join(lines)
    others = rows[:number] + rows[number + 1 :]
    lines[number] = _dumped(changed_value(rows[number], random, others), random)
    return b"".join(lines)


def _dumped(value: Any, random: Random) -> bytes:
    return json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass") + b"\n"


def changed_yaml(data: bytes, random: Random) -> bytes:
    """Return a YAML document, or the YAML at the top of a Markdown page, with one change of its value."""
    head, page = b"", b""
    if data.startswith(b"---\n") and b"\n---\n" in data[4:]:
        head, data, page = b"---\n", *data[4:].split(b"\n---\n", 1)
        page = b"---\n" + page
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_unicode, yaml.default_flow_style = True, False
    sink = io.BytesIO()
    try:
        document = changed_value(json.loads(json.dumps(yaml.load(data), default=str)), random)
        yaml.dump(document, sink)
    except (YAMLError, ValueError, TypeError):
        return head + data + page
    return head + sink.getvalue() + page


def changed_toml(data: bytes, random: Random) -> bytes:
    """Return a TOML document with an odd value, key or table."""
    lines = data.split(b"\n")
    places = [number for number, line in enumerate(lines) if b"=" in line or line.startswith(b"[")]
    if not places:
        return data
    number = random.choice(places)
    key, equals, _ = lines[number].partition(b"=")
    if not equals:
        lines[number] = random.choice((b"[" + key + b"]", b"[a.b]", b"[zh]", b"[]", b"[[a]]", key))
    elif random.random() < 0.7:
        lines[number] = key + b"= " + random.choice(values.TOML).encode()
    else:
        lines[number] = lines[random.choice(places)]
    return b"\n".join(lines)


def changed_xml(data: bytes, random: Random) -> bytes:
    """Return an XML document with one change of an element: gone, doubled, empty, renamed, with an odd text or attribute."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError):
        return data
    pairs = [(parent, child) for parent in root.iter() for child in parent]
    if not pairs:
        return data
    parent, child = random.choice(pairs)
    odd = random.choice([value for value in values.JSON if isinstance(value, str)])
    actions: list[Callable[[], object]] = [
        lambda: parent.remove(child),
        lambda: parent.append(copy.deepcopy(child)),
        lambda: random.choice(pairs)[1].append(copy.deepcopy(random.choice(pairs)[1])),
        lambda: setattr(child, "text", odd),
        lambda: setattr(child, "tail", odd),
        lambda: setattr(child, "tag", random.choice(("a", "text", random.choice(pairs)[1].tag))),
        lambda: child.set(random.choice((*child.keys(), "a", "lang", "id")), odd),
        lambda: child.clear(),
    ]
    random.choice(actions)()
    try:
        return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
    except (RecursionError, ValueError, TypeError):
        return data
